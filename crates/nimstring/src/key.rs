//! Keys: the links of one part of a net with its coins numbered by their surroundings, so that alike parts of a board
//! or of two boards share a key.
//!
//! A key is a whole net, so two parts with the same key are alike, come what may. Numbering tries the converse: coins
//! are told apart by a hash of what is around them; where that leaves a tie, one of the tied is singled out. Tied
//! coins that are no mirror images of each other would give alike parts two keys: an entry more, nothing wrong.

use crate::net::{GROUND, Link};

/// The links of one part in ascending order, each packed as `first end << 9 | second end << 2 | boxes`.
pub(crate) type Key = Vec<u16>;

/// How far around a coin is looked at before ties are broken, in links.
const ROUNDS: usize = 4;

/// The keys of the parts of a net: what does not touch is apart.
pub(crate) fn keys(links: &[Link]) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut rest = links.to_vec();
    while let Some(first) = rest.pop() {
        let mut part = vec![first];
        let mut at = 0;
        while let Some(&link) = part.get(at) {
            let touches = |other: &mut Link| other.ends.iter().any(|&end| end != GROUND && link.ends.contains(&end));
            part.extend(rest.extract_if(.., touches));
            at += 1;
        }
        keys.push(key(&part));
    }
    keys
}

/// The links of a key.
pub(crate) fn links(key: &[u16]) -> Vec<Link> {
    let link = |&packed: &u16| Link::new((packed >> 9) as u8, (packed >> 2 & 0x7f) as u8, (packed & 3) as u8);
    key.iter().map(link).collect()
}

fn key(part: &[Link]) -> Key {
    let mut coins: Vec<u8> = part.iter().flat_map(|link| link.ends).filter(|&end| end != GROUND).collect();
    coins.sort_unstable();
    coins.dedup();
    let mut number = [GROUND; 1 + GROUND as usize];
    for (place, &(_, coin)) in ordered(part, &coins).iter().enumerate() {
        number[usize::from(coin)] = place as u8;
    }
    let pack = |link: &Link| {
        let [a, b] = Link::new(number[usize::from(link.ends[0])], number[usize::from(link.ends[1])], 0).ends;
        u16::from(a) << 9 | u16::from(b) << 2 | u16::from(link.boxes)
    };
    let mut key: Key = part.iter().map(pack).collect();
    key.sort_unstable();
    key
}

/// The coins in ascending order of their colours, no two of which are alike.
fn ordered(part: &[Link], coins: &[u8]) -> Vec<(u64, u8)> {
    let mut colours = [1; 1 + GROUND as usize];
    colours[usize::from(GROUND)] = 2;
    refine(part, coins, &mut colours);
    loop {
        let mut order: Vec<(u64, u8)> = coins.iter().map(|&coin| (colours[usize::from(coin)], coin)).collect();
        order.sort_unstable();
        let Some(tie) = order.windows(2).find(|pair| pair[0].0 == pair[1].0) else { return order };
        let single_out = &mut colours[usize::from(tie[0].1)];
        *single_out = mix(*single_out ^ 1);
        refine(part, coins, &mut colours);
    }
}

/// Gives every coin a colour that depends on its surroundings.
fn refine(part: &[Link], coins: &[u8], colours: &mut [u64; 1 + GROUND as usize]) {
    for _ in 0..ROUNDS.min(coins.len()) {
        let before = *colours;
        for &Link { ends: [a, b], boxes } in part {
            let seen = |end: u8| mix(before[usize::from(end)].wrapping_add(u64::from(boxes) << 56 | 1));
            colours[usize::from(a)] = colours[usize::from(a)].wrapping_add(seen(b));
            colours[usize::from(b)] = colours[usize::from(b)].wrapping_add(seen(a));
        }
        for &coin in coins {
            colours[usize::from(coin)] = mix(colours[usize::from(coin)]);
        }
        colours[usize::from(GROUND)] = 2;
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
    fn alike_parts_share_a_key() {
        let [there, back] = [path(&[0, 1, 2, 3]), path(&[9, 8, 7, 6])].map(|links| keys(&links));
        assert_eq!(there.len(), 1);
        assert_eq!(there, back);
        assert_ne!(there, keys(&path(&[0, 2, 1, 3])));
    }

    #[test]
    fn parts_come_apart() {
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
