//! Pictures of graphs: the coins where their file puts them, the strings between neighbours, and a list of the rest.
//!
//! ```text
//!    a-----b           a string that is still there, on its way from coin to coin
//!    |
//!    c     d           cut: nothing is left of it
//!
//!    c-ground          strings that are not drawn: to the ground, parallel, or across rows and columns
//! ```

use super::canvas::{LineState, put, text};
use crate::{Board, BoxIdx, LineIdx};

/// The picture of a graph; of one without places the list alone.
pub(super) fn draw(board: &Board, state: impl Fn(LineIdx) -> LineState) -> String {
    let strings: Vec<LineState> = (0..board.n_lines()).map(state).collect();
    let straight = board.places().map(|places| straight(board, places)).unwrap_or_default();
    let mut picture = board.places().map(|places| canvas(board, places, &strings, &straight)).unwrap_or_default();
    let is_listed = |line: &LineIdx| !straight.iter().any(|(drawn, ..)| drawn == line);
    let open = (0..strings.len()).filter(is_listed).filter(|&line| matches!(strings[line], LineState::Open(_)));
    let width = open.clone().map(|line| board.line_name(line).chars().count()).max().unwrap_or(0);
    for line in open {
        let LineState::Open(label) = &strings[line] else { continue };
        let label: String = label.iter().collect();
        picture += format!("\n  {:width$}  {label}", board.line_name(line)).trim_end();
    }
    picture.trim_start_matches('\n').to_owned()
}

/// Strings that can be drawn: the first between two coins of one row or column with no coin between them.
fn straight(board: &Board, places: &[(usize, usize)]) -> Vec<(LineIdx, BoxIdx, BoxIdx)> {
    let mut found: Vec<(LineIdx, BoxIdx, BoxIdx)> = Vec::new();
    for (line, string) in board.graph().strings().iter().enumerate() {
        let [Some(a), Some(b)] = string.ends else { continue };
        let [from, to] = if places[a] < places[b] { [a, b] } else { [b, a] };
        let ((r0, c0), (r1, c1)) = (places[from], places[to]);
        let is_between = |&(r, c): &(usize, usize)| {
            (r, c) != (r0, c0) && (r, c) != (r1, c1) && (r0..=r1).contains(&r) && (c0..=c1).contains(&c)
        };
        let is_straight = (r0 == r1 || c0 == c1) && !places.iter().any(is_between);
        if is_straight && !found.iter().any(|&(_, f, t)| (f, t) == (from, to)) {
            found.push((line, from, to));
        }
    }
    found
}

fn canvas(
    board: &Board,
    places: &[(usize, usize)],
    strings: &[LineState],
    straight: &[(LineIdx, BoxIdx, BoxIdx)],
) -> String {
    // Rows and columns without coins take no room.
    let ranks = |along: fn(&(usize, usize)) -> usize| {
        let mut used: Vec<usize> = places.iter().map(along).collect();
        used.sort_unstable();
        used.dedup();
        used
    };
    let (rows, cols) = (ranks(|place| place.0), ranks(|place| place.1));
    let name = |coin: BoxIdx| board.coins()[coin].chars().collect::<Vec<char>>();
    let longest_name = (0..places.len()).map(|coin| name(coin).len()).max().unwrap_or(0);
    let longest = strings.iter().map(LineState::width).max().unwrap_or(0);
    // A blank on both sides of a label, and some of the string beyond it.
    let pitch = longest_name + longest + if longest == 0 { 4 } else { 6 };
    let at = |coin: BoxIdx| {
        let rank = |used: &[usize], place: usize| used.partition_point(|&other| other < place);
        (2 * rank(&rows, places[coin].0), longest / 2 + pitch * rank(&cols, places[coin].1))
    };
    let mut canvas = vec![vec![' '; pitch * cols.len() + longest]; 2 * rows.len() - 1];
    for &(line, from, to) in straight {
        let LineState::Open(label) = &strings[line] else { continue };
        let ((r0, c0), (r1, c1)) = (at(from), at(to));
        if r0 == r1 {
            let first = c0 + name(from).len();
            canvas[r0][first..c1].fill('-');
            put_apart(&mut canvas[r0], first + (c1 - first - label.len()).div_ceil(2), label);
        } else {
            canvas[r0 + 1..r1].iter_mut().for_each(|row| row[c0] = '|');
            put_apart(&mut canvas[(r0 + r1) / 2], (c0 + 1).saturating_sub(label.len().div_ceil(2)), label);
        }
    }
    for coin in 0..places.len() {
        let (row, column) = at(coin);
        put(&mut canvas[row], column, &name(coin));
    }
    let mut text = text(&canvas);
    text.push('\n');
    text
}

/// Writes a label into a row with a blank on both sides: a score must not look like a part of the string.
fn put_apart(row: &mut [char], at: usize, label: &[char]) {
    if !label.is_empty() {
        let end = (at + label.len() + 1).min(row.len());
        row[at.saturating_sub(1)..end].fill(' ');
        put(row, at, label);
    }
}

#[cfg(test)]
mod tests {
    use crate::Board;
    use crate::notation::{Rim, compact, diagram};

    #[track_caller]
    fn check(file: &str, mask: &str, label: &str, expect: &[&str]) {
        let board = Board::from_graph_file("test", file).unwrap();
        let position = compact::position(board, Some(mask), "").unwrap();
        let picture = diagram::draw(&position, Rim::Bare, |_| Some(label.to_owned()));
        assert_eq!(picture.lines().collect::<Vec<_>>(), expect);
    }

    const SQUARE: &str = "
        coin a 0 0\n coin b 0 7\n coin c 4 0\n coin d 4 7\n
        string a b\n string a c\n string b d\n string c d\n string a d\n string b a\n string c ground";

    #[test]
    fn draws_what_lies_straight_and_lists_the_rest() {
        check(SQUARE, "0", "", &["a----b", "|    |", "c----d", "", "  a-d", "  a-b#2", "  c-ground"]);
        check(SQUARE, "6", "", &["a----b", "", "c----d", "", "  a-d", "  a-b#2", "  c-ground"]);
        check(SQUARE, "5d", "-1*", &[" a         b", "-1*", " c         d", "", "  a-b#2  -1*"]);
        check(SQUARE, "7e", "2", &["a-- 2 --b", "", "c       d"]);
    }

    #[test]
    fn lists_what_has_no_places() {
        check("coin a\ncoin b\nstring a b\nstring ground b", "0", "3", &["  a-b       3", "  b-ground  3"]);
    }
}
