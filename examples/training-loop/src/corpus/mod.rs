//! From files to batches of ids.
//!
//! | file | what it holds |
//! |---|---|
//! | `split` | [`Split`]: the sentences of one file, or generated ones |
//! | `folder` | which files of a folder are train, dev and test |
//! | `encode` | [`Encoder`]: tokens and labels to ids |
//! | `batches` | [`Batches`]: which sentences come at which step |

mod batches;
mod encode;
mod folder;
mod split;

pub use batches::{Batch, Batches};
pub use encode::{Encoder, Rows};
pub use folder::find;
pub use split::{Content, Corpus, Split};
