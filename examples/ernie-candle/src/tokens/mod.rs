//! Words or text to pieces of words, by the tokenizer of a Hugging Face folder.

mod definition;

pub(crate) use definition::OUR_SETTINGS;

use std::path::{Path, PathBuf};

use serde_json::Value;
use tokenizers::{Encoding, InputSequence, Tokenizer};

use crate::encoder::{EncoderError, Result};

/// A WordPiece tokenizer (Wu et al. 2016) with the special tokens of BERT and ERNIE.
#[derive(Debug)]
pub struct Tokens {
    tokenizer: Tokenizer,
    path: PathBuf,
    size: usize,
    special: [u32; SPECIAL.len()],
    blank: Option<u32>,
}

/// What no encoder can do without.
const SPECIAL: [&str; 4] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];

/// The piece of words that are blank. A tokenizer drops them; read as `[UNK]`, a space that parts
/// two fields of a waybill could not be told from a character of a name that nobody has seen.
pub(crate) const BLANK: &str = "[BLANK]";

/// A text cut into pieces; special tokens are not among them, and nothing is cut off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cut {
    /// The id of each piece.
    pub ids: Vec<u32>,
    /// The index of each piece's word.
    pub words: Vec<u32>,
    /// Where each piece begins and ends: bytes within its word, or within the text.
    pub offsets: Vec<(usize, usize)>,
    /// Words that the tokenizer would drop without a trace, such as control characters. Each has
    /// the piece `[UNK]` here, so that every word has a label. There are none where the vocabulary
    /// has a piece `[BLANK]` for them.
    pub dropped: Vec<u32>,
}

impl Tokens {
    /// Reads `tokenizer.json` of a folder, or else `vocab.txt`; `tokenizer_config.json` beside
    /// them says whether letters are made small.
    ///
    /// Truncation and padding that a `tokenizer.json` asks for are left out: rows would end
    /// silently.
    ///
    /// # Errors
    /// Neither file is there, one of them cannot be used, or it lacks `[PAD]`, `[UNK]`, `[CLS]` or
    /// `[SEP]`.
    pub fn open(folder: &Path) -> Result<Self> {
        let (definition, path) = definition::of_folder(folder)?;
        Self::new(definition, path)
    }

    /// The tokenizer for a list of pieces, one a line, as in a `vocab.txt` of ours: letters are
    /// made small, accents stay.
    ///
    /// # Errors
    /// The list lacks `[PAD]`, `[UNK]`, `[CLS]` or `[SEP]`.
    pub fn of_pieces(pieces: &str) -> Result<Self> {
        let path = PathBuf::from("vocab.txt");
        match definition::of_pieces(pieces) {
            Ok(definition) => Self::new(definition, path),
            Err(error) => Err(EncoderError::Vocabulary { path, reason: error.to_string() }),
        }
    }

    fn new(definition: Value, path: PathBuf) -> Result<Self> {
        let wrong = |reason: String| EncoderError::Vocabulary { path: path.clone(), reason };
        let unknown = definition.pointer("/model/unk_token").and_then(Value::as_str);
        let unknown = unknown.map(str::to_owned);
        let tokenizer: Tokenizer =
            serde_json::from_value(definition).map_err(|error| wrong(error.to_string()))?;
        if let Some(unknown) = unknown.filter(|piece| tokenizer.token_to_id(piece).is_none()) {
            let reason =
                format!("the piece of unknown words, {unknown:?}, is not in the vocabulary");
            return Err(wrong(reason));
        }
        let special = SPECIAL.map(|name| tokenizer.token_to_id(name));
        let missing: Vec<&str> = SPECIAL
            .into_iter()
            .zip(special)
            .filter(|(_, id)| id.is_none())
            .map(|(name, _)| name)
            .collect();
        if !missing.is_empty() {
            return Err(wrong(format!("{} missing", missing.join(", "))));
        }
        let special = special.map(Option::unwrap_or_default);
        let size = tokenizer.get_vocab(true).into_values().max().map_or(0, |id| id as usize + 1);
        let blank = tokenizer.token_to_id(BLANK);
        Ok(Self { tokenizer, path, size, special, blank })
    }

    /// Cuts words, one after the other; every word gets at least one piece.
    ///
    /// # Errors
    /// The tokenizer fails.
    pub fn words(&self, words: &[&str]) -> Result<Cut> {
        let encoding = self.encode(words)?;
        let pieces = encoding.get_ids().iter().zip(encoding.get_word_ids());
        let mut pieces = pieces.zip(encoding.get_offsets()).peekable();
        let mut cut = Cut::default();
        for (index, word) in (0..).zip(words) {
            let before = cut.ids.len();
            while let Some(((&id, _), &offsets)) =
                pieces.next_if(|((_, of), _)| **of == Some(index))
            {
                cut.push(id, index, offsets);
            }
            if cut.ids.len() == before {
                cut.push(self.blank.unwrap_or(self.unk()), index, (0, word.len()));
                if self.blank.is_none() {
                    cut.dropped.push(index);
                }
            }
        }
        Ok(cut)
    }

    /// Cuts a text; words are what the tokenizer takes for words.
    ///
    /// # Errors
    /// The tokenizer fails.
    pub fn text(&self, text: &str) -> Result<Cut> {
        let encoding = self.encode(text)?;
        let mut cut = Cut::default();
        let pieces = encoding.get_ids().iter().zip(encoding.get_word_ids());
        for ((&id, &word), &offsets) in pieces.zip(encoding.get_offsets()) {
            cut.push(id, word.unwrap_or_default(), offsets);
        }
        Ok(cut)
    }

