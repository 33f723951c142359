//! Words of pieces against a reading that knows nothing of tables, windows and buffers.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use std::collections::{BTreeSet, HashMap};

use chunkeval_core::{
    Batch, ChunkEvaluator, ErrorKind, MISSING_PREDICTION, Metric, PaddedTags, Pieces, Place,
    Source, TagBatch, TagBuffer, TagSet, TagStyle, Tagging, Windows, WordIds, WordTags,
};
use proptest::prelude::*;

const LABELS: [&str; 9] = ["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y"];
const IGNORE: i64 = -100;
const PIECES: [Pieces; 4] = [Pieces::First, Pieces::Last, Pieces::Majority, Pieces::All];
const WINDOWS: [Windows; 2] = [Windows::First, Windows::MostContext];

/// Documents, and the rows that a model saw of them.
#[derive(Clone, Debug)]
struct Case {
    /// By document and word.
    gold: Vec<Vec<i64>>,
    width: usize,
    /// The document and the word ids of each row.
    rows: Vec<(usize, Vec<Option<u32>>)>,
    /// `[rows, width]`.
    labels: Vec<i64>,
    predicted: Vec<i64>,
}

impl Case {
    fn words(&self, pieces: Pieces, windows: Windows) -> WordIds {
        let tags = TagSet::new(LABELS, TagStyle::Prefix).unwrap();
        let mut words = WordIds::new(pieces).windows(windows).tag_set(&tags).unwrap();
        for (document, ids) in &self.rows {
            words.push(*document, ids).unwrap();
        }
        words
    }

    /// Rows and columns of the pieces of each word, in the window that speaks for it.
    fn chosen(
        &self,
        windows: Windows,
        labelled: bool,
    ) -> HashMap<(usize, u32), (usize, Vec<usize>)> {
        let mut chosen = HashMap::new();
        let mut best: HashMap<(usize, u32), (bool, usize)> = HashMap::new();
        for (row, (document, ids)) in self.rows.iter().enumerate() {
            let words: BTreeSet<u32> = ids.iter().flatten().copied().collect();
            for word in words {
                let columns: Vec<usize> =
                    (0..ids.len()).filter(|&c| ids[c] == Some(word)).collect();
                let before = ids.iter().flatten().filter(|&&other| other < word).count();
                let after = ids.iter().flatten().filter(|&&other| other > word).count();
                let context = if windows == Windows::First { 0 } else { before.min(after) };
                let has_label = columns.iter().any(|c| self.labels[row * self.width + c] != IGNORE);
                let merit = (has_label || !labelled, context);
                let key = (*document, word);
                if best.get(&key).is_none_or(|&other| merit > other) {
                    best.insert(key, merit);
                    chosen.insert(key, (row, columns));
                }
            }
        }
        chosen
    }
}

fn vote(pieces: Pieces, ids: &[i64]) -> i64 {
    match pieces {
        Pieces::Last => ids[ids.len() - 1],
        Pieces::Majority => {
            let mut best = (0, 0);
            for id in ids {
                let votes = ids.iter().filter(|other| *other == id).count();
                best = if votes > best.1 { (*id, votes) } else { best };
            }
            best.0
        }
        _ => ids[0],
    }
}

type Rows = Vec<(Vec<i32>, Vec<i32>)>;

/// What the tag `id` is on piece `i` of `n`.
fn spread(id: i64, i: usize, n: usize) -> i64 {
    let (letter, kind) = LABELS[id as usize].split_once('-').unwrap_or(("O", ""));
    let letter = match (letter, i == 0, i + 1 == n) {
        (letter, true, true) => letter,
        ("B" | "S", true, false) => "B",
        ("E" | "S", false, true) => "E",
        ("O", ..) => "O",
        _ => "I",
    };
    LABELS.iter().position(|l| *l == format!("{letter}-{kind}").trim_end_matches('-')).unwrap()
        as i64
}

