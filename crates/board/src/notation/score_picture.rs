//! Pictures with scores: the score of drawing it stands in the place of an open line, as Wilson's `play` and `dab query` print them.
//!
//! ```text
//!    3  +----+ 0* +        a number in front of dots, or behind them all only letters    names of dots, left out
//!      -2    |    1        a number, and signs around it                                 a score, left out: the line is open
//!    2  +----+ 0* +
//!       a    b    c
//! ```
//! No diagram has a digit in a row of dots, so such a row tells a picture with scores. What is left is a diagram.

/// The diagram that is left of a picture with scores; `None` of any other text.
pub(super) fn without_scores(text: &str) -> Option<String> {
    let is_dots = |row: &&str| named(row).1.starts_with('+');
    if !text.lines().filter(is_dots).any(|row| row.contains(|c: char| c.is_ascii_digit())) {
        return None;
    }
    let last = text.lines().enumerate().filter(|(_, row)| is_dots(row)).last()?.0;
    let rows = text.lines().enumerate().map(|(number, row)| {
        let (name, rest) = named(row);
        match is_dots(&row) {
            true => blanks(name) + &rest.split('+').map(open).collect::<Vec<_>>().join("+"),
            false if number > last && row.chars().all(|c| c.is_ascii_lowercase() || c.is_whitespace()) => String::new(),
            false => row
                .split_inclusive('|')
                .map(|part| part.strip_suffix('|').map_or_else(|| open(part), |part| open(part) + "|"))
                .collect(),
        }
    });
    Some(rows.collect::<Vec<_>>().join("\n"))
}

/// Whether a text begins with a named row of dots.
pub(super) fn begins(row: &str) -> bool {
    let (name, rest) = named(row);
    !name.trim().is_empty() && rest.starts_with('+')
}

/// A row in two: blanks and the number of a row of dots, and the rest.
fn named(row: &str) -> (&str, &str) {
    row.split_at(row.find(|c: char| !c.is_ascii_digit() && !c.is_whitespace()).unwrap_or(row.len()))
}

/// A stretch between two dots or two lines, without its scores.
fn open(stretch: &str) -> String {
    let of_score = |c: char| c.is_ascii_digit() || "-*^v".contains(c);
    let words = stretch.split_inclusive(char::is_whitespace);
    let is_score = |word: &str| word.trim_end().chars().all(of_score) && word.contains(|c: char| c.is_ascii_digit());
    words.map(|word| if is_score(word) { blanks(word) } else { word.to_owned() }).collect()
}

fn blanks(text: &str) -> String {
    " ".repeat(text.chars().count())
}

#[cfg(test)]
mod tests {
    use crate::LineSet;
    use crate::notation::Rim;
    use crate::notation::diagram::{draw, parse};
    use crate::{Board, Position};

    /// Every position of small boards, with scores and names.
    #[test]
    fn pictures_with_scores_are_read_back() {
        for (rows, cols) in [(1, 1), (1, 2), (2, 2), (3, 2), (10, 1), (1, 11)] {
            let board = Board::grid(rows, cols).unwrap();
            let n = board.n_lines();
            for drawn in (0..1_u128 << n.min(12)).map(|mask| LineSet((mask * 0x9_1b37) & board.all().0)) {
                let position = Position::new(Board::grid(rows, cols).unwrap(), drawn).unwrap();
                for (rim, mark) in [(Rim::Bare, ""), (Rim::Names, "*"), (Rim::Names, "^"), (Rim::Bare, "*v")] {
                    let picture = draw(&position, rim, |line| Some(format!("{}{mark}", line as i32 % 14 - 7)));
                    let is_open = (0..n).any(|line| !drawn.has(line));
                    // Open lines across one row alone are no mark of scores.
                    if is_open
                        && (rim == Rim::Names
                            || picture.lines().step_by(2).any(|row| row.contains(|c: char| c.is_ascii_digit())))
                    {
                        assert_eq!(parse(&picture).as_ref(), Ok(&position), "\n{picture}");
                        assert_eq!(crate::notation::parse(&picture).as_ref(), Ok(&position), "\n{picture}");
                    }
                }
            }
        }
    }

    #[test]
    fn other_pictures_stay_as_they_are() {
        for text in ["+---+\n| 1 |\n+---+", "1x2:37", "", "0 16 1\n+-+\n|B|\n+-+", "+A1-+\n\n+---+"] {
            assert!(super::without_scores(text).is_none_or(|left| parse(&left).is_err()), "{text}");
        }
    }
}
