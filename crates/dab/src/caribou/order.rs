//! Caribou Rule 4 on a board: the order in which everything that is left is opened, and what Rules 5 and 6 read off it.
//!
//! Boxes with at most one side are joints, so the order is found by playing it: the cheapest chain is opened and taken whole,
//! which may join two chains or cut off a loop, and so on until nothing is left. A chain of n boxes costs n, an isolated loop n − 2.
//! Safe lines, which cost 0, come first. The page leaves ties open but for one: chains at joints go first. Here a chain goes before a
//! loop, and the lowest line first. For simple loony endgames this is the order of `dab_endgame::caribou`.

use dab_board::capture::Decline;
use dab_board::components::Component;
use dab_board::quiet::{QuietMove, for_each_move};
use dab_board::{Graph, LineSet};

/// Everything that is left of a quiet position, in the order in which the rules open it.
#[derive(Clone, Debug)]
pub(super) struct Order(pub(super) Vec<QuietMove>);

impl Order {
    pub(super) fn new(graph: &Graph, mut drawn: LineSet) -> Self {
        let mut order = Vec::new();
        while let Some(next) = first(graph, drawn) {
            order.push(next);
            drawn = next.after;
        }
        Self(order)
    }

    /// Safe lines in front.
    pub(super) fn n_safe(&self) -> usize {
        self.0.iter().take_while(|m| m.boxes == 0).count()
    }

    /// Openings that allow this decline: by two boxes those of long chains, by four those of loops.
    pub(super) fn count(&self, decline: Decline) -> usize {
        self.0.iter().filter(|m| m.decline == decline).count()
    }

    /// Whether the player to move will be in control: the opponent opens the first long chain or loop or, if there is none, does not
    /// get the last turn. Rule 6, and the decision tree of the page.
    ///
    /// Each move of the order ends a turn. All moves after the first long one are long, so this is the count of the rule: undrawn lines
    /// less open boxes less long chains are odd.
    pub(super) fn mover_controls(&self) -> bool {
        match self.0.iter().position(|m| m.decline != Decline::None) {
            Some(n_before) => n_before % 2 == 1,
            None => self.0.len().is_multiple_of(2),
        }
    }

    /// Net boxes of the player who does not move first, if the order and Rule 5 are followed.
    pub(super) fn margin(&self) -> i32 {
        self.0.iter().rev().fold(0, |margin, m| net(m.boxes, m.decline, margin))
    }
}

/// Whether Rule 5 declines, `margin` being that of the order of the position left.
pub(super) fn declines(decline: Decline, margin: i32) -> bool {
    decline != Decline::None && margin > decline.boxes().into()
}

/// Net boxes of a player who may take `boxes` and has that margin if he leaves the handout and the opponent moves on. Rule 5.
pub(super) fn net(boxes: u8, decline: Decline, margin: i32) -> i32 {
    let (boxes, left) = (i32::from(boxes), i32::from(decline.boxes()));
    if declines(decline, margin) { boxes - 2 * left + margin } else { boxes - margin }
}

/// The move that the rules make first.
fn first(graph: &Graph, drawn: LineSet) -> Option<QuietMove> {
    let components = Component::find_all(graph, drawn);
    let kept = kept(graph, &components);
    let mut best: Option<((u8, bool, bool), QuietMove)> = None;
    for_each_move(graph, drawn, |m| {
        let lines = m.after - drawn;
        if kept.is_some_and(|chain| chain.meets(lines)) {
            return;
        }
        let is_loop = m.decline == Decline::Four;
        let cost = if is_loop { m.boxes - 2 } else { m.boxes };
        let of_move = components.iter().find(|component| component.lines().meets(lines));
        let is_apart = !matches!(of_move, Some(Component::Joined { .. }));
        let rank = (cost, is_apart, is_loop);
        if best.is_none_or(|(least, _)| rank < least) {
            best = Some((rank, m));
        }
    });
    best.map(|(_, m)| m)
}

/// The lines of the only long chain that stands alone, which is kept while there is a loop, anywhere, and no tree of chains. The
/// exception in Rule 4; Rules 2 and 3 follow from it.
fn kept(graph: &Graph, components: &[Component]) -> Option<LineSet> {
    let mut alone = components.iter().filter_map(|component| match *component {
        Component::Chain { boxes: 3.., lines } => Some(lines),
        _ => None,
    });
    let last = alone.next()?;
    let is_tree = |component: &Component| matches!(component, Component::Joined { .. }) && !has_loop(graph, component);
    let has_loop = components.iter().any(|component| has_loop(graph, component));
    (alone.next().is_none() && has_loop && !components.iter().any(is_tree)).then_some(last)
}

