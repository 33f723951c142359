//! The developer's commands. `cargo xtask help` lists them.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bench;
mod deny;
mod encoder;
mod fuzz;
mod golden;
mod libtorch;
mod run_tch;
mod shell;
mod steps;
mod test;
mod venv;
mod wheel;
mod workspace;

use std::process::ExitCode;

use shell::Result;

struct Command {
    name: &'static str,
    summary: &'static str,
    run: Run,
}

enum Run {
    Plain(fn() -> Result<()>),
    WithArguments(fn(&[String]) -> Result<()>),
}

const COMMANDS: &[Command] = &[
    Command {
        name: "test",
        summary: "format, lints, tests, installing, documentation, every crate alone, licences",
        run: Run::Plain(test::run),
    },
    Command {
        name: "bench",
        summary: "all benches, their ratios, and benches/RESULTS.md",
        run: Run::Plain(bench::run),
    },
    Command {
        name: "fuzz",
        summary: "libFuzzer on each fuzz target, for two minutes or so many seconds",
        run: Run::WithArguments(fuzz::run),
    },
    Command {
        name: "golden",
        summary: "reference values of others' programs for a test: `golden encoder`",
        run: Run::WithArguments(golden::run),
    },
    Command {
        name: "libtorch",
        summary: "a libtorch under target/, for crate tch, and the variables that show it",
        run: Run::Plain(libtorch::run),
    },
    Command {
        name: "run-tch",
        summary: "the training program in tch, with the arguments that follow",
        run: Run::WithArguments(run_tch::run),
    },
    Command {
        name: "fetch-encoder",
        summary: "a small English encoder (MiniLM) under target/, to fine-tune",
        run: Run::Plain(encoder::run),
    },
    Command { name: "help", summary: "this list", run: Run::Plain(help) },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let named = |name: &str| COMMANDS.iter().find(|command| command.name == name);
    let result = match &arguments[..] {
        [name, rest @ ..] => match named(name).map(|command| &command.run) {
            Some(Run::Plain(run)) if rest.is_empty() => Some(run()),
            Some(Run::WithArguments(run)) => Some(run(rest)),
            _ => None,
        },
        [] => None,
    };
    let Some(result) = result else {
        eprint!("unknown command: {:?}\n\n{}", arguments.join(" "), list());
        return ExitCode::from(2);
    };
    match result {
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
        .map(|command| format!("  cargo xtask {:13} {}\n", command.name, command.summary))
        .collect();
    format!("Commands:\n{lines}")
}
