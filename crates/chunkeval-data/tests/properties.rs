//! What must hold for any input.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use chunkeval_core::{ErrorKind, Result};
use chunkeval_data::{
    Batching, Column, Comments, Conll, ConllReader, Delimiter, DocStart, Format, PairReader,
    ParallelReader, PredictionWriter, ReadSentences as _, Sentence, TextReader, TextTokens, Vocab,
    WaybillReader,
};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

fn config() -> ProptestConfig {
    let kept = FileFailurePersistence::WithSource("regressions");
    ProptestConfig { cases: 1024, failure_persistence: Some(Box::new(kept)), ..Default::default() }
}

/// Bytes that are often nearly a label file.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = vec![
        &b"a"[..],
        b"\t",
        b" ",
        b"\n",
        b"\r\n",
        b"\r",
        b"O",
        b"B-X",
        b"#",
        b"# c",
        b"\x02",
        b"\0",
        b"\xEF\xBB\xBF",
        b"\xE7\x9C\x81",
        b"\xE7",
        b"\xFF",
        b"-DOCSTART-",
        b"text_a\tlabel\n",
        b"\n\n",
        b"0\t",
        b"\xE3\x80\x80",
    ];
    let nearly = prop::collection::vec(prop::sample::select(pieces), 0..40)
        .prop_map(|pieces| pieces.concat());
    prop_oneof![3 => nearly, 1 => prop::collection::vec(any::<u8>(), 0..60)]
}

fn layout() -> impl Strategy<Value = Conll> {
    let column = || {
        (any::<bool>(), 1_usize..5)
            .prop_map(|(left, n)| if left { Column::FromLeft(n) } else { Column::FromRight(n) })
    };
    let delimiter = [Delimiter::Whitespace, Delimiter::Tab, Delimiter::Space];
    let comments = [Comments::None, Comments::Hash, Comments::Between];
    let docstart = [DocStart::Boundary, DocStart::Skip, DocStart::Keep];
    let parts = (
        column(),
        column(),
        prop::option::of(column()),
        prop::sample::select(delimiter.to_vec()),
        prop::sample::select(comments.to_vec()),
        prop::sample::select(docstart.to_vec()),
    );
    parts.prop_map(|(token, gold, predicted, delimiter, comments, docstart)| Conll {
        token,
        gold,
        predicted,
        delimiter,
        comments,
        docstart,
    })
}

/// All sentences are whole, and an error names a place in the files.
fn sound(all: Result<Vec<Sentence>>, files: &[&[u8]]) -> Result<(), TestCaseError> {
    match all {
        Ok(sentences) => {
            for s in sentences {
                prop_assert!(!s.is_empty());
                prop_assert!(s.gold().is_empty() || s.len() == s.gold().len());
                prop_assert!(s.predicted().is_none_or(|p| p.len() == s.len()));
                let mut texts = s.tokens().iter().chain(s.gold().iter());
                prop_assert!(texts.all(|text| !text.is_empty()));
            }
        }
        Err(error) => {
            let ErrorKind::Parse { path, line, column, .. } = error.kind() else {
                return Err(TestCaseError::fail(error.to_string()));
            };
            let index: usize = path.to_str().unwrap().parse().unwrap();
            let lines: Vec<&[u8]> = files[index].split(|&b| b == b'\n').collect();
            prop_assert!(*line >= 1 && *line <= lines.len() as u64, "{}", error);
            let length = lines[*line as usize - 1].len() as u64;
            prop_assert!(*column >= 1 && *column <= length + 1, "{}", error);
        }
    }
    Ok(())
}

/// Whether a text can stand in a file of predictions.
fn writable(text: &str) -> bool {
    !text.is_empty() && !text.contains(['\t', '\n', '\r', '\0'])
}

