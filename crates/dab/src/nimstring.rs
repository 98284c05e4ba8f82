//! The game of the last move on a board: the nimber of a position, of its moves and of its components.
//!
//! Nimbers come from [`dab_nimstring`], which keeps those that it has worked out.

use std::fmt::{self, Display};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use dab_board::components::Components;
use dab_board::notation::{Rim, diagram};
use dab_board::{LineIdx, Position};
use dab_nimstring::{Nimstring, NimstringError, Value};
use serde::{Serialize, Serializer};

use crate::details::NamedComponent;
use crate::text::{as_text, list, rows};
use crate::{Error, ErrorKind, Limits, Remedy};

/// Answers many questions side by side: each thread keeps the nimbers that it works out.
#[derive(Debug)]
pub struct NimTables {
    tables: Vec<Mutex<Nimstring>>,
}

impl NimTables {
    /// Tables of as many threads as the limits have, which together take at most about their memory.
    pub fn new(Limits { threads, memory, .. }: Limits) -> Self {
        Self { tables: (0..threads).map(|_| Mutex::new(Nimstring::new(memory / threads as u64))).collect() }
    }

    /// The number of components whose nimbers the first thread knows, which grows while it works.
    pub fn known(&self) -> Arc<AtomicUsize> {
        self.tables[0].lock().unwrap_or_else(PoisonError::into_inner).known()
    }

    /// Works out a position and all its moves.
    ///
    /// # Errors
    /// If a component is too large, or the nimbers to keep need more memory than there is; those of earlier positions are forgotten
    /// before that.
    pub fn answer(&self, position: &Position) -> Result<NimAnswer, Error> {
        let table = &self.tables[rayon::current_thread_index().unwrap_or(0) % self.tables.len()];
        let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = table.known().load(Ordering::Relaxed) == 0;
        let answer = NimAnswer::new(position, &mut table);
        if answer.is_ok() || is_new {
            return answer.map_err(too_little_memory);
        }
        table.forget();
        NimAnswer::new(position, &mut table).map_err(too_little_memory)
    }
}

fn too_little_memory(error: NimstringError) -> Error {
    let NimstringError::Memory { .. } = error;
    Error::new(ErrorKind::Limit, error.to_string()).with(Remedy::MoreMemory { bytes: None })
}

/// A position in nimstring, where boxes count nothing and a player who cannot move loses.
#[derive(Clone, Debug, Serialize)]
pub struct NimAnswer {
    #[serde(serialize_with = "as_text")]
    position: Position,
    /// Its nimber, or loony.
    #[serde(serialize_with = "as_number")]
    nimber: Value,
    wins: bool,
    moves: Vec<NimMove>,
    /// Boxes that can be captured.
    capturable: usize,
    /// The components that the capture run leaves.
    components: Vec<NimComponent>,
    /// The nimber of the components together.
    nim_sum: u8,
}

impl Display for NimAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, nimber, wins, moves, capturable, components, nim_sum } = self;
        let value = match nimber {
            Value::Nimber(nimber) => format!("nimber {nimber}"),
            Value::Loony => "loony".to_owned(),
        };
        let winner = if *wins { "wins" } else { "loses" };
        writeln!(f, "{position}: {value}, the player to move {winner}\n\n{}\n", picture(position, moves))?;
        let mut winning = moves.iter().filter(|m| m.wins).map(|m| &m.name).peekable();
        if winning.peek().is_some() {
            writeln!(f, "{}", rows("winning moves  ", winning))?;
        }
        if moves.iter().any(|m| m.nimber == Value::Loony) {
            writeln!(f, "L              loony")?;
        }
        let captured = (*capturable > 0).then(|| format!("{capturable} to be captured"));
        let named = components.iter().map(|component| format!("{}: {}", component.name, component.nimber));
        writeln!(f, "components     {}", list(captured.into_iter().chain(named), ", "))?;
        write!(f, "nim-sum        {nim_sum}")
    }
}

/// The position with the nimber of every move on its line, winning ones with a star.
fn picture(position: &Position, moves: &[NimMove]) -> String {
    diagram::draw(position, Rim::Names, |line| {
        let m = moves.iter().find(|m| m.line == line)?;
        let star = if m.wins { "*" } else { "" };
        Some(match m.nimber {
            Value::Nimber(nimber) => format!("{nimber}{star}"),
            Value::Loony => format!("L{star}"),
        })
    })
}

/// A move in nimstring.
#[derive(Clone, Debug, Serialize)]
struct NimMove {
    line: LineIdx,
    name: String,
    /// The nimber of the position that it leaves.
    #[serde(serialize_with = "as_number")]
    nimber: Value,
    wins: bool,
    captures: bool,
}

/// A component as if it were alone on the board.
#[derive(Clone, Debug, Serialize)]
struct NimComponent {
    /// Its name, as in `chain of 3`.
    name: String,
    nimber: u8,
    /// Its open lines, ascending.
    lines: Vec<LineIdx>,
}

/// A number, or null for a loony value.
fn as_number<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Value::Nimber(nimber) => serializer.serialize_u8(*nimber),
        Value::Loony => serializer.serialize_none(),
    }
}

impl NimAnswer {
    /// Works out a position and all its moves.
    ///
    /// # Errors
    /// If a component is too large, or the nimbers to keep need more memory than `nimstring` may use.
    fn new(position: &Position, nimstring: &mut Nimstring) -> Result<Self, NimstringError> {
        let nimber = nimstring.value(position)?;
        let moves = position.undrawn().iter().map(|line| {
            let (after, closed) = position.draw(line);
            let (nimber, captures) = (nimstring.value(&after)?, closed > 0);
            // After a capture it is still the same player's turn.
            let name = position.board().line_name(line).to_owned();
            Ok(NimMove { line, name, nimber, wins: nimber.is_win() == captures, captures })
        });
        let moves = moves.collect::<Result<_, NimstringError>>()?;
        let Components { capturable, components, .. } = Components::new(position);
        let board = position.board();
        let components = components.iter().map(|component| {
            let nimber = match nimstring.value_drawn(board.graph(), board.all() - component.lines())? {
                Value::Nimber(nimber) => nimber,
                Value::Loony => unreachable!("nothing can be captured in a component"),
            };
            let NamedComponent { name, lines, .. } = NamedComponent::new(component);
            Ok(NimComponent { name, nimber, lines })
        });
        let components: Vec<NimComponent> = components.collect::<Result<_, NimstringError>>()?;
        let nim_sum = components.iter().fold(0, |sum, component| sum ^ component.nimber);
        let position = position.clone();
        Ok(Self { position, nimber, wins: nimber.is_win(), moves, capturable, components, nim_sum })
    }
}
