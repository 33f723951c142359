//! The lenient reading, in eight points: what an answer most likely means, and what had to be
//! repaired to read it.
//!
//! 1. `<think>` blocks, outer space and a byte order mark are dropped ([`thoughts`]); a lone `null`
//!    or `None` is an empty answer; a string that holds the answer is opened once.
//! 2. Groups `{…}` and `[…]` are looked for in code fences ([`fences`]), then everywhere
//!    ([`groups`]). The first that is an answer and names a type wins, else an empty one, else the
//!    text may be an object without its first brace.
//! 3. Neighbouring groups with only space or commas between them are one answer.
//! 4. Brackets, separators, colons and comments of many kinds ([`parser`], [`gaps`], [`signs`]).
//! 5. Strings and bare words ([`strings`], [`quotes`], [`token`]).
//! 6. to 8. What the values mean: types, entities, shapes ([`value`], [`fields`], [`shape`]).

mod fences;
mod fields;
mod gaps;
mod groups;
mod parser;
mod quoted;
mod quotes;
mod repairs;
mod shape;
mod signs;
mod strings;
mod thoughts;
mod token;
mod value;

use std::ops::Range;

use fences::fences;
pub(crate) use fields::{ENTITIES, TYPES, WRAPPERS};
use groups::Runs;
use parser::Parser;
use repairs::Repairs;
use shape::{Found, meaning};
pub(crate) use signs::is_space;
use strings::string_prefix;
use thoughts::Spoken;

use crate::cursor::Cursor;
use crate::{Answer, AnswerStatus, Fault, FaultKind, RepairKind};

/// Reads an answer, or what stands under a key of it.
pub(crate) fn read(text: &str, key: Option<&str>) -> Answer {
    let found = match said(text, Strings::Open, key) {
        Ok(found) => found,
        Err(fault) => {
            let status = match fault.kind {
                FaultKind::NotAnAnswer(_) => AnswerStatus::WrongShape,
                _ => AnswerStatus::Unparsable,
            };
            return Answer::unreadable(status, fault);
        }
    };
    let repairs = found.repairs.list();
    let status = match (found.names_a_type, repairs.is_empty()) {
        (false, _) => AnswerStatus::Empty,
        (true, true) => AnswerStatus::Clean,
        (true, false) => AnswerStatus::Repaired,
    };
    let (entities, malformed) = (found.entities, found.malformed);
    Answer { status, entities, repairs, malformed, unmatchable: Vec::new(), fault: None }
}

/// Whether a string that is the whole text is opened.
#[derive(Clone, Copy, PartialEq)]
enum Strings {
    Open,
    Leave,
}

/// Point 1: what is left without thoughts and outer space.
fn said(text: &str, strings: Strings, key: Option<&str>) -> Result<Found, Fault> {
    let spoken = Spoken::of(text);
    let outer = |c: char| is_space(c) || c == '\u{feff}';
    let started = spoken.text.trim_start_matches(outer);
    let start = spoken.text.len() - started.len();
    let body = started.trim_end_matches(outer);
    let place = |offset: usize| spoken.whole_offset(start + offset);
    let mut found = match body {
        "" => return Err(Fault::new(FaultKind::NoText, 0)),
        "null" => Found::default(),
        "None" => {
            let mut found = Found::default();
            found.repairs.note(RepairKind::BareWord, 0);
            found
        }
        _ => match (quoted::content(body), strings) {
            (None, _) => grouped(body, key),
            (Some((content, repairs)), Strings::Open) => opened(&content, &repairs, key),
            (Some(_), Strings::Leave) => {
                Err(Fault::new(FaultKind::NotAnAnswer("a string in a string"), 0))
            }
        }
        .map_err(|fault| Fault::new(fault.kind, place(fault.offset)))?,
    };
    found.translate(place);
    for &thought in &spoken.thoughts {
        found.repairs.note(RepairKind::Thought, thought);
    }
    if let Some(mark) = text.find('\u{feff}').filter(|_| !body.contains('\u{feff}')) {
        found.repairs.note(RepairKind::Surroundings, mark);
    }
    Ok(found)
}

