//! [`Feed`]: the blocks of a file, until there is a reason to stop.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Input;
use super::blocks::{Block, Blocks, Boundary};
use crate::progress::Progress;
use crate::{Result, interrupt};

/// Hands out the blocks of a file and shows how far it is.
pub(crate) struct Feed<'h> {
    blocks: Blocks,
    progress: Option<Progress>,
    halt: &'h AtomicBool,
}

impl<'h> Feed<'h> {
    /// A feed that ends once somebody sets `halt`.
    pub(crate) fn new(input: Input, boundary: Boundary, halt: &'h AtomicBool) -> Self {
        let progress = Some(Progress::new(input.size, input.read.clone()));
        Self { blocks: Blocks::new(input, boundary), progress, halt }
    }

    /// The same without showing anything.
    pub(crate) fn quiet(self) -> Self {
        Self { progress: None, ..self }
    }

    /// What errors call the file.
    pub(crate) fn path(&self) -> &Path {
        self.blocks.path()
    }

    /// The next block, in the memory of an old one, unless there is a reason to stop.
    ///
    /// # Errors
    /// The file cannot be read, or has lines or sentences without end.
    pub(crate) fn next(&mut self, memory: Vec<u8>) -> Result<Option<Block>> {
        if let Some(progress) = &self.progress {
            progress.show();
        }
        if self.halt.load(Ordering::Relaxed) || interrupt::asked() {
            return Ok(None);
        }
        self.blocks.next(memory)
    }
}
