//! CoNLL columns, and entities as JSON Lines.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use chunkeval::data::PredictionWriter;
use serde::Serialize;

use super::InferArgs;
use super::documents::Documents;
use super::text::Text;
use crate::corpus::Labels;
use crate::error::{Error, Result};
use crate::run::Evaluation;

/// A sentence, as a line of JSON.
#[derive(Debug, Serialize)]
struct Line<'a> {
    line: u64,
    text: &'a str,
    entities: Vec<Entity<'a>>,
}

#[derive(Debug, Serialize)]
struct Entity<'a> {
    #[serde(rename = "type")]
    entity_type: &'a str,
    /// In characters, the end is the first one behind.
    start: usize,
    end: usize,
    text: &'a str,
}

/// Writes what was asked for. That one output was closed does not keep the other from being written.
pub(super) fn write(
    args: &InferArgs,
    documents: &Documents,
    labels: &Labels,
    evaluation: &Evaluation,
) -> Result<()> {
    let predicted = &evaluation.predicted;
    let mut closed = Ok(());
    if let Some(path) = &args.columns {
        match columns(path, documents, labels, predicted) {
            Err(error) if error.is_closed_pipe() => closed = Err(error),
            result => result?,
        }
    }
    let standard = args.columns.is_none().then(|| Path::new("-"));
    if let Some(path) = args.entities.as_deref().or(standard) {
        entities(path, documents, labels, predicted)?;
    }
    closed
}

fn columns(
    path: &Path,
    documents: &Documents,
    labels: &Labels,
    predicted: &[Vec<i32>],
) -> Result<()> {
    let (target, name) = open(path)?;
    let mut writer = PredictionWriter::new(target, name);
    for (sentence, predicted) in documents.split.sentences.iter().zip(predicted) {
        let mut sentence = sentence.clone();
        sentence.set_predicted(predicted.iter().map(|&id| labels.text(id)))?;
        writer.write(&sentence)?;
    }
    writer.finish()?;
    Ok(())
}

fn entities(
    path: &Path,
    documents: &Documents,
    labels: &Labels,
    predicted: &[Vec<i32>],
) -> Result<()> {
    let (mut target, name) = open(path)?;
    let mut put = || {
        for (text, ids) in documents.texts.iter().zip(predicted) {
            let parts = text.parts();
            serde_json::to_writer(&mut target, &line(text, &parts, labels, ids))?;
            writeln!(target)?;
        }
        target.flush()
    };
    put().map_err(|e| Error::io(name, e))
}

fn line<'a>(
    text: &'a Text,
    parts: impl Fn(Range<usize>) -> Option<&'a str>,
    labels: &'a Labels,
    ids: &[i32],
) -> Line<'a> {
    let entity = |chunk: chunkeval::Chunk<'a>| {
        let first = text.tokens.get(chunk.start)?;
        let last = text.tokens.get(chunk.end.checked_sub(1)?)?;
        let (start, end) = (first.start, last.end);
        let entity_type = chunk.entity_type;
        Some(Entity { entity_type, start, end, text: parts(start..end)? })
    };
    let entities = labels.tags().entities(ids).into_iter().filter_map(entity).collect();
    Line { line: text.line, text: &text.text, entities }
}

/// A file, or standard output, and what messages call it.
fn open(path: &Path) -> Result<(Box<dyn Write>, &Path)> {
    if path.as_os_str() == "-" {
        let name = Path::new("standard output");
        return Ok((Box::new(BufWriter::new(io::stdout().lock())), name));
    }
    let file = File::create(path).map_err(|e| Error::io(path, e))?;
    Ok((Box::new(BufWriter::new(file)), path))
}
