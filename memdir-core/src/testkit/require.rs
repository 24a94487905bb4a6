//! What a test needs of the machine, and what happens where it is not there.
//!
//! libtest knows no skipped tests. A test that needs a service or a program asks [`require`] and returns early
//! when told so; the skip is printed, and written to the file that `cargo xtask test` totals.

use std::io::Write;

/// Something that not every machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// The `git` program.
    Git,
    /// `bash`, the oracle of shell parsing.
    Bash,
    /// A PostgreSQL server that answers.
    Postgres,
    /// The real client that shares the directory.
    ClaudeCode,
    /// `strace`, which injects faults into system calls.
    Strace,
    /// A user whom file permissions hold back, as they do not hold root.
    Unprivileged,
    /// The kernel's own fence, Landlock, complete.
    Landlock,
}

impl Need {
    /// The word for it in `MEMDIR_REQUIRE`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Git => "git",
            Self::Bash => "bash",
            Self::Postgres => "postgres",
            Self::ClaudeCode => "claude-code",
            Self::Strace => "strace",
            Self::Unprivileged => "unprivileged",
            Self::Landlock => "landlock",
        }
    }
}

/// Names, separated by commas, of what must be there: its absence is then a failure instead of a skip.
pub const REQUIRE_VAR: &str = "MEMDIR_REQUIRE";

/// A file to which every skip appends one line.
pub const SKIP_LOG_VAR: &str = "MEMDIR_SKIP_LOG";

/// Whether the test can go on, given what the machine has. Reports a skip otherwise.
///
/// # Panics
///
/// Where `MEMDIR_REQUIRE` names what is missing.
#[track_caller]
pub fn require(need: Need, is_there: bool) -> bool {
    if is_there {
        return true;
    }
    let demanded = std::env::var(REQUIRE_VAR).unwrap_or_default();
    assert!(!demands(&demanded, need), "`{}` is required here and is missing", need.name());
    let thread = std::thread::current();
    let line = skip_line(need, thread.name().unwrap_or("a test"));
    eprint!("{line}");
    if let Some(log) = std::env::var_os(SKIP_LOG_VAR) {
        // One write in append mode: lines of parallel tests don't mix.
        std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(log)
            .unwrap()
            .write_all(line.as_bytes())
            .unwrap();
    }
    false
}

/// Whether a program answers to `--version`.
pub fn has_program(program: &str) -> bool {
    std::process::Command::new(program)
        .arg("--version")
        .stdin(std::process::Stdio::null())
        .output()
        .is_ok_and(|output| output.status.success())
}

fn demands(list: &str, need: Need) -> bool {
    list.split(',').any(|name| name.trim() == need.name())
}

fn skip_line(need: Need, test: &str) -> String {
    format!("SKIPPED {test}: needs {}\n", need.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_is_demanded() {
        assert!(demands("git, postgres", Need::Postgres));
        assert!(!demands("postgresql", Need::Postgres));
        assert!(!demands("", Need::Git));
    }

    #[test]
    fn a_skip_names_the_test_and_the_need() {
        assert_eq!(skip_line(Need::Bash, "shell::oracle"), "SKIPPED shell::oracle: needs bash\n");
    }

    #[test]
    fn what_is_there_is_no_skip() {
        assert!(require(Need::Postgres, true));
    }
}
