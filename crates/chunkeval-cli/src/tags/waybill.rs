//! Blocks of waybill records scanned into rows of ids.
//!
//! The rules are those of `chunkeval-data`'s `WaybillReader`; a test holds the two against each
//! other.

use super::fields::Cuts;
use super::interner::Interner;
use super::line::{Line, Wrong, is_clean};
use super::part::{File, Part};
use super::sink::Field;

const HEADER: &[u8] = b"text_a\tlabel";

/// Scans blocks; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub(super) struct WaybillScanner {
    /// The pieces of a line.
    pieces: Vec<Field>,
}

impl WaybillScanner {
    /// Scans the block of a part into its rows.
    pub(super) fn scan(&mut self, part: &mut Part, tags: &mut Interner<'_>) {
        let bytes = std::mem::take(&mut part.block.bytes);
        let text = &*bytes;
        let clean = is_clean(text);
        let mut line = Line { text, number: part.block.line, start: 0, end: 0 };
        let mut start = 0;
        // The pieces before the first tab, and how many tabs there are.
        let (mut tokens, mut tabs) = (0, 0);
        self.pieces.clear();
        for place in Cuts::RECORDS.places(text) {
            self.pieces.push((start, place));
            start = place + 1;
            match text.get(place) {
                Some(b'\t') => {
                    tabs += 1;
                    if tabs == 1 {
                        tokens = self.pieces.len();
                    }
                    continue;
                }
                Some(b'\n') => line.end = place,
                _ => continue,
            }
            if let Err((at, reason, hint)) = self.line(&mut line, clean, (tokens, tabs), part, tags)
            {
                part.rows.take_back();
                part.tokens.truncate(part.rows.gold.len());
                part.fault = Some((File::Tags, line.fault(at, reason, hint)));
                break;
            }
            part.rows.end(part.rows.ends.len());
            line.start = start;
            line.number += 1;
            (tokens, tabs) = (0, 0);
            self.pieces.clear();
        }
        part.block.bytes = bytes;
    }

    fn line(
        &mut self,
        line: &mut Line<'_>,
        clean: bool,
        (tokens, tabs): (usize, usize),
        part: &mut Part,
        tags: &mut Interner<'_>,
    ) -> Result<(), Wrong> {
        let hint =
            "a record is its characters joined by byte 2, a tab, and as many tags joined alike";
        let wrong = |at: usize, reason: String| Err((at, reason, Some(hint.to_owned())));
        if !clean {
            if line.bytes().ends_with(b"\r") {
                line.end -= 1;
                if let Some(last) = self.pieces.last_mut() {
                    last.1 = line.end.max(last.0);
                }
            }
            line.check()?;
        }
        if line.number == 1 {
            if line.bytes() != HEADER {
                let hint = "is it a waybill file? --layout names another layout";
                let reason = "expected the header \"text_a\\tlabel\"".to_owned();
                return Err((line.start, reason, Some(hint.to_owned())));
            }
            return Ok(());
        }
        if line.start == line.end {
            return Ok(());
        }
        if tabs != 1 {
            let second = line.bytes().iter().enumerate().filter(|(_, byte)| **byte == b'\t').nth(1);
            let at = second.map_or(line.end, |(at, _)| line.start + at);
            return wrong(at, format!("expected 2 columns, found {}", tabs + 1));
        }
        let (tokens, labels) = self.pieces.split_at(tokens.min(self.pieces.len()));
        if tokens.len() != labels.len() {
            let (at, found) = (labels.first().map_or(line.end, |label| label.0), labels.len());
            return wrong(at, format!("{found} tags for {} tokens", tokens.len()));
        }
        for (fields, what) in [(tokens, "token"), (labels, "tag")] {
            if let Some((at, _)) = fields.iter().find(|(start, end)| start == end) {
                return wrong(*at, format!("the {what} is empty"));
            }
        }
        for (token, label) in tokens.iter().zip(labels) {
            part.push(*line, *token, *label, tags);
        }
        Ok(())
    }
}
