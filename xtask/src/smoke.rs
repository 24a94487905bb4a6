//! Runs the first command of README.md, as a newcomer would.

use std::process::Command;

use anyhow::{Context, bail};

use crate::{cargo, tree};

pub(crate) fn run(_args: &[String]) -> anyhow::Result<()> {
    let readme = std::fs::read_to_string(tree::full("README.md")).context("can't read README.md")?;
    let command = first_command(&readme).context("README.md has no code block with a `cargo run` command")?;
    println!("$ {command}");
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(cargo::root())
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("can't start `sh`")?;
    let printed = String::from_utf8_lossy(&output.stdout);
    print!("{printed}");
    if !output.status.success() {
        bail!("the command failed ({})", output.status);
    }
    if printed.trim().is_empty() {
        bail!("the command printed nothing");
    }
    Ok(())
}

/// The first `cargo run` command in a fenced code block, its continuation lines joined.
fn first_command(markdown: &str) -> Option<String> {
    let mut in_block = false;
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if line.starts_with("```") {
            in_block = !in_block;
            continue;
        }
        let line = line.strip_prefix("$ ").unwrap_or(line);
        if !in_block || !line.starts_with("cargo run") {
            continue;
        }
        let mut command = line.to_owned();
        while let Some(open) = command.strip_suffix('\\') {
            command = format!("{} {}", open.trim_end(), lines.next()?.trim());
        }
        return Some(command);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_command_stands_in_a_code_block() {
        let text = "Use `cargo run`.\n\ncargo run prose\n\n```json\n{}\n```\n```sh\ncd x\n$ cargo run --release \\\n    -- extract\ncargo run two\n```\n";
        assert_eq!(first_command(text).as_deref(), Some("cargo run --release -- extract"));
        assert_eq!(first_command("nothing"), None);
    }
}
