//! The losses of the Caribou rules against perfect play: how often, and how many boxes.

use std::collections::BTreeMap;

use crate::caribou::{self, forecast};
use crate::recursion::FamilyValues;
use crate::{Component, Family, Position};

/// Boxes of the controller less those of the opener, the rules' estimate of v(G).
fn margin(g: &Position) -> i64 {
    let forecast = forecast(g);
    forecast.controller.cast_signed() - forecast.opener.cast_signed()
}

/// A count of cases by how far each is off, and the first that is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Deviations {
    /// Cases looked at.
    tried: u64,
    /// Number of cases by deviation in boxes, which is never 0.
    by_boxes: BTreeMap<i64, u64>,
    /// The case of the smallest position: the position, and the opened component where the case has one.
    first: Option<(Position, Option<Component>)>,
}

impl Deviations {
    fn count(&mut self, boxes: i64, g: &Position, opened: Option<Component>) {
        self.tried += 1;
        if boxes != 0 {
            *self.by_boxes.entry(boxes).or_default() += 1;
            if self.first.as_ref().is_none_or(|first| g.size() < first.0.size()) {
                self.first = Some((g.clone(), opened));
            }
        }
    }
}

/// The Caribou rules on every nonempty position of a family; losses are in boxes of net score, against perfect play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Measure {
    /// Loss by the first opening alone (Rules 2 to 4).
    opening: Deviations,
    /// The margin of Rule 5 less the value.
    margin: Deviations,
    /// Loss by the reply (Rule 5) to the component that the rules open themselves.
    own_reply: Deviations,
    /// Loss by the reply to each distinct component of each position.
    any_reply: Deviations,
    /// Loss over the whole game of a player who follows the rules and opens first, against the best answer to them.
    as_opener: Deviations,
    /// The same for the player who replies first.
    as_controller: Deviations,
}

/// Measures the rules on every position of a family.
fn measure(values: &FamilyValues) -> Measure {
    let family = &values.family;
    let mut measure = Measure::default();
    // Net of the controller when the rules open, and when the rules control, by rank; perfect play opposes the rules.
    let mut nets = vec![Nets::default()];
    for rank in 1..family.n_positions() {
        let g = family.position(rank);
        let v = values.value(&g);
        let first = caribou::opening(&g).expect("the position is not empty");
        let mut net = Nets { rules_open: 0, rules_control: i64::MAX };
        for opened in g.components() {
            let rest = g.without(opened);
            let after = nets[family.rank(&rest) as usize];
            let (n, h) = (opened.n_boxes().cast_signed(), opened.handout());
            let keeps = margin(&rest) > h;
            let by_reply = |kept: i64, given_up: i64| if keeps { n - 2 * h + kept } else { n - given_up };

            let exact = values.value(&rest);
            let reply_loss = opened.opened(exact) - by_reply(exact, exact);
            measure.any_reply.count(reply_loss, &g, Some(opened));
            net.rules_control = net.rules_control.min(by_reply(after.rules_control, after.rules_open));
            if opened == first {
                measure.opening.count(opened.opened(exact) - v, &g, Some(opened));
                measure.own_reply.count(reply_loss, &g, Some(opened));
                net.rules_open = (n - 2 * h + after.rules_open).max(n - after.rules_control);
            }
        }
        measure.margin.count(margin(&g) - v, &g, None);
        measure.as_opener.count(net.rules_open - v, &g, None);
        measure.as_controller.count(v - net.rules_control, &g, None);
        nets.push(net);
    }
    measure
}

/// The controller's net when one side follows the rules and the other plays best against them.
#[derive(Clone, Copy, Debug, Default)]
struct Nets {
    rules_open: i64,
    rules_control: i64,
}

#[track_caller]
fn check(deviations: &Deviations, tried: u64, by_boxes: &[(i64, u64)], first: &str) {
    assert_eq!(deviations.tried, tried);
    assert_eq!(deviations.by_boxes, by_boxes.iter().copied().collect());
    let (g, opened) = deviations.first.as_ref().unwrap();
    let shown = opened.map_or(g.to_string(), |c| format!("{g}, open {c}"));
    assert_eq!(shown, first);
}

