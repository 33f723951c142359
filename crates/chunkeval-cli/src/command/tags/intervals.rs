//! How sure the scores are; of answers, too.

use chunkeval_report::{Cell, Grid};
use chunkeval_stats::{Interval, IntervalReport};
use serde_json::json;

use crate::output::Part;
use crate::words::counted;

/// Every score with its interval, over units of that name (`of`). The key in JSON ends with `key`,
/// the heading as `reading` says.
pub(crate) fn intervals(report: &IntervalReport, key: &str, of: &str, reading: &str) -> Part {
    let mut grid = Grid::new(["type", "precision", "recall", "f1"]);
    let cell = |interval: &Option<Interval>| match interval {
        Some(i) => Cell::interval(i.point, i.low, i.high),
        None => Cell::Score(None),
    };
    let (averages, types): (Vec<_>, Vec<_>) =
        report.rows.iter().partition(|row| row.entity_type.is_none());
    for row in types.into_iter().chain(averages) {
        let scores = [&row.precision, &row.recall, &row.f1].map(cell);
        grid.push([Cell::text(&row.name)].into_iter().chain(scores));
    }
    let all = || report.rows.iter().flat_map(|row| [row.precision, row.recall, row.f1]).flatten();
    let note = all().next().map(|any| {
        let Interval { level, method, resamples, units, seed, .. } = any;
        let percent = (level * 1e8).round() / 1e6;
        let resamples = counted(u64::from(resamples), "resample", "resamples");
        let how =
            format!("{percent}% {method} intervals, {resamples} of {units} {of}, seed {seed}");
        match all().map(|interval| interval.undefined).max() {
            None | Some(0) => how + ".",
            Some(most) => format!(
                "{how}; a score is undefined in up to {most} of them: types and the micro average leave \
                 these out, macro and weighted averages take it as 0."
            ),
        }
    });
    let (name, heading) = (format!("intervals{key}").into(), format!("Intervals{reading}"));
    Part::Grid { name, heading, grid, note }
}

/// How intervals were made, for programs; in tables the line below says it.
pub(crate) fn intervals_signature(report: &IntervalReport, key: &str) -> Part {
    let (name, value) = (format!("intervals_signature{key}"), json!(report.protocol.to_string()));
    Part::Fact { name: name.into(), text: None, value }
}
