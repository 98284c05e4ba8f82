//! Maps: the places in their list of configurations before and after a move fills boundary chains.
//!
//! A move at the waist fills whole chains of a half. For all configurations that show these chains it is one map from their
//! places to places in another list, after the symmetry under which the target slab is stored. Maps are made when they are
//! first needed.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use dab_space::boundary_chain::BoundaryChain;
use dab_space::half_table::HalfTable;
use dab_space::{Half, PerHalf, Space, UnitMask};
use rustc_hash::FxHashMap;

use super::table_memory::{TableBytes, TableMemory};

/// The effect of a move at the waist on a half: the boundary chains that it fills, and those of them at whose end it runs
/// on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Effect {
    pub(crate) chains: u32,
    pub(crate) continuation: u32,
}

impl Effect {
    /// The units of the half that are filled, if the configuration with these chains allows it.
    pub(crate) fn units(self, fills: &[FilledUnits]) -> Option<UnitMask> {
        let mut units = 0;
        for (i, filled) in fills.iter().enumerate() {
            if self.chains >> i & 1 == 1 {
                units |= filled.chain;
            }
            if self.continuation >> i & 1 == 1 {
                units |= filled.chain | filled.continuation;
            }
        }
        (units != FilledUnits::NOWHERE).then_some(units)
    }
}

/// The units of a half that a run through one waist unit fills.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilledUnits {
    /// The units on the chain.
    chain: UnitMask,
    /// The units that the run can go on to at its end.
    continuation: UnitMask,
}

impl FilledUnits {
    /// All units of a half at once: no run fills them.
    const NOWHERE: UnitMask = UnitMask::MAX;

    pub(crate) fn new(chain: &Option<BoundaryChain>) -> Self {
        let units = chain.map_or(Self::NOWHERE, |chain| chain.units);
        let continuation =
            chain.and_then(|chain| chain.continuation).map_or(Self::NOWHERE, |continuation| continuation.units);
        Self { chain: units, continuation }
    }
}

/// Names a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MapKey {
    /// The half whose list is mapped.
    pub(crate) half: Half,
    /// Number of its boundary state.
    pub(crate) boundary: u32,
    /// Its number of filled units.
    pub(crate) filled: u8,
    pub(crate) effect: Effect,
    /// The symmetry under which the target is stored.
    pub(crate) symmetry: usize,
    /// The boundary state of the target, in the half to which the symmetry leads.
    pub(crate) target: u32,
}

/// For each configuration of a list the place it goes to; `u32::MAX` where the effect is not possible.
pub(crate) struct Map {
    pub(crate) places: Vec<u32>,
    /// Whether neighbours mostly go to neighbours. The order of the lists sees to that, unless a symmetry mixes them.
    pub(crate) keeps_neighbours: bool,
    _bytes: TableBytes,
}

/// Configurations at neighbouring places that go to neighbouring places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) at: u32,
    pub(crate) to: u32,
    pub(crate) len: u32,
}

impl Map {
    pub(super) fn new(places: Vec<u32>, memory: &TableMemory) -> Self {
        let breaks = places.windows(2).filter(|pair| pair[1] != pair[0].wrapping_add(1)).count();
        let keeps_neighbours = 24 * breaks <= places.len();
        let bytes = memory.count(size_of::<Self>() + size_of_val(&places[..]));
        Self { places, keeps_neighbours, _bytes: bytes }
    }

    /// Whether every configuration keeps its place.
    pub(crate) fn is_identity(&self) -> bool {
        self.places.iter().zip(0..).all(|(&place, i)| place == i)
    }

    /// The stretches of the given ranges of places.
    pub(crate) fn stretches(&self, ranges: &[Range<usize>]) -> Vec<Stretch> {
        let mut stretches: Vec<Stretch> = Vec::new();
        for at in ranges.iter().cloned().flatten() {
            let to = self.places[at];
            match stretches.last_mut() {
                Some(last) if last.at + last.len == at as u32 && last.to + last.len == to => last.len += 1,
                _ => stretches.push(Stretch { at: at as u32, to, len: 1 }),
            }
        }
        stretches
    }
}

