//! One `compute` of PaddleNLP's `ChunkEvaluator`: the same counts, in total and per type.

use chunkeval::{
    ChunkEvaluator, ChunkReport, Error, ErrorKind, IdRows, LabelReading, Mergeable, PaddedTags,
    ShortRows, Source, TagBuffer, TagSet, TagStyle,
};
use chunkeval_tests::tags::{int_rows, ints, strings, style};
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::Value;

#[test]
fn counts_equal_paddlenlp() {
    let mut tally = Tally::new("golden chunk counts");
    for line in golden(Kind::ChunkCounts) {
        match Call::read(&line) {
            Ok(call) => {
                call.check(&line, &mut tally);
                tally.ran();
            }
            Err(why) => tally.skip(&line.place, why),
        }
    }
    tally.expect(601);
}

/// The arguments of one call, as Rust can say them.
struct Call {
    metric: Result<ChunkEvaluator, Error>,
    style: TagStyle,
    lengths: Vec<usize>,
    labels: Vec<Vec<i64>>,
    predictions: Vec<Vec<i64>>,
}

impl Call {
    fn read(line: &Line) -> Result<Self, String> {
        const SAME_IN_RUST: [&str; 4] =
            ["lengths as list", "lengths as numpy", "ids int32", "ids uint8"];
        let container = line.family().strip_prefix("container: ");
        if let Some(container) = container.filter(|c| !SAME_IN_RUST.contains(c)) {
            return Err(format!("a Python container or type: {container}"));
        }
        let value = &line.value;
        let label_list = strings(&value["label_list"]).ok_or("labels that are no strings")?;
        let lengths = ints(&value["lengths"]).ok_or("lengths that are no integers")?;
        let lengths: Result<Vec<usize>, _> = lengths.into_iter().map(usize::try_from).collect();
        let metric = ChunkEvaluator::builder(label_list)
            .style(style(value))
            .reading(LabelReading::Reference)
            .build();
        Ok(Self {
            metric,
            style: style(value),
            lengths: lengths.map_err(|_| "negative lengths")?,
            labels: int_rows(&value["labels"]).ok_or("labels of rank 1")?,
            predictions: int_rows(&value["predictions"]).ok_or("predictions of rank 1")?,
        })
    }

    fn check(&self, line: &Line, tally: &mut Tally) {
        let place = &line.place;
        let found = self.report();
        let Some(expected) = ints(&line.value["expected"]) else {
            let found = found.map(|r| r.overall.counts).unwrap_err();
            self.check_error(line, &found);
            return;
        };
        match &found {
            Ok(report) if counts(report) == expected => {
                if let Some(per_type) = line.value["per_type"].as_array() {
                    check_types(place, report, per_type);
                }
            }
            Ok(report) => {
                // The reference joins rows with an `O` before it reads them, so a begin can come
                // from an earlier row, and offsets slip where predicted rows are narrower. Read
                // that way, the counts are its counts; ours do not depend on how rows are batched.
                let odd = self.has_odd_letters() || !self.is_rectangular();
                assert!(odd, "{place}: {:?} instead of {expected:?}", report.overall.counts);
                assert_eq!(counts(&self.joined()), expected, "{place}: joined");
                tally.note(place, "other counts row by row, the reference's when rows are joined");
            }
            Err(error) => {
                // Slicing clips in Python what is refused here, and no label list is a mistake.
                let clipped = matches!(error.kind(), ErrorKind::Length { .. });
                let no_labels = matches!(error.kind(), ErrorKind::Config { option: "labels", .. });
                tally.note(place, "clipped in Python, refused here");
                assert!(
                    (clipped && self.has_odd_shape()) || (no_labels && expected == [0, 0, 0]),
                    "{place}: {error}"
                );
            }
        }
    }

    /// What the exceptions of the reference are here.
    fn check_error(&self, line: &Line, found: &Error) {
        let place = &line.place;
        match (line.value["error"]["type"].as_str(), found.kind()) {
            // A gold id that the list does not have, or no list at all.
            (Some("KeyError"), ErrorKind::UnknownGold { id, .. }) => {
                assert_eq!(line.value["error"]["text"], id.to_string(), "{place}");
            }
            (Some("KeyError"), ErrorKind::Config { option: "labels", .. }) => {}
            // An empty label, or fewer rows than lengths.
            (Some("IndexError"), ErrorKind::UnreadableLabels { .. } | ErrorKind::Length { .. }) => {
            }
            (expected, _) => panic!("{place}: {expected:?}, found {found}"),
        }
    }

