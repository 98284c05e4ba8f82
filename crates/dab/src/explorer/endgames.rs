//! An endgame that is written, such as `3^2+4+6l`, as a position.
//!
//! ```text
//!    + + +---+ + +---+ +      two rows: a loop takes both, a chain lies along one and ends at the rim;
//!    |   |       |            boxes that are left are closed
//! ```

use dab_board::{Position, notation};
use dab_endgame::{Component, Position as Endgame};

/// The columns of the widest board.
const MOST: usize = 25;

/// The lines of two rows of boxes, by row and column: whether each is drawn.
struct Rows {
    horizontal: [Vec<bool>; 3],
    vertical: [Vec<bool>; 2],
}

impl Rows {
    fn new(n: usize) -> Self {
        Self { horizontal: [0; 3].map(|_| vec![true; n]), vertical: [0; 2].map(|_| vec![true; n + 1]) }
    }

    fn chain(&mut self, row: usize, at: usize, n: usize) {
        self.vertical[row][at + 1..at + n].fill(false);
        for end in [at, at + n - 1] {
            self.horizontal[2 * row][end] = false;
        }
    }

    fn ring(&mut self, at: usize, n: usize) {
        self.vertical.iter_mut().for_each(|lines| lines[at + 1..at + n].fill(false));
        for end in [at, at + n - 1] {
            self.horizontal[1][end] = false;
        }
    }

    /// As a diagram of `+ - |`.
    fn diagram(&self) -> String {
        let along = |lines: &[bool]| {
            lines.iter().fold("+".to_owned(), |text, &line| text + if line { "---+" } else { "   +" }) + "\n"
        };
        let across = |lines: &[bool]| lines.iter().map(|&line| if line { "|   " } else { "    " }).collect::<String>();
        let [top, middle, bottom] = &self.horizontal;
        let [upper, lower] = &self.vertical;
        [along(top), across(upper) + "\n", along(middle), across(lower) + "\n", along(bottom)].concat()
    }
}

/// The position of an endgame; `None` if the text is none, or it fits on no board of two rows.
pub(super) fn arranged(text: &str) -> Option<Position> {
    let plain = text.trim().replace('²', "^2").replace('³', "^3").replace('ℓ', "l");
    let endgame: Endgame =
        plain.parse().ok().filter(|endgame: &Endgame| !endgame.is_empty() && endgame.size() <= 50)?;
    let mut ends = [0; 2];
    let mut places = Vec::new();
    let loops_first = |component: &Component| matches!(component, Component::Chain(_));
    let mut components: Vec<Component> =
        endgame.multiset().iter().flat_map(|&(component, n)| std::iter::repeat_n(component, n as usize)).collect();
    components.sort_by_key(|component| (loops_first(component), std::cmp::Reverse(component.n_boxes())));
    for component in components {
        let n = component.n_boxes() as usize;
        let (row, width) = match component {
            Component::Loop(_) if n.is_multiple_of(2) => (0, n / 2),
            Component::Chain(2..) => (usize::from(ends[1] < ends[0]), n),
            _ => return None,
        };
        places.push((component, row, ends[row], width));
        ends[row] += width;
        if let Component::Loop(_) = component {
            ends[1] = ends[0];
        }
    }
    let n = ends[0].max(ends[1]);
    let mut rows = Rows::new(Some(n).filter(|&n| n <= MOST)?);
    for (component, row, at, width) in places {
        match component {
            Component::Loop(_) => rows.ring(at, width),
            Component::Chain(_) => rows.chain(row, at, width),
        }
    }
    notation::parse(&rows.diagram()).ok()
}