/// The answer in a string, which had to be repaired itself. Its places are that of the string.
fn opened(content: &str, repairs: &Repairs, key: Option<&str>) -> Result<Found, Fault> {
    let mut found = said(content, Strings::Leave, key).map_err(|fault| match fault.kind {
        FaultKind::NothingFound => Fault::new(FaultKind::NotAnAnswer("a string"), 0),
        kind => Fault::new(kind, 0),
    })?;
    found.translate(|_| 0);
    found.repairs.merge(repairs, |_| 0);
    found.repairs.note(RepairKind::OpenedString, 0);
    Ok(found)
}

/// Point 2: the first group that is an answer and names a type, or else what is most like one.
fn grouped(body: &str, key: Option<&str>) -> Result<Found, Fault> {
    let mut empty = None;
    let mut no_answer = None;
    let fences = fences(body);
    let everywhere = 0..body.len();
    let parts = fences.iter().map(|fence| (&fence.inner, Some(&fence.outer)));
    for (part, fence) in parts.chain([(&everywhere, None)]) {
        let mut runs = Runs::within(body, part);
        while let Some(run) = runs.next()? {
            let mut found = match meaning(body, &run.items, key) {
                Ok(found) => found,
                Err(what) => {
                    let fault = || Fault::new(FaultKind::NotAnAnswer(what), run.place.start);
                    no_answer.get_or_insert_with(fault);
                    continue;
                }
            };
            if !found.names_a_type && empty.is_some() {
                continue; // only the first of them can be wanted
            }
            found.repairs.merge(&run.repairs, |offset| offset);
            if let Some(fence) = fence {
                found.repairs.note(RepairKind::Fence, fence.start);
            }
            note_surroundings(body, fence.unwrap_or(&run.place), &mut found.repairs);
            if found.names_a_type {
                return Ok(found);
            }
            empty.get_or_insert(found);
        }
    }
    if let Some(found) = without_brace(body, key)? {
        // An empty list in it is no answer of its own.
        if empty.is_none() || !found.entities.is_empty() {
            return Ok(found);
        }
    }
    empty.ok_or_else(|| no_answer.unwrap_or_else(|| Fault::new(nothing_found(body), 0)))
}

fn nothing_found(body: &str) -> FaultKind {
    match value::word(body) {
        value::Value::Constant(_) => FaultKind::NotAnAnswer("a number, true or false"),
        _ => FaultKind::NothingFound,
    }
}

/// An object without its first brace, if the text begins with a key in quotes.
fn without_brace(body: &str, key: Option<&str>) -> Result<Option<Found>, Fault> {
    let mut parser = Parser::new(Cursor::new(body));
    if string_prefix(&parser.cursor).is_none() {
        return Ok(None);
    }
    let object = parser.object_without_brace()?;
    let place = object.start..object.end;
    let Ok(mut found) = meaning(body, &[object], key) else { return Ok(None) };
    found.repairs.merge(&parser.repairs, |offset| offset);
    note_surroundings(body, &place, &mut found.repairs);
    Ok(found.names_a_type.then_some(found))
}

fn note_surroundings(body: &str, place: &Range<usize>, repairs: &mut Repairs) {
    let outside = [0..place.start, place.end..body.len()];
    let text = |part: &Range<usize>| body.get(part.clone()).unwrap_or_default();
    if let Some(part) = outside.iter().find(|part| text(part).contains(|c| !is_space(c))) {
        repairs.note(RepairKind::Surroundings, part.start);
    }
}

impl Found {
    /// Gives every place its offset in a larger text.
    fn translate(&mut self, place: impl Fn(usize) -> usize) {
        let mut repairs = Repairs::default();
        repairs.merge(&self.repairs, &place);
        self.repairs = repairs;
        for malformed in &mut self.malformed {
            malformed.offset = place(malformed.offset);
        }
    }
}
