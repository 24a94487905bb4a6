//! Grants on disk.

use std::path::Path;

use memdir_core::registry::{Registry, RegistryError};
use memdir_core::testkit::World;

#[test]
fn a_change_is_written_and_keeps_what_other_code_put_there() {
    let world = World::new();
    let file = world.write("home/r/registry.json", "{\"v\": 1, \"news\": {\"a\": [1]}}");
    Registry::update(&file, |it| it.trust(Path::new("/a"), "~/x")).unwrap();
    Registry::update(&file, |it| it.adopt(Path::new("/b"), Path::new("/m"))).unwrap();
    insta::assert_snapshot!(world.read("home/r/registry.json"), @r#"
    {
      "v": 1,
      "trusted": {
        "/a": [
          "~/x"
        ]
      },
      "adopted": {
        "/b": "/m"
      },
      "claims": {},
      "news": {
        "a": [
          1
        ]
      }
    }
    "#);
}

#[test]
fn a_change_that_fails_or_changes_nothing_writes_nothing() {
    let world = World::new();
    let file = world.home().join("r/registry.json");
    Registry::update(&file, |it| Ok(it.disown(Path::new("/a")))).unwrap();
    let failed = Registry::update(&file, |it| {
        it.adopt(Path::new("/a"), Path::new("/m"))?;
        Err::<(), _>(RegistryError::NothingToTrust("/a".into()))
    });
    assert!(failed.is_err());
    assert!(!file.exists());
}

#[test]
fn a_damaged_file_refuses_every_write() {
    let world = World::new();
    let file = world.write("home/r/registry.json", "{\"v\": 1,");
    let refused = Registry::update(&file, |it| it.trust(Path::new("/a"), "x"));
    assert!(matches!(refused, Err(RegistryError::Unusable(_))));
    assert_eq!(world.read("home/r/registry.json"), "{\"v\": 1,");
}

#[test]
fn writers_that_come_at_once_lose_nothing() {
    let world = World::new();
    let file = world.home().join("r/registry.json");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let file = &file;
            scope.spawn(move || {
                let root = format!("/project/{number}");
                Registry::update(file, |it| it.adopt(Path::new(&root), Path::new("/m"))).unwrap();
            });
        }
    });
    let registry = Registry::load(&file);
    assert!((0..8).all(|number| registry.adopted(Path::new(&format!("/project/{number}"))).is_some()));
}
