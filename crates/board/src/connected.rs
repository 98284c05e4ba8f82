//! Connected components: the one routine for graphs of joints, of units and of coins.
//!
//! ```text
//!    ⏚──○──○     ○══○──⏚     ⏚──⏚        three components, the last of which has no joint
//! ```
//! Two links are connected if they share a joint. The ground connects nothing.

use crate::MAX_LINES;

/// Most joints: each line has two ends.
const MAX_JOINTS: usize = 2 * MAX_LINES;

/// Groups `links` by connected component. Components come in the order of their first links, and the links of each in
/// the order of `links`. `ends` gives the joints of a link, numbered below 256; `None` is the ground.
#[inline]
pub fn connected<L: Copy>(links: &[L], ends: impl Fn(&L) -> [Option<usize>; 2]) -> Vec<Vec<L>> {
    // Each joint points at another one of its component. The last one reached stands for the component.
    let mut next: [u8; MAX_JOINTS] = std::array::from_fn(|joint| joint as u8);
    let find = |next: &[u8; MAX_JOINTS], mut joint: usize| {
        while usize::from(next[joint]) != joint {
            joint = next[joint].into();
        }
        joint
    };
    for link in links {
        if let [Some(a), Some(b)] = ends(link) {
            let [a, b] = [find(&next, a), find(&next, b)];
            next[a] = b as u8;
        }
    }
    let mut components: Vec<(Option<usize>, Vec<L>)> = Vec::new();
    for &link in links {
        let [a, b] = ends(&link);
        let joint = a.or(b).map(|joint| find(&next, joint));
        match components.iter_mut().find(|(other, _)| joint.is_some() && *other == joint) {
            Some((_, component)) => component.push(link),
            None => {
                let mut component = Vec::with_capacity(links.len());
                component.push(link);
                components.push((joint, component));
            }
        }
    }
    components.into_iter().map(|(_, component)| component).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_connect_and_the_ground_does_not() {
        let links =
            [[Some(4), Some(255)], [None, Some(1)], [None, None], [Some(255), None], [Some(1), Some(1)], [None; 2]];
        let groups = connected(&[0, 1, 2, 3, 4, 5], |&link: &usize| links[link]);
        assert_eq!(groups, [vec![0, 3], vec![1, 4], vec![2], vec![5]]);
    }

    #[test]
    fn a_long_path_is_one_component() {
        let links: Vec<[Option<usize>; 2]> = (1..256).rev().map(|joint| [Some(joint - 1), Some(joint)]).collect();
        assert_eq!(connected(&links, |&link| link), [links]);
    }
}
