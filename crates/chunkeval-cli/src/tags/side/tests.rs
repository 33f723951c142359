//! Sides against the readers of `chunkeval-data`: sentences, and where a fault is named.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use chunkeval_data::{
    Comments, Conll, ConllReader, Delimiter, DocStart, Format, Parallel, ParallelReader,
    ReadSentences, Sentence, WaybillReader,
};
use proptest::prelude::*;

use super::super::labels::Labels;
use super::super::{Labelling, Layout, Reading, Spelling, Style};
use super::{Of, Part, Side};

/// Sentences of tokens with their tags, and what ends them before the end of the file.
type Found = (Vec<Vec<(String, String)>>, Option<String>);

fn by_side(path: &Path, layout: &Layout) -> Found {
    let reading = [Reading {
        modes: vec![chunkeval_core::Mode::Lenient],
        style: Style::Prefix,
        spelling: Spelling::Usual,
        labelling: Labelling::Reference,
    }];
    let (labels, halt) = (Labels::new(&reading), AtomicBool::new(false));
    let mut side = Side::open(Of::Gold, path, layout, &labels, "", &halt).unwrap().quiet();
    let mut sentences = Vec::new();
    while let Some(mut part) = side.next(Part::default()).unwrap() {
        for row in 0..part.rows.ends.len() {
            let list = labels.list();
            let cells = part.range(row).map(|at| {
                let token = String::from_utf8(part.token(at).to_vec()).unwrap();
                (token, list[part.rows.gold[at] as usize].clone())
            });
            sentences.push(cells.collect());
        }
        if let Some((file, fault)) = part.fault.take() {
            return (sentences, Some(fault.at(side.paths().of(file)).to_string()));
        }
    }
    (sentences, None)
}

fn by_reader(mut reader: impl ReadSentences) -> Found {
    let (mut sentences, mut sentence) = (Vec::new(), Sentence::new());
    loop {
        match reader.read_into(&mut sentence) {
            Ok(true) => {
                let cells = sentence.tokens().iter().zip(sentence.gold().iter());
                sentences.push(cells.map(|(t, g)| (t.to_owned(), g.to_owned())).collect());
            }
            Ok(false) => return (sentences, None),
            Err(error) => return (sentences, Some(error.to_string())),
        }
    }
}

/// Where a message points at; the words are not always the same.
fn place(found: &Found) -> (usize, Option<String>) {
    let place = |message: &String| message.splitn(4, ':').take(3).collect::<Vec<_>>().join(":");
    (found.0.len(), found.1.as_ref().map(place))
}

fn piece() -> impl Strategy<Value = &'static [u8]> {
    let pieces: [&[u8]; 17] = [
        b"a",
        b"\xE7\x9C\x81",
        b"#",
        b"# ",
        b"-DOCSTART-",
        b" ",
        b"\t",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b"\0",
        b"O",
        b"B-X",
        b"\x02",
        b"\xFF",
        b"\xE3\x80\x80",
    ];
    prop::sample::select(pieces.to_vec())
}

fn line(joint: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let odd = prop::collection::vec(piece(), 0..5).prop_map(|pieces| pieces.concat());
    let token = prop::sample::select(vec!["a", "#", "# b", "\u{3000}", "-DOCSTART-", "省"]);
    let tag = prop::sample::select(vec!["O", "B-X", "I-X"]);
    let good = (token, tag).prop_map(move |(token, tag)| [token, joint, tag, "\n"].concat());
    prop_oneof![
        8 => good.prop_map(String::into_bytes),
        2 => prop::sample::select(vec!["\n", " \t\n", "\r\n"]).prop_map(|s| s.as_bytes().to_vec()),
        1 => odd,
    ]
}

fn record() -> impl Strategy<Value = Vec<u8>> {
    let good = prop::collection::vec(prop::sample::select(vec![("a", "O"), ("省", "B-X")]), 1..4);
    let good = good.prop_map(|cells| {
        let join = |of: Vec<&str>| of.join("\u{2}");
        let (tokens, tags) = cells.into_iter().unzip();
        [join(tokens), "\t".to_owned(), join(tags), "\n".to_owned()].concat().into_bytes()
    });
    let odd = prop::collection::vec(piece(), 0..6).prop_map(|pieces| pieces.concat());
    prop_oneof![8 => good, 1 => odd, 1 => Just(b"\r\n".to_vec())]
}

