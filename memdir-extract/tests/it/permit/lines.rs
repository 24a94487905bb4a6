//! Shell lines by program and by the ways in which such fences were passed elsewhere.

use memdir_extract::permit::{Builtin, Connector, GitAccess, Program, Redirection, Runner, Walls};

use super::Yard;

#[test]
fn what_an_extraction_agent_asks_is_allowed() {
    Yard::new().allows(&[
        "ls", "ls -la", "ls -la memory/ 2>/dev/null", "ls -lt memory | head -20", "ls -1 src/*.rs", "ls -d memory/*/",
        "cat README.md package.json", "cat -n src/main.rs", "head -50 README.md", "head -n 5 README.md", "tail -n +5 README.md",
        "tail -20 README.md", "wc -l src/*.rs", "wc -c < README.md", "stat README.md", "stat -c '%s %n' README.md",
        "file README.md", "du -sh .", "du -ah --max-depth=1 . | sort -rh | head", "df -h", "pwd", "echo done",
        "echo \"a; b && c | d > e\"", "echo '$(touch x)'", "printf '%s\\n' a b", "true", "date", "date +%Y-%m-%d",
        "date -u '+%F %T'", "date -d '2 days ago' +%F", "basename src/main.rs .rs", "dirname src/main.rs", "realpath .",
        "readlink -f memory", "sort -u memory/names.txt | uniq -c | sort -rn | head -5", "sort -t, -k2 memory/names.txt",
        "cut -d: -f1,2 memory/names.txt", "tr -d '\\r' < README.md", "tr a-z A-Z < README.md", "nl -ba README.md",
        "comm -12 memory/names.txt README.md", "diff -u README.md package.json", "diff -r src memory", "cmp README.md package.json",
        "md5sum README.md", "sha256sum README.md", "grep -rn 'TODO' src", "grep -Rn foo . --include='*.rs'", "grep -c '^- ' README.md",
        "grep -e -n README.md", "grep \"foo$\" README.md", "grep -E 'a|b' README.md 2>/dev/null | wc -l", "grep -A3 -B 2 x README.md",
        "grep -H foo README.md /dev/null", "egrep -v '^#' README.md", "rg -n 'rm -rf /' .", "rg --files -g '*.rs'", "rg -tmd foo",
        "rg --no-config -n alpha src", "fd -e md . memory", "fd '\\.rs$' src -t f", "tree -L 2 -I 'node_modules|target'", "tree -a --noreport",
        "jq '.scripts' package.json", "cat package.json | jq -r '.name, .env'", "jq -e 'has(\"name\")' package.json",
        "jq --arg k name '.[$k]' package.json", "sed -n '1,20p' README.md", "sed -n 5p README.md", "sed -n '10,$p' README.md",
        "sed -n -e 1p -e '3,5p' README.md", "test -f README.md && echo yes || echo no", "[ -d memory ] && ls memory",
        "[ ! -e gone ] ; echo x", "test -n x -a -n y", "cd src && ls", "cd src && ls -la && cat main.rs", "cd memory; pwd",
        "cd gone && ls", "od -c README.md | head", "xxd README.md | head -3", "xxd -l 64 README.md", "hexdump -C README.md", "seq 1 5",
        "which git", "type ls", "command -v git", "uname -a", "id -u", "whoami", "hostname", "ps aux", "ps -ef", "ps -eo pid,cmd",
        "find . -name '*.md'", "find . -type f -name '*.md' -newermt '2026-01-01'",
        "find . \\( -name a -o -name b \\) -not -path '*/target/*' -print0", "find . -maxdepth 2 ! -name x",
        "find src memory -type f -mtime -7 -printf '%p\\n'", "ls memory # trailing\npwd", "ls\n\n# only text\npwd\n", "ls ;", "",
        "ls |\n head", "ls &&\n pwd", "cat <README.md", "ls>/dev/null", "ls &>/dev/null", "ls 1>&2", "ls >/dev/null 2>&1",
        "ls -- -x", "echo a\\ b", "echo ~/x", "/usr/bin/git log -1", "l\\s", "'ls'", "cat *.md", "cat memory/*.md | head -5", "ls [a-m]*",
        "ls /usr/share/doc", "cat /etc/os-release", "echo résumé", "echo a{}b", "grep -rn --include=*.md TODO .", "echo \"a!b\"", "seq -5 5", "expr 1 + 2", "echo \"it's\" 'say \"x\"'",
    ]);
}