fn naive_words(case: &Case, pieces: Pieces, windows: Windows, ignore: Option<i64>) -> (Rows, u64) {
    let chosen = case.chosen(windows, false);
    let (mut rows, mut ignored) = (Vec::new(), 0);
    for (document, tags) in case.gold.iter().enumerate() {
        let (mut gold, mut predicted) = (Vec::new(), Vec::new());
        for (word, &tag) in tags.iter().enumerate() {
            if ignore == Some(tag) {
                ignored += 1;
                continue;
            }
            let Some((row, columns)) = chosen.get(&(document, word as u32)) else {
                gold.push(tag as i32);
                predicted.push(MISSING_PREDICTION);
                continue;
            };
            let ids: Vec<i64> =
                columns.iter().map(|c| case.predicted[row * case.width + c]).collect();
            if pieces == Pieces::All {
                gold.extend((0..ids.len()).map(|i| spread(tag, i, ids.len()) as i32));
                predicted.extend(ids.iter().map(|&id| id as i32));
            } else {
                gold.push(tag as i32);
                predicted.push(vote(pieces, &ids) as i32);
            }
        }
        rows.push((gold, predicted));
    }
    (rows, ignored)
}

fn naive_pieces(case: &Case, pieces: Pieces, windows: Windows) -> (Rows, u64) {
    let chosen = case.chosen(windows, true);
    let documents: BTreeSet<usize> = case.rows.iter().map(|(document, _)| *document).collect();
    let (mut rows, mut ignored) = (Vec::new(), 0);
    for document in documents {
        let (mut gold, mut predicted) = (Vec::new(), Vec::new());
        let mut words: Vec<u32> =
            chosen.keys().filter(|(d, _)| *d == document).map(|(_, word)| *word).collect();
        words.sort_unstable();
        for word in words {
            let (row, columns) = &chosen[&(document, word)];
            let at = |c: &usize| row * case.width + c;
            let labelled: Vec<&usize> =
                columns.iter().filter(|c| case.labels[at(c)] != IGNORE).collect();
            if pieces == Pieces::All {
                gold.extend(labelled.iter().map(|c| case.labels[at(c)] as i32));
                predicted.extend(labelled.iter().map(|c| case.predicted[at(c)] as i32));
                ignored += columns.len() - labelled.len();
            } else if labelled.is_empty() {
                ignored += 1;
            } else {
                let labels: Vec<i64> = labelled.iter().map(|c| case.labels[at(c)]).collect();
                let ids: Vec<i64> = columns.iter().map(|c| case.predicted[at(c)]).collect();
                gold.push(vote(pieces, &labels) as i32);
                predicted.push(vote(pieces, &ids) as i32);
            }
        }
        rows.push((gold, predicted));
    }
    (rows, ignored as u64)
}

fn found(source: &impl Source<Tagging>) -> (Rows, u64) {
    let mut buffer = TagBuffer::default();
    let batch: TagBatch<'_> = source.load(&mut buffer).unwrap();
    (batch.iter_rows().map(|(g, p)| (g.to_vec(), p.to_vec())).collect(), batch.ignored())
}

/// A document: for each word its tag and its number of pieces, and cuts that make its windows.
type Document = (Vec<(i64, usize)>, Vec<(usize, usize)>);

fn document() -> impl Strategy<Value = Document> {
    let word = (0..LABELS.len() as i64, prop_oneof![6 => 1usize..4, 1 => Just(0)]);
    let window = (0usize..18, 0usize..18);
    (prop::collection::vec(word, 0..8), prop::collection::vec(window, 0..4))
}

fn case() -> impl Strategy<Value = Case> {
    let id = 0..LABELS.len() as i64;
    // Pieces often agree, so that votes are won and tied.
    let cell =
        (prop_oneof![3 => 0i64..3, 1 => id.clone()], prop_oneof![3 => id, 2 => Just(IGNORE)]);
    let cells = prop::collection::vec(cell, 4 * 4 * 24);
    (prop::collection::vec(document(), 0..4), cells, any::<bool>()).prop_map(
        |(documents, cells, reversed)| {
            let mut rows = Vec::new();
            for (document, (words, windows)) in documents.iter().enumerate() {
                let ids: Vec<Option<u32>> = (0..)
                    .zip(words)
                    .flat_map(|(word, &(_, n))| std::iter::repeat_n(Some(word), n))
                    .collect();
                for &(a, b) in windows {
                    let (a, b) = (a.min(ids.len()), b.min(ids.len()));
                    let window = &ids[a.min(b)..a.max(b)];
                    let row = [&[None][..], window, &[None][..]].concat();
                    rows.push((document, row));
                }
            }
            if reversed {
                rows.reverse(); // batches are sorted by length, and the like
            }
            let width = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(3);
            rows.iter_mut().for_each(|(_, row)| row.resize(width, None));
            let (predicted, labels) = cells.into_iter().take(rows.len() * width).unzip();
            let gold = |(words, _): &Document| words.iter().map(|&(tag, _)| tag).collect();
            Case { gold: documents.iter().map(gold).collect(), width, rows, labels, predicted }
        },
    )
}

