//! Where the memory directory is: precedence, trust, validation, containment.

use std::path::{Path, PathBuf};

use memdir_core::config::WorktreePolicy;
use memdir_core::env::EnvSnapshot;
use memdir_core::location::{
    LocationError, Project, ResolveRequest, Roots, Slug, Source, contains, real_path, resolve,
};
use memdir_core::registry::{Registry, RegistryError, registry_file};
use memdir_core::settings;
use memdir_core::testkit::World;

use crate::git::{Git, make};

const OVERRIDE: &str = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE";
const REMOTE: &str = "CLAUDE_CODE_REMOTE_MEMORY_DIR";
const CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
const NAME: &str = "CLAUDE_CODE_PROJECT_DIR_NAME";

#[track_caller]
fn open(world: &World, env: &EnvSnapshot) -> Project {
    Project::open(env, &ResolveRequest { project: &world.project(), memory_dir: None }).unwrap()
}

fn settings_file(world: &World, place: &str, dir: &str) {
    world.write(place, format!("{{\"autoMemoryDirectory\": \"{dir}\"}}"));
}

const LOCAL: &str = "project/.claude/settings.local.json";
const PROJECT: &str = "project/.claude/settings.json";
const USER: &str = "home/.claude/settings.json";

fn dir(project: &Project) -> &str {
    project.location.dir.to_str().unwrap()
}

/// `source: value why` of each value that was passed over.
fn ignored(project: &Project) -> Vec<String> {
    let lines = project.location.ignored.iter();
    lines.map(|it| format!("{}: {} {}", it.source.as_str(), it.value, it.why)).collect()
}

#[test]
fn by_default_memory_lies_below_the_clients_folder_under_the_projects_slug() {
    let world = World::new();
    let project = open(&world, &world.env());
    let location = &project.location;
    let slug = Slug::of(&world.project());
    assert_eq!(dir(&project), format!("{}/.claude/projects/{slug}/memory/", world.home().display()));
    assert_eq!((location.source, &location.slug), (Source::Default, &slug));
    assert_eq!((&location.project_root, &location.canonical_root), (&world.project(), &world.project()));
    assert!(!location.slug_is_named);
    assert_eq!(ignored(&project), Vec::<String>::new());
}

#[test]
fn each_source_wins_over_those_below_it() {
    let world = World::new();
    let policy = world.root().join("policy.json");
    let registry = registry_file(&world.env().config_file().unwrap());
    let base = world.env().with_managed_settings(Some(policy));
    let check = |env: &EnvSnapshot, want: Source, dir: &str| {
        let project = open(&world, env);
        assert_eq!((project.location.source, project.location.dir), (want, PathBuf::from(dir)));
    };
    Registry::update(&registry, |it| it.adopt(&world.project(), Path::new("/srv/adopted"))).unwrap();
    check(&base, Source::Adopted, "/srv/adopted");
    settings_file(&world, PROJECT, "/srv/project");
    check(&base, Source::Adopted, "/srv/adopted");
    Registry::update(&registry, |it| it.trust(&world.project(), "/srv/project")).unwrap();
    check(&base, Source::ProjectSettings, "/srv/project");
    settings_file(&world, USER, "~/user");
    check(&base, Source::UserSettings, &format!("{}/user/", world.home().display()));
    settings_file(&world, LOCAL, "/srv/local/");
    check(&base, Source::LocalSettings, "/srv/local");
    settings_file(&world, "policy.json", "/srv/policy");
    check(&base, Source::PolicySettings, "/srv/policy");
    let env = base.with_vars([(OVERRIDE, "/srv/over")]);
    check(&env, Source::Env, "/srv/over");
    let request = ResolveRequest { project: &world.project(), memory_dir: Some(Path::new("/srv/arg")) };
    let project = Project::open(&env, &request).unwrap();
    assert_eq!((project.location.source, dir(&project)), (Source::Argument, "/srv/arg/"));
}

