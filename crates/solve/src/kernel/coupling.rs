//! Moves at the waist that fill chains of both halves: which classes they cannot tell apart.
//!
//! ```text
//!    upper half    ○──○──┐     ┌──○──┐         Such a move goes through the waist along *runs* of open units, over boxes with
//!                        │     │     │         at most three open lines: here three runs of one unit each.
//!    waist             run 1 run 2 run 3
//!                        │     │     │         In both halves it fills the chains that begin at these runs. Run 1 stands
//!    lower half       ┬──○     ○──┬  ○──┬      alone; runs 2 and 3 are one *bundle*, because the upper half links them.
//! ```
//! A class links two runs if a chain of the one comes back at the other. It links three runs, as soon as two of them are in
//! one bundle, if their chains end at one joint with three open lines: then a capture run goes on along the third. The
//! links of two classes thus decide the bundle of each run, and the chains at a bundle decide the moves through no other runs. So
//! classes that show the same chains at a bundle have the same moves there. There are far fewer such sets than pairs of classes.

use dab_board::LineSet;
use dab_space::boundary_chain::{BoundaryChain, Signature, signature};
use dab_space::half_table::Class;
use dab_space::partition::Group;
use dab_space::{Half, PerHalf, Space};
use rustc_hash::{FxHashMap, FxHashSet};

/// Some runs by their numbers.
type Bundle = LineSet;

/// What moves that fill chains of both halves depend on, under a waist configuration.
pub(super) struct Couplings {
    bundles: Vec<BundleClasses>,
    sets: Vec<Set>,
    /// By class of the upper half, the sets to which it belongs.
    of_class: Vec<Vec<u32>>,
}

/// The classes of the lower half at a bundle.
struct BundleClasses {
    /// The waist units of its runs.
    units: LineSet,
    /// By their links, those that show the same chains.
    lower: Vec<(Links, Vec<Vec<u32>>)>,
}

/// Classes of the upper half that show the same chains at a bundle.
struct Set {
    bundle: u32,
    /// One of them.
    example: u32,
    /// Those of `lower` with whose links it is the bundle of some runs, and the units of these runs.
    lower: Vec<(u32, LineSet)>,
}

impl Couplings {
    pub(super) fn new(space: &Space, waist: u32, classes: PerHalf<&[Class]>) -> Self {
        let runs = Runs::new(space, waist);
        let [upper, lower] = Half::BOTH.map(|half| HalfClasses::new(space, half, &runs, classes[half]));
        let mut found = Self { bundles: Vec::new(), sets: Vec::new(), of_class: vec![Vec::new(); upper.classes.len()] };
        for bundle in bundles(&runs, &upper, &lower) {
            let (units, lower) = (runs.units(bundle), lower.at(bundle));
            let core = |a: &Links, b: &Links| bundle.iter().filter(|&run| closure(run, [a, b]) == bundle).collect();
            for (links, alike) in upper.at(bundle) {
                let others = (0..).zip(&lower).map(|(number, (other, _))| (number, runs.units(core(&links, other))));
                let others: Vec<(u32, LineSet)> = others.filter(|(_, core)| !core.is_empty()).collect();
                for classes in alike.into_iter().filter(|_| !others.is_empty()) {
                    for &class in &classes {
                        found.of_class[class as usize].push(found.sets.len() as u32);
                    }
                    let bundle = found.bundles.len() as u32;
                    found.sets.push(Set { bundle, example: classes[0], lower: others.clone() });
                }
            }
            found.bundles.push(BundleClasses { units, lower });
        }
        found.of_class.iter_mut().for_each(Vec::shrink_to_fit);
        found
    }

    /// The number of sets of classes of the upper half.
    pub(super) fn n_sets(&self) -> usize {
        self.sets.len()
    }

    /// The sets to which a class of the upper half belongs: together they have all its moves, each once.
    pub(super) fn sets_of(&self, upper: u32) -> impl Iterator<Item = usize> {
        self.of_class[upper as usize].iter().map(|&set| set as usize)
    }

