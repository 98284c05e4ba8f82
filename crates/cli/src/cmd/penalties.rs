//! `dab penalties`: how scores and best moves change with the last-move penalty.

use dab::{Answer, OnDemandSolve, Penalties, Question};
use dab_board::Position;
use dab_space::Rules;

use super::on_demand::{Asking, with_remedy};
use crate::failure::{Result, wrong};
use crate::options::Setting;

pub(crate) fn run(position: &Position, to: Option<i32>, setting: &Setting) -> Result<()> {
    let to = to.unwrap_or(position.open_boxes() as i32 + 1);
    Rules::for_start(position, to)?;
    let remedy = || format!("'dab solve {position} --penalty P' solves it for one penalty");
    let solve = OnDemandSolve::new(position, 0, setting.limits(), &())?;
    solve.check((to + 1).unsigned_abs()).map_err(|error| with_remedy(error, &remedy))?;
    let asking = Asking::without_tables(setting);
    let answer = |penalty| asking.answer(Question { position, penalty: Some(penalty), marks: false }, &remedy);
    let (mut answers, mut stopped) = (Vec::<Answer>::new(), Ok(()));
    for penalty in 0..=to {
        match answer(penalty) {
            Ok(answer) => answers.push(answer),
            Err(error) => {
                stopped = Err(error);
                break;
            }
        }
    }
    // The rows that were found are shown in any case.
    if !answers.is_empty() {
        let report = Penalties::new(position, &answers);
        setting.output.print(&report)?;
        report.check().map_err(wrong)?;
    }
    stopped
}
