//! memdir's own configuration: file, variables, problems, changes.

use memdir_core::config::{self, Config, IndexInsert, KEYS, Origin, SelectorChoice, Value, WorktreePolicy};
use memdir_core::testkit::World;

const FILE: &str = "home/.config/memdir/config.toml";

fn load(text: &str, vars: &[(&str, &str)]) -> (Config, String) {
    let world = World::new();
    world.write(FILE, text);
    let config = Config::load(&world.env().with_vars(vars.iter().copied()));
    let root = world.root().display().to_string();
    let lines: Vec<_> = config.problems.iter().map(|it| it.to_string().replace(&root, "")).collect();
    (config, lines.join("\n"))
}

#[test]
fn without_a_file_every_key_has_its_default() {
    let world = World::new();
    let config = Config::load(&world.env());
    assert_eq!(config.problems, []);
    let shown: Vec<_> =
        config.list().filter_map(|it| Some(format!("{} = {}", it.key.path, it.value.as_ref()?))).collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    memory.worktrees = "shared"
    memory.index_insert = "top"
    memory.ask_before_write = false
    model.provider = "none"
    model.timeout_s = 60
    recall.enabled = true
    recall.selector = "auto"
    recall.fallback = "local"
    recall.max_files = 5
    recall.max_file_bytes = 4096
    recall.max_file_lines = 200
    recall.max_session_bytes = 61440
    recall.hook_chars = 9500
    extract.enabled = true
    extract.extractor = "auto"
    extract.every_turns = 1
    extract.max_turns = 5
    extract.on_main_write = "skip"
    extract.timeout_s = 120
    daily_log.enabled = false
    dream.apply = "ask"
    dream.min_hours = 24
    dream.min_sessions = 5
    dream.loss_cap = 25
    team.pull = "keep-local"
    team.merge = true
    team.transport = "server"
    "#);
    assert!(!config.team_enabled());
}

#[test]
fn a_variable_wins_over_the_file_and_the_file_over_the_default() {
    let text = "[recall]\nmax_files = 3\nselector = \"local\"\n[memory]\nworktrees = \"isolated\"\n";
    let vars = [("MEMDIR_RECALL_MAX_FILES", "2"), ("MEMDIR_MEMORY_INDEX_INSERT", "bottom")];
    let (config, problems) = load(text, &vars);
    assert_eq!(problems, "");
    assert_eq!((config.recall.max_files, config.recall.selector), (2, SelectorChoice::Local));
    assert_eq!(config.memory.worktrees, WorktreePolicy::Isolated);
    assert_eq!(config.memory.index_insert, IndexInsert::Bottom);
    assert_eq!(config.get("recall.max_files").unwrap().origin, Origin::Variable);
    assert_eq!(config.get("recall.selector").unwrap().origin, Origin::File);
    assert_eq!(config.get("recall.enabled").unwrap().origin, Origin::Default);
    assert!(config.get("max_files").unwrap_err().to_string().ends_with("but `recall.max_files`"));
    assert_eq!(
        config.get("recal.enabled").unwrap_err().to_string(),
        "there is no key `recal.enabled`, but `recall.enabled`"
    );
}

#[test]
fn every_kind_of_value_is_read_from_file_and_variable() {
    let text = "[model]\ncommand = [\"claude\", \"-p\"]\ndaily_tokens = { recall = 1_000 }\n\
                [team]\nurl = \"https://x.invalid\"\nallow = [\"a\"]\n";
    let (config, problems) = load(text, &[("MEMDIR_TEAM_RULES", "[\"a,b\"]"), ("MEMDIR_TEAM_ALLOW", "x, y")]);
    assert_eq!(problems, "");
    assert_eq!(config.texts("model.command"), ["claude", "-p"]);
    assert_eq!(config.count("model.daily_tokens.recall"), Some(1_000));
    assert_eq!(config.texts("team.allow"), ["x", "y"]);
    assert_eq!(config.texts("team.rules"), ["a,b"]);
    assert_eq!(config.text("team.url"), Some("https://x.invalid"));
    assert!(config.team_enabled());
}

