//! A reader of any format.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use chunkeval_core::Result;

use crate::read::{ReadSentences, next};
use crate::{ConllReader, ParallelReader, Sentence, WaybillReader};

/// Reads files of any [`Format`](crate::Format), one sentence at a time.
#[derive(Debug)]
pub struct Reader(pub(crate) Source);

#[derive(Debug)]
pub(crate) enum Source {
    Conll(ConllReader<BufReader<File>>),
    Waybill(WaybillReader<BufReader<File>>),
    Parallel(ParallelReader<BufReader<File>>),
}

impl ReadSentences for Reader {
    fn read_into(&mut self, sentence: &mut Sentence) -> Result<bool> {
        match &mut self.0 {
            Source::Conll(reader) => reader.read_into(sentence),
            Source::Waybill(reader) => reader.read_into(sentence),
            Source::Parallel(reader) => reader.read_into(sentence),
        }
    }

    fn path(&self) -> &Path {
        match &self.0 {
            Source::Conll(reader) => reader.path(),
            Source::Waybill(reader) => reader.path(),
            Source::Parallel(reader) => reader.path(),
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Sentence>;

    fn next(&mut self) -> Option<Self::Item> {
        next(self)
    }
}
