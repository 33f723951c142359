//! The reports of others, as seqeval and conlleval.pl print them.

use chunkeval_core::Metric as _;
use chunkeval_report::{ConllevalLayout, SeqevalDict, conlleval_text, seqeval_text};

use super::args::{Args, Style};
use crate::output::Format;
use crate::tags::Scored;
use crate::{Error, Result};

/// The report of seqeval or of conlleval.
pub(super) fn report(scored: &Scored, args: &Args) -> Result<String> {
    let report = scored.report()?;
    let json = args.output.format == Format::Json;
    Ok(match args.report {
        Style::Seqeval if json => {
            let dict = serde_json::to_string_pretty(&SeqevalDict::new(&report));
            dict.map_err(|e| Error::write("the report", e.into()))? + "\n"
        }
        Style::Seqeval => {
            seqeval_text(&report, args.output.digits).map_err(|none| Error::Mismatch {
                reason: none.to_string(),
                hint: Some("seqeval itself fails there; our own report has no such gap".to_owned()),
            })?
        }
        Style::Ours | Style::Conlleval => {
            let layout = match args.output.format {
                Format::Latex => ConllevalLayout::Latex,
                _ => ConllevalLayout::Plain,
            };
            let whole = scored.whole.as_ref().map(|whole| whole.accumulate().modes);
            let whole = whole.and_then(|modes| modes.into_iter().next()).map(|mode| mode.report);
            conlleval_text(whole.as_ref().unwrap_or(&report), &scored.tokens, layout)
        }
    })
}
