//! Records in every notation: what is written is read back, worked examples, and what is wrong is named with its
//! place.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::notation::{self, Context, Notation, NotationError, Side, Transcript};
use crate::{Board, IllegalMove, LineIdx, LineSet, Position, Start};
use proptest::prelude::*;
use proptest::sample::Index;

fn board() -> impl Strategy<Value = Arc<Board>> {
    (1usize..=6, 1usize..=6).prop_map(|(rows, cols)| Board::grid(rows, cols).unwrap())
}

fn position() -> impl Strategy<Value = Position> {
    (board(), any::<u128>()).prop_map(|(board, mask)| {
        let drawn = LineSet(mask) & board.all();
        Position::new(board, drawn).unwrap()
    })
}

/// A game from the empty board, of any length.
fn game() -> impl Strategy<Value = Transcript> {
    (board(), prop::collection::vec(any::<Index>(), 0..90)).prop_map(|(board, picks)| {
        let mut transcript = Transcript::new(Position::new(board, LineSet::EMPTY).unwrap());
        for pick in picks {
            let open: Vec<LineIdx> = transcript.end().undrawn().iter().collect();
            if !open.is_empty() {
                transcript.draw(open[pick.index(open.len())]).unwrap();
            }
        }
        transcript
    })
}

/// Reads a text in any notation.
fn read_on<'a>(text: &str, context: impl Into<Context<'a>>) -> Result<Transcript, NotationError> {
    let context = context.into();
    notation::read_as(text, notation::detect(text, context)?, context)
}

/// The board of `position`, for the notations that do not tell it.
fn told(position: &Position) -> Option<&Arc<Board>> {
    Some(position.board())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..super::seeds_beside() })]

    #[test]
    fn positions_round_trip(position in position()) {
        for notation in Notation::ALL {
            let text = notation::write(&position.clone().into(), notation).unwrap();
            let read = notation::read_as(&text, notation, told(&position)).unwrap();
            prop_assert_eq!(read.end(), &position, "{} {}", notation, text);
            prop_assert_eq!(notation::write(&read, notation).unwrap(), text);
        }
    }

    #[test]
    fn games_round_trip(game in game()) {
        for notation in Notation::ALL.into_iter().filter(|notation| notation.is_of_games()) {
            let text = notation::write(&game, notation).unwrap();
            prop_assert_eq!(&notation::read_as(&text, notation, told(game.end())).unwrap(), &game, "{}", text);
        }
    }

    #[test]
    fn games_are_recognised(game in game(), is_dos: bool) {
        prop_assume!(!game.moves().is_empty());
        for notation in Notation::ALL {
            let text = notation::write(&game, notation).unwrap();
            let text = format!("\n{text}  \n").replace('\n', if is_dos { "\r\n" } else { "\n" });
            let read = read_on(&text, told(game.end())).unwrap();
            prop_assert_eq!(read.end(), game.end(), "{} {}", notation, text);
            prop_assert_eq!(read.moves().is_empty(), !notation.is_of_games(), "{} {}", notation, text);
        }
    }

    #[test]
    fn whole_games_are_recognised_without_a_board(game in game()) {
        let mut game = game;
        let open: Vec<LineIdx> = game.end().undrawn().iter().collect();
        open.into_iter().for_each(|line| assert!(game.draw(line).is_ok()));
        let board = game.start().board().kind().to_string();
        let is_square = board.split_once('x').is_some_and(|(rows, cols)| rows == cols);
        for notation in Notation::ALL {
            let text = notation::write(&game, notation).unwrap();
            let is_told = match notation {
                Notation::Lattice | Notation::Dots => false,
                Notation::Bits | Notation::LittleGolem => is_square,
                _ => true,
            };
            let read = notation::read(&text).map(|transcript| transcript.end().clone());
            if is_told { prop_assert_eq!(read.as_ref(), Ok(game.end()), "{}", text) } else { prop_assert!(read.is_err()) }
        }
    }

    #[test]
    fn wilson_keeps_what_is_known(game in game(), penalty in 0u8..=127) {
        let text = notation::write(&game, Notation::Wilson).unwrap();
        prop_assert!(text.starts_with("0 "));
        let read = notation::read(&text.replacen('0', &format!("-{penalty}"), 1)).unwrap();
        prop_assert_eq!((read.penalty(), read.side(), read.to_move()), (Some(penalty), game.to_move(), game.to_move()));
        prop_assert_eq!(read.captured(), game.captured());
        prop_assert_eq!(notation::read(&notation::write(&read, Notation::Wilson).unwrap()), Ok(read));
    }

    #[test]
    fn plies_follow_the_rules(game in game()) {
        let mut position = game.start().clone();
        let mut taken = [0, 0];
        let mut by = Side::A;
        for (ply, &line) in game.plies().zip(game.moves()) {
            let before = position.open_boxes();
            position = position.draw(line).0;
            let boxes = before - position.open_boxes();
            prop_assert_eq!((ply.line, ply.by, usize::from(ply.boxes)), (line, by, boxes));
            taken[by as usize] += boxes;
            by = if boxes == 0 { by.other() } else { by };
        }
        prop_assert_eq!((&position, by), (game.end(), game.to_move()));
        prop_assert_eq!(game.captured().map(LineSet::len), taken);
    }

    #[test]
    fn a_line_is_drawn_once(game in game(), pick in any::<Index>()) {
        prop_assume!(!game.moves().is_empty());
        let line = game.moves()[pick.index(game.moves().len())];
        let mut again = game.clone();
        prop_assert_eq!(again.draw(line), Err(IllegalMove::Drawn { line }));
        prop_assert_eq!(again, game);
    }
}

