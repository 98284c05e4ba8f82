//! Notation that is almost right: whatever is done to it, reading it never panics, and what is read is written and
//! read again. `PROPTEST_CASES` sets how often this is tried.

use dab_board::{Board, LineSet, Position, notation};
use proptest::prelude::*;
use proptest::sample::Index;

/// What can happen to a text.
#[derive(Clone, Debug)]
enum Edit {
    Remove(Index),
    Insert(Index, char),
    Repeat(Index, Index, u8),
}

fn edit() -> impl Strategy<Value = Edit> {
    let letter = prop_oneof![
        prop::sample::select("+-|. x:0123456789abcdefABCDEF\n\r\t_*o'".chars().collect::<Vec<_>>()),
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

proptest! {
    #[test]
    fn mutated_notation(
        (rows, cols, mask) in (1usize..=6, 1usize..=6, any::<u128>()),
        is_diagram: bool,
        edits in prop::collection::vec(edit(), 0..6),
    ) {
        let board = Board::grid(rows, cols).unwrap();
        let drawn = LineSet(mask) & board.all();
        let position = Position::new(board, drawn).unwrap();
        let text = if is_diagram { notation::diagram::draw(&position, |_| None) } else { position.to_string() };
        let mut text: Vec<char> = text.chars().collect();
        edits.iter().for_each(|edit| apply(edit, &mut text));
        let text: String = text.into_iter().collect();
        match notation::parse(&text) {
            Ok(read) => {
                prop_assert_eq!(&notation::parse(&read.to_string()).unwrap(), &read);
                prop_assert_eq!(&notation::parse(&notation::diagram::draw(&read, |_| None)).unwrap(), &read);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