proptest! {
    #[test]
    fn words_equal_a_plain_reading(case in case(), ignore in prop_oneof![Just(None), Just(Some(1))]) {
        for (pieces, windows) in PIECES.into_iter().flat_map(|p| WINDOWS.map(|w| (p, w))) {
            let words = case.words(pieces, windows);
            let tags = WordTags::ids(&case.gold, &case.predicted, case.width, &words).unwrap();
            let tags = match ignore {
                Some(id) => tags.ignore_index(id),
                None => tags,
            };
            prop_assert_eq!(found(&tags), naive_words(&case, pieces, windows, ignore), "{:?} {:?}", pieces, windows);

            let tags = PaddedTags::ids(&case.labels, &case.predicted, case.width).unwrap();
            let tags = tags.ignore_index(IGNORE).words(&words);
            prop_assert_eq!(found(&tags), naive_pieces(&case, pieces, windows), "{:?} {:?}", pieces, windows);
        }
    }

    /// Where every word has a piece, labels on first pieces say what gold by word says, whichever
    /// piece or window speaks.
    #[test]
    fn labels_of_first_pieces_are_gold_by_word(case in case()) {
        let mut case = case;
        for (i, cell) in case.labels.iter_mut().enumerate() {
            let (row, column) = (i / case.width, i % case.width);
            let (document, ids) = &case.rows[row];
            *cell = match ids[column] {
                Some(word) if column == 0 || ids[column - 1] != ids[column] => {
                    case.gold[*document][word as usize]
                }
                _ => IGNORE,
            };
        }
        for (pieces, windows) in PIECES[..3].iter().flat_map(|&p| WINDOWS.map(|w| (p, w))) {
            let words = case.words(pieces, windows);
            let by_word = WordTags::ids(&case.gold, &case.predicted, case.width, &words).unwrap();
            let by_piece = PaddedTags::ids(&case.labels, &case.predicted, case.width).unwrap();
            let by_piece = found(&by_piece.ignore_index(IGNORE).words(&words)).0;
            // What no row shows is known to gold by word alone.
            let shown = |(gold, predicted): (Vec<i32>, Vec<i32>)| -> (Vec<i32>, Vec<i32>) {
                gold.into_iter().zip(predicted).filter(|&(_, p)| p != MISSING_PREDICTION).unzip()
            };
            let by_word = found(&by_word).0.into_iter().map(shown).filter(|row| !row.0.is_empty());
            let by_piece = by_piece.into_iter().filter(|row| !row.0.is_empty());
            prop_assert_eq!(by_word.collect::<Vec<_>>(), by_piece.collect::<Vec<_>>());
        }
    }
}

fn words(pieces: Pieces, row: &[Option<u32>]) -> WordIds {
    WordIds::new(pieces).rows([row]).unwrap()
}

#[test]
fn errors_name_places_and_change_nothing() {
    let mut metric = ChunkEvaluator::new(["O", "B-X", "I-X"]).unwrap();
    let mut buffer = TagBuffer::default();
    let row = [None, Some(0), Some(0), Some(1), None];
    let ids = words(Pieces::First, &row);
    let gold = [vec![1i64, 2]];
    metric
        .update(WordTags::ids(&gold, &[0, 1, 1, 2, 0], 5, &ids).unwrap().load(&mut buffer).unwrap())
        .unwrap();
    let before = metric.accumulate();

    let mut fail = |gold: &[Vec<i64>], predicted: &[i64], width: usize, ids: &WordIds| {
        let tags = WordTags::ids(gold, predicted, width, ids);
        tags.and_then(|tags| metric.update(tags.load(&mut buffer)?)).unwrap_err()
    };
    let e = fail(&[vec![1]], &[0; 5], 5, &ids);
    assert_eq!(e.to_string(), "row 0, column 3: word id 1, but the gold row has length 1");
    assert_eq!(e.place(), Some(Place::Cell { row: 0, column: 3 }));
    let e = fail(&gold, &[0; 6], 6, &ids);
    assert_eq!(e.to_string(), "row 0: word ids, None in padding included: expected 6, found 5");
    assert!(fail(&gold, &[0; 10], 5, &ids).to_string().starts_with("predicted ids: expected 5"));
    assert!(matches!(fail(&[], &[0; 5], 5, &ids).kind(), ErrorKind::Length { row: Some(0), .. }));
    // In gold by word, errors name the document and the word.
    let e = fail(&[vec![1, 7]], &[0; 5], 5, &ids);
    assert!(matches!(e.kind(), ErrorKind::UnknownGold { row: 0, column: 1, id: 7, .. }), "{e}");
    let e = fail(&[vec![1, 1 << 40]], &[0; 5], 5, &ids);
    assert!(matches!(e.kind(), ErrorKind::WideGold { row: 0, column: 1, .. }), "{e}");
    let e = fail(&gold, &[0; 5], 5, &words(Pieces::All, &row));
    assert!(e.to_string().contains("WordIds::tag_set"), "{e}");
    assert_eq!(metric.accumulate(), before);
}