#[test]
fn the_base_folder_comes_from_the_first_fit_variable() {
    let world = World::new();
    let slug = Slug::of(&world.project());
    let at = |vars: &[(&str, &str)]| open(&world, &world.env().with_vars(vars.iter().copied()));
    let project = at(&[(REMOTE, "/r/emote"), (CONFIG_DIR, "/c/onfig"), (NAME, "mine")]);
    assert_eq!(dir(&project), format!("/r/emote/projects/{slug}/memory/"));
    assert_eq!(
        ignored(&project),
        [
            "default: mine (`CLAUDE_CODE_PROJECT_DIR_NAME`) counts only where `CLAUDE_CONFIG_DIR` names the base folder"
        ]
    );
    let project = at(&[(CONFIG_DIR, "/c/onfig"), (NAME, "mine")]);
    assert_eq!(dir(&project), "/c/onfig/projects/mine/memory/");
    assert!(project.location.slug_is_named);
    assert_eq!(project.location.slug.as_str(), "mine");
    let project = at(&[(REMOTE, "remote"), (CONFIG_DIR, "/c/onfig"), (NAME, "../x")]);
    assert_eq!(dir(&project), format!("/c/onfig/projects/{slug}/memory/"));
    assert_eq!(
        ignored(&project),
        [
            "default: remote (`CLAUDE_CODE_REMOTE_MEMORY_DIR`) is not an absolute path",
            "default: ../x (`CLAUDE_CODE_PROJECT_DIR_NAME`) is not 1 to 64 letters, digits, `-` and `_`",
        ]
    );
}

#[test]
fn an_unfit_value_is_passed_over_and_reported() {
    let world = World::new();
    settings_file(&world, LOCAL, "~/");
    settings_file(&world, USER, "/srv/user");
    let project = open(&world, &world.env().with_vars([(OVERRIDE, "~/memory")]));
    assert_eq!(dir(&project), "/srv/user/");
    assert_eq!(
        ignored(&project),
        [
            "env: ~/memory is not an absolute path",
            "local-settings: ~/ is the home folder itself or a folder above it",
        ]
    );
}

#[test]
fn an_explicit_argument_may_be_relative_and_must_be_fit() {
    let world = World::new();
    let at = |arg: &str| {
        let request = ResolveRequest { project: &world.project(), memory_dir: Some(Path::new(arg)) };
        Project::open(&world.env(), &request).map(|it| it.location.dir.to_str().unwrap().to_owned())
    };
    assert_eq!(at("notes/../n").unwrap(), format!("{}/n/", world.project().display()));
    assert_eq!(at("..").unwrap(), format!("{}/", world.root().display()));
    assert_eq!(at("/a").unwrap(), "/a/");
    for (arg, why) in [
        ("/", "`/` is a file system root"),
        ("/..", "`/..` is a file system root"),
        ("", "`` is empty"),
        ("//host/share", "`//host/share` is a network path"),
    ] {
        assert_eq!(at(arg).unwrap_err().to_string(), why);
    }
}

#[test]
fn without_a_home_folder_only_a_named_directory_will_do() {
    let world = World::new();
    let env = EnvSnapshot::new(None, world.project());
    let request = ResolveRequest { project: Path::new("."), memory_dir: None };
    assert!(matches!(Project::open(&env, &request), Err(LocationError::NoHome)));
    let env = env.with_vars([(OVERRIDE, "/srv/over")]);
    assert_eq!(Project::open(&env, &request).unwrap().location.dir, PathBuf::from("/srv/over"));
}

