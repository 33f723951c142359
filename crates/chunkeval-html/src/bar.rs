//! A score as a bar, with its interval.

use std::fmt;

use askama::Template;

/// A bar from 0 to 1 as SVG, with the ends of an interval where there is one.
#[derive(Clone, Debug)]
pub(crate) struct Bar {
    /// What a reader who does not see it is told.
    label: String,
    value: Option<f64>,
    ends: Option<(f64, f64)>,
}

/// Length and height of a bar, in pixels; also in `style.css`.
const WIDTH: f64 = 120.0;

#[derive(Template)]
#[template(path = "bar.html")]
struct View<'a> {
    label: &'a str,
    fill: Option<String>,
    whisker: Option<[String; 2]>,
}

impl Bar {
    pub(crate) fn new(label: String, value: Option<f64>, ends: Option<(f64, f64)>) -> Self {
        Self { label, value, ends }
    }
}

/// A length in pixels, with one digit: a tenth of a pixel is not seen.
pub(crate) fn pixels(length: f64) -> String {
    format!("{length:.1}")
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |value: f64| pixels(value.clamp(0.0, 1.0) * WIDTH);
        let view = View {
            label: &self.label,
            fill: self.value.map(place),
            whisker: self.ends.map(|(low, high)| [place(low), place(high)]),
        };
        write!(f, "{view}")
    }
}
