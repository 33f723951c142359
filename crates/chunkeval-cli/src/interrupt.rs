//! Ctrl-C: the first one asks to stop and to print what was counted, the second one ends at once.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Exit, Result};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Listens to Ctrl-C from now on; once for a process.
pub(crate) fn listen() -> Result<()> {
    ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
    })?;
    Ok(())
}

/// How reading ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Whole,
    Interrupted,
}

impl Ending {
    /// How reading ends now.
    pub(crate) fn now() -> Self {
        if asked() { Self::Interrupted } else { Self::Whole }
    }
}

/// Whether to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