#[test]
fn a_committed_value_counts_only_once_trusted_and_only_that_value() {
    let world = World::new();
    settings_file(&world, PROJECT, "~/.ssh");
    let project = open(&world, &world.env());
    assert_eq!(project.location.source, Source::Default);
    assert_eq!(
        ignored(&project),
        ["project-settings: ~/.ssh came with the repository; `memdir trust` allows it"]
    );
    assert_eq!(project.untrusted().map(|(_, value)| value).collect::<Vec<_>>(), ["~/.ssh"]);

    settings_file(&world, PROJECT, "~/team-notes");
    open(&world, &world.env()).trust().unwrap();
    let project = open(&world, &world.env());
    assert_eq!(project.location.source, Source::ProjectSettings);
    assert_eq!(dir(&project), format!("{}/team-notes/", world.home().display()));
    assert!(matches!(project.trust(), Err(RegistryError::NothingToTrust(_))));

    settings_file(&world, PROJECT, "~/.ssh");
    assert_eq!(open(&world, &world.env()).location.source, Source::Default);
}

#[test]
fn trust_does_not_make_an_unfit_value_fit() {
    let world = World::new();
    settings_file(&world, PROJECT, "/");
    open(&world, &world.env()).trust().unwrap();
    let project = open(&world, &world.env());
    assert_eq!(project.location.source, Source::Default);
    assert_eq!(ignored(&project), ["project-settings: / is a file system root"]);
}

#[test]
fn local_settings_count_only_while_git_does_not_track_them() {
    let world = World::new();
    let Some(git) = Git::find(&world) else { return };
    git.repository(&world.project());
    settings_file(&world, LOCAL, "/srv/local");
    assert_eq!(open(&world, &world.env()).location.source, Source::LocalSettings);
    git.run(&world.project(), &["add", "--force", ".claude/settings.local.json"]);
    let project = open(&world, &world.env());
    assert_eq!(project.location.source, Source::Default);
    assert_eq!(
        ignored(&project),
        [
            "local-settings: /srv/local stands in a file that git tracks, or may track; `memdir trust` allows it"
        ]
    );
    git.run(&world.project(), &["rm", "--quiet", "--cached", ".claude/settings.local.json"]);
    assert_eq!(open(&world, &world.env()).location.source, Source::LocalSettings);
    // A `.git` that can't be believed hides what is tracked.
    world.write("elsewhere/.git", "gitdir: ../project/.git\n");
    settings_file(&world, "elsewhere/.claude/settings.local.json", "/srv/local");
    let request = ResolveRequest { project: &world.root().join("elsewhere"), memory_dir: None };
    assert_eq!(Project::open(&world.env(), &request).unwrap().location.source, Source::Default);
}

#[cfg(unix)]
#[test]
fn local_settings_that_a_link_takes_from_another_repository_are_not_the_users() {
    let world = World::new();
    let Some(git) = Git::find(&world) else { return };
    git.repository(&world.project());
    git.repository(&world.root().join("other"));
    settings_file(&world, "other/c/settings.local.json", "/srv/local");
    git.run(&world.root().join("other"), &["add", "c"]);
    crate::git::link("../other/c", &world.project().join(".claude"));
    assert_eq!(open(&world, &world.env()).location.source, Source::Default);
}

#[test]
fn worktrees_share_the_main_checkouts_directory_unless_isolated() {
    let world = World::new();
    let Some(git) = Git::find(&world) else { return };
    git.repository(&world.project());
    git.run(&world.project(), &["worktree", "add", "--quiet", "../tree"]);
    let tree = world.root().join("tree");
    make(&tree.join("src"));
    let request = ResolveRequest { project: &tree.join("src"), memory_dir: None };
    let at = |policy| {
        let env = world.env();
        let roots = Roots::find(request.project, &env, policy);
        let settings = settings::load(&env, &roots.project_root, roots.git.as_ref());
        resolve(&request, &env, &settings, &Registry::default(), policy).unwrap()
    };
    let shared = at(WorktreePolicy::Shared);
    assert_eq!((&shared.project_root, &shared.canonical_root), (&tree, &world.project()));
    assert_eq!(shared.slug, Slug::of(&world.project()));
    let isolated = at(WorktreePolicy::Isolated);
    assert_eq!((&isolated.project_root, &isolated.canonical_root), (&tree, &world.project()));
    assert_eq!(isolated.slug, Slug::of(&tree));
    // The configuration decides for the one call that programs make.
    let env = world.env().with_vars([("MEMDIR_MEMORY_WORKTREES", "isolated")]);
    assert_eq!(Project::open(&env, &request).unwrap().location, isolated);
    assert_eq!(Project::open(&world.env(), &request).unwrap().location, shared);
}

