//! The developer's commands. `cargo xtask help` lists them.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bench;
mod deny;
mod shell;
mod steps;
mod test;
mod venv;
mod workspace;

use std::process::ExitCode;

use shell::Result;

struct Command {
    name: &'static str,
    summary: &'static str,
    run: fn() -> Result<()>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "test",
        summary: "format, lints, tests, documentation, every crate alone, licences",
        run: test::run,
    },
    Command {
        name: "bench",
        summary: "all benches, their ratios, and benches/RESULTS.md",
        run: bench::run,
    },
    Command { name: "help", summary: "this list", run: help },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let command = match &arguments[..] {
        [name] => COMMANDS.iter().find(|command| command.name == name),
        _ => None,
    };
    let Some(command) = command else {
        eprint!("unknown command: {:?}\n\n{}", arguments.join(" "), list());
        return ExitCode::from(2);
    };
    match (command.run)() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> Result<()> {
    print!("{}", list());
    Ok(())
}

fn list() -> String {
    let lines: String = COMMANDS
        .iter()
        .map(|command| format!("  cargo xtask {:6} {}\n", command.name, command.summary))
        .collect();
    format!("Commands:\n{lines}")
}
