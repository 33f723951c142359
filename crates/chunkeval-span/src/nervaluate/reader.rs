//! From tags to entities, as nervaluate reads them.

use super::{Entity, LoadError};

/// Whether the tag that opens an entity must begin with `B-` or `I-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    Checked,
    Unchecked,
}

/// Reads the tags of one document. `O` ends an entity; its type is what follows the second code
/// point, and a tag of the same type continues it unless it begins with `B`.
pub(super) struct Reader {
    opening: Opening,
    open: Option<(String, i64)>,
    found: Vec<Entity>,
}

impl Reader {
    pub(super) fn new(opening: Opening) -> Self {
        Self { opening, open: None, found: Vec::new() }
    }

    pub(super) fn tag(&mut self, offset: usize, tag: &str) -> Result<(), LoadError> {
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        if tag == "O" {
            self.close(offset);
            return Ok(());
        }
        let mut rest = tag.chars();
        let first = rest.next();
        rest.next();
        let label = rest.as_str();
        let goes_on = self.open.as_ref().is_some_and(|(open, _)| open == label);
        if goes_on && first != Some('B') {
            return Ok(());
        }
        self.close(offset);
        if self.opening == Opening::Checked && !tag.starts_with("B-") && !tag.starts_with("I-") {
            return Err(LoadError::Tag { tag: tag.to_owned() });
        }
        self.open = Some((label.to_owned(), offset));
        Ok(())
    }

    /// The entities of a document of `length` positions.
    pub(super) fn finish(mut self, length: usize) -> Vec<Entity> {
        self.close(i64::try_from(length).unwrap_or(i64::MAX));
        self.found
    }

    fn close(&mut self, offset: i64) {
        if let Some((label, start)) = self.open.take() {
            self.found.push(Entity { label, start, end: offset - 1 });
        }
    }
}

/// The entities of a list of tags.
pub(super) fn read<S: AsRef<str>>(tags: &[S], opening: Opening) -> Result<Vec<Entity>, LoadError> {
    let mut reader = Reader::new(opening);
    for (offset, tag) in tags.iter().enumerate() {
        reader.tag(offset, tag.as_ref())?;
    }
    Ok(reader.finish(tags.len()))
}

/// The documents of a CoNLL text: parted by an empty line, the tag in the second column of tabs.
/// Offsets are numbers of lines, blank ones included.
pub(super) fn read_conll(text: &str) -> Result<Vec<Vec<Entity>>, LoadError> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    text.trim_end_matches(is_space).split("\n\n").map(read_conll_document).collect()
}

fn read_conll_document(document: &str) -> Result<Vec<Entity>, LoadError> {
    let mut reader = Reader::new(Opening::Checked);
    let mut lines = 0;
    for (offset, line) in document.split('\n').enumerate() {
        lines = offset + 1;
        if line.chars().all(is_space) {
            continue;
        }
        let tag = line.split('\t').nth(1);
        reader.tag(offset, tag.ok_or_else(|| LoadError::NoTab { line: line.to_owned() })?)?;
    }
    Ok(reader.finish(lines))
}

/// What Python's `str.strip` takes for space.
fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}
