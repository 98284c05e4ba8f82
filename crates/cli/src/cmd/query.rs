//! `dab query`: scores, best moves and best play of positions.
//!
//! Positions come from the command line and from a batch with one position a line.

use std::io::{self, Write};

use dab::text::Asked;
use dab::{Answer, Effort, Files, Mark, Question, ScoredPosition, Source};
use dab_board::notation::{Side, Transcript};
use dab_board::{LineIdx, Position};

use super::batch;
use super::on_demand::Asking;
use crate::args::{FromTables, Query};
use crate::failure::{Result, usage};
use crate::input;
use crate::options::Setting;
use crate::output::{json_line, plural, visible};

pub(crate) fn run(query: &Query, setting: &Setting) -> Result<()> {
    let FromTables { told, from, batch, penalty, disk } = &query.tables;
    let read = |text: &String| input::game(text, told.get(), *penalty);
    let positions = match without_quotes(&query.positions) {
        Some(game) => vec![read(&game)?],
        None => query.positions.iter().map(read).collect::<Result<Vec<Transcript>>>()?,
    };
    let setting = &setting.for_batch(batch).with_disk(*disk);
    let asking = Asking::new(from.as_deref(), *penalty, (batch.is_asked(), query.marks), setting)?;
    let questions = Questions { asking: &asking, query, setting };
    questions.answer_all(&positions)
}

/// The game in several arguments, which a shell makes of one without quotes: a position, and lines of its board.
fn without_quotes(arguments: &[String]) -> Option<String> {
    let [start, moves @ ..] = arguments else { return None };
    let start: Position = start.parse().ok()?;
    let moves = moves.join(" ").replace(" - ", "-");
    let is_line = |word: &str| start.board().line_named(word.trim_end_matches(',')).is_some();
    (!moves.is_empty() && moves.split_whitespace().all(is_line)).then(|| format!("{} {moves}", arguments[0]))
}

/// Questions to tables, and to solves where tables end.
struct Questions<'a> {
    asking: &'a Asking<'a>,
    query: &'a Query,
    setting: &'a Setting,
}

impl Questions<'_> {
    /// Answers the positions of the command line and of the batch.
    fn answer_all(&self, positions: &[Transcript]) -> Result<()> {
        for (i, game) in positions.iter().enumerate() {
            let mut text = Vec::new();
            self.answer(&game.into(), Some(game), Effort::Any, &mut text)?;
            self.setting.output.set_apart(i)?;
            io::stdout().lock().write_all(&text)?;
        }
        // Most positions are on the board of the table.
        let board = self.asking.named.as_ref().map(|source| source.table().board());
        let parser = batch::Parser::new(board, self.query.tables.told.get());
        batch::run(&self.query.tables.batch, |line, effort, out| self.answer(&parser.parse(line)?, None, effort, out))
    }

    /// Writes the answer for a position, unless that takes more than the effort, and how its game stands.
    fn answer(&self, asked: &Asked, game: Option<&Transcript>, effort: Effort, out: &mut Vec<u8>) -> Result<bool> {
        let (position, penalty) = (&asked.position, self.penalty(asked)?);
        let question = Question { position, penalty: Some(penalty), marks: self.query.marks };
        let read = |source: &Source, answer: Answer| {
            let files = source.table().files();
            let is_solved = matches!(files, Files::Memory(..) | Files::Temporary(..));
            if is_solved {
                let is_below = self.asking.named.is_some() || self.asking.tables.library.may_hold(question);
                let why = if is_below { "below the book, " } else { "" };
                let place = if let Files::Memory(..) = files { "in memory" } else { "in temporary files" };
                let undrawn = plural(position.undrawn().len() as u64, "undrawn line");
                self.setting.output.note(format!("{position}: {why}solved {place}, {undrawn}"));
            }
            let (score, mark) = (i32::from(answer.score.0), answer.mark);
            let mut text = self.text(position, answer, source)?;
            if !self.setting.output.json {
                game.and_then(|game| standing(game, penalty, score, mark))
                    .into_iter()
                    .for_each(|said| text.extend(said.bytes()));
            }
            if !is_solved && self.asking.named.is_none() {
                self.setting.output.note(format!("{position}: from {}", files.name()));
            }
            Ok(Some(text))
        };
        let text = self.asking.ask(question, effort, &|| remedy(position, penalty), read)?;
        text.iter().for_each(|text| out.extend_from_slice(text));
        Ok(text.is_some())
    }

    /// The last-move penalty of a question. A text may not charge another one than a table that is named.
    fn penalty(&self, asked: &Asked) -> Result<i32> {
        let Some(source) = &self.asking.named else { return asked.penalty_or(self.query.tables.penalty) };
        let run = source.table();
        match asked.penalty {
            Some(penalty) if penalty != i32::from(run.penalty()) => Err(usage(format!(
                "{} is to be played with a last-move penalty of {penalty}, but the {} has a penalty of {}; ask a run \
                 with that penalty, or write the position without one",
                asked.position,
                run.files().kind(),
                run.penalty(),
            ))),
            _ => Ok(run.penalty().into()),
        }
    }

    /// The answer of a source for a position; text has all details.
    fn text(&self, position: &Position, answer: Answer, source: &Source) -> Result<Vec<u8>> {
        let beyond = |now: &Position| self.best_play_beyond(now, source.table().penalty());
        let mut out = Vec::with_capacity(1 << 11);
        let scored = ScoredPosition::new(position, answer, source.table());
        let is_json = self.setting.output.json;
        let answer = if !is_json || self.query.details { scored.detailed(source, beyond)? } else { scored };
        if is_json {
            json_line(&answer, &mut out)?;
        } else {
            out.extend(visible(&answer.to_string()).bytes());
            out.push(b'\n');
        }
        Ok(out)
    }

    /// Best play from a position below a book, if solving it takes no more than a moment.
    fn best_play_beyond(&self, position: &Position, penalty: i8) -> Result<Option<Vec<LineIdx>>> {
        let read = |source: &Source, _| {
            self.setting.output.note(format!("{position}: below the book, solved in memory for the best play"));
            Ok(Some(source.book().best_play(position)?))
        };
        let question = Question { position, penalty: Some(penalty.into()), marks: false };
        Asking::without_tables(self.setting).ask(question, Effort::Quick, &String::new, read)
    }
}

