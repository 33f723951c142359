//! [`Side`]: a file of gold tags alone, or of predicted ones, part by part.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use chunkeval_data::{Conll, ConllReader, Format, Parallel};

use super::columns::{Columns, Scanner};
use super::interner::Interner;
use super::labels::Labels;
use super::layout::{ColumnLayout, Layout};
use super::parallel::ParallelScanner;
use super::part::{File, Part};
use super::waybill::WaybillScanner;
use crate::input::{Block, Boundary, Feed, Input};
use crate::{Error, Result};

/// A file that is scanned block by block, or two parallel ones.
pub(super) struct Side<'h, 'l> {
    /// Of tokens, and of tags if there is no other.
    feed: Feed<'h>,
    scanner: AnyScanner<'h>,
    tags: Interner<'l>,
    document_start: &'l str,
}

/// Which side it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Gold,
    /// May have tags alone.
    Predicted,
}

/// What errors call the files of a side.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    pub(super) tokens: PathBuf,
    pub(super) tags: PathBuf,
}

impl Paths {
    pub(super) fn of(&self, file: File) -> &Path {
        match file {
            File::Tokens => &self.tokens,
            File::Tags => &self.tags,
        }
    }
}

enum AnyScanner<'h> {
    /// Columns of which no token line was seen yet.
    Unseen(ColumnLayout),
    Columns(Scanner),
    Waybill(WaybillScanner),
    Parallel(ParallelScanner<'h>),
}

impl<'h, 'l> Side<'h, 'l> {
    /// Opens a file, or those of a folder.
    ///
    /// # Errors
    /// One cannot be opened, or the layout cannot be.
    pub(super) fn open(
        of: Of,
        path: &Path,
        layout: &Layout,
        labels: &'l Labels<'l>,
        document_start: &'l str,
        halt: &'h AtomicBool,
    ) -> Result<Self> {
        let feed = |path: &Path, boundary| -> Result<_> {
            Ok(Feed::new(Input::open(path)?, boundary, halt))
        };
        let (scanner, feed) = match layout {
            Layout::Auto if path.is_dir() => {
                let layout = Layout::Named(Format::Parallel(Parallel::default()));
                return Self::open(of, path, &layout, labels, document_start, halt);
            }
            Layout::Auto => {
                let layout = match of {
                    Of::Gold => ColumnLayout::AutoSide,
                    Of::Predicted => ColumnLayout::AutoPredicted,
                };
                (AnyScanner::Unseen(layout), feed(path, Boundary::BlankLine)?)
            }
            Layout::Named(Format::Conll(layout)) => {
                // A layout that has predicted tags, too, is read for the gold ones.
                let layout = Conll { predicted: None, ..layout.clone() };
                ConllReader::new(std::io::empty(), path, &layout)?; // that it can be
                let scanner = AnyScanner::Unseen(ColumnLayout::Named(layout));
                (scanner, feed(path, Boundary::BlankLine)?)
            }
            Layout::Named(Format::Parallel(names)) => {
                are_there(path, names)?;
                let tags = feed(&path.join(&names.tags), Boundary::Line)?.quiet();
                let scanner = AnyScanner::Parallel(ParallelScanner::new(tags));
                (scanner, feed(&path.join(&names.tokens), Boundary::Line)?)
            }
            Layout::Named(_) => {
                (AnyScanner::Waybill(WaybillScanner::default()), feed(path, Boundary::Line)?)
            }
        };
        Ok(Self { feed, scanner, tags: Interner::new(labels), document_start })
    }

    /// What errors call the files.
    pub(super) fn paths(&self) -> Paths {
        let tokens = self.feed.path();
        let tags = match &self.scanner {
            AnyScanner::Parallel(scanner) => scanner.path(),
            _ => tokens,
        };
        Paths { tokens: tokens.to_owned(), tags: tags.to_owned() }
    }

    /// Shows no progress: the other side does.
    pub(super) fn quiet(mut self) -> Self {
        self.feed = self.feed.quiet();
        self
    }

    /// The next part, in the memory of an old one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn next(&mut self, mut old: Part) -> Result<Option<Part>> {
        let memory = std::mem::take(&mut old.block.bytes);
        let Some(block) = self.feed.next(memory)? else { return self.end(old) };
        let mut part = Part::of(block, old);
        if let AnyScanner::Unseen(layout) = &self.scanner {
            let Block { bytes, line } = &part.block;
            match Columns::sniff(layout, self.document_start, bytes, *line) {
                Ok(Some(columns)) => self.scanner = AnyScanner::Columns(Scanner::new(&columns)),
                Ok(None) => {} // blank lines and comments
                Err(fault) => part.fault = Some((File::Tags, fault)),
            }
        }
        match &mut self.scanner {
            AnyScanner::Unseen(_) => {}
            AnyScanner::Columns(scanner) => {
                let block = std::mem::take(&mut part.block);
                scanner.scan(&block, &mut self.tags, &mut part);
                part.block = block;
                part.tokens.truncate(part.rows.gold.len());
                part.bare = scanner.is_bare();
            }
            AnyScanner::Waybill(scanner) => scanner.scan(&mut part, &mut self.tags),
            AnyScanner::Parallel(scanner) => {
                scanner.scan(&mut part, &mut self.tags, self.feed.path())?;
            }
        }
        Ok(Some(part))
    }

    /// What stands behind the last block: nothing, or tags without tokens.
    fn end(&mut self, old: Part) -> Result<Option<Part>> {
        let AnyScanner::Parallel(scanner) = &mut self.scanner else { return Ok(None) };
        let fault = scanner.end(self.feed.path())?;
        Ok(fault.map(|fault| {
            let mut part = Part::of(Block::default(), old);
            part.fault = Some((File::Tags, fault));
            part
        }))
    }
}

/// That a folder has parallel files of these names.
///
/// # Errors
/// It has not.
fn are_there(folder: &Path, names: &Parallel) -> Result<()> {
    let missing = [&names.tokens, &names.tags].into_iter().find(|name| !folder.join(name).exists());
    match missing {
        Some(name) if folder.is_dir() => {
            let reason = format!("a folder without {}", name.display());
            let hint = "the tokens of parallel files are in seq.in, their tags in seq.out; \
                        --layout parallel:tokens=NAME,tags=NAME names others";
            Err(Error::content(folder, reason).with_hint(hint))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Labelling, Reading, Spelling, Style};
    use super::*;
    use chunkeval_data::{
        Comments, Delimiter, DocStart, ParallelReader, ReadSentences, Sentence, WaybillReader,
    };
    use proptest::prelude::*;

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
        let good =
            prop::collection::vec(prop::sample::select(vec![("a", "O"), ("省", "B-X")]), 1..4);
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
        let end = prop::sample::select(vec![
            ["\n", "\n"],
            ["", "\n"],
            ["\n", ""],
            ["", ""],
            ["\na", "\n"],
        ]);
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
}