/// Whether a component holds a loop: a tree has fewer lines than boxes and ends at the ground together.
fn has_loop(graph: &Graph, component: &Component) -> bool {
    let lines = component.lines();
    let ends = lines.iter().flat_map(|line| graph.strings()[line].ends);
    lines.len() >= component.boxes() + ends.filter(Option::is_none).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::Endgame;
    use dab_board::graph::GraphString;
    use dab_board::{Position, Score};
    use dab_endgame::caribou;
    use rustc_hash::FxHashMap;

    fn position(text: &str) -> Position {
        dab_board::notation::parse(text).unwrap()
    }

    /// Boxes of each opening in order, `l` behind loops.
    fn order(position: &Position) -> String {
        let order = Order::new(position.board().graph(), position.drawn());
        let word = |m: &QuietMove| format!("{}{}", m.boxes, if m.decline == Decline::Four { "l" } else { "" });
        order.0.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn examples_of_the_page() {
        // Example 4, a T: after a safe line in its corner, the chain of 3 on the left goes first and leaves a chain of 9.
        let t = "+---+---+---+   +\n|           |\n+   +   +   +   +\n|   |   |       |\n+   +   +---+---+\n\
                 |   |           |\n+   +---+---+   +";
        assert_eq!(order(&position(t)), "0 3 9");
        // Example 5, a P: the chain of 4 leaves a loop of 8.
        let p = "+---+---+---+---+\n|               |\n+   +---+---+   +\n|               |\n+   +---+---+---+\n\
                 |               |\n+---+---+---+   +";
        assert_eq!(order(&position(p)), "4 8l");
        // Example 6, a P and a chain: the attached chain of 6 goes before the chain of 3, which is kept.
        let p = "+---+---+---+---+   +\n|               |   |\n+   +   +---+   +   +\n|   |           |   |\n\
                 +   +---+---+---+   +\n|               |   |\n+---+---+---+   +   +";
        assert_eq!(order(&position(p)), "6 6l 3");
    }

    /// A loop of `p` boxes on a chain of `n`, and a chain of `m`.
    fn p_and_chain(p: usize, n: usize, m: usize) -> Graph {
        let mut strings = Vec::new();
        let mut string = |a, b| strings.push(GraphString::new(a, b, 0));
        (0..p).for_each(|i| string(Some(i), Some((i + 1) % p)));
        (0..n).for_each(|i| string(Some(if i == 0 { 0 } else { p + i - 1 }), Some(p + i)));
        string(Some(p + n - 1), None);
        (0..m).for_each(|i| string((i > 0).then_some(p + n + i - 1), Some(p + n + i)));
        string(Some(p + n + m - 1), None);
        Graph::new(p + n + m, strings)
    }

    fn score(graph: &Graph, drawn: LineSet, known: &mut FxHashMap<LineSet, Score>) -> Score {
        if let Some(&score) = known.get(&drawn) {
            return score;
        }
        let mut best = None;
        for_each_move(graph, drawn, |m| best = best.max(Some(m.score(score(graph, m.after, known)))));
        *known.entry(drawn).or_insert(best.unwrap_or(Score(0)))
    }

    /// Example 6 for 72 boards: the boxes of the player to move if the attached chain of n boxes is opened, and if that of m is.
    #[test]
    fn the_formula_of_example_6() {
        let mut n_boards = 0;
        for (p, m) in [4, 6, 8, 10].into_iter().flat_map(|p| (3..=6).map(move |m| (p, m))) {
            for n in m..=8 {
                let graph = p_and_chain(p, n, m);
                let first = Order::new(&graph, LineSet::EMPTY).0[0];
                assert_eq!((first.boxes as usize, first.decline), (n, Decline::Two));
                let (mut known, mut boxes) = (FxHashMap::default(), FxHashMap::default());
                let mut moves = Vec::new();
                for_each_move(&graph, LineSet::EMPTY, |m| moves.push(m));
                for opened in moves {
                    let net = i32::from(opened.score(score(&graph, opened.after, &mut known)).0);
                    let apart = opened.after.has(graph.strings().len() - 1);
                    boxes.insert((opened.boxes, apart), ((p + n + m) as i32 + net) / 2);
                }
                let (p, m) = (p as i32, m as i32);
                let formula = (p + (m - 4).max(0)).min(6.min(m + 2));
                assert_eq!(boxes[&(n as u8, false)], formula, "{p} {n} {m}");
                assert_eq!(boxes[&(m as u8, true)], 4, "{p} {n} {m}");
                n_boards += 1;
            }
        }
        assert_eq!(n_boards, 72);
    }

    /// Positions of several boards with up to `most` undrawn lines.
    fn quiet_positions(most: usize) -> impl Iterator<Item = Position> {
        let mut random = fastrand::Rng::with_seed(3);
        (0..3_000).filter_map(move |i| {
            let start: Position = ["3x3", "3x4", "4x4"][i % 3].parse().unwrap();
            let mut lines: Vec<_> = start.undrawn().iter().collect();
            random.shuffle(&mut lines);
            let n_drawn = lines.len() - random.usize(1..most.min(lines.len()));
            let drawn = lines[..n_drawn].iter().copied().collect();
            let quiet = Position::new(start.board().clone(), drawn).unwrap().capture_run().after;
            Some(Position::new(start.board().clone(), quiet).unwrap()).filter(|quiet| !quiet.undrawn().is_empty())
        })
    }

    #[test]
    fn simple_endgames_have_the_order_of_the_theory() {
        let mut n_endgames = 0;
        for position in quiet_positions(20) {
            let graph = position.board().graph();
            let Some(endgame) = Endgame::find(graph, position.drawn()) else { continue };
            let order = Order::new(graph, position.drawn());
            assert_eq!(
                endgame.opened_by(order.0[0].after - position.drawn()),
                [caribou::opening(&endgame.multiset).unwrap()]
            );
            let forecast = caribou::forecast(&endgame.multiset);
            assert_eq!(i64::from(order.margin()), forecast.controller as i64 - forecast.opener as i64, "{position}");
            n_endgames += 1;
        }
        assert!(n_endgames > 50, "{n_endgames}");
    }

    #[test]
    fn control_is_the_count_of_rule_6() {
        let mut n_long = 0;
        for position in quiet_positions(40) {
            let order = Order::new(position.board().graph(), position.drawn());
            let (n_chains, n_loops) = (order.count(Decline::Two), order.count(Decline::Four));
            let surplus = position.undrawn().len() as i64 - position.open_boxes() as i64;
            assert_eq!(order.0.len() as i64, surplus + n_loops as i64, "{position}");
            if n_chains + n_loops > 0 {
                assert_eq!(order.mover_controls(), (surplus - n_chains as i64).rem_euclid(2) == 1, "{position}");
                n_long += 1;
            }
        }
        assert!(n_long > 1_000, "{n_long}");
    }
}
