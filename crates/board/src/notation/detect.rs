//! Recognises the notation of a text by its first characters.
//!
//! | begins with                                         | notation |
//! | --- | --- |
//! | `#p=`, or a web address with it behind `#`          | address |
//! | a dot, `+` or `.`, perhaps with a number in front    | diagram |
//! | a row of numbers, and a dot begins the next row     | Wilson |
//! | `[` or `;`                                          | littlegolem |
//! | two numbers with a comma (after `#` comments)       | Dabble or KSquares, see `dbl` |
//! | numbers, at least two of them; names of strings     | dots |
//! | the name of a board, and a move behind it           | dots |
//! | only 0 and 1                                        | bits |
//! | a letter and a digit with a `-` behind, or a number with a full stop | dots |
//! | only letters, in words of even length               | lattice |
//! | only letters, in words of `h` or `v` and two more   | littlegolem |
//! | anything else                                       | compact |
//!
//! If the caller gives the board, a text that names none and begins as bits or letters counts as such. A slip in it is
//! then reported at its place.

use super::{Context, Notation, NotationError, address, dbl, diagram, dots, lattice, littlegolem, score_picture};
use crate::board::TIMES;

/// The notation that a text is in, as far as its first characters tell; only reading it shows whether it is right.
///
/// # Errors
/// If letters alone, or the size of a board alone, are legal in two notations.
pub fn detect<'a>(text: &str, context: impl Into<Context<'a>>) -> Result<Notation, NotationError> {
    let context @ Context { board, .. } = context.into();
    let mut rows = text.lines().map(str::trim_start).filter(|row| !row.trim().is_empty());
    let (first, second) = (rows.next().unwrap_or_default(), rows.next().unwrap_or_default());
    let mut chars = first.chars();
    let begins = [chars.next(), chars.next()].map(Option::unwrap_or_default);
    Ok(match begins {
        _ if address::is_address(text) => Notation::Address,
        [c, _] if diagram::DOTS.contains(&c) => Notation::Diagram,
        ['-' | '0'..='9', _] if second.starts_with(diagram::DOTS) => Notation::Wilson,
        _ if score_picture::begins(first) => Notation::Diagram,
        ['[' | ';', _] => Notation::LittleGolem,
        _ if let Some(notation) = dbl::detect(text, board) => return notation,
        _ if dots::head(text).is_some() || dots::is_list(text, context) => Notation::Dots,
        ['0' | '1', _] if text.chars().all(|c| c.is_whitespace() || c == '0' || c == '1') => Notation::Bits,
        ['0' | '1', _] if board.is_some() && !text.contains('.') && !text.contains(TIMES) => Notation::Bits,
        ['0'..='9', _] if first.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('.') => Notation::Dots,
        [letter, digit] if letter.is_ascii_alphabetic() && digit.is_ascii_digit() && first.contains('-') => {
            Notation::Dots
        }
        _ => return letters(text, context),
    })
}

/// The same for a text that may be letters only.
fn letters(text: &str, context: Context<'_>) -> Result<Notation, NotationError> {
    let is_letters = text.chars().all(|c| c.is_ascii_alphabetic() || c.is_whitespace() || c == ',');
    let words = || text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let otherwise = match context.board {
        Some(_) if text.trim_start().starts_with(|c: char| c.is_ascii_alphabetic()) && !text.contains(':') => {
            Notation::Lattice
        }
        _ => Notation::Compact,
    };
    if !is_letters || words().next().is_none() {
        return Ok(otherwise);
    }
    let is_tokens =
        |word: &str| word.len().is_multiple_of(3) && word.bytes().step_by(3).all(|c| c == b'h' || c == b'v');
    match (words().all(|word| word.len().is_multiple_of(2)), words().all(is_tokens)) {
        (true, false) => Ok(Notation::Lattice),
        (false, true) => Ok(Notation::LittleGolem),
        (false, false) => Ok(otherwise),
        (true, true) => match (lattice::read(text, context).is_ok(), littlegolem::read(text, context).is_ok()) {
            (true, true) => {
                Err(NotationError::TwoNotations { first: Notation::Lattice, second: Notation::LittleGolem })
            }
            (_, true) => Ok(Notation::LittleGolem),
            _ => Ok(Notation::Lattice),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    #[test]
    fn by_how_it_begins() {
        let check = |text: &str, notation| assert_eq!(detect(text, Context::default()), Ok(notation), "{text}");
        for text in ["3x3", "3x3:1f", "", "no board", "3y3", "a1", "12"] {
            check(text, Notation::Compact);
        }
        check("\n  +-+\n", Notation::Diagram);
        check(". .", Notation::Diagram);
        check("0\n+ +", Notation::Wilson);
        check("\n-3 16 1 B\n\n  + +", Notation::Wilson);
        check("[Event \"x\"]", Notation::LittleGolem);
        check(";b[haa]", Notation::LittleGolem);
        check("haa vab", Notation::LittleGolem);
        check("haavab hab", Notation::LittleGolem);
        check("abba", Notation::Lattice);
        check("ab,ba", Notation::Lattice);
        check("hb vc", Notation::Lattice);
        check("0101\n", Notation::Bits);
        check("0102", Notation::Compact);
        check("a1-b1", Notation::Dots);
        check("1. a1-b1", Notation::Dots);
        check("a1 - b1", Notation::Dots);
        check("3×3 a1 - b1", Notation::Dots);
        for text in ["0 1 1", "12 3", "1\n20", "3x3 a1-b1", "3x3:1f 12 13", "closed:4 1. a1-b1", "graph:kite.txt:0 b-c"]
        {
            check(text, Notation::Dots);
        }
        check("#p=3x3:0&m=1.2", Notation::Address);
        check("http://127.0.0.1:3220/#p=3x3:0", Notation::Address);
        check("3,2\n(1, 0) - (1, 1)", Notation::Dabble);
        check("# game\n\n2 , 1\n(0, 0) - (1, 0)", Notation::KSquares);
    }

    #[test]
    fn a_size_in_two_ways() {
        let both = NotationError::TwoNotations { first: Notation::Dabble, second: Notation::KSquares };
        assert_eq!(detect("3,4", Context::default()), Err(both.clone()));
        assert_eq!(detect("# game\n3, 4\n", Context::default()), Err(both));
        assert_eq!(detect("3,4", &Board::grid(4, 3).unwrap()), Ok(Notation::KSquares));
        assert_eq!(detect("3,4", &Board::grid(3, 2).unwrap()), Ok(Notation::Dabble));
    }

    #[test]
    fn letters_in_two_ways() {
        let board = Board::grid(4, 4).unwrap();
        // On the lattice a vertical line, ha, and two horizontal ones, ch and cd; as tokens two horizontal lines.
        assert_eq!(
            detect("hachcd", &board),
            Err(NotationError::TwoNotations { first: Notation::Lattice, second: Notation::LittleGolem })
        );
        // No row v on the lattice of 4x4.
        assert_eq!(detect("vachcd", &board), Ok(Notation::LittleGolem));
        assert_eq!(detect("hachac", &board), Ok(Notation::Lattice));
    }
}