/// Such a file has no row that could be scanned.
#[test]
fn a_comment_alone_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    std::fs::write(&path, b"# \0").unwrap();
    let layout = Conll { comments: Comments::Between, ..Conll::default() };
    let expected = by_reader(ConllReader::open(&path, &layout).unwrap());
    assert!(expected.1.as_ref().is_some_and(|fault| fault.contains("NUL")), "{expected:?}");
    let found = by_side(&path, &Layout::Named(Format::Conll(layout)));
    assert_eq!(place(&found), place(&expected));
}

fn delimiters() -> impl Strategy<Value = (Delimiter, &'static str)> {
    prop::sample::select(vec![
        (Delimiter::Tab, "\t"),
        (Delimiter::Space, " "),
        (Delimiter::Whitespace, " \t"),
    ])
}

/// Lines of words, mostly as many as in the other file.
fn parallel() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let words = prop::sample::select(vec![
        ("a", "O"),
        ("a 省", "O B-X"),
        ("", ""),
        (" \t", "\r"),
        ("a\tb  c ", " O O B-X\r"),
    ]);
    let odd = || prop::collection::vec(piece(), 0..4).prop_map(|pieces| pieces.concat());
    let lines = prop_oneof![
        20 => words.prop_map(|(a, b)| (a.as_bytes().to_vec(), b.as_bytes().to_vec())),
        1 => (odd(), odd()),
    ];
    let end =
        prop::sample::select(vec![["\n", "\n"], ["", "\n"], ["\n", ""], ["", ""], ["\na", "\n"]]);
    (prop::collection::vec(lines, 0..8), end).prop_map(|(lines, end)| {
        let (tokens, tags): (Vec<_>, Vec<_>) = lines.into_iter().unzip();
        let [tokens, tags] = [(tokens, end[0]), (tags, end[1])]
            .map(|(lines, end)| [&lines.join(&b'\n'), end.as_bytes()].concat());
        (tokens, tags)
    })
}

proptest! {
    #[test]
    fn parallel_files_are_read_as_by_chunkeval_data((tokens, tags) in parallel()) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("seq.in"), tokens).unwrap();
        std::fs::write(folder.path().join("seq.out"), tags).unwrap();
        let names = Parallel::default();
        let expected = by_reader(ParallelReader::open(folder.path(), &names).unwrap());
        let found = by_side(folder.path(), &Layout::Named(Format::Parallel(names)));
        prop_assert_eq!(place(&found), place(&expected), "{:?} {:?}", found, expected);
        prop_assert_eq!(found.0, expected.0);
    }

    #[test]
    fn columns_are_read_as_by_chunkeval_data(
        (delimiter, lines) in delimiters().prop_flat_map(|(delimiter, joint)| {
            (Just(delimiter), prop::collection::vec(line(joint), 0..12))
        }),
        comments in prop::sample::select(vec![Comments::None, Comments::Between]),
        docstart in
            prop::sample::select(vec![DocStart::Boundary, DocStart::Skip, DocStart::Keep]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, lines.concat()).unwrap();
        let layout = Conll { delimiter, comments, docstart, ..Conll::default() };
        let expected = by_reader(ConllReader::open(&path, &layout).unwrap());
        let found = by_side(&path, &Layout::Named(Format::Conll(layout)));
        prop_assert_eq!(place(&found), place(&expected), "{:?} {:?}", found, expected);
        prop_assert_eq!(found.0, expected.0);
    }

    #[test]
    fn waybills_are_read_as_by_chunkeval_data(
        header in prop::sample::select(vec!["text_a\tlabel\n"; 5].into_iter()
            .chain(["text_a\tlabel\r\n", "\n", "text_a\tlabel", ""]).collect::<Vec<_>>()),
        records in prop::collection::vec(record(), 0..8),
    ) {
        let text = [header.as_bytes(), &records.concat()].concat();
        prop_assume!(!text.is_empty()); // the program names a file without sentences
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, text).unwrap();
        let expected = by_reader(WaybillReader::open(&path).unwrap());
        let found = by_side(&path, &Layout::Named("waybill".parse().unwrap()));
        prop_assert_eq!(place(&found), place(&expected), "{:?} {:?}", found, expected);
        prop_assert_eq!(found.0, expected.0);
    }
}
