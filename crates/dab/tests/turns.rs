//! Caribou Rule 6, who opens the first long chain by counting dots and chains, and the turns of played games, as reviews count them.
//!
//! A turn ends with every line that closes no box; the last turn ends with the game. A *double-crossed* line closes two boxes. With
//! d of them among the lines of a game, B boxes are closed by B − d lines, and all other lines end turns. That count is exact.
//! Caribou puts doubledeals and loops in the place of d. A line that closes two boxes often comes from one of these, but not always.

use crate::Review;
use crate::theory::Endgame;
use dab_board::notation::{Ply, Transcript};
use dab_board::{Board, LineIdx, Position, Start};
use dab_endgame::Component;

/// One of the two players of a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Player {
    /// The player who draws the first line.
    First,
    /// The other.
    Second,
}

/// The player favoured by the long chain rule: first when dots + long chains is even, second when it is odd.
///
/// Caribou Rule 6. Loops do not count. The favoured player is the controller of the endgame if an even number of lines closed two
/// boxes before it; each such line exchanges the players (`first_long_opening`).
fn long_chain_rule(n_dots: u64, n_long_chains: u64) -> Player {
    if n_dots % 2 == n_long_chains % 2 { Player::First } else { Player::Second }
}

/// Number of turns of a whole game on a grid, from no line drawn to all: dots + lines that close two boxes. Exact for every game.
///
/// A grid has boxes + dots − 1 lines (Euler), of which boxes − `n_double_crossed` close a box; so dots − 1 + `n_double_crossed` lines
/// close none, and each of them ends a turn. The last line of a game always closes a box: it ends one turn more, the last one. From any
/// other start, and on any other board, the turns are undrawn lines − open boxes + 1 + `n_double_crossed` for the same reason.
fn n_turns(n_dots: u64, n_double_crossed: u64) -> u64 {
    n_dots + n_double_crossed
}

/// Caribou's number of turns: dots + doubledeals in chains + loops + doubledeals in loops.
///
/// It holds if each doubledeal is followed by one line that closes two boxes, each loop ends in one, and no other line closes two.
/// A chain of three boxes that is opened at both ends, once by each player, breaks that: its last line closes two boxes.
fn n_turns_by_doubledeals(n_dots: u64, n_chain_doubledeals: u64, n_loops: u64, n_loop_doubledeals: u64) -> u64 {
    n_turns(n_dots, n_chain_doubledeals + n_loops + n_loop_doubledeals)
}

/// The turn of a game on a grid, counted from 1, that opens the first component of a simple loony endgame: dots − long chains + lines
/// that closed two boxes before it.
///
/// Exact: a chain of n boxes has n + 1 undrawn lines and a loop as many as boxes, so dots − 1 − long chains + `n_double_crossed` lines
/// were drawn that closed no box, and each ended a turn. Caribou leaves out the last term, which is right if no line closed two boxes
/// before; a 2-chain that was opened half-heartedly and then doubledealt adds a turn.
///
/// `None` for more long chains than dots, which no board has.
fn first_long_opening(n_dots: u64, n_long_chains: u64, n_double_crossed: u64) -> Option<u64> {
    Some(n_dots.checked_sub(n_long_chains)? + n_double_crossed)
}

/// Games of each kind on each board.
const GAMES: u64 = 200;

/// The way in which lines are chosen.
#[derive(Clone, Copy)]
enum Play {
    /// Any line.
    Random,
    /// A line that closes the most boxes; if none does, a safe one; if there is none, any.
    Greedy,
    /// Mostly greedy, but one line in four is any: so boxes are left, and others close two at once.
    Mixed,
}

