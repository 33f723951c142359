//! Ctrl-C, and being asked to end by the system: the first time asks, the second one ends.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Result;

/// The exit code of a program that was interrupted: 128 and the number of SIGINT.
const INTERRUPTED: i32 = 130;

/// Whether the user has pressed Ctrl-C, or the system has sent SIGTERM or SIGHUP: a time limit, a
/// closed terminal.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. The second signal ends the program at once.
    ///
    /// # Errors
    /// Somebody listens already, or the system refuses.
    pub fn listen() -> Result<Self> {
        let asked = Self::default();
        let flag = Arc::clone(&asked.0);
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
            // The terminal may be gone with the signal.
            let _unread =
                writeln!(io::stderr(), "\nfinishing this step; Ctrl-C again to end at once");
        })?;
        Ok(asked)
    }

    /// Whether to stop.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
