//! From files to batches.
//!
//! | file | what it holds |
//! |---|---|
//! | `split` | [`Split`]: the sentences of one file, or generated ones |
//! | `folder` | which files of a folder are train, dev and test |
//! | `labels` | [`Labels`]: labels to ids and back |
//! | `refusals` | errors about labels and comments: the place, and the option that helps |
//! | `batches` | [`Batches`]: which rows come at which step |

mod batches;
mod folder;
mod labels;
mod refusals;
mod split;

pub use batches::{Batch, Batches, Rows};
pub use folder::find;
pub use labels::Labels;
pub use split::{Content, Corpus, Split, Unit};