/// A game from `start` to the end.
fn game(start: &Position, play: Play, seed: u64) -> Transcript {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut game = Transcript::new(start.clone());
    while !game.end().undrawn().is_empty() {
        let now = game.end().clone();
        let lines: Vec<LineIdx> = now.undrawn().iter().collect();
        let is_greedy = match play {
            Play::Random => false,
            Play::Greedy => true,
            Play::Mixed => random.u8(..4) > 0,
        };
        let worth = |&line: &LineIdx| {
            let (after, closed) = now.draw(line);
            (closed, after.board().graph().is_quiet(after.drawn()))
        };
        let best = lines.iter().map(worth).max().unwrap();
        let good: Vec<LineIdx> = lines.iter().copied().filter(|line| !is_greedy || worth(line) == best).collect();
        game.draw(good[random.usize(..good.len())]).unwrap();
    }
    game
}

/// Games of all kinds.
fn games(start: &Position) -> impl Iterator<Item = Transcript> {
    let kinds = (0..GAMES).flat_map(|seed| [Play::Random, Play::Greedy, Play::Mixed].map(|play| (play, seed)));
    kinds.map(|(play, seed)| game(start, play, seed))
}

/// The empty grids of at most 4x4 boxes, with their dots.
fn grids() -> impl Iterator<Item = (Position, u64)> {
    let sizes = (1..=4).flat_map(|rows| (1..=4).map(move |cols| (rows, cols)));
    sizes.map(|(rows, cols)| {
        let board = Board::grid(rows, cols).unwrap();
        (Position::start(board, Start::American), ((rows + 1) * (cols + 1)) as u64)
    })
}

/// The turn of each line of a game, as a review numbers them.
fn turns(game: &Transcript) -> Vec<u64> {
    let review = Review::new(game, &vec![None; game.moves().len()], 0);
    let review = serde_json::to_value(review).unwrap();
    let turns = review["turns"].as_array().unwrap().iter();
    turns.flat_map(|turn| turn["lines"].as_array().unwrap().iter().map(|_| turn["turn"].as_u64().unwrap())).collect()
}

fn n_double_crossed<'a>(plies: impl IntoIterator<Item = &'a Ply>) -> u64 {
    plies.into_iter().filter(|ply| ply.boxes == 2).count() as u64
}

#[test]
fn turns_of_games_on_grids() {
    let mut most = 0;
    for (start, n_dots) in grids() {
        for game in games(&start) {
            let double_crossed = n_double_crossed(&game.plies().collect::<Vec<_>>());
            assert_eq!(turns(&game).last(), Some(&n_turns(n_dots, double_crossed)), "{start}: {:?}", game.moves());
            most = most.max(double_crossed);
        }
    }
    assert!(most > 3, "{most}");
}

#[test]
fn turns_of_games_from_other_starts_and_on_other_boards() {
    let mut starts = Vec::new();
    for (empty, _) in grids() {
        for start in [Start::Icelandic, Start::Swedish] {
            starts.push(Position::start(empty.board().clone(), start));
        }
    }
    let others = ["open:4", "closed:5", "triangles:open:3", "triangles:closed:4", "2x3:1b654", "2x2:70f", "1x4:1fe"];
    starts.extend(others.map(|text| text.parse::<Position>().unwrap()));
    for start in starts {
        let left = start.undrawn().len() as u64;
        if left == 0 {
            continue;
        }
        for game in games(&start) {
            let double_crossed = n_double_crossed(&game.plies().collect::<Vec<_>>());
            let expected = left + 1 + double_crossed - start.open_boxes() as u64;
            assert_eq!(turns(&game).last(), Some(&expected), "{start}: {:?}", game.moves());
        }
    }
}

