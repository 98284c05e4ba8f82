//! `dab info`: the contents of a run or a book, or the books that are found without being named.

use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

use dab::Files;
use serde::Serialize;

use crate::failure::Result;
use crate::options::Setting;
use crate::output::Count;

/// The shipped books, and the directories in which they are looked for.
#[derive(Serialize)]
struct ShippedBooks {
    books: Vec<ShippedBook>,
    directories: Vec<PathBuf>,
}

#[derive(Serialize)]
struct ShippedBook {
    path: String,
    board: String,
    start: String,
    penalty: i8,
    first_layer: usize,
    last_layer: usize,
    /// Layers of the run that it was made from.
    n_layers: usize,
    bytes: u64,
}

pub(crate) fn run(path: Option<&Path>, setting: &Setting) -> Result<()> {
    if let Some(path) = path {
        return setting.output.print(&Files::open(path)?.summary());
    }
    let book = |path: PathBuf| {
        let book = Files::open(path)?.summary();
        Ok(ShippedBook {
            path: book.path,
            board: book.board,
            start: book.start,
            penalty: book.penalty,
            first_layer: 0,
            last_layer: book.layers.len() - 1,
            n_layers: book.n_layers,
            bytes: book.bytes,
        })
    };
    let books = dab::shipped_books()?.into_iter().map(book).collect::<Result<_>>()?;
    setting.output.print_as(&ShippedBooks { books, directories: dab::book_dirs() }, text)
}

fn text(ShippedBooks { books, directories }: &ShippedBooks, f: &mut String) -> fmt::Result {
    if books.is_empty() {
        let directories: Vec<_> = directories.iter().map(|directory| directory.to_string_lossy()).collect();
        return write!(f, "no books in {}", directories.join(", "));
    }
    let width = |text: fn(&ShippedBook) -> &String, title: &str| {
        books.iter().map(|book| text(book).len()).max().unwrap_or(0).max(title.len())
    };
    let (board, start) = (width(|book| &book.board, "board"), width(|book| &book.start, "start"));
    write!(f, "{:board$}  {:start$}  penalty  layers    of       bytes  book", "board", "start")?;
    for book in books {
        let layers = format!("{}-{}", book.first_layer, book.last_layer);
        let bytes = Count(book.bytes.into());
        write!(
            f,
            "\n{:board$}  {:start$}  {:>7}  {layers:>6}  {:>4}  {bytes:>10}  {}",
            book.board, book.start, book.penalty, book.n_layers, book.path
        )?;
    }
    Ok(())
}
