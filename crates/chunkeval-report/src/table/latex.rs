//! A table as a LaTeX `tabular`.

use std::io::{self, Write};

use chunkeval_core::visible_name;

use super::{Name, Table};

pub(super) fn write(table: &Table<'_>, mut to: impl Write) -> io::Result<()> {
    // The signature has no line break, so it stays within the comment.
    writeln!(to, "% {}", table.signature())?;
    writeln!(to, "\\begin{{tabular}}{{lrrrrrr}}\n\\hline")?;
    writeln!(to, "{} \\\\\n\\hline", table.columns().map(|name| escape(&name)).join(" & "))?;
    let mut averages = false;
    for row in table.rows() {
        let name = match row.name {
            Name::Type(name) => escape(&visible_name(name)),
            Name::Average(average) => {
                if !averages {
                    writeln!(to, "\\hline")?;
                }
                averages = true;
                format!("\\textit{{{average}}}")
            }
        };
        writeln!(to, "{name} & {} \\\\", table.cells(&row, "--").join(" & "))?;
    }
    writeln!(to, "\\hline\n\\end{{tabular}}")
}

/// Every sign that is more than itself to LaTeX, in words. Brackets and stars would be read as
/// arguments of the line end before them, and two hyphens would become a dash.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '{' | '}' | '#' | '$' | '%' | '&' | '_' => escaped.extend(['\\', c]),
            '[' | ']' | '*' | '-' | '`' | '\'' | '"' => escaped.extend(['{', c, '}']),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_escaped() {
        assert_eq!(escape("work_of_art & 5%"), "work\\_of\\_art \\& 5\\%");
        assert_eq!(escape("[a]\\*"), "{[}a{]}\\textbackslash{}{*}");
        assert_eq!(escape("地名"), "地名");
    }
}
