//! `dab caribou`: what the rules of the Caribou page say about positions, with their errors, and what they lose in games.

use dab::caribou::{Advice, Games};
use dab::{Answer, Effort, ErrorKind, Question, Source};
use dab_board::Position;

use super::on_demand::Asking;
use crate::args::Caribou;
use crate::failure::{Result, wrong};
use crate::input;
use crate::options::Setting;
use crate::progress::Progress;

pub(crate) fn run(caribou: &Caribou, setting: &Setting) -> Result<()> {
    let read = |text: &String| input::position(text, caribou.told.get());
    let positions = caribou.positions.iter().map(read).collect::<Result<Vec<Position>>>()?;
    let asking = match (&caribou.from, caribou.games) {
        // Games reach all positions, and books end.
        (None, Some(_)) => Asking::without_tables(setting),
        (from, games) => Asking::new(from.as_deref(), Some(0), (games.is_some(), false), setting)?,
    };
    for (i, position) in positions.iter().enumerate() {
        setting.output.set_apart(i)?;
        match caribou.games {
            Some(n) => play(position, Games { n, seed: caribou.seed }, &asking, setting)?,
            None => advise(position, &asking, setting)?,
        }
    }
    Ok(())
}

fn question(position: &Position) -> Question<'_> {
    Question { position, penalty: Some(0), marks: false }
}

/// Prints what the rules say, beside the scores if a table or a moment gives them.
fn advise(position: &Position, asking: &Asking<'_>, setting: &Setting) -> Result<()> {
    let read = |_: &Source, answer: Answer| Ok(Some(answer));
    let answer = match asking.ask(question(position), Effort::Quick, &String::new, read) {
        // Boards that nobody can solve have rules, too.
        Err(error) if asking.named.is_none() && matches!(error.kind(), ErrorKind::Limit | ErrorKind::Input) => None,
        answer => answer?,
    };
    let advice = Advice::new(position);
    setting.output.print(&match answer {
        Some(answer) => advice.beside(&answer),
        None => advice,
    })
}

/// Plays games and prints what the rules lose.
fn play(position: &Position, games: Games, asking: &Asking<'_>, setting: &Setting) -> Result<()> {
    let read = |source: &Source, _| {
        let progress = Progress::new(games.n.into())?;
        games.play(position, |now| Ok(source.answer(now, false)?), &progress).map(Some)
    };
    let remedy = || format!("run 'dab solve {position} --out DIR' and play with --from DIR");
    let measured = asking.ask(question(position), Effort::Any, &remedy, read)?;
    setting.output.print(&measured.ok_or_else(|| wrong(format!("{position} has no answer")))?)
}
