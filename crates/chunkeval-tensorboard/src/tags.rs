//! Which names a series may have.

use std::collections::HashMap;

use chunkeval_core::{Error, ErrorKind, Result, is_hidden};

/// What a tag names. TensorBoard cannot show both under one tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Scalar,
    Text,
}

/// The tags written so far, each with its kind.
#[derive(Debug, Default)]
pub(crate) struct Tags(HashMap<String, Kind>);

impl Tags {
    /// Refuses a tag that TensorBoard would not show as what it is.
    ///
    /// A tag seen before costs one look-up and no allocation.
    pub(crate) fn admit(&mut self, tag: &str, kind: Kind) -> Result<Seen> {
        match self.0.get(tag) {
            Some(&known) if known == kind => Ok(Seen::Before),
            Some(Kind::Scalar) => Err(refuse(tag, "it already names scalars in this run")),
            Some(Kind::Text) => Err(refuse(tag, "it already names texts in this run")),
            None => {
                check(tag)?;
                self.0.insert(tag.to_owned(), kind);
                Ok(Seen::First)
            }
        }
    }

    /// As if the tag had never been admitted.
    pub(crate) fn forget(&mut self, tag: &str) {
        self.0.remove(tag);
    }
}

/// Whether a tag was admitted before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Before,
    First,
}

/// The rules that need no memory; the reasons are in the crate's documentation.
pub(crate) fn check(tag: &str) -> Result<()> {
    let reason = if tag.is_empty() {
        "it is empty"
    } else if tag.chars().any(char::is_control) {
        "it has a control character"
    } else if tag.chars().any(is_hidden) {
        "it has an invisible character"
    } else if tag.trim() != tag {
        "it begins or ends with white space"
    } else if tag.starts_with('/') {
        "it begins with a slash"
    } else if is_reserved(tag) {
        "TensorBoard keeps this name for itself"
    } else {
        return Ok(());
    };
    Err(refuse(tag, reason))
}

/// Names under which TensorBoard looks for data of its own plugins.
fn is_reserved(tag: &str) -> bool {
    tag.starts_with("_hparams_/") || matches!(tag, "custom_scalars__config__" | "__run_graph__")
}

fn refuse(tag: &str, reason: &'static str) -> Error {
    ErrorKind::InvalidTag { tag: tag.to_owned(), reason }.into()
}

#[cfg(test)]
mod tests {
    use chunkeval_core::Place;

    use super::*;

    #[test]
    fn odd_but_honest_tags_pass() {
        for tag in [
            "dev/f1",
            "dev/per_type/人名/f1",
            "B.C+*(",
            "a b/c d",
            "..",
            "\"<i>&'\\",
            "#a%2f,?",
            "a/",
            "a//b",
            "\u{645}\u{200c}\u{6cc}",
        ] {
            check(tag).unwrap();
        }
    }

    #[test]
    fn refused_tags_are_named() {
        let refused = [
            "",
            "/",
            "/a",
            "\u{feff}PER",
            "a\u{200b}",
            "\u{202e}abc",
            "a\u{2028}b",
            "soft\u{ad}hyphen",
            "a\u{2060}b",
            " a",
            "a ",
            "a\u{3000}",
            "a\nb",
            "a\tb",
            "a\0",
            "\u{85}x",
            "_hparams_/experiment",
            "_hparams_/x",
            "custom_scalars__config__",
            "__run_graph__",
        ];
        for tag in refused {
            assert_eq!(check(tag).unwrap_err().place(), Some(Place::Tag(tag)), "{tag:?}");
        }
    }

    #[test]
    fn one_tag_is_one_kind() {
        let mut tags = Tags::default();
        tags.admit("a", Kind::Scalar).unwrap();
        tags.admit("a", Kind::Scalar).unwrap();
        assert_eq!(
            tags.admit("a", Kind::Text).unwrap_err().to_string(),
            "tag \"a\" cannot be written: it already names scalars in this run"
        );
        tags.admit("b", Kind::Text).unwrap();
        assert!(tags.admit("b", Kind::Scalar).is_err());
        // A refused tag is not remembered as anything.
        assert!(tags.admit("/c", Kind::Text).is_err());
        tags.admit("c", Kind::Scalar).unwrap();
    }
}
