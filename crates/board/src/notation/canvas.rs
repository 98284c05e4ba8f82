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

/// A canvas as text, without blanks at the ends of rows.
pub(super) fn text(canvas: &[Vec<char>]) -> String {
    let rows: Vec<String> = canvas.iter().map(|row| row.iter().collect::<String>().trim_end().to_owned()).collect();
    rows.join("\n")
}

/// Writes a label into a row, from column `at` on.
pub(super) fn put(row: &mut [char], at: usize, label: &[char]) {
    row[at..at + label.len()].copy_from_slice(label);
}