    fn encode<'t>(&self, input: impl Into<InputSequence<'t>>) -> Result<Encoding> {
        let encoding = self.tokenizer.encode(input.into(), false);
        encoding.map_err(|error| EncoderError::Tokenizer(error.to_string()))
    }

    /// How many ids there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The file that it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The id of `[PAD]`.
    pub fn pad(&self) -> u32 {
        self.special[0]
    }

    /// The id of `[UNK]`.
    pub fn unk(&self) -> u32 {
        self.special[1]
    }

    /// The id of `[CLS]`.
    pub fn cls(&self) -> u32 {
        self.special[2]
    }

    /// The id of `[SEP]`.
    pub fn sep(&self) -> u32 {
        self.special[3]
    }
}

impl Cut {
    fn push(&mut self, id: u32, word: u32, offsets: (usize, usize)) {
        self.ids.push(id);
        self.words.push(word);
        self.offsets.push(offsets);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::definition::of_vocabulary;
    use super::*;

    const PIECES: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nlove\n##lace\nada\nAda\n中\n国\n,\n";

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn words_and_their_pieces() {
        let folder = folder(&[("vocab.txt", PIECES)]);
        let tokens = Tokens::open(folder.path()).unwrap();
        assert_eq!(tokens.size(), 11);
        assert_eq!([tokens.pad(), tokens.unk(), tokens.cls(), tokens.sep()], [0, 1, 2, 3]);
        let cut = tokens.words(&["Ada", "Lovelace", "中国", "zzz", "\u{200b}", ","]).unwrap();
        assert_eq!(cut.ids, [6, 4, 5, 8, 9, 1, 1, 10]);
        assert_eq!(cut.words, [0, 1, 1, 2, 2, 3, 4, 5]);
        let offsets = [(0, 3), (0, 4), (4, 8), (0, 3), (3, 6), (0, 3), (0, 3), (0, 1)];
        assert_eq!(cut.offsets, offsets);
        assert_eq!(cut.dropped, [4]);
        assert_eq!(tokens.words(&[]).unwrap(), Cut::default());
    }

    #[test]
    fn blank_words_have_a_piece_where_there_is_one() {
        let tokens = Tokens::of_pieces(&format!("{PIECES}{BLANK}\n")).unwrap();
        let cut = tokens.words(&["Ada", " ", "zzz"]).unwrap();
        assert_eq!((cut.ids, cut.dropped), (vec![6, 11, 1], vec![]));
    }

    #[test]
    fn text_and_its_pieces() {
        let folder = folder(&[("vocab.txt", PIECES)]);
        let tokens = Tokens::open(folder.path()).unwrap();
        let cut = tokens.text("Ada, 中 lovelace").unwrap();
        assert_eq!(cut.ids, [6, 10, 8, 4, 5]);
        assert_eq!(cut.words, [0, 1, 2, 3, 3]);
        assert_eq!(cut.offsets, [(0, 3), (3, 4), (5, 8), (9, 13), (13, 17)]);
    }

    #[test]
    fn settings_beside_the_vocabulary_decide_on_letters() {
        let cased = r#"{"do_lower_case": false, "strip_accents": null}"#;
        let folder = folder(&[("vocab.txt", PIECES), ("tokenizer_config.json", cased)]);
        let tokens = Tokens::open(folder.path()).unwrap();
        assert_eq!(tokens.words(&["Ada", "ada"]).unwrap().ids, [7, 6]);
    }

    #[test]
    fn tokenizer_json_without_its_truncation_and_padding() {
        let mut definition = of_vocabulary(PIECES);
        definition["truncation"] = json!({
            "max_length": 2, "strategy": "LongestFirst", "stride": 0, "direction": "Right"
        });
        definition["padding"] = json!({
            "strategy": { "Fixed": 9 }, "direction": "Right", "pad_to_multiple_of": null,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"
        });
        let folder = folder(&[("tokenizer.json", &definition.to_string())]);
        let tokens = Tokens::open(folder.path()).unwrap();
        assert_eq!(tokens.words(&["ada", "lovelace"]).unwrap().ids, [6, 4, 5]);
    }

    #[test]
    fn each_bad_folder_has_its_error() {
        let error = |files: &[(&str, &str)]| {
            let folder = folder(files);
            let error = Tokens::open(folder.path()).unwrap_err();
            assert!(matches!(error, EncoderError::Vocabulary { .. }), "{error}");
            error.to_string()
        };
        assert!(error(&[]).contains("neither tokenizer.json nor vocab.txt"));
        assert!(error(&[("vocab.txt", "[PAD]\n[UNK]\na\n")]).contains("[CLS], [SEP] missing"));
        assert!(error(&[("tokenizer.json", "{")]).contains("tokenizer.json: EOF"));
        assert!(error(&[("tokenizer.json", "[]")]).contains("no JSON object"));
        assert!(error(&[("tokenizer.json", "{}")]).contains("tokenizer.json: "));
        let mut definition = of_vocabulary(PIECES);
        definition["model"]["unk_token"] = json!("<unk>");
        let unknown = error(&[("tokenizer.json", &definition.to_string())]);
        let wanted = "the piece of unknown words, \"<unk>\", is not in the vocabulary";
        assert!(unknown.ends_with(wanted), "{unknown}");
        let settings = [("vocab.txt", PIECES), ("tokenizer_config.json", "no")];
        assert!(error(&settings).contains("tokenizer_config.json"));
    }
}
