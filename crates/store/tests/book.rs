//! A book says what its run says, and no damage to it goes unnoticed.

use super::common;

use std::fs;
use std::path::Path;
use std::sync::{Arc, Barrier};
use std::thread;

use crate::{BookFile, RunDir, ScoreRead, StoreError};
use common::fault::Faulty;
use common::{Slabs, finished_run, game, layers, run_of_two_files};
use dab_space::{Layer, SlabId};

/// A book of the layers 0 and 1 of three, its bytes and its layers.
fn with_book(check: impl Fn(&Path, &[u8], &[Slabs])) {
    let game = game("2x2", 0);
    let layers = layers(&game);
    let directory = tempfile::tempdir().unwrap();
    let run = finished_run(&directory.path().join("run"), &game, &layers);
    let path = directory.path().join("2x2.book");
    BookFile::make(&run, Layer(1), &path).unwrap();
    check(&path, &fs::read(&path).unwrap(), &layers[..2]);
}

/// Opens a book and checks every byte of it.
fn verify(path: &Path) -> Result<BookFile, StoreError> {
    let book = BookFile::open(path)?;
    (0..=book.last_layer().0).try_for_each(|layer| book.stored_layer(Layer(layer))?.verify())?;
    Ok(book)
}

/// Asserts that a result is an error whose message has all these parts.
#[track_caller]
fn refused<T>(result: Result<T, StoreError>, parts: &[&str]) {
    let Err(error) = result else { panic!("expected an error") };
    let error = error.to_string();
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
}

#[test]
fn a_book_says_what_its_run_says() {
    let directory = tempfile::tempdir().unwrap();
    for penalty in [0, 1] {
        let game = game("2x2", penalty);
        let layers = layers(&game);
        let run = finished_run(&directory.path().join(penalty.to_string()), &game, &layers);
        for last in 0..3 {
            let path = directory.path().join(format!("{penalty}-{last}.book"));
            let book = BookFile::make(&run, Layer(last), &path).unwrap();
            assert_eq!((book.game(), book.n_layers(), book.last_layer()), (&game, 3, Layer(last)));
            assert_eq!((book.path(), Some(book.digest())), (&*path, run.digest()));
            // The slab in tiles, in layer 1, is coded anew.
            let foretold = BookFile::byte_len(&run, Layer(last)).unwrap();
            let off = foretold.abs_diff(fs::metadata(&path).unwrap().len());
            assert!(off == 0 || last > 0 && off < 64, "{off} bytes");
            let book = verify(&path).unwrap();
            for (layer, slabs) in layers.iter().enumerate() {
                if layer <= last {
                    slabs.check(&book, Layer(layer));
                    let [here, there] = [book.finished(Layer(layer)), run.finished(Layer(layer))].map(Option::unwrap);
                    assert_eq!((here.positions, here.digest), (there.positions, there.digest));
                } else {
                    assert!(!book.is_finished(Layer(layer)));
                    let shape = slabs.shapes()[0];
                    refused(
                        book.read_score(SlabId::new(layer, 0), shape, 0, 0),
                        &[&format!("layers 0 to {last} and not layer")],
                    );
                }
            }
            refused(book.stored_layer(Layer(3)), &["3 layers and no layer 3"]);
        }
    }
}

#[test]
fn layers_without_tiles_are_as_long_as_those_of_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let game = game("2x2", 0);
    let layers = layers(&game);
    for run in [
        finished_run(&directory.path().join("one"), &game, &layers),
        run_of_two_files(&directory.path().join("two"), &game, &layers),
    ] {
        let book = BookFile::make(&run, Layer(2), &run.path().join("book")).unwrap();
        for layer in [0, 2] {
            assert_eq!(book.finished(Layer(layer)), run.finished(Layer(layer)));
        }
        layers.iter().enumerate().for_each(|(layer, slabs)| slabs.check(&book, Layer(layer)));
    }
}

#[test]
fn flipped_bits_of_every_byte_are_detected() {
    check_flips(7);
}

#[test]
#[ignore = "long: every bit of a book"]
fn every_flipped_bit_is_detected() {
    check_flips(1);
}

/// Flips bits, one at a time: every one, or with a step of 7 at least one of each byte.
fn check_flips(step: usize) {
    with_book(|path, bytes, layers| {
        for bit in (0..8 * bytes.len()).step_by(step) {
            let mut flipped = bytes.to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(path, flipped).unwrap();
            assert!(verify(path).is_err(), "bit {bit}");
            let Ok(book) = BookFile::open(path) else { continue };
            for (layer, slabs) in layers.iter().enumerate() {
                for (slab, (shape, scores)) in slabs.shapes().into_iter().zip(&slabs.scores).enumerate() {
                    // Of the tile, whose scores are decoded one after the other, some will do.
                    for (i, score) in scores.iter().enumerate().step_by(1 + scores.len() / 50) {
                        if let Ok(read) =
                            book.read_score(SlabId::new(layer, slab), shape, i / shape.cols(), i % shape.cols())
                        {
                            assert_eq!(read, *score, "bit {bit}");
                        }
                    }
                }
            }
        }
    });
}

