//! What a file is packed in, told by its first bytes and not by its name.

use std::io::{BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::Error;

/// The longest of the magic numbers below.
pub(super) const MAGIC: usize = 6;

/// Reads what is packed in `source`, which begins with the bytes `start`.
pub(super) fn unpack(
    source: Box<dyn Read + Send>,
    start: &[u8],
    path: &Path,
) -> crate::Result<Box<dyn Read + Send>> {
    let refused = |what: &str, instead: &str| {
        let hint = format!("unpack it first: {instead} | chunkeval … -");
        Err(Error::content(path, format!("{what} is not read")).with_hint(hint))
    };
    let name = path.display();
    match start {
        [0x1F, 0x8B, ..] => Ok(Box::new(MultiGzDecoder::new(BufReader::new(source)))),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => {
            let decoder = zstd::Decoder::new(source).map_err(|e| Error::read(path, e))?;
            Ok(Box::new(decoder))
        }
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => refused("bzip2", &format!("bzip2 -dc {name}")),
        [0xFD, b'7', b'z', b'X', b'Z', 0] => refused("xz", &format!("xz -dc {name}")),
        [b'P', b'K', 3, 4, ..] => refused("a zip archive", &format!("unzip -p {name}")),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
            let hint = format!("iconv -f UTF-16 -t UTF-8 {name} | chunkeval … -");
            Err(Error::content(path, "UTF-16 text; UTF-8 is read").with_hint(hint))
        }
        _ => Ok(source),
    }
}
