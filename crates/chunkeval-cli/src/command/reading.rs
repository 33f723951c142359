//! The options that say how tags are read; several subcommands have them.

use chunkeval_core::{Mode, Scheme};
use clap::{Args, ValueEnum};

use crate::tags::{Labelling, Reading, Spelling, Style};
use crate::{Error, Result};

// A doc comment here would become the description of the subcommand.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reading of tags")]
pub(crate) struct ReadingArgs {
    /// How chunks are found in tags [default: strict if there is a --scheme, else lenient]
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) mode: Option<ModeName>,
    /// The tagging scheme of strict reading: IOB1, IOB2 (or BIO), IOE1, IOE2, IOBES (or BIOES),
    /// BILOU [default: that of the gold tags, if it is sure]
    #[arg(long, value_name = "SCHEME")]
    pub(crate) scheme: Option<Scheme>,
    /// Tags are like PER-B
    #[arg(long)]
    pub(crate) suffix: bool,
    /// The letters of tags
    #[arg(long, value_enum, default_value_t, value_name = "LETTERS")]
    pub(crate) letters: Spelling,
    /// What to do with invalid tags [default: strict; reference in the reports of seqeval
    /// and conlleval]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) tags: Option<Labelling>,
}

/// How chunks are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeName {
    /// As seqeval by default and PaddleNLP: a stray I opens a chunk
    Lenient,
    /// By the --scheme, as seqeval with mode="strict": tags that it does not allow form no chunk
    Strict,
    /// As conlleval.pl
    Conlleval,
}

/// The mode that was asked for.
enum Wanted {
    Mode(Mode),
    /// Strict, in the scheme of the gold tags.
    Strict,
    Default,
}

impl ReadingArgs {
    /// Whether any of these options was given.
    pub(crate) fn any(&self) -> bool {
        let Self { mode, scheme, suffix, letters, tags } = self;
        let given = mode.is_some() || scheme.is_some() || tags.is_some();
        given || *suffix || *letters != Spelling::default()
    }

    /// The mode asked for.
    ///
    /// # Errors
    /// Options that do not go together.
    fn mode(&self) -> Result<Wanted> {
        let usage = |reason: &str| Error::Usage(reason.to_owned());
        Ok(match (self.mode, self.scheme) {
            (Some(ModeName::Lenient | ModeName::Conlleval), Some(_)) => {
                return Err(usage("--scheme is for strict reading; leave it or --mode away"));
            }
            (Some(ModeName::Lenient), None) => Wanted::Mode(Mode::Lenient),
            (Some(ModeName::Conlleval), None) => Wanted::Mode(Mode::Conlleval),
            (Some(ModeName::Strict), None) => Wanted::Strict,
            (_, Some(scheme)) => Wanted::Mode(Mode::Strict(scheme)),
            (None, None) => Wanted::Default,
        })
    }

    /// How tags are read, where nothing else is asked for in that mode and labelling; `both` puts
    /// lenient reading before a strict one. A reading for each scheme where none is named: which of
    /// them is the right one is to be detected.
    ///
    /// # Errors
    /// Options that do not go together.
    pub(crate) fn readings(
        &self,
        both: bool,
        (mode, labelling): (Mode, Labelling),
    ) -> Result<Vec<Reading>> {
        let modes = match self.mode()? {
            Wanted::Mode(mode) => vec![mode],
            Wanted::Default if !both => vec![mode],
            Wanted::Default | Wanted::Strict => Scheme::ALL.map(Mode::Strict).to_vec(),
        };
        let readings = modes.into_iter().map(|mode| Reading {
            modes: if both { vec![Mode::Lenient, mode] } else { vec![mode] },
            style: if self.suffix { Style::Suffix } else { Style::Prefix },
            spelling: self.letters,
            labelling: self.tags.unwrap_or(labelling),
        });
        let mut refused = None;
        let readings: Vec<Reading> = readings
            .filter(|reading| match reading.check() {
                Ok(()) => true,
                Err(error) => {
                    refused.get_or_insert(error);
                    false
                }
            })
            .collect();
        match refused {
            Some(error) if readings.is_empty() => Err(error),
            _ => Ok(readings),
        }
    }
}
