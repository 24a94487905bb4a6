//! Which lines of a Markdown text are code. Bytes, since an instruction file need not be UTF-8.

/// Follows code fences from line to line.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Fences {
    open: Option<Open>,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    mark: u8,
    length: usize,
    line: usize,
}

impl Fences {
    /// Takes the next line (number from 1) and says whether it is code, fences included.
    pub(super) fn is_code(&mut self, line: &[u8], number: usize) -> bool {
        let text = line.trim_ascii_end();
        let indent = text.iter().take_while(|byte| **byte == b' ').count();
        let text = text.get(indent..).unwrap_or_default();
        let mark = text.first().copied().unwrap_or(0);
        let length = text.iter().take_while(|byte| **byte == mark).count();
        let rest = text.get(length..).unwrap_or_default();
        if let Some(open) = self.open {
            if indent < 4 && mark == open.mark && length >= open.length && rest.is_empty() {
                self.open = None;
            }
            return true;
        }
        let opens = indent < 4 && length >= 3 && (mark == b'~' || (mark == b'`' && !rest.contains(&b'`')));
        if opens {
            self.open = Some(Open { mark, length, line: number });
        }
        opens
    }

    /// The line of the fence that is still open.
    pub(super) fn open_line(&self) -> Option<usize> {
        self.open.map(|open| open.line)
    }

    /// The line that would close the open fence.
    pub(super) fn closing(&self) -> Option<String> {
        self.open.map(|open| char::from(open.mark).to_string().repeat(open.length))
    }
}
