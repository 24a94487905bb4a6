use super::{Cause, IndexChange, MemoryStore, NewMemory, Saved, Stamp, StoreError, Write};
use crate::frontmatter::{self, NewHeader};
use crate::fs::Expect;
use crate::label::{description, label, one_line};
use crate::limits::MAX_MEMORY_BYTES;
use crate::name::{self, MemoryPath, TEAM_DIR};
use crate::scan::{self, ScanOptions};

/// Names that are tried for one title before giving up. A hundred memories of one title are a mistake upstream.
const MAX_SUFFIX: u32 = 100;

impl MemoryStore {
    /// Creates a memory and its index line. A name that is taken gets a number; nothing is overwritten. The same
    /// memory added twice is one memory: then the result says [`Action::Unchanged`](super::Action::Unchanged) and where it is.
    ///
    /// # Errors
    ///
    /// [`StoreError::Secret`] when the scanner finds one, [`StoreError::Conflict`] when `file` names a taken
    /// place. Nothing was written then.
    pub fn create(&self, new: &NewMemory, cause: &Cause) -> Result<Saved, StoreError> {
        let new = cleaned(new)?;
        let secrets = &self.options.secrets;
        secrets.check("name", &new.name)?;
        secrets.check("description", &new.description)?;
        secrets.check("body", &new.body)?;

        let change = self.begin(cause)?;
        if let Some(path) = self.find_same(&new)? {
            // A writer that was killed between file and index may be the reason for this second try.
            let warnings = change.mend_entry(&path)?;
            return Ok(Saved { warnings, ..Saved::unchanged(path) });
        }
        let content = render(&new, cause)?;
        let mut attempt = 1;
        loop {
            let path = self.place(&new, attempt)?;
            let write = Write {
                path: &path,
                content: content.as_bytes(),
                expect: Expect::Absent,
                index: IndexChange::Upsert { title: new.name.clone(), hook: new.description.clone() },
                stamp: Stamp::Verbatim,
            };
            match change.write(&write) {
                Err(StoreError::Conflict { path: taken })
                    if taken == path && new.file.is_none() && attempt < MAX_SUFFIX =>
                {
                    attempt += 1;
                }
                other => return other,
            }
        }
    }

    fn place(&self, new: &NewMemory, attempt: u32) -> Result<MemoryPath, StoreError> {
        if let Some(file) = &new.file {
            return Ok(file.clone());
        }
        let mut file = name::file_name_for(new.kind, &new.name);
        if attempt > 1 {
            file = name::with_suffix(&file, attempt);
        }
        let path = if new.team { format!("{TEAM_DIR}/{file}") } else { file };
        MemoryPath::parse(&path).map_err(|error| StoreError::Invalid { why: error.to_string() })
    }

    /// A memory of the same tier that says the same: equal type and body, and equal name or description.
    fn find_same(&self, new: &NewMemory) -> Result<Option<MemoryPath>, StoreError> {
        let scan = scan::scan(&self.dir, &ScanOptions::unlimited())?;
        for header in scan.headers {
            let alike = header.kind == new.kind
                && header.path.is_team() == new.team
                && (header.name == new.name
                    || header.description.as_deref() == Some(new.description.as_str()));
            if !alike {
                continue;
            }
            let Ok(file) = self.dir.read(&header.path, MAX_MEMORY_BYTES) else { continue };
            let start = frontmatter::read(&file.bytes).body_start;
            if same_text(&String::from_utf8_lossy(&file.bytes[start..]), &new.body) {
                return Ok(Some(header.path));
            }
        }
        Ok(None)
    }
}

/// Checks and tidies what came in: one-line label and description, each standing in for the other, and for both
/// the body's first line.
fn cleaned(new: &NewMemory) -> Result<NewMemory, StoreError> {
    let mut new = new.clone();
    new.name = one_line(&new.name);
    new.description = one_line(&new.description);
    new.body = new.body.trim().to_owned();
    if new.description.is_empty() {
        new.description = if new.body.is_empty() { new.name.clone() } else { description(&new.body) };
    }
    if new.name.is_empty() {
        new.name = label(&new.description);
    }
    if new.name.is_empty() {
        return Err(StoreError::Invalid { why: "a memory needs a name, a description or a body".to_owned() });
    }
    if new.body.is_empty() {
        new.body.clone_from(&new.description);
    }
    if let Some(file) = &new.file {
        if file.is_index() {
            return Err(StoreError::Invalid { why: format!("`{file}` is the index, not a memory") });
        }
        new.team = file.is_team();
    }
    Ok(new)
}

fn render(new: &NewMemory, cause: &Cause) -> Result<String, StoreError> {
    let header = NewHeader {
        name: new.name.clone(),
        description: new.description.clone(),
        kind: new.kind,
        origin_session_id: new.origin_session_id.clone().or_else(|| cause.session.clone()),
        modified: Some(cause.now),
        extractor: new.extractor.clone(),
        pinned: false,
        extra: Vec::new(),
    };
    frontmatter::render(&header, &new.body).map_err(|error| StoreError::Invalid { why: error.to_string() })
}

fn same_text(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}
