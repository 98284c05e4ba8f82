fn main() {
    use dab_solve::kernel::{Isa, rows::RowKernel};
    use rayon::prelude::*;
    let board = std::env::args().nth(1).unwrap();
    let t = std::time::Instant::now();
    let space = dab_space::Space::new(board.parse().unwrap(), dab_space::SpaceKind::Quiet).unwrap();
    println!("space {:?}", t.elapsed());
    let rules = dab_solve::Rules::new(&space, 0).unwrap();
    let k = RowKernel::new(&space, rules, Isa::best());
    println!("kernel {:?}", t.elapsed());
    let l = space.layout();
    let (mut edges, mut pos) = (0u64, 0u128);
    for layer in (0..space.n_layers()).rev() {
        let r: Vec<(u64, u128)> = l.layers()[layer]
            .par_iter()
            .map(|&key| {
                let r = k.reads(key, 4 << 30);
                (r.len() as u64, r.iter().map(|&(a, b)| l.positions(l.layers()[a][b]) as u128).sum())
            })
            .collect();
        edges += r.iter().map(|x| x.0).sum::<u64>();
        pos += r.iter().map(|x| x.1).sum::<u128>();
        if layer % 5 == 0 {
            println!("layer {layer} edges {edges} pos {pos} {:?}", t.elapsed());
        }
    }
    println!("total {} positions, {} slabs", l.total_positions(), l.n_slabs());
}
