//! The counts of one reading, by the numbers of types.

use chunkeval_core::ChunkCounts;

use crate::state::{ReadingState, Share, TypeState};
use crate::{AnswerReading, HealthKind, RecordId, RepairCounts, RepairKind};

use super::compared::Compared;
use super::types::Types;

/// What was counted under one reading.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    reading: AnswerReading,
    /// All but the types and repairs.
    state: ReadingState,
    /// By the number of the type.
    types: Vec<TypeState>,
    /// Texts in single quotes, ends that were cut off, and keys there: usual answers need no other
    /// repair.
    quotes: RepairCounts,
    truncated: RepairCounts,
    unpaired: RepairCounts,
}

/// What a line says besides its entities.
pub(super) struct Line<'a> {
    /// The numbers of the types that were asked for, if they were.
    pub(super) asked: Option<&'a [u32]>,
    /// How the answer is written.
    pub(super) written: Written,
    /// Entities of the answer that do not stand in the text.
    pub(super) invented: u64,
    /// Texts of the answer in single quotes.
    pub(super) quotes: u64,
    /// Where the answer is cut, a key stands without its value.
    pub(super) unpaired: bool,
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// As JSON.
    Json,
    /// With single quotes, as in Python: the lenient reading repairs them.
    SingleQuotes,
    /// Cut off: the strict reading does not know it, the lenient one reads what is there.
    Cut,
}

impl Line<'_> {
    /// Whether a type was asked for; every type is, if nothing is said.
    #[inline(always)]
    pub(super) fn asked(&self, number: u32) -> bool {
        self.asked.is_none_or(|asked| asked.contains(&number))
    }
}

impl Tally {
    pub(super) fn new(reading: AnswerReading) -> Self {
        Self {
            reading,
            state: ReadingState::default(),
            types: Vec::new(),
            quotes: RepairCounts::default(),
            truncated: RepairCounts::default(),
            unpaired: RepairCounts::default(),
        }
    }

    /// Adds a record; of the answers of each kind of health, `most` are listed.
    pub(super) fn add(
        &mut self,
        line: &Line<'_>,
        compared: &Compared,
        id: impl Fn() -> RecordId,
        line_number: u64,
        most: usize,
    ) {
        let readable = self.reading == AnswerReading::Lenient || line.written != Written::Cut;
        let mended = self.reading == AnswerReading::Lenient && line.written != Written::Json;
        let names_none = !compared.types().any(|(_, of_type)| of_type.in_answer);
        let ReadingState { answers, schema, mentions, health, .. } = &mut self.state;
        let mut note = |kind, holds: bool| {
            if holds {
                health.entry(kind).or_default().add(&id, line_number, most);
            }
        };
        let answers = match readable {
            false => &mut answers.unparsable,
            true if names_none => &mut answers.empty,
            true if mended => &mut answers.repaired,
            true => &mut answers.clean,
        };
        *answers += 1;
        note(HealthKind::Clean, readable && !mended);
        note(HealthKind::Repaired, readable && mended);
        note(HealthKind::Unreadable, !readable);
        if !readable {
            for (number, of_type) in compared.types().filter(|(_, of_type)| of_type.in_gold) {
                let gold = ChunkCounts { gold: of_type.counts.gold, ..ChunkCounts::default() };
                let state = state_of(&mut self.types, number);
                add(&mut state.unread, gold);
                if line.asked(number) {
                    add(&mut state.unread_asked, gold);
                }
            }
            return;
        }
        if mended && line.quotes > 0 {
            self.quotes.note(line.quotes);
        }
        if mended && line.written == Written::Cut {
            self.truncated.note(1);
            if line.unpaired {
                self.unpaired.note(1);
            }
        }
        let (mut unknown_types, mut unknown_entities, mut listed) = (0, 0, 0);
        for (number, of_type) in compared.types() {
            let asked = line.asked(number);
            let state = state_of(&mut self.types, number);
            add(&mut state.read, of_type.counts);
            if asked {
                add(&mut state.asked, of_type.counts);
            }
            listed += of_type.listed;
            if of_type.in_answer && !asked {
                unknown_types += 1;
                unknown_entities += of_type.listed;
            }
        }
        let asked = line.asked.unwrap_or_default();
        let missing = asked.iter().filter(|&&number| !compared.is_in_answer(number)).count();
        schema.unknown_types += unknown_types;
        schema.unknown_type_entities += unknown_entities;
        schema.missing_types += missing as u64;
        mentions.listed += listed;
        mentions.repeated += compared.repeated;
        mentions.invented += line.invented;
        note(HealthKind::Truncated, line.written == Written::Cut);
        note(HealthKind::Duplicated, compared.repeated > 0);
        note(HealthKind::Invented, line.invented > 0);
        note(HealthKind::UnknownType, unknown_types > 0);
        note(HealthKind::WrongSchema, missing > 0);
    }

    /// What was counted, with the names of the types; nothing is left.
    pub(super) fn take(&mut self, types: &Types) -> ReadingState {
        let mut state = std::mem::take(&mut self.state);
        let counted = types.names().zip(self.types.drain(..));
        let seen = counted.filter(|(_, of_type)| of_type.read.records + of_type.unread.records > 0);
        state.types = seen.map(|(name, of_type)| (name.to_owned(), of_type)).collect();
        let repairs = [
            (RepairKind::Truncated, std::mem::take(&mut self.truncated)),
            (RepairKind::Unpaired, std::mem::take(&mut self.unpaired)),
            (RepairKind::Quotes, std::mem::take(&mut self.quotes)),
        ];
        state.repairs = repairs.into_iter().filter(|(_, of_kind)| of_kind.answers > 0).collect();
        state
    }
}

fn add(share: &mut Share, counts: ChunkCounts) {
    share.records += 1;
    share.counts.gold += counts.gold;
    share.counts.predicted += counts.predicted;
    share.counts.correct += counts.correct;
}

fn state_of(types: &mut Vec<TypeState>, number: u32) -> &mut TypeState {
    let at = number as usize;
    if types.len() <= at {
        types.resize(at + 1, TypeState::default());
    }
    &mut types[at]
}
