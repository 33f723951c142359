//! What must hold for any bytes. `cargo xtask fuzz` has libFuzzer look for bytes for which it does
//! not; the tests run the inputs kept in `fuzz/corpus`.

use std::collections::HashSet;

use chunkeval::data::{Column, Comments, Conll, ConllReader, Delimiter, DocStart};
use chunkeval::llm::{
    AnswerReading, AnswerStatus, Entities, ExtractionEvaluator, JsonLines, LineEvaluator, Preset,
    RecordBatch, RecordParser,
};
use chunkeval::{
    ChunkCounts, ChunkEvaluator, ErrorKind, LabelReading, Mergeable, Metric, Mode, Notation,
    Scheme, TagBatch, TagSet, TagStyle,
};

/// Bytes as a stream of choices; at its end every choice is the first.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    fn of<T: Copy, const N: usize>(&mut self, all: [T; N]) -> T {
        all[usize::from(self.byte()) % N]
    }

    fn mode(&mut self) -> Mode {
        let strict = Scheme::ALL.map(Mode::Strict);
        match self.of([0, 1, 2, 3, 4, 5, 6, 7]) {
            0 => Mode::Lenient,
            1 => Mode::Conlleval,
            scheme => strict[scheme - 2],
        }
    }
}

/// Reading labels: a list is refused with its bad labels named, or has one type and one place for
/// each label.
pub fn labels(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let style = choices.of([TagStyle::Prefix, TagStyle::Suffix]);
    let reading = choices.of([LabelReading::Strict, LabelReading::Reference]);
    let notation = choices.of([Notation::Usual, Notation::Bmes, Notation::Bilou]);
    let delimiter = choices.of(["-", "_", "", "::"]);
    let mode = choices.mode();
    let text = String::from_utf8_lossy(choices.0);
    let list: Vec<&str> = text.split('\n').collect();
    let builder = || {
        TagSet::builder(list.iter().copied())
            .style(style)
            .reading(reading)
            .notation(notation)
            .delimiter(delimiter)
            .mode(mode)
    };
    match builder().build() {
        Ok(tags) => {
            assert_eq!(tags.labels(), list);
            let types: Vec<&str> = tags.types().collect();
            assert!(types.is_sorted() && types.len() <= list.len(), "{types:?}");
            let ids: Vec<i32> = list.iter().map(|label| tags.id(label).unwrap()).collect();
            for chunk in tags.entities(&ids) {
                assert!(types.contains(&chunk.entity_type), "{chunk:?} of {types:?}");
            }
            // Leaving out every type leaves nothing to find.
            let nothing = builder().ignore_types(types.clone()).build().unwrap();
            assert_eq!(nothing.entities(&ids), []);
        }
        Err(error) => match error.kind() {
            ErrorKind::UnreadableLabels { labels, .. } => {
                assert!(!labels.is_empty() && labels.iter().all(|l| list.contains(&&**l)));
            }
            ErrorKind::Config { .. } => {}
            other => panic!("{other:?}"),
        },
    }
}

/// Reading CoNLL columns: every sentence has a tag for each token, and an error has its place.
pub fn conll(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let column = |choices: &mut Choices<'_>| match choices.of([1, 2, 3]) {
        1 => Column::FromLeft(1),
        n => choices.of([Column::FromLeft(n), Column::FromRight(n - 1)]),
    };
    let mut layout = Conll::two_columns();
    layout.token = column(&mut choices);
    layout.gold = column(&mut choices);
    layout.delimiter = choices.of([Delimiter::Whitespace, Delimiter::Tab, Delimiter::Space]);
    layout.comments = choices.of([Comments::None, Comments::Hash, Comments::Between]);
    layout.docstart = choices.of([DocStart::Boundary, DocStart::Skip, DocStart::Keep]);
    let text = choices.0;
    let Ok(reader) = ConllReader::new(text, "fuzzed", &layout) else { return };
    let mut lines = 0;
    for sentence in reader {
        match sentence {
            Ok(sentence) => {
                assert!(!sentence.is_empty());
                assert_eq!(sentence.tokens().iter().count(), sentence.len());
                assert_eq!(sentence.gold().iter().count(), sentence.len());
                lines += sentence.len();
            }
            Err(error) => {
                assert!(error.place().is_some(), "{error}");
                break;
            }
        }
    }
    assert!(lines <= text.iter().filter(|&&b| b == b'\n').count() + 1);
}

