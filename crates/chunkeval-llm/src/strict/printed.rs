//! Values as Python's `repr` prints them; characters beyond ASCII are printed as they are.

use std::fmt::{self, Write};

use super::literal::Literal;

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Ellipsis => f.write_str("Ellipsis"),
            Self::Bool(yes) => f.write_str(if *yes { "True" } else { "False" }),
            Self::Small(value) => write!(f, "{value}"),
            Self::Int(digits) => f.write_str(digits),
            Self::Float(value) => f.write_str(&float(*value, Point::Always)),
            Self::Complex(real, imaginary) => complex(f, *real, *imaginary),
            Self::Text(text) => quoted(f, &text.codes(), Beyond::Shown),
            Self::Bytes(bytes) => {
                f.write_char('b')?;
                let codes: Vec<u32> = bytes.iter().map(|&byte| u32::from(byte)).collect();
                quoted(f, &codes, Beyond::Escaped)
            }
            Self::List(items) => series(f, "[", items, "]"),
            Self::Tuple(items) if items.len() == 1 => series(f, "(", items, ",)"),
            Self::Tuple(items) => series(f, "(", items, ")"),
            Self::Set(members) if members.is_empty() => f.write_str("set()"),
            Self::Set(members) => series(f, "{", members, "}"),
            Self::Dict(pairs) => {
                f.write_char('{')?;
                for (index, (key, value)) in pairs.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(f, "{comma}{key}: {value}")?;
                }
                f.write_char('}')
            }
        }
    }
}

fn series(f: &mut fmt::Formatter<'_>, open: &str, items: &[Literal], close: &str) -> fmt::Result {
    f.write_str(open)?;
    for (index, item) in items.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        write!(f, "{comma}{item}")?;
    }
    f.write_str(close)
}

/// Whether a whole number gets its `.0`.
#[derive(Clone, Copy, PartialEq)]
enum Point {
    Always,
    IfNeeded,
}

/// The shortest digits that give the float back, with an exponent where Python has one.
fn float(value: f64, point: Point) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(exponent) if value != 0.0 && !(-4..16).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
        _ if value.fract() == 0.0 && point == Point::Always => format!("{value}.0"),
        _ => value.to_string(),
    }
}

fn complex(f: &mut fmt::Formatter<'_>, real: f64, imaginary: f64) -> fmt::Result {
    let imaginary_text = float(imaginary, Point::IfNeeded);
    if real == 0.0 && real.is_sign_positive() {
        return write!(f, "{imaginary_text}j");
    }
    let sign = if imaginary_text.starts_with('-') { "" } else { "+" };
    write!(f, "({}{sign}{imaginary_text}j)", float(real, Point::IfNeeded))
}

/// What becomes of codes beyond ASCII.
#[derive(Clone, Copy, PartialEq)]
enum Beyond {
    Shown,
    Escaped,
}

/// In single quotes, or in double ones if there are single ones in it and no double ones.
fn quoted(f: &mut fmt::Formatter<'_>, codes: &[u32], beyond: Beyond) -> fmt::Result {
    let has = |quote: char| codes.contains(&u32::from(quote));
    let quote = if has('\'') && !has('"') { '"' } else { '\'' };
    f.write_char(quote)?;
    for &code in codes {
        match char::from_u32(code) {
            Some('\\') => f.write_str("\\\\")?,
            Some('\n') => f.write_str("\\n")?,
            Some('\r') => f.write_str("\\r")?,
            Some('\t') => f.write_str("\\t")?,
            Some(c) if c == quote => write!(f, "\\{c}")?,
            Some(c) if c == ' ' || c.is_ascii_graphic() => f.write_char(c)?,
            Some(c) if !c.is_ascii() && beyond == Beyond::Shown => f.write_char(c)?,
            Some(_) => write!(f, "\\x{code:02x}")?,
            None => write!(f, "\\u{code:04x}")?,
        }
    }
    f.write_char(quote)
}
