fn main() {
    for a in std::env::args().skip(1) {
        let t = std::time::Instant::now();
        let f = dab_search::score(&a.parse().unwrap(), 0, 24);
        println!("{a} {f:?} {:?}", t.elapsed());
    }
}
