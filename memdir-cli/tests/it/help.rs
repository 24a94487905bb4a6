use crate::harness::Cli;

#[test]
fn help_names_every_command() {
    insta::assert_snapshot!(Cli::new().run("--help").out);
}

#[test]
fn each_command_explains_itself() {
    let cli = Cli::new();
    let all = cli.run("--help").out;
    let names = all
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help");
    let pages: String =
        names.map(|name| format!("# {name}\n\n{}\n", cli.args(&[name, "--help"]).out)).collect();
    insta::assert_snapshot!(pages);
}

#[test]
fn wrong_use_is_exit_code_2_and_json_stays_json() {
    let cli = Cli::new();
    let human = cli.run("list --limitt 3");
    assert_eq!((human.code, human.out.as_str()), (2, ""));
    assert!(human.err.contains("--limit"), "{}", human.err);
    let json = cli.run("list --limitt 3 --json");
    assert_eq!((json.code, json.out.as_str()), (2, ""));
    let error: serde_json::Value = serde_json::from_str(&json.err).unwrap();
    assert_eq!(error["code"], "usage");
}

#[test]
fn completions_and_manual_are_there() {
    let cli = Cli::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(cli.args(&["completions", shell]).out.contains("memdir"), "{shell}");
    }
    assert!(cli.run("man").out.starts_with(".ie") || cli.run("man").out.contains(".TH memdir"));
}