/// One game on 1x2 in every notation: top left, left, bottom left, then the line between the boxes, which takes the
/// left one, and top right.
const GAME: [LineIdx; 5] = [0, 4, 2, 5, 1];
const WRITTEN: [(Notation, &str); 10] = [
    (Notation::Compact, "1x2:37"),
    (Notation::Diagram, "+---+---+\n|   |\n+---+   +"),
    (Notation::Wilson, "0 16 1 A\n+-+-+\n|B|  \n+-+ +"),
    (Notation::Bits, "1110110"),
    (Notation::Lattice, "abbacbbcad"),
    (Notation::Dots, "1. a2-b2 2. a1-a2 3. a1-b1 4. b1-b2, b2-c2"),
    (Notation::Address, "#p=1x2:0&m=0.4.2.5.1"),
    (Notation::LittleGolem, ";b[haa];r[vaa];b[hba];r[vabhab]"),
    (Notation::Dabble, "3,2\n(1, 0) - (1, 1)\n(0, 1) - (1, 1)\n(1, 1) - (1, 2)\n(1, 1) - (2, 1)\n(2, 0) - (2, 1)"),
    (Notation::KSquares, "2,1\n(0, 0) - (1, 0)\n(0, 0) - (0, 1)\n(0, 1) - (1, 1)\n(1, 0) - (1, 1)\n(1, 0) - (2, 0)"),
];

#[test]
fn one_game_in_every_notation() {
    let mut game = Transcript::new("1x2".parse().unwrap());
    for line in GAME {
        game.draw(line).unwrap();
    }
    assert_eq!(WRITTEN.map(|(notation, _)| notation), Notation::ALL);
    for (notation, text) in WRITTEN {
        assert_eq!(notation::write(&game, notation).unwrap(), text);
        let read = read_on(text, told(game.end())).unwrap();
        assert_eq!(read.end(), game.end(), "{notation}");
        assert_eq!(read.moves(), if notation.is_of_games() { &GAME[..] } else { &[] }, "{notation}");
    }
}

/// The document shows this very game.
#[test]
fn the_document_shows_what_is_written() {
    let document = include_str!("../../../docs/NOTATIONS.md");
    let blocks: BTreeSet<&str> =
        document.split("```text\n").skip(1).filter_map(|block| block.split("\n```").next()).collect();
    for (notation, text) in WRITTEN {
        let trimmed: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert!(blocks.contains(trimmed.join("\n").as_str()), "no example of {notation}");
    }
}

