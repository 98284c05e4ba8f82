//! Files that are mapped answer as files that are read by position.

use crate::{Access, Files, IndexLimits, Position, Tablebase};

#[test]
fn books_and_runs_answer_alike() -> Result<(), crate::Error> {
    let dir = tempfile::tempdir().unwrap();
    crate::solve("2x3".parse::<Position>()?).into_dir(dir.path())?;
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/books/4x4.book");
    for path in [dir.path(), book.as_ref()] {
        // SAFETY: this test alone has the run, and nobody changes the book.
        let access = unsafe { Access::mapped() };
        let mapped = Tablebase::from_files(Files::open_with(path, access)?, IndexLimits::default())?;
        let by_position = Tablebase::open(path)?;
        let drawn = by_position.sample(200, None, 1)?;
        assert_eq!(mapped.probe_many(&drawn)?, by_position.probe_many(&drawn)?);
        for &drawn in &drawn[..20] {
            let position = Position::new(mapped.board().clone(), drawn)?;
            assert_eq!(mapped.probe(&position)?, by_position.probe(&position)?);
        }
    }
    Ok(())
}
