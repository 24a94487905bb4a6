//! File tools: what may be read, and the few files that may be written.

use memdir_extract::permit::{Allowed, FileCall, TeamMemory, Verdict};
use serde_json::json;

use super::Yard;

#[test]
fn reads_stay_inside_the_fence() {
    let yard = Yard::new();
    let project = yard.world.project();
    let secret = yard.world.write(yard.world.home().join("secret.txt"), "x");
    for path in ["README.md", "src/../README.md", "/usr/share/doc", "gone.md"] {
        let verdict = yard.call("Grep", json!({ "pattern": "x", "path": path }));
        assert!(verdict.is_allowed(), "{path}: {verdict:?}");
    }
    for path in
        ["../x", "/etc/passwd", "/dev/zero", "/proc/self/environ", secret.to_str().unwrap(), "a\nb", ""]
    {
        assert!(!yard.call("Read", json!({ "file_path": path })).is_allowed(), "{path}");
    }
    assert!(yard.call("Read", json!({ "file_path": project.join("README.md") })).is_allowed());
    assert!(!yard.call("Read", json!({ "file_path": 3 })).is_allowed());
    assert!(!yard.call("Read", json!([])).is_allowed());
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_project_is_no_way_out() {
    let yard = Yard::new();
    let secret = yard.world.write(yard.world.home().join("secret/key.txt"), "x");
    std::os::unix::fs::symlink(&secret, yard.world.project().join("key.txt")).unwrap();
    std::os::unix::fs::symlink(secret.parent().unwrap(), yard.world.project().join("notes")).unwrap();
    yard.denies(&[
        "cat key.txt",
        "cat notes/key.txt",
        "cat k*.txt",
        "ls notes/",
        "ls notes/*",
        "cd notes && ls",
        "wc < key.txt",
    ]);
    assert!(!yard.call("Read", json!({ "file_path": "key.txt" })).is_allowed());
    assert!(!yard.call("Glob", json!({ "pattern": "*", "path": "notes" })).is_allowed());
}

#[test]
fn only_memories_are_written() {
    let mut yard = Yard::new();
    let memory = yard.world.memory();
    yard.world.memo("kept.md", "---\nname: kept\nmetadata:\n  pinned: true\n---\nx\n");
    let write = |yard: &Yard, path: &str| {
        yard.call("Write", json!({ "file_path": memory.join(path), "content": "x" })).is_allowed()
    };
    for path in ["new.md", "one.md", "MEMORY.md", "folder/new.md", "./x/../new.md"] {
        assert!(write(&yard, path), "{path}");
    }
    for path in [
        "new.txt",
        "new",
        "new.MD",
        "../new.md",
        "kept.md",
        "team/new.md",
        "Team/new.md",
        "folder/MEMORY.md",
        "memory.md",
        ".md",
        "",
        "/etc/x.md",
    ] {
        assert!(!write(&yard, path), "{path}");
    }
    assert!(!yard.call("Edit", json!({ "file_path": yard.world.project().join("README.md") })).is_allowed());
    yard.fence.team = TeamMemory::On;
    assert!(write(&yard, "team/new.md"));
    assert!(!write(&yard, "team/MEMORY.md"));
    assert!(!write(&yard, "TEAM/new.md"));
    let verdict = yard.call("Edit", json!({ "file_path": memory.join("team/../one.md") }));
    let Verdict::Allow(Allowed::File(FileCall::Edit { file })) = verdict else { panic!("{verdict:?}") };
    assert_eq!(file.as_str(), "one.md");
}

#[cfg(unix)]
#[test]
fn links_in_the_memory_directory_are_not_written_through() {
    let yard = Yard::new();
    let memory = yard.world.memory();
    let outside = yard.world.write(yard.world.home().join("x.md"), "x");
    std::os::unix::fs::symlink(&outside, memory.join("link.md")).unwrap();
    std::os::unix::fs::symlink(memory.join("one.md"), memory.join("other.md")).unwrap();
    std::os::unix::fs::symlink(memory.join("team"), memory.join("folder")).unwrap();
    std::os::unix::fs::symlink(yard.world.home(), memory.join("home")).unwrap();
    for path in ["link.md", "other.md", "folder/x.md", "home/x.md", "home/new.md"] {
        assert!(!yard.call("Write", json!({ "file_path": memory.join(path) })).is_allowed(), "{path}");
    }
}

#[test]
fn tools_are_known_by_their_exact_names() {
    let yard = Yard::new();
    for (tool, input) in [
        ("Read", json!({ "file_path": "README.md" })),
        ("read", json!({ "filePath": "README.md" })),
        ("read_file", json!({ "absolute_path": yard.world.project().join("README.md") })),
        ("view", json!({ "path": "README.md" })),
        ("LS", json!({ "path": "src" })),
        ("list_directory", json!({ "dir_path": "." })),
        ("search_file_content", json!({ "pattern": "x" })),
        ("Glob", json!({ "pattern": "**/*.md" })),
        ("Glob", json!({ "pattern": format!("{}/**/*.md", yard.world.project().display()) })),
        ("run_shell_command", json!({ "command": "ls", "directory": "src", "description": "x" })),
        ("exec_command", json!({ "cmd": "ls", "workdir": yard.world.project() })),
        ("Bash", json!({ "command": "ls", "run_in_background": false, "timeout": 1000 })),
    ] {
        let verdict = yard.call(tool, input.clone());
        assert!(verdict.is_allowed(), "{tool} {input}: {verdict:?}");
    }
    for (tool, input) in [
        ("bAsh", json!({ "command": "ls" })),
        ("Bash ", json!({ "command": "ls" })),
        ("mcp__files__read", json!({ "path": "README.md" })),
        ("WebFetch", json!({ "url": "https://example.com" })),
        ("Task", json!({ "prompt": "x" })),
        ("Agent", json!({})),
        ("NotebookEdit", json!({ "notebook_path": "x" })),
        ("apply_patch", json!({ "input": "x" })),
        ("", json!({ "command": "ls" })),
        ("Bash", json!({ "command": ["ls"] })),
        ("Bash", json!({ "command": "ls", "cmd": "touch x" })),
        ("Bash", json!({ "command": "ls", "run_in_background": true })),
        ("Bash", json!({ "command": "ls", "dangerouslyDisableSandbox": true })),
        ("Bash", json!({ "command": "ls", "env": { "PATH": "." } })),
        ("Bash", json!({ "command": "ls", "cwd": "/etc" })),
        ("Read", json!({ "file_path": "README.md", "path": "/etc/passwd" })),
        ("Glob", json!({ "pattern": "../*" })),
        ("Glob", json!({ "pattern": "{a,..}/*" })),
        ("Glob", json!({ "pattern": "/etc/*" })),
        ("Glob", json!({ "pattern": "*", "path": "/" })),
    ] {
        assert!(!yard.call(tool, input.clone()).is_allowed(), "{tool} {input}");
    }
}
