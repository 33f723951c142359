//! [`Patient`]: reading that Ctrl-C ends, however long the other side says nothing.

use std::io::{self, Read};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread::Builder;
use std::time::Duration;

use super::open::Flag;
use crate::interrupt;

/// Bytes read at once: what a pipe holds.
const PIECE: usize = 64 << 10;
/// Pieces that lie ready.
const READY: usize = 4;
/// How long an interrupt may wait.
const TICK: Duration = Duration::from_millis(20);
/// After so many of them without a word the other side is idle.
const IDLE: u32 = 10;

/// A source that is read by a thread of its own, since nothing else can be done while a system call
/// waits. Once Ctrl-C or somebody else asks to stop, reading from it is an error as soon as it would
/// have to wait; for the eager, it is one that can be passed over.
pub(super) struct Patient {
    pieces: Receiver<io::Result<Vec<u8>>>,
    used: Sender<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
    stop: Flag,
    eager: Flag,
}

impl Patient {
    pub(super) fn new(
        mut source: impl Read + Send + 'static,
        [stop, eager]: [&Flag; 2],
    ) -> io::Result<Self> {
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
        let (stop, eager) = (stop.clone(), eager.clone());
        Ok(Self { pieces, used, piece: Vec::new(), at: 0, stop, eager })
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut ticks = 0;
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
                Err(RecvTimeoutError::Timeout)
                    if ticks == IDLE && self.eager.load(Ordering::Relaxed) =>
                {
                    return Err(io::ErrorKind::WouldBlock.into());
                }
                Err(RecvTimeoutError::Timeout) => ticks = IDLE.min(ticks + 1),
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
        let patient = |source| Patient::new(source, [&Flag::default(); 2]).unwrap();
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
        let (stop, eager) = <(Flag, Flag)>::default();
        let source = io::Cursor::new(b"ab").chain(Silent);
        let mut source = Patient::new(source, [&stop, &eager]).unwrap();
        assert_eq!(source.read(&mut [0; 8]).unwrap(), 2);
        eager.store(true, Ordering::Relaxed);
        let mut kind = || source.read(&mut [0; 8]).unwrap_err().kind();
        assert_eq!([kind(), kind()], [io::ErrorKind::WouldBlock; 2]);
        stop.store(true, Ordering::Relaxed);
        assert_eq!(kind(), io::ErrorKind::Other);
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
        let mut source = Patient::new(source, [&Flag::default(); 2]).unwrap();
        let error = source.read_to_end(&mut found).unwrap_err();
        assert_eq!((&*found, error.kind()), (&b"ab"[..], io::ErrorKind::ConnectionReset));
    }
}
