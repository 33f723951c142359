//! `chunkeval guide`: the longer explanations, to read where the program runs.

use clap::{Args as Group, ValueEnum};

use crate::output::print_with;
use crate::{Exit, Result};

const EXAMPLES: &str = "\
Examples:
  chunkeval guide
  chunkeval guide llm | less";

/// Prints a page of the guide, or the list of its pages
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The page
    #[arg(value_enum, value_name = "PAGE")]
    page: Option<Page>,
}

/// A page of the guide; the same as in the documentation of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Page {
    /// Which number to report for a language model
    Llm,
    /// Lenient, strict, conlleval: which way of reading tags to take
    Modes,
    /// How to get the number of a paper again
    Papers,
    /// Words that a tokenizer cut into pieces
    Subwords,
}

/// Prints it.
///
/// # Errors
/// It cannot be written.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    print_with(|to| match args.page {
        Some(page) => to.write_all(page.text().as_bytes()),
        None => Page::value_variants().iter().try_for_each(|page| {
            let name = page.to_possible_value();
            let name = name.as_ref().map_or("", |value| value.get_name());
            let title = page.text().lines().next().unwrap_or_default();
            writeln!(to, "{name:<8}  {}", title.trim_start_matches("# "))
        }),
    })?;
    Ok(Exit::Ok)
}

impl Page {
    /// Its text, as Markdown: the files of the library, which is no dependency, since with its features
    /// for tensors it would bring their frameworks along wherever a whole workspace is built.
    fn text(self) -> &'static str {
        match self {
            Self::Llm => include_str!("../../../chunkeval/src/guide/llm.md"),
            Self::Modes => include_str!("../../../chunkeval/src/guide/modes.md"),
            Self::Papers => include_str!("../../../chunkeval/src/guide/papers.md"),
            Self::Subwords => include_str!("../../../chunkeval/src/guide/subwords.md"),
        }
    }
}
