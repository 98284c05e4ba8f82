//! `dab completions` and `dab man`: the arguments as shells and man pages want them.

use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use dab::Error;

use crate::args::Args;
use crate::failure::Result;
use crate::options::Setting;

/// Prints what a shell loads to complete the arguments.
pub(crate) fn completions(shell: Shell) -> Result<()> {
    let mut script = Vec::new();
    generate(shell, &mut Args::command(), "dab", &mut script);
    Ok(stdout().lock().write_all(&script)?)
}

/// Writes a man page for the program and for each verb.
pub(crate) fn man(dir: &Path, setting: &Setting) -> Result<()> {
    let written = fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(Args::command(), dir));
    written.map_err(Error::io(format!("cannot write man pages to {}", dir.display())))?;
    setting.output.note(format!("'man -l {}' shows the first page", dir.join("dab.1").display()));
    Ok(())
}
