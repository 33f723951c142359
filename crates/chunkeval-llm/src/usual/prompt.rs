//! The text of a record and the types that were asked for.

use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use super::Unusual;
use super::scanner::Scanner;
use super::types::Types;
use crate::lenient::is_space;
use crate::record::{Instruction, SchemaCache, instruction, is_prose, schema, text_of};

/// The text of a record.
#[derive(Clone, Debug, Default)]
pub(super) enum Text {
    #[default]
    None,
    /// A part of the line.
    Line(Range<usize>),
    Decoded(String),
}

/// What prompts ask for. Most of a file ask for the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Prompts {
    cache: SchemaCache,
    /// The numbers of the types that the last prompt asked for, if it did.
    asked: Option<Vec<u32>>,
    /// Of the last instruction, if it has one.
    template: Option<Template>,
}

/// An instruction but for its input. One that differs from it in nothing but characters within that
/// string asks for the same types.
#[derive(Clone, Debug)]
struct Template {
    before: String,
    behind: String,
}

impl Prompts {
    /// The numbers of the types that the last prompt asked for.
    pub(super) fn asked(&self) -> Option<&[u32]> {
        self.asked.as_deref()
    }

    /// Reads an instruction: its text, and the types that it asks for.
    pub(super) fn instruction(
        &mut self,
        scanner: &mut Scanner<'_>,
        types: &mut Types,
    ) -> Result<Text, Unusual> {
        if let Some(input) = self.template.as_ref().and_then(|template| template.input(scanner)) {
            return Ok(Text::Line(input));
        }
        let start = scanner.at();
        scanner.skip_value()?;
        let raw = scanner.between(start, scanner.at());
        self.template = None;
        if is_prose(raw) {
            self.asked = None;
            return Ok(Text::None);
        }
        let (text, asked) = instruction(raw, &mut self.cache).map_err(|_| Unusual)?;
        self.set_asked(asked.as_deref(), types)?;
        self.template = Template::of(raw);
        Ok(text.map_or(Text::None, Text::Decoded))
    }

    /// Reads a text.
    pub(super) fn text(scanner: &mut Scanner<'_>) -> Result<Text, Unusual> {
        let start = scanner.at();
        scanner.skip_value()?;
        let raw = scanner.between(start, scanner.at());
        match raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')) {
            None if raw == "null" => Ok(Text::None),
            None => Err(Unusual),
            Some(inner) if inner.contains('\\') => {
                text_of(raw).map(|text| Text::Decoded(text.into_owned())).ok_or(Unusual)
            }
            Some(_) => Ok(Text::Line(start + 1..scanner.at() - 1)),
        }
    }

    /// Reads the types that are asked for.
    pub(super) fn schema(
        &mut self,
        scanner: &mut Scanner<'_>,
        types: &mut Types,
    ) -> Result<(), Unusual> {
        let start = scanner.at();
        scanner.skip_value()?;
        let raw = scanner.between(start, scanner.at());
        let asked: Option<Arc<[String]>> = schema(raw, &mut self.cache).map_err(|_| Unusual)?;
        self.set_asked(asked.as_deref(), types)
    }

    fn set_asked(&mut self, asked: Option<&[String]>, types: &mut Types) -> Result<(), Unusual> {
        let Some(asked) = asked else {
            self.asked = None;
            return Ok(());
        };
        // The lenient reading trims them.
        if asked.iter().any(|name| name.starts_with(is_space) || name.ends_with(is_space)) {
            return Err(Unusual);
        }
        let numbers = self.asked.get_or_insert_default();
        numbers.clear();
        numbers.extend(asked.iter().map(|name| types.number_of(name)));
        Ok(())
    }
}

impl Template {
    fn of(raw: &str) -> Option<Self> {
        let decoded = text_of(raw);
        let json = decoded.as_deref().unwrap_or(raw);
        let instruction: Instruction<'_> = serde_json::from_str(json).ok()?;
        let input = instruction.input?.get().strip_prefix('"')?.strip_suffix('"')?;
        if input.contains('\\') || input.is_empty() {
            return None;
        }
        let address = |text: &str| text.as_ptr() as usize;
        let before = json.get(..address(input).checked_sub(address(json))?)?;
        // The input may stand elsewhere, too.
        let mut places = memmem::find_iter(raw.as_bytes(), input.as_bytes());
        let at = places.find(|&at| match &decoded {
            None => at == before.len(),
            Some(_) => {
                let written = raw.get(..at).map(|written| format!("{written}\""));
                written.is_some_and(|written| text_of(&written).as_deref() == Some(before))
            }
        })?;
        let behind = raw.get(at + input.len()..)?;
        Some(Self { before: raw.get(..at)?.to_owned(), behind: behind.to_owned() })
    }

    /// Reads an instruction that is like this, and says where its input is.
    fn input(&self, scanner: &mut Scanner<'_>) -> Option<Range<usize>> {
        let mut ahead = *scanner;
        if !ahead.rest().starts_with(self.before.as_bytes()) {
            return None;
        }
        ahead.advance(self.before.len());
        let start = ahead.at();
        ahead.find([b'"', b'\\'])?;
        let end = ahead.at();
        if !ahead.rest().starts_with(self.behind.as_bytes()) {
            return None;
        }
        ahead.advance(self.behind.len());
        *scanner = ahead;
        Some(start..end)
    }
}
