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
#[path = "../../tests/order.rs"]
mod tests;
