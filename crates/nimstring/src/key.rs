//! Keys: the links of one component of a net with its coins numbered by their surroundings, so that alike components of a board
//! or of two boards share a key.
//!
//! A key is a whole net, so two components with the same key are always alike. The numbering tries to give alike
//! components the same key: it tells coins apart by a hash of their surroundings, and singles out one coin of a tie. If
//! tied coins are no mirror images of each other, alike components may get two keys. The second key costs an entry of
//! the table and changes no nimber.

use dab_board::connected;

use crate::net::{GROUND, Link};

/// The links of one component in ascending order, each packed as `first end << 9 | second end << 2 | boxes`.
pub(crate) type Key = Vec<u16>;

/// Room for the coins of a component and the ground.
const SIZE: usize = 1 + GROUND as usize;
/// Radius in links of the surroundings of a coin that are hashed before ties are broken.
const ROUNDS: usize = 3;

/// The keys of the components of a net.
pub(crate) fn keys(links: &[Link]) -> Vec<Key> {
    let ends = |link: &Link| link.ends.map(|end| (end != GROUND).then_some(usize::from(end)));
    connected(links, ends).iter().map(|component| key(component)).collect()
}

/// The links of a key.
pub(crate) fn links(key: &[u16]) -> Vec<Link> {
    let link = |&packed: &u16| Link::new((packed >> 9) as u8, (packed >> 2 & 0x7f) as u8, (packed & 3) as u8);
    key.iter().map(link).collect()
}

fn key(component: &[Link]) -> Key {
    let component = Numbered::new(component);
    let number = component.canonical_numbers();
    let pack = |&(a, b, boxes): &(usize, usize, u8)| {
        let [a, b] = Link::new(number[a], number[b], boxes).ends;
        u16::from(a) << 9 | u16::from(b) << 2 | u16::from(boxes)
    };
    let mut key: Key = component.links.iter().map(pack).collect();
    key.sort_unstable();
    key
}

/// A component whose coins are numbered as they come, followed by the ground.
struct Numbered {
    n_coins: usize,
    links: Vec<(usize, usize, u8)>,
}

impl Numbered {
    fn new(component: &[Link]) -> Self {
        let mut number = [u8::MAX; GROUND as usize];
        let mut n_coins = 0;
        for &end in component.iter().flat_map(|link| &link.ends) {
            if let Some(number) = number.get_mut(usize::from(end)).filter(|number| **number == u8::MAX) {
                *number = n_coins;
                n_coins += 1;
            }
        }
        let place = |end: u8| usize::from(number.get(usize::from(end)).copied().unwrap_or(n_coins));
        let links = component.iter().map(|link| (place(link.ends[0]), place(link.ends[1]), link.boxes)).collect();
        Self { n_coins: n_coins.into(), links }
    }

    /// For each coin its place in the order of colours, no two of which are alike; the ground stays the ground.
    fn canonical_numbers(&self) -> [u8; SIZE] {
        let n = self.n_coins;
        let mut colours = [1; SIZE];
        colours[n] = 2;
        self.refine(&mut colours);
        let mut order: [u8; SIZE] = std::array::from_fn(|coin| coin as u8);
        loop {
            order[..n].sort_unstable_by_key(|&coin| colours[usize::from(coin)]);
            let colour = |coin: u8| colours[usize::from(coin)];
            let Some(tie) = order[..n].windows(2).find(|pair| colour(pair[0]) == colour(pair[1])) else { break };
            let single_out = usize::from(tie[0]);
            colours[single_out] = mix(colours[single_out] ^ 1);
            self.refine(&mut colours);
        }
        let mut number = [GROUND; SIZE];
        for (place, &coin) in order[..n].iter().enumerate() {
            number[usize::from(coin)] = place as u8;
        }
        number
    }

    /// Gives every coin a colour that depends on its surroundings.
    fn refine(&self, colours: &mut [u64; SIZE]) {
        let n = self.n_coins;
        for _ in 0..ROUNDS.min(n) {
            let mut seen = [0u64; SIZE];
            for &(a, b, boxes) in &self.links {
                let tint = |end: usize| (colours[end] ^ u64::from(boxes)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7;
                (seen[a], seen[b]) = (seen[a].wrapping_add(tint(b)), seen[b].wrapping_add(tint(a)));
            }
            for (colour, seen) in colours.iter_mut().zip(seen).take(n) {
                *colour = mix(colour.wrapping_add(seen));
            }
        }
    }
}

/// The finaliser of splitmix64.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(coins: &[u8]) -> Vec<Link> {
        let mut links: Vec<Link> = coins.windows(2).map(|pair| Link::new(pair[0], pair[1], 0)).collect();
        for &coin in coins {
            links.extend([Link::new(coin, GROUND, 0), Link::new(coin, GROUND, coin % 2)]);
        }
        links
    }

    #[test]
    fn alike_components_share_a_key() {
        let [there, back] = [path(&[0, 1, 2, 3]), path(&[9, 8, 7, 6])].map(|links| keys(&links));
        assert_eq!(there.len(), 1);
        assert_eq!(there, back);
        assert_ne!(there, keys(&path(&[0, 2, 1, 3])));
    }

    #[test]
    fn components_come_apart() {
        let links = [path(&[0, 1]), path(&[2, 3, 4]), path(&[6, 7])].concat();
        let mut found = keys(&links);
        found.sort();
        assert_eq!(found.len(), 3);
        assert_eq!(found.iter().filter(|key| **key == keys(&path(&[4, 5]))[0]).count(), 2);
    }

    #[test]
    fn a_key_holds_its_links() {
        let key = keys(&path(&[3, 4, 5])).remove(0);
        assert_eq!(keys(&links(&key)), [key]);
    }
}
