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
    /// A `cd` to a folder that is not there: it fails, so that what hangs on it by `&&` does not run, and what comes
    /// after that runs here.
    back: Option<PathBuf>,
}

impl Place {
    pub(super) fn new(cwd: PathBuf) -> Self {
        Self { cwd, connector: Connector::Always, uncertain: false, back: None }
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
        if connector != Connector::IfSucceeded
            && let Some(back) = self.back.take()
        {
            self.cwd = back;
        }
        Ok(())
    }

    /// `cd DIR`. The outcome is certain where it runs in any case; otherwise the rest of the line must hang on it by
    /// `&&`, so that it runs in the new folder or not at all.
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
        let cwd = std::mem::replace(&mut self.cwd, to.clone());
        if self.back.is_some() {
            // Never runs.
        } else if self.connector != Connector::Always {
            self.uncertain = true;
        } else if !is_there {
            self.back = Some(cwd.clone());
        }
        let command = Command {
            program: Program::Builtin(Builtin::ChangeFolder { to: to.clone() }),
            argv: Vec::new(),
            run_argv: vec!["cd".to_owned(), to.to_string_lossy().into_owned()],
            cwd,
            redirections: Vec::new(),
            environment: Vec::new(),
            git: GitAccess::None,
        };
        Ok(command)
    }
}