#[test]
fn the_example_of_the_proposal_of_dot_pairs() {
    let board = Board::grid(5, 5).unwrap();
    let text = "1. b5-c5 2. c4-c5\n3. b4-c4 4. b4–b5, d3-e3\n5. f1-f2";
    let game = read_on(text, Some(&board)).unwrap();
    let picture = "
        +   +   +   +   +   +

        +   +---+   +   +   +
            |   |
        +   +---+   +   +   +

        +   +   +   +---+   +

        +   +   +   +   +   +
                            |
        +   +   +   +   +   +";
    assert_eq!(game.end(), &notation::parse(picture).unwrap());
    let boxes: Vec<(Side, u8)> = game.plies().map(|ply| (ply.by, ply.boxes)).collect();
    let (a, b) = (Side::A, Side::B);
    assert_eq!(boxes, [(a, 0), (b, 0), (a, 0), (b, 1), (b, 0), (a, 0)]);
}

/// Moves by name or by number, on boards of any kind, from any start.
#[test]
fn move_lists() {
    let check = |text: &str, start: &str, moves: &[LineIdx]| {
        let game = notation::read(text).unwrap();
        assert_eq!((game.start().to_string().as_str(), game.moves()), (start, moves), "{text}");
        let written = notation::write(&game, Notation::Dots).unwrap();
        assert_eq!(notation::read_as(&written, Notation::Dots, told(game.start())).unwrap(), game);
    };
    check("1x2 a2-b2 b2-c2", "1x2:0", &[0, 1]);
    check("1x2:3 a1-b1, 3 B2-C1".replace("B2-C1", "b1-b2").as_str(), "1x2:3", &[2, 3, 5]);
    check("closed:2 1. b1-b2 2. A1-B1", "closed:2:0", &[2, 0]);
    check("triangles:open:2:1 a2–b1", "triangles:open:2:1", &[4]);
    let on = |board: &str, text: &str| read_on(text, &Board::parse(board).unwrap()).map(|game| game.moves().to_vec());
    assert_eq!(on("3x3", "0 1 2"), Ok(vec![0, 1, 2]));
    assert_eq!(on("3x3", "23"), Ok(vec![23]));
    assert_eq!(on("closed:3", "a1-b1 4"), Ok(vec![0, 4]));
    let graph = Board::from_graph_file("kite", "coin 1\ncoin b\nstring 1 b\nstring b ground\nstring 1 b").unwrap();
    let game = read_on("1-b#2 1. ground-b 0", &graph).unwrap();
    assert_eq!(game.moves(), [2, 1, 0]);
    let game = read_on("graph:kite:1 1 2", &graph).unwrap();
    assert_eq!((game.start().drawn(), game.moves()), (LineSet(1), &[1, 2][..]));
    assert_eq!(notation::graph_file_of("graph:a/kite:1 1 2").as_deref(), Some("a/kite"));
    assert_eq!(notation::graph_file_of("http://x/#m=1&p=graph:a%20b:1").as_deref(), Some("a b"));
    assert_eq!(notation::graph_file_of("graph:my kite").as_deref(), Some("my kite"));
    assert_eq!(notation::graph_file_of("3x3 a1-b1"), None);
}

