//! A page: what a subcommand has to say, in parts.

use std::borrow::Cow;
use std::io::{self, Write};

use chunkeval_core::ChunkReport;
use chunkeval_report::{Grid, Table};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{Format, Missing, OutputArgs, Sheet, csv, html};

/// What a subcommand has to say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    parts: Vec<Part>,
    /// How it looks in a browser, if that is more than the parts.
    html: Option<Box<chunkeval_html::Page>>,
}

/// A part of a page. Its name is its key in JSON.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// The scores of a report with its signature.
    Scores {
        /// The key in JSON.
        name: String,
        /// The line above, for people.
        heading: Option<String>,
        /// The scores.
        report: Box<ChunkReport>,
        /// What a table of several reports needs besides.
        sheet: Box<Sheet>,
    },
    /// Any other table.
    Grid {
        /// The key in JSON.
        name: Cow<'static, str>,
        /// The line above, for people.
        heading: String,
        /// The table.
        grid: Grid,
        /// A line below, for people.
        note: Option<String>,
    },
    /// A fact: a line for people, a value for programs.
    Fact {
        /// The key in JSON.
        name: Cow<'static, str>,
        /// The line, if people are to see it.
        text: Option<String>,
        /// The value.
        value: Value,
    },
    /// A remark for people alone.
    Note(String),
    /// What the page lacks since Ctrl-C ended the work on it, in words, too.
    Missing(Missing, String),
}

impl Part {
    /// With a sentence more below the table, if it has such a line.
    pub(crate) fn with_note(mut self, more: &str) -> Self {
        if let Self::Grid { note: Some(note), .. } = &mut self {
            note.push(' ');
            note.push_str(more);
        }
        self
    }

    /// The key in JSON, if it has one.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Scores { name, .. } => Some(name),
            Self::Grid { name, .. } => Some(name),
            Self::Fact { name, .. } => Some(name),
            Self::Note(_) | Self::Missing(..) => None,
        }
    }

    /// Whether it has rows.
    fn is_table(&self) -> bool {
        matches!(self, Self::Scores { .. } | Self::Grid { .. })
    }
}

impl Page {
    /// Adds a part at the end.
    pub(crate) fn push(&mut self, part: Part) {
        self.parts.push(part);
    }

    /// Adds parts at the end.
    pub(crate) fn extend(&mut self, parts: impl IntoIterator<Item = Part>) {
        self.parts.extend(parts);
    }

    /// Adds a remark for people, in HTML too.
    pub(crate) fn note(&mut self, text: &str) {
        self.html = self.html.take().map(|html| Box::new(html.note(text)));
        self.push(Part::Note(text.to_owned()));
    }

    /// Says that Ctrl-C ended the work on it, and what it therefore lacks.
    pub(crate) fn stop(&mut self, missing: Missing) {
        let text = format!("Interrupted: {}.", missing.words());
        self.html = self.html.take().map(|html| Box::new(html.warning(&text)));
        self.push(Part::Missing(missing, text));
    }

    /// What Ctrl-C ended after all was read, if it did.
    pub(crate) fn stopped(&self) -> Option<Missing> {
        self.missing().find(|missing| *missing != Missing::Input)
    }

    fn missing(&self) -> impl Iterator<Item = Missing> {
        self.parts.iter().filter_map(|part| match part {
            Part::Missing(missing, _) => Some(*missing),
            _ => None,
        })
    }

    /// Takes the place of the parts in HTML.
    pub(crate) fn set_html(&mut self, page: chunkeval_html::Page) {
        self.html = Some(Box::new(page));
    }

    /// The parts.
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Writes the page.
    pub(crate) fn write(&self, how: &OutputArgs, mut to: impl Write) -> io::Result<()> {
        match how.format {
            Format::Json => {
                serde_json::to_writer_pretty(&mut to, self)?;
                to.write_all(b"\n")
            }
            Format::Csv => match csv::scores(self) {
                Some(scores) => scores.write(how.tables(), to),
                None => {
                    let last = self.parts.iter().rev().find(|part| part.is_table());
                    last.map_or(Ok(()), |part| part.write_table(how, to))
                }
            },
            Format::Html => match &self.html {
                Some(page) => write!(to, "{page}"),
                None => write!(to, "{}", html::page(self, how)),
            },
            Format::Table | Format::Md | Format::Latex => self.write_text(how, to),
        }
    }

    /// What is to be said beside the table, where there is but one; not that Ctrl-C ended the work,
    /// which is said where the program ends.
    pub(super) fn beside(&self, how: &OutputArgs) -> Vec<String> {
        match how.format {
            Format::Csv if csv::scores(self).is_some() => csv::rest(self),
            _ => Vec::new(),
        }
    }

    fn write_text(&self, how: &OutputArgs, mut to: impl Write) -> io::Result<()> {
        let mut first = true;
        for part in &self.parts {
            let (heading, note) = match part {
                Part::Fact { text: None, .. } => continue,
                Part::Fact { text, .. } => (None, text.as_ref()),
                Part::Note(text) | Part::Missing(_, text) => (None, Some(text)),
                Part::Scores { heading, .. } => (heading.as_ref(), None),
                Part::Grid { heading, note, .. } => (Some(heading), note.as_ref()),
            };
            if !std::mem::take(&mut first) {
                writeln!(to)?;
            }
            let (mark, gap) = match how.format {
                Format::Md => ("### ", "\n"),
                Format::Latex => ("% ", ""),
                _ => ("", ""),
            };
            if let Some(heading) = heading {
                writeln!(to, "{mark}{heading}{gap}")?;
            }
            part.write_table(how, &mut to)?;
            if let Some(note) = note {
                let gap = if part.is_table() { gap } else { "" };
                let mark = if how.format == Format::Latex { "% " } else { "" };
                writeln!(to, "{gap}{mark}{note}")?;
            }
        }
        Ok(())
    }
}

impl Part {
    fn write_table(&self, how: &OutputArgs, to: impl Write) -> io::Result<()> {
        match self {
            Self::Scores { report, .. } => {
                let table = Table::new(report).digits(how.digits);
                let rows = if of_answers(report) { ANSWERS } else { SENTENCES };
                table.rows_are(rows).write(how.tables(), to)
            }
            Self::Grid { grid, .. } => grid.clone().digits(how.digits).write(how.tables(), to),
            Self::Fact { .. } | Self::Note(_) | Self::Missing(..) => Ok(()),
        }
    }
}

/// What the rows of such a report are.
pub(crate) const ANSWERS: [&str; 2] = ["answer", "answers"];

/// What those of all others are.
pub(crate) const SENTENCES: [&str; 2] = ["sentence", "sentences"];

/// Whether a report is of answers of language models.
pub(super) fn of_answers(report: &ChunkReport) -> bool {
    report.protocol.get("metric") == Some("extraction")
}

impl Serialize for Page {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for part in &self.parts {
            let Some(name) = part.name() else { continue };
            match part {
                Part::Scores { report, .. } => map.serialize_entry(name, &Table::new(report))?,
                Part::Grid { grid, .. } => map.serialize_entry(name, grid)?,
                Part::Fact { value, .. } => map.serialize_entry(name, value)?,
                Part::Note(_) | Part::Missing(..) => {}
            }
        }
        let missing: Vec<Missing> = self.missing().collect();
        if !missing.is_empty() {
            map.serialize_entry("interrupted", &true)?;
            map.serialize_entry("missing", &missing)?;
        }
        map.end()
    }
}