#[test]
fn git_that_only_looks_is_allowed() {
    Yard::new().allows(&[
        "git status", "git status -s", "git status --porcelain=v1 -b", "git log", "git log --oneline -10", "git log -n 5 --stat",
        "git log --since='2 weeks ago' --author=me --format='%h %an %s'", "git log -p -1 -- README.md", "git log --since 2026-01-01",
        "git log --grep 'fix' -i", "git log main..dev --graph --all", "git log -S 'foo' -- src", "git log -L 1,5:src/main.rs",
        "git --no-pager log -3", "git show HEAD", "git show HEAD~1:README.md", "git show --stat HEAD^", "git show stash@{0}", "git diff",
        "git diff HEAD~1 --stat", "git diff --cached --name-only", "git diff main...HEAD -- src", "git diff --no-index README.md package.json",
        "git blame README.md", "git blame -L 1,10 README.md", "git ls-files", "git ls-files -o --exclude-standard", "git ls-tree -r HEAD --name-only",
        "git cat-file -p HEAD", "git cat-file -t HEAD", "git rev-parse HEAD", "git rev-parse --show-toplevel",
        "git rev-parse --abbrev-ref HEAD", "git rev-parse --short=8 HEAD", "git rev-list --count HEAD", "git describe --tags --always",
        "git shortlog -sn", "git grep -n foo", "git grep -n foo HEAD -- src", "git branch", "git branch -a", "git branch -vv",
        "git branch --show-current", "git branch --list 'a*'", "git branch --contains HEAD", "git branch --merged main", "git tag", "git tag -l 'v*'",
        "git tag --sort=-creatordate", "git remote", "git remote -v", "git remote get-url origin", "git config --get remote.origin.url",
        "git config user.name", "git config --list", "git stash list", "git merge-base main HEAD", "git name-rev HEAD",
        "git for-each-ref --sort=-committerdate --format='%(refname:short)' refs/heads", "git reflog", "git reflog -5", "git reflog show main",
        "git worktree list", "git show-ref", "git symbolic-ref --short HEAD", "git check-ignore -v target", "git count-objects -vH",
        "git whatchanged -1", "git --version", "git -C src log -1", "cd src && git log -1 -- main.rs",
        "git diff-tree --no-commit-id --name-only -r HEAD", "git log --pretty=oneline", "git log --pretty='format:%H %s'",
        "git log --format=fuller --date=short", "git log --date iso -2", "git diff HEAD@{1}", "git log '@{u}..'", "git log @{u}..HEAD", "git log HEAD@{2.days.ago}", "git show HEAD^{tree}", "git describe --match 'v*'",
    ]);
}

#[test]
fn tricks_with_the_language_are_denied() {
    let yard = Yard::new();
    yard.denies(&[
        "ls $(touch x)", "ls `touch x`", "ls \"$(touch x)\"", "ls \"`touch x`\"", "ls ${x}", "ls $x", "ls \"$x\"", "ls $'a'", "ls $\"a\"",
        "ls <(touch x)", "ls >(touch x)", "cat <<X\nX", "cat <<< x", "ls & touch x", "ls; touch x", "ls\ntouch x", "ls && touch x",
        "ls || touch x", "ls | touch x", "ls |& tee x", "ls &", "ls;;ls", "; ls", "ls &&", "ls |", "&& ls", "| ls", ">/dev/null",
        "ls\r\ntouch x", "ls\0", "ls\u{a0}x", "ls\u{2003}x", "ls\u{3000}x", "ls\u{ff1b}touch x", "ls \u{202e}x", "ls '\u{200b}'", "ls \\\n x",
        "l\\\ns", "ls \\", "ls '", "ls \"", "ls \"a\\", "ls {a,b}", "ls {1..3}", "ls {a", "ls a}", "{ ls; }", "(ls)", "! ls", "ls !x", "ls !!",
        "ls ~root", "ls ~+", "ls a=~", "ls a:~/x", "A=b ls", "A=b", "A+=b ls", "'A=b' ls", "env ls", "xargs ls", "ls | xargs rm",
        "timeout 5 ls", "sudo ls", "command ls", "builtin ls", "exec ls", "nohup ls", "nice ls", "time ls", "eval ls", "source x", ". x",
        "bash -c ls", "sh x", "python3 -c x", "node x", "if true; then ls; fi", "for a in b; do ls; done", "while true; do ls; done",
        "function ls { x; }", "ls() { x; }", "[[ -f x ]]", "case x in esac", "alias ls=x", "export A=b", "set -x", "trap x EXIT",
        "ls > x", "ls >> x", "ls 2> x", "ls &> x", "ls >| x", "ls >/dev/nul", "ls >/dev/null/../x", "ls >&x", "ls 3>&1", "ls 2>&3", "ls 2>&1x",
        "ls <> x", "ls 0<x", "ls {fd}>/dev/null", "ls 22>/dev/null", "ls >& /dev/null x >y", "ls &>> /dev/null", "ls > /dev/tcp/a/1", "*", "./ls", "/tmp/ls",
        "src/ls", "../bin/ls", "~/ls", "ls -*x", "ls --out*", "cat < *.md", "lѕ", "coproc ls", "ls [[:alpha:]]*", "ls [!a]*",
    ]);
    yard.denies(&[&"ls;".repeat(33), &format!("ls {}", "a".repeat(4096))]);
}