#[test]
fn a_project_that_is_gone_stands_where_it_would_be() {
    let world = World::new();
    let gone = world.project().join("gone/deeper");
    let request = ResolveRequest { project: Path::new("gone/./deeper"), memory_dir: None };
    let location = Project::open(&world.env(), &request).unwrap().location;
    assert_eq!((&location.canonical_root, &location.slug), (&gone, &Slug::of(&gone)));
}

#[cfg(unix)]
#[test]
fn the_slug_is_that_of_the_real_path() {
    let world = World::new();
    crate::git::link("project", &world.root().join("door"));
    let request = ResolveRequest { project: &world.root().join("door"), memory_dir: None };
    let location = Project::open(&world.env(), &request).unwrap().location;
    assert_eq!(location.slug, Slug::of(&world.project()));
}

#[test]
fn the_home_folder_as_a_project_has_no_foreign_settings() {
    let world = World::new();
    settings_file(&world, USER, "/srv/user");
    let request = ResolveRequest { project: &world.home(), memory_dir: None };
    let project = Project::open(&world.env(), &request).unwrap();
    assert_eq!(project.location.source, Source::UserSettings);
    assert_eq!(ignored(&project), Vec::<String>::new());
}

#[test]
fn opening_a_project_makes_nothing() {
    let world = World::new();
    open(&world, &world.env());
    let made: Vec<_> = world.home().read_dir().unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(made, Vec::<std::ffi::OsString>::new());
}

#[test]
fn containment_answers_for_paths_that_do_not_exist_yet() {
    let world = World::new();
    let dir = world.memory();
    assert!(contains(&dir, &dir.join("new/deep/a.md")));
    assert!(contains(&dir.join(""), &dir));
    assert!(contains(&dir, &world.root().join("other/../memory/a.md")));
    assert!(!contains(&dir, &world.root().join("memory2/a.md")));
    assert!(!contains(&dir, &dir.join("../a.md")));
    assert!(!contains(&dir, &dir.join("x/../../a.md")));
    assert!(!contains(&dir, Path::new("a.md")));
    assert!(!contains(&dir, Path::new("/")));
    assert!(contains(&world.root().join("not-yet"), &world.root().join("not-yet/a.md")));
}

#[cfg(unix)]
#[test]
fn containment_resolves_links_also_dangling_ones() {
    use crate::git::link;
    let world = World::new();
    let dir = world.memory();
    make(&world.root().join("outside/deep"));
    link("../outside", &dir.join("out"));
    link("../outside/new.md", &dir.join("dangling.md"));
    link("inner.md", &dir.join("fine.md"));
    link("loop", &dir.join("loop"));
    link("memory", &world.root().join("door"));
    assert!(!contains(&dir, &dir.join("out/a.md")));
    assert!(!contains(&dir, &dir.join("dangling.md")));
    assert!(contains(&dir, &dir.join("fine.md")));
    assert!(!contains(&dir, &dir.join("loop/a.md")));
    assert!(contains(&dir, &world.root().join("door/a.md")));
    assert!(contains(&world.root().join("door"), &dir.join("a.md")));
    // As text this is inside, for the system it is not.
    link("../outside/deep", &dir.join("deep"));
    assert!(!contains(&dir, &dir.join("deep/../a.md")));
    assert_eq!(real_path(&dir.join("deep/../a.md")), Some(world.root().join("outside/a.md")));
}
