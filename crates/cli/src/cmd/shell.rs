//! `dab completions` and `dab man`: the arguments as shells and man pages want them.

use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::args::Args;
use crate::options::Setting;

/// Prints what a shell loads to complete the arguments.
pub(crate) fn completions(shell: Shell) -> anyhow::Result<()> {
    let mut script = Vec::new();
    generate(shell, &mut Args::command(), "dab", &mut script);
    Ok(stdout().lock().write_all(&script)?)
}

/// Writes a man page for the program and for each verb.
pub(crate) fn man(dir: &Path, setting: &Setting) -> anyhow::Result<()> {
    let failed = || format!("cannot write man pages to {}", dir.display());
    fs::create_dir_all(dir).with_context(failed)?;
    clap_mangen::generate_to(Args::command(), dir).with_context(failed)?;
    setting.output.note(format!("'man -l {}' shows the first page", dir.join("dab.1").display()));
    Ok(())
}
