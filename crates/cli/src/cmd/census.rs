//! `dab census`: the first positions of a game by winner and score, and the replies to each first move.

use std::fmt::{self, Display, Write};
use std::path::Path;

use dab::census::{self, Census, CensusLayer, FirstMove, ReplyCount, ScoreCount, census};
use dab::{Remedy, Tablebase};

use crate::failure::Result;
use crate::options::Setting;
use crate::output::{Count, list, plural, with_penalty};
use crate::progress::Progress;

pub(crate) fn run(path: &Path, lines: usize, setting: &Setting) -> Result<()> {
    let table = Tablebase::open_within(path, setting.limits())?;
    let progress = Progress::new(census::n_positions(&table, lines))?;
    let counted = census(&table, lines, setting.limits(), &progress).map_err(|error| match error.remedy() {
        Some(Remedy::AskRun | Remedy::AskFinished | Remedy::SolveElsewhere { .. }) => {
            error.context(format!("a census of up to {}", plural(lines as u64, "line")))
        }
        _ => error,
    })?;
    drop(progress);
    setting.output.print(&counted, text)
}

fn text(census: &Census, f: &mut String) -> fmt::Result {
    let Census { path, start, penalty, layers, first_moves } = census;
    writeln!(f, "{start}, {path}{}\n", with_penalty(*penalty))?;
    let head = ["positions", "first", "second", "tied", "closed"];
    row(f, &"lines", head, &"score for the player to move: positions")?;
    for layer in layers {
        let CensusLayer { lines, positions, first, second, tied, closed, scores } = layer;
        let score = |&ScoreCount { score, positions }: &ScoreCount| format!("{score}: {}", Count(positions.into()));
        let counts = [positions, first, second, tied, closed].map(|&n| Count(n.into()));
        row(f, lines, counts, &list(scores.iter().map(score), ", "))?;
    }
    match first_moves {
        None if layers.len() < 4 => write!(f, "\nfirst moves are listed from --lines 3 on"),
        None => write!(f, "\nfirst moves are not listed: three lines can close a box"),
        Some(first_moves) => {
            write!(f, "\nfirst move  images  score  losing third moves: replies")?;
            first_moves.iter().try_for_each(|first_move| {
                let FirstMove { name, images, score, replies, .. } = first_move;
                let reply = |ReplyCount { losing, replies }: &ReplyCount| format!("{losing}: {replies}");
                let replies = list(replies.iter().map(reply), ", ");
                write!(f, "\n{name:<10}  {images:>6}  {score:>5}  {replies}")
            })
        }
    }
}

fn row<D: Display>(f: &mut String, lines: &impl Display, counts: [D; 5], scores: &impl Display) -> fmt::Result {
    let [positions, first, second, tied, closed] = counts;
    writeln!(f, "{lines:>5}  {positions:>11}  {first:>11}  {second:>11}  {tied:>11}  {closed:>11}  {scores}")
}
