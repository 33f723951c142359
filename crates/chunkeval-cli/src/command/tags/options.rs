//! From the command line to what is done.

use std::num::NonZeroUsize;

use chunkeval_core::{Mode, Scheme};
use chunkeval_stats::Resampling;

use super::args::{Args, ModeName, Style};
use super::page::Options;
use super::usage;
use crate::Result;
use crate::input::STDIN;
use crate::output::Format;
use crate::tags::{By, Labelling, Plan, Reading, Source};

impl Args {
    /// What is scored.
    pub(super) fn source(&self) -> Result<Source> {
        let layout = self.layout.clone().unwrap_or_default();
        match (&self.file, &self.gold, &self.pred) {
            (Some(path), ..) => Ok(Source::File { path: path.clone(), layout }),
            (None, Some(gold), Some(predicted)) => {
                if gold == predicted && gold.as_os_str() == STDIN {
                    return Err(usage("--gold and --pred cannot both be standard input"));
                }
                let predicted_layout = self.pred_layout.clone().unwrap_or(layout.clone());
                let (gold, predicted) = (gold.clone(), predicted.clone());
                Ok(Source::Pair { gold, gold_layout: layout, predicted, predicted_layout })
            }
            _ => Err(usage("name a file, or --gold and --pred")),
        }
    }

    /// How tags are read.
    pub(super) fn reading(&self) -> Result<Reading> {
        let strict = |scheme: Option<Scheme>| {
            let known = Scheme::ALL.map(Scheme::name).join(", ");
            let missing = || usage(format!("--mode strict needs a --scheme: {known}"));
            scheme.map(Mode::Strict).ok_or_else(missing)
        };
        let mode = match (self.mode, self.scheme) {
            (Some(ModeName::Lenient | ModeName::Conlleval), Some(_)) => {
                return Err(usage("--scheme is for strict reading; leave it or --mode away"));
            }
            (Some(ModeName::Lenient), None) => Mode::Lenient,
            (Some(ModeName::Conlleval), None) => Mode::Conlleval,
            (Some(ModeName::Strict), scheme) => strict(scheme)?,
            (None, Some(scheme)) => Mode::Strict(scheme),
            (None, None) if self.report == Style::Conlleval => Mode::Conlleval,
            (None, None) => Mode::Lenient,
        };
        let reading = Reading {
            modes: if self.both { vec![Mode::Lenient, mode] } else { vec![mode] },
            style: match self.suffix {
                true => crate::tags::Style::Suffix,
                false => crate::tags::Style::Prefix,
            },
            spelling: self.letters,
            labelling: self.tags.unwrap_or(match self.report {
                Style::Ours => Labelling::Strict,
                Style::Seqeval | Style::Conlleval => Labelling::Reference,
            }),
        };
        reading.check()?;
        Ok(reading)
    }

    /// What is counted.
    pub(super) fn plan(&self) -> Result<Plan> {
        if self.report != Style::Ours {
            let exists = matches!(
                (self.report, self.output.format),
                (_, Format::Table)
                    | (Style::Seqeval, Format::Json)
                    | (Style::Conlleval, Format::Latex)
            );
            if !exists {
                return Err(usage("--report: that report does not exist in this --format"));
            }
            if self.both || self.ci || self.errors.is_some() || self.by.is_some() {
                let reason = "--report: --both, --ci, --errors and --by are for our own report";
                return Err(usage(reason));
            }
        }
        let errors = self.errors.or((self.by == Some(By::Type)).then_some(0));
        let conlleval = self.mode == Some(ModeName::Conlleval);
        if errors.is_some() && conlleval {
            return Err(usage(
                "--errors and --by type: conlleval counts no spans, so chunks cannot be compared; \
                 --mode lenient has the same ones on B, I and O",
            ));
        }
        Ok(Plan { by: self.by, errors, rows: self.ci, keep_going: self.keep_going })
    }

    /// On how many threads.
    pub(super) fn threads(&self) -> NonZeroUsize {
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(all)
    }

    /// What the report says.
    pub(super) fn options(&self) -> Options {
        let how = Resampling::new(self.resamples).seed(self.seed).level(self.level);
        Options {
            intervals: self.ci.then(|| how.threads(self.threads().get())),
            both: self.both,
            list_errors: self.errors.is_some(),
            by: self.by,
        }
    }
}
