//! The page.

use std::fmt;

use askama::Template;

use crate::Part;
use crate::part::Body;
use crate::text::Text;

/// A report as one HTML file: a title and parts, in the order in which they are added.
///
/// Printed, it is the file.
///
/// ```
/// use chunkeval_html::{Health, Page};
///
/// let page = Page::new("Answers <of> a model").with(Health::new("Health of answers", 10));
/// let html = page.to_string();
/// assert!(html.starts_with("<!DOCTYPE html>"));
/// assert!(html.contains("<h1>Answers &#60;of&#62; a model</h1>"));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Page {
    title: Text,
    place: Option<Text>,
    notes: Vec<(&'static str, Text)>,
    parts: Vec<Part>,
}

#[derive(Template)]
#[template(path = "page.html")]
struct View<'a> {
    title: &'a Text,
    place: Option<&'a Text>,
    /// With their classes.
    notes: &'a [(&'static str, Text)],
    sections: Vec<Section<'a>>,
    version: &'static str,
}

struct Section<'a> {
    title: Text,
    body: Body<'a>,
}

impl Page {
    /// A page without parts.
    pub fn new(title: impl AsRef<str>) -> Self {
        let (notes, parts) = (Vec::new(), Vec::new());
        Self { title: Text::new(title.as_ref()), place: None, notes, parts }
    }

    /// The same with a line below the title: the whole path of a file, for example.
    pub fn place(self, place: impl AsRef<str>) -> Self {
        Self { place: Some(Text::new(place.as_ref())), ..self }
    }

    /// The same with a remark at its top: which number to report, for example.
    pub fn note(mut self, note: impl AsRef<str>) -> Self {
        self.notes.push(("note", Text::new(note.as_ref())));
        self
    }

    /// The same with a warning at its top: what the numbers lack.
    pub fn warning(mut self, warning: impl AsRef<str>) -> Self {
        self.notes.push(("warning", Text::new(warning.as_ref())));
        self
    }

    /// The same with one more part behind the others.
    pub fn with(mut self, part: impl Into<Part>) -> Self {
        self.parts.push(part.into());
        self
    }
}

/// The HTML file.
impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let section = |part| Section { title: Text::new(Part::title(part)), body: Body(part) };
        let view = View {
            title: &self.title,
            place: self.place.as_ref(),
            notes: &self.notes,
            sections: self.parts.iter().map(section).collect(),
            version: env!("CARGO_PKG_VERSION"),
        };
        write!(f, "{view}")
    }
}
