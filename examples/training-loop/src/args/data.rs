//! Which sentences.

use std::path::PathBuf;

use chunkeval::data::Format;
use clap::Args as Group;

use super::{at_least_one, number};
use crate::corpus;
use crate::error::{Error, Result};
use crate::settings::{DataSource, LabelSource, Style, WAYBILL};

#[derive(Clone, Debug, Group)]
#[command(next_help_heading = "Data")]
pub(super) struct Data {
    /// Folder with the files train.*, dev.* (or devel.*, valid.*, validation.*) and test.*
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Training set, in place of the folder's
    #[arg(long, value_name = "FILE")]
    train: Option<PathBuf>,
    /// Dev set, in place of the folder's
    #[arg(long, value_name = "FILE")]
    dev: Option<PathBuf>,
    /// Test set, in place of the folder's
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// Format of the files, with its options: NAME or NAME:OPTION=VALUE,… [default: waybill]
    ///
    ///   waybill          characters TAB labels, byte 2 between them
    ///   conll            columns, white space between them: token first, label last
    ///   wnut17, ncbi     token TAB label
    ///   iob2, uner       number TAB token TAB label and more columns, # comments
    ///   conlleval        columns, a space between them: label last but one, predicted label last
    ///   predictions      token TAB label TAB predicted label
    ///   parallel, snips  folders with the files seq.in and seq.out (snips: and label)
    ///
    /// Options of columns: token, gold, predicted (a column from 1, from -1 for the last, or
    /// predicted=none), delimiter (whitespace, tab, space), comments (none, hash, between),
    /// docstart (boundary, skip, keep). Of folders: tokens, tags, labels (names of files, or
    /// labels=none). As in conll:token=1,gold=-1,delimiter=tab.
    #[arg(long, value_parser = format, verbatim_doc_comment)]
    format: Option<String>,
    /// Labels are like PER-B [default: found out from the labels]
    #[arg(long, conflicts_with = "prefix")]
    suffix: bool,
    /// Labels are like B-PER [default: found out from the labels]
    #[arg(long)]
    prefix: bool,
    /// Take the labels of dev and test too, not only those of the training set
    #[arg(long)]
    all_labels: bool,
    /// Made-up waybills of the training set; a fifth of that for dev and for test
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = sentences,
          allow_negative_numbers = true,
          conflicts_with_all = ["data", "train", "dev", "test"])]
    sentences: usize,
    /// Seed of the made-up waybills
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number,
          allow_negative_numbers = true,
          conflicts_with_all = ["data", "train", "dev", "test"])]
    data_seed: u64,
}

impl Data {
    fn format(&self) -> &str {
        self.format.as_deref().unwrap_or(WAYBILL)
    }

    /// On which side of a label its position stands, if the user says it.
    pub(super) fn style(&self) -> Option<Style> {
        match (self.prefix, self.suffix) {
            (true, _) => Some(Style::Prefix),
            (_, true) => Some(Style::Suffix),
            _ => None,
        }
    }

    /// Whose labels the network knows.
    pub(super) fn labels(&self) -> LabelSource {
        if self.all_labels { LabelSource::All } else { LabelSource::Train }
    }

    /// Where the sentences come from.
    pub(super) fn source(&self) -> Result<DataSource> {
        let Self { data, train, dev, test, .. } = self;
        let absolute = |path: &PathBuf| std::path::absolute(path).map_err(|e| Error::io(path, e));
        let named = [train, dev, test];
        let paths = match data {
            None if named.iter().all(|path| path.is_none()) => {
                if self.format.is_some() || self.prefix || self.suffix || self.all_labels {
                    let reason = "--format, --prefix, --suffix and --all-labels are for files: \
                                  name some with --data, or --train, --dev and --test";
                    return Err(Error::Usage(reason.to_owned()));
                }
                let (sentences, seed) = (self.sentences, self.data_seed);
                return Ok(DataSource::Generated { sentences, seed });
            }
            // Only what is not named by itself has to be in the folder.
            Some(folder) if named.iter().any(|path| path.is_none()) => {
                corpus::find(folder)?.map(Some)
            }
            _ => [None, None, None],
        };
        let [train, dev, test] = [0, 1, 2].map(|i| named[i].as_ref().or(paths[i].as_ref()));
        let (Some(train), Some(dev), Some(test)) = (train, dev, test) else {
            let reason = "--train, --dev and --test go together, unless --data names a folder";
            return Err(Error::Usage(reason.to_owned()));
        };
        // A run is called after its folder: waybill-zh, or that of the training set.
        let train = absolute(train)?;
        let folder = match data {
            Some(folder) => Some(absolute(folder)?),
            None => train.parent().map(PathBuf::from),
        };
        let name = folder.as_deref().and_then(|f| f.file_name()).and_then(|name| name.to_str());
        Ok(DataSource::Files {
            name: name.unwrap_or("data").to_owned(),
            format: self.format().to_owned(),
            dev: absolute(dev)?,
            test: absolute(test)?,
            train,
        })
    }
}

/// That a format can be read.
fn format(text: &str) -> chunkeval::Result<String> {
    text.parse::<Format>().map(|_| text.to_owned())
}

/// Up to what fits any memory this program is for.
fn sentences(text: &str) -> std::result::Result<usize, String> {
    const MOST: usize = 10_000_000;
    match at_least_one(text)? {
        number if number > MOST => Err(format!("must be at most {MOST}")),
        number => Ok(number),
    }
}
