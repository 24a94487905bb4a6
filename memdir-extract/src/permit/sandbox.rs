//! The second wall: the kernel's own fence around a command, for the day the first one (the closed language) has
//! a hole.
//!
//! On Linux this is Landlock. A throwaway thread is restricted and the commands are started from it: a child
//! inherits the fence of the thread that started it, and nothing of the calling program is restricted for good.
//! Inside the fence the file system is read-only, only the planned binaries and their loader can be executed,
//! files are readable below the named places only, and TCP is shut.
//!
//! # Limitations
//!
//! - Looking at metadata (`stat`) and walking through folders by name is not fenced: Landlock has no right for it.
//! - The loader has to be executable, and a loader can be asked to run any readable ELF file. Only a program that
//!   passes arguments of its own choice can do that, and the language has none.
//! - UDP and sockets in the file system are fenced from Landlock ABI 9 and 10 on only.

use std::io;
use std::path::PathBuf;

use super::view::Walls;

/// The state of the kernel's fence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Landlock {
    /// It holds everything that we ask of it: no writes, no foreign programs, no TCP.
    Full,
    /// It holds writes and foreign programs off, but not everything; the text says what is open.
    Partial(String),
    /// It isn't there; the text says why.
    Missing(String),
}

impl Landlock {
    /// What the verdict needs to know: whether, whatever runs, a program that is not planned can't start and a
    /// file can't be written.
    pub fn walls(&self) -> Walls {
        match self {
            Self::Full | Self::Partial(_) => Walls::Standing,
            Self::Missing(_) => Walls::Missing,
        }
    }
}

impl std::fmt::Display for Landlock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Full => {
                f.write_str("Landlock stands: commands can't write, start other programs or connect by TCP")
            }
            Self::Partial(open) => write!(f, "Landlock stands in part: {open}"),
            Self::Missing(reason) => {
                write!(f, "Landlock is missing ({reason}): git commands that read the work tree are denied")
            }
        }
    }
}

/// What a fenced thread and its children may still do.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    /// Files and folders that may be read, with all below. The system's own files that programs need to start
    /// are added ([`SYSTEM_READABLE`]).
    pub readable: Vec<PathBuf>,
    /// Binaries and loaders that may be executed.
    pub executable: Vec<PathBuf>,
}

/// Places that programs read to start and to name users, zones, mounts and processes. No configuration that could
/// hold a secret: of `/etc` only single files.
pub const SYSTEM_READABLE: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/magic",
    "/etc/mtab",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/timezone",
    "/proc",
    "/sys/devices/system/cpu",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
];

/// Looks which walls stand here, by restricting a thread that ends at once.
pub fn probe() -> Landlock {
    inside(&Reach::default(), Clone::clone).unwrap_or_else(|error| Landlock::Missing(error.to_string()))
}

/// Runs `work` on a throwaway thread inside the fence; it is told which walls really stand around it. What it
/// starts is fenced too.
///
/// A wall that can't be raised is reported, not an error: the caller knows what it needs it for.
///
/// # Errors
///
/// Where no thread can be started, or `work` panicked.
pub(crate) fn inside<T: Send>(reach: &Reach, work: impl FnOnce(&Landlock) -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("memdir-fence".to_owned())
            .spawn_scoped(scope, || work(&raise(reach)))?
            .join()
            .map_err(|_| io::Error::other("the fenced thread panicked"))
    })
}

#[cfg(not(target_os = "linux"))]
fn raise(_reach: &Reach) -> Landlock {
    Landlock::Missing("only Linux has it".to_owned())
}

#[cfg(target_os = "linux")]
fn raise(reach: &Reach) -> Landlock {
    linux::raise(reach).unwrap_or_else(|error| Landlock::Missing(error.to_string()))
}

#[cfg(target_os = "linux")]
mod linux {
    use std::path::Path;

