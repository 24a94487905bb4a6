use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_core::env::{EnvSnapshot, Platform};

use crate::error::{Failure, Kind};

/// Clock, time zone and environment of one run. Captured once; nothing below asks the system again.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// Environment variables, home and current folder.
    pub env: EnvSnapshot,
    /// The time of the run.
    pub now: Timestamp,
    /// The user's time zone, for civil dates.
    pub time_zone: TimeZone,
}

/// Why the surroundings could not be captured.
#[derive(Debug)]
pub struct CaptureError(std::io::Error);

impl CaptureError {
    /// Says so on standard error, as JSON where the arguments ask for it; there is no run yet that could.
    #[must_use]
    pub fn report_without_io(&self, args: &[OsString]) -> ExitCode {
        use std::io::Write as _;
        let message = format!("can't tell the current folder: {}", self.0);
        let failure = Failure::new(Kind::Unreachable, "no-folder", message)
            .hint("change to a folder that exists, then try again");
        let json = args.iter().any(|arg| arg == "--json");
        let text = if json { failure.to_json() } else { failure.to_human() };
        let _ = writeln!(std::io::stderr(), "{text}");
        ExitCode::from(failure.kind.exit_code())
    }
}

impl Surroundings {
    /// The process's own.
    ///
    /// # Errors
    ///
    /// When the current folder is gone.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the system")]
    pub fn capture() -> Result<Self, CaptureError> {
        let cwd = std::env::current_dir().map_err(CaptureError)?;
        let env = EnvSnapshot::new(std::env::home_dir(), cwd)
            .with_vars(std::env::vars_os())
            .with_managed_settings(managed_settings(Platform::CURRENT));
        Ok(Self { env, now: Timestamp::now(), time_zone: TimeZone::system() })
    }

    /// Surroundings without variables, in UTC, for tests and examples.
    pub fn at(now: Timestamp, home: Option<PathBuf>, cwd: PathBuf) -> Self {
        Self { env: EnvSnapshot::new(home, cwd), now, time_zone: TimeZone::UTC }
    }
}

/// Where an administrator's settings lie on each platform (the real client's places).
fn managed_settings(platform: Platform) -> Option<PathBuf> {
    Some(PathBuf::from(match platform {
        Platform::Linux => "/etc/claude-code/managed-settings.json",
        Platform::MacOs => "/Library/Application Support/ClaudeCode/managed-settings.json",
        Platform::Windows => r"C:\Program Files\ClaudeCode\managed-settings.json",
    }))
}
