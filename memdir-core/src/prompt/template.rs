//! Prompt texts with `{{name}}` placeholders, built in and overridable.

use std::collections::BTreeMap;
use std::path::Path;

use crate::fs::plain;

/// Bytes of an override. A prompt section of that length would crowd out the conversation.
const MAX_OVERRIDE_BYTES: usize = 64 * 1024;

/// A text that is compiled in. Each crate declares its own and lists them for [`Templates::load`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Relative file name, with `/`, by which an override is found.
    pub file: &'static str,
    /// The built-in text.
    pub text: &'static str,
    /// Names that may stand in `{{…}}`.
    pub placeholders: &'static [&'static str],
}

/// The texts to use: the built-in ones, but for valid overrides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Templates {
    overrides: BTreeMap<String, String>,
}

/// An override that is not used, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("prompt override `{file}` is not used: {why}")]
pub struct TemplateWarning {
    /// Relative file name of the override.
    pub file: String,
    /// What is wrong with it.
    pub why: String,
}

impl Templates {
    /// Takes the overrides that are valid: of a known file, at most 64 KiB, with known placeholders only. An
    /// override may leave placeholders out. For each of the others there is a warning, and the built-in text
    /// is used.
    pub fn load(
        known: &[&Template],
        overrides: impl IntoIterator<Item = (String, String)>,
    ) -> (Self, Vec<TemplateWarning>) {
        let mut templates = Self::default();
        let mut warnings = Vec::new();
        for (file, text) in overrides {
            let verdict = match known.iter().find(|template| template.file == file) {
                None => Err("there is no such prompt".to_owned()),
                Some(template) => check(&text, template.placeholders),
            };
            match verdict {
                Ok(()) => {
                    templates.overrides.insert(file, text);
                }
                Err(why) => warnings.push(TemplateWarning { file, why }),
            }
        }
        (templates, warnings)
    }

    /// The same from the files of a folder. A file that is not there is no override; one that can't be read is a
    /// warning.
    pub fn from_folder(known: &[&Template], folder: &Path) -> (Self, Vec<TemplateWarning>) {
        let mut texts = Vec::new();
        let mut unreadable = Vec::new();
        for template in known {
            match plain::read_text(&folder.join(template.file), MAX_OVERRIDE_BYTES as u64) {
                Ok(text) => texts.push((template.file.to_owned(), text)),
                Err(error) if error.is_not_found() => {}
                Err(error) => unreadable
                    .push(TemplateWarning { file: template.file.to_owned(), why: error.to_string() }),
            }
        }
        let (templates, mut warnings) = Self::load(known, texts);
        warnings.append(&mut unreadable);
        (templates, warnings)
    }

    /// The text with its placeholders filled; one without a value becomes empty. Values are not searched for
    /// placeholders. The last line end is dropped.
    pub fn render(&self, template: &Template, values: &[(&str, &str)]) -> String {
        let text = self.overrides.get(template.file).map_or(template.text, String::as_str);
        let mut out = String::with_capacity(text.len());
        let mut rest = text.strip_suffix('\n').unwrap_or(text);
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            let Some((name, behind)) = after.split_once("}}") else {
                out.push_str("{{");
                rest = after;
                continue;
            };
            let value = values.iter().find(|(key, _)| *key == name.trim());
            out.push_str(value.map_or("", |(_, value)| value));
            rest = behind;
        }
        out.push_str(rest);
        out
    }
}

fn check(text: &str, placeholders: &[&str]) -> Result<(), String> {
    if text.len() > MAX_OVERRIDE_BYTES {
        return Err(format!("it is longer than {MAX_OVERRIDE_BYTES} bytes"));
    }
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("{{") {
        let Some((name, behind)) = after.split_once("}}") else {
            return Err("a `{{` is not closed".to_owned());
        };
        let name = name.trim();
        if !placeholders.contains(&name) {
            let known = placeholders.join("`, `");
            let shown: String = crate::manifest::one_line(name).chars().take(40).collect();
            return Err(format!("`{{{{{shown}}}}}` is not one of its placeholders (`{known}`)"));
        }
        rest = behind;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREETING: Template =
        Template { file: "x/greeting.md", text: "Hello {{name}}, {{ name }}!\n", placeholders: &["name"] };

    fn load(file: &str, text: &str) -> (Templates, Vec<String>) {
        let (templates, warnings) = Templates::load(&[&GREETING], [(file.to_owned(), text.to_owned())]);
        (templates, warnings.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn placeholders_are_filled_once() {
        let text = Templates::default().render(&GREETING, &[("name", "{{name}}")]);
        assert_eq!(text, "Hello {{name}}, {{name}}!");
    }

    #[test]
    fn a_good_override_replaces_the_text() {
        let (templates, warnings) = load("x/greeting.md", "Hi {{name}}");
        assert!(warnings.is_empty());
        assert_eq!(templates.render(&GREETING, &[("name", "Ada")]), "Hi Ada");
    }

    #[test]
    fn a_bad_override_warns_and_the_built_in_text_is_used() {
        for (file, text, warning) in [
            (
                "x/greeting.md",
                "Hi {{nmae}}",
                "prompt override `x/greeting.md` is not used: `{{nmae}}` is not one of its placeholders (`name`)",
            ),
            (
                "x/greeting.md",
                "Hi {{name",
                "prompt override `x/greeting.md` is not used: a `{{` is not closed",
            ),
            ("x/greting.md", "Hi", "prompt override `x/greting.md` is not used: there is no such prompt"),
        ] {
            let (templates, warnings) = load(file, text);
            assert_eq!(warnings, [warning]);
            assert_eq!(templates, Templates::default());
        }
    }
}