    /// Calls `visit` for the moves of a set: with one class of each half; with two sets of waist units, of which the moves fill some of the first and
    /// perhaps others of the second; and with all classes of the lower half that have the same moves.
    pub(super) fn for_each_pair(&self, set: usize, mut visit: impl FnMut([usize; 2], [LineSet; 2], &[u32])) {
        let Set { bundle, example, lower } = &self.sets[set];
        let BundleClasses { units, lower: groups } = &self.bundles[*bundle as usize];
        for &(number, core) in lower {
            for alike in &groups[number as usize].1 {
                visit([*example as usize, alike[0] as usize], [core, *units], alike);
            }
        }
    }

    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        let of_class: usize = self.of_class.iter().map(|sets| size_of_val(sets) + size_of_val(&sets[..])).sum();
        let of_bundle = |bundle: &BundleClasses| {
            let alike = bundle.lower.iter().flat_map(|(_, alike)| alike);
            alike.map(|classes| size_of_val(classes) + size_of_val(&classes[..])).sum::<usize>()
        };
        let of_set = |set: &Set| size_of_val(set) + size_of_val(&set.lower[..]);
        of_class + self.bundles.iter().map(of_bundle).sum::<usize>() + self.sets.iter().map(of_set).sum::<usize>()
    }
}

/// The bundles that occur with some pair of classes, and through which moves can lead from one half to the other. A move may begin at a
/// run that leads into one half only: the ring of a loop on a stick, where the stick leads into the other half.
fn bundles(runs: &Runs, upper: &HalfClasses<'_>, lower: &HalfClasses<'_>) -> FxHashSet<Bundle> {
    let [upper, lower] = [upper, lower].map(|half| half.links.iter().collect::<FxHashSet<&Links>>());
    let pairs = upper.iter().flat_map(|a| lower.iter().map(move |b| [*a, *b]));
    let bundles = pairs.flat_map(|links| (0..runs.all.len()).map(move |run| closure(run, links)));
    bundles.filter(|bundle| bundle.meets(runs.coupling)).collect()
}

/// The runs through the waist under a waist configuration.
struct Runs {
    /// Each as its units.
    all: Vec<LineSet>,
    /// Those that lead from one half to the other: every move that fills chains of both halves fills one of them.
    coupling: Bundle,
}

impl Runs {
    fn new(space: &Space, waist: u32) -> Self {
        let layout = space.layout();
        let partition = layout.partition();
        let open = all_units(space) - LineSet(layout.waists()[waist as usize].filled.into());
        let at_half = layout.halves().each_ref().map(|half| half.waist_units.iter().copied().collect::<LineSet>());
        let (mut rest, mut runs) = (open, Self { all: Vec::new(), coupling: Bundle::EMPTY });
        while let Some(unit) = rest.lowest() {
            let mut run = LineSet::one(unit);
            loop {
                let around = partition.graph.joints().iter().zip(&partition.joints);
                let grown = around
                    .filter(|(_, group)| **group == Group::Waist)
                    .map(|(joint, _)| joint.strings & open)
                    .filter(|strings| strings.len() <= 3 && strings.meets(run))
                    .fold(run, |run, strings| run | strings);
                if grown == run {
                    break;
                }
                run = grown;
            }
            if at_half.iter().all(|&units| run.meets(units)) {
                runs.coupling = runs.coupling.with(runs.all.len());
            }
            runs.all.push(run);
            rest = rest - run;
        }
        runs
    }

    fn units(&self, bundle: Bundle) -> LineSet {
        bundle.iter().fold(LineSet::EMPTY, |units, run| units | self.all[run])
    }
}

/// All waist units.
pub(super) fn all_units(space: &Space) -> LineSet {
    LineSet::first(space.layout().partition().sizes.waist)
}

/// The runs that a class links.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Links {
    /// Two runs, or one, by a chain that begins and ends there.
    chains: Vec<Bundle>,
    /// Three runs, some of which may be the same, by a joint with three open lines.
    joints: Vec<[usize; 3]>,
}

/// The bundle of a run, given the links of the classes of both halves.
fn closure(run: usize, links: [&Links; 2]) -> Bundle {
    let mut bundle = Bundle::one(run);
    loop {
        let mut grown = bundle;
        for Links { chains, joints } in links {
            grown = chains.iter().filter(|runs| runs.meets(grown)).fold(grown, |grown, &runs| grown | runs);
            for joint in joints {
                if joint.iter().filter(|&&run| grown.has(run)).count() >= 2 {
                    grown = joint.iter().fold(grown, |grown, &run| grown.with(run));
                }
            }
        }
        if grown == bundle {
            return bundle;
        }
        bundle = grown;
    }
}

