//! `dab problems`: problems with known answers, solved and compared.
//!
//! The problems of `crates/dab/problems` are part of the program; others are read from files.

use std::fmt::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};
use dab::problems::{self, Check, Wrong};
use dab_board::Position;

use super::on_demand::Asking;
use crate::failure::Usage;
use crate::options::Setting;
use crate::output::{list, plural};

pub(crate) fn run(path: Option<&Path>, only: &str, setting: &Setting) -> anyhow::Result<()> {
    let mut problems = match path {
        Some(path) => problems::read(path)?,
        None => problems::known()?,
    };
    problems.retain(|problem| problem.name.contains(only));
    if problems.is_empty() {
        let told = if only.is_empty() { "there is none" } else { "no name contains the text of --only" };
        return Err(Usage(format!("no problem to solve: {told}")).into());
    }
    let mut wrong = 0;
    let asking = Asking::without_tables(setting);
    for problem in &problems {
        let remedy = || "allow more with --memory, or leave the problem out".to_owned();
        let answer = |position: &Position, penalty: i32| asking.answer(position, penalty, &remedy);
        let checked = problem.check::<anyhow::Error>(answer).with_context(|| format!("problem '{}'", problem.name))?;
        wrong += usize::from(!checked.ok);
        setting.output.print(&checked, text)?;
    }
    let n = problems.len() as u64;
    match wrong {
        0 => setting.output.note(format!("{}, none wrong", plural(n, "problem"))),
        _ => bail!("{wrong} of {} wrong", plural(n, "problem")),
    }
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