#[test]
fn options_that_write_or_start_something_are_denied() {
    Yard::new().denies(&[
        "find . -exec touch x \\;", "find . -execdir x +", "find . -ok x \\;", "find . -okdir x \\;", "find . -delete", "find . -fprint x",
        "find . -fprint0 x", "find . -fprintf x %p", "find . -fls x", "find -files0-from x", "find -L .", "find . -follow", "find . -exe\\c x", "find . '-exec' x",
        "find . -name x -o -delete", "find -D exec .", "find . -newer /etc/shadow", "sort -o x README.md", "sort -ox README.md", "sort --output=x README.md", "sort --outp=x README.md",
        "sort -uo x README.md", "sort README.md -o x", "sort -T . README.md", "sort --compress-program=x README.md", "sort --files0-from=x", "sort -S1k README.md",
        "sed -i s/a/b/ README.md", "sed -n -i 1p README.md", "sed --in-pl s/a/b/ README.md", "sed -n 'w x' README.md", "sed -n '1w x' README.md", "sed -n 1e README.md",
        "sed -n '1e touch x' README.md", "sed -n s/a/b/e README.md", "sed -n 1p README.md -i", "sed -ni 1p README.md", "sed -f x README.md", "sed s/a/b/ README.md", "sed -n '/a/w x' README.md",
        "sed -n 'r /etc/passwd' README.md", "rg --pre ./x a", "rg --pre=./x a", "rg --p\"re\"=./x a", "rg -z a", "rg --search-zip a", "rg --hostname-bin x a", "rg -L a", "rg --follow a",
        "rg -nz a", "fd -x touch", "fd -X touch", "fd --exec touch", "fd --exec-batch touch", "fd a -x touch {}", "fd -Hx touch", "fd -l", "fd -L a", "tree -o x", "tree -ao x", "tree -R -L 1",
        "tree -l", "tree -P -o x", "tree -Lo 2 x", "tree --fromfile x", "date -s now", "date --set=now", "date 01010000", "date -us now", "date -f README.md", "hostname x",
        "hostname -F x", "hostname -b x", "uniq README.md x", "uniq -c README.md x", "xxd -r README.md", "xxd -r README.md x", "xxd README.md x", "xxd -revert README.md", "xxd -ps -r README.md", "xxd -c8r README.md",
        "xxd --r README.md", "test -v 'a[$(touch x)]'", "[ -v x ]", "[ -R x ]", "test -o x", "[ x", "[ 'a[0]' -eq 0 ]", "printf -v x y", "printf -vx y", "printf %n x", "printf '%5hn' x", "jq -f x", "jq -L . a",
        "jq env package.json", "jq '$ENV' package.json", "jq '.a,env' package.json", "jq '\"\\(env)\"' .", "jq input_filename package.json", "jq 'import \"a\" as a; .' package.json", "jq 'include \"a\"; .' package.json",
        "jq --from-file x package.json", "jq . /etc/passwd", "jq --slurpfile a /etc/passwd . package.json", "jq 'modulemeta' package.json", "jq --run-tests x", "file -C -m x", "file --compile -m x", "file -m x README.md", "file -f x",
        "file -z x", "diff -l README.md package.json", "diff --paginate README.md package.json", "diff /etc/passwd README.md", "diff --from-file=/etc/passwd README.md", "du --files0-from=x", "du -L .", "du -X /etc/passwd .", "wc --files0-from=x",
        "head /dev/zero", "cat /dev/random", "cat /dev/stdin", "cat /proc/self/environ", "tail -f README.md", "tail -F README.md", "tail --follow README.md", "ps auxe", "ps e", "ps -o environ", "which -x ls", "command ls -v", "type /bin/x",
        "grep -f /etc/passwd README.md", "grep x /etc/passwd", "grep -r x /", "grep -r x ..", "ls /", "ls ..", "ls /home", "ls /etc", "cat ~/.bashrc", "cat src/../../x", "wc -l < /etc/passwd", "stat /etc/shadow", "cat README.md /etc/passwd",
        "cd", "cd -", "cd ..", "cd /", "cd ~", "cd src/../..", "cd src | ls", "cd src src", "cd -P src", "true && cd src; cat ../README.md", "cd gone; ls", "cd src && cat ../../x", "cd src && cd ../..",
        "awk 1", "less README.md", "more README.md", "man ls", "bat x", "tee x", "dd if=a of=b", "tar cf x .", "zip x y", "vi x", "curl x", "wget x", "nc x 1", "ssh x", "ping x", "rm x", "mv a b", "cp a b", "ln a b", "touch x", "mkdir x",
        "chmod 1 x", "kill 1", "mkfifo x", "truncate x", "split README.md", "csplit README.md 1", "install a b", "sleep 1", "yes", "cargo test", "npm ls", "make", "script x", "watch ls", "parallel ls", "strace ls", "base64 -o x README.md", "column -x -Z",
    ]);
}