#[test]
fn games_from_other_starts() {
    let board = Board::grid(1, 2).unwrap();
    let read = |text: &str, start| read_on(text, Context { board: Some(&board), start });
    let game = read("a2-b2 b1-b2 b2-c2 c1-c2", Start::Icelandic).unwrap();
    assert_eq!((game.start().to_string().as_str(), game.moves()), ("1x2:1c", &[0, 5, 1, 6][..]));
    // The second move closes a box and keeps the turn.
    let sides: Vec<Side> = game.plies().map(|ply| ply.by).collect();
    assert_eq!(sides, [Side::A, Side::B, Side::B, Side::A]);
    assert_eq!(read("1x2", Start::Swedish).unwrap().start().to_string(), "1x2:5f");
    assert_eq!(
        read("abbd", Start::Icelandic).unwrap_err().to_string(),
        "lattice, row 1, column 3: bd is a box, not a line"
    );
    let message = "dots, row 1, column 7: a1-b1 is drawn already, by the start";
    assert_eq!(read("a2-b2 a1-b1", Start::Icelandic).unwrap_err().to_string(), message);
    let message = "the text already says what is drawn, so it has no swedish start";
    for text in ["1x2:0", "+ + +\n\n+ + +", "1x2:0 b1-b2", "0000000"] {
        assert_eq!(read(text, Start::Swedish).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn a_game_of_littlegolem() {
    let text = include_str!("../../../data/notation/littlegolem-5x5.txt");
    let game = notation::read(text).unwrap();
    assert_eq!((game.end().open_boxes(), game.moves().len()), (0, 60));
    assert_eq!(game.captured().map(LineSet::len), [18, 7]);
    assert_eq!(notation::write(&game, Notation::LittleGolem).unwrap(), text.trim_end());
}

#[test]
fn the_length_of_bits_decides_square_boards() {
    let board = |n: usize| notation::read(&"0".repeat(n)).map(|transcript| transcript.end().board().kind().to_string());
    assert_eq!(board(24).unwrap(), "3x3");
    assert_eq!(board(40).unwrap(), "4x4");
    assert_eq!(board(60).unwrap(), "5x5");
    let message = "17 bits are the lines of 2x3 and of 3x2: say which";
    assert_eq!(board(17).unwrap_err().to_string(), message);
    assert_eq!(board(5).unwrap_err().to_string(), "bits, row 1, column 1: no board has 5 lines");
    let message = "bits, row 1, column 129: a bit too many: no board has more than 128 lines";
    assert_eq!(board(129).unwrap_err().to_string(), message);
}

#[test]
fn a_board_tells_dabble_from_ksquares() {
    // No line on the border of 2x2; as strings, the lines above the boxes of 1x1.
    let text = "2,2\n(1, 0) - (1, 1)";
    let read = |board: &str| read_on(text, Some(&Board::parse(board).unwrap()));
    assert_eq!(notation::read(text).unwrap().end().to_string(), "1x1:1");
    assert_eq!(read("1x1").unwrap().end().to_string(), "1x1:1");
    assert_eq!(read("2x2").unwrap().end().to_string(), "2x2:80");
    let message = "the text is about board 1x1, not 3x3: leave out the board, or name that one";
    assert_eq!(read("3x3").unwrap_err().to_string(), message);
}

#[test]
fn boards_with_more_columns_than_letters() {
    let position = |text: &str| Transcript::new(text.parse().unwrap());
    let message = "1x13 cannot be written in lattice notation: it has 27 columns on its lattice, but there are 26 \
                   letters; use ksquares or compact";
    assert_eq!(notation::write(&position("1x13"), Notation::Lattice).unwrap_err().to_string(), message);
    for notation in Notation::ALL.into_iter().filter(|&notation| notation != Notation::Lattice) {
        let text = notation::write(&position("1x25:fff"), notation).unwrap();
        assert_eq!(notation::read_as(&text, notation, told(position("1x25").end())).unwrap().end().drawn().0, 0xfff);
        let of_letters = notation == Notation::LittleGolem;
        assert_eq!(notation::write(&position("1x42"), notation).is_err(), of_letters, "{notation}");
    }
}

#[track_caller]
fn refused(board: &str, text: &str, message: &str) {
    let board = (!board.is_empty()).then(|| Board::parse(board).unwrap());
    assert_eq!(read_on(text, board.as_ref()).unwrap_err().to_string(), message);
}

#[test]
fn boards_that_are_not_told() {
    for (text, notation) in [("abba", "lattice"), ("a1-b1", "dots"), (";b[haa]", "littlegolem"), ("hab", "littlegolem")]
    {
        refused("", text, &format!("{notation} notation does not say how large the board is: name it"));
    }
    refused("2x2", "3x3:0", "the text is about board 3x3, not 2x2: leave out the board, or name that one");
    refused("2x2", "[Size \"3\"]", "the text is about board 3x3, not 2x2: leave out the board, or name that one");
}

#[test]
fn bad_lattice_letters() {
    refused("1x2", "ab\nad af", "lattice, row 2, column 5: there is no column 'f': 1x2 has columns a to e");
    refused("1x2", "abdb", "lattice, row 1, column 3: there is no row 'd': 1x2 has rows a to c");
    refused("1x2", "abac", "lattice, row 1, column 3: ac is a dot, not a line");
    refused("1x2", "bd", "lattice, row 1, column 1: bd is a box, not a line");
    refused("1x2", "abbaab", "lattice, row 1, column 5: ab is drawn already, by line 1 of the game");
    let expected = "expected the letter of a column of the lattice, found";
    refused("1x2", "ab b-", &format!("lattice, row 1, column 5: {expected} '-'"));
    refused("1x2", "abb", &format!("lattice, row 1, column 4: {expected} the end"));
}

#[test]
fn bad_dot_pairs() {
    refused("1x2", "a1-b1 a1-d1", "dots, row 1, column 10: there is no dot d1: 1x2 has dots a1 to c2");
    refused("1x2", "a0-a1", "dots, row 1, column 1: there is no dot a0: 1x2 has dots a1 to c2");
    refused("1x2", "a1-c1", "dots, row 1, column 1: a1 and c1 are not neighbours");
    refused("1x2", "a1-a1", "dots, row 1, column 1: a1 and a1 are not neighbours");
    refused("1x2", "1. a1-b1\n2. b1-a1", "dots, row 2, column 4: b1-a1 is drawn already, by line 1 of the game");
    refused("1x2", "a1-b1-c1", "dots, row 1, column 6: expected a comma or space after a line, found '-'");
    refused("1x2", "a1-b1 2x", "dots, row 1, column 7: expected the letter of a column of dots, found '2'");
    refused("1x2", "a1-b1 7", "dots, row 1, column 7: there is no line 7: 1x2 has lines 0 to 6");
    refused("1x2", "2 2", "dots, row 1, column 3: 2 is drawn already, by line 1 of the game");
    refused("", "1x2:4 a1-b1", "dots, row 1, column 7: a1-b1 is drawn already, by the start");
    let lines = "its lines are a1-b1 to b1-b2";
    refused("closed:2", "a1-a2", &format!("dots, row 1, column 1: there is no line a1-a2 on closed:2: {lines}"));
    refused("1x2", "a1-b1 b1 b2", "dots, row 1, column 9: expected '-', found ' '");
    refused("1x2", "a1-1", "dots, row 1, column 4: expected the letter of a column of dots, found '1'");
    refused("1x2", "a1-b99999999999999999999", "dots, row 1, column 5: 99999999999999999999 is too large");
}

#[test]
fn bad_games_of_littlegolem() {
    let at = |place: &str, problem: &str| format!("littlegolem, {place}: {problem}");
    refused("", "[Size \"2\"]\n;b[hca];b[haa]", &at("row 2, column 11", "by the rules r moves here, not b"));
    refused("", "[Size \"1\"]\n;b[haahba]", &at("row 2, column 7", "by the rules r moves here, not b"));
    refused("", "[Size \"1\"]\n;b[hca]", &at("row 2, column 4", "there is no line hca on 1x1"));
    refused("1x1", "vac", &at("row 1, column 1", "there is no line vac on 1x1"));
    refused("1x1", "haa haa", &at("row 1, column 5", "haa is drawn already, by line 1 of the game"));
    refused("1x1", ";w[haa]", &at("row 1, column 2", "expected whose turn it is, b or r, found 'w'"));
    refused("1x1", ";b[", &at("row 1, column 4", "expected a line, h or v with the letters of a dot, found the end"));
    refused("1x1", ";b[h", &at("row 1, column 5", "expected the letter of a row of dots, found the end"));
    refused(
        "",
        "[Size \"1\"]\n;b[haa]\n[Size \"1\"]",
        &at("row 3, column 1", "a tag after moves: another game begins here, keep one"),
    );
    refused("", "[Event \"x\n", &at("row 1, column 10", "expected '\"', found the end of the row"));
    refused("", "[Size \"x\"]", &at("row 1, column 8", "expected the size of the board, in boxes, found 'x'"));
    refused("", "[Size \"9\"]", "littlegolem, row 1, column 1: board 9x9 has 180 lines: at most 128 can be described");
}

#[test]
fn bad_files_of_dabble_and_ksquares() {
    refused(
        "",
        "2,1\n(0, 0) - (1, 0)\n(1, 0) - (0, 0)",
        "ksquares, row 3, column 1: (1, 0) - (0, 0) is drawn already, by line 1 of the game",
    );
    refused(
        "",
        "# x\n2,1\n(0, 0) - (1, 0)\n(1, 0) - (3, 0)",
        "ksquares, row 4, column 1: (1, 0) - (3, 0) joins no neighbouring dots of 1x2",
    );
    refused(
        "",
        "3,2\n(1, 1) - (2, 1)\n(1, 1) - (2, 2)",
        "dabble, row 3, column 1: (1, 1) - (2, 2) joins no neighbouring boxes of 1x2",
    );
    refused("", "3,2\n(1, 1) - (2, 1", "dabble, row 2, column 15: expected ')', found the end");
    refused("", "3,2\n(1, 1) (2, 1)", "dabble, row 2, column 8: expected '-', found '('");
    refused("", "3,2\n(1, 1) - (2, 1) x", "dabble, row 2, column 17: expected the end of the row, found 'x'");
    refused("", "1,1\n(1, 1) - (2, 1)", "ksquares, row 2, column 1: (1, 1) - (2, 1) joins no neighbouring dots of 1x1");
    let one_dot = "dabble, row 1, column 1: expected at least two columns and two rows of dots; is the size in boxes \
                   (ksquares)?";
    refused("", "1,1", one_dot);
    refused(
        "",
        "0,3\n(0, 0) - (0, 1)",
        "ksquares, row 1, column 1: board 3x0 has no boxes: both sides must be at least 1",
    );
    refused(
        "",
        "99,99\n(0, 0) - (0, 1)",
        "ksquares, row 1, column 1: board 99x99 has 19800 lines: at most 128 can be described",
    );
}

#[test]
fn bad_files_of_wilson() {
    let at = |place: &str, problem: &str| format!("wilson, {place}: {problem}");
    let picture = "+-+\n| |\n+-+";
    refused(
        "",
        &format!("3\n{picture}"),
        &at("row 1, column 1", "expected the penalty, 0 or a negative number, found 3"),
    );
    refused(
        "",
        &format!("-200\n{picture}"),
        &at("row 1, column 1", "a penalty of 200 is too large: at most 127 boxes"),
    );
    refused(
        "",
        &format!("-x\n{picture}"),
        &at("row 1, column 2", "expected the penalty, 0 or a negative number, found 'x'"),
    );
    let rest = "expected memory in MB, disk in GB, the side to move (A or B) or the picture, found ";
    refused("", &format!("\n0 16 1 C\n{picture}"), &at("row 2, column 8", &format!("{rest}'C'")));
    refused("", &format!("0 1 1 1\n{picture}"), &at("row 1, column 7", &format!("{rest}'1'")));
    refused(
        "",
        &format!("0 A 1\n{picture}"),
        &at("row 1, column 5", "expected the picture in the next row, found '1'"),
    );
    refused("", "0\n+-+\n| /\n+-+", &at("row 3, column 3", "expected '|' or a space, found '/'"));
    refused("", "0\n\n+-+\n|C|\n+-+", &at("row 4, column 2", "expected A, B or a space in a box, found 'C'"));
    refused("", "0\n+-+\n|A \n+-+", &at("row 3, column 2", "A cannot have captured this box: it is still open"));
}

#[test]
fn bad_bits() {
    refused("1x1", "0110 1", "bits, row 1, column 6: expected 0, 1 or the end, found '1'");
    refused("1x2", "0102", "bits, row 1, column 4: expected 0, 1 or the end, found '2'");
    refused("1x2", "0110", "bits, row 1, column 5: 1x2 has 7 lines, but there are 4 bits");
}

#[test]
fn names() {
    for notation in Notation::ALL {
        assert_eq!(notation.to_string().parse(), Ok(notation));
    }
    let message = "unknown notation 'pgn': expected compact, diagram, wilson, bits, lattice, dots, address, littlegolem, \
                   dabble, ksquares";
    assert_eq!("pgn".parse::<Notation>().unwrap_err().to_string(), message);
    assert!(matches!(notation::read("no board"), Err(NotationError::Board(_))));
}
