//! `dab nimstring`: nimbers of positions, of their moves and of their components.

use std::sync::atomic::Ordering;

use dab::{Limits, NimTables};
use dab_board::Position;

use super::batch;
use crate::failure::Result;
use crate::options::Setting;
use crate::output::{Count, json_line};
use crate::progress::Heartbeat;
use crate::{args, input};

pub(crate) fn run(args: &args::Nimstring, setting: &Setting) -> Result<()> {
    let setting = setting.for_batch(&args.batch);
    let read = |text: &String| input::position(text, args.told.get());
    let positions = args.positions.iter().map(read).collect::<Result<Vec<Position>>>()?;
    let nimbers = NimTables::new(Limits { threads: 1, ..setting.limits() });
    let known = nimbers.known();
    let heartbeat =
        Heartbeat::new(move || format!("{} components known", Count(known.load(Ordering::Relaxed) as u128)));
    for (i, position) in positions.iter().enumerate() {
        let answer = nimbers.answer(position)?;
        setting.output.set_apart(i)?;
        setting.output.print(&answer)?;
    }
    drop((heartbeat, nimbers));
    let (tables, parser) = (NimTables::new(setting.limits()), batch::Parser::new(None, args.told.get()));
    batch::run(&args.batch, |line, _, out| {
        json_line(&tables.answer(&parser.parse(line)?.position)?, out)?;
        Ok(true)
    })
}
