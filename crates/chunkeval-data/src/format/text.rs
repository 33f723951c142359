//! Formats to and from text.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use chunkeval_core::{Error, Result};

use super::Format;
use crate::{Column, Comments, Conll, Delimiter, DocStart, Parallel};

const NAMES: &str =
    "conll, wnut17, ncbi, iob2, uner, conlleval, predictions, waybill, parallel, snips";

const DELIMITERS: [(&str, Delimiter); 3] =
    [("whitespace", Delimiter::Whitespace), ("tab", Delimiter::Tab), ("space", Delimiter::Space)];
const COMMENTS: [(&str, Comments); 3] =
    [("none", Comments::None), ("hash", Comments::Hash), ("between", Comments::Between)];
const DOCSTARTS: [(&str, DocStart); 3] =
    [("boundary", DocStart::Boundary), ("skip", DocStart::Skip), ("keep", DocStart::Keep)];

impl FromStr for Format {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (text, None),
        };
        let mut format = match name {
            "conll" => Self::Conll(Conll::default()),
            "wnut17" | "ncbi" => Self::Conll(Conll::two_columns()),
            "iob2" | "uner" => Self::Conll(Conll::iob2()),
            "conlleval" => Self::Conll(Conll::conlleval()),
            "predictions" => Self::Conll(Conll::predictions()),
            "waybill" => Self::Waybill,
            "parallel" => Self::Parallel(Parallel::default()),
            "snips" => Self::Parallel(Parallel::snips()),
            _ => return Err(refused(format!("{name:?} is none of {NAMES}"))),
        };
        for option in options.into_iter().flat_map(|all| all.split(',')) {
            let Some((key, value)) = option.split_once('=') else {
                return Err(refused(format!("expected option=value, found {option:?}")));
            };
            let known = match &mut format {
                Self::Conll(layout) => set_conll(layout, key, value)?,
                Self::Parallel(names) => set_parallel(names, key, value),
                Self::Waybill => false,
            };
            if !known {
                return Err(refused(format!("{name} has no option {key:?}")));
            }
        }
        if let Self::Conll(layout) = &format {
            layout.check()?;
        }
        Ok(format)
    }
}

fn set_conll(layout: &mut Conll, key: &str, value: &str) -> Result<bool> {
    match key {
        "token" => layout.token = column(value)?,
        "gold" => layout.gold = column(value)?,
        "predicted" if value == "none" => layout.predicted = None,
        "predicted" => layout.predicted = Some(column(value)?),
        "delimiter" => layout.delimiter = one_of(&DELIMITERS, key, value)?,
        "comments" => layout.comments = one_of(&COMMENTS, key, value)?,
        "docstart" => layout.docstart = one_of(&DOCSTARTS, key, value)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn set_parallel(names: &mut Parallel, key: &str, value: &str) -> bool {
    match key {
        "tokens" => names.tokens = value.into(),
        "tags" => names.tags = value.into(),
        "labels" => names.labels = (value != "none").then(|| PathBuf::from(value)),
        _ => return false,
    }
    true
}

fn column(value: &str) -> Result<Column> {
    match value.parse::<i32>() {
        Ok(n) if n > 0 => Ok(Column::FromLeft(n.unsigned_abs() as usize)),
        Ok(n) if n < 0 => Ok(Column::FromRight(n.unsigned_abs() as usize)),
        _ => Err(refused(format!("expected a column, from 1 or from -1, found {value:?}"))),
    }
}

fn one_of<T: Copy>(all: &[(&str, T)], key: &str, value: &str) -> Result<T> {
    all.iter().find(|(name, _)| *name == value).map(|(_, of)| *of).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
        refused(format!("{key} is one of {}, not {value:?}", names.join(", ")))
    })
}

fn refused(reason: String) -> Error {
    Error::config("format", reason)
}

fn name_of<T: PartialEq>(all: &[(&'static str, T)], value: &T) -> &'static str {
    all.iter().find(|(_, of)| of == value).map_or("", |(name, _)| name)
}

impl fmt::Display for Column {
    /// `2` for the second, `-1` for the last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FromLeft(n) => write!(f, "{n}"),
            Self::FromRight(n) => write!(f, "-{n}"),
        }
    }
}

impl fmt::Display for Format {
    /// The format with all its options, as [`FromStr`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conll(layout) => {
                write!(f, "conll:token={},gold={},", layout.token, layout.gold)?;
                match layout.predicted {
                    Some(column) => write!(f, "predicted={column},")?,
                    None => write!(f, "predicted=none,")?,
                }
                let delimiter = name_of(&DELIMITERS, &layout.delimiter);
                let comments = name_of(&COMMENTS, &layout.comments);
                let docstart = name_of(&DOCSTARTS, &layout.docstart);
                write!(f, "delimiter={delimiter},comments={comments},docstart={docstart}")
            }
            Self::Waybill => write!(f, "waybill"),
            Self::Parallel(Parallel { tokens, tags, labels }) => {
                let labels = labels.as_deref().unwrap_or("none".as_ref());
                let (tokens, tags) = (tokens.display(), tags.display());
                write!(f, "parallel:tokens={tokens},tags={tags},labels={}", labels.display())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        text.parse::<Format>().unwrap_err().to_string()
    }

    #[test]
    fn every_name_reads_and_comes_back() {
        for name in NAMES.split(", ") {
            let format: Format = name.parse().unwrap();
            assert_eq!(format.to_string().parse::<Format>().unwrap(), format);
        }
        let all = "conll:token=2,gold=-2,predicted=-1,delimiter=space,comments=hash,docstart=skip";
        assert_eq!(all.parse::<Format>().unwrap().to_string(), all);
    }

    #[test]
    fn options_change_what_the_name_says() {
        let parsed: Format = "snips:labels=none,tokens=in.txt".parse().unwrap();
        let names = Parallel { tokens: "in.txt".into(), ..Parallel::default() };
        assert_eq!(parsed, Format::Parallel(names));
        let parsed: Format = "predictions:predicted=none".parse().unwrap();
        assert_eq!(parsed, Format::Conll(Conll::two_columns()));
    }

    #[test]
    fn what_is_unknown_is_named() {
        assert_eq!(message("xml"), format!("format: \"xml\" is none of {NAMES}"));
        assert_eq!(message("conll:"), "format: expected option=value, found \"\"");
        assert_eq!(message("conll:tokens=1"), "format: conll has no option \"tokens\"");
        assert_eq!(message("waybill:token=1"), "format: waybill has no option \"token\"");
        assert_eq!(
            message("conll:gold=0"),
            "format: expected a column, from 1 or from -1, found \"0\""
        );
        assert_eq!(
            message("conll:delimiter=comma"),
            "format: delimiter is one of whitespace, tab, space, not \"comma\""
        );
        assert_eq!(message("conll:gold=1"), "columns: token and tags must be different columns");
    }
}
