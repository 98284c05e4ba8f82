//! `dab nimstring`: nimbers of positions, of their moves and of their components.

use std::fmt::{self, Write};
use std::io::{self, Write as _};
use std::sync::atomic::Ordering;

use dab::batch::Parser;
use dab::nimstring::{NimAnswer, NimMove, NimTables, Nimstring, Value};
use dab_board::Position;
use dab_board::notation::{Rim, diagram};

use super::batch;
use crate::failure::Result;
use crate::options::Setting;
use crate::output::{Count, json_line, list, rows};
use crate::progress::Heartbeat;
use crate::{args, input};

pub(crate) fn run(args: &args::Nimstring, setting: &Setting) -> Result<()> {
    let setting = setting.for_batch(&args.batch);
    let read = |text: &String| input::position(text, args.told.get());
    let positions = args.positions.iter().map(read).collect::<Result<Vec<Position>>>()?;
    let mut nimstring = Nimstring::new(setting.memory);
    let known = nimstring.known();
    let heartbeat =
        Heartbeat::new(move || format!("{} components known", Count(known.load(Ordering::Relaxed) as u128)));
    for (i, position) in positions.iter().enumerate() {
        let answer = NimAnswer::new(position, &mut nimstring)?;
        // Texts are set apart by an empty line.
        if i > 0 && !setting.output.json {
            io::stdout().lock().write_all(b"\n")?;
        }
        setting.output.print(&answer, text)?;
    }
    drop((heartbeat, nimstring));
    let (tables, parser) = (NimTables::new(setting.threads, setting.memory), Parser::new(None, args.told.get()));
    batch::run(&args.batch, |line, _, out| {
        json_line(&tables.answer(&parser.parse(line)?.position)?, out)?;
        Ok(true)
    })
}

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

fn text(answer: &NimAnswer, f: &mut String) -> fmt::Result {
    let NimAnswer { position, nimber, wins, moves, capturable, components, nim_sum } = answer;
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
