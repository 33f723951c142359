//! Lines of the usual form, counted without making a [`Record`](crate::Record) of each.
//!
//! Nearly all lines of nearly all files are alike: one JSON object, an instruction like that of the
//! line before, a list of gold entities, and an answer that both readings read alike. Such lines are
//! counted from where their texts stand, and nothing is kept of them. Whatever is unusual, faults
//! included, is left to the plain way: [`RecordParser`](crate::RecordParser), then
//! [`AnswerReading`]; the result is the same.
//!
//! 1. [`scanner`]: one pass over the line finds its fields ([`keys`]).
//! 2. [`prompt`]: text and types of an instruction that is like the one before.
//! 3. [`gold`] and [`answer`]: entities as numbers ([`types`], [`listed`]), in quotes ([`quoted`]).
//! 4. [`compared`]: one side against the other. [`tally`]: the sums.

mod answer;
mod compared;
mod gold;
mod keys;
mod listed;
mod mentions;
mod prompt;
mod quoted;
mod scanner;
mod tally;
mod types;
mod wide;

use compared::Compared;
use keys::{Field, Keys};
use listed::Listed;
use mentions::{Place, invented};
use prompt::{Prompts, Text};
use quoted::{Decoded, InString, Itself};
use scanner::Scanner;
use tally::{Line, Tally, Written};
use types::Types;
use wide::Wide;

use crate::evaluator::Options;
use crate::record::{id_name, text_of};
use crate::state::ExtractionState;
use crate::{Matching, Normalisation, RecordCounts, RecordFormat, RecordId};

/// So many names of types are kept from one block of lines to the next.
const MOST_TYPES: usize = 4096;

/// The line is not of the usual form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unusual;

/// Why reading stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// The text ends before the answer does.
    Cut,
    /// It is not of the usual form.
    Unusual,
}

impl From<Unusual> for Stop {
    fn from(_: Unusual) -> Self {
        Self::Unusual
    }
}

/// Counts usual lines.
#[derive(Clone, Debug)]
pub(crate) struct Usual {
    keys: Keys,
    most_listed: usize,
    types: Types,
    prompts: Prompts,
    gold: Listed,
    answer: Listed,
    compared: Compared,
    records: RecordCounts,
    tallies: Vec<Tally>,
}

impl Usual {
    /// For records of a format under options; `None` of those that are not usual.
    pub(crate) fn new(format: &RecordFormat, options: &Options) -> Option<Self> {
        let rule = options.rule;
        let published = rule.matching == Matching::Set && rule.normalisation == Normalisation::NONE;
        if !published || format.answer_key.is_some() {
            return None;
        }
        let tallies = options.readings.iter().map(|&reading| Tally::new(reading)).collect();
        Some(Self {
            keys: Keys::of(format)?,
            most_listed: options.listed,
            types: Types::default(),
            prompts: Prompts::default(),
            gold: Listed::default(),
            answer: Listed::default(),
            compared: Compared::default(),
            records: RecordCounts::default(),
            tallies,
        })
    }

    /// Counts a line; says whether it was a usual one. Nothing is counted of any other.
    pub(crate) fn count(&mut self, line: &str, number: u64) -> bool {
        self.read(line, number).is_ok()
    }

    fn read(&mut self, line: &str, number: u64) -> Result<(), Unusual> {
        if has_control(line) {
            return Err(Unusual);
        }
        self.gold.clear();
        self.answer.clear();
        let mut scanner = Scanner::new(line);
        let mut seen = Seen::default();
        self.fields(&mut scanner, &mut seen)?;
        let (true, Some(written)) = (seen.gold, seen.written) else { return Err(Unusual) };

        self.compared.compare(line, &self.gold, &self.answer);
        let text = match &seen.text {
            Text::None => None,
            Text::Line(range) => {
                Some(Place::new(scanner.between(range.start, line.len()), range.len()))
            }
            Text::Decoded(text) => Some(Place::new(text, text.len())),
        };
        let invented = text.map_or(0, |text| invented(text, &self.answer, line));
        let asked = if seen.schema { self.prompts.asked() } else { None };
        let Listed { single_quotes: quotes, unpaired, .. } = self.answer;
        let of_line = Line { asked, written, invented, quotes, unpaired };
        self.records.records += 1;
        self.records.with_text += u64::from(text.is_some());
        self.records.with_schema += u64::from(asked.is_some());
        self.records.repeated_gold += self.compared.repeated_gold;
        for (number, of_type) in self.compared.types() {
            self.records.gold += of_type.listed_gold;
            if !of_line.asked(number) {
                self.records.gold_not_asked += of_type.listed_gold;
            }
        }
        let id = || RecordId { line: number, id: seen.id.and_then(id_name), file: None };
        for tally in &mut self.tallies {
            tally.add(&of_line, &self.compared, id, number, self.most_listed);
        }
        Ok(())
    }

