//! What stands between the tokens of an answer: space, comments, separators.

use super::repairs::Repairs;
use super::signs::{begins_comment, is_gap, is_json_space, is_separator};
use super::strings::escaped_space;
use crate::RepairKind;
use crate::cursor::Cursor;

/// Reads space and comments.
pub(crate) fn skip_space(cursor: &mut Cursor<'_>, repairs: &mut Repairs) {
    loop {
        cursor.skip_while(is_json_space);
        let at = cursor.offset();
        if begins_comment(cursor.rest()) {
            repairs.note(RepairKind::Comment, at);
            skip_comment(cursor);
        } else if cursor.peek().is_some_and(is_gap) {
            repairs.note(RepairKind::Separator, at);
            cursor.skip_while(is_gap);
        } else if let Some(len) = escaped_space(cursor.rest()) {
            repairs.note(RepairKind::Escape, at);
            cursor.advance(len);
        } else {
            return;
        }
    }
}

/// To the end of the line, or of the block.
fn skip_comment(cursor: &mut Cursor<'_>) {
    let rest = cursor.rest();
    if rest.starts_with("/*") {
        let end = rest.get(2..).and_then(|inside| inside.find("*/"));
        cursor.advance(end.map_or(rest.len(), |end| end + 4));
    } else {
        cursor.skip_while(|c| c != '\n' && c != '\r');
    }
}

/// Reads space, comments and separators before an item or a closing bracket; says how many
/// separators there were.
pub(crate) fn skip_separators(cursor: &mut Cursor<'_>, repairs: &mut Repairs) -> usize {
    let mut separators = 0;
    loop {
        skip_space(cursor, repairs);
        match cursor.peek() {
            Some(c) if is_separator(c) => {
                if c != ',' {
                    repairs.note(RepairKind::Separator, cursor.offset());
                }
                separators += 1;
                cursor.bump();
            }
            _ => return separators,
        }
    }
}
