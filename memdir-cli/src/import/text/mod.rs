//! Readers that several formats share: Markdown sections and bullets, lists of dated lines, headers of other
//! products, dates, JSON as a stream. Each is a pure function over text.

pub(crate) mod bullets;
pub(crate) mod dated;
pub(crate) mod dates;
pub(crate) mod glob;
pub(crate) mod header;
pub(crate) mod json;
pub(crate) mod label;
pub(crate) mod markup;
pub(crate) mod sections;
