//! Everything that must hold before a change lands.

use std::time::Instant;

use anyhow::Context;

type Step = (&'static str, fn(&[String]) -> anyhow::Result<()>);

/// Fastest first, so that a slip is found before the long steps start. All share one target directory and one
/// set of features.
const STEPS: &[Step] = &[
    ("fmt", crate::fmt::run),
    ("tidy", crate::tidy::run),
    ("layering", crate::layering::run),
    ("licences", crate::licences::run),
    ("lint", crate::lint::run),
    ("doc", crate::doc::run),
    ("test", crate::test::run),
    ("fuzz", crate::fuzz::run),
    ("package", crate::package::run),
    ("smoke", crate::smoke::run),
];

pub(crate) fn run(_args: &[String]) -> anyhow::Result<()> {
    let start = Instant::now();
    for (name, step) in STEPS {
        println!("== {name}");
        let step_start = Instant::now();
        step(&[]).with_context(|| format!("step `{name}`"))?;
        println!("== {name}: ok, {:.1} s", step_start.elapsed().as_secs_f64());
    }
    println!("== all {} steps passed, {:.1} s", STEPS.len(), start.elapsed().as_secs_f64());
    Ok(())
}
