//! The second wall: programs that the first one would never let through, planned all the same.

use std::net::TcpListener;

use memdir_core::testkit::{Need, World, require};
use memdir_extract::permit::Walls;
use memdir_extract::permit::run::Outcome;
use memdir_extract::permit::sandbox::{Landlock, probe};

use super::line::plan;
use super::{run_line, run_plan};

fn wall_stands() -> bool {
    require(Need::Landlock, probe() == Landlock::Full)
}

/// Runs a script in a shell that is planned itself, with the programs it may use.
fn script(world: &World, script: &str, programs: &[&str]) -> Outcome {
    let mut line = plan("bash -c x", &world.project());
    line.steps[0].pipeline[0].run_argv[2] = script.to_owned();
    let status_first = line.steps[0].clone();
    line.steps.clear();
    for program in programs {
        // Planned, never run: after `false`, behind `&&`.
        line.steps.extend(plan(&format!("false && {program}"), &world.project()).steps);
    }
    line.steps.push(status_first);
    run_plan(world, &line)
}

#[test]
fn nothing_can_be_written() {
    if !wall_stands() {
        return;
    }
    let world = World::new();
    let old = world.write("project/old.txt", "old\n");
    for command in [
        "touch new.txt",
        "cp old.txt new.txt",
        "mv old.txt new.txt",
        "ln -s old.txt new.txt",
        "ln old.txt new.txt",
        "mkdir new.txt",
        "mkfifo new.txt",
        "rm -f old.txt",
        "truncate -s 0 old.txt",
        "dd if=/dev/null of=old.txt",
        "sort -o old.txt /dev/null",
        "tee old.txt",
        "sed -i s/o/x/ old.txt",
        "tee /tmp/memdir-escape.txt",
    ] {
        let outcome = run_line(&world, command);
        assert_ne!(outcome.status, 0, "{command}: {outcome:?}");
        assert_eq!(outcome.landlock, Landlock::Full);
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "old\n", "{command}");
        assert!(!world.project().join("new.txt").exists(), "{command}");
    }
    assert_eq!(run_line(&world, "tee /dev/null").status, 0);
}

#[test]
fn no_program_starts_that_is_not_planned() {
    if !wall_stands() {
        return;
    }
    let world = World::new();
    let refused = script(&world, "cat /dev/null", &[]);
    assert_eq!(refused.status, 126, "{refused:?}");
    let planned = script(&world, "cat /dev/null", &["cat"]);
    assert_eq!(planned.status, 0, "{planned:?}");
    for line in ["find . -maxdepth 0 -exec id {} '+'", "env id", "xargs -r id", "timeout 5 id", "nice id"] {
        let outcome = run_line(&world, line);
        assert!(!outcome.output.text().contains("uid="), "{line}: {outcome:?}");
    }
    // Not even one of its own making: nothing of the project may run.
    let own = world.write("project/own.sh", "#!/bin/sh\necho hijacked\n");
    std::fs::set_permissions(&own, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let outcome = script(&world, "./own.sh", &["sh"]);
    assert!(outcome.output.bytes.is_empty(), "{outcome:?}");
}

#[test]
fn tcp_is_shut() {
    if !wall_stands() {
        return;
    }
    let world = World::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let connect = format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected");
    let control = std::process::Command::new("bash").args(["-c", &connect]).output().unwrap();
    assert_eq!(control.stdout, b"connected\n", "without the wall it connects");
    assert!(listener.accept().is_ok());

    let outcome = script(&world, &connect, &[]);
    assert_ne!(outcome.status, 0);
    assert!(outcome.output.bytes.is_empty());
    assert!(listener.accept().is_err(), "nobody came");
}

#[test]
fn files_outside_of_the_fence_are_unreadable() {
    if !wall_stands() {
        return;
    }
    let world = World::new();
    let secret = world.write("home/.ssh/key", "private\n");
    std::os::unix::fs::symlink(&secret, world.project().join("link")).unwrap();
    world.memo("note.md", "note\n");
    for line in [format!("cat {}", secret.display()), "cat link".to_owned(), "cat /etc/shadow".to_owned()] {
        let outcome = run_line(&world, &line);
        assert_eq!((outcome.status, outcome.output.text().as_str()), (1, ""), "{line}");
    }
    let outcome = run_line(&world, &format!("ls {}", world.home().display()));
    assert_ne!(outcome.status, 0);
    let note = world.memory().join("note.md");
    assert_eq!(run_line(&world, &format!("cat {}", note.display())).output.text(), "note\n");
}

#[test]
fn the_verdict_is_told_what_stands() {
    assert_eq!(Landlock::Full.walls(), Walls::Standing);
    assert_eq!(Landlock::Partial("TCP is open".to_owned()).walls(), Walls::Standing);
    assert_eq!(Landlock::Missing("the kernel has none".to_owned()).walls(), Walls::Missing);
}
