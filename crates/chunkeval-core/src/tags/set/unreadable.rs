//! The error that names labels that cannot be read, with a hint at what may help.

use std::collections::HashSet;

use crate::tags::read::Spelling;
use crate::{Error, ErrorKind, LabelReading, Mode, Notation, TagStyle};

/// The error that names every label that cannot be read, and what may help.
pub(super) fn unreadable(labels: &[String], spelling: &Spelling, mode: Mode) -> Error {
    let mut seen = HashSet::new();
    let bad = labels.iter().filter(|l| spelling.read(l, mode).is_none() && seen.insert(*l));
    let bad = bad.cloned().collect();
    let all_read = |other: Spelling| {
        other.check(mode).is_ok() && labels.iter().all(|l| other.read(l, mode).is_some())
    };
    let (other, name) = match spelling.style {
        TagStyle::Prefix => (TagStyle::Suffix, "suffix style (PER-B)"),
        TagStyle::Suffix => (TagStyle::Prefix, "prefix style (B-PER)"),
    };
    let in_notation = |notation| all_read(Spelling { notation, ..spelling.clone() });
    let strict = spelling.reading == LabelReading::Strict;
    let hint = if all_read(Spelling { style: other, ..spelling.clone() }) {
        format!("; all labels can be read in {name}")
    } else if strict && in_notation(Notation::Bmes) {
        "; all labels can be read in Notation::Bmes".to_owned()
    } else if strict && in_notation(Notation::Bilou) {
        "; all labels can be read in Notation::Bilou".to_owned()
    } else if let Mode::Strict(scheme) = mode {
        let letters = spelling.notation.letters(mode);
        let letters: Vec<String> = letters.chars().map(String::from).collect();
        format!("; the scheme {scheme} has the letters {}", letters.join(" "))
    } else if strict {
        let letters: Vec<_> =
            spelling.notation.letters(mode).chars().skip(1).map(String::from).collect();
        let (letters, delimiter) = (letters.join(" "), &spelling.delimiter);
        format!(
            "; a label is O, or one of {letters} with a type (B{delimiter}PER, or PER{delimiter}B \
             in suffix style) or without; LabelReading::Reference takes any label as seqeval does"
        )
    } else {
        "; a label has at least one character".to_owned()
    };
    ErrorKind::UnreadableLabels { labels: bad, hint }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scheme, TagSet};

    #[test]
    fn another_notation_is_pointed_out() {
        let hint = |labels: &[&str], mode| {
            TagSet::builder(labels.iter().copied()).mode(mode).build().unwrap_err().to_string()
        };
        let bmes = ["O", "B-X", "M-X", "E-X", "W-X"];
        assert!(hint(&bmes, Mode::Lenient).ends_with("; all labels can be read in Notation::Bmes"));
        let bilou = ["O", "B-X", "L-X"];
        assert!(hint(&bilou, Mode::Lenient).ends_with("read in Notation::Bilou"));
        assert!(hint(&bmes, Mode::Strict(Scheme::Iob2)).ends_with("IOB2 has the letters I O B"));
    }

    /// A text that was taken for a file of tags has as many words.
    #[test]
    fn a_hundred_thousand_labels_are_named_once_each() {
        let words: Vec<String> = (0..100_000).map(|n| format!("word{n:06}")).collect();
        let twice = words.iter().chain(&words).cloned();
        let error = TagSet::new(twice, TagStyle::Prefix).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::UnreadableLabels { labels, .. } if *labels == words)
        );
    }

    #[test]
    fn the_wrong_style_is_pointed_out() {
        let e = TagSet::new(["O", "B-PER", "I-PER"], TagStyle::Suffix).unwrap_err();
        assert_eq!(
            e.to_string(),
            "cannot read the labels \"B-PER\", \"I-PER\"; all labels can be read in prefix style (B-PER)"
        );
    }
}
