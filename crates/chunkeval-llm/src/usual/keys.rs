//! The keys of a line, and what they stand for.

use super::Unusual;
use super::scanner::Scanner;
use crate::RecordFormat;
use crate::record::Prompt;

/// Reads the keys of lines.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    names: Vec<(String, Field)>,
    /// Those of the last line in their order, with the signs around them.
    last: Vec<(String, Field)>,
}

/// What stands under a key.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    Id,
    Instruction,
    Text,
    Schema,
    Gold,
    Answer,
    Other,
}

impl Keys {
    /// Those of a format; `None` if it looks deeper in the line, or twice under a name.
    pub(super) fn of(format: &RecordFormat) -> Option<Self> {
        let paths = format.paths();
        let [id, first, second, gold, answer] = paths;
        let mut fields = vec![(answer, Field::Answer), (gold, Field::Gold), (id, Field::Id)];
        fields.extend(match &format.prompt {
            Prompt::Instruction(_) => vec![(first, Field::Instruction)],
            Prompt::Fields { .. } => vec![(first, Field::Text), (second, Field::Schema)],
        });
        let mut names: Vec<(String, Field)> = Vec::new();
        for (path, field) in fields {
            if !path.is_flat() || names.iter().any(|(name, _)| name == path.first()) {
                return None;
            }
            names.push((path.first().to_owned(), field));
        }
        Some(Self { names, last: Vec::new() })
    }

    /// Reads the sign before a key, the key and the colon behind it; says what stands under it.
    pub(super) fn read(&mut self, at: usize, scanner: &mut Scanner<'_>) -> Result<Field, Unusual> {
        if let Some((key, field)) = self.last.get(at)
            && scanner.take_text(key)
        {
            scanner.skip_spaces(); // there may be more of it than before
            return Ok(*field);
        }
        let start = scanner.at();
        take(scanner, if at == 0 { b'{' } else { b',' })?;
        let key = scanner.at();
        if scanner.peek() != Some(b'"') {
            return Err(Unusual);
        }
        scanner.skip_string()?;
        let name = scanner.between(key + 1, scanner.at() - 1);
        if name.contains('\\') {
            return Err(Unusual);
        }
        scanner.skip_spaces();
        take(scanner, b':')?;
        let known = self.names.iter().find(|(known, _)| known == name);
        let field = known.map_or(Field::Other, |(_, field)| *field);
        self.last.truncate(at);
        self.last.push((scanner.between(start, scanner.at()).to_owned(), field));
        Ok(field)
    }
}

/// Reads a sign and the space behind it.
fn take(scanner: &mut Scanner<'_>, sign: u8) -> Result<(), Unusual> {
    if !scanner.take(sign) {
        return Err(Unusual);
    }
    scanner.skip_spaces();
    Ok(())
}