    /// Reads the object that a line is.
    fn fields<'l>(
        &mut self,
        scanner: &mut Scanner<'l>,
        seen: &mut Seen<'l>,
    ) -> Result<(), Unusual> {
        let mut at = 0;
        loop {
            let field = self.keys.read(at, scanner)?;
            at += 1;
            self.value(field, scanner, seen)?;
            scanner.skip_spaces();
            if scanner.peek() != Some(b',') {
                break;
            }
        }
        if scanner.take(b'}') && scanner.is_at_end() { Ok(()) } else { Err(Unusual) }
    }

    fn value<'l>(
        &mut self,
        field: Field,
        scanner: &mut Scanner<'l>,
        seen: &mut Seen<'l>,
    ) -> Result<(), Unusual> {
        // A line in which one of them stands twice is refused.
        let once = |seen: &mut bool| match std::mem::replace(seen, true) {
            true => Err(Unusual),
            false => Ok(()),
        };
        match field {
            Field::Other => scanner.skip_value()?,
            Field::Id => {
                let start = scanner.at();
                scanner.skip_value()?;
                let raw = scanner.between(start, scanner.at());
                if seen.id.replace(raw).is_some() {
                    return Err(Unusual);
                }
            }
            Field::Instruction => {
                once(&mut seen.schema)?;
                seen.text = self.prompts.instruction(scanner, &mut self.types)?;
            }
            Field::Text => {
                once(&mut seen.text_field)?;
                seen.text = Prompts::text(scanner)?;
            }
            Field::Schema => {
                once(&mut seen.schema)?;
                self.prompts.schema(scanner, &mut self.types)?;
            }
            Field::Gold => {
                once(&mut seen.gold)?;
                self.gold(scanner)?;
            }
            Field::Answer => {
                let written = self.answer(scanner)?;
                if seen.written.replace(written).is_some() {
                    return Err(Unusual);
                }
            }
        }
        Ok(())
    }

    fn gold(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Unusual> {
        let (types, listed) = (&mut self.types, &mut self.gold);
        if scanner.peek() != Some(b'"') {
            return gold::gold::<Itself>(scanner, types, listed).map_err(|_| Unusual);
        }
        let mut inside = *scanner;
        inside.advance(1);
        if gold::gold::<InString>(&mut inside, types, listed).is_ok() {
            inside.advance(1);
            *scanner = inside;
            return Ok(());
        }
        let text = decoded(scanner)?;
        listed.clear();
        gold::gold::<Decoded>(&mut Scanner::new(&text), types, listed).map_err(|_| Unusual)?;
        listed.decoded = Some(text);
        Ok(())
    }

    fn answer(&mut self, scanner: &mut Scanner<'_>) -> Result<Written, Unusual> {
        let (types, listed) = (&mut self.types, &mut self.answer);
        if scanner.peek() != Some(b'"') {
            let read = answer::answer::<Itself>(scanner, types, listed);
            return read.map(|()| Written::Json).map_err(|_| Unusual);
        }
        let mut inside = *scanner;
        inside.advance(1);
        let mut read = answer::answer::<InString>(&mut inside, types, listed);
        match read {
            Err(Stop::Unusual) => {
                let text = decoded(scanner)?;
                listed.clear();
                read = answer::answer::<self::Decoded>(&mut Scanner::new(&text), types, listed);
                listed.decoded = Some(text);
            }
            Ok(()) | Err(Stop::Cut) => {
                inside.advance(1);
                *scanner = inside;
            }
        }
        match read {
            Ok(()) if listed.single_quotes > 0 => Ok(Written::SingleQuotes),
            Ok(()) => Ok(Written::Json),
            Err(Stop::Cut) => Ok(Written::Cut),
            Err(Stop::Unusual) => Err(Unusual),
        }
    }

    /// What was counted since the beginning or the last time.
    pub(crate) fn take(&mut self) -> ExtractionState {
        let types = &self.types;
        let readings = self.tallies.iter_mut().map(|tally| tally.take(types)).collect();
        let records = std::mem::take(&mut self.records);
        if self.types.len() > MOST_TYPES {
            self.types = Types::default();
            self.prompts = Prompts::default();
        }
        ExtractionState { records, readings, listed: self.most_listed }
    }
}

/// What was seen of a line.
#[derive(Default)]
struct Seen<'l> {
    id: Option<&'l str>,
    text: Text,
    text_field: bool,
    /// A field that may name types.
    schema: bool,
    gold: bool,
    written: Option<Written>,
}

/// The text of the JSON string that begins here, which is read.
fn decoded(scanner: &mut Scanner<'_>) -> Result<String, Unusual> {
    let start = scanner.at();
    scanner.skip_string()?;
    let text = text_of(scanner.between(start, scanner.at())).ok_or(Unusual)?;
    if has_control(&text) { Err(Unusual) } else { Ok(text.into_owned()) }
}

/// Whether there are control characters in a text, tabs and line ends among them.
fn has_control(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(last) = bytes.last_chunk() else { return bytes.iter().any(|byte| *byte < b' ') };
    let wides = bytes.as_chunks().0.iter().chain([last]);
    wides.fold(Wide::SPACES, |least, wide| least.min(Wide::new(*wide))) != Wide::SPACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_found_wherever_they_stand() {
        for length in 0..50 {
            let text = "~ é".repeat(length);
            assert!(!has_control(&text), "{length}");
            for (at, _) in text.char_indices() {
                for control in ['\0', '\t', '\u{1f}'] {
                    let mut text = text.clone();
                    text.insert(at, control);
                    assert!(has_control(&text), "{length} {at}");
                }
            }
        }
    }
}
