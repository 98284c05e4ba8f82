//! `dab problems`: problems with known answers, solved and compared.
//!
//! The problems of `crates/dab/problems` are part of the program; others are read from files.

use std::path::Path;

use dab::{Question, problems};
use dab_board::Position;

use super::on_demand::Asking;
use crate::failure::{Result, usage, wrong};
use crate::options::Setting;
use crate::output::plural;

pub(crate) fn run(path: Option<&Path>, only: &str, setting: &Setting) -> Result<()> {
    let mut problems = match path {
        Some(path) => problems::read(path)?,
        None => problems::known()?,
    };
    problems.retain(|problem| problem.name.contains(only));
    if problems.is_empty() {
        let told = if only.is_empty() { "there is none" } else { "no name contains the text of --only" };
        return Err(usage(format!("no problem to solve: {told}")));
    }
    let mut n_wrong = 0;
    let asking = Asking::without_tables(setting);
    for problem in &problems {
        let remedy = || "allow more with --memory, or leave the problem out".to_owned();
        let answer = |position: &Position, penalty: i32| {
            asking.answer(Question { position, penalty: Some(penalty), marks: false }, &remedy)
        };
        let checked =
            problem.check(answer).map_err(|error: dab::Error| error.context(format!("problem '{}'", problem.name)))?;
        n_wrong += usize::from(!checked.is_ok());
        setting.output.print(&checked)?;
    }
    let n = problems.len() as u64;
    if n_wrong > 0 {
        return Err(wrong(format!("{n_wrong} of {} wrong", plural(n, "problem"))));
    }
    setting.output.note(format!("{}, none wrong", plural(n, "problem")));
    Ok(())
}
