//! [`Patient`]: reading that Ctrl-C ends, however long the other side says nothing.

use std::io::{self, Read};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread::Builder;
use std::time::Duration;

use super::open::Stop;
use crate::interrupt;

/// Bytes read at once: what a pipe holds.
const PIECE: usize = 64 << 10;
/// Pieces that lie ready.
const READY: usize = 4;
/// How long an interrupt may wait.
const TICK: Duration = Duration::from_millis(20);

/// A source that is read by a thread of its own, since nothing else can be done while a system call
/// waits. Once Ctrl-C or somebody else asks to stop, reading from it is an error as soon as it would
/// have to wait.
pub(super) struct Patient {
    pieces: Receiver<io::Result<Vec<u8>>>,
    used: Sender<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
    stop: Stop,
}

impl Patient {
    pub(super) fn new(mut source: impl Read + Send + 'static, stop: Stop) -> io::Result<Self> {
        let (give, pieces) = sync_channel(READY);
        let (used, memory) = channel::<Vec<u8>>();
        let read = move || {
            loop {
                let mut piece = memory.try_recv().unwrap_or_default();
                piece.resize(PIECE, 0);
                let read = source.read(&mut piece);
                let read = match read {
                    Ok(0) => return,
                    Ok(bytes) => {
                        piece.truncate(bytes);
                        Ok(piece)
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                if give.send(read).is_err() {
                    return; // nobody wants it any more
                }
            }
        };
        Builder::new().spawn(read)?; // it ends with the source, or with the process
        Ok(Self { pieces, used, piece: Vec::new(), at: 0, stop })
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at >= self.piece.len() {
            match self.pieces.recv_timeout(TICK) {
                Ok(piece) => {
                    let old = std::mem::replace(&mut self.piece, piece?);
                    let _ = self.used.send(old); // if it still reads
                    self.at = 0;
                }
                Err(RecvTimeoutError::Timeout)
                    if interrupt::asked() || self.stop.load(Ordering::Relaxed) =>
                {
                    return Err(io::Error::other("interrupted"));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
        let rest = self.piece.get(self.at..).unwrap_or_default();
        let bytes = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..bytes), rest.get(..bytes)) {
            to.copy_from_slice(from);
        }
        self.at += bytes;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_the_source() {
        let bytes: Vec<u8> = (0..1_000_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut found = Vec::new();
        let patient = |source| Patient::new(source, Stop::default()).unwrap();
        patient(io::Cursor::new(bytes.clone())).read_to_end(&mut found).unwrap();
        assert!(found == bytes);
        let mut nothing = patient(io::Cursor::new(Vec::new()));
        assert_eq!(nothing.read(&mut [0; 8]).unwrap(), 0);
        assert_eq!(nothing.read(&mut [0; 8]).unwrap(), 0);
    }

    #[test]
    fn nobody_waits_for_what_is_not_wanted() {
        struct Silent;
        impl Read for Silent {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                std::thread::sleep(Duration::from_secs(600));
                Ok(0)
            }
        }
        let stop = Stop::default();
        let mut source = Patient::new(io::Cursor::new(b"ab").chain(Silent), stop.clone()).unwrap();
        assert_eq!(source.read(&mut [0; 8]).unwrap(), 2);
        stop.store(true, Ordering::Relaxed);
        assert!(source.read(&mut [0; 8]).is_err());
    }

    #[test]
    fn what_goes_wrong_is_told_behind_what_went_well() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
        let mut found = Vec::new();
        let source = io::Cursor::new(b"ab").chain(Broken);
        let mut source = Patient::new(source, Stop::default()).unwrap();
        let error = source.read_to_end(&mut found).unwrap_err();
        assert_eq!((&*found, error.kind()), (&b"ab"[..], io::ErrorKind::ConnectionReset));
    }
}
