//! A file from an address, in as many goes as it takes.

use std::path::Path;
use std::process::Command;

use crate::shell::Result;

/// By way of Python, which is needed for pip anyway and knows TLS.
const SCRIPT: &str = include_str!("download.py");

/// Makes `file` the one at `url`, of this size and hash.
///
/// What an earlier process left of it is not asked for again. After an error the beginning of the
/// file is there, or nothing.
pub(super) fn whole(python: &Path, url: &str, file: &Path, size: u64, sha256: &str) -> Result<()> {
    let mut download = Command::new(python);
    download.args(["-c", SCRIPT, url]).arg(file).args([&size.to_string(), sha256]);
    match download.status()? {
        status if status.success() => Ok(()),
        status => Err(format!("{}: download failed ({status})", file.display()).into()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{BufRead, BufReader, Write};
    use std::net::{TcpListener, TcpStream};
    use std::sync::mpsc::{Sender, channel};
    use std::thread;

    use super::*;
    use crate::venv::SYSTEM_PYTHON;

    /// Of `content`, as `sha256sum` gives it.
    const SHA256: &str = "91c304e4daed16d1ac074867c3a7b6b25f113684822bb9cb5db2535cf6b21c8c";

    fn content() -> Vec<u8> {
        b"0123456789".repeat(30_000)
    }

    /// What the server makes of a request for a part.
    #[derive(Clone, Copy, PartialEq)]
    enum Server {
        GivesParts,
        GivesAll,
    }

    /// Answers a request; a server that gives parts hangs up after 120,000 bytes. Tells
    /// `asked` where the part begins.
    fn answer(mut stream: TcpStream, server: Server, asked: &Sender<usize>) {
        let lines = BufReader::new(stream.try_clone().unwrap()).lines().map(|line| line.unwrap());
        let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
        let range = head.iter().find_map(|line| line.strip_prefix("Range: bytes="));
        let start = range.map_or(0, |range| range.trim_end_matches('-').parse().unwrap());
        asked.send(start).unwrap();
        let all = content();
        let (status, part, sent) = match server {
            Server::GivesParts if start > 0 => ("206 Partial Content", &all[start..], 120_000),
            Server::GivesParts => ("200 OK", &all[..], 120_000),
            Server::GivesAll => ("200 OK", &all[..], all.len()),
        };
        let (length, end, size) = (part.len(), all.len() - 1, all.len());
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\n").unwrap();
        if status.starts_with("206") {
            write!(stream, "Content-Range: bytes {start}-{end}/{size}\r\n").unwrap();
        }
        write!(stream, "Connection: close\r\n\r\n").unwrap();
        stream.write_all(&part[..sent.min(length)]).unwrap();
    }

    /// The system's Python; a machine without one has nothing to test here.
    fn python() -> Option<&'static Path> {
        let found = Command::new(SYSTEM_PYTHON).arg("--version").output().is_ok();
        if !found {
            eprintln!("skipped: there is no {SYSTEM_PYTHON}");
        }
        found.then(|| Path::new(SYSTEM_PYTHON))
    }

    /// Downloads over what is there already, and expects requests from these places on.
    fn downloaded(
        python: &Path,
        before: &[u8],
        server: Server,
        starts: &[usize],
    ) -> Result<Vec<u8>> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/file", listener.local_addr().unwrap());
        let (asked, requests) = channel();
        thread::spawn(move || {
            listener.incoming().for_each(|stream| answer(stream.unwrap(), server, &asked));
        });
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, before).unwrap();
        let result = whole(python, &url, &file, 300_000, SHA256);
        assert_eq!(requests.try_iter().collect::<Vec<_>>(), starts);
        result.map(|()| fs::read(&file).unwrap()).inspect_err(|_| assert!(!file.exists()))
    }

    #[test]
    fn a_download_goes_on_where_it_broke_off() {
        let Some(python) = python() else { return };
        let all = content();
        let from_nothing =
            downloaded(python, &[], Server::GivesParts, &[0, 120_000, 240_000]).unwrap();
        assert!(from_nothing == all);
        // What another process has left is not asked for again.
        let rest = downloaded(python, &all[..200_000], Server::GivesParts, &[200_000]).unwrap();
        assert!(rest == all);
        assert!(downloaded(python, &all, Server::GivesParts, &[]).unwrap() == all);
    }

    #[test]
    fn a_server_without_parts_gives_the_file_from_its_beginning() {
        let Some(python) = python() else { return };
        let all = content();
        assert!(downloaded(python, &all[..200_000], Server::GivesAll, &[200_000]).unwrap() == all);
    }

    #[test]
    fn a_file_with_another_hash_is_thrown_away() {
        let Some(python) = python() else { return };
        let other = vec![b'x'; 200_000];
        assert!(downloaded(python, &other, Server::GivesParts, &[200_000]).is_err());
    }
}
