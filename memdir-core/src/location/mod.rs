//! Where the memory directory is.
//!
//! [`Project::open`] is the one call for programs; [`resolve`] and [`resolve_in`] are the rule by itself, with
//! everything it depends on as arguments. The first source that names a fit directory wins; a value that is not
//! fit is passed over and reported, except for an explicit argument, which is then wrong use.
//!
//! Never derive the memory directory from a transcript's path, nor the other way round: transcripts lie under the
//! slug of the folder a session was started in.

mod base;
mod contain;
pub mod identity;
mod lexical;
mod project;
mod real;
mod resolve;
mod slug;
mod validate;

pub use base::{BaseDir, RefusedVariable, client_dir};
pub use contain::{contains, contains_text};
pub use identity::{Identity, Standing};
pub use project::Project;
pub use real::real_path;
pub use resolve::{
    Ignored, LocationError, MemoryLocation, ResolveRequest, Roots, Source, resolve, resolve_in,
};
pub use slug::{SLUG_MAX, Slug};
pub use validate::{PathRules, Refusal, validate};
