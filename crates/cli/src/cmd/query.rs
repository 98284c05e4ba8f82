//! `dab query`: scores, best moves and best play of positions.
//!
//! Positions come from the command line and from a batch with one position a line.

use std::io::{self, Write};
use std::sync::Arc;

use dab::batch::{Effort, Parser};
use dab::details::{Detailed, Details, ScoredPosition, TheoryAndTable};
use dab::text::Asked;
use dab::theory::Theory;
use dab::{Answer, Files, MoveKind, Source, Tablebase};
use dab_board::{Board, LineIdx, Position};
use dab_store::ScoreRead;

use super::{batch, on_demand};
use crate::args::Query;
use crate::failure::Usage;
use crate::input;
use crate::options::Setting;
use crate::output::{json_line, lines, list, marked, picture, plural, rows, with_penalty};

pub(crate) fn run(query: &Query, setting: &Setting) -> anyhow::Result<()> {
    let read = |text: &String| input::asked(text, query.told.get(), query.penalty);
    let positions = query.positions.iter().map(read).collect::<anyhow::Result<Vec<Asked>>>()?;
    let setting = &setting.for_batch(&query.batch);
    let Some(from) = &query.from else {
        return answer_all(&positions, query, setting, None, |asked, effort, out| {
            on_the_spot(asked, query, setting, effort, out)
        });
    };
    let run = Tablebase::open_within(from, setting.limits())?;
    run.require_finished()?;
    run.require_penalty(query.penalty)?;
    let cache = run.cache(run.slab_budget(setting.limits()));
    // A few questions do not pay for keeping anything; marks ask many.
    let scores: &dyn ScoreRead = if query.batch.is_asked() || query.marks { &cache } else { run.files().scores() };
    let source = Source::new(&run, run.book_through(scores));
    let asking = Asking { source: &source, query, setting };
    answer_all(&positions, query, setting, Some(run.board()), |asked, effort, out| {
        check_penalty(asked, &source)?;
        match asking.answer(&asked.position, out) {
            Err(error) if error.downcast_ref().is_some_and(dab::Error::is_beyond) => {
                let (position, penalty) = (&asked.position, source.penalty.into());
                let solved = solve(position, penalty, setting, effort, &error.to_string())?;
                answer_solved(solved, position, "below the book, ", query, setting, out)
            }
            answered => answered.map(|()| true),
        }
    })
}

/// Refuses a position whose text charges another penalty than the scores do.
fn check_penalty(asked: &Asked, source: &Source<'_>) -> anyhow::Result<()> {
    match asked.penalty {
        Some(penalty) if penalty != i32::from(source.penalty) => Err(Usage(format!(
            "{} is to be played with a last-move penalty of {penalty}, but the {} has a penalty of {}; ask a run with \
             that penalty, or write the position without one",
            asked.position, source.kind, source.penalty,
        ))
        .into()),
        _ => Ok(()),
    }
}

/// Solves a position and answers it, unless that takes more than the effort.
fn on_the_spot(
    asked: &Asked,
    query: &Query,
    setting: &Setting,
    effort: Effort,
    out: &mut Vec<u8>,
) -> anyhow::Result<bool> {
    let position = &asked.position;
    let penalty = asked.penalty_or(query.penalty)?;
    let flag = if penalty == 0 { String::new() } else { format!(" --penalty {penalty}") };
    let remedy = format!("run 'dab solve {position}{flag} --out DIR' (or solve its board) and ask with --from DIR");
    answer_solved(solve(position, penalty, setting, effort, &remedy)?, position, "", query, setting, out)
}

fn solve(
    position: &Position,
    penalty: i32,
    setting: &Setting,
    effort: Effort,
    remedy: &str,
) -> anyhow::Result<Option<Tablebase>> {
    match effort {
        Effort::Quick => on_demand::solve_if_quick(position, penalty, setting),
        Effort::Any => on_demand::solve(position, penalty, setting, remedy).map(Some),
    }
}

/// Answers from a table that was solved for this position, if there is one.
fn answer_solved(
    solved: Option<Tablebase>,
    position: &Position,
    why: &str,
    query: &Query,
    setting: &Setting,
    out: &mut Vec<u8>,
) -> anyhow::Result<bool> {
    let Some(solved) = solved else { return Ok(false) };
    let (place, undrawn) = (on_demand::place(&solved), plural(position.undrawn().len() as u64, "undrawn line"));
    setting.output.note(format!("{position}: {why}solved {place}, {undrawn}"));
    let cache;
    let book = match solved.files() {
        // Marks ask many questions.
        Files::Temporary(..) if query.marks => {
            cache = solved.cache(setting.memory);
            solved.book_through(&cache)
        }
        _ => solved.book(),
    };
    let source = Source::new(&solved, book);
    Asking { source: &source, query, setting }.answer(position, out).map(|()| true)
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
    let parser = Parser::new(board, query.told.get());
    batch::run(&query.batch, |line, effort, out| ask(&parser.parse(line)?, effort, out))
}

/// A question to one source.
struct Asking<'a> {
    source: &'a Source<'a>,
    query: &'a Query,
    setting: &'a Setting,
}

impl Asking<'_> {
    /// Writes the answer for a position; text takes more probes than a JSON line.
    fn answer(&self, position: &Position, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let answer = self.source.answer(position, self.query.marks)?;
        if !self.setting.output.json {
            out.extend(text(position, &answer, self)?.bytes());
            out.push(b'\n');
            return Ok(());
        }
        let scored = ScoredPosition::new(position, &answer, self.source);
        if !self.query.details {
            return json_line(&scored, out);
        }
        let details = Details::new(position, self.source, |now| solve_beyond(now, self))?;
        json_line(&Detailed { scored, details }, out)
    }
}

fn text(position: &Position, answer: &Answer, asking: &Asking<'_>) -> anyhow::Result<String> {
    let (source, board) = (asking.source, position.board());
    let details = Details::new(position, source, |now| solve_beyond(now, asking))?;
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
fn solve_beyond(position: &Position, asking: &Asking<'_>) -> anyhow::Result<Option<Vec<LineIdx>>> {
    let solved = on_demand::solve_if_quick(position, asking.source.penalty.into(), asking.setting)?;
    let Some(solved) = solved else { return Ok(None) };
    asking.setting.output.note(format!("{position}: below the book, solved in memory for the best play"));
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