/// The classes of a half with what links the runs.
struct HalfClasses<'a> {
    classes: &'a [Class],
    /// By boundary unit, the run of the waist unit; of no use where that is filled.
    run_of: Vec<usize>,
    /// By class.
    links: Vec<Links>,
}

impl<'a> HalfClasses<'a> {
    fn new(space: &Space, half: Half, runs: &Runs, classes: &'a [Class]) -> Self {
        let run_of = |&unit: &usize| runs.all.iter().position(|run| run.has(unit)).unwrap_or(usize::MAX);
        let run_of: Vec<usize> = space.layout().halves()[half].waist_units.iter().map(run_of).collect();
        let links = classes.iter().map(|class| links(&class.chains, &run_of)).collect();
        Self { classes, run_of, links }
    }

    /// The classes that show the same chains at a bundle, by the links within it. Those that link it with other runs have no moves
    /// through it alone, and are left out.
    fn at(&self, bundle: Bundle) -> Vec<(Links, Vec<Vec<u32>>)> {
        let mut found: FxHashMap<Links, FxHashMap<Signature, Vec<u32>>> = FxHashMap::default();
        let mut shown = Signature::new();
        for (number, (class, links)) in (0..).zip(self.classes.iter().zip(&self.links)) {
            if links.chains.iter().any(|runs| runs.meets(bundle) && !runs.is_subset(bundle)) {
                continue;
            }
            let is_here = |joint: &&[usize; 3]| joint.iter().filter(|&&run| bundle.has(run)).count() >= 2;
            let here = Links {
                chains: links.chains.iter().filter(|runs| runs.is_subset(bundle)).copied().collect(),
                joints: links.joints.iter().filter(is_here).copied().collect(),
            };
            signature(&self.chains_at(bundle, class), &mut shown);
            let alike = found.entry(here).or_default();
            match alike.get_mut(&shown) {
                Some(classes) => classes.push(number),
                None => drop(alike.insert(shown.clone(), vec![number])),
            }
        }
        let exact = |mut classes: Vec<u32>| {
            classes.shrink_to_fit();
            classes
        };
        found.into_iter().map(|(links, alike)| (links, alike.into_values().map(exact).collect())).collect()
    }

    /// The chains of a class at a bundle. A joint at which just one of several chains is there leads nowhere.
    fn chains_at(&self, bundle: Bundle, class: &Class) -> Vec<Option<BoundaryChain>> {
        let is_here = |unit: usize| bundle.has(self.run_of[unit]);
        let at_unit = |(unit, chain): (usize, &Option<BoundaryChain>)| {
            let chain = chain.filter(|_| is_here(unit))?;
            let continuation = chain.continuation.filter(|on| {
                let ends = class.chains.iter().enumerate().filter(|(_, other)| ends_at(other, on.joint));
                let (n, n_here) = ends.fold((0, 0), |(n, here), (unit, _)| (n + 1, here + u8::from(is_here(unit))));
                n == 1 || n_here > 1
            });
            Some(BoundaryChain { continuation, ..chain })
        };
        class.chains.iter().enumerate().map(at_unit).collect()
    }
}

/// Whether a chain ends at a joint from which a capture run may go on.
fn ends_at(chain: &Option<BoundaryChain>, joint: u8) -> bool {
    chain.and_then(|chain| chain.continuation).is_some_and(|on| on.joint == joint)
}

/// The runs that these chains link, given the run of each boundary unit.
fn links(chains: &[Option<BoundaryChain>], run_of: &[usize]) -> Links {
    let mut links = Links::default();
    for (unit, chain) in (0_u8..).zip(chains) {
        let Some(chain) = chain else { continue };
        let run = run_of[usize::from(unit)];
        if let Some(back) = chain.back {
            links.chains.push(Bundle::one(run).with(run_of[usize::from(back)]));
        }
        if chain.continuation.is_some_and(|on| on.joint == unit) {
            let ends = chains.iter().zip(run_of).filter(|(other, _)| ends_at(other, unit));
            let runs: Vec<usize> = ends.map(|(_, &run)| run).collect();
            links.joints.extend(<[usize; 3]>::try_from(runs));
        }
    }
    links.chains.sort_unstable();
    links.chains.dedup();
    links.joints.sort_unstable();
    links
}
