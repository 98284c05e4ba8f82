//! Solves a board in memory with a bar; the Enter key cancels it.
//!
//!     cargo run --release -p dab-solver --example solve_cancel -- 3x4
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
static IS_CANCELLED: AtomicBool = AtomicBool::new(false);
struct Bar(AtomicU64, AtomicU64);
impl dab::Observer for Bar {
    fn total(&self, n: u64) {
        self.1.store(n, Relaxed);
    }
    fn positions(&self, n: u64) {
        eprint!("\r{} of {} positions", self.0.fetch_add(n, Relaxed) + n, self.1.load(Relaxed));
    }
    fn should_stop(&self) -> bool {
        IS_CANCELLED.load(Relaxed)
    }
}
fn main() -> Result<(), dab::Error> {
    std::thread::spawn(|| IS_CANCELLED.store(std::io::stdin().lines().next().is_some(), Relaxed));
    let start: dab::Position = std::env::args().nth(1).as_deref().unwrap_or("3x3").parse()?;
    let table = dab::Solve { observer: &Bar(0.into(), 0.into()), ..dab::solve(start.clone()) }.in_memory()?;
    println!("{start}: score {}", table.probe(&start)?);
    Ok(())
}
