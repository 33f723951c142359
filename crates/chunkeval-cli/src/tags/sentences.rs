//! Layouts that are read a sentence at a time, by `chunkeval-data`.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use chunkeval_core::{ErrorKind, Place};
use chunkeval_data::{
    Cells, ConllReader, PairReader, Parallel, ParallelReader, ReadSentences, Sentence,
    WaybillReader,
};

use super::counter::Plan;
use super::interner::Interner;
use super::labels::Labels;
use super::layout::{Layout, Single};
use super::pool::Found;
use super::rows::{Rows, Texts, Token};
use crate::input::Input;
use crate::interrupt::Ending;
use crate::progress::Progress;
use crate::unusable::Fault;
use crate::{Error, Result, interrupt};

/// Sentences held at once.
const HELD: usize = 256;

/// A reader of tags of one kind.
enum AnyReader {
    Conll(ConllReader<Box<dyn BufRead + Send>>),
    Waybill(WaybillReader<Box<dyn BufRead + Send>>),
    Parallel(ParallelReader<Box<dyn BufRead + Send>>),
}

impl ReadSentences for AnyReader {
    fn read_into(&mut self, sentence: &mut Sentence) -> chunkeval_core::Result<bool> {
        match self {
            Self::Conll(reader) => reader.read_into(sentence),
            Self::Waybill(reader) => reader.read_into(sentence),
            Self::Parallel(reader) => reader.read_into(sentence),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Self::Conll(reader) => reader.path(),
            Self::Waybill(reader) => reader.path(),
            Self::Parallel(reader) => reader.path(),
        }
    }
}

impl AnyReader {
    fn open(path: &Path, layout: &Layout) -> Result<(Self, Progress)> {
        let parallel = match layout {
            Layout::Named(chunkeval_data::Format::Parallel(names)) => Some(names),
            _ => None,
        };
        let input = Input::open(&match parallel {
            Some(names) => path.join(&names.tags),
            None => path.to_owned(),
        })?;
        let progress = Progress::new(input.size, input.read.clone());
        let (mut source, name) = input.buffered();
        let single = match layout.single(&mut *source) {
            Err(_) if interrupt::asked() => Single::Waybill, // of nothing
            single => single.map_err(|e| Error::read(&name, e))?,
        };
        let reader = match single {
            Single::Columns(columns) => Self::Conll(ConllReader::new(source, name, &columns)?),
            Single::Waybill => Self::Waybill(WaybillReader::new(source, name)),
            Single::Parallel(names) => Self::Parallel(parallel_reader(path, names, source, name)?),
        };
        Ok((reader, progress))
    }
}

/// Tags alone count here, so the labels of sentences need not be there.
fn parallel_reader(
    folder: &Path,
    names: Parallel,
    tags: Box<dyn BufRead + Send>,
    tags_name: PathBuf,
) -> Result<ParallelReader<Box<dyn BufRead + Send>>> {
    let (tokens, tokens_name) = Input::open(&folder.join(names.tokens))?.buffered();
    Ok(ParallelReader::new(tokens, tokens_name, tags, tags_name))
}

/// Counts the sentences of a file of gold tags and one of predicted tags.
///
/// # Errors
/// A file cannot be read, or a line cannot be used; where files do not run in step there is no
/// going on.
pub(super) fn run<'l>(
    gold: (&Path, &Layout),
    predicted: (&Path, &Layout),
    labels: &'l Labels<'l>,
    plan: &'l Plan,
) -> Result<(Vec<Found<'l>>, Ending)> {
    let (gold, progress) = AnyReader::open(gold.0, gold.1)?;
    let (predicted, _) = AnyReader::open(predicted.0, predicted.1)?;
    let paths = [gold.path().to_owned(), predicted.path().to_owned()];
    let mut reader = PairReader::new(gold, predicted);
    let mut held: Vec<Sentence> = Vec::new();
    held.resize_with(HELD, Sentence::new);
    let mut found = Found::nothing(labels, plan)?;
    let (mut tags, mut rows) = (Interner::new(labels), Rows::default());
    loop {
        rows.clear();
        let mut read = 0;
        for sentence in &mut held {
            match reader.read_into(sentence) {
                Ok(true) => {}
                Ok(false) => break,
                Err(_) if interrupt::asked() => break, // in the middle of a sentence
                Err(error) => return Err(placed(error)),
            }
            if let Err((file, fault)) = push(sentence, read, &mut tags, &mut rows) {
                rows.take_back();
                if !plan.keep_going {
                    return Err(fault.at(&paths[file]));
                }
                found.unusable.push(fault);
            }
            read += 1;
        }
        let texts = held.get(..read).unwrap_or_default();
        let line = texts.first().and_then(Sentence::position).map_or(0, |at| at.line);
        found.add(&rows, line, &SentenceTexts(texts))?;
        progress.show();
        let ending = Ending::now();
        if ending == Ending::Interrupted || read < HELD {
            return Ok((vec![found], ending));
        }
    }
}

/// An error of a reader with its place, if it has one in a file.
pub(super) fn placed(error: chunkeval_core::Error) -> Error {
    let place = match error.place() {
        Some(Place::Text { path, line, column }) => Some((path.to_owned(), line, column)),
        _ => None,
    };
    match (place, error.into_kind()) {
        (Some((path, line, column)), ErrorKind::Parse { reason, .. }) => {
            Error::Place { path, line, column, reason, hint: None }
        }
        (_, ErrorKind::Io { path, source }) => Error::Read { path, source },
        (_, kind) => Error::Core(kind.into()),
    }
}

/// Adds a sentence; a tag that cannot be read is a fault in the gold file (0) or the other (1).
fn push(
    sentence: &Sentence,
    text: usize,
    tags: &mut Interner<'_>,
    rows: &mut Rows,
) -> Result<(), (usize, Fault)> {
    let Some(predicted) = sentence.predicted() else { return Ok(()) };
    for (file, cells) in [sentence.gold(), predicted].into_iter().enumerate() {
        for (at, tag) in cells.iter().enumerate() {
            let id = tags.id(tag.as_bytes(), 0, tag.len());
            let id = id.map_err(|wrong| (file, fault(cells, at, wrong)))?;
            if file == 0 { rows.gold.push(id) } else { rows.predicted.push(id) }
        }
    }
    rows.end(text);
    Ok(())
}

fn fault(cells: Cells<'_>, at: usize, (reason, hint): (String, Option<String>)) -> Fault {
    let (line, column) = cells.position(at).map_or((0, 0), |place| (place.line, place.column));
    Fault { line, column, reason, hint }
}

/// Sentences know their tokens.
struct SentenceTexts<'s>(&'s [Sentence]);

impl Texts for SentenceTexts<'_> {
    fn tokens(&self, text: usize) -> Vec<Token> {
        let Some(sentence) = self.0.get(text) else { return Vec::new() };
        let gold = sentence.gold(); // in parallel files tags have the places
        let tokens = sentence.tokens().iter().enumerate().map(|(at, token)| Token {
            text: token.to_owned(),
            line: gold.position(at).map_or(0, |place| place.line),
        });
        tokens.collect()
    }
}
