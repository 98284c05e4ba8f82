//! `dab nimstring`: nimbers of positions, of their moves and of their parts.

use std::fmt::{self, Display};
use std::io::{self, Write};

use dab::nimstring::{NimAnswer, NimComponent, NimMove, Nimstring, Value};
use dab_board::notation::diagram;
use dab_board::{LineIdx, Position};
use serde::{Serialize, Serializer};

use crate::options::Setting;
use crate::output::{list, part};

#[derive(Serialize)]
struct Report {
    position: String,
    #[serde(serialize_with = "nimber")]
    nimber: Value,
    wins: bool,
    moves: Vec<Move>,
    /// Boxes that can be captured.
    capturable: usize,
    components: Vec<Part>,
    /// Nimber of the components together.
    nim_sum: u8,
    #[serde(skip)]
    picture: String,
}

#[derive(Serialize)]
struct Move {
    line: LineIdx,
    /// Nimber of the position that the move leaves.
    #[serde(serialize_with = "nimber")]
    nimber: Value,
    wins: bool,
    /// Whether it closes a box.
    captures: bool,
}

/// A component that the capture run leaves.
#[derive(Serialize)]
struct Part {
    name: String,
    nimber: u8,
    lines: Vec<LineIdx>,
}

pub(crate) fn run(positions: &[Position], setting: &Setting) -> anyhow::Result<()> {
    let mut nimstring = Nimstring::new(setting.memory);
    for (i, position) in positions.iter().enumerate() {
        let mut text = Vec::new();
        // Texts are set apart by an empty line.
        if i > 0 && !setting.output.json {
            text.push(b'\n');
        }
        setting.output.write(&Report::new(position, NimAnswer::new(position, &mut nimstring)?), &mut text)?;
        io::stdout().lock().write_all(&text)?;
    }
    Ok(())
}

impl Report {
    fn new(position: &Position, answer: NimAnswer) -> Self {
        let NimAnswer { value, moves, capturable, components, nim_sum } = answer;
        let picture = picture(position, &moves);
        let of_move = |NimMove { line, value, wins, captures }| Move { line, nimber: value, wins, captures };
        let of_component = |NimComponent { component, nimber }| Part {
            name: part(&component),
            nimber,
            lines: component.lines().iter().collect(),
        };
        Self {
            position: position.to_string(),
            nimber: value,
            wins: value.is_win(),
            moves: moves.into_iter().map(of_move).collect(),
            capturable,
            components: components.into_iter().map(of_component).collect(),
            nim_sum,
            picture,
        }
    }
}

fn picture(position: &Position, moves: &[NimMove]) -> String {
    diagram::draw(position, |line| {
        let m = moves.iter().find(|m| m.line == line)?;
        let star = if m.wins { "*" } else { "" };
        Some(match m.value {
            Value::Nimber(nimber) => format!("{nimber}{star}"),
            Value::Loony => format!("L{star}"),
        })
    })
}

/// A number, or null for what is loony.
fn nimber<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Value::Nimber(nimber) => serializer.serialize_u8(*nimber),
        Value::Loony => serializer.serialize_none(),
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match self.nimber {
            Value::Nimber(nimber) => format!("nimber {nimber}"),
            Value::Loony => "loony".to_owned(),
        };
        let winner = if self.wins { "wins" } else { "loses" };
        writeln!(f, "{}: {value}, the player to move {winner}\n\n{}\n", self.position, self.picture)?;
        let winning: Vec<LineIdx> = self.moves.iter().filter(|m| m.wins).map(|m| m.line).collect();
        if !winning.is_empty() {
            writeln!(f, "winning moves  {}", list(winning, " "))?;
        }
        if self.moves.iter().any(|m| m.nimber == Value::Loony) {
            writeln!(f, "L              loony")?;
        }
        let captured = (self.capturable > 0).then(|| format!("{} to be captured", self.capturable));
        let parts = self.components.iter().map(|part| format!("{}: {}", part.name, part.nimber));
        writeln!(f, "components     {}", list(captured.into_iter().chain(parts), ", "))?;
        write!(f, "nim-sum        {}", self.nim_sum)
    }
}
