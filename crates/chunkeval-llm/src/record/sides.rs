//! Gold entities as pairs: which side is the type.

use crate::LabelError;
use crate::Normalisation;
use crate::grounding::Searched;

use super::gold::Said;

/// The side of pairs on which the type stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypeSide {
    First,
    Second,
}

impl TypeSide {
    /// That of all pairs of a label, which says nothing of it: the side that the record asks for as
    /// types, or else the one that is not in the text.
    pub(super) fn of(pairs: &[(usize, [&str; 2])], said: Said<'_>) -> Result<Self, LabelError> {
        let schema = said.schema.unwrap_or_default();
        let asked = |name: &str| schema.iter().any(|asked| asked == name);
        if let Some(side) = Self::agreed(pairs, asked)? {
            return Ok(side);
        }
        let by_text = said.text.map(|text| {
            let sides = || pairs.iter().flat_map(|(_, sides)| *sides);
            let mut text = Searched::of(text, Normalisation::NONE, sides);
            Self::agreed(pairs, |name| !text.has(name))
        });
        by_text.transpose()?.flatten().ok_or(LabelError::Undecided)
    }

    /// What the pairs say in which one side alone is a type; they must agree.
    fn agreed<'p>(
        pairs: &[(usize, [&'p str; 2])],
        mut is_type: impl FnMut(&'p str) -> bool,
    ) -> Result<Option<Self>, LabelError> {
        let mut agreed = None;
        for &(index, [first, second]) in pairs {
            let side = match (is_type(first), is_type(second)) {
                (true, false) => Self::First,
                (false, true) => Self::Second,
                _ => continue,
            };
            if *agreed.get_or_insert(side) != side {
                return Err(LabelError::OtherSide { index });
            }
        }
        Ok(agreed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(
        pairs: &[[&str; 2]],
        schema: &[&str],
        text: Option<&str>,
    ) -> Result<TypeSide, LabelError> {
        let pairs: Vec<_> = pairs.iter().copied().enumerate().collect();
        let schema: Vec<String> = schema.iter().map(|name| (*name).to_owned()).collect();
        TypeSide::of(&pairs, Said { text, schema: Some(&schema) })
    }

    #[test]
    fn types_that_were_asked_for_decide_first() {
        let text = Some("Ada is PER");
        assert_eq!(side(&[["Ada", "PER"]], &["PER"], text), Ok(TypeSide::Second));
        assert_eq!(side(&[["PER", "Ada"]], &["PER"], text), Ok(TypeSide::First));
        // One pair is enough for all.
        assert_eq!(side(&[["x", "y"], ["PER", "Ada"]], &["PER"], None), Ok(TypeSide::First));
        let both = [["LOC", "Ada"], ["PER", "LOC"], ["Ada", "PER"]];
        let other = Err(LabelError::OtherSide { index: 2 });
        assert_eq!(side(&both, &["PER", "LOC"], None), other);
    }

    #[test]
    fn else_the_text_does_or_nothing() {
        let text = Some("Ada saw Bo");
        assert_eq!(side(&[["Ada", "PER"], ["Bo", "PER"]], &[], text), Ok(TypeSide::Second));
        assert_eq!(side(&[["PER", "Ada"]], &["person"], text), Ok(TypeSide::First));
        for (pair, text) in
            [(["Ada", "Bo"], text), (["Cy", "PER"], text), (["", "PER"], text), (["a", "b"], None)]
        {
            assert_eq!(side(&[pair], &[], text), Err(LabelError::Undecided), "{pair:?}");
        }
        let contradiction = side(&[["Ada", "PER"], ["PER", "Bo"]], &[], text);
        assert_eq!(contradiction, Err(LabelError::OtherSide { index: 1 }));
    }
}
