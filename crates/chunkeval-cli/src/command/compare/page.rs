//! What `compare` has to say.

use chunkeval_html::Differences;
use chunkeval_report::{Cell, Grid};
use chunkeval_stats::Interval;
use serde_json::json;

use super::Compared;
use super::found::{Difference, Found, Of};
use crate::command::tell::Unit;
use crate::output::{Missing, Page, Part, of_files};
use crate::unusable::Unusable;
use crate::words::counted;

/// The page of a comparison of two files.
pub(super) fn page(
    compared: &[Compared],
    names: &[String; 2],
    (left_out, unit): (&Unusable, Unit),
) -> Page {
    let [first, second] = names;
    let mut page = Page::default();
    page.push(Part::Fact { name: "first".into(), text: None, value: json!(first) });
    page.push(Part::Fact { name: "second".into(), text: None, value: json!(second) });
    let mut html = of_files(&[first, second]);
    for (at, of) in compared.iter().enumerate() {
        let part = Named { of, names, last: at + 1 == compared.len(), alone: compared.len() == 1 };
        part.push(&mut page);
        html = part.html(html);
    }
    if left_out.sentences > 0 {
        let (what, left_out) = (unit.plural(), left_out.sentences);
        html = html.warning(format!("{what} left out, which the scores lack: {left_out}."));
    }
    let value = match unit {
        Unit::Sentence => json!(left_out),
        _ => json!({"lines": left_out.sentences, "first": left_out.first}),
    };
    page.push(Part::Fact { name: "left_out".into(), text: None, value });
    page.set_html(html);
    if compared.iter().any(|of| of.found.stopped) {
        page.stop(Missing::Tests);
    }
    page
}

/// A comparison and the keys of its parts: the last one has the plain ones.
struct Named<'c> {
    of: &'c Compared,
    names: &'c [String; 2],
    last: bool,
    alone: bool,
}

impl Named<'_> {
    fn key(&self, last: &'static str, other: &'static str) -> &'static str {
        if self.last { last } else { other }
    }

    fn heading(&self) -> String {
        let [first, second] = self.names;
        match self.of.reading {
            Some(reading) if !self.alone => format!("{first} less {second}, {reading} reading"),
            _ => format!("{first} less {second}"),
        }
    }

    fn push(&self, page: &mut Page) {
        let found = &self.of.found;
        page.push(Part::Grid {
            name: self.key("differences", "differences_strict").into(),
            heading: self.heading(),
            grid: grid(found),
            note: self.of.how(),
        });
        page.push(Part::Fact {
            name: self.key("undefined", "undefined_strict").into(),
            text: undefined(found),
            value: json!(found.undefined),
        });
        if let Some(unreadable) = self.of.unreadable {
            page.push(Part::Fact {
                name: self.key("unreadable", "unreadable_strict").into(),
                text: self.of.unread(self.names),
                value: json!(unreadable),
            });
        }
        let signature = found.protocol.to_string();
        page.push(Part::Fact {
            name: self.key("signature", "signature_strict").into(),
            text: Some(signature.clone()),
            value: json!(signature),
        });
    }

    fn html(&self, page: chunkeval_html::Page) -> chunkeval_html::Page {
        let [first, second] = self.names;
        let found = &self.of.found;
        let mut differences = Differences::new(first, second);
        if let Some(reading) = self.of.reading.filter(|_| !self.alone) {
            differences = differences.note(format!("Reading of answers: {reading}."));
        }
        for d in &found.differences {
            differences = differences.with(name(d), &d.bootstrap, &d.randomisation, d.corrected);
        }
        let notes = [self.of.how(), undefined(found), self.of.unread(self.names)];
        for note in notes.into_iter().flatten() {
            differences = differences.note(note);
        }
        page.with(differences).with(found.protocol.clone())
    }
}

/// Every score of both systems.
fn grid(found: &Found) -> Grid {
    let columns = ["kind", "name", "score", "first", "second", "difference"];
    let mut grid =
        Grid::new(columns.into_iter().chain(["p_bootstrap", "p_randomisation", "p_holm"]));
    for d in &found.differences {
        let (kind, name) = match &d.of {
            Of::Average(average) => ("average", average.name()),
            Of::Type(name) => ("type", &**name),
        };
        let b = &d.bootstrap;
        grid.push([
            Cell::text(kind),
            Cell::text(name),
            Cell::text(d.score),
            Cell::Score(Some(b.first)),
            Cell::Score(Some(b.second)),
            match b.interval {
                Some(i) => Cell::interval(b.difference, i.low, i.high),
                None => Cell::Score(Some(b.difference)),
            },
            Cell::Score(Some(b.p_value)),
            Cell::Score(Some(d.randomisation.p_value)),
            d.corrected.map_or(Cell::Empty, |p| Cell::Score(Some(p))),
        ]);
    }
    grid
}

fn name(d: &Difference) -> String {
    match &d.of {
        Of::Average(average) => format!("{average} {}", d.score),
        Of::Type(name) => name.clone(),
    }
}

impl Compared {
    /// How it was tested.
    fn how(&self) -> Option<String> {
        let b = &self.found.differences.first()?.bootstrap;
        let Interval { level, method, resamples, units, seed, .. } = b.interval?;
        let (percent, of) = ((level * 1e8).round() / 1e6, self.of);
        let types = counted(self.found.types() as u64, "type", "types");
        let resamples = counted(u64::from(resamples), "resample", "resamples");
        let mut text = format!(
            "{percent}% {method} intervals; paired bootstrap and approximate randomisation, \
             {resamples} of {units} {of}, seed {seed}; randomisation's p of {types} corrected after \
             Holm."
        );
        if let Some(undefined) = self.undefined() {
            text += &format!(
                " Some resamples lack a score, with nothing to divide by: {undefined}. They are not \
                 in the interval, and count for p_bootstrap as evidence against a difference."
            );
        }
        Some(text)
    }

    /// In how many resamples which differences are undefined, if there are such.
    fn undefined(&self) -> Option<String> {
        let found = &self.found.differences;
        let undefined = found.iter().filter(|d| d.bootstrap.undefined > 0);
        let undefined = undefined.map(|d| format!("{} in {}", name(d), d.bootstrap.undefined));
        let undefined: Vec<String> = undefined.collect();
        (!undefined.is_empty()).then(|| undefined.join(", "))
    }

    /// How many answers could not be read.
    fn unread(&self, [first, second]: &[String; 2]) -> Option<String> {
        let [of_first, of_second] = self.unreadable?;
        let names = format!("{of_first} of {first}, {of_second} of {second}");
        Some(format!("Answers that could not be read, which count as empty: {names}."))
    }
}

/// What was not compared.
fn undefined(found: &Found) -> Option<String> {
    let names = found.undefined.join(", ");
    (!names.is_empty()).then(|| format!("Not compared, since a system has no such score: {names}."))
}
