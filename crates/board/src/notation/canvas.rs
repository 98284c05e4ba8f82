//! Rows of characters to draw pictures of positions on.

/// The look of a line in a picture.
pub(super) enum LineState {
    Drawn,
    /// With its label, which may be empty.
    Open(Vec<char>),
}

impl LineState {
    /// Columns that the label takes.
    pub(super) fn width(&self) -> usize {
        if let Self::Open(label) = self { label.len() } else { 0 }
    }
}

/// The names of dots along the edges of a canvas, each at its row or column.
#[derive(Default)]
pub(super) struct Names {
    /// In front of rows.
    pub(super) rows: Vec<(usize, String)>,
    /// Above columns.
    pub(super) above: Vec<(usize, String)>,
    /// Below columns.
    pub(super) below: Vec<(usize, String)>,
}

impl Names {
    /// The canvas with the names around it.
    pub(super) fn around(&self, canvas: Vec<Vec<char>>) -> Vec<Vec<char>> {
        let room = self.rows.iter().map(|(_, name)| name.len() + 1).max().unwrap_or(0);
        let n_columns = canvas.iter().map(Vec::len).max().unwrap_or(0);
        let named = |names: &[(usize, String)]| {
            let mut row = vec![' '; room + n_columns + 2];
            names.iter().for_each(|(at, name)| put(&mut row, room + at, &name.chars().collect::<Vec<_>>()));
            row
        };
        let in_front = |(row, line): (usize, Vec<char>)| {
            let name = self.rows.iter().find(|(at, _)| *at == row).map_or("", |(_, name)| name);
            format!("{name:>0$} ", room.saturating_sub(1)).chars().take(room).chain(line).collect()
        };
        let above = (!self.above.is_empty()).then(|| named(&self.above));
        let below = (!self.below.is_empty()).then(|| named(&self.below));
        above.into_iter().chain(canvas.into_iter().enumerate().map(in_front)).chain(below).collect()
    }
}

/// A canvas as text, without blanks at the ends of rows.
pub(super) fn text(canvas: &[Vec<char>]) -> String {
    let rows: Vec<String> = canvas.iter().map(|row| row.iter().collect::<String>().trim_end().to_owned()).collect();
    rows.join("\n")
}

/// Writes a label into a row, from column `at` on.
pub(super) fn put(row: &mut [char], at: usize, label: &[char]) {
    row[at..at + label.len()].copy_from_slice(label);
}
