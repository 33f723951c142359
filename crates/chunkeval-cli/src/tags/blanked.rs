//! [`Blanked`]: a text without the lines that begin documents.

use std::io::{self, BufRead, Read};

/// Gives blank lines for those that begin with a text, for readers that do not know what begins a
/// document; an empty text begins none. All others keep their places.
pub(super) struct Blanked<R> {
    source: R,
    start: Vec<u8>,
    line: Vec<u8>,
    at: usize,
}

impl<R: BufRead> Blanked<R> {
    pub(super) fn new(source: R, start: &str) -> Self {
        Self { source, start: start.into(), line: Vec::new(), at: 0 }
    }
}

impl<R: BufRead> BufRead for Blanked<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at >= self.line.len() {
            self.line.clear();
            self.at = 0;
            self.source.read_until(b'\n', &mut self.line)?;
            if !self.start.is_empty() && self.line.starts_with(&self.start) {
                self.line = b"\n".to_vec();
            }
        }
        Ok(self.line.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, bytes: usize) {
        self.at += bytes;
    }
}

impl<R: BufRead> Read for Blanked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_begin_so_are_blank() {
        let mut text = String::new();
        Blanked::new(&b"# new\na\n\n a # new\n# new"[..], "# n").read_to_string(&mut text).unwrap();
        assert_eq!(text, "\na\n\n a # new\n\n");
        text.clear();
        Blanked::new(&b"a\n b"[..], "").read_to_string(&mut text).unwrap();
        assert_eq!(text, "a\n b");
    }
}