    /// Padded where the rows are a rectangle, row by row where they are not.
    fn report(&self) -> Result<ChunkReport, Error> {
        let metric = self.metric.as_ref().map_err(|e| match e.kind() {
            ErrorKind::UnreadableLabels { labels, hint } => {
                ErrorKind::UnreadableLabels { labels: labels.clone(), hint: hint.clone() }.into()
            }
            _ => Error::config("labels", e.to_string()),
        })?;
        let mut buffer = TagBuffer::default();
        let (gold, predicted) = (self.rows(&self.labels), self.rows(&self.predictions));
        let rows = IdRows::new(&gold, &predicted).short_rows(ShortRows::Missing);
        if !self.is_rectangular() {
            return Ok(metric.finish(&metric.measure(rows.load(&mut buffer)?)?));
        }
        let width = self.labels.first().map_or(0, Vec::len);
        let (gold, predicted) = (self.labels.concat(), self.predictions.concat());
        // The reference ignores rows beyond the last length.
        let used = self.lengths.len().min(self.labels.len()) * width;
        let padded = PaddedTags::ids(&gold[..used], &predicted[..used], width)?;
        let padded = padded.lengths(&self.lengths);
        let report = metric.finish(&metric.measure(padded.load(&mut buffer)?)?);
        let by_row = metric.finish(&metric.measure(rows.load(&mut buffer)?)?);
        assert_eq!(report, by_row, "padded and row by row");
        Ok(report)
    }

    /// The rows cut to their lengths.
    fn rows(&self, rows: &[Vec<i64>]) -> Vec<Vec<i64>> {
        let cut = |(row, &length): (&Vec<i64>, &usize)| row[..length.min(row.len())].to_vec();
        rows.iter().zip(&self.lengths).map(cut).collect()
    }

    /// All rows as one, an id outside the list (an `O`) after each; the gold `O` is a label of its
    /// own at the end of the list.
    fn joined(&self) -> ChunkReport {
        let tags = self.metric.as_ref().unwrap().tags();
        let labels = tags.labels().iter().cloned().chain(["O".to_owned()]);
        let metric = ChunkEvaluator::builder(labels)
            .style(self.style)
            .reading(LabelReading::Reference)
            .build();
        let metric = metric.unwrap();
        let outside = tags.labels().len() as i64;
        let join = |rows: Vec<Vec<i64>>| -> Vec<i64> {
            rows.into_iter()
                .flat_map(|mut row| {
                    row.push(outside);
                    row
                })
                .collect()
        };
        let (mut gold, mut predicted) =
            (join(self.rows(&self.labels)), join(self.rows(&self.predictions)));
        let longest = gold.len().max(predicted.len());
        gold.resize(longest, outside);
        predicted.resize(longest, outside);
        let mut buffer = TagBuffer::default();
        let rows = IdRows::new(std::slice::from_ref(&gold), std::slice::from_ref(&predicted))
            .load(&mut buffer)
            .map(|batch| metric.measure(batch).unwrap());
        metric.finish(&rows.unwrap())
    }

    fn is_rectangular(&self) -> bool {
        let width = self.labels.first().map_or(0, Vec::len);
        self.labels.len() == self.predictions.len()
            && self.labels.iter().chain(&self.predictions).all(|row| row.len() == width)
    }

    fn has_odd_shape(&self) -> bool {
        let width = self.labels.iter().map(Vec::len).min().unwrap_or(0);
        !self.is_rectangular() || self.lengths.iter().any(|&length| length > width)
    }

    fn has_odd_letters(&self) -> bool {
        let strict = |m: &ChunkEvaluator| TagSet::new(m.tags().labels().to_vec(), self.style);
        self.metric.as_ref().is_ok_and(|m| strict(m).is_err())
    }
}

fn counts(report: &ChunkReport) -> Vec<i64> {
    let c = report.overall.counts;
    [c.predicted, c.gold, c.correct].map(|n| n as i64).to_vec()
}

fn check_types(place: &str, report: &ChunkReport, expected: &[Value]) {
    let found: Vec<Value> = report
        .per_type
        .iter()
        .map(|t| (&t.entity_type, t.scores.counts))
        .filter(|(_, c)| c.gold + c.predicted > 0)
        .map(|(name, c)| serde_json::json!([name, c.predicted, c.gold, c.correct]))
        .collect();
    assert_eq!(found, expected, "{place}");
}
