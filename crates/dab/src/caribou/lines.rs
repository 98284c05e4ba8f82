//! The outlook of every line: boxes that it closes and gives away, what it opens, and who will be in control by Rule 6.

use dab_board::capture::Decline;
use dab_board::{LineIdx, Position};
use serde::Serialize;

use super::order::Order;

/// The outlook of a line of a position.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Outlook {
    line: LineIdx,
    name: String,
    /// Boxes that it closes.
    closes: u8,
    /// Boxes that can be captured next: by the same player if it closes a box, else by the other one.
    capturable: u8,
    /// `chain` or `loop`, if the last boxes of these can be handed out.
    #[serde(skip_serializing_if = "Option::is_none")]
    opens: Option<&'static str>,
    /// Long chains and loops that the order has then, without those that can be captured.
    long_chains: usize,
    loops: usize,
    /// Whether the player who draws it will be in control.
    controls: bool,
}

/// The outlook of every line, ascending.
pub(crate) fn outlooks(position: &Position) -> Vec<Outlook> {
    let of_line = |line| {
        let (next, closes) = position.draw(line);
        let run = next.capture_run();
        let order = Order::new(position.board().graph(), run.after);
        // A player who may hand out chooses; another one takes all and moves on.
        let mover_controls = run.decline != Decline::None || order.mover_controls();
        Outlook {
            line,
            name: position.board().line_name(line).to_owned(),
            closes,
            capturable: run.boxes,
            opens: match run.decline {
                Decline::None => None,
                Decline::Two => Some("chain"),
                Decline::Four => Some("loop"),
            },
            long_chains: order.count(Decline::Two),
            loops: order.count(Decline::Four),
            controls: mover_controls == (closes > 0),
        }
    };
    position.undrawn().iter().map(of_line).collect()
}
