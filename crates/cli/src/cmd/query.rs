//! `dab query`: scores, best moves and best play of positions.
//!
//! Positions come from the command line and from a batch with one position a line.

use std::io::{self, Write};
use std::sync::Arc;

use dab::batch::{Effort, Parser};
use dab::details::{Detailed, Details, ScoredPosition, TheoryAndTable};
use dab::text::Asked;
use dab::theory::Theory;
use dab::{Answer, Files, Lacking, LearnedScores, Library, MoveKind, OnDemandSolve, Source, Tablebase};
use dab_board::{Board, LineIdx, Position};
use dab_store::ScoreRead;

use super::{batch, on_demand};
use crate::args::{FromTables, Query};
use crate::failure::{self, Usage};
use crate::input;
use crate::options::Setting;
use crate::output::{json_line, lines, list, marked, picture, plural, rows, visible, with_penalty};

pub(crate) fn run(query: &Query, setting: &Setting) -> anyhow::Result<()> {
    let FromTables { told, from, batch, penalty, disk } = &query.tables;
    let read = |text: &String| input::asked(text, told.get(), *penalty);
    let positions = query.positions.iter().map(read).collect::<anyhow::Result<Vec<Asked>>>()?;
    let setting = &setting.for_batch(batch).with_disk(*disk);
    let Some(from) = from else {
        let tables = Tables::Shipped(Library::of_shipped_books(setting.book_limits())?);
        let asking = Asking { tables: &tables, query, setting };
        return answer_all(&positions, query, setting, None, |asked, effort, out| asking.answer(asked, effort, out));
    };
    let run = setting.table(from, *penalty)?;
    let cache = run.cache(run.slab_budget(setting.limits()));
    // A few questions do not pay for keeping anything; marks ask many.
    let scores: &dyn ScoreRead = if batch.is_asked() || query.marks { &cache } else { run.files().scores() };
    let tables = Tables::Named { run: &run, scores: LearnedScores::new(scores) };
    let asking = Asking { tables: &tables, query, setting };
    answer_all(&positions, query, setting, Some(run.board()), |asked, effort, out| asking.answer(asked, effort, out))
}

/// The tables that are asked before anything is solved.
enum Tables<'a> {
    /// The run or book of `--from`.
    Named { run: &'a Tablebase, scores: LearnedScores<'a> },
    /// The shipped books.
    Shipped(Library),
}

/// Questions to tables, and to solves where tables end.
struct Asking<'a> {
    tables: &'a Tables<'a>,
    query: &'a Query,
    setting: &'a Setting,
}

impl Asking<'_> {
    /// Writes the answer for a position, unless that takes more than the effort.
    fn answer(&self, asked: &Asked, effort: Effort, out: &mut Vec<u8>) -> anyhow::Result<bool> {
        let (position, penalty) = (&asked.position, self.penalty(asked)?);
        if self.answer_of_tables(position, penalty, out)? {
            return Ok(true);
        }
        let whole = OnDemandSolve::new(position, penalty, self.setting.limits(), &())?;
        // Marks take more scores than an answer.
        if !self.query.marks
            && let Some(lacking) = self.lacking(&whole)?
        {
            if effort == Effort::Quick && !lacking.is_quick() {
                return Ok(false);
            }
            on_demand::complete(lacking, position, self.setting)?;
            if self.answer_of_tables(position, penalty, out)? {
                return Ok(true);
            }
        }
        match effort {
            Effort::Quick if !whole.is_quick() => return Ok(false),
            Effort::Quick => {}
            Effort::Any => on_demand::check(&whole, 1, &remedy(position, penalty))?,
        }
        self.answer_of_solved(&on_demand::run(whole)?, position, penalty, out)?;
        Ok(true)
    }

    /// The last-move penalty of a question. A text may not charge another one than a table that is named.
    fn penalty(&self, asked: &Asked) -> anyhow::Result<i32> {
        let Tables::Named { run, .. } = self.tables else { return Ok(asked.penalty_or(self.query.tables.penalty)?) };
        match asked.penalty {
            Some(penalty) if penalty != i32::from(run.penalty()) => Err(Usage(format!(
                "{} is to be played with a last-move penalty of {penalty}, but the {} has a penalty of {}; ask a run \
                 with that penalty, or write the position without one",
                asked.position,
                run.files().kind(),
                run.penalty(),
            ))
            .into()),
            _ => Ok(run.penalty().into()),
        }
    }

    /// Writes the answer of the tables, if they have it.
    fn answer_of_tables(&self, position: &Position, penalty: i32, out: &mut Vec<u8>) -> anyhow::Result<bool> {
        let ask = |source: &Source<'_>| self.text(position, source);
        let text = match self.tables {
            Tables::Named { run, scores } => match ask(&Source::new(run, run.book_through(scores))) {
                Err(error) if error.downcast_ref().is_some_and(dab::Error::is_beyond) => None,
                text => Some(text?),
            },
            Tables::Shipped(library) => {
                let ask = |source: &Source<'_>| {
                    let text = ask(source)?;
                    self.setting.output.note(format!("{position}: from {}", source.files.name()));
                    anyhow::Ok(text)
                };
                library.ask(position, Some(penalty), ask, failure::is_absent)?
            }
        };
        text.iter().for_each(|text| out.extend_from_slice(text));
        Ok(text.is_some())
    }

    /// The solves that let the tables answer, if that is the quickest way.
    fn lacking(&self, whole: &OnDemandSolve) -> Result<Option<Lacking<'_>>, dab::Error> {
        match self.tables {
            Tables::Named { run, scores } => run.lacking(scores, whole),
            Tables::Shipped(library) => library.lacking(whole),
        }
    }

    /// Whether a table holds the first layers of the game that a position arises in.
    fn is_below_a_book(&self, position: &Position, penalty: i32) -> bool {
        match self.tables {
            Tables::Named { .. } => true,
            Tables::Shipped(library) => library.tables().iter().any(|table| table.may_hold(position, Some(penalty))),
        }
    }

    /// Writes the answer of a table that was solved for this position.
    fn answer_of_solved(
        &self,
        solved: &Tablebase,
        position: &Position,
        penalty: i32,
        out: &mut Vec<u8>,
    ) -> anyhow::Result<()> {
        let why = if self.is_below_a_book(position, penalty) { "below the book, " } else { "" };
        let (place, undrawn) = (on_demand::place(solved), plural(position.undrawn().len() as u64, "undrawn line"));
        self.setting.output.note(format!("{position}: {why}solved {place}, {undrawn}"));
        let cache;
        let book = match solved.files() {
            // Marks ask many questions.
            Files::Temporary(..) if self.query.marks => {
                cache = solved.cache(self.setting.memory);
                solved.book_through(&cache)
            }
            _ => solved.book(),
        };
        out.extend_from_slice(&self.text(position, &Source::new(solved, book))?);
        Ok(())
    }

    /// The answer of a source for a position; text takes more probes than a JSON line.
    fn text(&self, position: &Position, source: &Source<'_>) -> anyhow::Result<Vec<u8>> {
        let answer = source.answer(position, self.query.marks)?;
        let mut out = Vec::with_capacity(1 << 11);
        if !self.setting.output.json {
            out.extend(visible(&for_humans(position, &answer, source, self.setting)?).bytes());
            out.push(b'\n');
            return Ok(out);
        }
        let scored = ScoredPosition::new(position, &answer, source);
        let beyond = |now: &Position| solve_beyond(now, source.penalty, self.setting);
        let details = self.query.details.then(|| Details::new(position, source, beyond)).transpose()?;
        json_line(&Detailed { scored, details }, &mut out)?;
        Ok(out)
    }
}

