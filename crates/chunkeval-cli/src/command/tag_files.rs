//! The options that say how files of tags are laid out; several subcommands have them.

use std::path::Path;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::command::suggested::{LAYOUTS, suggested};
use crate::tags::{Layout, Source};

// A doc comment here would become the description of the subcommand.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct TagFileArgs {
    /// Layout of files of tags, gold ones included [default: auto]
    ///
    /// auto: columns separated by tabs if the first line has one, else by white space; the token comes
    /// first, the tags last. Others: conll, conlleval, predictions, wnut17, ncbi, iob2, uner,
    /// waybill. Those of columns take options, for example
    /// conll:token=1,gold=3,predicted=4,delimiter=tab,comments=between,docstart=skip
    ///
    /// A folder of gold or predicted tags has parallel files: a sentence on each line of seq.in, its
    /// tags on the same line of seq.out. parallel:tokens=words.txt,tags=tags.txt says other names.
    /// snips is the same as parallel here, since its third file, label, has no tags
    #[arg(long, value_name = "LAYOUT", value_parser = suggested::<Layout>(&LAYOUTS),
          hide_possible_values = true)]
    pub(crate) layout: Option<Layout>,
    /// Layout of predicted tags in files of their own, if it is another one
    #[arg(long, value_name = "LAYOUT", requires = "gold",
          value_parser = suggested::<Layout>(&LAYOUTS), hide_possible_values = true)]
    pub(crate) pred_layout: Option<Layout>,
    /// What documents begin with, besides -DOCSTART- lines: a line that begins with this begins
    /// one and is no token; "# newdoc", for example
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) document_start: Option<String>,
    /// Leave sentences out that have a line that cannot be used, rather than stop at the first
    /// one; they are counted and listed, and the exit code is 3. Where systems are compared, both
    /// lack what one of them lacks, and so it is with lines of answers
    #[arg(long)]
    pub(crate) keep_going: bool,
}

impl TagFileArgs {
    /// Whether any of these options was given that are for files of tags alone.
    pub(crate) fn any_of_tags(&self) -> bool {
        let Self { layout, pred_layout, document_start, keep_going: _ } = self;
        layout.is_some() || pred_layout.is_some() || document_start.is_some()
    }

    /// A file, with a file of gold tags if they are not in it.
    pub(crate) fn source(&self, gold: Option<&Path>, path: &Path) -> Source {
        let layout = self.layout.clone().unwrap_or_default();
        match gold {
            None => Source::File { path: path.to_owned(), layout },
            Some(gold) => Source::Pair {
                gold: gold.to_owned(),
                predicted: path.to_owned(),
                predicted_layout: self.pred_layout.clone().unwrap_or_else(|| layout.clone()),
                gold_layout: layout,
            },
        }
    }
}
