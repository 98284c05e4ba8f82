use dab_board::*;
fn main() {
    for a in std::env::args().skip(1) {
        let p: Position = a.parse().unwrap();
        for l in 0..p.board().n_lines() {
            if p.board().symmetries().iter().any(|s| s[l] < l) { continue; }
            let t = std::time::Instant::now();
            let (c, _) = p.draw(l);
            let f = dab_search::test(&c, 0, 22, 0, 3000000);
            println!("{a} first {l}: {f:?} {:?}", t.elapsed());
        }
    }
}
