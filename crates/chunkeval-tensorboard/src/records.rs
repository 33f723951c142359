//! The stream of records under an event file.

use std::fmt;
use std::io::{self, ErrorKind, Write};

use tensorboard_rs::record_writer::RecordWriter;

/// Bytes that are gathered before the writer is asked to take them.
const BUFFER: usize = 64 * 1024;
/// Length, its checksum and the payload's checksum.
const FRAME: usize = 16;

/// Appends whole records to a writer, and stays whole when the writer fails.
///
/// A record is the payload between its length and two masked CRC-32C sums, as TensorFlow's record
/// files have it (written by tensorboard-rs's `RecordWriter`).
///
/// Whatever happens, **the writer has received a prefix of the records that were accepted**: a
/// write that fails half way is continued at the very byte where it stopped, so there is never a
/// torn record with others behind it. An accepted record ([`append`](Records::append) gave `Ok`)
/// is kept until the writer takes it; a refused one (`Err`) leaves no trace. Up to 64 KiB and one
/// record are kept in memory, not more, however long the writer fails.
///
/// ```
/// use chunkeval_tensorboard::Records;
///
/// let mut bytes = Vec::new();
/// let mut records = Records::new(&mut bytes);
/// records.append(b"abc")?;
/// records.flush()?;
/// drop(records);
/// assert_eq!(bytes.len(), 16 + 3);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Records<W: Write> {
    writer: W,
    /// Accepted and not yet taken by the writer.
    pending: Vec<u8>,
}

impl<W: Write> Records<W> {
    /// Starts a stream at the writer's present position.
    pub fn new(writer: W) -> Self {
        Self { writer, pending: Vec::with_capacity(BUFFER) }
    }

    /// Accepts one record. It reaches the writer when the buffer is full, or with
    /// [`flush`](Records::flush).
    ///
    /// # Errors
    /// The buffer is full and the writer does not take it. The record is not part of the stream
    /// then; the call can be made again.
    pub fn append(&mut self, payload: &[u8]) -> io::Result<()> {
        if !self.pending.is_empty() && self.pending.len() + FRAME + payload.len() > BUFFER {
            self.hand_over()?;
        }
        RecordWriter::new(&mut self.pending).write(payload)
    }

    /// Hands every accepted record to the writer and flushes it.
    ///
    /// # Errors
    /// The writer fails. What it has not taken is kept, and the next call tries again.
    pub fn flush(&mut self) -> io::Result<()> {
        self.hand_over()?;
        self.writer.flush()
    }

    fn hand_over(&mut self) -> io::Result<()> {
        let mut taken = 0;
        let result = loop {
            let rest = &self.pending[taken..];
            if rest.is_empty() {
                break Ok(());
            }
            match self.writer.write(rest) {
                Ok(0) => break Err(ErrorKind::WriteZero.into()),
                Ok(n) => taken += n.min(rest.len()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        self.pending.drain(..taken);
        result
    }
}

impl<W: Write> Drop for Records<W> {
    fn drop(&mut self) {
        // Nobody is left to hear of a failure here; `flush` first tells.
        let _ = self.flush();
    }
}

impl<W: Write> fmt::Debug for Records<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("pending", &self.pending.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Takes at most `room` bytes, a few at a time; then the disk is full.
    struct Disk {
        bytes: Vec<u8>,
        room: usize,
        chunk: usize,
    }

    impl Write for &mut Disk {
        fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
            let n = buf.len().min(self.room).min(self.chunk);
            if n == 0 {
                return Err(ErrorKind::StorageFull.into());
            }
            self.bytes.extend(&buf[..n]);
            self.room -= n;
            Ok(n)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn frames(payloads: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for payload in payloads {
            RecordWriter::new(&mut bytes).write(payload).unwrap();
        }
        bytes
    }

    #[test]
    fn memory_is_bounded_while_the_disk_is_full() {
        let mut disk = Disk { bytes: Vec::new(), room: 100, chunk: usize::MAX };
        let mut records = Records::new(&mut disk);
        let refused = (0..10_000).filter(|_| records.append(&[7; 84]).is_err()).count();
        assert!(refused > 9_000);
        assert!(records.pending.len() <= BUFFER);
        assert_eq!(records.append(&[7; 84]).unwrap_err().kind(), ErrorKind::StorageFull);
        assert_eq!(records.flush().unwrap_err().kind(), ErrorKind::StorageFull);
        drop(records);
        assert_eq!(disk.bytes.len(), 100);
    }

    #[test]
    fn a_record_larger_than_the_buffer_is_one_record() {
        let mut disk = Disk { bytes: Vec::new(), room: usize::MAX, chunk: 1000 };
        let payloads = [vec![1; 10], vec![2; 3 * BUFFER], vec![3; 10]];
        let mut records = Records::new(&mut disk);
        for payload in &payloads {
            records.append(payload).unwrap();
        }
        records.flush().unwrap();
        drop(records);
        assert_eq!(disk.bytes, frames(&payloads));
    }

    proptest! {
        /// The disk fills up at any byte, later has room again, and may fill up again: it holds
        /// the accepted records and nothing else, in order.
        #[test]
        fn the_disk_holds_a_prefix_of_what_was_accepted(
            payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9000), 1..40),
            room in 0_usize..200_000,
            chunk in 1_usize..5000,
            flush_every in 1_usize..9,
        ) {
            let mut disk = Disk { bytes: Vec::new(), room, chunk };
            let mut accepted = Vec::new();
            let mut records = Records::new(&mut disk);
            for (i, payload) in payloads.iter().enumerate() {
                if records.append(payload).is_ok() {
                    accepted.push(payload.clone());
                }
                if i % flush_every == 0 {
                    let _ = records.flush();
                }
            }
            let all = frames(&accepted);
            prop_assert!(all.starts_with(&records.writer.bytes));
            records.writer.room = usize::MAX;
            records.flush().unwrap();
            drop(records);
            prop_assert_eq!(disk.bytes, all);
        }
    }
}
