//! The section about memory in a system prompt.
//!
//! All wording lives in Markdown files beside this module, compiled in and overridable one by one
//! ([`Templates`]); here is only how they are put together.

mod data;
mod template;
mod texts;

use std::path::{Path, PathBuf};

use jiff::civil::Date;

pub use data::guard;
pub use template::{Template, TemplateWarning, Templates};
pub use texts::TEMPLATES;

use crate::index;
use crate::kind::MemoryType;
use crate::limits::INDEX_FILE;
use crate::manifest::one_line;
use crate::name::LOGS_DIR;

/// Which section a session gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// One directory.
    #[default]
    Standard,
    /// A private and a shared directory.
    Team,
    /// An append-only log, for a session that never ends.
    DailyLog,
}

impl Mode {
    /// The word used on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Team => "team",
            Self::DailyLog => "daily-log",
        }
    }
}

/// The mode where memory is on: the daily log wins over team memory, and that over the standard section.
pub fn choose_mode(daily_log_active: bool, team_on: bool) -> Mode {
    match (daily_log_active, team_on) {
        (true, _) => Mode::DailyLog,
        (false, true) => Mode::Team,
        (false, false) => Mode::Standard,
    }
}

/// What the section depends on. The directories are expected to exist: the text says so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptOptions {
    /// The memory directory.
    pub dir: PathBuf,
    /// The team directory; without one, team mode gives the standard section.
    pub team_dir: Option<PathBuf>,
    /// Raw text of the memory directory's index; `None` where there is no file.
    pub index: Option<String>,
    /// Raw text of the team index.
    pub team_index: Option<String>,
    /// Text to add at the end of the instructions.
    pub extra_guidelines: Option<String>,
    /// Leaves out the step of adding an index line, for hosts that keep the index in step themselves.
    pub skip_index: bool,
    /// The local date, for the name of today's log.
    pub today: Option<Date>,
    /// The wording.
    pub templates: Templates,
}

/// The section for a mode. The same options give the same text.
///
/// Indexes are cut to their caps and stand in a block that their text can't end.
pub fn prompt(mode: Mode, options: &PromptOptions) -> String {
    match (mode, &options.team_dir) {
        (Mode::Team, Some(team_dir)) => team(options, team_dir),
        (Mode::Team, None) | (Mode::Standard, _) => standard(options),
        (Mode::DailyLog, _) => daily_log(options),
    }
}

/// The guidance on the four types, with the scope of each where there is team memory.
pub fn types_section(templates: &Templates, team: bool) -> String {
    let scope = |kind: MemoryType| {
        let template = match kind {
            MemoryType::User => texts::SCOPE_USER,
            MemoryType::Feedback => texts::SCOPE_FEEDBACK,
            MemoryType::Project => texts::SCOPE_PROJECT,
            MemoryType::Reference => texts::SCOPE_REFERENCE,
        };
        if team { format!("\n{}", templates.render(&template, &[])) } else { String::new() }
    };
    templates.render(
        &texts::TYPES,
        &[
            ("user_scope", &scope(MemoryType::User)),
            ("feedback_scope", &scope(MemoryType::Feedback)),
            ("project_scope", &scope(MemoryType::Project)),
            ("reference_scope", &scope(MemoryType::Reference)),
        ],
    )
}

/// What is never saved.
pub fn not_saved_section(templates: &Templates) -> String {
    templates.render(&texts::NOT_SAVED, &[])
}

/// The path of a day's log, relative to the memory directory: `logs/YYYY/MM/YYYY-MM-DD.md`.
///
/// ```
/// let path = memdir_core::prompt::daily_log_path(jiff::civil::date(2031, 3, 5));
/// assert_eq!(path, "logs/2031/03/2031-03-05.md");
/// ```
pub fn daily_log_path(date: Date) -> String {
    format!("{LOGS_DIR}/{:04}/{:02}/{date}.md", date.year(), date.month())
}

fn standard(options: &PromptOptions) -> String {
    let templates = &options.templates;
    templates.render(
        &texts::STANDARD,
        &[
            ("dir", &shown(&options.dir)),
            ("types", &types_section(templates, false)),
            ("not_saved", &not_saved_section(templates)),
            ("save", &save(options, "")),
            ("look_up", &templates.render(&texts::LOOK_UP, &[])),
            ("before_recommending", &templates.render(&texts::BEFORE_RECOMMENDING, &[])),
            ("extra", &extra(options)),
            (
                "index",
                &index_block(templates, "Index of your memory", &options.dir, options.index.as_deref()),
            ),
        ],
    )
}

fn team(options: &PromptOptions, team_dir: &Path) -> String {
    let templates = &options.templates;
    let place = templates.render(&texts::PLACE_TEAM, &[]) + "\n";
    let team_index = options.team_index.as_deref();
    templates.render(
        &texts::TEAM,
        &[
            ("dir", &shown(&options.dir)),
            ("team_dir", &shown(team_dir)),
            ("types", &types_section(templates, true)),
            ("not_saved", &not_saved_section(templates)),
            ("save", &save(options, &place)),
            ("look_up", &templates.render(&texts::LOOK_UP, &[])),
            ("before_recommending", &templates.render(&texts::BEFORE_RECOMMENDING, &[])),
            ("extra", &extra(options)),
            (
                "index",
                &index_block(templates, "Index of private memory", &options.dir, options.index.as_deref()),
            ),
            ("team_index", &index_block(templates, "Index of team memory", team_dir, team_index)),
        ],
    )
}

fn daily_log(options: &PromptOptions) -> String {
    let templates = &options.templates;
    let today = options.today.map(|date| templates.render(&texts::TODAY, &[("path", &daily_log_path(date))]));
    templates.render(
        &texts::DAILY_LOG,
        &[
            ("dir", &shown(&options.dir)),
            ("today", today.as_deref().unwrap_or_default()),
            ("not_saved", &not_saved_section(templates)),
            ("look_up", &templates.render(&texts::LOOK_UP_LOG, &[])),
            ("before_recommending", &templates.render(&texts::BEFORE_RECOMMENDING, &[])),
            ("extra", &extra(options)),
            (
                "index",
                &index_block(templates, "Index of your memory", &options.dir, options.index.as_deref()),
            ),
        ],
    )
}

fn save(options: &PromptOptions, place: &str) -> String {
    let templates = &options.templates;
    let step =
        if options.skip_index { String::new() } else { templates.render(&texts::SAVE_INDEX, &[]) + "\n" };
    templates.render(&texts::SAVE, &[("place", place), ("index_step", &step)])
}

fn extra(options: &PromptOptions) -> String {
    let text = options.extra_guidelines.as_deref().unwrap_or_default().trim();
    if text.is_empty() {
        return String::new();
    }
    options.templates.render(&texts::EXTRA, &[("text", text)]) + "\n"
}

fn index_block(templates: &Templates, title: &str, dir: &Path, raw: Option<&str>) -> String {
    let file = shown(&dir.join(INDEX_FILE));
    let content = guard(&index::truncate(raw.unwrap_or_default()).content);
    let values = [("title", title), ("file", file.as_str()), ("content", content.as_str())];
    let template = if content.trim().is_empty() { texts::INDEX_EMPTY } else { texts::INDEX };
    templates.render(&template, &values)
}

/// A path on one line; a back-tick would end the code mark around it.
fn shown(path: &Path) -> String {
    one_line(&path.to_string_lossy()).replace('`', "'")
}
