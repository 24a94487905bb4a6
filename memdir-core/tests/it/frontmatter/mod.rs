#![expect(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

mod editing;
mod properties;
mod reading;
mod samples;
mod writing;
