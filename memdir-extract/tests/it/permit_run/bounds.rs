//! Bounds: environment, time, output, what may be opened.

use std::time::Duration;

use memdir_core::Cancel;
use memdir_core::testkit::World;
use memdir_extract::permit::run::{Ended, Limits, run};
use memdir_extract::permit::{BASE_ENVIRONMENT, GIT_ENVIRONMENT};

use super::line::plan;
use super::{fence, run_line};

#[test]
fn the_environment_is_ours_alone() {
    let world = World::new();
    let env = run_line(&world, "env");
    let mut seen: Vec<&str> = std::str::from_utf8(&env.output.bytes).unwrap().lines().collect();
    let mut expected: Vec<String> =
        BASE_ENVIRONMENT.iter().map(|(key, value)| format!("{key}={value}")).collect();
    seen.sort_unstable();
    expected.sort_unstable();
    assert_eq!(seen, expected);
    assert!(GIT_ENVIRONMENT.iter().any(|(key, _)| *key == "GIT_CONFIG_NOSYSTEM"));
}

#[test]
fn programs_of_the_folder_and_of_relative_names_are_never_started() {
    let world = World::new();
    let script = world.write("project/memdir-own-program", "#!/bin/sh\necho hijacked\n");
    executable(&script);
    for name in ["memdir-own-program", "./memdir-own-program"] {
        let outcome = run_line(&world, name);
        assert_eq!((outcome.status, outcome.output.text().as_str()), (127, ""));
    }
    let outcome = run_line(&world, script.to_str().unwrap());
    assert_eq!((outcome.status, outcome.output.text().as_str()), (127, ""));
}

fn executable(path: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
}

fn limits(millis: u64) -> Limits {
    Limits { time: Duration::from_millis(millis), ..Limits::default() }
}

/// Whether a process has this word, which no other process has, among its arguments.
fn runs_somewhere(word: &str) -> bool {
    let pgrep = std::process::Command::new("ps").args(["-eo", "args"]).output().unwrap();
    String::from_utf8_lossy(&pgrep.stdout).lines().any(|line| line.contains(word))
}

#[test]
fn the_time_limit_kills_grandchildren_too() {
    let world = World::new();
    // A shell that starts a shell that sleeps, in the background and in the foreground.
    let seconds = format!("{}.25", 1_000_000 + std::process::id());
    let script = format!("sh -c 'sleep {seconds} & sleep {seconds}' & wait");
    let mut line = plan("sh -c x ; echo after", &world.project());
    line.steps[0].pipeline[0].run_argv[2] = script;
    // The inner programs need to be planned, else the second wall keeps them from starting.
    line.steps.extend(plan("sleep 0", &world.project()).steps);
    let outcome = run(&line, &fence(&world), &limits(300), None).unwrap();
    assert_eq!(outcome.ended, Ended::TimedOut);
    assert_eq!(outcome.output.text(), "", "nothing starts after the limit");
    assert_eq!(outcome.status, 137);
    assert!(!runs_somewhere(&seconds));
}

#[test]
fn what_is_left_in_the_group_is_killed_at_the_end() {
    let world = World::new();
    let seconds = format!("{}.75", 1_000_000 + std::process::id());
    let mut line = plan("sh -c x", &world.project());
    // It would keep the output open for ever.
    line.steps[0].pipeline[0].run_argv[2] = format!("sleep {seconds} & echo started");
    line.steps.extend(plan("sleep 0", &world.project()).steps);
    let outcome = run(&line, &fence(&world), &limits(20_000), None).unwrap();
    assert_eq!((outcome.ended, outcome.output.text().as_str()), (Ended::ByItself, "started\n"));
    assert!(!runs_somewhere(&seconds));
}

#[test]
fn a_cancelled_run_ends_at_once() {
    let world = World::new();
    let cancel = Cancel::new();
    cancel.cancel();
    let outcome =
        run(&plan("sleep 60", &world.project()), &fence(&world), &limits(50_000), Some(&cancel)).unwrap();
    assert_eq!(outcome.ended, Ended::Cancelled);
}

#[test]
fn a_run_that_is_over_before_it_starts_leaves_nothing_running() {
    let world = World::new();
    let line = plan("cat | sleep 60 | sleep 60 | sleep 60 ; echo after", &world.project());
    let outcome = run(&line, &fence(&world), &limits(0), None).unwrap();
    assert_eq!((outcome.ended, outcome.output.text().as_str()), (Ended::TimedOut, ""));
    // And at any moment of its start.
    for micros in (0..4000).step_by(200) {
        let limits = Limits { time: Duration::from_micros(micros), ..Limits::default() };
        assert_eq!(run(&line, &fence(&world), &limits, None).unwrap().ended, Ended::TimedOut);
    }
}

#[test]
fn output_is_cut_and_the_status_is_still_the_commands_own() {
    let world = World::new();
    let limits = Limits { kept: 10, ..Limits::default() };
    let outcome =
        run(&plan("seq 1 1000 || echo no", &world.project()), &fence(&world), &limits, None).unwrap();
    assert_eq!((outcome.status, outcome.ended), (0, Ended::ByItself));
    assert_eq!(outcome.output.text(), "1\n2\n3\n4\n5\n[output cut here: 3883 more bytes]\n");
}

#[test]
fn a_flood_ends_the_run() {
    let world = World::new();
    let limits = Limits { kept: 10, flood: 1_000_000, ..Limits::default() };
    let outcome = run(&plan("yes ; echo after", &world.project()), &fence(&world), &limits, None).unwrap();
    assert_eq!(outcome.ended, Ended::Flooded);
    assert_eq!(outcome.output.bytes.len(), 10);
}

#[test]
fn only_a_regular_file_becomes_input() {
    let world = World::new();
    world.write("project/real.txt", "x\n");
    std::os::unix::fs::symlink("real.txt", world.project().join("link.txt")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(world.project().join("fifo")).status().unwrap();
    assert!(made.success());
    for name in ["fifo", "link.txt", ".", "/dev/zero"] {
        let outcome = run_line(&world, &format!("cat < {name}"));
        assert_eq!((outcome.status, outcome.output.text().as_str()), (1, ""), "{name}");
        assert!(!outcome.errors.bytes.is_empty(), "{name}");
    }
    assert_eq!(run_line(&world, "cat < real.txt").output.text(), "x\n");
    assert_eq!(run_line(&world, "cat < /dev/null").status, 0);
}
