//! Running the program, and files to run it on.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// What a run has left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// The standard output of a run that must have gone well.
    pub(crate) fn ok(self) -> String {
        assert_eq!((self.code, &*self.err), (0, ""), "{}", self.out);
        self.out
    }

    /// The JSON of a run that must have gone well.
    pub(crate) fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.ok()).unwrap()
    }
}

/// The program, not started.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chunkeval"));
    command.env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

/// Runs the program.
pub(crate) fn chunkeval<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    ended(command().args(args).output().unwrap())
}

/// Runs the program with bytes on its standard input.
pub(crate) fn piped(args: &[&str], input: &[u8]) -> Ran {
    let mut command = command();
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    ended(output)
}

pub(crate) fn ended(output: std::process::Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap_or(-1);
    Ran { code, out: text(output.stdout), err: text(output.stderr) }
}

/// A folder with files.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file; its path, to be put on a command line.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// A message with the folder taken out.
    pub(crate) fn short(&self, message: &str) -> String {
        message.replace(&format!("{}/", self.path().display()), "")
    }
}

/// Four sentences: one whole, one missed, a wrong type, a stray I; with wide characters.
pub(crate) const SAMPLE: &str = "\
Ada\tB-PER\tB-PER
Lovelace\tI-PER\tI-PER
sleeps\tO\tO

in\tO\tO
Rome\tB-LOC\tO
.\tO\tO

张\tB-PER\tB-LOC
伟\tI-PER\tI-LOC
在\tO\tO
北\tB-地名\tB-地名
京\tI-地名\tI-地名

Paris\tB-LOC\tI-LOC
";

/// The folder of real corpora: `CHUNKEVAL_DATA`, or `shared/data` beside the repository. `None`,
/// and a loud word, when there is none; a failure where `CI` is set.
pub(crate) fn corpora() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("CHUNKEVAL_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    skip(&format!("NO CORPORA: {} is no folder; set CHUNKEVAL_DATA", folder.display()));
    None
}

/// Says that a check had nothing to check; a failure where `CI` is set.
pub(crate) fn skip(why: &str) {
    assert!(std::env::var_os("CI").is_none(), "{why}");
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}
