//! `dab problems`: problems with known answers, solved and compared.
//!
//! Those of `data/problems` are part of the program; others are read from files.

use std::fmt::{self, Display};
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use dab::problems::{Check, KNOWN, Problem, Wrong, parse};
use dab_board::Position;
use serde::Serialize;

use super::on_demand;
use crate::failure::Usage;
use crate::options::Setting;
use crate::output::list;

#[derive(Serialize)]
#[serde(transparent)]
struct Report<'a>(Check<'a>);

pub(crate) fn run(path: Option<&Path>, only: &str, setting: &Setting) -> anyhow::Result<()> {
    let mut problems = match path {
        Some(path) => read(path)?,
        None => read_all(KNOWN)?,
    };
    problems.retain(|problem| problem.name.contains(only));
    if problems.is_empty() {
        let told = if only.is_empty() { "there is none" } else { "no name contains the text of --only" };
        return Err(Usage(format!("no problem to solve: {told}")).into());
    }
    let mut wrong = 0;
    for problem in &problems {
        let answer = |position: &Position, penalty: i32| {
            let remedy = "allow more with --memory, or leave the problem out";
            Ok(on_demand::solve(position, penalty, setting, remedy)?.answer(position)?)
        };
        let checked = problem.check::<anyhow::Error>(answer).with_context(|| format!("problem '{}'", problem.name))?;
        wrong += usize::from(!checked.ok);
        setting.output.print(&Report(checked))?;
    }
    match wrong {
        0 => setting.output.note(format!("{} problems, none wrong", problems.len())),
        _ => bail!("{wrong} of {} problems wrong", problems.len()),
    }
    Ok(())
}

/// The problems of a file, or of all `.txt` files of a directory.
fn read(path: &Path) -> anyhow::Result<Vec<Problem>> {
    let mut paths = vec![path.to_owned()];
    if path.is_dir() {
        let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
        paths = entries.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<_>>()?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
        paths.sort();
    }
    let texts = paths.iter().map(|path| {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((path.display().to_string(), text))
    });
    read_all(texts.collect::<anyhow::Result<Vec<_>>>()?)
}

fn read_all<T: Display, U: AsRef<str>>(texts: impl IntoIterator<Item = (T, U)>) -> anyhow::Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for (name, text) in texts {
        problems.extend(parse(text.as_ref()).map_err(|error| Usage(format!("{name}, {error}")))?);
    }
    Ok(problems)
}

impl Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(Check { name, ok, found, wrong, .. }) = self;
        let word = if *ok { "ok" } else { "wrong" };
        let found = found.iter().map(|(what, found)| format!("{what} {found}"));
        write!(f, "{word:5}  {:36}  {}", name, list(found, ", "))?;
        for Wrong { what, expected, found } in wrong {
            write!(f, "\n       {what}: expected {expected}, found {found}")?;
        }
        Ok(())
    }
}
