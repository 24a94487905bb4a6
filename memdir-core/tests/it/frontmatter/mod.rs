mod editing;
mod properties;
mod reading;
mod samples;
mod writing;
