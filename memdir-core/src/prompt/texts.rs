//! The built-in texts of the memory section, one file each in `templates/`.

use super::template::Template;

macro_rules! template {
    ($file:literal, $($placeholder:literal),*) => {
        Template {
            file: $file,
            text: include_str!(concat!("templates/", $file)),
            placeholders: &[$($placeholder),*],
        }
    };
}

pub(super) const STANDARD: Template = template!(
    "memory/standard.md",
    "dir",
    "types",
    "not_saved",
    "save",
    "look_up",
    "before_recommending",
    "extra",
    "index"
);
pub(super) const TEAM: Template = template!(
    "memory/team.md",
    "dir",
    "team_dir",
    "types",
    "not_saved",
    "save",
    "look_up",
    "before_recommending",
    "extra",
    "index",
    "team_index"
);
pub(super) const DAILY_LOG: Template = template!(
    "memory/daily-log.md",
    "dir",
    "today",
    "not_saved",
    "look_up",
    "before_recommending",
    "extra",
    "index"
);
pub(super) const TODAY: Template = template!("memory/today.md", "path");
pub(super) const TYPES: Template =
    template!("memory/types.md", "user_scope", "feedback_scope", "project_scope", "reference_scope");
pub(super) const SCOPE_USER: Template = template!("memory/scope-user.md",);
pub(super) const SCOPE_FEEDBACK: Template = template!("memory/scope-feedback.md",);
pub(super) const SCOPE_PROJECT: Template = template!("memory/scope-project.md",);
pub(super) const SCOPE_REFERENCE: Template = template!("memory/scope-reference.md",);
pub(super) const NOT_SAVED: Template = template!("memory/not-saved.md",);
pub(super) const SAVE: Template = template!("memory/save.md", "place", "index_step");
pub(super) const SAVE_INDEX: Template = template!("memory/save-index.md",);
pub(super) const PLACE_TEAM: Template = template!("memory/place-team.md",);
pub(super) const LOOK_UP: Template = template!("memory/look-up.md",);
pub(super) const LOOK_UP_LOG: Template = template!("memory/look-up-log.md",);
pub(super) const BEFORE_RECOMMENDING: Template = template!("memory/before-recommending.md",);
pub(super) const EXTRA: Template = template!("memory/extra.md", "text");
pub(super) const INDEX: Template = template!("memory/index.md", "title", "file", "content");
pub(super) const INDEX_EMPTY: Template = template!("memory/index-empty.md", "title", "file");

/// Every text of the memory section, for [`Templates::load`](super::Templates::load).
pub const TEMPLATES: &[&Template] = &[
    &STANDARD,
    &TEAM,
    &DAILY_LOG,
    &TODAY,
    &TYPES,
    &SCOPE_USER,
    &SCOPE_FEEDBACK,
    &SCOPE_PROJECT,
    &SCOPE_REFERENCE,
    &NOT_SAVED,
    &SAVE,
    &SAVE_INDEX,
    &PLACE_TEAM,
    &LOOK_UP,
    &LOOK_UP_LOG,
    &BEFORE_RECOMMENDING,
    &EXTRA,
    &INDEX,
    &INDEX_EMPTY,
];

#[cfg(test)]
mod tests {
    use super::super::Templates;
    use super::TEMPLATES;

    #[test]
    fn the_built_in_texts_pass_the_check_of_overrides_and_use_every_placeholder() {
        let texts = TEMPLATES.iter().map(|template| (template.file.to_owned(), template.text.to_owned()));
        let (_, warnings) = Templates::load(TEMPLATES, texts);
        assert_eq!(warnings, []);
        for template in TEMPLATES {
            for name in template.placeholders {
                assert!(template.text.contains(&format!("{{{{{name}}}}}")), "{}: {name}", template.file);
            }
        }
    }
}
