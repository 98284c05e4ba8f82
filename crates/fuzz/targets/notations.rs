//! Texts in every notation: an error has its place, and what is read is written and read again.
#![no_main]

use dab_board::{Board, BoardKind};
use dab_board::notation::{self, Notation, NotationError};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, &str)| {
    let (rows, cols, text) = input;
    // A board that is told, or none.
    let board = Board::grid(usize::from(rows % 6), usize::from(cols % 6)).ok();
    for notation in Notation::ALL {
        match notation::read_as(text, notation, board.as_ref()) {
            Ok(read) => {
                for notation in Notation::ALL {
                    let Ok(text) = notation::write(&read, notation) else { continue };
                    // Pictures of other boards are not read.
                    let is_grid = matches!(read.start().board().kind(), BoardKind::Grid { .. });
                    if notation == Notation::Diagram && !is_grid {
                        continue;
                    }
                    let again = notation::read_as(&text, notation, Some(read.start().board())).expect("it was written");
                    assert_eq!(again.end(), read.end(), "{text}");
                }
            }
            Err(NotationError::At { row, column, .. }) => assert!(row >= 1 && column >= 1 && row <= text.split('\n').count()),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let _ = notation::detect(text, board.as_ref());
    let _ = text.parse::<dab::Position>();
});
