//! Team memory: the part of a memory directory that several people share.
//!
//! The crate holds the rule for a *set* of keys: which names can't live side by side on every machine of a
//! team. The grammar of a single key is [`memdir_core::key::TeamKey`].
//!
//! ```
//! use memdir_core::key::TeamKey;
//! use memdir_team::keys::{Clash, check_set};
//!
//! let keys: Vec<_> = ["deploy.md", "Deploy.md", "db/backups.md"]
//!     .into_iter()
//!     .map(TeamKey::parse)
//!     .collect::<Result<_, _>>()?;
//! let collisions = check_set(&keys);
//! assert_eq!(collisions.len(), 1);
//! assert_eq!(collisions[0].clash, Clash::SameName);
//! # Ok::<(), memdir_core::key::KeyError>(())
//! ```
//!
//! # Limitations
//!
//! Secret scanning, sync and the server are not part of this version.

pub mod keys;
