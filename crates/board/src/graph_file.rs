//! Graph files: any strings-and-coins graph as text.
//!
//! ```text
//!    # a triangle on a stick              blank lines and all text behind a '#' mean nothing
//!    coin a 0 0                           a coin, and where it is drawn: row and column, for all coins or for none
//!    coin b 0 2
//!    coin c 1 1
//!    string a b                           string 0, then 1, 2, ... in the order of the file
//!    string b c
//!    string c a
//!    string c ground                      several strings may have the same ends
//!    symmetry b a c                       where a symmetry takes each coin, in the order in which they are declared
//! ```
//! Strings are the lines of the board, coins its boxes. Symmetries are those declared and their products; of
//! strings with the same ends the first goes to the first. `docs/FORMAT.md` has the whole grammar.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::board::Coins;
use crate::graph::GraphString;
use crate::{Board, BoardError, BoardKind, BoxIdx, Graph, LineIdx, MAX_LINES};

/// Most coins of a graph: its scores fit a signed byte.
pub(crate) const MAX_COINS: usize = 127;
/// Most symmetries that the declared ones may generate.
pub(crate) const MAX_SYMMETRIES: usize = 128;

/// The word for the ground in a graph file.
const GROUND: &str = "ground";

impl Board {
    /// The board that the text of a graph file describes; `name` is where it comes from, and its positions are written
    /// `graph:name:HEX`.
    ///
    /// # Errors
    /// [`BoardError::BadGraph`] with the first line that is wrong, and why.
    pub fn from_graph_file(name: &str, text: &str) -> Result<Arc<Self>, BoardError> {
        let mut file = GraphFile::default();
        let mut last = 1;
        for (i, line) in text.lines().enumerate() {
            last = i + 1;
            let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
            file.read(i + 1, &words).map_err(|problem| BoardError::BadGraph { line: i + 1, problem })?;
        }
        file.finish(last).map(|board| Arc::new(Self { name: format!("{}:{name}", BoardKind::Graph), ..board }))
    }

    /// The text of a graph file that describes this board, the same for every file that differs in comments and spaces
    /// only; `None` for boards that have a name of their own.
    pub fn graph_file(&self) -> Option<String> {
        (self.kind == BoardKind::Graph).then(|| self.coins.text.clone())
    }
}

/// The part of a file that has been read.
#[derive(Default)]
struct GraphFile {
    coins: Coins,
    places: Vec<(usize, usize)>,
    /// The line at which each coin is declared.
    declared: Vec<usize>,
    strings: Vec<GraphString>,
    symmetries: Vec<(usize, Vec<BoxIdx>)>,
}

impl GraphFile {
    fn read(&mut self, line: usize, words: &[&str]) -> Result<(), String> {
        match words {
            [] => return Ok(()),
            ["coin", name, place @ ..] => self.coin(line, name, place)?,
            ["string", a, b] => self.string(a, b)?,
            ["string", ends @ ..] => return Err(format!("a string has two ends, found {}", ends.len())),
            ["symmetry", images @ ..] => {
                let images = images.iter().map(|name| self.find(name)).collect::<Result<_, _>>()?;
                self.symmetries.push((line, images));
            }
            [word, ..] => return Err(format!("expected coin, string or symmetry, found '{word}'")),
        }
        self.coins.text += &words.join(" ");
        self.coins.text.push('\n');
        Ok(())
    }

    fn coin(&mut self, line: usize, name: &str, place: &[&str]) -> Result<(), String> {
        if name == GROUND {
            return Err(format!("'{GROUND}' is no name for a coin: it stands for the ground"));
        }
        if self.find(name).is_ok() {
            return Err(format!("coin '{name}' is declared twice"));
        }
        if self.coins.names.len() == MAX_COINS {
            return Err(format!("too many coins: at most {MAX_COINS} can be described"));
        }
        match place {
            [] => {}
            [row, col] => {
                let number = |word: &str| match word.parse::<usize>() {
                    Ok(number) if number < 1000 => Ok(number),
                    _ => Err(format!("'{word}' is no row or column: expected a number from 0 to 999")),
                };
                let place = (number(row)?, number(col)?);
                if let Some(other) = self.places.iter().position(|&other| other == place) {
                    let other = &self.coins.names[other];
                    return Err(format!("coin '{name}' lies where coin '{other}' lies"));
                }
                self.places.push(place);
            }
            _ => return Err(format!("expected a row and a column after the name of coin '{name}', or nothing")),
        }
        self.coins.names.push(name.to_owned());
        self.declared.push(line);
        if !self.places.is_empty() && self.places.len() != self.coins.names.len() {
            return Err("either all coins have a row and a column or none".to_owned());
        }
        Ok(())
    }

