//! conlleval.pl: how it takes a text apart, and what it answers.

mod answer;

use regex::bytes::{Regex, RegexBuilder};
use serde_json::Value;

use crate::tags::strings;

pub use answer::assert_counts;

/// What conlleval.pl reads: gold and guessed tag of each token, and `None` between sentences.
#[derive(Debug)]
pub struct Input {
    /// The tokens, in order.
    pub tokens: Vec<Option<[String; 2]>>,
    /// Whether LaTeX was asked for (`-l`).
    pub latex: bool,
}

/// The options of a run.
struct Options {
    delimiter: String,
    raw: bool,
    latex: bool,
    outside: String,
}

/// A sentence boundary, where it is the first field.
const BOUNDARY: &[u8] = b"-X-";

impl Input {
    /// The tokens of a line of vectors.
    ///
    /// # Errors
    /// Why they cannot be told.
    pub fn read(line: &Value) -> Result<Self, String> {
        if line["exit_code"] != 0 {
            return Err("conlleval.pl itself failed".to_owned());
        }
        let args = strings(&line["args"]).ok_or("arguments that are no strings")?;
        let options = Options::read(&args)?;
        // conlleval.pl sees bytes.
        let delimiter = RegexBuilder::new(&options.delimiter).unicode(false).build();
        let delimiter = delimiter.map_err(|_| "a delimiter that only Perl understands")?;
        if delimiter.captures_len() > 1 {
            return Err("a delimiter with groups, which Perl adds to the fields".to_owned());
        }
        let input = line["input"].as_str().ok_or("input that is no text")?;
        // What stands behind the last line feed is a line only if it is anything.
        let lines = input.strip_suffix('\n').unwrap_or(input).split('\n');
        let lines = lines.take(if input.is_empty() { 0 } else { usize::MAX });
        let tokens: Result<_, _> = lines.map(|l| token(&fields(l, &delimiter), &options)).collect();
        Ok(Self { tokens: tokens?, latex: options.latex })
    }
}

impl Options {
    fn read(args: &[String]) -> Result<Self, String> {
        let mut options =
            Self { delimiter: " ".into(), raw: false, latex: false, outside: "O".into() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().cloned().ok_or("an option without its value");
            match &**arg {
                "-d" => options.delimiter = value()?,
                "-o" => options.outside = value()?,
                "-r" => options.raw = true,
                "-l" => options.latex = true,
                other => return Err(format!("an unknown option: {other}")),
            }
        }
        Ok(options)
    }
}

/// As Perl splits: no empty fields at the end, and none before a delimiter of no width.
fn fields<'a>(line: &'a str, delimiter: &Regex) -> Vec<&'a [u8]> {
    let mut fields: Vec<&[u8]> = delimiter.split(line.as_bytes()).collect();
    if delimiter.find(line.as_bytes()).is_some_and(|m| m.end() == 0) {
        fields.remove(0);
    }
    while fields.last().is_some_and(|field| field.is_empty()) {
        fields.pop();
    }
    fields
}

fn token(fields: &[&[u8]], options: &Options) -> Result<Option<[String; 2]>, String> {
    let [.., gold, guessed] = *fields else {
        let empty = fields.is_empty();
        return if empty { Ok(None) } else { Err("a line of one field".to_owned()) };
    };
    if fields.first() == Some(&BOUNDARY) {
        return Ok(None);
    }
    let tag = |bytes: &[u8]| {
        let tag = str::from_utf8(bytes).map_err(|_| "a delimiter that cuts characters")?;
        Ok::<_, String>(match tag {
            _ if !options.raw => tag.to_owned(),
            "O" => tag.to_owned(),
            outside if outside == options.outside => "O".to_owned(),
            tag => format!("B-{tag}"),
        })
    };
    Ok(Some([tag(gold)?, tag(guessed)?]))
}
