//! The moves at a waist configuration, found by walking: configurations of two classes are put on the board.

use dab_board::capture::closed_by;
use dab_board::{LineSet, quiet};
use dab_space::half_table::Class;
use dab_space::{Half, PerHalf, Rules, Space, SpaceKind, UnitMask};

use super::coupling::all_units;
use super::maps::{Effect, FilledUnits};
use super::op::Op;
use super::waist_move::WaistMove;

/// A waist configuration through which moves are walked.
pub(super) struct Walk<'a> {
    space: &'a Space,
    rules: Rules,
    /// Its filled units.
    filled: LineSet,
    /// The waist units that end in each half, in the order of its boundary units.
    boundary: PerHalf<&'a [usize]>,
    /// The same as sets.
    ends: PerHalf<LineSet>,
}

impl<'a> Walk<'a> {
    pub(super) fn new((space, rules): (&'a Space, Rules), waist: u32) -> Self {
        let layout = space.layout();
        let boundary = layout.halves().each_ref().map(|half| &half.waist_units[..]);
        let ends = boundary.map(|units| units.iter().copied().collect());
        Self { space, rules, filled: LineSet(layout.waists()[waist as usize].filled.into()), boundary, ends }
    }

    /// The moves for two classes that fill chains of the halves that are `touched`, and of no others.
    pub(super) fn touching(&self, touched: [bool; 2], classes: [&Class; 2]) -> Vec<WaistMove> {
        let within = Half::BOTH.into_iter().zip(touched).filter(|(_, touched)| !touched);
        let within = within.fold(all_units(self.space), |within, (half, _)| within - self.ends[half]);
        let through = Half::BOTH.into_iter().zip(touched).find(|(_, touched)| *touched);
        let through = through.map_or(within, |(half, _)| within & self.ends[half]);
        self.moves(touched, classes, [through, within])
    }

    /// The moves for two classes that fill chains of both halves, and some of the waist units `through`, but none that are not `within`.
    pub(super) fn coupling(&self, classes: [&Class; 2], [through, within]: [LineSet; 2]) -> Vec<WaistMove> {
        self.moves([true, true], classes, [through, within])
    }

    fn moves(&self, touched: [bool; 2], classes: [&Class; 2], [through, within]: [LineSet; 2]) -> Vec<WaistMove> {
        let layout = self.space.layout();
        let partition = layout.partition();
        let classes = PerHalf(classes);
        let waist_units = all_units(self.space);
        let here = Half::BOTH.iter().fold(self.filled, |here, &half| {
            here | LineSet(u128::from(classes[half].example) << partition.shift(half.into()))
        });
        let mut found: Vec<WaistMove> = Vec::new();
        let mut offer = |after: LineSet, op: Op| {
            let filled = after - here;
            let at_waist = filled & waist_units;
            if !at_waist.is_subset(within) || Half::BOTH.map(|half| at_waist.meets(self.ends[half])) != touched {
                return;
            }
            let effects = PerHalf::from_fn(|half| self.effect(half, classes[half], filled));
            let target = layout.parallel_classes().canonical((after & waist_units).0 as UnitMask);
            found.push(WaistMove {
                waist: layout.waist_of(target),
                effects: effects.map(|(effect, _)| effect),
                filled: effects.map(|(_, n)| n),
                op,
            });
        };
        let graph = &partition.graph;
        match self.space.kind() {
            SpaceKind::Quiet => {
                quiet::for_each_move_through(graph, here, through, |m| offer(m.after, Op::new(m, self.rules)));
            }
            SpaceKind::Full => {
                for unit in (through - here).iter() {
                    offer(here.with(unit), Op::line(closed_by(graph, here, unit)));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        // There are a great many of these lists.
        found.shrink_to_fit();
        found
    }

    /// The effect on a half of a class of a move that fills these units, and the number of units of the half among them.
    fn effect(&self, half: Half, class: &Class, filled: LineSet) -> (Effect, u8) {
        let partition = self.space.layout().partition();
        let all = LineSet::first(partition.len(half.into()));
        let units = (filled.0 >> partition.shift(half.into()) & all.0) as UnitMask;
        let mut effect = Effect::default();
        let filled_here = self.boundary[half].iter().zip(&class.chains).enumerate();
        for (i, (_, chain)) in filled_here.filter(|(_, (unit, _))| filled.has(**unit)) {
            effect.chains |= 1 << i;
            let continuation = chain.and_then(|chain| chain.continuation).filter(|on| on.units != 0);
            if continuation.is_some_and(|on| on.units & !units == 0) {
                effect.continuation |= 1 << i;
            }
        }
        debug_assert_eq!(
            effect.units(&class.chains.iter().map(FilledUnits::new).collect::<Vec<FilledUnits>>()),
            Some(units),
            "a move fills whole chains"
        );
        (effect, units.count_ones() as u8)
    }
}
