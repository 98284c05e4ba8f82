//! Notation that is almost right: whatever is done to it, no reader panics, errors have their place within the text,
//! and what is read is written and read again. `PROPTEST_CASES` sets how often this is tried.

use std::sync::Arc;

use crate::notation::{self, Notation, NotationError, Transcript};
use crate::{Board, LineSet, Position};
use proptest::prelude::*;
use proptest::sample::Index;

/// One edit of a text.
#[derive(Clone, Debug)]
enum Edit {
    Remove(Index),
    Insert(Index, char),
    Repeat(Index, Index, u8),
}

fn edit() -> impl Strategy<Value = Edit> {
    let letter = prop_oneof![
        prop::sample::select("+-|. x:0123456789abcdefhvABCDEF\n\r\t_*o'\"[];,()#".chars().collect::<Vec<_>>()),
        any::<char>()
    ];
    prop_oneof![
        any::<Index>().prop_map(Edit::Remove),
        (any::<Index>(), letter).prop_map(|(at, letter)| Edit::Insert(at, letter)),
        (any::<Index>(), any::<Index>(), any::<u8>()).prop_map(|(from, to, n)| Edit::Repeat(from, to, n)),
    ]
}

fn apply(edit: &Edit, text: &mut Vec<char>) {
    match edit {
        _ if text.is_empty() => {}
        Edit::Remove(at) => drop(text.remove(at.index(text.len()))),
        Edit::Insert(at, letter) => text.insert(at.index(text.len() + 1), *letter),
        Edit::Repeat(from, to, n) => {
            let (from, to) = (from.index(text.len()), to.index(text.len()));
            let piece = text[from.min(to)..=from.max(to)].repeat(usize::from(*n % 40));
            text.splice(to..to, piece);
            text.truncate(1 << 14);
        }
    }
}

/// Reads a text in one notation; what is read is written and read again.
fn check(text: &str, notation: Notation, board: Option<&Arc<Board>>) -> Result<(), TestCaseError> {
    match notation::read_as(text, notation, board) {
        Ok(read) => {
            for notation in Notation::ALL {
                let Ok(text) = notation::write(&read, notation) else { continue };
                let again = notation::read_as(&text, notation, Some(read.start().board())).unwrap();
                prop_assert_eq!(again.end(), read.end(), "{}", text);
            }
        }
        Err(NotationError::At { row, column, .. }) => {
            let longest = text.lines().map(|row| row.chars().count()).max().unwrap_or(0);
            prop_assert!((1..=text.split('\n').count()).contains(&row), "row {} of {:?}", row, text);
            prop_assert!((1..=longest + 1).contains(&column), "column {} of {:?}", column, text);
        }
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

proptest! {
    #![proptest_config(super::seeds_beside())]

    #[test]
    fn mutated_notation(
        (rows, cols, mask) in (1usize..=6, 1usize..=6, any::<u128>()),
        written in prop::sample::select(&Notation::ALL[..]),
        is_told: bool,
        edits in prop::collection::vec(edit(), 0..6),
    ) {
        let board = Board::grid(rows, cols).unwrap();
        let drawn = LineSet(mask) & board.all();
        let transcript = Transcript::new(Position::new(board.clone(), drawn).unwrap());
        let mut text: Vec<char> = notation::write(&transcript, written).unwrap().chars().collect();
        edits.iter().for_each(|edit| apply(edit, &mut text));
        let text: String = text.into_iter().collect();
        let board = is_told.then_some(&board);
        for notation in Notation::ALL {
            check(&text, notation, board)?;
        }
        if let Ok(notation) = notation::detect(&text, board) {
            check(&text, notation, board)?;
        }
    }
}
