//! What a backslash in a string stands for. Python and JSON agree on what both have, but for `\/`.

/// The sequence after a backslash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escape {
    /// A code, which may be half of a surrogate pair, and the number of bytes that name it.
    Code(u32, usize),
    /// The beginning of one with hexadecimal digits that are not all there, or that is too large.
    Broken,
    /// No such sequence.
    Unknown,
}

impl Escape {
    /// Of the text after the backslash: Python's sequences without `\N{…}` and the escaped line
    /// break.
    pub(crate) fn of(rest: &str) -> Self {
        let Some(&first) = rest.as_bytes().first() else { return Self::Unknown };
        let code = match first {
            b'\\' | b'\'' | b'"' => first,
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            b'x' => return hexadecimal(rest, 2),
            b'u' => return hexadecimal(rest, 4),
            b'U' => return hexadecimal(rest, 8),
            b'0'..=b'7' => return octal(rest),
            _ => return Self::Unknown,
        };
        Self::Code(u32::from(code), 1)
    }
}

fn hexadecimal(rest: &str, digits: usize) -> Escape {
    let all = rest.get(1..=digits).filter(|all| all.bytes().all(|b| b.is_ascii_hexdigit()));
    match all.and_then(|all| u32::from_str_radix(all, 16).ok()) {
        Some(code) if code <= u32::from(char::MAX) => Escape::Code(code, digits + 1),
        _ => Escape::Broken,
    }
}

fn octal(rest: &str) -> Escape {
    let digits = rest.bytes().take(3).take_while(|b| (b'0'..=b'7').contains(b));
    let (code, len) =
        digits.fold((0, 0), |(code, len), b| (code * 8 + u32::from(b - b'0'), len + 1));
    Escape::Code(code, len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_a_code_and_its_length() {
        for (rest, code, len) in [
            ("n", 10, 1),
            ("'x", 39, 1),
            ("x41B", 0x41, 3),
            ("u7f8e", 0x7f8e, 5),
            ("ud83d\\ude00", 0xd83d, 5),
            ("U0001f600", 0x1f600, 9),
            ("0", 0, 1),
            ("777 ", 0o777, 3),
            ("18", 1, 1),
        ] {
            assert_eq!(Escape::of(rest), Escape::Code(code, len), "{rest}");
        }
        for rest in ["x4", "xg0", "u12", "u+123", "U00110000", "U0001f60", "x4美"] {
            assert_eq!(Escape::of(rest), Escape::Broken, "{rest}");
        }
        for rest in ["", "d", "/", "8", "N{DIGIT ONE}", "美"] {
            assert_eq!(Escape::of(rest), Escape::Unknown, "{rest}");
        }
    }
}
