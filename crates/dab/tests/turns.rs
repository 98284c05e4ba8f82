//! Turns of played games, as reviews count them, against the exact formulas of `caribou::turns`.

use dab::review::Review;
use dab::theory::Endgame;
use dab_board::notation::{Ply, Transcript};
use dab_board::{Board, LineIdx, Position, Start};
use dab_endgame::Component;
use dab_endgame::caribou::{first_long_opening, n_turns, n_turns_by_doubledeals};

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
