//! Running other programs, with the failed command in the error.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Runs a program to its end; anything but success is an error that shows the command.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    announce(command);
    let status = command.status().map_err(|e| cannot_start(command, &e))?;
    if status.success() { Ok(()) } else { Err(failed(command, &status)) }
}

/// Runs a program and hands each line it prints to `line`, besides printing it.
pub(crate) fn run_lines(command: &mut Command, mut line: impl FnMut(&str)) -> Result<()> {
    announce(command);
    let mut child =
        command.stdout(Stdio::piped()).spawn().map_err(|e| cannot_start(command, &e))?;
    if let Some(stdout) = child.stdout.take() {
        for text in BufReader::new(stdout).lines() {
            let text = text?;
            println!("{text}");
            line(&text);
        }
    }
    let status = child.wait()?;
    if status.success() { Ok(()) } else { Err(failed(command, &status)) }
}

/// Runs a program silently and gives what it printed.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|e| cannot_start(command, &e))?;
    if !output.status.success() {
        return Err(failed(command, &output.status));
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn announce(command: &Command) {
    println!("$ {}", shown(command));
}

/// The command as one would type it: variables set for it, program, arguments.
fn shown(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let variables = variables.map(|(name, value)| format!("{}={value:?} ", name.display()));
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program()).display();
    let arguments = command.get_args().map(|argument| format!(" {}", argument.display()));
    variables.chain([name.to_string()]).chain(arguments).collect()
}

fn failed(command: &Command, status: &std::process::ExitStatus) -> Box<dyn Error> {
    format!("{status}: {}", shown(command)).into()
}

fn cannot_start(command: &Command, error: &std::io::Error) -> Box<dyn Error> {
    format!("cannot start `{}`: {error}", shown(command)).into()
}