fn sentence(rows: &[(String, String, String)]) -> Sentence {
    let mut sentence = Sentence::new();
    rows.iter().for_each(|(token, gold, _)| sentence.push(token, gold));
    sentence.set_predicted(rows.iter().map(|row| &row.2)).unwrap();
    sentence
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[ab#\\-\u{feff} 省\u{3000}\u{85}\u{2028}]{1,3}", ".{1,4}", "[\t\n\r\\x00 x]{0,2}"]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_are_sentences_or_an_error_with_a_place(a in bytes(), b in bytes(), c in bytes(), layout in layout()) {
        if let Ok(reader) = ConllReader::new(a.as_slice(), "0", &layout) {
            sound(reader.collect(), &[&a])?;
            let other = ConllReader::new(b.as_slice(), "1", &layout).unwrap();
            let gold = ConllReader::new(a.as_slice(), "0", &layout).unwrap();
            sound(PairReader::new(gold, other).collect(), &[&a, &b])?;
        }
        sound(WaybillReader::new(a.as_slice(), "0").collect(), &[&a])?;
        let with_header = [b"text_a\tlabel\n", a.as_slice()].concat();
        sound(WaybillReader::new(with_header.as_slice(), "0").collect(), &[&with_header])?;
        let two = || ParallelReader::new(a.as_slice(), "0", b.as_slice(), "1");
        sound(two().collect(), &[&a, &b])?;
        sound(two().with_labels(c.as_slice(), "2").collect(), &[&a, &b, &c])?;
        for vocab in [Vocab::read_lines(a.as_slice(), "0"), Vocab::read_dictionary(a.as_slice(), "0")] {
            sound(vocab.map(|_| Vec::new()), &[&a])?;
        }
    }

    #[test]
    fn tokens_alone_are_those_that_have_tags(a in bytes(), layout in layout()) {
        let tokens = |all: Vec<Sentence>| -> Vec<Vec<String>> {
            all.iter().map(|s| s.tokens().iter().map(str::to_owned).collect()).collect()
        };
        if let Ok(reader) = ConllReader::new(a.as_slice(), "0", &layout) {
            let alone = ConllReader::new(a.as_slice(), "0", &layout)?.tokens_only();
            let alone: Result<Vec<_>> = alone.collect();
            if let Ok(all) = reader.collect::<Result<Vec<_>>>() {
                prop_assert_eq!(tokens(alone.unwrap()), tokens(all));
            } else {
                sound(alone, &[&a])?;
            }
        }
        let with_header = [b"text_a\tlabel\n", a.as_slice()].concat();
        let alone = WaybillReader::new(with_header.as_slice(), "0").tokens_only();
        let alone: Result<Vec<_>> = alone.collect();
        match WaybillReader::new(with_header.as_slice(), "0").collect::<Result<Vec<_>>>() {
            Ok(all) => prop_assert_eq!(tokens(alone.unwrap()), tokens(all)),
            Err(_) => sound(alone, &[&with_header])?,
        }
    }

    #[test]
    fn no_character_of_a_text_is_lost(a in bytes()) {
        for tokens in [TextTokens::Words, TextTokens::Characters, TextTokens::CharactersAndSpaces] {
            let mut reader = TextReader::new(a.as_slice(), "0", tokens);
            let (mut sentence, mut lines) = (Sentence::new(), 0);
            loop {
                match reader.read_into(&mut sentence) {
                    Ok(true) => {}
                    Ok(false) => {
                        let text = std::str::from_utf8(&a).unwrap();
                        let blank = reader.blank_lines() as usize;
                        prop_assert_eq!(blank + lines, text.lines().count());
                        break;
                    }
                    Err(error) => {
                        sound(Err(error), &[&a])?;
                        break;
                    }
                }
                lines += 1;
                // What is in no token is a space or a tab.
                let mut rest: Vec<Option<char>> = reader.text().chars().map(Some).collect();
                for (i, token) in sentence.tokens().iter().enumerate() {
                    let start = sentence.tokens().position(i).unwrap().column as usize - 1;
                    for (at, character) in (start..).zip(token.chars()) {
                        prop_assert_eq!(rest[at].take(), Some(character));
                    }
                }
                let left = |c: &char| *c == '\t' || *c == ' ' && tokens != TextTokens::CharactersAndSpaces;
                prop_assert!(rest.iter().flatten().all(left), "{:?} {:?}", rest, tokens);
            }
        }
    }

    #[test]
    fn no_token_line_is_lost(a in bytes()) {
        let layout = Conll { docstart: DocStart::Keep, ..Conll::default() };
        let all: Result<Vec<_>> = ConllReader::new(a.as_slice(), "0", &layout)?.collect();
        if let Ok(all) = all {
            let text = String::from_utf8(a).unwrap();
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            let lines = text.split('\n').filter(|l| !l.trim_matches([' ', '\t', '\r']).is_empty());
            prop_assert_eq!(all.iter().map(Sentence::len).sum::<usize>(), lines.count());
        }
    }

    #[test]
    fn line_ends_do_not_matter(a in "[ab\t \n#省]{0,40}", layout in layout()) {
        let read = |text: &str| {
            let reader = ConllReader::new(text.as_bytes(), "0", &layout)?;
            reader.collect::<Result<Vec<_>>>()
        };
        let show = |all: Result<Vec<Sentence>>| all.map_err(|error| error.to_string());
        let unix = show(read(&a));
        prop_assert_eq!(&unix, &show(read(&a.replace('\n', "\r\n"))));
        prop_assert_eq!(&unix, &show(read(&format!("\u{feff}{a}"))));
        prop_assert_eq!(&unix, &show(read(&format!("{a}\n"))));
    }

    #[test]
    fn what_is_written_reads_back(all in prop::collection::vec(prop::collection::vec((text(), text(), text()), 1..4), 0..4)) {
        let mut writer = PredictionWriter::new(Vec::new(), "0");
        let mut written = Vec::new();
        for rows in &all {
            let sentence = sentence(rows);
            let tag = |t: &str| writable(t) && t.bytes().any(|b| b != b' ');
            let fits = rows.iter().all(|(t, g, p)| writable(t) && tag(g) && tag(p));
            let result = writer.write(&sentence);
            prop_assert_eq!(result.is_ok(), fits);
            if fits {
                written.push(sentence);
            }
        }
        let bytes = writer.finish()?;
        let back = ConllReader::new(bytes.as_slice(), "0", &Conll::predictions())?;
        prop_assert_eq!(back.collect::<Result<Vec<_>>>()?, written);
    }

    #[test]
    fn batches_hold_every_sentence_once(lengths in prop::collection::vec(1_usize..40, 0..200), rows in 1_usize..20, pool in 0_usize..6, seed: u64, epoch: u64) {
        let batching = Batching::new(rows)?.pool(pool).seed(seed);
        for batches in [batching.shuffled(&lengths, epoch)?, batching.by_length(&lengths)?] {
            prop_assert!(batches.iter().all(|batch| !batch.is_empty() && batch.len() <= rows));
            let mut all = batches.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..lengths.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_vocabulary_is_the_same_both_ways(texts in prop::collection::vec("[a-e]{1,2}", 0..30), least in 0_u64..4, most in 0_usize..12) {
        let mut counts = Vocab::builder();
        counts.extend(&texts);
        let kept = counts.clone().min_count(least).max_size(most).unknown("?").build()?;
        prop_assert!(kept.len() <= most + 1);
        for (id, text) in kept.iter() {
            prop_assert_eq!((kept.id(text), kept.text(id)), (Some(id), Some(text)));
            prop_assert!(text == "?" || counts.count(text) >= least);
        }
        let mut ids = Vec::new();
        let mut sentence = Sentence::new();
        texts.iter().for_each(|text| sentence.push(text, "O"));
        kept.encode(sentence.tokens(), Path::new("0"), &mut ids)?;
        for (text, id) in texts.iter().zip(ids) {
            prop_assert!(kept.text(id) == Some(text) || kept.text(id) == Some("?"));
        }
    }

    #[test]
    fn formats_come_back_from_text(layout in layout(), noise in "[a-z0-9:,=\\-]{0,20}") {
        let format = Format::Conll(layout);
        // The same text is refused for the same reason, or gives the same format.
        if let Ok(back) = format.to_string().parse::<Format>() {
            prop_assert_eq!(back, format);
        }
        let _ = noise.parse::<Format>();
        let _ = format!("conll:{noise}").parse::<Format>();
    }
}
