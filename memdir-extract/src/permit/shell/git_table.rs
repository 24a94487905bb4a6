//! The git commands that only look, with their options. Long options take their value attached unless the list says
//! otherwise, since git's parsers differ in whether they take the next word.

/// What a command reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// Objects and references.
    Objects,
    /// Objects, shown as changes: drivers for comparison and conversion may be configured.
    Changes,
    /// The work tree, and no drivers.
    Tree,
    /// The work tree, shown as changes.
    TreeChanges,
}

/// Which operands a command takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// Revisions and paths: fenced as if all were paths.
    Any,
    /// None.
    None,
    /// At most one.
    One,
    /// A pattern first, unless `-e` or `-f` is there.
    Pattern,
    /// Only where an option makes it a list.
    ListOnly,
    /// `config`: one name to read.
    ConfigKey,
    /// The first one is one of these words, or there is none.
    First(&'static [&'static str]),
    /// As above, and the word must be there.
    MustBe(&'static [&'static str]),
    /// `reflog`: `show` or what can only be a reference.
    Reflog,
}

/// A git command.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) reads: Reads,
    pub(super) words: Words,
    /// Lists that apply, in the syntax of `options`.
    pub(super) options: &'static [&'static str],
}

/// How changes are shown.
const CHANGES: &str = "-puswbzaWRc -U? -S=G=l= -O? -M?C?B?X? --patch --no-patch --raw --patch-with-raw --patch-with-stat --stat? --numstat \
     --shortstat --summary --compact-summary --dirstat? --cumulative --dirstat-by-file? --name-only --name-status --check \
     --unified: --diff-filter: --find-renames? --find-copies? --find-copies-harder --no-renames --rename-empty \
     --no-rename-empty --break-rewrites? --irreversible-delete --ignore-space-change --ignore-all-space \
     --ignore-blank-lines --ignore-space-at-eol --ignore-cr-at-eol --ignore-matching-lines: --word-diff? \
     --word-diff-regex: --color-words? --color? --no-color --color-moved? --no-color-moved --color-moved-ws: \
     --function-context --minimal --patience --histogram --diff-algorithm: --anchored: --indent-heuristic \
     --no-indent-heuristic --full-index --binary --text --relative? --no-relative --no-prefix --default-prefix \
     --src-prefix: --dst-prefix: --exit-code --quiet --pickaxe-regex --pickaxe-all --find-object: --abbrev? \
     --no-abbrev --inter-hunk-context: --line-prefix: --ita-invisible-in-index --ita-visible-in-index --skip-to: \
     --rotate-to: --no-ext-diff --no-textconv --ignore-submodules? --stat-width: --stat-name-width: --stat-count: \
     --stat-graph-width: --combined-all-paths --cc --root -t --output-indicator-new: --output-indicator-old: \
     --output-indicator-context: --merge-base";

/// Which commits.
const COMMITS: &str = "-# -n= -giEFP --all --branches? --tags? --remotes? --max-count= --skip= --since= --after= --until= --before= \
     --since-as-filter: --author= --committer= --grep= --grep-reflog: --all-match --invert-grep \
     --regexp-ignore-case --extended-regexp --fixed-strings --basic-regexp --perl-regexp --reverse --merges \
     --no-merges --min-parents: --max-parents: --no-min-parents --no-max-parents --first-parent \
     --exclude-first-parent-only --not --glob: --exclude: --exclude-hidden: --reflog --walk-reflogs --boundary \
     --cherry --cherry-pick --cherry-mark --left-only --right-only --left-right --simplify-by-decoration \
     --simplify-merges --show-pulls --full-history --dense --sparse --ancestry-path? --remove-empty --date-order \
     --author-date-order --topo-order --no-walk? --do-walk --ignore-missing --bisect --single-worktree --merge";

/// How commits are shown.
const SHOWN: &str = "-L= --oneline --graph --no-graph --decorate? --no-decorate --decorate-refs: --decorate-refs-exclude: \
     --pretty? --format: --date= --relative-date --abbrev-commit --no-abbrev-commit --follow --source --parents \
     --children --log-size --use-mailmap --no-use-mailmap --mailmap --no-mailmap --notes? --no-notes --show-notes? \
     --show-linear-break? --encoding: --expand-tabs? --no-expand-tabs --clear-decorations --diff-merges: \
     --no-diff-merges --dd --remerge-diff --no-show-signature -m -q --no-commit-id -r";

