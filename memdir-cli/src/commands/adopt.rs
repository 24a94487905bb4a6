use memdir_core::ContentHash;
use memdir_core::location::{Project, ResolveRequest, Source, Standing, identity};
use serde::Serialize;

use crate::Exit;
use crate::args::AdoptArgs;
use crate::context::Context;
use crate::error::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct AdoptJson {
    path: String,
    action: &'static str,
}

pub(super) fn run(
    args: &AdoptArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    let action = if args.share {
        share(project, context, out)?
    } else if args.separate {
        separate(project)?
    } else if let Some(old) = &args.from {
        from(old, project, context)?
    } else {
        return Err(Failure::usage("one of --share, --separate and --from is needed"));
    };
    let path = context.reopen(out)?.location.dir.to_string_lossy().into_owned();
    let before = &project.location.dir;
    if before.is_dir() && before.to_string_lossy() != path {
        out.note(&format!(
            "what is in `{}` stays there; `memdir import` can bring it along",
            before.display()
        ));
    }
    out.answer(&AdoptJson { path: path.clone(), action }, |text, style| {
        writeln!(text, "{action}: memory is in {}", style.strong(&path))
    })?;
    Ok(Exit::Done)
}

/// Both projects may use the directory from now on.
fn share(
    project: &Project,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<&'static str, Failure> {
    if project.location.source == Source::Adopted {
        // Back from a directory of its own, or from somebody else's: the computed one, beside whoever claims it.
        project.update_registry(|registry| {
            registry.disown(&project.location.memory_root);
            Ok(())
        })?;
        let project = context.reopen(out)?;
        context.claim_shared(&project)?;
        return Ok("shared");
    }
    if context.standing(project) == Standing::Named {
        return Err(Failure::usage(format!(
            "the memory directory is named on purpose ({}); whoever names it shares it already",
            project.location.source.as_str()
        )));
    }
    context.claim_shared(project)?;
    Ok("shared")
}

/// The project gets a directory of its own, beside the one that it would share.
fn separate(project: &Project) -> Result<&'static str, Failure> {
    if !identity::is_checked(&project.location) {
        return Err(Failure::usage(format!(
            "the memory directory is named on purpose ({}); name another one there",
            project.location.source.as_str()
        )));
    }
    let root = &project.location.memory_root;
    let hash = ContentHash::of(root.to_string_lossy().as_bytes()).to_string();
    let name = format!("{}--{}", project.location.slug, &hash[..8]);
    // <base>/projects/<slug>/memory/
    let projects = project.location.dir.ancestors().nth(2);
    let dir = projects
        .ok_or_else(|| Failure::usage("the memory directory has no place beside it"))?
        .join(name)
        .join("memory");
    project.update_registry(|registry| {
        registry.unclaim(&project.claimed_dir(), &project.location.canonical_root);
        registry.adopt(root, &dir)
    })?;
    Ok("separated")
}

/// The project takes over the memory of one that was moved or renamed.
fn from(old: &std::path::Path, project: &Project, context: &Context<'_>) -> Result<&'static str, Failure> {
    let env = &context.surroundings().env;
    let old = Project::open(env, &ResolveRequest { project: old, memory_dir: None })?;
    if !old.location.dir.is_dir() {
        return Err(Failure::usage(format!(
            "there is no memory for `{}`: `{}` does not exist",
            old.location.canonical_root.display(),
            old.location.dir.display()
        ))
        .hint("name the folder as it was called before"));
    }
    let root = &old.location.canonical_root;
    if root.is_dir() && *root != project.location.canonical_root {
        return Err(Failure::usage(format!(
            "`{}` is still there, and its memory is its own",
            root.display()
        ))
        .hint(
            "`--from` is for a project that was moved or renamed; to use one memory from both, use `--share`",
        ));
    }
    let identity = context.identity(project);
    project.update_registry(|registry| {
        registry.unclaim(&old.claimed_dir(), &old.location.canonical_root);
        registry.claim(&old.claimed_dir(), identity)?;
        registry.adopt(&project.location.memory_root, &old.location.dir)
    })?;
    Ok("adopted")
}
