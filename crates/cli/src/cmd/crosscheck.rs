//! `dab crosscheck`: the theory against recursion and against solved boards, and solved boards against each other.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use dab::crosscheck::{Check, Questions, Sample};
use dab::{Tablebase, available_memory};
use dab_endgame::Family;

use crate::cmd::search::new_search;
use crate::failure::{Result, usage, wrong};
use crate::options::Setting;
use crate::output::{Bytes, Count};
use crate::progress::Progress;

/// A kind of families, with the most boxes that are usual.
pub(crate) type Kind = (fn(u8) -> Family, u8);

/// Every theorem against recursion, on every endgame of some families; the most boxes are those of its kind unless they are told.
pub(crate) fn endgames(kinds: &[Kind], max_size: Option<u8>, setting: &Setting) -> Result<()> {
    let families = kinds.iter().map(|(family, most)| family(max_size.unwrap_or(*most))).collect::<Vec<_>>();
    let most = families.iter().map(Family::n_positions).max().unwrap_or(0);
    if most > available_memory() {
        let (positions, free) = (Count(most.into()), Bytes(available_memory().into()));
        return Err(usage(format!(
            "{positions} endgames take a byte each, but {free} of memory are free; use a smaller --max-boxes"
        )));
    }
    let progress = Progress::new(families.iter().map(|family| u128::from(family.n_positions())).sum())?;
    let check = |family| Check::endgames(family, &progress);
    let all: Vec<Check> = families.into_iter().map(check).collect::<Result<_>>()?;
    drop(progress);
    report(&all, setting)
}

/// The theory against every simple loony endgame of a solved board.
pub(crate) fn board(from: &Path, setting: &Setting) -> Result<()> {
    let run = Tablebase::open_within(from, setting.limits())?;
    let progress = Progress::new(run.space().layout().total_positions())?;
    let check = Check::board(&run, setting.limits(), &progress)?;
    drop(progress);
    report(&[check], setting)
}

/// A program of the user's against the theory, or against a run or a book.
pub(crate) fn program(from: Option<&Path>, max_size: u8, words: &[OsString], setting: &Setting) -> Result<()> {
    let table = from.map(Tablebase::open).transpose()?;
    let questions = match &table {
        Some(table) => Questions::Positions(table),
        None => Questions::Endgames(Family::all(max_size)),
    };
    let (program, arguments) = words.split_first().ok_or_else(|| usage("which program?"))?;
    let progress = Progress::new(questions.count().into())?;
    let check = Check::program(Command::new(program).args(arguments), &questions, &progress)?;
    drop(progress);
    report(&[check], setting)
}

/// Two solved runs or books of one start against each other, such as its two spaces.
pub(crate) fn runs(one: &Path, other: &Path, setting: &Setting) -> Result<()> {
    let open = |path| Tablebase::open_within(path, setting.limits());
    let (ours, theirs) = (open(one)?, open(other)?);
    let progress = Progress::new(ours.files().layers().map(|layer| u128::from(layer.positions)).sum())?;
    let check = Check::runs(&ours, &theirs, setting.limits(), &progress)?;
    drop(progress);
    report(&[check], setting)
}

/// Random scores of a run or book against searches.
pub(crate) fn search(from: &Path, sample: Sample, setting: &Setting) -> Result<()> {
    let run = Tablebase::open_within(from, setting.limits())?;
    let memory = Check::search_memory(&run, setting.limits())?;
    let search = new_search(run.penalty(), setting.threads, memory)?;
    let progress = Progress::new(sample.positions.into())?;
    let check = Check::search(&run, sample, &search, &progress)?;
    drop(progress);
    report(&[check], setting)
}

/// Prints some checks; an error if one of them found something wrong.
fn report(checks: &[Check], setting: &Setting) -> Result<()> {
    checks.iter().try_for_each(|check| setting.output.print(check))?;
    checks.iter().find_map(Check::fault).map_or(Ok(()), |fault| Err(wrong(fault)))
}
