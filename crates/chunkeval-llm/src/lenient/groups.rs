//! Points 2 and 3: groups of brackets, and neighbours that are one answer.

use std::ops::Range;

use super::parser::Parser;
use super::repairs::Repairs;
use super::signs::{Bracket, is_space, opener};
use super::value::Item;
use crate::cursor::Cursor;
use crate::{Fault, RepairKind};

/// Groups with nothing but space or commas between them.
#[derive(Debug)]
pub(crate) struct Run<'t> {
    pub(crate) items: Vec<Item<'t>>,
    pub(crate) place: Range<usize>,
    pub(crate) repairs: Repairs,
}

/// The runs of groups in a part of a text, one after the other.
#[derive(Debug)]
pub(crate) struct Runs<'t> {
    cursor: Cursor<'t>,
}

impl<'t> Runs<'t> {
    pub(crate) fn within(text: &'t str, part: &Range<usize>) -> Self {
        Self { cursor: Cursor::within(text, part) }
    }

    /// The next run.
    pub(crate) fn next(&mut self) -> Result<Option<Run<'t>>, Fault> {
        self.cursor.skip_while(|c| !begins_group(c));
        if self.cursor.peek().is_none() {
            return Ok(None);
        }
        let start = self.cursor.offset();
        let mut parser = Parser::new(self.cursor);
        let mut items = vec![parser.group()?];
        loop {
            let end = parser.cursor.offset();
            let mut ahead = parser.cursor;
            ahead.skip_while(|c| is_space(c) || matches!(c, ',' | '，'));
            if !ahead.peek().is_some_and(begins_group) {
                self.cursor = parser.cursor;
                return Ok(Some(Run { items, place: start..end, repairs: parser.repairs }));
            }
            parser.repairs.note(RepairKind::Joined, ahead.offset());
            parser.cursor = ahead;
            items.push(parser.group()?);
        }
    }
}

/// Round brackets are prose more often than tuples.
fn begins_group(c: char) -> bool {
    matches!(opener(c), Some(Bracket::Brace | Bracket::Square))
}