/// The chains of every configuration of a list, and the maps made so far.
pub(crate) struct Maps<'a> {
    space: &'a Space,
    /// By half, boundary and filled units.
    chains: PerHalf<Vec<Vec<OnceLock<ListChains>>>>,
    /// By symmetry and half, the images of single units in the half to which the symmetry leads.
    images: Vec<PerHalf<Vec<UnitMask>>>,
    made: Mutex<FxHashMap<MapKey, Arc<Map>>>,
    memory: TableMemory,
}

/// Chains of the first configuration, then chains of the second, and so on: there are a great many.
type ListChains = Vec<FilledUnits>;

impl<'a> Maps<'a> {
    pub(super) fn new(space: &'a Space, memory: TableMemory) -> Self {
        let empty = |half: Half| {
            let boundaries = space.half(half).boundaries.iter();
            boundaries.map(|boundary| boundary.lists.iter().map(|_| OnceLock::new()).collect()).collect()
        };
        let partition = space.layout().partition();
        let shift = |half: Half| partition.shift(half.into());
        let images = space.layout().symmetries().iter().map(|symmetry| {
            PerHalf::from_fn(|half| {
                let (from, to) = (shift(half), shift(half.swapped_if(symmetry.swaps)));
                (0..partition.len(half.into())).map(|unit| 1 << (symmetry.unit(from + unit) - to)).collect()
            })
        });
        Self { space, chains: PerHalf::from_fn(empty), images: images.collect(), made: Mutex::default(), memory }
    }

    /// The map of a given name.
    pub(crate) fn map(&self, key: MapKey) -> Arc<Map> {
        if let Some(map) = self.made().get(&key) {
            return map.clone();
        }
        // Two threads may make the same map; it does not matter whose is kept.
        let map = Arc::new(self.make(key));
        self.made().entry(key).or_insert(map).clone()
    }

    /// Drops the maps that nothing uses now.
    pub(super) fn drop_unused(&self) {
        self.made().retain(|_, map| Arc::strong_count(map) > 1);
    }

    fn made(&self) -> MutexGuard<'_, FxHashMap<MapKey, Arc<Map>>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make(&self, key: MapKey) -> Map {
        let half = self.space.half(key.half);
        let boundary = &half.boundaries[key.boundary as usize];
        let configs = &boundary.lists[usize::from(key.filled)].configs;
        let swaps = self.space.layout().symmetries()[key.symmetry].swaps;
        let to = self.space.half(key.half.swapped_if(swaps));
        let images = &self.images[key.symmetry][key.half];
        let chains = self.list_chains(half, key);
        let n = self.space.layout().halves()[key.half].waist_units.len();
        let place = |(i, config): (usize, &UnitMask)| match key.effect.units(&chains[i * n..][..n]) {
            None => u32::MAX,
            Some(units) => {
                let image = to.parallel_classes.canonical(image(images, config | units));
                to.boundaries[key.target as usize].find(image).map_or(u32::MAX, |rank| rank as u32)
            }
        };
        Map::new(configs.iter().enumerate().map(place).collect(), &self.memory)
    }

    fn list_chains(&self, half: &HalfTable, key: MapKey) -> &ListChains {
        let boundary = &half.boundaries[key.boundary as usize];
        self.chains[key.half][key.boundary as usize][usize::from(key.filled)].get_or_init(|| {
            let configs = &boundary.lists[usize::from(key.filled)].configs;
            let mut chains = half.chains(boundary);
            let mut fills = ListChains::with_capacity(configs.len() * half.shape.boundary_joints.len());
            configs.iter().for_each(|&config| fills.extend(chains.find(config).iter().map(FilledUnits::new)));
            fills
        })
    }
}

/// The image of a set of units, given those of the single units.
fn image(images: &[UnitMask], config: UnitMask) -> UnitMask {
    let mut rest = config;
    let mut image = 0;
    while rest != 0 {
        image |= images[rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    image
}
