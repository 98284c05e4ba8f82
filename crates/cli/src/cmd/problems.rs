//! `dab problems`: problems with known answers, solved and compared.
//!
//! The problems of `crates/dab/problems` are part of the program; others are read from files.

use std::fmt::{self, Write};
use std::path::Path;

use dab::problems::{self, Check, Wrong};
use dab_board::Position;

use super::on_demand::Asking;
use crate::failure::{Result, usage, wrong};
use crate::options::Setting;
use crate::output::{list, plural};

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
        let answer = |position: &Position, penalty: i32| asking.answer(position, penalty, &remedy);
        let checked =
            problem.check(answer).map_err(|error: dab::Error| error.context(format!("problem '{}'", problem.name)))?;
        n_wrong += usize::from(!checked.ok);
        setting.output.print(&checked, text)?;
    }
    let n = problems.len() as u64;
    if n_wrong > 0 {
        return Err(wrong(format!("{n_wrong} of {} wrong", plural(n, "problem"))));
    }
    setting.output.note(format!("{}, none wrong", plural(n, "problem")));
    Ok(())
}

fn text(check: &Check<'_>, f: &mut String) -> fmt::Result {
    let Check { name, ok, found, wrong, .. } = check;
    let word = if *ok { "ok" } else { "wrong" };
    let found = found.iter().map(|(what, found)| format!("{what} {found}"));
    write!(f, "{word:5}  {:36}  {}", name, list(found, ", "))?;
    for Wrong { what, expected, found } in wrong {
        write!(f, "\n       {what}: expected {expected}, found {found}")?;
    }
    Ok(())
}
