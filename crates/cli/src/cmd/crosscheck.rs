//! `dab crosscheck`: the theory against recursion and against solved boards, and solved boards against each other.

use std::ffi::OsString;
use std::fmt::{self, Write};
use std::path::Path;
use std::process::Command;

use dab::crosscheck::{
    self, BoardCheck, Counterexample, EndgameCheck, EndgameSet, MultisetCount, ProgramCheck, Questions, RunCheck,
    Sample, SearchCheck, TheoremCheck,
};
use dab::{Tablebase, available_memory};

use crate::cmd::search::new_search;
use crate::failure::{Result, usage, wrong};
use crate::options::Setting;
use crate::output::{Bytes, Count, plural};
use crate::progress::Progress;

/// Every theorem against recursion, on every endgame of a set or of both sets.
pub(crate) fn endgames(max_size: Option<u8>, amalgamated: bool, all: bool, setting: &Setting) -> Result<()> {
    let sets = [(!amalgamated, false, 60), (!all, true, 121)].into_iter().filter(|(is_wanted, ..)| *is_wanted);
    let set = |(_, amalgamated, size)| EndgameSet { amalgamated, max_size: max_size.unwrap_or(size) };
    let sets: Vec<EndgameSet> = sets.map(set).collect();
    let families: Vec<_> = sets.iter().map(|set| set.family()).collect();
    let most = families.iter().map(|family| family.n_positions()).max().unwrap_or(0);
    if most > available_memory() {
        let (positions, free) = (Count(most.into()), Bytes(available_memory().into()));
        return Err(usage(format!(
            "{positions} endgames take a byte each, but {free} of memory are free; use a smaller --max-size"
        )));
    }
    let progress = Progress::new(families.iter().map(|family| u128::from(family.n_positions())).sum())?;
    let check = |&set: &EndgameSet| crosscheck::endgames(set, &progress);
    let all: Vec<EndgameCheck> = sets.iter().map(check).collect::<Result<_>>()?;
    drop(progress);
    all.iter().try_for_each(|report| setting.output.print(report, text_of_endgames))?;
    all.iter().find_map(EndgameCheck::fault).map_or(Ok(()), |fault| Err(wrong(fault)))
}

fn text_of_endgames(check: &EndgameCheck, f: &mut String) -> fmt::Result {
    let EndgameCheck { set, max_size, positions, expected, theorems, .. } = check;
    let known = if *expected == Some(*positions) { ", as many as there must be" } else { "" };
    let positions = Count((*positions).into());
    writeln!(f, "{set} endgames of at most {max_size} boxes: {positions}{known}")?;
    write!(f, "{:<32}  {:>12}  {:>8}", "theorem", "positions", "failures")?;
    for TheoremCheck { name, tried, failed, first_failure } in theorems {
        let first = first_failure.as_ref().map(|first| format!("  {first}")).unwrap_or_default();
        write!(f, "\n{name:<32}  {:>12}  {:>8}{first}", Count((*tried).into()), Count((*failed).into()))?;
    }
    Ok(())
}

/// The theory against every simple loony endgame of a solved board.
pub(crate) fn board(from: &Path, setting: &Setting) -> Result<()> {
    let run = Tablebase::open_within(from, setting.limits())?;
    let progress = Progress::new(run.space().layout().total_positions())?;
    let check = crosscheck::board(&run, setting.limits(), &progress)?;
    drop(progress);
    setting.output.print(&check, text_of_board)?;
    match check.first {
        None => Ok(()),
        Some(first) => {
            let n = plural(check.disagreements, "disagreement");
            Err(wrong(format!("{n} between theory and {}, first {first}", from.display())))
        }
    }
}