    use landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, Ruleset, RulesetAttr, RulesetCreated,
        RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
    };

    use super::{Landlock, Reach, SYSTEM_READABLE};

    /// The newest rights that this code knows; the kernel gets those of them that it knows too.
    const NEWEST: ABI = ABI::V10;

    /// From this version on (Linux 6.7) all that the product promises is held: writes since 1, truncation since
    /// 3, TCP since 4.
    const COMPLETE: ABI = ABI::V4;

    pub(super) fn raise(reach: &Reach) -> Result<Landlock, RulesetError> {
        let read = AccessFs::ReadFile | AccessFs::ReadDir;
        let rules = Ruleset::default()
            .handle_access(AccessFs::from_all(NEWEST))?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            .create()?;
        let rules = allow(rules, SYSTEM_READABLE, read)?;
        let rules = allow(rules, &reach.readable, read)?;
        let rules = allow(rules, &reach.executable, AccessFs::ReadFile | AccessFs::Execute)?;
        let rules = allow(rules, &["/dev/null"], AccessFs::ReadFile | AccessFs::WriteFile)?;
        let status = rules.restrict_self()?;
        Ok(state(&status.ruleset, status.landlock))
    }

    /// Places that are not there are passed over: they need no right.
    fn allow<P: AsRef<Path>>(
        rules: RulesetCreated,
        places: &[P],
        access: BitFlags<AccessFs>,
    ) -> Result<RulesetCreated, RulesetError> {
        rules.add_rules(path_beneath_rules(places, access))
    }

    fn state(ruleset: &RulesetStatus, kernel: LandlockStatus) -> Landlock {
        match kernel {
            _ if *ruleset == RulesetStatus::NotEnforced
                && matches!(kernel, LandlockStatus::Available { .. }) =>
            {
                Landlock::Missing("the kernel knows it but did not enforce it".to_owned())
            }
            LandlockStatus::NotEnabled => Landlock::Missing("the kernel has it switched off".to_owned()),
            LandlockStatus::NotImplemented => Landlock::Missing("the kernel has none".to_owned()),
            LandlockStatus::Available { effective_abi, .. } if effective_abi >= COMPLETE => Landlock::Full,
            LandlockStatus::Available { effective_abi, .. } => {
                let open =
                    if effective_abi >= ABI::V3 { "TCP is open" } else { "TCP and truncation are open" };
                Landlock::Partial(format!("{open}, the kernel's ABI is {effective_abi}"))
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn available(effective_abi: ABI) -> LandlockStatus {
            LandlockStatus::Available { effective_abi, kernel_abi: None }
        }

        #[test]
        fn the_wall_is_named_by_what_the_kernel_enforces() {
            use RulesetStatus::{FullyEnforced, NotEnforced, PartiallyEnforced};
            assert_eq!(state(&FullyEnforced, available(ABI::V10)), Landlock::Full);
            assert_eq!(state(&PartiallyEnforced, available(ABI::V4)), Landlock::Full);
            assert!(
                matches!(state(&PartiallyEnforced, available(ABI::V3)), Landlock::Partial(open) if open.contains("TCP is"))
            );
            assert!(
                matches!(state(&PartiallyEnforced, available(ABI::V1)), Landlock::Partial(open) if open.contains("trunc"))
            );
            assert!(matches!(state(&NotEnforced, available(ABI::V4)), Landlock::Missing(_)));
            assert!(matches!(state(&NotEnforced, LandlockStatus::NotEnabled), Landlock::Missing(_)));
            assert!(matches!(state(&NotEnforced, LandlockStatus::NotImplemented), Landlock::Missing(_)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fence_ends_with_its_thread() {
        let world = memdir_core::testkit::World::new();
        let before = probe();
        // Outside of the fence we can still write.
        world.write("project/after.txt", "x");
        assert_eq!(before, probe());
    }

    #[test]
    fn a_panic_inside_is_an_error_outside() {
        let result = inside(&Reach::default(), |_| panic!("on purpose"));
        assert!(result.is_err());
    }
}