    fn string(&mut self, a: &str, b: &str) -> Result<(), String> {
        let [a_end, b_end] = [self.end(a)?, self.end(b)?];
        if a_end == b_end {
            return Err(match a_end {
                Some(_) => format!("a string from coin '{a}' to itself"),
                None => "a string from the ground to itself".to_owned(),
            });
        }
        if self.strings.len() == MAX_LINES {
            return Err(format!("too many strings: at most {MAX_LINES} can be described"));
        }
        self.strings.push(GraphString::new(a_end, b_end, 0));
        Ok(())
    }

    fn end(&self, name: &str) -> Result<Option<BoxIdx>, String> {
        if name == GROUND { Ok(None) } else { self.find(name).map(Some) }
    }

    fn find(&self, name: &str) -> Result<BoxIdx, String> {
        let found = self.coins.names.iter().position(|known| known == name);
        found.ok_or_else(|| format!("unknown coin '{name}': declare it on a line above, 'coin {name}'"))
    }

    fn finish(self, last: usize) -> Result<Board, BoardError> {
        let bad = |line: usize, problem: String| BoardError::BadGraph { line, problem };
        if self.coins.names.is_empty() {
            return Err(bad(last, "there are no coins".to_owned()));
        }
        let graph = Graph::new(self.coins.names.len(), self.strings.clone());
        if let Some(idle) = graph.joints().iter().position(|joint| joint.strings.is_empty()) {
            return Err(bad(self.declared[idle], format!("coin '{}' has no string", self.coins.names[idle])));
        }
        let mut generators = Vec::new();
        for (line, images) in &self.symmetries {
            generators.push(self.string_map(images).map_err(|problem| bad(*line, problem))?);
        }
        let symmetries = group(graph.strings().len(), &generators).ok_or_else(|| {
            let line = self.symmetries.last().map_or(last, |(line, _)| *line);
            bad(line, format!("the symmetries generate more than {MAX_SYMMETRIES}: declare fewer"))
        })?;
        let places = (!self.places.is_empty()).then_some(self.places);
        Ok(Board { coins: self.coins, ..Board::new(BoardKind::Graph, graph, symmetries, places) })
    }

    /// The map of strings that a map of coins makes.
    fn string_map(&self, images: &[BoxIdx]) -> Result<Vec<LineIdx>, String> {
        let names = &self.coins.names;
        if images.len() != names.len() {
            return Err(format!(
                "a symmetry names the image of each of the {} coins, found {}",
                names.len(),
                images.len()
            ));
        }
        if let Some(twice) = (0..images.len()).find(|&i| images[..i].contains(&images[i])) {
            return Err(format!("this is no symmetry: two coins go to coin '{}'", names[images[twice]]));
        }
        let with_ends = |wanted: [Option<BoxIdx>; 2]| -> Vec<LineIdx> {
            (0..self.strings.len()).filter(|&i| self.strings[i].ends == wanted).collect()
        };
        let mut map = Vec::new();
        for (i, string) in self.strings.iter().enumerate() {
            let [a, b] = string.ends.map(|end| end.map(|coin| images[coin]));
            let (alike, image) = (with_ends(string.ends), with_ends(GraphString::new(a, b, 0).ends));
            if alike.len() != image.len() {
                let end = |end: Option<BoxIdx>| end.map_or(GROUND, |coin| &names[coin]);
                let [from, to] = string.ends.map(end);
                return Err(format!(
                    "this is no symmetry: from {from} to {to} there are strings: {}, between their images {} and {}: {}",
                    alike.len(),
                    end(a),
                    end(b),
                    image.len()
                ));
            }
            let nth = alike.iter().take_while(|&&other| other < i).count();
            map.push(image[nth]);
        }
        Ok(map)
    }
}