/// Lists of references.
const REFERENCES: &str = "-i --sort= --format= --contains? --no-contains? --merged? --no-merged? --points-at= --color? --no-color \
     --column? --no-column --ignore-case --omit-empty";

use Reads::{Changes, Objects, Tree, TreeChanges};
use Words::{Any, ConfigKey, First, ListOnly, MustBe, None as NoWords, One, Pattern, Reflog};

const fn row(name: &'static str, reads: Reads, words: Words, options: &'static [&'static str]) -> Row {
    Row { name, reads, words, options }
}

pub(super) const ROWS: &[Row] = &[
    row("log", Changes, Any, &[CHANGES, COMMITS, SHOWN]),
    row("whatchanged", Changes, Any, &[CHANGES, COMMITS, SHOWN, "--i-still-use-this"]),
    row("show", Changes, Any, &[CHANGES, COMMITS, SHOWN]),
    row("reflog", Changes, Reflog, &[CHANGES, COMMITS, SHOWN]),
    row("diff", TreeChanges, Any, &[CHANGES, "--cached --staged --no-index -0123 --base --ours --theirs -q"]),
    row("diff-tree", TreeChanges, Any, &[CHANGES, COMMITS, SHOWN, "-r"]),
    row("diff-index", TreeChanges, Any, &[CHANGES, "--cached -m"]),
    row("diff-files", TreeChanges, Any, &[CHANGES, "-0123q --base --ours --theirs"]),
    row(
        "status",
        TreeChanges,
        Any,
        &[
            "-sbvz -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignored? \
           --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? --column? --no-column \
           --ignore-submodules?",
        ],
    ),
    row(
        "blame",
        TreeChanges,
        Any,
        &[
            "-lstfnepwcb -L= -S=@ -M?C? --root --show-stats --porcelain --line-porcelain --incremental --show-name \
           --show-number --show-email --date: --abbrev: --since: --reverse --first-parent --ignore-rev: \
           --color-lines --color-by-age --no-textconv --encoding: --minimal --score-debug",
        ],
    ),
    row(
        "annotate",
        TreeChanges,
        Any,
        &["-lstfnepwcb -L= -M?C? --root --porcelain --line-porcelain --date: --abbrev:"],
    ),
    row(
        "grep",
        Tree,
        Pattern,
        &[
            "-# -nivwxcLlhHoqzEFGPIarWp -A=B=C=m=e= -f=@ --cached --untracked --no-exclude-standard --exclude-standard \
           --text --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp \
           --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only \
           --files-without-match --null --only-matching --count --color? --no-color --break --heading \
           --show-function --function-context --after-context= --before-context= --context= --max-depth= \
           --max-count= --recursive --no-recursive --threads= --and --or --not --all-match --quiet --no-textconv",
        ],
    ),
    row(
        "ls-files",
        Tree,
        Any,
        &[
            "-cdmoisukztvf -x= -X=@ --cached --deleted --modified --others --ignored --stage --unmerged --killed \
           --directory --no-empty-directory --exclude= --exclude-from=@ --exclude-standard --error-unmatch \
           --full-name --abbrev? --debug --eol --deduplicate --format: --resolve-undo",
        ],
    ),
    row(
        "ls-tree",
        Objects,
        Any,
        &[
            "-drtlz --long --name-only --name-status --object-only --abbrev? --full-name --full-tree --format:",
        ],
    ),
    row(
        "cat-file",
        Objects,
        Any,
        &["-tspe --batch? --batch-check? --batch-all-objects --unordered --buffer"],
    ),
    row(
        "rev-parse",
        Objects,
        Any,
        &["-q --abbrev-ref? --short? --verify --quiet --show-toplevel --show-cdup --show-prefix --git-dir \
           --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository \
           --is-shallow-repository --symbolic --symbolic-full-name --all --branches? --tags? --remotes? --glob: \
           --revs-only --no-revs --flags --no-flags --sq --not --show-object-format? --show-superproject-working-tree \
           --git-path= --path-format: --since: --until: --after: --before: --shared-index-path --show-ref-format"],
    ),
    row(
        "rev-list",
        Objects,
        Any,
        &[
            COMMITS,
            "--count --objects --no-object-names --pretty? --format: --abbrev? --abbrev-commit --oneline \
           --parents --children --timestamp --header --graph --quiet --disk-usage? --left-right --no-commit-header \
           --in-commit-order --date=",
        ],
    ),
    row(
        "describe",
        Tree,
        Any,
        &[
            "--all --tags --contains --abbrev: --candidates= --exact-match --debug --long --match= --exclude= --always \
           --first-parent --dirty?",
        ],
    ),
    row(
        "shortlog",
        Objects,
        Any,
        // Its own `-n` goes first: it takes no number.
        &["-nsec -w? --numbered --summary --email --group: --committer --format: --date=", COMMITS],
    ),
    row(
        "branch",
        Objects,
        ListOnly,
        &[REFERENCES, "-arvl --list --all --remotes --show-current --verbose --abbrev: --no-abbrev"],
    ),
    row("tag", Objects, ListOnly, &[REFERENCES, "-l -n? --list"]),
    row("for-each-ref", Objects, Any, &[REFERENCES, "--count: --exclude: --shell --perl --python --tcl"]),
    row("remote", Objects, First(&["get-url"]), &["-v --verbose --all --push"]),
    row(
        "config",
        Objects,
        ConfigKey,
        &["-lz --get --get-all --get-regexp --list --local --global --system --worktree \
        --null --name-only --show-origin --show-scope --type: --bool --int --bool-or-int --path --includes \
        --no-includes --default:"],
    ),
    row("stash", Changes, MustBe(&["list", "show"]), &[CHANGES, COMMITS, SHOWN]),
    row("worktree", Objects, MustBe(&["list"]), &["-vz --porcelain --verbose"]),
    row("notes", Objects, MustBe(&["list"]), &[""]),
    row("sparse-checkout", Objects, MustBe(&["list"]), &[""]),
    row("merge-base", Objects, Any, &["-a --all --octopus --independent --is-ancestor --fork-point"]),
    row("name-rev", Objects, Any, &["--tags --refs= --exclude= --all --name-only --no-undefined --always"]),
    row(
        "show-ref",
        Objects,
        Any,
        &["-qds --head --heads --branches --tags --dereference --hash? --verify --quiet --abbrev? --exists"],
    ),
    row("symbolic-ref", Objects, One, &["-q --short --quiet --no-recurse"]),
    row(
        "show-branch",
        Objects,
        Any,
        &["-ar --all --remotes --current --topo-order --date-order --sparse --more? --list --merge-base \
        --independent --no-name --sha1-name --topics --color? --no-color"],
    ),
    row("cherry", Changes, Any, &["-v --abbrev?"]),
    row("check-ignore", Tree, Any, &["-qvnz --quiet --verbose --non-matching --no-index"]),
    row("check-attr", Tree, Any, &["-az --all --cached"]),
    row("check-ref-format", Objects, Any, &["--branch --allow-onelevel --refspec-pattern --normalize"]),
    row("check-mailmap", Objects, Any, &[""]),
    row("count-objects", Objects, NoWords, &["-vH --verbose --human-readable"]),
    row("version", Objects, NoWords, &["--build-options"]),
];

/// Settings that our wrapper puts in front of every git command: nothing that a repository names is started, nothing
/// is written, nothing is asked for.
pub(super) const SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.editor=false",
    "core.askPass=false",
    "core.sshCommand=false",
    "core.untrackedCache=keep",
    "core.quotePath=false",
    "diff.autoRefreshIndex=false",
    "diff.ignoreSubmodules=all",
    "blame.ignoreRevsFile=",
    "log.showSignature=false",
    // Not `false`: git would look for that program, and start it.
    "gpg.program=/dev/null",
    "gpg.openpgp.program=/dev/null",
    "gpg.x509.program=/dev/null",
    "gpg.ssh.program=/dev/null",
    // Newer versions let an alias stand for a built-in that is on its way out.
    "alias.whatchanged=",
    "submodule.recurse=false",
    "safe.bareRepository=explicit",
    "protocol.allow=never",
    "credential.helper=",
    "status.submoduleSummary=false",
    "column.ui=never",
    "color.ui=false",
];
