//! Addresses of the page of `dab serve`: the part behind `#`, with or without the rest of the address.
//!
//! ```text
//!    http://127.0.0.1:3220/#p=3x3:0&m=0.12.4&side=B&a=1&b=2&penalty=1
//!    p        the start, compact              a, b      masks of the boxes of A and B in the start
//!    m        the lines drawn since           penalty   the last-move penalty
//!    side     B, if B was to move in the start
//! ```
//! All fields but `p` may be missing.

use std::borrow::Cow;

use super::compact;
use super::cursor::Cursor;
use super::grid::draw;
use super::{Context, Notation, NotationError, Side, Transcript};
use crate::error::shown;
use crate::{LineIdx, LineSet};

const NOTATION: Notation = Notation::Address;

/// The fields of an address, decoded; `None` if the text is none.
fn fields(text: &str) -> Option<impl Iterator<Item = (&str, Cow<'_, str>)>> {
    let text = text.trim();
    let (before, fields) = text.split_once('#')?;
    let is_address = before.is_empty() || before.starts_with("http://") || before.starts_with("https://");
    let is_one = is_address && !text.contains(char::is_whitespace);
    let field = |field| str::split_once(field, '=').map_or((field, "".into()), |(name, text)| (name, decoded(text)));
    is_one.then(|| fields.split('&').map(field))
}

/// Whether a text is an address with a position.
pub(super) fn is_address(text: &str) -> bool {
    head(text).is_some()
}

/// The start in an address.
pub(super) fn head(text: &str) -> Option<Cow<'_, str>> {
    fields(text)?.find(|(name, _)| *name == "p").map(|(_, position)| position)
}

/// Text without `%3A` and the like.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return text.into();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        match after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend(rest.bytes());
    String::from_utf8_lossy(&bytes).into_owned().into()
}

pub(super) fn read(text: &str, context: Context<'_>) -> Result<Transcript, NotationError> {
    let place = Cursor::new(NOTATION, text).place();
    let missing = || place.error("there is no position in this address: expected #p=3x3:0 or the like");
    let fields: Vec<(&str, Cow<'_, str>)> = fields(text).ok_or_else(missing)?.collect();
    let field = |wanted: &str| fields.iter().find(|(name, _)| *name == wanted).map(|(_, text)| text.as_ref());
    let start = compact::read(field("p").ok_or_else(missing)?, context)?;
    let side = match field("side") {
        None | Some("A") => Side::A,
        Some("B") => Side::B,
        Some(other) => return Err(place.error(format!("side is '{}': expected A or B", shown(other)))),
    };
    let boxes = LineSet::first(start.board().n_boxes());
    let captured = ["a", "b"].map(|player| match field(player) {
        None => Ok(LineSet::EMPTY),
        Some(mask) => {
            let mask = u128::from_str_radix(mask, 16).map(LineSet).ok().filter(|mask| mask.is_subset(boxes));
            mask.ok_or_else(|| place.error(format!("{player} is no mask of boxes of {}", start.board().kind())))
        }
    });
    let [a, b] = captured;
    let wrong = |text: &str| place.error(format!("penalty is '{}': expected a number from 0 to 127", shown(text)));
    let penalty = field("penalty").map(|text| text.parse::<u8>().ok().filter(|&p| p < 128).ok_or_else(|| wrong(text)));
    let mut game = Transcript::with(start, side, [a?, b?], penalty.transpose()?);
    for number in field("m").unwrap_or_default().split('.').filter(|number| !number.is_empty()) {
        let last = game.start().board().n_lines() - 1;
        let line: Option<LineIdx> = number.parse().ok().filter(|&line| line <= last);
        let line =
            line.ok_or_else(|| place.error(format!("'{}' is no line: expected a number up to {last}", shown(number))))?;
        draw(&mut game, line, &format!("line {number}"), place)?;
    }
    Ok(game)
}

pub(super) fn write(transcript: &Transcript) -> String {
    let mut text = format!("#p={}", encoded(&transcript.start().to_string()));
    let moves: Vec<String> = transcript.moves().iter().map(ToString::to_string).collect();
    if !moves.is_empty() {
        text += &format!("&m={}", moves.join("."));
    }
    if transcript.side() == Side::B {
        text += "&side=B";
    }
    for (player, boxes) in ["a", "b"].into_iter().zip(transcript.captured_at_start()) {
        if boxes != LineSet::EMPTY {
            text += &format!("&{player}={:x}", boxes.0);
        }
    }
    if let Some(penalty) = transcript.penalty().filter(|&penalty| penalty > 0) {
        text += &format!("&penalty={penalty}");
    }
    text
}

/// Text as addresses have it.
fn encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~:/".contains(&byte);
    text.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_decoded() {
        assert_eq!(decoded("graph%3Amy%20kite%"), "graph:my kite%");
        assert_eq!(decoded(&encoded("graph:a b/ü#1&2.txt:1f")), "graph:a b/ü#1&2.txt:1f");
        assert_eq!(head("http://localhost:1/#m=1&p=3x3%3A0").as_deref(), Some("3x3:0"));
        assert_eq!(head("3x3#p=3x3"), None);
    }

    #[test]
    fn every_field_counts() {
        let text = "#p=1x2:1d&m=5.1&side=B&a=1&penalty=3";
        let game = read(text, Context::default()).unwrap();
        assert_eq!((game.start().to_string().as_str(), game.moves()), ("1x2:1d", &[5, 1][..]));
        assert_eq!((game.side(), game.penalty(), write(&game).as_str()), (Side::B, Some(3), text));
    }
}