/// The boxes and the mover of a game, its end under best play, and the player who must make the next loony move; nothing if the text
/// does not tell who has the closed boxes, or who moves.
fn standing(game: &Transcript, penalty: i32, score: i32, mark: Option<Mark>) -> Option<String> {
    let boxes = game.captured().map(|boxes| boxes.len() as i32);
    let (position, mover) = (game.end(), game.to_move());
    let closed = position.board().graph().joints().iter().filter(|joint| joint.strings.is_subset(position.drawn()));
    let is_told = closed.count() as i32 == boxes.iter().sum::<i32>();
    if !is_told || (game.moves().is_empty() && boxes == [0, 0] && mover == Side::A) {
        return None;
    }
    let [a, b] = boxes;
    let (more, left) = match (position.undrawn().is_empty(), mover) {
        // Who closed the last box drew the last line.
        (true, Side::A) => (-penalty, None),
        (true, Side::B) => (penalty, None),
        (false, Side::A) => (score, Some(mover)),
        (false, Side::B) => (-score, Some(mover)),
    };
    let end = match a - b + more {
        0 => "draw".to_owned(),
        margin @ 1.. => format!("A wins by {margin}"),
        margin => format!("B wins by {}", -margin),
    };
    let end = left.map_or(format!(": {end}"), |mover| format!(", {mover} to move; under best play {end}"));
    // Wilson's marks are about A and B.
    let loony = match (mark, mover) {
        (Some(Mark::Mover), Side::A) | (Some(Mark::Opponent), Side::B) => ", A must make the next loony move",
        (Some(Mark::Mover), Side::B) | (Some(Mark::Opponent), Side::A) => ", B must make the next loony move",
        _ => "",
    };
    Some(format!("game        A {a}, B {b}{end}{loony}\n"))
}

/// The remedy where a position takes too much to solve.
fn remedy(position: &Position, penalty: i32) -> String {
    let flag = if penalty == 0 { String::new() } else { format!(" --penalty {penalty}") };
    format!("run 'dab solve {position}{flag} --out DIR' (or solve its board) and ask with --from DIR")
}
