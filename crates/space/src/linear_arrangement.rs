//! Joints of any graph along a line, such that few units run over any gap between neighbours.
//!
//! Boards whose boxes lie in rows and columns are cut along those. A graph is arranged first: from each joint on, the
//! joint that leaves the fewest units between the placed joints and the others comes next; of all these arrangements
//! the narrowest is improved by exchanging neighbours. No choice is left to chance, so the same graph is always cut alike.

use dab_board::graph::GraphString;

/// The place of each of `n` joints on the line.
pub(crate) fn arrange(n: usize, strings: &[GraphString]) -> Vec<usize> {
    let mut between = vec![vec![0; n]; n];
    for string in strings {
        if let [Some(a), Some(b)] = string.ends
            && a != b
        {
            between[a][b] += 1;
            between[b][a] += 1;
        }
    }
    let orders = (0..n).map(|first| greedy(&between, first));
    let mut order = orders.min_by_key(|order| width(&between, order)).unwrap_or_default();
    improve(&between, &mut order);
    let mut place = vec![0; n];
    for (at, &joint) in order.iter().enumerate() {
        place[joint] = at;
    }
    place
}

/// Units over each gap, squared and added: wide gaps weigh most.
fn width(between: &[Vec<usize>], order: &[usize]) -> usize {
    let over = |gap: usize| -> usize {
        let (before, after) = order.split_at(gap);
        before.iter().flat_map(|&a| after.iter().map(move |&b| between[a][b])).sum()
    };
    (1..order.len()).map(|gap| over(gap).pow(2)).sum()
}

fn greedy(between: &[Vec<usize>], first: usize) -> Vec<usize> {
    let mut order = vec![first];
    let mut left: Vec<usize> = (0..between.len()).filter(|&joint| joint != first).collect();
    while !left.is_empty() {
        // Units that a joint adds over the gap behind it; ties go to the lowest joint.
        let grows = |joint: usize| {
            let to_placed: usize = order.iter().map(|&other| between[joint][other]).sum();
            let to_all: usize = between[joint].iter().sum();
            to_all as isize - 2 * to_placed as isize
        };
        let next = (0..left.len()).min_by_key(|&i| (grows(left[i]), left[i])).unwrap_or(0);
        order.push(left.remove(next));
    }
    order
}

fn improve(between: &[Vec<usize>], order: &mut [usize]) {
    let mut least = width(between, order);
    let mut at = 1;
    while at < order.len() {
        order.swap(at - 1, at);
        let now = width(between, order);
        if now < least {
            least = now;
            at = at.saturating_sub(1).max(1);
        } else {
            order.swap(at - 1, at);
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(ends: &[(usize, usize)]) -> Vec<GraphString> {
        ends.iter().map(|&(a, b)| GraphString::new(Some(a), Some(b), 0)).collect()
    }

    #[test]
    fn a_path_is_put_in_order() {
        let place = arrange(5, &strings(&[(3, 1), (1, 4), (4, 0), (0, 2)]));
        assert!(place == [3, 1, 4, 0, 2] || place == [1, 3, 0, 4, 2], "{place:?}");
    }

    #[test]
    fn a_ladder_has_gaps_of_three_at_most() {
        // Rungs between 2i and 2i + 1.
        let mut ends = Vec::new();
        for i in 0..6 {
            ends.push((2 * i, 2 * i + 1));
            if i < 5 {
                ends.extend([(2 * i, 2 * i + 2), (2 * i + 1, 2 * i + 3)]);
            }
        }
        let place = arrange(12, &strings(&ends));
        let over = |gap: usize| ends.iter().filter(|&&(a, b)| (place[a] < gap) != (place[b] < gap)).count();
        assert!((1..12).all(|gap| over(gap) <= 3));
    }

    #[test]
    fn the_ground_and_loops_do_not_matter() {
        let mut all = strings(&[(0, 1), (1, 2)]);
        let place = arrange(3, &all);
        all.extend([GraphString::new(None, Some(1), 0), GraphString::new(Some(2), Some(2), 3), GraphString::ring(4)]);
        assert_eq!(arrange(3, &all), place);
        assert!(arrange(0, &[]).is_empty());
    }
}
