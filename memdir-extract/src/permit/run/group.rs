//! The process group of the pipeline that runs now, and who may end it.
//!
//! No clock is read and nothing is polled: the watch waits on a channel for as long as the run may last, and the
//! run closes the channel. Only where the caller passes a [`Cancel`], which is a bare flag, the watch wakes
//! between to look at it.
//!
//! A process id is free for somebody else once its process was reaped. So the group is killed and forgotten while
//! its leader is still a zombie, under the same lock that a late kill takes.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use memdir_core::Cancel;
use rustix::process::{Pid, Signal, kill_process_group};

use super::Ended;

/// How often the flag of a caller is looked at.
const CANCEL_TICK: Duration = Duration::from_millis(25);

/// Shared by the run, the watch and the readers of output.
#[derive(Debug, Clone, Default)]
pub(super) struct Group(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    leader: Option<Pid>,
    stopped: Option<Ended>,
}

impl Group {
    /// Ends the run: kills what runs and lets nothing start any more. The first reason stays.
    pub(super) fn stop(&self, why: Ended) {
        let mut state = self.lock();
        state.stopped.get_or_insert(why);
        kill(&state);
    }

    /// Why the run was ended from outside, if it was.
    pub(super) fn stopped(&self) -> Option<Ended> {
        self.lock().stopped
    }

    /// Notes that a process has joined the group of this leader. Where the run was ended meanwhile, the group is
    /// killed again: the first kill came too early for the new process.
    pub(super) fn joined(&self, leader: Pid) {
        let mut state = self.lock();
        state.leader = Some(leader);
        if state.stopped.is_some() {
            kill(&state);
        }
    }

    /// Kills what is left of the group and forgets it. To be called before its leader is reaped.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        kill(&state);
        state.leader = None;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn kill(state: &State) {
    if let Some(leader) = state.leader {
        // A group that is gone already is what we want.
        let _ = kill_process_group(leader, Signal::KILL);
    }
}

/// Stops the group when the time is over or the caller cancels; returns when the other end of `done` is dropped.
pub(super) fn watch(group: &Group, limit: Duration, cancel: Option<&Cancel>, done: &Receiver<()>) {
    let mut left = limit;
    loop {
        let slice = cancel.map_or(left, |_| left.min(CANCEL_TICK));
        match done.recv_timeout(slice) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if cancel.is_some_and(Cancel::is_cancelled) {
            return group.stop(Ended::Cancelled);
        }
        left = left.saturating_sub(slice);
        if left.is_zero() {
            return group.stop(Ended::TimedOut);
        }
    }
}