#[test]
fn unknown_keys_and_unfit_values_are_named_with_their_lines() {
    let text = "top = 1\n[recall]\nmax_file = 3\nmax_files = 0\nenabled = \"yes\"\n\n[modle]\nprovider = \"x\"\n\
                [model]\nprovider = \"gpt\"\ndaily_tokens = 7\n";
    let vars =
        [("MEMDIR_RECALL_MAXFILES", "2"), ("MEMDIR_TEAM_TOKEN", "x"), ("MEMDIR_EXTRACT_ENABLED", "maybe")];
    let (config, problems) = load(text, &vars);
    insta::assert_snapshot!(problems, @r#"
    `/home/.config/memdir/config.toml` has the unknown key `top` (line 1); remove it
    `/home/.config/memdir/config.toml` has the unknown key `recall.max_file` (line 3); write `recall.max_files` if that is meant, or remove it
    `/home/.config/memdir/config.toml` has an unfit value for `recall.max_files` (line 4), which was ignored; write a whole number from 1 to 200
    `/home/.config/memdir/config.toml` has an unfit value for `recall.enabled` (line 5), which was ignored; write `true` or `false`
    `/home/.config/memdir/config.toml` has the unknown key `modle` (line 7); write `model` if that is meant, or remove it
    `/home/.config/memdir/config.toml` has an unfit value for `model.provider` (line 10), which was ignored; write one of `none`, `anthropic`, `openai`, `command`
    `/home/.config/memdir/config.toml` has a value for `model.daily_tokens`, which is a section (line 11); write `[model.daily_tokens]` and its keys below
    `MEMDIR_EXTRACT_ENABLED` has an unfit value for `extract.enabled`, which was ignored; set it to `true` or `false`
    `MEMDIR_RECALL_MAXFILES` is no variable of memdir's; unset it
    "#);
    assert_eq!(config.recall.max_files, 5);
    assert_eq!(config.text("model.provider"), Some("none"));
    assert_eq!((config.recall.enabled, config.extract.enabled), (false, false));
}

#[test]
fn a_file_that_can_not_be_parsed_leaves_off_what_it_may_have_switched_off() {
    let (config, problems) = load("[recall]\nenabled = false\nmax_files = = 3\n", &[]);
    insta::assert_snapshot!(problems, @"`/home/.config/memdir/config.toml` is not valid TOML (line 3: extra `=`, expected nothing); defaults hold, and recall and extraction are off; mend line 3");
    assert_eq!((config.recall.enabled, config.extract.enabled), (false, false));
    assert!(config.memory.ask_before_write);
    assert_eq!(config.recall.max_files, 5);
    let (config, _) = load("[", &[("MEMDIR_RECALL_ENABLED", "on")]);
    assert!(config.recall.enabled);
}

#[test]
fn setting_a_key_changes_that_key_and_nothing_else() {
    let world = World::new();
    let file = world.write(FILE, "# mine\n[recall]\nmax_files = 5 # few\nenabled = true\n");
    assert_eq!(config::set(&file, "recall.max_files", "3").unwrap(), Value::Count(3));
    config::set(&file, "team.url", "https://x.invalid").unwrap();
    insta::assert_snapshot!(world.read(FILE), @r#"
    # mine
    [recall]
    max_files = 3 # few
    enabled = true

    [team]
    url = "https://x.invalid"
    "#);
    assert!(config::unset(&file, "recall.enabled").unwrap());
    assert!(!config::unset(&file, "recall.enabled").unwrap());
    assert_eq!(Config::load(&world.env()).recall.max_files, 3);
}

#[test]
fn a_file_that_can_not_be_edited_stays_as_it_is() {
    let world = World::new();
    for text in ["[recall\n", "recall = 7\n"] {
        let file = world.write(FILE, text);
        let error = config::set(&file, "recall.max_files", "3").unwrap_err();
        assert!(matches!(error, config::ConfigError::Broken { .. }), "{error}");
        assert_eq!(world.read(FILE), text);
    }
    let error = |key, words| config::set(&world.root().join(FILE), key, words).unwrap_err().to_string();
    assert_eq!(error("recall.max_file", "3"), "there is no key `recall.max_file`, but `recall.max_files`");
    assert_eq!(error("recall.max_files", "many"), "`recall.max_files` takes a whole number from 1 to 200");
    assert_eq!(error("recall.selector", "x"), "`recall.selector` takes one of `auto`, `local`, `model`");
}

#[test]
fn every_default_is_a_value_that_its_key_accepts() {
    let world = World::new();
    let file = world.root().join(FILE);
    let defaults = Config::default();
    for key in KEYS {
        let Some(value) = &defaults.get(key.path).unwrap().value else { continue };
        let words = match value {
            Value::Text(word) => word.clone(),
            other => other.to_string(),
        };
        assert_eq!(&config::set(&file, key.path, &words).unwrap(), value, "{}", key.path);
    }
    assert_eq!(Config::load(&world.env()).problems, []);
}
