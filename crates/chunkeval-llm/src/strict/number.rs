//! Python's numbers.

use super::literal::Literal;
use crate::cursor::Cursor;
use crate::{Fault, FaultKind};

/// The most decimal digits of an integer that Python converts.
const MOST_DIGITS: usize = 4300;

/// The number at the cursor, which stands on a digit, or on a dot before one.
pub(crate) fn number(cursor: &mut Cursor<'_>) -> Result<Literal, Fault> {
    let start = cursor.offset();
    let fault = |what| Fault::new(FaultKind::Syntax(what), start);
    let radix = match cursor.rest().as_bytes() {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'o' | b'O', ..] => 8,
        [b'0', b'b' | b'B', ..] => 2,
        _ => 10,
    };
    let value = if radix == 10 { decimal(cursor)? } else { other_radix(cursor, radix)? };
    // Python takes `1if` for two tokens; no literal goes on like that.
    match cursor.peek() {
        Some(c) if c == '_' || c.is_alphanumeric() => Err(fault("not a number")),
        _ => Ok(value),
    }
}

/// A whole number of few digits, without underscores and leading zeros.
fn small(cursor: &mut Cursor<'_>) -> Option<Literal> {
    let rest = cursor.rest();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let goes_on = |byte: &u8| matches!(byte, b'.' | b'_' | b'e' | b'E' | b'j' | b'J');
    if digits > 18
        || digits > 1 && rest.starts_with('0')
        || rest.as_bytes().get(digits).is_some_and(goes_on)
    {
        return None;
    }
    let value = rest.get(..digits)?.parse().ok()?;
    cursor.advance(digits);
    Some(Literal::Small(value))
}

fn decimal(cursor: &mut Cursor<'_>) -> Result<Literal, Fault> {
    if let Some(value) = small(cursor) {
        return Ok(value);
    }
    let start = cursor.offset();
    let fault = |what| Fault::new(FaultKind::Syntax(what), start);
    let mut text = String::new();
    let mut whole = true;
    if cursor.peek() != Some('.') {
        digits(cursor, 10, &mut text)?;
    }
    if cursor.take('.') {
        whole = false;
        text.push('.');
        if cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
            digits(cursor, 10, &mut text)?;
        }
    }
    if matches!(cursor.peek(), Some('e' | 'E')) {
        cursor.bump();
        whole = false;
        text.push('e');
        if let Some(sign @ ('+' | '-')) = cursor.peek() {
            cursor.bump();
            text.push(sign);
        }
        digits(cursor, 10, &mut text)?;
    }
    let imaginary = matches!(cursor.peek(), Some('j' | 'J'));
    if imaginary {
        cursor.bump();
    }
    if whole && !imaginary {
        if text.len() > MOST_DIGITS {
            return Err(fault("an integer of more than 4300 digits"));
        }
        if text.starts_with('0') {
            if text.bytes().any(|b| b != b'0') {
                return Err(fault("an integer that begins with 0"));
            }
            text.truncate(1);
        }
        return Ok(Literal::Int(text));
    }
    let value = text.parse().map_err(|_| fault("not a number"))?;
    Ok(if imaginary { Literal::Complex(0.0, value) } else { Literal::Float(value) })
}

fn other_radix(cursor: &mut Cursor<'_>, radix: u32) -> Result<Literal, Fault> {
    let start = cursor.rest();
    cursor.bump();
    cursor.bump();
    let mut text = String::new();
    // `0x_f` is fine.
    cursor.take('_');
    digits(cursor, radix, &mut text)?;
    let text = text.trim_start_matches('0');
    let bits = text.len() * radix.ilog2() as usize;
    Ok(Literal::Int(if bits <= 14_280 {
        in_decimal(text, radix)
    } else {
        // More digits than Python prints.
        format!("{}{}", start.get(..2).unwrap_or_default(), text).to_ascii_lowercase()
    }))
}

/// Digits, with single underscores between them, which are left out.
fn digits(cursor: &mut Cursor<'_>, radix: u32, text: &mut String) -> Result<(), Fault> {
    loop {
        let before = text.len();
        while let Some(c) = cursor.peek().filter(|c| c.is_digit(radix)) {
            text.push(c);
            cursor.bump();
        }
        if text.len() == before {
            return Err(Fault::new(FaultKind::Syntax("not a number"), cursor.offset()));
        }
        if !cursor.take('_') {
            return Ok(());
        }
    }
}

/// The decimal digits of a number in a radix that is a power of two.
fn in_decimal(digits: &str, radix: u32) -> String {
    const BASE: u64 = 1_000_000_000;
    // Nine decimal digits each, the lowest first.
    let mut limbs: Vec<u64> = Vec::new();
    // 24 bits at a time.
    for chunk in digits.as_bytes().chunks(24 / radix.ilog2() as usize) {
        let mut carry = 0;
        let mut factor = 1;
        for &digit in chunk {
            carry = carry * u64::from(radix)
                + u64::from(char::from(digit).to_digit(radix).unwrap_or(0));
            factor *= u64::from(radix);
        }
        for limb in &mut limbs {
            let value = *limb * factor + carry;
            *limb = value % BASE;
            carry = value / BASE;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut text = limbs.last().copied().unwrap_or(0).to_string();
    for limb in limbs.iter().rev().skip(1) {
        text.push_str(&format!("{limb:09}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::strict::literal;

    #[test]
    fn numbers_are_pythons() {
        for (text, printed) in [
            ("0", "0"),
            ("00", "0"),
            ("1_000", "1000"),
            ("0xFF", "255"),
            ("0x_f", "15"),
            ("0b1010", "10"),
            ("0o17", "15"),
            ("0xffffffffffffffffffffffff", "79228162514264337593543950335"),
            ("3.50", "3.5"),
            ("1.", "1.0"),
            (".5e-3", "0.0005"),
            ("1e3", "1000.0"),
            ("1e16", "1e+16"),
            ("09.5", "9.5"),
            ("1e999", "inf"),
            ("1_0.0_1j", "10.01j"),
            ("09j", "9j"),
            ("-0", "0"),
            ("-0.0", "-0.0"),
            ("-1j", "(-0-1j)"),
            ("1-2j", "(1-2j)"),
            ("-0.0-0j", "(-0+0j)"),
        ] {
            assert_eq!(literal(text).unwrap().to_string(), printed, "{text}");
        }
        for text in
            ["012", "1__0", "1_", "0xg", "0b2", "1e", "1jj", "1._0", "0_7", "1if", "0x", "1.5.5"]
        {
            assert!(literal(text).is_err(), "{text}");
        }
        assert!(literal(&"1".repeat(4300)).is_ok());
        assert!(literal(&"1".repeat(4301)).is_err());
        assert!(literal(&format!("0x{}", "f".repeat(5000))).is_ok());
    }
}