#[test]
fn git_that_does_more_than_look_is_denied() {
    Yard::new().denies(&[
        "git", "git fetch", "git range-diff a b c", "git pull", "git push", "git clone x", "git ls-remote", "git commit -m x", "git add .", "git checkout x", "git switch x", "git restore x", "git reset", "git clean -fd", "git rm x", "git mv a b",
        "git merge x", "git rebase x", "git gc", "git init", "git help log", "git log --help", "git foo", "git submodule status", "git bisect run x", "git filter-branch", "git archive HEAD", "git bundle create x", "git format-patch -1",
        "git apply x", "git am x", "git daemon", "git gui", "git difftool", "git mergetool", "git instaweb", "git update-index --refresh", "git hash-object -w x", "git -c core.pager=x log", "git -ccore.pager=x log", "git --config-env=a=b log",
        "git --git-dir=x log", "git --git-dir x log", "git --work-tree=/ diff", "git --exec-path=. log", "git -p log", "git --paginate log", "git -C .. log", "git -C / log", "git -C src -C ../.. log", "git --namespace=x log",
        "git log --output=x", "git log --outpu=x", "git log --output x", "git diff --output=x", "git show --output=x", "git diff --outpu{t,t}=x", "git diff --no-index --output=x a b", "git log --ext-diff -p", "git diff --ext-diff", "git diff --ext-d",
        "git show --textconv", "git cat-file --textconv HEAD:x", "git cat-file --filters HEAD:x", "git grep -Ovim a", "git grep -O a", "git grep --open-files-in-pager=vim a", "git grep --ope a", "git grep --no-index a", "git grep --textconv a",
        "git grep -f /etc/passwd", "git diff --no-index /etc/passwd README.md", "git diff /etc/passwd README.md", "git blame --contents /etc/passwd README.md", "git log --show-signature", "git log --format=%G?", "git log --pretty=format:%GK",
        "git log --pretty=mine", "git log --format=mine", "git log --date --output=x", "git log --format --output=x", "git for-each-ref --format='%(signature)'", "git branch new", "git branch -d x", "git branch -D x", "git branch -m x", "git branch -v new", "git branch -a new",
        "git branch -l new", "git branch --edit-description", "git branch -u x", "git branch --set-upstream-to=x", "git tag new", "git tag -d x", "git tag -a x", "git tag -v x", "git tag -n new", "git remote add a b", "git remote update",
        "git remote show origin", "git remote prune origin", "git remote -v update", "git config a.b c", "git config --add a.b c", "git config --unset a.b", "git config -e", "git config --get-color x", "git config --file x --list", "git config -f x a.b",
        "git config set a.b c", "git config get a.b", "git config", "git stash", "git stash pop", "git stash push", "git stash drop", "git stash -p", "git worktree add x", "git worktree prune", "git reflog expire --all", "git reflog delete x", "git reflog drop x",
        "git symbolic-ref HEAD refs/heads/x", "git symbolic-ref -d HEAD", "git notes add", "git describe --broken", "git rev-parse --parseopt", "git diff -O/etc/passwd", "git diff --submodule=diff", "git status --ignore-submodules=none", "git rev-list --use-bitmap-index HEAD",
        "git log --alternate-refs", "git rev-list --stdin", "git whatchanged --output=x", "git shortlog --output=x", "git stash list --output=x", "git reflog --output=x", "git verify-commit HEAD", "git show --remerge-diff --output=x", "git fsck --lost-found", "./git log", "git log -1 --exec=x",
    ]);
}