/// All products of the given maps of `n` strings, the identity first; `None` if there are too many.
fn group(n: usize, generators: &[Vec<LineIdx>]) -> Option<Vec<Vec<LineIdx>>> {
    let identity: Vec<LineIdx> = (0..n).collect();
    let mut known = BTreeSet::from([identity.clone()]);
    let mut front = vec![identity];
    while let Some(map) = front.pop() {
        for generator in generators {
            let product: Vec<LineIdx> = map.iter().map(|&image| generator[image]).collect();
            if known.insert(product.clone()) {
                front.push(product);
            }
        }
        if known.len() > MAX_SYMMETRIES {
            return None;
        }
    }
    // The identity is the least of all.
    Some(known.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KITE: &str = "
        # a triangle on a stick
        coin a 0 0
        coin b 0   2   # on the right
        coin c 1 1
        string a b
        string b c
        string c a
        string c ground
        symmetry b a c
    ";

    #[test]
    fn reads_a_graph() {
        let board = Board::from_graph_file("kite", KITE).unwrap();
        assert_eq!((board.n_boxes(), board.n_lines(), board.name()), (3, 4, "graph:kite"));
        assert_eq!(board.symmetries(), [vec![0, 1, 2, 3], vec![0, 2, 1, 3]]);
        assert_eq!(board.places(), Some(&[(0, 0), (0, 2), (1, 1)][..]));
        assert_eq!(board.coins(), ["a", "b", "c"]);
    }

    #[test]
    fn writes_what_it_reads() {
        let board = Board::from_graph_file("kite", KITE).unwrap();
        let text = board.graph_file().unwrap();
        assert!(text.starts_with("coin a 0 0\ncoin b 0 2\n"), "{text}");
        let again = Board::from_graph_file("other", &text).unwrap();
        assert_eq!((again.graph_file().unwrap(), again.symmetries()), (text, board.symmetries()));
        assert_eq!(again, board);
        assert_eq!(Board::grid(1, 1).unwrap().graph_file(), None);
    }

    #[test]
    fn symmetries_are_closed_under_products() {
        let ring = "coin a\ncoin b\ncoin c\ncoin d\nstring a b\nstring b c\nstring c d\nstring d a\n";
        let n = |more: &str| Board::from_graph_file("ring", &format!("{ring}{more}")).unwrap().symmetries().len();
        assert_eq!((n(""), n("symmetry b c d a"), n("symmetry b c d a\nsymmetry a d c b")), (1, 4, 8));
    }

    #[test]
    fn parallel_strings_keep_their_order() {
        let text = "coin a\ncoin b\nstring a ground\nstring b ground\nstring ground a\nstring ground b\nsymmetry b a";
        let board = Board::from_graph_file("two", text).unwrap();
        assert_eq!(board.symmetries()[1], [1, 0, 3, 2]);
    }

    #[track_caller]
    fn refused(text: &str, message: &str) {
        let error = Board::from_graph_file("bad", text).unwrap_err().to_string();
        assert_eq!(error, format!("graph file, {message}"));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        refused("", "line 1: there are no coins");
        refused("coin a\nstring a b", "line 2: unknown coin 'b': declare it on a line above, 'coin b'");
        refused("coin a\n\nstring a a", "line 3: a string from coin 'a' to itself");
        refused("coin a\nstring ground ground", "line 2: a string from the ground to itself");
        refused("coin a\nstring a", "line 2: a string has two ends, found 1");
        refused("coin a\ncoin a", "line 2: coin 'a' is declared twice");
        refused("coin ground", "line 1: 'ground' is no name for a coin: it stands for the ground");
        refused("coin", "line 1: expected coin, string or symmetry, found 'coin'");
        refused("edge a b", "line 1: expected coin, string or symmetry, found 'edge'");
        refused("coin a 0", "line 1: expected a row and a column after the name of coin 'a', or nothing");
        refused("coin a 0 -1", "line 1: '-1' is no row or column: expected a number from 0 to 999");
        refused("coin a 0 0\ncoin b", "line 2: either all coins have a row and a column or none");
        refused("coin a\ncoin b 0 0", "line 2: either all coins have a row and a column or none");
        refused("coin a 0 0\ncoin b 0 0", "line 2: coin 'b' lies where coin 'a' lies");
        refused("coin a\ncoin b\nstring a ground", "line 2: coin 'b' has no string");
        let many = format!("coin a\n{}", "string a ground\n".repeat(129));
        refused(&many, "line 130: too many strings: at most 128 can be described");
        let many: String = (0..128).map(|i| format!("coin c{i}\n")).collect();
        refused(&many, "line 128: too many coins: at most 127 can be described");
    }

    #[test]
    fn false_symmetries_are_refused() {
        let path = "coin a\ncoin b\ncoin c\nstring a b\nstring b c\nstring a ground\n";
        let check =
            |symmetry: &str, problem: &str| refused(&format!("{path}{symmetry}"), &format!("line 7: {problem}"));
        check(
            "symmetry c b a",
            "this is no symmetry: from ground to a there are strings: 1, between their images ground and c: 0",
        );
        check("symmetry a b", "a symmetry names the image of each of the 3 coins, found 2");
        check("symmetry a a b", "this is no symmetry: two coins go to coin 'a'");
        check("symmetry a b d", "unknown coin 'd': declare it on a line above, 'coin d'");
    }

    #[test]
    fn too_many_symmetries_are_refused() {
        // A star with seven equal rays has 5,040.
        let rays = ["a", "b", "c", "d", "e", "f", "g"];
        let mut text = "coin o\n".to_owned();
        rays.iter().for_each(|ray| text += &format!("coin {ray}\nstring o {ray}\n"));
        text += "symmetry o b a c d e f g\nsymmetry o b c d e f g a\n";
        refused(&text, "line 17: the symmetries generate more than 128: declare fewer");
    }
}
