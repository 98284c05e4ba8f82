//! Pictures of boards of dots.
//!
//! ```text
//!    2 +---+   +     an open line carries its label in its place    2     +-----+
//!      |   |   3     names of dots, if they are wanted: letters          / \   / \
//!    1 +---+-1-+     of columns, numbers of rows                    1 +-----+-----+
//!      a   b   c
//! ```

use super::canvas::{LineState, put, text};
use crate::dots::{Dot, Side, column_name, sides};
use crate::{BoardKind, LineIdx};

/// The names of dots along the edges of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rim {
    /// None.
    Bare,
    /// Letters of columns and numbers of rows, as in the names of lines; none for a graph, whose coins have names.
    Names,
}

/// The picture of a board whose lines look as `state` says.
pub(super) fn draw(kind: BoardKind, rim: Rim, state: impl Fn(LineIdx) -> LineState) -> String {
    let is_staggered = matches!(kind, BoardKind::Triangles { .. });
    let look = |Side { dots, line }: Side| (dots, line.map_or(LineState::Drawn, &state));
    let sides: Vec<([Dot; 2], LineState)> = sides(kind).into_iter().map(look).collect();
    let longest = sides.iter().map(|(_, state)| state.width()).max().unwrap_or(0);
    // From a dot to the next: a blank on both sides of a label tells it from the dots. Lines across a row of triangles are half as
    // far apart.
    let pitch = if is_staggered { (longest + 3).div_ceil(2) * 4 } else { longest.max(1) + 3 };
    // Labels of lines across lie in the middle of them, those on the left side partly outside the board.
    let on_left = sides.iter().filter(|([a, b], _)| a.0 < b.0 && (a.1, b.1) == (0, 0));
    let left = on_left.map(|(_, state)| state.width() / 2).max().unwrap_or(0);
    let top = sides.iter().map(|([_, upper], _)| upper.0).max().unwrap_or(0);
    // Names of rows in front, those of columns below, and above if the dots on top lie between them.
    let (margin, n_above, n_below) = match rim {
        Rim::Bare => (0, 0, 0),
        Rim::Names => ((top + 1).to_string().len() + 1, usize::from(is_staggered), 1),
    };
    let column = |(row, c): Dot| margin + left + c * pitch + if is_staggered { row * pitch / 2 } else { 0 };
    let dots = || sides.iter().flat_map(|(dots, _)| *dots);
    let right = dots().map(column).max().unwrap_or(0);
    let mut canvas = vec![vec![' '; right + longest.max(1) + 1]; n_above + 2 * top + 1 + n_below];
    for dot in dots() {
        canvas[n_above + 2 * (top - dot.0)][column(dot)] = '+';
        if rim == Rim::Names {
            let [row, name] = [format!("{:>1$}", dot.0 + 1, margin - 1), column_name(dot.1)];
            put(&mut canvas[n_above + 2 * (top - dot.0)], 0, &row.chars().collect::<Vec<_>>());
            let at = if dot.0 == 0 { Some(canvas.len() - 1) } else { (is_staggered && dot.0 == top).then_some(0) };
            at.into_iter().for_each(|at| put(&mut canvas[at], column(dot), &name.chars().collect::<Vec<_>>()));
        }
    }
    for &([a, b], ref state) in &sides {
        let (row, from, to) = (&mut canvas[n_above + 2 * top - a.0 - b.0], column(a), column(b));
        let middle = (from + to) / 2;
        match state {
            LineState::Drawn if a.0 == b.0 => row[from + 1..to].fill('-'),
            LineState::Drawn => row[middle] = ['|', '/', '\\'][usize::from(from != to) + usize::from(from > to)],
            LineState::Open(label) if a.0 == b.0 => {
                let room = to - from - 1 - label.len() + usize::from(!is_staggered);
                put(row, from + 1 + room / 2, label);
            }
            LineState::Open(label) => put(row, middle - label.len() / 2, label),
        }
    }
    text(&canvas)
}

#[cfg(test)]
mod tests {
    use crate::notation::{Rim, diagram, parse};

    #[track_caller]
    fn check(compact: &str, label: &str, expect: &[&str]) {
        let picture = diagram::draw(&parse(compact).unwrap(), Rim::Bare, |_| Some(label.to_owned()));
        assert_eq!(picture.lines().collect::<Vec<_>>(), expect);
    }

    #[test]
    fn draws() {
        check("triangles:open:2:7f", "", &["    +-------+", "  /   \\   /   \\", "+-------+-------+"]);
        check("triangles:open:2:0", "0", &["    +   0   +", "  0   0   0   0", "+   0   +   0   +"]);
        check(
            "triangles:closed:2:0",
            "-1*",
            &["      +-----------+", "   /    -1*   -1*    \\", "+    -1*    +    -1*    +"],
        );
        check("triangles:closed:1:0", "1", &["    +", "  /   \\", "+   1   +"]);
        let named = diagram::draw(&parse("triangles:open:2:1f").unwrap(), Rim::Names, |_| None);
        let expect = ["      a       b", "2     +-------+", "    /   \\", "1 +-------+-------+", "  a       b       c"];
        assert_eq!(named.lines().collect::<Vec<_>>(), expect);
    }
}
