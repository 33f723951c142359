//! A table as GitHub's Markdown.

use std::io::{self, Write};

use chunkeval_core::visible_name;

use super::{Name, Table};

pub(super) fn write(table: &Table<'_>, mut to: impl Write) -> io::Result<()> {
    writeln!(to, "| {} |", table.columns().join(" | "))?;
    writeln!(to, "|---{}|", "|---:".repeat(6))?;
    for row in table.rows() {
        let name = match row.name {
            Name::Type(name) => escape(&visible_name(name)),
            Name::Average(average) => format!("**{average}**"),
        };
        writeln!(to, "| {name} | {} |", table.cells(&row, "–").join(" | "))?;
    }
    // As many backquotes as the signature cannot have in a row.
    let signature = table.signature().to_string();
    let longest = signature.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let (fence, space) = ("`".repeat(longest + 1), if longest > 0 { " " } else { "" });
    writeln!(to, "\n{fence}{space}{signature}{space}{fence}")
}

/// Puts a backslash before every sign that Markdown could read as more than itself.
pub(crate) fn escape(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, c| {
        if r"\`*_{}[]<>()#+!|&~$@".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
        escaped
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_escaped() {
        assert_eq!(escape("a|b_c*d`e\\"), "a\\|b\\_c\\*d\\`e\\\\");
        assert_eq!(escape("geo-loc 地名"), "geo-loc 地名");
    }
}
