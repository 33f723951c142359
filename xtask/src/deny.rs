//! cargo-deny, when it is installed: licences, duplicate crates, sources, advisories.

use std::process::{Command, Stdio};

use crate::shell::{self, Result};
use crate::workspace::Workspace;

pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    if !succeeds(workspace.plain_cargo(["deny", "--version"])) {
        println!("skipped: cargo-deny is not installed (cargo install cargo-deny --locked)");
        return Ok(());
    }
    let offline = ["deny", "--workspace", "check", "bans", "licenses", "sources"];
    shell::run(&mut workspace.plain_cargo(offline))?;
    // The advisory database comes from a host that not every machine can reach.
    if !succeeds(workspace.plain_cargo(["deny", "fetch", "db"])) {
        println!("skipped: the advisory database cannot be fetched from here");
        return Ok(());
    }
    shell::run(&mut workspace.plain_cargo(["deny", "--workspace", "check", "advisories"]))
}

fn succeeds(mut command: Command) -> bool {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
