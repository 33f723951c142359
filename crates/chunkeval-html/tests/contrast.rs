//! That what is written can be told from what is behind it, in both colour schemes.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::HashMap;

const STYLE: &str = include_str!("../templates/style.css");

/// The colours of a scheme by name.
fn colours(block: &str) -> HashMap<&str, [f64; 3]> {
    let entries = block
        .split([';', '\n'])
        .filter_map(|entry| entry.trim().strip_prefix("--")?.split_once(": #"));
    let channel = |hex: &str, i: usize| {
        let value = f64::from(u8::from_str_radix(&hex[i..i + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    entries.map(|(name, hex)| (name, [0, 2, 4].map(|i| channel(hex, i)))).collect()
}

/// The ratio of WCAG 2.2: relative luminance of the lighter colour over that of the darker one.
fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let luminance = |[r, g, b]: [f64; 3]| 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

#[test]
fn texts_and_drawings_have_enough_contrast() {
    let mut blocks = STYLE.split(":root {").skip(1).map(|rest| rest.split('}').next().unwrap());
    for scheme in ["light", "dark"] {
        let colours = colours(blocks.next().unwrap());
        let ratio = |a: &str, b: &str| contrast(colours[a], colours[b]);
        let texts = [
            ("ink", "paper"),
            ("ink", "band"),
            ("ink", "right"),
            ("ink", "wrong"),
            ("ink", "near"),
            ("soft", "paper"),
            ("soft", "band"),
            ("wrong-edge", "paper"),
            ("on-blue", "blue"),
        ];
        for (text, behind) in texts {
            assert!(
                ratio(text, behind) >= 4.5,
                "{scheme}: {text} on {behind} {}",
                ratio(text, behind)
            );
        }
        let drawings = [
            ("blue", "paper"),
            ("whisker", "track"),
            ("right-edge", "right"),
            ("wrong-edge", "wrong"),
            ("whisker", "blue"),
            ("blue", "track"),
        ];
        for (drawn, behind) in drawings {
            let ratio = ratio(drawn, behind);
            assert!(ratio >= 3.0, "{scheme}: {drawn} on {behind} {ratio}");
        }
    }
}