fn text_of_board(check: &BoardCheck, f: &mut String) -> fmt::Result {
    let BoardCheck { board, endgames, opened, multisets, disagreements, .. } = check;
    for MultisetCount { endgame, positions } in multisets {
        writeln!(f, "{:>14}  {endgame}", Count((*positions).into()))?;
    }
    let (endgames, opened) = (Count((*endgames).into()), Count((*opened).into()));
    let multisets = plural(multisets.len() as u64, "multiset");
    writeln!(f, "{board}: simple loony endgames among the stored positions: {endgames}, {multisets}")?;
    writeln!(f, "positions one line later, compared with plain recursion: {opened}")?;
    f.write_str(&plural(*disagreements, "disagreement"))
}

/// A program of the user's against the theory, or against a run or a book.
pub(crate) fn program(from: Option<&Path>, max_size: u8, words: &[OsString], setting: &Setting) -> Result<()> {
    let table = from.map(Tablebase::open).transpose()?;
    let questions = match &table {
        Some(table) => Questions::Positions(table),
        None => Questions::Endgames(EndgameSet { amalgamated: false, max_size }),
    };
    let (program, arguments) = words.split_first().ok_or_else(|| usage("which program?"))?;
    let progress = Progress::new(questions.count().into())?;
    let check = crosscheck::program(Command::new(program).args(arguments), &questions, &progress)?;
    drop(progress);
    setting.output.print(&check, text_of_program)?;
    match check.disagreements {
        0 => Ok(()),
        n => Err(wrong(format!("{}: {n} of {} wrong", check.program, plural(check.asked, "value")))),
    }
}

fn text_of_program(check: &ProgramCheck, f: &mut String) -> fmt::Result {
    for Counterexample { question, expected, found } in &check.first {
        writeln!(f, "{question}: expected {expected}, found {found}")?;
    }
    let (asked, wrong) = (plural(check.asked, "value"), Count(check.disagreements.into()));
    write!(f, "{}: {asked}, {wrong} wrong", check.program)
}

/// Two solved runs or books of one start against each other, such as its two spaces.
pub(crate) fn runs(one: &Path, other: &Path, setting: &Setting) -> Result<()> {
    let open = |path| Tablebase::open_within(path, setting.limits());
    let (ours, theirs) = (open(one)?, open(other)?);
    let progress = Progress::new(ours.files().layers().map(|layer| u128::from(layer.positions)).sum())?;
    let check = crosscheck::runs(&ours, &theirs, setting.limits(), &progress)?;
    drop(progress);
    setting.output.print(&check, text_of_runs)?;
    match check.first {
        None => Ok(()),
        Some(first) => Err(wrong(format!("{}, first {first}", plural(check.disagreements, "different score")))),
    }
}

fn text_of_runs(check: &RunCheck, f: &mut String) -> fmt::Result {
    let RunCheck { one, other, layers, positions, disagreements, .. } = check;
    let (positions, layers) = (plural(*positions, "position"), plural(*layers as u64, "layer"));
    writeln!(f, "{one} and {other}: {positions} of {layers} compared")?;
    f.write_str(&plural(*disagreements, "disagreement"))
}

/// Random scores of a run or book against searches.
pub(crate) fn search(from: &Path, sample: Sample, setting: &Setting) -> Result<()> {
    let run = Tablebase::open_within(from, setting.limits())?;
    let memory = crosscheck::search_memory(&run, setting.limits())?;
    let search = new_search(run.penalty(), setting.threads, memory)?;
    let progress = Progress::new(sample.positions.into())?;
    let check = crosscheck::search(&run, sample, &search, &progress)?;
    drop(progress);
    setting.output.print(&check, text_of_search)?;
    match check.first {
        None => Ok(()),
        Some(first) => Err(wrong(format!("{} scores differ, first {first}", check.disagreements))),
    }
}

fn text_of_search(check: &SearchCheck, f: &mut String) -> fmt::Result {
    let SearchCheck { run, layers, positions, nodes, disagreements, .. } = check;
    let [positions, nodes] = [positions, nodes].map(|&n| plural(n, "position"));
    writeln!(f, "{run}: {positions} of {} searched, through {nodes}", plural(*layers as u64, "layer"))?;
    f.write_str(&plural(*disagreements, "disagreement"))
}
