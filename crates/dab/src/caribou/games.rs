//! Games of the rules against best play, and the boxes that they lose.
//!
//! The rules play first in every other game. Where they allow several lines, and where several lines are best, one is drawn at random, by a
//! seed. The opponent never loses a box, so the boxes that a game loses are those of the lines of the rules.

use std::fmt::{self, Display};

use dab_board::{LineIdx, Position};
use dab_solve::Observer;
use dab_table::Answer;
use serde::Serialize;

use super::{Advice, Rule, Truth};
use crate::Error;
use crate::text::as_text;

/// Games to play.
#[derive(Clone, Copy, Debug)]
pub struct Games {
    /// Their number.
    pub n: u64,
    /// Another seed plays other games.
    pub seed: u64,
}

/// Boxes that the rules lost in games from a position.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The position in which games begin.
    #[serde(serialize_with = "as_text")]
    position: Position,
    games: u64,
    seed: u64,
    /// Games in which the rules move first.
    first: Side,
    /// Games in which they move second.
    second: Side,
    /// By the rule that decided about a line.
    rules: Vec<OfRule>,
}

/// Games of one side.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Side {
    games: u64,
    /// Those in which the rules lost nothing.
    perfect: u64,
    /// Those in which they got more boxes than the opponent.
    won: u64,
    /// Net boxes lost in all.
    lost: u64,
}

/// Lines that a rule decided about.
#[derive(Clone, Copy, Debug, Serialize)]
struct OfRule {
    rule: Rule,
    lines: u64,
    /// Those that lost something.
    wrong: u64,
    /// Net boxes lost by them.
    lost: u64,
}

impl Games {
    /// Plays the games; `answer` knows the scores of every position that the first one leads to.
    ///
    /// # Errors
    /// As `answer`, or if `observer` stops them.
    pub fn play(
        self,
        position: &Position,
        answer: impl Fn(&Position) -> Result<Answer, Error>,
        observer: &dyn Observer,
    ) -> Result<Measured, Error> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut sides = [Side::default(); 2];
        let mut rules = Rule::ALL.map(|rule| OfRule { rule, lines: 0, wrong: 0, lost: 0 });
        let score = i64::from(answer(position)?.score.0);
        for game in 0..self.n {
            if observer.should_stop() {
                return Err(Error::stopped_check());
            }
            let side = (game % 2) as usize;
            let (mut now, mut is_turn, mut lost) = (position.clone(), side == 0, 0);
            while !now.undrawn().is_empty() {
                let scored = answer(&now)?;
                let line = if is_turn {
                    let Advice { rule, lines, truth, .. } = Advice::new(&now).beside(&scored);
                    let i = random.usize(..lines.len());
                    let cost = truth.map_or(0, |Truth { costs, .. }| costs[i].unsigned_abs().into());
                    if let Some(of_rule) = rules.iter_mut().find(|of_rule| Some(of_rule.rule) == rule) {
                        of_rule.lines += 1;
                        of_rule.wrong += u64::from(cost > 0);
                        of_rule.lost += cost;
                    }
                    lost += cost;
                    lines[i]
                } else {
                    let best: Vec<LineIdx> = scored.best().collect();
                    best[random.usize(..best.len())]
                };
                let (next, closed) = now.draw(line);
                is_turn ^= closed == 0;
                now = next;
            }
            let margin = if side == 0 { score } else { -score } - lost.cast_signed();
            let Side { games, perfect, won, lost: all_lost } = &mut sides[side];
            *games += 1;
            *perfect += u64::from(lost == 0);
            *won += u64::from(margin > 0);
            *all_lost += lost;
            observer.positions(1);
        }
        let [first, second] = sides;
        let Self { n: games, seed } = self;
        Ok(Measured { position: position.clone(), games, seed, first, second, rules: rules.to_vec() })
    }
}

/// A row for each side and for each rule that was used.
impl Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, games, seed, first, second, rules } = self;
        write!(f, "{position}: the rules against best play, games {games}, seed {seed}")?;
        write!(f, "\nthe rules    games    won  without loss  boxes lost a game")?;
        for (name, Side { games, perfect, won, lost }) in [("move first", first), ("move second", second)] {
            let mean = *lost as f64 / (*games).max(1) as f64;
            write!(f, "\n{name:<11}  {games:>5}  {won:>5}  {perfect:>12}  {mean:>17.3}")?;
        }
        write!(f, "\n\nrule         lines  wrong  boxes lost")?;
        for OfRule { rule, lines, wrong, lost } in rules.iter().filter(|of_rule| of_rule.lines > 0) {
            let name = match rule {
                Rule::Take => "take all",
                Rule::Decline => "decline",
                Rule::Safe => "safe line",
                Rule::Sacrifice => "sacrifice",
                Rule::Open => "open",
            };
            write!(f, "\n{name:<11}  {lines:>5}  {wrong:>5}  {lost:>10}")?;
        }
        Ok(())
    }
}
