//! Space, comments and the lines of Python: in brackets a line break is space, outside of them it
//! ends the expression.

use crate::cursor::Cursor;
use crate::{Fault, FaultKind};

/// Reads one line break: `\n`, `\r\n` or `\r`.
pub(crate) fn take_newline(cursor: &mut Cursor<'_>) -> bool {
    let carriage = cursor.take('\r');
    cursor.take('\n') || carriage
}

fn skip_comment(cursor: &mut Cursor<'_>) {
    if cursor.peek() == Some('#') {
        cursor.skip_while(|c| c != '\n' && c != '\r');
    }
}

/// Reads the backslash at the end of a line that goes on in the next one.
fn continuation(cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    let fault = Fault::new(FaultKind::Syntax("a backslash that joins no lines"), cursor.offset());
    cursor.bump();
    if take_newline(cursor) && cursor.peek().is_some() { Ok(()) } else { Err(fault) }
}

/// Reads the space between two tokens of one line; in brackets line breaks, too.
pub(crate) fn skip_space(cursor: &mut Cursor<'_>, in_brackets: bool) -> Result<(), Fault> {
    loop {
        cursor.skip_while(|c| matches!(c, ' ' | '\t' | '\x0c'));
        match cursor.peek() {
            Some('\\') => continuation(cursor)?,
            Some('#') => skip_comment(cursor),
            _ if in_brackets && take_newline(cursor) => {}
            _ => return Ok(()),
        }
    }
}

/// Reads lines without an expression, and the beginning of the first one with one, which must not
/// be indented. At the end of the text a line of nothing but space counts as one with.
pub(crate) fn skip_blank_lines(cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    loop {
        let mut column = 0;
        let mut column_of_joined = 0;
        loop {
            match cursor.peek() {
                Some(' ') => column += 1,
                Some('\t') => column = (column / 8 + 1) * 8,
                Some('\x0c') => column = 0,
                Some('\\') => {
                    if column_of_joined == 0 {
                        column_of_joined = column;
                    }
                    continuation(cursor)?;
                    continue;
                }
                _ => break,
            }
            cursor.bump();
        }
        let comment = cursor.peek() == Some('#');
        skip_comment(cursor);
        if take_newline(cursor) {
            continue;
        }
        if !comment && (column > 0 || column_of_joined > 0) {
            return Err(Fault::new(FaultKind::Syntax("an indented line"), cursor.offset()));
        }
        return Ok(());
    }
}