#[test]
fn a_plan_says_all_that_is_needed_to_run_it() {
    let yard = Yard::new();
    let project = yard.world.project();
    let plan = yard.plan("cd src && grep -n 'a b' *.rs 2>/dev/null | wc -l || rg x; git status -s").unwrap();
    let steps: Vec<_> = plan.steps.iter().map(|step| (step.connector, step.pipeline.len())).collect();
    // `||` after an uncertain `cd` would be refused; this one is certain, since `src` is there.
    assert_eq!(
        steps,
        [(Connector::Always, 1), (Connector::IfSucceeded, 2), (Connector::IfFailed, 1), (Connector::Always, 1)]
    );
    let commands: Vec<_> = plan.commands().collect();
    assert_eq!(commands[0].program, Program::Builtin(Builtin::ChangeFolder { to: project.join("src") }));
    assert_eq!(commands[0].cwd, project);
    assert_eq!(commands[1].argv, ["grep", "-n", "a b", "lib.rs", "main.rs"]);
    assert_eq!(commands[1].redirections, [Redirection::ErrorsToNull]);
    assert_eq!(commands[1].cwd, project.join("src"));
    assert_eq!(commands[3].run_argv, ["rg", "--no-config", "x"]);
    assert_eq!(commands[4].git, GitAccess::WorkTree);
    assert!(commands[4].run_argv.iter().any(|word| word == "core.fsmonitor=false"));
    assert!(commands[4].run_argv.ends_with(&["status", "--ignore-submodules=all", "-s"].map(str::to_owned)));
    assert!(plan.reads_work_tree());
}

#[test]
fn file_names_never_become_options() {
    let yard = Yard::new();
    for name in ["-exec", "--output=x", "-delete", "-i", "a b", "$(touch x)"] {
        yard.world.write(yard.world.project().join("odd").join(name), "");
    }
    let plan = yard.plan("cd odd && cat *").unwrap();
    let argv = &plan.commands().nth(1).unwrap().argv;
    assert_eq!(argv, &["cat", "$(touch x)", "./--output=x", "./-delete", "./-exec", "./-i", "a b"]);
    yard.denies(&["cd odd && find . -name *", "cd odd && git diff -*"]);
}

#[test]
fn what_a_repository_configures_decides_about_its_work_tree() {
    let yard = Yard::new();
    let config = yard.world.project().join(".git/config");
    yard.world.write(yard.world.project().join(".git/HEAD"), "ref: refs/heads/main\n");
    std::fs::create_dir_all(yard.world.project().join(".git/objects")).unwrap();
    std::fs::create_dir_all(yard.world.project().join(".git/refs")).unwrap();
    yard.world.write(&config, "[core]\n\tbare = false\n[diff \"x\"]\n\tcommand = touch x\n");
    yard.allows(&["git status", "git diff", "git log -p"]);
    for text in ["[filter \"x\"]\n\tclean = touch x\n", "[FILTER \"x\"]\nProcess=x\n", "[include]\n\tpath = x\n", "[core\n"] {
        yard.world.write(&config, text);
        yard.denies(&["git status", "git diff", "git blame README.md", "git grep x", "cd src && git status", "git -C src status"]);
        yard.allows(&["git log -3", "git rev-parse HEAD"]);
    }
    yard.world.write(&config, "[core]\n\tworktree = /etc\n");
    yard.denies(&["git diff", "git log"]);
}

#[test]
fn without_the_second_wall_git_leaves_the_work_tree_alone() {
    let yard = Yard::new().runner(Runner::Ours(Walls::Missing));
    yard.denies(&["git status", "git diff", "git ls-files", "git grep x", "git describe --dirty"]);
    yard.allows(&["git log -1", "git show HEAD", "git describe --tags"]);
}

#[test]
fn a_foreign_shell_gets_less() {
    let written = Yard::new().runner(Runner::HostAsWritten);
    written.denies(&["ls *.md", "grep -rn --include=*.md x .", "echo \"!x\"", "git status", "git diff", "rg x", "grep -R x ."]);
    written.allows(&["ls '*.md'", "git log -1", "rg --no-config x", "grep -r x .", "find . -name '*.md'"]);
    let rewritten = Yard::new().runner(Runner::HostRewritten);
    let command = |line: &str| rewritten.plan(line).unwrap().to_command();
    assert_eq!(command("cat memory/*.txt README.md 2>&1 | wc -l"), "cat memory/names.txt README.md 2>&1 | wc -l");
    assert_eq!(command("rg \"it's\" && ls -- '-x y' >/dev/null"), "rg --no-config 'it'\\''s' && ls -- '-x y' >/dev/null");
    let git = command("git status");
    assert!(git.starts_with("env -i PATH=/usr/bin:/bin "), "{git}");
    assert!(git.contains(" -c core.fsmonitor=false "), "{git}");
}
