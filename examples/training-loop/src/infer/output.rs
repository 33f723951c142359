//! CoNLL columns, and entities as JSON Lines.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use chunkeval::data::PredictionWriter;
use serde::Serialize;

use super::InferArgs;
use super::documents::{Documents, Text};
use crate::corpus::Labels;
use crate::error::{Error, Result};
use crate::run::Evaluation;

/// A sentence, as a line of JSON.
#[derive(Debug, Serialize)]
struct Line<'a> {
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
    text: String,
}

/// That no output is the input, or a file of its folder, and that they are two.
pub(super) fn check(args: &InferArgs) -> Result<()> {
    let whole = |path: &Path| path.canonicalize().ok().filter(|path| path.is_file());
    let outputs = [("--columns", &args.columns), ("--entities", &args.entities)];
    let input = args.input.canonicalize().ok();
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        let over = whole(path).zip(input.as_ref());
        if over.is_some_and(|(output, input)| output.starts_with(input)) {
            let (output, input) = (path.display(), args.input.display());
            let reason = format!("{option} {output} would write over the input {input}");
            return Err(Error::Usage(reason));
        }
    }
    let [Some(columns), Some(entities)] = outputs.map(|(_, path)| path.as_ref()) else {
        return Ok(());
    };
    let same = columns == entities
        || whole(columns).is_some_and(|columns| Some(columns) == whole(entities));
    match same && columns.as_os_str() != "-" {
        true => {
            let path = columns.display();
            Err(Error::Usage(format!("--columns and --entities are the same file, {path}")))
        }
        false => Ok(()),
    }
}

/// Writes what was asked for.
pub(super) fn write(
    args: &InferArgs,
    documents: &Documents,
    labels: &Labels,
    evaluation: &Evaluation,
) -> Result<()> {
    let predicted = &evaluation.predicted;
    if let Some(path) = &args.columns {
        columns(path, documents, labels, predicted)?;
    }
    let standard = args.columns.is_none().then(|| Path::new("-"));
    if let Some(path) = args.entities.as_deref().or(standard) {
        entities(path, documents, labels, predicted)?;
    }
    Ok(())
}

fn columns(
    path: &Path,
    documents: &Documents,
    labels: &Labels,
    predicted: &[Vec<i32>],
) -> Result<()> {
    let mut target = open(path)?;
    let texts = |ids: &[i32]| -> Vec<&str> { ids.iter().map(|&id| labels.text(id)).collect() };
    let sentences = documents.split.sentences.iter().zip(predicted);
    if documents.gold {
        let mut writer = PredictionWriter::new(target, path);
        for (sentence, predicted) in sentences {
            let mut sentence = sentence.clone();
            sentence.set_predicted(texts(predicted))?;
            writer.write(&sentence)?;
        }
        writer.finish()?;
        return Ok(());
    }
    let put = || {
        for (sentence, predicted) in sentences {
            for (token, label) in sentence.tokens().iter().zip(texts(predicted)) {
                writeln!(target, "{token}\t{label}")?;
            }
            writeln!(target)?;
        }
        target.flush()
    };
    put().map_err(|e| Error::io(path, e))
}

fn entities(
    path: &Path,
    documents: &Documents,
    labels: &Labels,
    predicted: &[Vec<i32>],
) -> Result<()> {
    let mut target = open(path)?;
    let mut put = || {
        for (text, ids) in documents.texts.iter().zip(predicted) {
            serde_json::to_writer(&mut target, &line(text, labels, ids))?;
            writeln!(target)?;
        }
        target.flush()
    };
    put().map_err(|e| Error::io(path, e))
}

fn line<'a>(text: &'a Text, labels: &'a Labels, ids: &[i32]) -> Line<'a> {
    let entity = |chunk: chunkeval::Chunk<'a>| {
        let first = text.tokens.get(chunk.start)?;
        let last = text.tokens.get(chunk.end.checked_sub(1)?)?;
        let (start, end) = (first.start, last.end);
        let entity_type = chunk.entity_type;
        Some(Entity { entity_type, start, end, text: text.part(start..end) })
    };
    let entities = labels.tags().entities(ids).into_iter().filter_map(entity).collect();
    Line { text: &text.text, entities }
}

/// A file, or standard output.
fn open(path: &Path) -> Result<Box<dyn Write>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(BufWriter::new(io::stdout().lock())));
    }
    let file = File::create(path).map_err(|e| Error::io(path, e))?;
    Ok(Box::new(BufWriter::new(file)))
}
