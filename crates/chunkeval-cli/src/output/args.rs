//! The options that every report has.

use chunkeval_report::Color;
use clap::{Args, ValueEnum};

/// How a page is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables for a terminal
    #[default]
    Table,
    /// One JSON object with every digit
    Json,
    /// One table with every digit; an apostrophe stands before texts that a spreadsheet would take
    /// for a formula
    Csv,
    /// GitHub's Markdown
    Md,
    /// LaTeX tables that need no package
    Latex,
    /// A page for a browser, in one file
    Html,
}

/// Whether a terminal gets colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless the variable NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

// A doc comment here would become the description of the subcommand.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Format,
    /// Digits behind the point, where the output is for people
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(..=17))]
    pub(crate) digits: u16,
    /// Colours
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: ColorChoice,
}

impl OutputArgs {
    /// The format in the words of `chunkeval-report`.
    pub(crate) fn tables(&self) -> chunkeval_report::Format {
        use chunkeval_report::Format as Tables;
        match self.format {
            // A page in HTML has tables of its own.
            Format::Table | Format::Html => Tables::Terminal(self.color.into()),
            Format::Json => Tables::Json,
            Format::Csv => Tables::Csv,
            Format::Md => Tables::Markdown,
            Format::Latex => Tables::Latex,
        }
    }
}

impl From<ColorChoice> for Color {
    fn from(choice: ColorChoice) -> Self {
        match choice {
            ColorChoice::Auto => Self::Auto,
            ColorChoice::Always => Self::Always,
            ColorChoice::Never => Self::Never,
        }
    }
}
