//! `dab nimstring`: nimbers of positions, of their moves and of their components.

use std::fmt::{self, Write};
use std::io::{self, Write as _};

use dab::nimstring::{NimAnswer, NimMove, Nimstring, Value};
use dab_board::notation::diagram;
use dab_board::{LineIdx, Position};

use crate::options::Setting;
use crate::output::list;

pub(crate) fn run(positions: &[Position], setting: &Setting) -> anyhow::Result<()> {
    let mut nimstring = Nimstring::new(setting.memory);
    for (i, position) in positions.iter().enumerate() {
        let answer = NimAnswer::new(position, &mut nimstring)?;
        // Texts are set apart by an empty line.
        if i > 0 && !setting.output.json {
            io::stdout().lock().write_all(b"\n")?;
        }
        setting.output.print(&answer, text)?;
    }
    Ok(())
}

fn picture(position: &Position, moves: &[NimMove]) -> String {
    diagram::draw(position, |line| {
        let m = moves.iter().find(|m| m.line == line)?;
        let star = if m.wins { "*" } else { "" };
        Some(match m.nimber {
            Value::Nimber(nimber) => format!("{nimber}{star}"),
            Value::Loony => format!("L{star}"),
        })
    })
}

fn text(answer: &NimAnswer, f: &mut String) -> fmt::Result {
    let NimAnswer { position, nimber, wins, moves, capturable, components, nim_sum } = answer;
    let value = match nimber {
        Value::Nimber(nimber) => format!("nimber {nimber}"),
        Value::Loony => "loony".to_owned(),
    };
    let winner = if *wins { "wins" } else { "loses" };
    writeln!(f, "{position}: {value}, the player to move {winner}\n\n{}\n", picture(position, moves))?;
    let winning: Vec<LineIdx> = moves.iter().filter(|m| m.wins).map(|m| m.line).collect();
    if !winning.is_empty() {
        writeln!(f, "winning moves  {}", list(winning, " "))?;
    }
    if moves.iter().any(|m| m.nimber == Value::Loony) {
        writeln!(f, "L              loony")?;
    }
    let captured = (*capturable > 0).then(|| format!("{capturable} to be captured"));
    let named = components.iter().map(|component| format!("{}: {}", component.name, component.nimber));
    writeln!(f, "components     {}", list(captured.into_iter().chain(named), ", "))?;
    write!(f, "nim-sum        {nim_sum}")
}