/// The turn that draws the first line of a simple loony endgame, in every game that comes to one.
#[test]
fn the_turn_that_opens_the_first_long_component() {
    // Games by the lines before that closed two boxes: none, so that Caribou's formula holds, or some.
    let mut by_double_crossed = [0; 2];
    for (start, n_dots) in grids() {
        for game in games(&start) {
            let (turns, plies) = (turns(&game), game.plies().collect::<Vec<_>>());
            let mut now = start.clone();
            for (at, ply) in plies.iter().enumerate() {
                if now.board().graph().is_quiet(now.drawn())
                    && let Some(endgame) = Endgame::after_captures(&now)
                {
                    let components = endgame.multiset.multiset().iter();
                    let chains = components.filter(|(component, _)| matches!(component, Component::Chain(_)));
                    let n_chains = chains.map(|&(_, n)| u64::from(n)).sum();
                    let double_crossed = n_double_crossed(&plies[..at]);
                    let exact = first_long_opening(n_dots, n_chains, double_crossed);
                    assert_eq!(exact, Some(turns[at]), "{start}: {:?} before {now}", game.moves());
                    by_double_crossed[usize::from(double_crossed > 0)] += 1;
                    break;
                }
                now = now.draw(ply.line).0;
            }
        }
    }
    assert!(by_double_crossed.iter().all(|&n| n > 30), "{by_double_crossed:?}");
}

/// Caribou's count of turns is that of games in which all chains and loops are played as the page describes.
#[test]
fn turns_by_doubledeals() {
    let last_turn = |text: &str| *turns(&dab_board::notation::read(text).unwrap()).last().unwrap();
    // 2x2: the loop around the dot in the middle is opened and taken.
    let sides = "2x2 a3-b3 b3-c3 a1-b1 b1-c1 a2-a3 a1-a2 c2-c3 c1-c2";
    assert_eq!(last_turn(&format!("{sides} a2-b2 b2-b3 b2-c2 b1-b2")), n_turns_by_doubledeals(9, 0, 1, 0));
    // The same loop is declined: two lines close two boxes each.
    assert_eq!(last_turn(&format!("{sides} a2-b2 b2-c2 b1-b2 b2-b3")), n_turns_by_doubledeals(9, 0, 1, 1));
    // 1x3: a chain of three boxes, of which one is taken and two are left.
    let chain = "1x3 a1-b1 b1-c1 c1-d1 a2-b2 b2-c2 c2-d2";
    assert_eq!(last_turn(&format!("{chain} a1-a2 b1-b2 d1-d2 c1-c2")), n_turns_by_doubledeals(8, 1, 0, 0));
    // It is opened at both ends, and no doubledeal explains the line that closes two boxes.
    assert_eq!(last_turn(&format!("{chain} a1-a2 d1-d2 b1-b2 c1-c2")), n_turns_by_doubledeals(8, 0, 0, 0) + 1);
}

#[test]
fn example_7() {
    // 4x5 dots, four 3-chains: 15 lines drawn one a turn, the 16th turn opens.
    assert_eq!(first_long_opening(20, 4, 0), Some(16));
    assert_eq!(long_chain_rule(20, 4), Player::First);
}

#[test]
fn the_favoured_player_does_not_open_unless_a_line_closed_two_boxes() {
    for n_dots in 4..40 {
        for (n_chains, n_double_crossed) in (0..n_dots).flat_map(|n| (0..4).map(move |d| (n, d))) {
            let opening = first_long_opening(n_dots, n_chains, n_double_crossed).unwrap();
            let opener = if opening % 2 == 1 { Player::First } else { Player::Second };
            assert_eq!(opener != long_chain_rule(n_dots, n_chains), n_double_crossed % 2 == 0);
        }
    }
    assert_eq!(first_long_opening(4, 5, 9), None);
}

#[test]
fn turns_before_and_in_the_endgame_add_up() {
    // From the first opening on: one turn a component, one more a doubledeal.
    for (n_dots, chains, loops, chain_deals, loop_deals) in [(20, 4, 0, 3, 0), (36, 3, 2, 2, 1), (9, 0, 1, 0, 0)] {
        for n_double_crossed in 0..3 {
            let before = first_long_opening(n_dots, chains, n_double_crossed).unwrap();
            let after = chains + loops + chain_deals + loop_deals;
            let by_deals = n_turns_by_doubledeals(n_dots, chain_deals, loops, loop_deals);
            assert_eq!(by_deals + n_double_crossed, before + after);
        }
    }
}
