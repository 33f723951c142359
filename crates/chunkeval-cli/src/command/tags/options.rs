//! From the command line to what is done.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use chunkeval_core::Mode;
use chunkeval_stats::Resampling;

use super::args::{Args, Style};
use super::html::Html;
use super::page::Options;
use super::usage;
use crate::command::reading::ModeName;
use crate::input::STDIN;
use crate::output::{Format, of_files};
use crate::tags::{By, Labelling, Plan, Reading, Source};
use crate::{Result, interrupt, threads};

/// How many errors of each kind an HTML report shows, if it is not said.
const IN_HTML: usize = 3;

impl Args {
    /// What is scored.
    pub(super) fn source(&self) -> Result<Source> {
        match (&self.file, &self.gold, &self.pred) {
            (Some(path), ..) => Ok(self.files.source(None, path)),
            (None, Some(gold), Some(predicted)) => {
                if gold == predicted && gold.as_os_str() == STDIN {
                    return Err(usage("--gold and --pred cannot both be standard input"));
                }
                Ok(self.files.source(Some(gold), predicted))
            }
            _ => Err(usage("name a file, or --gold and --pred")),
        }
    }

    /// How tags are read; in several ways if the scheme is to be detected.
    pub(super) fn readings(&self) -> Result<Vec<Reading>> {
        let defaults = match self.report {
            Style::Ours => (Mode::Lenient, Labelling::Strict),
            Style::Seqeval => (Mode::Lenient, Labelling::Reference),
            Style::Conlleval => (Mode::Conlleval, Labelling::Reference),
        };
        self.reading.readings(self.both, defaults)
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
            if self.both || self.ci || self.errors.is_some() || !self.by.is_empty() {
                let reason = "--report: --both, --ci, --errors and --by are for our own report";
                return Err(usage(reason));
            }
        }
        let by_type = self.by.contains(&By::Type);
        let conlleval = self.reading.mode == Some(ModeName::Conlleval);
        if (self.errors.is_some() || by_type) && conlleval {
            return Err(usage(
                "--errors and --by type: conlleval counts no spans, so chunks cannot be compared; \
                 --mode lenient has the same ones on B, I and O",
            ));
        }
        let in_html = self.output.format == Format::Html && !conlleval;
        let errors = self.errors.or(in_html.then_some(IN_HTML)).or(by_type.then_some(0));
        let units = self.ci.then_some(self.unit);
        let document_start = self.files.document_start.clone().unwrap_or_default();
        let keep_going = self.files.keep_going;
        let by = self.by.clone();
        let reads = self.readings()?;
        let whole = self.report == Style::Conlleval && reads.iter().all(Reading::is_conlleval);
        Ok(Plan { by, errors, whole, units, sentences: false, document_start, keep_going })
    }

    /// On how many threads.
    pub(super) fn threads(&self) -> NonZeroUsize {
        threads::number(self.threads)
    }

    /// What the report says.
    pub(super) fn options(&self) -> Options {
        let how = Resampling::new(self.resamples).seed(self.seed).level(self.level);
        let how = how.stop_if(interrupt::asked);
        Options {
            intervals: self.ci.then(|| how.threads(self.threads().get())),
            list_errors: self.errors.is_some(),
            by: self.by.clone(),
            html: (self.output.format == Format::Html).then(|| self.html()),
        }
    }

    /// The name of the file, if it is one.
    pub(super) fn file_name(&self) -> Option<String> {
        let file = self.file.as_deref().filter(|file| file.as_os_str() != STDIN);
        file.map(|file| file.display().to_string())
    }

    /// What an HTML report needs to know besides.
    fn html(&self) -> Html {
        let name = |path: &Option<PathBuf>| {
            let path = path.as_deref().filter(|path| *path != Path::new(STDIN));
            path.map_or("standard input".to_owned(), |path| path.display().to_string())
        };
        let (empty, file) = match &self.gold {
            Some(_) => (of_files(&[&name(&self.pred), &name(&self.gold)]), &self.gold),
            None => (of_files(&[&name(&self.file)]), &self.file),
        };
        Html { empty, file: name(file), digits: self.output.digits }
    }
}
