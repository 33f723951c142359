//! The value of a [`SideBySide`](crate::SideBySide).

use serde::Serialize;

use crate::{ChunkReport, Mode, Scalars};

/// The value of a [`SideBySide`](crate::SideBySide).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SideBySideReport {
    /// The modes, in the order in which they were asked for.
    pub modes: Vec<ModeReport>,
}

/// The scores in one mode.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ModeReport {
    /// The mode, as it is [displayed](Mode): `lenient`, `IOB2`, `conlleval`.
    pub name: String,
    /// Its scores.
    pub report: ChunkReport,
    /// How far its scores over all chunks are below those of the first reading.
    pub gap: Gap,
}

/// Scores of the first reading less those of another: positive where the other one is lower.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Gap {
    /// The difference in precision.
    pub precision: f64,
    /// The difference in recall.
    pub recall: f64,
    /// The difference in F1.
    pub f1: f64,
}

impl SideBySideReport {
    /// The reports of modes by their names, the first one to be held against.
    pub(super) fn new(reports: Vec<(String, ChunkReport)>) -> Self {
        let first = reports.first().map(|(_, report)| report.overall);
        let modes = reports.into_iter().map(|(name, report)| {
            let (first, this) = (first.unwrap_or(report.overall), report.overall);
            let gap = Gap {
                precision: first.precision - this.precision,
                recall: first.recall - this.recall,
                f1: first.f1 - this.f1,
            };
            ModeReport { name, report, gap }
        });
        Self { modes: modes.collect() }
    }

    /// The scores in a mode, if it was asked for.
    #[must_use]
    pub fn get(&self, mode: Mode) -> Option<&ChunkReport> {
        self.reading(mode).map(|reading| &reading.report)
    }

    /// How far the scores in a mode are below those of the first one.
    #[must_use]
    pub fn gap(&self, mode: Mode) -> Option<Gap> {
        self.reading(mode).map(|reading| reading.gap)
    }

    fn reading(&self, mode: Mode) -> Option<&ModeReport> {
        let name = mode.to_string();
        self.modes.iter().find(|reading| reading.name == name)
    }
}

/// The scalars of each reading behind its name (`IOB2/f1`, `IOB2/per_type/PER/f1`), then the gaps
/// (`gap/IOB2/f1`) of all but the first. A gap is undefined where either score is.
impl Scalars for SideBySideReport {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        for ModeReport { name, report, .. } in &self.modes {
            report.visit(&mut |scalar, value| each(&format!("{name}/{scalar}"), value));
        }
        let Some((first, others)) = self.modes.split_first() else { return };
        let first = &first.report.overall.counts;
        for ModeReport { name, report, .. } in others {
            let this = &report.overall.counts;
            let mut gap = |scalar: &str, of: Option<f64>, less: Option<f64>| {
                each(&format!("gap/{name}/{scalar}"), of.zip(less).map(|(a, b)| a - b));
            };
            gap("precision", first.precision(), this.precision());
            gap("recall", first.recall(), this.recall());
            gap("f1", first.f1(), this.f1());
        }
    }
}