/// Counting: the kernel counts what the plain machine lists.
pub fn decoding(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let mode = choices.mode();
    let letters: &[&str] = match mode {
        Mode::Strict(scheme) => match scheme {
            Scheme::Iob1 | Scheme::Iob2 => &["B", "I"],
            Scheme::Ioe1 | Scheme::Ioe2 => &["E", "I"],
            Scheme::Bilou => &["B", "I", "L", "U"],
            _ => &["B", "I", "E", "S"],
        },
        _ => &["B", "I", "E", "S", "M", ".", "["],
    };
    // More than 31 types take codes of four bytes.
    let types = choices.of([1, 2, 5, 40]);
    let mut list = vec!["O".to_owned(), "O-T0".to_owned()];
    list.extend(letters.iter().map(|&letter| letter.to_owned()));
    for t in 0..types {
        list.extend(letters.iter().map(|letter| format!("{letter}-T{t}")));
    }
    let (mut gold, mut predicted, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    let end_of_row = choices.of([3, 17, 64, 255]);
    while !choices.0.is_empty() {
        let (g, p) = (choices.byte(), choices.byte());
        if g == end_of_row {
            ends.push(gold.len());
            continue;
        }
        gold.push(i32::from(g) % list.len() as i32);
        // Some are the same as gold, so that chunks are found; some are in no list.
        predicted.push(if p < 128 { gold[gold.len() - 1] } else { i32::from(p) - 130 });
    }
    ends.push(gold.len());

    let builder = ChunkEvaluator::builder(list).reading(LabelReading::Reference).mode(mode);
    let mut metric = builder.build().unwrap();
    let batch = TagBatch::new(&gold, &predicted, &ends).unwrap();
    metric.update(batch).unwrap();
    let report = metric.accumulate();
    let mut listed = ChunkCounts::default();
    for (gold, predicted) in batch.iter_rows() {
        let (gold, predicted) = (metric.entities(gold), metric.entities(predicted));
        listed.gold += gold.len() as u64;
        listed.predicted += predicted.len() as u64;
        let gold: HashSet<_> = gold.into_iter().collect();
        listed.correct += predicted.iter().filter(|chunk| gold.contains(chunk)).count() as u64;
    }
    let found = report.overall.counts;
    if mode == Mode::Conlleval {
        // conlleval.pl matches by flags, which is not always what a listing says.
        assert_eq!((found.gold, found.predicted), (listed.gold, listed.predicted), "{mode}");
    } else {
        assert_eq!(found, listed, "{mode}");
    }
    let of_types = report.per_type.iter().map(|t| t.scores.counts);
    let sum = |count: fn(ChunkCounts) -> u64| of_types.clone().map(count).sum::<u64>();
    let typed = ChunkCounts {
        gold: sum(|c| c.gold),
        predicted: sum(|c| c.predicted),
        correct: sum(|c| c.correct),
    };
    assert_eq!(typed, found, "{mode}");
}

/// Reading the answer of a language model: any text has an answer, every place in it is one of the
/// text, and what was found is found again in what it prints.
pub fn llm_answers(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for reading in [AnswerReading::Strict, AnswerReading::Lenient] {
        let answer = reading.read(&text);
        assert_eq!(answer.is_readable(), answer.fault.is_none(), "{answer:?}");
        let places = answer.repairs.iter().map(|repair| repair.offset);
        let places = places.chain(answer.malformed.iter().map(|malformed| malformed.offset));
        for place in places.chain(answer.fault.iter().map(|fault| fault.offset)) {
            assert!(text.is_char_boundary(place), "{place} in {answer:?}");
        }
        let kinds: Vec<_> = answer.repairs.iter().map(|repair| repair.kind).collect();
        assert!(kinds.is_sorted() && answer.repairs.iter().all(|r| r.count > 0), "{answer:?}");
        if !answer.is_readable() {
            assert_eq!(answer.entities, Entities::default());
        }
    }

    let found = AnswerReading::Lenient.read(&text).entities;
    for (entity_type, list) in found.iter() {
        let texts = list.iter().map(String::as_str).chain([entity_type]);
        assert!(texts.into_iter().all(|text| !text.is_empty() && text.trim() == text), "{found:?}");
    }
    let printed = serde_json::to_string(&found).unwrap();
    // Thoughts are dropped, wherever they stand.
    if !printed.contains("<think") && !printed.contains("</think") {
        let again = AnswerReading::Lenient.read(&printed);
        assert!(matches!(again.status, AnswerStatus::Clean | AnswerStatus::Empty), "{again:?}");
        let lists = |entities: &Entities| -> Vec<_> {
            let full = entities.iter().filter(|(_, list)| !list.is_empty());
            full.map(|(t, list)| (t.to_owned(), list.to_vec())).collect()
        };
        assert_eq!(lists(&again.entities), lists(&found), "{printed}");
    }
    if let Ok(label) = Entities::from_label(&text) {
        assert!(label.iter().all(|(_, list)| !list.is_empty()));
    }
    let json = serde_json::json!(text);
    let lines = [
        format!(r#"{{"gold": [{{"entity": "a", "entity_type": "A"}}], "prediction": {json}}}"#),
        format!(r#"{{"text": "a b", "schema": ["A"], "gold": {json}, "prediction": {text}}}"#),
        text.into_owned(),
    ];
    lines.iter().for_each(|line| counted_alike(line.as_bytes()));
    // Bytes that are no text, in the answer.
    counted_alike(&[br#"{"gold": {"A": ["a"]}, "prediction": ""#, bytes, br#""}"#].concat());
}

/// A line of a file of answers is counted as its record is.
fn counted_alike(line: &[u8]) {
    let metric = ExtractionEvaluator::new();
    let mut counting = LineEvaluator::new(metric.clone(), Preset::Plain);
    let mut parser = RecordParser::new(Preset::Plain);
    let mut lines = JsonLines::new(line, "fuzzed");
    while let Ok(Some(line)) = lines.next_line_lossy() {
        let counted = counting.count(line).map_err(|e| e.to_string());
        let measured = parser
            .parse(line)
            .map_err(|e| e.to_string())
            .map(|record| metric.measure(RecordBatch::new(&[record])).unwrap());
        let counted = counted.map(|()| counting.take().unwrap());
        assert_eq!(counted, measured, "{}", line.text);
    }
}
