//! What `compare` has to say.

use chunkeval_html::Differences;
use chunkeval_report::{Cell, Grid};
use chunkeval_stats::Interval;
use serde_json::json;

use super::found::{Difference, Found, Of};
use crate::output::{Page, Part};

/// The page of a comparison of two files.
pub(super) fn page(found: &Found, [first, second]: &[String; 2]) -> Page {
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
    let mut page = Page::default();
    page.push(Part::Fact { name: "first", text: None, value: json!(first) });
    page.push(Part::Fact { name: "second", text: None, value: json!(second) });
    page.push(Part::Grid {
        name: "differences",
        heading: format!("{first} less {second}"),
        grid,
        note: how(found),
    });
    page.push(Part::Fact {
        name: "undefined",
        text: undefined(found),
        value: json!(found.undefined),
    });
    let signature = found.protocol.to_string();
    page.push(Part::Fact {
        name: "signature",
        text: Some(signature.clone()),
        value: json!(signature),
    });
    page.set_html(html(found, first, second));
    page
}

fn html(found: &Found, first: &str, second: &str) -> chunkeval_html::Page {
    let mut differences = Differences::new(first, second);
    for d in &found.differences {
        differences = differences.with(name(d), &d.bootstrap, &d.randomisation, d.corrected);
    }
    for note in [how(found), undefined(found)].into_iter().flatten() {
        differences = differences.note(note);
    }
    chunkeval_html::Page::new(format!("{first} against {second}"))
        .with(differences)
        .with(found.protocol.clone())
}

fn name(d: &Difference) -> String {
    match &d.of {
        Of::Average(average) => format!("{average} {}", d.score),
        Of::Type(name) => name.clone(),
    }
}

/// How it was tested.
fn how(found: &Found) -> Option<String> {
    let b = &found.differences.first()?.bootstrap;
    let Interval { level, method, resamples, units, seed, .. } = b.interval?;
    let (percent, types) = ((level * 1e8).round() / 1e6, found.types());
    Some(format!(
        "{percent}% {method} intervals; paired bootstrap and approximate randomisation, {resamples} \
         resamples of {units} sentences, seed {seed}; randomisation's p of {types} types corrected \
         after Holm."
    ))
}

/// What was not compared.
fn undefined(found: &Found) -> Option<String> {
    let names = found.undefined.join(", ");
    (!names.is_empty()).then(|| format!("Not compared, since a system has no such score: {names}."))
}