/// Answers the positions of the command line and of the batch, most of which are on `board`. `ask` says whether it did.
fn answer_all(
    positions: &[Asked],
    query: &Query,
    setting: &Setting,
    board: Option<&Arc<Board>>,
    ask: impl Fn(&Asked, Effort, &mut Vec<u8>) -> anyhow::Result<bool> + Sync,
) -> anyhow::Result<()> {
    for (i, asked) in positions.iter().enumerate() {
        let mut text = Vec::new();
        // Texts are set apart by an empty line.
        if i > 0 && !setting.output.json {
            text.push(b'\n');
        }
        ask(asked, Effort::Any, &mut text)?;
        io::stdout().lock().write_all(&text)?;
    }
    let parser = Parser::new(board, query.tables.told.get());
    batch::run(&query.tables.batch, |line, effort, out| ask(&parser.parse(line)?, effort, out))
}

/// The remedy where a position takes too much to solve.
fn remedy(position: &Position, penalty: i32) -> String {
    let flag = if penalty == 0 { String::new() } else { format!(" --penalty {penalty}") };
    format!("run 'dab solve {position}{flag} --out DIR' (or solve its board) and ask with --from DIR")
}

/// An answer as a picture and a list.
fn for_humans(position: &Position, answer: &Answer, source: &Source<'_>, setting: &Setting) -> anyhow::Result<String> {
    let board = position.board();
    let details = Details::new(position, source, |now| solve_beyond(now, source.penalty, setting))?;
    let penalty = with_penalty(source.penalty);
    let score = marked(answer.score, answer.mark);
    let mut text = format!("{position}{penalty}: score {score}\n\n{}\n\n", picture(position, answer));
    if !details.play.is_empty() {
        let rest = if details.is_whole { "" } else { " and on below the book" };
        text += &format!("{}\n", lines("best moves  ", board, answer.best()));
        text += &format!("{}{rest}\n", rows("best play   ", &details.play_names));
    }
    for kind in MoveKind::ALL {
        let mut of_kind = answer.moves.iter().filter(|m| m.kind == kind).map(|m| m.line).peekable();
        if of_kind.peek().is_some() {
            text += &format!("{}\n", lines(&format!("{:<12}", kind.name()), board, of_kind));
        }
    }
    text += &format!("components  {}", components(&details));
    if let Some(endgame) = details.endgame {
        text += &format!("\n{}", theory(&endgame));
    }
    Ok(text)
}

/// Best play from a position below a book, if solving it takes no more than a moment.
fn solve_beyond(position: &Position, penalty: i8, setting: &Setting) -> anyhow::Result<Option<Vec<LineIdx>>> {
    let solved = on_demand::solve_if_quick(position, penalty.into(), setting)?;
    let Some(solved) = solved else { return Ok(None) };
    setting.output.note(format!("{position}: below the book, solved in memory for the best play"));
    Ok(Some(solved.best_play(position)?))
}

fn components(Details { closed, capturable, components, .. }: &Details) -> String {
    let counts = [(closed, "closed"), (capturable, "to be captured")];
    let counts = counts.iter().filter(|(n, _)| **n > 0).map(|(n, what)| format!("{n} {what}"));
    list(counts.chain(components.iter().map(|part| part.name.clone())), ", ")
}

/// Theory beside the table, in three rows.
fn theory(endgame: &TheoryAndTable) -> String {
    let TheoryAndTable { name, theory: Theory { value, open, case, .. }, table } = endgame;
    let (open, table_open) = (list(open, " or "), list(&table.open, " or "));
    format!(
        "endgame     {name}\n  theory    value {value}, open {open} ({case})\n  table     value {}, open {table_open}",
        table.value
    )
}
