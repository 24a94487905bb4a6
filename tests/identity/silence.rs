//! A directory that was made by hand, and that nobody else claims, notices nothing.

use memdir_core::location::Slug;
use memdir_tests::tree;

use crate::{has_git, repository, sandbox};

/// Commands that only look. `prompt` is among them while memory is off.
const READING: &[&[&str]] = &[
    &["path"],
    &["status"],
    &["list"],
    &["show", "a.md"],
    &["index"],
    &["search", "clock"],
    &["recall", "how do tests deal with the clock"],
    &["check"],
    &["check", "--stale"],
    &["history"],
    &["doctor"],
    &["config", "list"],
    &["config", "path"],
    &["config", "check"],
];

#[test]
fn what_only_looks_changes_nothing_below_home_and_needs_no_registry() {
    if !has_git() {
        return;
    }
    for with_memory in [true, false] {
        let sandbox = sandbox();
        let project = repository(&sandbox, "work/demo", "demo");
        let slug = Slug::of(&project);
        if with_memory {
            let dir = format!("home/.claude/projects/{}/memory", slug.as_str());
            sandbox.world.write(format!("{dir}/a.md"), "Tests use the fake clock.\n");
            sandbox.world.write(format!("{dir}/sub/b.md"), "---\nname: b\ntype: user\n---\n\nText.\n");
            sandbox.world.write(format!("{dir}/MEMORY.md"), "Prose, and [a](a.md) in it\n");
        }
        let before = tree(&sandbox.world.root());
        for args in READING {
            for json in [None, Some("--json")] {
                let args: Vec<_> = args.iter().copied().chain(json).collect();
                let ran = sandbox.run_in(&project, &args);
                assert!(matches!(ran.code, Some(0 | 1)) || !with_memory, "{args:?}: {ran:?}");
                assert_eq!(tree(&sandbox.world.root()), before, "{args:?} changed something");
            }
        }
        let off = sandbox.with_var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
        off.run_in(&project, &["prompt"]).exits(0);
        assert_eq!(tree(&off.world.root()), before, "`prompt` changed something while memory is off");
    }
}
