//! Python's strings, which can hold half of a surrogate pair.

/// A string.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PyText {
    /// One that UTF-8 can hold.
    Utf8(String),
    /// The codes of one that it cannot: some are surrogates.
    Surrogates(Vec<u32>),
}

impl PyText {
    pub(crate) fn new() -> Self {
        Self::Utf8(String::new())
    }

    /// Adds a code, which is at most that of the last character.
    pub(crate) fn push(&mut self, code: u32) {
        match (&mut *self, char::from_u32(code)) {
            (Self::Utf8(text), Some(c)) => text.push(c),
            (Self::Utf8(text), None) => {
                let before = text.chars().map(u32::from);
                *self = Self::Surrogates(before.chain([code]).collect());
            }
            (Self::Surrogates(codes), _) => codes.push(code),
        }
    }

    /// The first surrogate.
    pub(crate) fn surrogate(&self) -> Option<u32> {
        match self {
            Self::Utf8(_) => None,
            Self::Surrogates(codes) => {
                codes.iter().copied().find(|code| (0xd800..0xe000).contains(code))
            }
        }
    }

    /// The codes.
    pub(crate) fn codes(&self) -> Vec<u32> {
        match self {
            Self::Utf8(text) => text.chars().map(u32::from).collect(),
            Self::Surrogates(codes) => codes.clone(),
        }
    }
}

impl From<u32> for PyText {
    fn from(code: u32) -> Self {
        let mut text = Self::new();
        text.push(code);
        text
    }
}
