//! Panics of this program as errors: a defect that one start meets must not end the program that asked.
//!
//! The shape of a start decides which tables are made and which places of them are looked up. That all of these exist follows from
//! the rules; where the types do not say so, a panic means that the program contradicts itself. `cli/tests/panics.tsv` lists these
//! places.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of `work`, or what a panic in it said. The panic is reported as usual; nothing that `work` changed may be relied on.
///
/// # Errors
/// If `work` panics.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|said| text(&*said))
}

fn text(said: &(dyn Any + Send)) -> String {
    let text = said.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| said.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_their_text() {
        assert_eq!(caught(|| 7), Ok(7));
        assert_eq!(caught(|| -> u8 { panic!("no such waist") }), Err("no such waist".to_owned()));
        let waist = std::hint::black_box(3);
        assert_eq!(caught(|| -> u8 { panic!("no waist {waist}") }), Err("no waist 3".to_owned()));
        assert_eq!(caught(|| -> u8 { std::panic::panic_any(waist) }), Err("a panic".to_owned()));
    }
}
