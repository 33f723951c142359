//! Scores by the lengths of texts.

use chunkeval_core::{ChunkCounts, Result};
use chunkeval_llm::{Answer, AnswerReading, ExtractionEvaluator, Record, Treatment};

/// The longest text of each bucket but the last, in characters.
const LENGTHS: [usize; 8] = [20, 50, 100, 200, 500, 1000, 2000, 5000];

/// The answers to short and to long texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lengths {
    buckets: [OfLength; LENGTHS.len() + 1],
    /// Those whose records have no text.
    without_text: Answers,
}

/// How many answers were read, and how many were not.
#[derive(Clone, Copy, Debug, Default)]
struct Answers {
    read: u64,
    unread: u64,
}

/// Those of one bucket: that were read, and that were not.
#[derive(Clone, Copy, Debug, Default)]
struct OfLength {
    read: (u64, ChunkCounts),
    unread: (u64, ChunkCounts),
}

impl Lengths {
    /// Adds an answer.
    pub(super) fn count(
        &mut self,
        metric: &ExtractionEvaluator,
        reading: AnswerReading,
        record: &Record,
        answer: &Answer,
    ) -> Result<()> {
        let Some(text) = &record.text else {
            let Answers { read, unread } = &mut self.without_text;
            *(if answer.is_readable() { read } else { unread }) += 1;
            return Ok(());
        };
        let length = text.chars().count();
        let bucket = LENGTHS.partition_point(|&most| most < length);
        let Some(bucket) = self.buckets.get_mut(bucket) else { return Ok(()) };
        let (answers, counts) =
            if answer.is_readable() { &mut bucket.read } else { &mut bucket.unread };
        *answers += 1;
        let types = metric.compare(reading, record, answer);
        types.iter().try_for_each(|(_, of_type)| counts.add(of_type))
    }

    pub(super) fn add(&mut self, other: &Self) -> Result<()> {
        self.without_text.read += other.without_text.read;
        self.without_text.unread += other.without_text.unread;
        for (mine, theirs) in self.buckets.iter_mut().zip(&other.buckets) {
            for (mine, theirs) in [(&mut mine.read, theirs.read), (&mut mine.unread, theirs.unread)]
            {
                mine.0 += theirs.0;
                mine.1.add(&theirs.1)?;
            }
        }
        Ok(())
    }

    /// The name of each bucket, its answers and their counts; nothing if there are no texts.
    ///
    /// # Errors
    /// A sum overflows.
    pub(crate) fn buckets(&self, treatment: Treatment) -> Result<Vec<(String, u64, ChunkCounts)>> {
        let names = LENGTHS.into_iter().map(|most| format!("≤{most}"));
        let names = names.chain(LENGTHS.last().map(|most| format!(">{most}")));
        let mut buckets = Vec::new();
        for (name, of) in names.zip(&self.buckets) {
            let (mut answers, mut counts) = of.read;
            if treatment == Treatment::CountAsEmpty {
                answers += of.unread.0;
                counts.add(&of.unread.1)?;
            }
            buckets.push((name, answers, counts));
        }
        let any = buckets.iter().any(|(_, answers, _)| *answers > 0);
        Ok(if any { buckets } else { Vec::new() })
    }
    /// How many answers are in no bucket, since their records have no text.
    pub(crate) fn without_text(&self, treatment: Treatment) -> u64 {
        let Answers { read, unread } = self.without_text;
        if treatment == Treatment::CountAsEmpty { read + unread } else { read }
    }
}
