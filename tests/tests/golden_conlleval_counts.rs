//! conlleval.pl: the same tokens, phrases and percentages, in total and per type.
//!
//! A file is given as one row, with an `O` on both sides for each sentence boundary, as conlleval.pl
//! sees it. Sentence by sentence the counts are the same but where a match survives a boundary;
//! those lines are named.

use chunkeval::{ChunkEvaluator, LabelReading, Mergeable, Metric, Mode, TagBatch};
use chunkeval_tests::conlleval::{Input, assert_counts};
use chunkeval_tests::{Kind, Line, Tally, golden};

#[test]
fn counts_equal_conlleval() {
    let mut tally = Tally::new("golden conlleval counts");
    for line in golden(Kind::Conlleval) {
        match Input::read(&line.value) {
            Ok(input) => {
                check(&line, &input, &mut tally);
                tally.ran();
            }
            Err(why) => tally.skip(&line.place, why),
        }
    }
    tally.expect(494);
}

fn check(line: &Line, input: &Input, tally: &mut Tally) {
    let place = &line.place;
    let outside = ["O", "O"].map(str::to_owned);
    let tokens: Vec<&[String; 2]> =
        input.tokens.iter().map(|token| token.as_ref().unwrap_or(&outside)).collect();
    let mut labels: Vec<&str> = tokens.iter().flat_map(|t| t.iter().map(|tag| &**tag)).collect();
    labels.push("O");
    labels.sort_unstable();
    labels.dedup();
    let (reading, mode) = (LabelReading::Reference, Mode::Conlleval);
    let metric = ChunkEvaluator::builder(labels).reading(reading).mode(mode).build();
    let mut metric = metric.unwrap_or_else(|e| panic!("{place}: {e}"));

    let ids = |side: usize| -> Vec<i32> {
        tokens.iter().map(|token| metric.tags().id(&token[side]).unwrap()).collect()
    };
    let (gold, guessed) = (ids(0), ids(1));
    metric.update(TagBatch::new(&gold, &guessed, &[gold.len()]).unwrap()).unwrap();
    let report = metric.accumulate();
    // The row that ends at a boundary has it, as the file of that row alone has.
    let boundaries = input.tokens.iter().zip(1..).filter(|(token, _)| token.is_none());
    let ends: Vec<usize> = boundaries.map(|(_, end)| end).chain([gold.len()]).collect();
    let rows = TagBatch::new(&gold, &guessed, &ends).unwrap();
    let by_rows = metric.finish(&metric.measure(rows).unwrap());
    if by_rows.per_type != report.per_type {
        tally.note(place, "other counts sentence by sentence");
    }

    let tokens = input.tokens.iter().flatten().count();
    let stdout = line.value["stdout"].as_str().unwrap();
    assert_counts(place, stdout, input.latex, tokens, &report);
}
