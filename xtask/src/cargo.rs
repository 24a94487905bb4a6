//! Running cargo, and what its metadata says of the workspace.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use serde_json::Value;

/// The workspace's folder.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// A folder for files that one verb leaves for itself or for its tests.
pub(crate) fn scratch() -> anyhow::Result<PathBuf> {
    let dir = root().join("target").join("xtask");
    std::fs::create_dir_all(&dir).with_context(|| format!("can't make `{}`", dir.display()))?;
    Ok(dir)
}

/// A cargo command in the workspace's folder. Not yet run.
pub(crate) fn cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    // The cargo that runs us, so that `cargo +version xtask` stays with its version.
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command
}

/// Whether cargo has a subcommand that isn't part of it.
pub(crate) fn has_subcommand(name: &str) -> bool {
    cargo([name, "--version"]).stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
}

/// Runs a command with its output on the terminal.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let shown = shown(command);
    eprintln!("$ {shown}");
    let status = command.status().with_context(|| format!("can't start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    Ok(())
}

/// Runs a command and gives back what it printed on stdout.
pub(crate) fn read(command: &mut Command) -> anyhow::Result<String> {
    let shown = shown(command);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("can't start `{shown}`"))?;
    if !output.status.success() {
        bail!("`{shown}` failed ({})", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{shown}` printed no UTF-8"))
}

/// Which of a command's two outputs to listen to.
#[derive(Clone, Copy)]
pub(crate) enum Output {
    Stdout,
    Stderr,
}

/// Runs a command, shows its output as it comes and gives each line of one stream to `listen`. Says whether the
/// command succeeded.
pub(crate) fn run_listening(
    command: &mut Command,
    output: Output,
    mut listen: impl FnMut(&str),
) -> anyhow::Result<bool> {
    let shown = shown(command);
    eprintln!("$ {shown}");
    match output {
        Output::Stdout => command.stdout(Stdio::piped()),
        Output::Stderr => command.stderr(Stdio::piped()),
    };
    let mut child = command.spawn().with_context(|| format!("can't start `{shown}`"))?;
    let stream: Box<dyn std::io::Read> = match output {
        Output::Stdout => Box::new(child.stdout.take().context("no stdout")?),
        Output::Stderr => Box::new(child.stderr.take().context("no stderr")?),
    };
    for line in BufReader::new(stream).split(b'\n') {
        let line = line.with_context(|| format!("can't read from `{shown}`"))?;
        let line = String::from_utf8_lossy(&line);
        match output {
            Output::Stdout => println!("{line}"),
            Output::Stderr => eprintln!("{line}"),
        }
        listen(&line);
    }
    Ok(child.wait().with_context(|| format!("can't wait for `{shown}`"))?.success())
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    std::iter::once(program)
        .chain(command.get_args())
        .map(|word| {
            let word = word.to_string_lossy();
            if word.contains(' ') { format!("'{word}'") } else { word.into_owned() }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// A package as metadata describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) licence: Option<String>,
    /// Folder of its manifest.
    pub(crate) dir: PathBuf,
    /// Whether it goes to a registry.
    pub(crate) published: bool,
    /// Direct dependencies: name, and whether for tests only.
    pub(crate) dependencies: Vec<(String, bool)>,
}

/// The workspace's own packages.
pub(crate) fn members() -> anyhow::Result<Vec<Package>> {
    packages(&["metadata", "--format-version=1", "--no-deps"])
}

/// Every package of the lock file, for every platform, ours included.
pub(crate) fn all_packages() -> anyhow::Result<Vec<Package>> {
    packages(&["metadata", "--format-version=1", "--locked"])
}

fn packages(args: &[&str]) -> anyhow::Result<Vec<Package>> {
    let metadata: Value = serde_json::from_str(&read(&mut cargo(args))?).context("metadata is no JSON")?;
    let packages = metadata["packages"].as_array().context("metadata has no packages")?;
    packages.iter().map(package).collect()
}

fn package(value: &Value) -> anyhow::Result<Package> {
    let text = |key: &str| value[key].as_str().map(str::to_owned);
    let manifest = PathBuf::from(text("manifest_path").context("a package without manifest")?);
    let dependencies = value["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(Package {
        name: text("name").context("a package without name")?,
        version: text("version").context("a package without version")?,
        licence: text("license"),
        dir: manifest.parent().context("a manifest without folder")?.to_owned(),
        published: value["publish"].as_array().is_none_or(|registries| !registries.is_empty()),
        dependencies: dependencies
            .iter()
            .filter_map(|dep| Some((dep["name"].as_str()?.to_owned(), dep["kind"] == "dev")))
            .collect(),
    })
}
