//! What the counts of a label list depend on, in words.

use super::TagSet;
use crate::tags::read::Spelling;
use crate::{Fingerprint, Mode, Notation};

impl TagSet {
    /// Everything the counts depend on.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let Spelling { style, reading, notation, delimiter } = &self.0.spelling;
        let mode = self.0.mode;
        let mut text = format!("chunk/1 scheme={mode} style={style} reading={reading}");
        if *notation != Notation::Usual {
            text += &format!(" notation={notation}");
        }
        if delimiter != "-" {
            text += &format!(" delimiter={delimiter:?}");
        }
        if !self.0.type_map.is_empty() {
            text += &format!(" types=[{}]", self.0.type_map);
        }
        let labels = self.0.labels.iter().map(|l| format!("{l:?}")).collect::<Vec<_>>().join(",");
        Fingerprint::new(format!("{text} labels=[{labels}]"))
    }

    /// Whether a [`fingerprint`](TagSet::fingerprint) is of [`Mode::Conlleval`], where a type can
    /// have more correct chunks than chunks.
    pub(crate) fn counts_starts(fingerprint: &Fingerprint) -> bool {
        let start = format!("chunk/1 scheme={} ", Mode::Conlleval);
        fingerprint.as_str().starts_with(&start)
    }

    /// What the counts depend on besides the labels, by name: what is not the usual way is left
    /// out after the first three.
    pub(crate) fn options(&self) -> Vec<(&'static str, String)> {
        let Spelling { style, reading, notation, delimiter } = &self.0.spelling;
        let mut options = vec![
            ("mode", self.0.mode.to_string()),
            ("style", style.to_string()),
            ("reading", reading.to_string()),
        ];
        if *notation != Notation::Usual {
            options.push(("notation", notation.name().to_owned()));
        }
        if delimiter != "-" {
            options.push(("delimiter", delimiter.clone()));
        }
        if !self.0.type_map.is_empty() {
            options.push(("types", self.0.type_map.to_string()));
        }
        options
    }
}
