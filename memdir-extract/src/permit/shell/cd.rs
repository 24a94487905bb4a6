//! `cd`: the folder in which the later commands of a line run, known before anything runs.

use std::path::{Path, PathBuf};

use super::{Checked, refuse};
use crate::permit::paths;
use crate::permit::plan::{Builtin, Command, Connector, GitAccess, Program};
use crate::permit::view::{FileKind, View};

/// Where the line stands.
#[derive(Debug)]
pub(super) struct Place {
    cwd: PathBuf,
    /// The connector of the pipeline that is being read.
    connector: Connector,
    /// A `cd` came whose outcome is not certain: what follows must depend on its success.
    uncertain: bool,
}

impl Place {
    pub(super) fn new(cwd: PathBuf) -> Self {
        Self { cwd, connector: Connector::Always, uncertain: false }
    }

    pub(super) fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// A pipeline begins.
    pub(super) fn enter(&mut self, connector: Connector) -> Checked<()> {
        if self.uncertain && connector != Connector::IfSucceeded {
            return refuse("after a `cd` that may not happen, go on with `&&` only");
        }
        self.connector = connector;
        Ok(())
    }

    /// `cd DIR`. The outcome is certain where it runs in any case and the folder is there; otherwise the rest of the
    /// line must hang on it by `&&`, so that it runs in the new folder or not at all.
    pub(super) fn change(&mut self, argv: &[String], alone: bool, view: &dyn View) -> Checked<Command> {
        let to = match argv {
            [_, to] if !to.starts_with('-') => to,
            [_, dashes, to] if dashes == "--" => to,
            _ => return refuse("`cd` takes one folder and no options"),
        };
        if !alone {
            return refuse("`cd` in a pipe changes nothing");
        }
        if to.is_empty() || to == "-" {
            return refuse("`cd` needs a folder");
        }
        let path = self.cwd.join(to);
        let fence = view.fence();
        if !view.contains(&fence.project, &path) && !view.contains(&fence.memory, &path) {
            return refuse(format!("`cd {to}` leaves the project"));
        }
        let to = paths::readable(&path, view)?;
        let is_there = view.kind(&to) == Some(FileKind::Folder);
        if !is_there || self.connector != Connector::Always {
            self.uncertain = true;
        }
        let command = Command {
            program: Program::Builtin(Builtin::ChangeFolder { to: to.clone() }),
            argv: Vec::new(),
            run_argv: vec!["cd".to_owned(), to.to_string_lossy().into_owned()],
            cwd: std::mem::replace(&mut self.cwd, to),
            redirections: Vec::new(),
            environment: Vec::new(),
            git: GitAccess::None,
        };
        Ok(command)
    }
}
