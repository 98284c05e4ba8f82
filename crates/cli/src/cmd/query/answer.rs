//! One answer: as a JSON line, or as a picture with everything that is known about the position.

use dab::details::{Details, ScoredPosition, TheoryAndTable};
use dab::theory::Theory;
use dab::{Answer, MoveKind, Source};
use dab_board::{LineIdx, Position};

use crate::cmd::on_demand;
use crate::options::Setting;
use crate::output::{list, marked, message, picture, with_penalty};

/// A question to one source.
pub(super) struct Asking<'a> {
    pub(super) source: &'a Source<'a>,
    /// Whether answers are marked by who must make the next loony move.
    pub(super) marks: bool,
    pub(super) setting: &'a Setting,
}

impl Asking<'_> {
    /// Writes the answer for a position; text takes more probes than a JSON line.
    pub(super) fn answer(&self, position: &Position, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let answer = self.source.answer(position, self.marks)?;
        if self.setting.output.json {
            serde_json::to_writer(&mut *out, &ScoredPosition::new(position, &answer, self.source))?;
        } else {
            out.extend(text(position, &answer, self)?.bytes());
        }
        out.push(b'\n');
        Ok(())
    }
}

fn text(position: &Position, answer: &Answer, asking: &Asking<'_>) -> anyhow::Result<String> {
    let source = asking.source;
    let details = Details::new(position, source, |now| solve_beyond(now, asking))?;
    let penalty = with_penalty(source.penalty);
    let score = marked(answer.score, answer.mark);
    let mut text = format!("{position}{penalty}: score {score}\n\n{}\n\n", picture(position, answer));
    if !details.play.is_empty() {
        let rest = if details.is_whole { "" } else { " and on below the book" };
        text += &format!("best moves  {}\n", list(answer.best(), " "));
        text += &format!("best play   {}{rest}\n", list(&details.play, " "));
    }
    for kind in MoveKind::ALL {
        let lines: Vec<LineIdx> = answer.moves.iter().filter(|m| m.kind == kind).map(|m| m.line).collect();
        if !lines.is_empty() {
            text += &format!("{:<12}{}\n", kind.name(), list(lines, " "));
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
    message(format!("{position}: below the book, solved in memory for the best play"));
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