#[test]
fn errors_about_labels_of_pieces_name_the_row_and_column_of_the_token() {
    let mut metric = ChunkEvaluator::new(["O", "B-X", "I-X"]).unwrap();
    let mut buffer = TagBuffer::default();
    let mut ids = WordIds::new(Pieces::First);
    // Two windows of document 1 around one of document 0.
    ids.push(1, &[None, Some(3), Some(4), None]).unwrap();
    ids.push(0, &[None, Some(0), Some(1), None]).unwrap();
    ids.push(1, &[None, Some(4), Some(5), None]).unwrap();
    #[rustfmt::skip]
    let mut labels = [-100, 1, 2, -100,  -100, 1, 0, -100,  -100, 2, 0, -100];
    labels[10] = 9;
    let predicted = [0; 12];
    let tags = PaddedTags::ids(&labels, &predicted, 4).unwrap().ignore_index(-100).words(&ids);
    let batch = tags.load(&mut buffer).unwrap();
    assert_eq!(batch.len(), 2);
    assert_eq!(batch.rows(1..2).place(0, 2), (2, 2));
    let e = metric.update(batch).unwrap_err();
    assert_eq!(e.place(), Some(Place::Cell { row: 2, column: 2 }), "{e}");

    let odd = PaddedTags::ids(&labels, &predicted, 6).unwrap().words(&ids);
    let e = odd.load(&mut buffer).unwrap_err();
    assert_eq!(e.to_string(), "rows of word ids: expected 2, found 3");
}

#[test]
fn nan_counts_only_where_a_piece_speaks() {
    let row = [None, Some(0), Some(0), Some(1), None];
    let (o, nan) = ([1f32, 0., 0.], [f32::NAN; 3]);
    let logits = [nan, o, nan, o, nan].concat();
    let gold = [vec![0u8, 0]];
    let mut buffer = TagBuffer::default();
    let first = words(Pieces::First, &row);
    let tags = WordTags::logits(&gold, &logits, 5, 3, &first).unwrap();
    assert!(tags.load(&mut buffer).is_ok());
    for pieces in [Pieces::Last, Pieces::Majority] {
        let ids = words(pieces, &row);
        let tags = WordTags::logits(&gold, &logits, 5, 3, &ids).unwrap();
        let e = tags.load(&mut buffer).unwrap_err();
        assert_eq!(e.place(), Some(Place::Cell { row: 0, column: 2 }));
        assert_eq!(tags.load(&mut buffer).unwrap_err().place(), e.place());
    }
}

#[test]
fn documents_without_words_are_rows() {
    let mut metric = ChunkEvaluator::new(["O", "B-X"]).unwrap();
    let ids = WordIds::default().rows([[None, None], [Some(0), None]]).unwrap();
    let labels = [-100, -100, 1, -100];
    let mut buffer = TagBuffer::default();
    let tags = PaddedTags::ids(&labels, &labels, 2).unwrap().ignore_index(-100).words(&ids);
    let batch = tags.load(&mut buffer).unwrap();
    assert_eq!((batch.place(0, 0), batch.place(1, 0)), ((0, 0), (1, 0)));
    metric.update(batch).unwrap();
    assert_eq!(metric.accumulate().diagnostics.rows, 2);
    // Documents that no row shows are all missed.
    let gold = [vec![], vec![1], vec![1, 0]];
    let tags = WordTags::ids(&gold, &labels, 2, &ids).unwrap();
    metric.reset();
    metric.update(tags.load(&mut buffer).unwrap()).unwrap();
    let report = metric.accumulate();
    assert_eq!((report.overall.counts.gold, report.overall.counts.correct), (2, 1));
    assert_eq!((report.diagnostics.rows, report.diagnostics.missing_predicted), (3, 2));
}
