//! How the numbers were made.

use std::fmt;

use askama::Template;
use chunkeval_core::Protocol;

use crate::text::Text;

/// A protocol as a list of its entries, and as the line to be put beside the numbers.
pub(crate) struct Made<'a>(pub(crate) &'a Protocol);

#[derive(Template)]
#[template(path = "protocol.html")]
struct View {
    entries: Vec<(Text, Text)>,
    signature: Text,
}

impl Made<'_> {
    pub(crate) fn html(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.0.entries().map(|(name, value)| (Text::new(name), Text::new(value)));
        let entries = entries.collect();
        write!(f, "{}", View { entries, signature: Text::new(&self.0.to_string()) })
    }
}