#[test]
fn every_truncation_and_zero_filled_tail_is_detected() {
    with_book(|path, bytes, _| {
        for len in 0..bytes.len() {
            fs::write(path, &bytes[..len]).unwrap();
            refused(BookFile::open(path), &["2x2.book is damaged"]);
            let mut zero_filled = bytes[..len].to_vec();
            zero_filled.resize(bytes.len(), 0);
            fs::write(path, &zero_filled).unwrap();
            assert!(BookFile::open(path).is_err(), "{len}");
        }
        fs::write(path, [bytes, b"more"].concat()).unwrap();
        refused(BookFile::open(path), &["2x2.book is damaged"]);
    });
}

#[test]
fn errors_name_file_layer_slab_and_block() {
    with_book(|path, bytes, layers| {
        // Before directory and footer of the book: directory and footer of layer 1, which has three slabs.
        let end = bytes.len() - common::BOOK_TAIL - 28 - 3 * (common::FRONT - 8);
        let mut flipped = bytes.to_vec();
        flipped[end - 1] ^= 1;
        fs::write(path, flipped).unwrap();
        let book = BookFile::open(path).unwrap();
        let error = &["2x2.book, layer 1, slab 2, block 2 is damaged: checksum"];
        refused(book.read_slab(SlabId::new(1, 2), layers[1].shapes()[2]), error);
        refused(verify(path), error);
        layers[0].check(&book, Layer(0));
    });
}

#[test]
fn other_versions_are_named() {
    with_book(|path, bytes, _| {
        let mut newer = bytes.to_vec();
        newer[8] = 9;
        fs::write(path, &newer).unwrap();
        refused(BookFile::open(path), &["2x2.book is damaged: checksum of the header"]);
        let game_end = 24 + u32::from_le_bytes(newer[20..24].try_into().unwrap()) as usize;
        let crc = crc32fast::hash(&newer[..game_end]);
        newer[game_end..game_end + 4].copy_from_slice(&crc.to_le_bytes());
        fs::write(path, newer).unwrap();
        assert!(matches!(BookFile::open(path), Err(StoreError::Version { expected: 5, got: 9, .. })));
    });
}

#[test]
fn only_finished_and_intact_runs_become_books() {
    let directory = tempfile::tempdir().unwrap();
    let (run_path, book) = (directory.path().join("run"), directory.path().join("book"));
    let game = game("2x2", 0);
    let layers = layers(&game);
    let run = RunDir::create_or_resume(&run_path, &game, 3).unwrap();
    layers[2].write(&run, Layer(2)).unwrap();
    refused(BookFile::make(&run, Layer(1), &book), &["layer 0 of", "run is not solved yet"]);
    drop(run);
    let run = finished_run(&run_path, &game, &layers);
    refused(BookFile::make(&run, Layer(3), &book), &["3 layers and no layer 3"]);
    refused(BookFile::make(&run, Layer(1), &directory.path().join("no/book")), &["cannot create", "no/book."]);

    let file = run_path.join("layer-01.score");
    let intact = fs::read(&file).unwrap();
    let mut flipped = intact.clone();
    flipped[300] ^= 1;
    fs::write(&file, flipped).unwrap();
    refused(
        BookFile::make(&RunDir::open(&run_path).unwrap(), Layer(1), &book),
        &["layer-01.score, slab", "is damaged"],
    );
    assert!(!book.exists());

    fs::write(&file, intact).unwrap();
    let run = RunDir::open(&run_path).unwrap();
    BookFile::make(&run, Layer(1), &book).unwrap();
    refused(BookFile::make(&run, Layer(0), &book), &["book is already there"]);
    assert_eq!(verify(&book).unwrap().last_layer(), Layer(1));
}

/// Names of the files in a directory, ascending.
fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

#[test]
fn of_several_books_of_one_name_one_is_made_and_whole() {
    let directory = tempfile::tempdir().unwrap();
    let game = game("2x2", 0);
    let run = finished_run(&directory.path().join("run"), &game, &layers(&game));
    for round in 0..20 {
        let books = directory.path().join(round.to_string());
        fs::create_dir(&books).unwrap();
        let (path, begin) = (books.join("book"), Barrier::new(4));
        let make = &|last: usize| {
            begin.wait();
            BookFile::make(&run, Layer(last), &path).map(|book| book.last_layer().0)
        };
        let made: [Result<usize, StoreError>; 4] = thread::scope(|scope| {
            [0, 1, 2, 2].map(|last| scope.spawn(move || make(last))).map(|maker| maker.join().unwrap())
        });
        let done: Vec<usize> = made.iter().flatten().copied().collect();
        assert_eq!(done, [verify(&path).unwrap().last_layer().0], "round {round}");
        let is_refused = |made: &Result<usize, StoreError>| matches!(made, Ok(_) | Err(StoreError::Exists { .. }));
        assert!(made.iter().all(is_refused), "{made:?}");
        assert_eq!(names(&books), ["book"]);
    }
}

#[test]
fn a_file_that_is_made_meanwhile_stays() {
    let directory = tempfile::tempdir().unwrap();
    let game = game("2x2", 0);
    let run = finished_run(&directory.path().join("run"), &game, &layers(&game));
    let path = directory.path().join("book");
    let made = BookFile::make_on(Arc::new(Faulty::overtaken()), &run, Layer(1), &path);
    refused(made, &["book is already there"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "made by somebody else");
    assert_eq!(names(directory.path()), ["book", "run"]);
}