#[test]
fn size_40() {
    let measure = measure(&FamilyValues::new(Family::all(40)));
    check(&measure.opening, 57_780, &[(2, 1_560)], "3^3+4l, open 4l");
    check(&measure.margin, 57_780, &[(-2, 190), (2, 1_259)], "3^3+4l");
    check(&measure.own_reply, 57_780, &[(2, 5)], "3^2+6l^3, open 3");
    check(&measure.any_reply, 229_879, &[(2, 2_875)], "3^4+4l, open 3");
    check(&measure.as_opener, 57_780, &[(2, 1_895), (4, 135), (6, 2)], "3^3+4l");
    check(&measure.as_controller, 57_780, &[(2, 1_186), (4, 100), (6, 5)], "3^4+4l");
}

mod order {
    use crate::Component::{Chain, Loop};
    use crate::caribou::{forecast, opening_order, put_before};
    use crate::{Component, Position};

    fn parse(text: &str) -> Position {
        text.parse().unwrap()
    }

    #[test]
    fn order() {
        let order =
            |text: &str| -> String { opening_order(&parse(text)).iter().map(|(c, n)| format!("{c}*{n} ")).collect() };
        assert_eq!(order("0"), "");
        assert_eq!(order("3+4l"), "4l*1 3*1 ");
        assert_eq!(order("3^3+4l"), "4l*1 3*2 3*1 ");
        assert_eq!(order("3+4^2+4l+6l"), "4l*1 3*1 4*1 6l*1 4*1 ");
        assert_eq!(order("4l+6l^2"), "4l*1 6l*1 6l*1 ");
    }

    #[test]
    fn equal_components_in_constant_time() {
        for component in [Chain(3), Chain(4), Chain(7), Loop(4), Loop(6), Loop(8), Loop(12)] {
            for start in 0..30 {
                let mut margin = start;
                for count in 1..40 {
                    margin = component.opened(margin);
                    assert_eq!(put_before(component, count, start), margin, "{component}^{count} {start}");
                }
            }
        }
        assert_eq!(super::margin(&parse("3^4000000000")), 2);
    }

    /// Rule 5 line by line; `simultaneous` false is the printed order of the assignments.
    fn pseudo_code(g: &Position, simultaneous: bool) -> (i64, i64) {
        let mut backwards: Vec<Component> = opening_order(g)
            .iter()
            .flat_map(|&(component, count)| std::iter::repeat_n(component, count as usize))
            .collect();
        let last = backwards.pop().unwrap();
        let (mut a, mut b) = (0, last.n_boxes().cast_signed());
        for component in backwards.into_iter().rev() {
            let (n, h) = (component.n_boxes().cast_signed(), component.handout());
            (a, b) = match (b > a + h, simultaneous) {
                (true, _) => (a + h, b + n - h),
                (false, true) => (b, a + n),
                (false, false) => (a + n, a + n),
            };
        }
        (a, b)
    }

    #[test]
    fn the_forecast_is_the_pseudo_code_with_simultaneous_updates() {
        for text in ["3", "3+4", "3^5", "3+4+4l", "3^9+4^2+4l^7+6l^4+10l", "4l^3+6l^5+8l^2", "3+4l^5+12"] {
            let f = forecast(&parse(text));
            let (a, b) = pseudo_code(&parse(text), true);
            assert_eq!((f.opener.cast_signed(), f.controller.cast_signed()), (a, b), "{text}");
        }
    }

    #[test]
    fn the_printed_pseudo_code_loses_boxes() {
        assert_eq!(pseudo_code(&parse("3+4l"), true), (3, 4));
        assert_eq!(pseudo_code(&parse("3+4l"), false), (4, 4));

        let family = crate::Family::all(40);
        let (mut wrong_margin, mut wrong_sum) = (0, 0);
        for rank in 1..family.n_positions() {
            let g = family.position(rank);
            let (right, printed) = (pseudo_code(&g, true), pseudo_code(&g, false));
            wrong_margin += u64::from(right.1 - right.0 != printed.1 - printed.0);
            wrong_sum += u64::from(printed.0 + printed.1 != g.size().cast_signed());
        }
        assert_eq!((wrong_margin, wrong_sum), (8_761, 9_293));
    }
}
