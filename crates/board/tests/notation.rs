//! Laws of notation: written positions are read back, and no text makes a reader panic.

use crate::notation::{self, NotationError};
use crate::{Board, BoardError, BoardKind, LineSet, Position};
use proptest::prelude::*;

fn position() -> impl Strategy<Value = Position> {
    (1usize..=6, 1usize..=6, any::<u128>()).prop_map(|(rows, cols, mask)| {
        let board = Board::grid(rows, cols).unwrap();
        let drawn = LineSet(mask) & board.all();
        Position::new(board, drawn).unwrap()
    })
}

/// A board of `rows` x `cols` boxes, each `width` columns and `height` rows of text large, drawn line by line.
fn picture(rows: usize, cols: usize, drawn: LineSet, width: usize, height: usize, dot: char) -> String {
    let mut text = String::new();
    let mut horizontal = 0;
    let mut vertical = (rows + 1) * cols;
    for r in 0..=rows {
        text.push(dot);
        for _ in 0..cols {
            text += &if drawn.has(horizontal) { "-" } else { " " }.repeat(width);
            text.push(dot);
            horizontal += 1;
        }
        text.push('\n');
        if r < rows {
            let bars: Vec<&str> = (vertical..=vertical + cols).map(|i| if drawn.has(i) { "|" } else { " " }).collect();
            text += &(bars.join(&"x".repeat(width)) + "\n").repeat(height);
            vertical += cols + 1;
        }
    }
    text
}

/// Reads `text`; what it accepts it reads again from both notations, what it refuses it places within the text.
fn check_anything(text: &str) -> Result<(), TestCaseError> {
    match notation::parse(text) {
        Ok(position) => {
            let diagram = notation::diagram::draw(&position, notation::Rim::Bare, |_| None);
            prop_assert_eq!(&notation::parse(&diagram).unwrap(), &position);
            prop_assert_eq!(notation::parse(&position.to_string()).unwrap(), position);
        }
        Err(
            NotationError::Board(BoardError::BadDiagram { row, column, .. }) | NotationError::At { row, column, .. },
        ) => {
            let longest = text.lines().map(|row| row.chars().count()).max().unwrap_or(0);
            prop_assert!((1..=text.lines().count().max(1)).contains(&row), "row {} of {:?}", row, text);
            prop_assert!((1..=longest + 1).contains(&column), "column {} of {:?}", column, text);
        }
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..super::seeds_beside() })]

    #[test]
    fn diagrams_round_trip(position in position()) {
        let text = notation::diagram::draw(&position, notation::Rim::Bare, |_| None);
        prop_assert_eq!(notation::diagram::parse(&text), Ok(position.clone()));
        prop_assert_eq!(notation::parse(&text), Ok(position));
    }

    #[test]
    fn compact_round_trips(position in position()) {
        prop_assert_eq!(notation::parse(&position.to_string()), Ok(position));
    }

    #[test]
    fn any_width_height_dot_and_indentation(
        position in position(),
        width in 1usize..6,
        height in 1usize..4,
        indent in 0usize..5,
        full_stops in any::<bool>(),
        trimmed in any::<bool>(),
    ) {
        let BoardKind::Grid { rows, cols } = position.board().kind() else { unreachable!("a grid was made") };
        let text = picture(rows, cols, position.drawn(), width, height, if full_stops { '.' } else { '+' });
        let text: String = text
            .lines()
            .map(|row| " ".repeat(indent) + if trimmed { row.trim_end() } else { row } + "\n")
            .collect();
        prop_assert_eq!(notation::parse(&format!("\n{text}  \n\n")), Ok(position));
    }

    #[test]
    fn labels_leave_the_lines_where_they_are(position in position(), width in 0usize..4) {
        let text = notation::diagram::draw(&position, notation::Rim::Bare, |_| Some("#".repeat(width)));
        prop_assert!(text.lines().all(|row| row == row.trim_end()));
        prop_assert_eq!(text.matches('#').count(), width * position.undrawn().len());
        prop_assert_eq!(notation::parse(&text.replace('#', " ")), Ok(position));
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        check_anything(&text)?;
    }

    #[test]
    fn any_text_of_marks_is_read_or_refused(text in "[+.|A \n-]{0,60}") {
        check_anything(&text)?;
    }

    #[test]
    fn damaged_positions_are_read_or_refused(
        position in position(),
        compact in any::<bool>(),
        hits in prop::collection::vec((any::<prop::sample::Index>(), 0..3, any::<char>()), 1..4),
    ) {
        let text = if compact { position.to_string() } else { notation::diagram::draw(&position, notation::Rim::Bare, |_| None) };
        let mut text: Vec<char> = text.chars().collect();
        for (place, how, new) in hits {
            let at = place.index(text.len());
            match how {
                0 => text.insert(at, new),
                1 => text[at] = ['+', '-', '|', ' ', '\n'][new as usize % 5],
                _ if text.len() > 1 => drop(text.remove(at)),
                _ => {}
            }
        }
        check_anything(&text.into_iter().collect::<String>())?;
    }
}

#[test]
fn text_without_rows_is_compact() {
    assert_eq!(notation::parse(" 2x2:b73\n").unwrap().to_string(), "2x2:b73");
    let unknown = |text: &str| NotationError::Board(BoardError::UnknownBoard { text: text.to_owned() });
    assert_eq!(notation::parse("").unwrap_err(), unknown(""));
    assert!(matches!(notation::parse("+---+"), Err(NotationError::Board(BoardError::BadDiagram { .. }))));
    assert_eq!(notation::parse("2x2\n2x2").unwrap_err(), unknown("2x2\n2x2"));
}
