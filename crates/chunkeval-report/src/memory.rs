//! Tables as texts in memory.

use std::io;

/// What is written, as a text.
pub(crate) fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    let written = write(&mut bytes);
    debug_assert!(written.is_ok(), "memory takes whatever is written to it: {written:?}");
    String::from_utf8_lossy(&bytes).into_owned()
}
