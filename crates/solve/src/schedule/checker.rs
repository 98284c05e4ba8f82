//! Checks while a run is solved: some scores of every slab are derived again by the definition, as long as its inputs are there.
//!
//! The places follow from layer and slab alone, so a solve that was interrupted checks the same ones.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use dab_space::{Layer, Rules, SlabId, Space};
use dab_store::{Checks, LayerCheck, ScoreRead, ScoreWrite, SlabCheck, StoreError};

use crate::cache::slab_keeper::SlabKeeper;
use crate::{SolveError, verify};

/// Checks slabs of a run.
pub(crate) struct Checker<'a> {
    space: &'a Space,
    rules: Rules,
    keeper: &'a SlabKeeper<'a>,
    store: &'a dyn ScoreWrite,
    per_slab: usize,
}

impl<'a> Checker<'a> {
    /// The checks that `store` wants, if it wants any.
    pub(crate) fn new(
        (space, rules): (&'a Space, Rules),
        keeper: &'a SlabKeeper<'a>,
        store: &'a dyn ScoreWrite,
    ) -> Option<Self> {
        let per_slab = store.checks_per_slab();
        (per_slab > 0).then_some(Self { space, rules, keeper, store, per_slab })
    }

    /// Notes the checks of a layer that a killed process finished and did not list any more: it has checked its slabs.
    pub(crate) fn finished(&self, layer: Layer) -> Result<(), StoreError> {
        let wants = |checks: &Checks| {
            let is_noted = checks.layers.iter().any(|check| check.layer == layer);
            checks.per_slab == self.per_slab && layer <= checks.layer && !is_noted
        };
        if self.store.checks().filter(wants).is_none() {
            return Ok(());
        }
        let n_slabs = self.space.layout().layers()[layer.0].len();
        let read = |slab: usize| Ok((slab, self.check_written(SlabId { layer, slab })?));
        let slabs: Vec<(usize, SlabCheck)> = (0..n_slabs).map(read).collect::<Result<_, StoreError>>()?;
        self.store.note_checks(LayerCheck::new(layer, slabs))
    }

    /// The check of a slab that was checked before it was written.
    fn check_written(&self, id: SlabId) -> Result<SlabCheck, StoreError> {
        let shape = self.space.shape(self.space.layout().key(id));
        let places = verify::places(id, shape.positions(), self.per_slab);
        Ok(SlabCheck::new(&places, &self.keeper.cache().read_scores(id, shape, &places)?))
    }

    /// Begins layers that are solved together, the last one first; of some there are slabs already. Returns the first one that is
    /// checked, as are all layers after it: slabs that an earlier process did not check are not checked any more.
    pub(crate) fn begin(&self, layers: &[(Layer, bool)]) -> Result<Option<Layer>, StoreError> {
        let begun = self.store.checks().filter(|checks| checks.per_slab == self.per_slab).map(|checks| checks.layer);
        let n_unchecked = layers.iter().rposition(|&(_, is_begun)| is_begun).map_or(0, |at| at + 1);
        let first = begun.or_else(|| layers.get(n_unchecked).map(|&(layer, _)| layer));
        first.map_or(Ok(()), |first| self.store.begin_checks(first))?;
        Ok(first)
    }

    /// Checks slabs of a layer.
    pub(crate) fn layer(&self, layer: Layer) -> LayerChecker<'_> {
        LayerChecker { checker: self, layer, slabs: Mutex::default() }
    }
}

/// Checks slabs of a layer.
pub(crate) struct LayerChecker<'a> {
    checker: &'a Checker<'a>,
    layer: Layer,
    slabs: Mutex<BTreeMap<usize, SlabCheck>>,
}

impl LayerChecker<'_> {
    /// Derives some scores of a slab again.
    ///
    /// # Errors
    /// [`SolveError::Wrong`] at the first one that differs.
    pub(crate) fn check(&self, id: SlabId, scores: &[i8]) -> Result<(), SolveError> {
        let Checker { space, rules, keeper, per_slab, .. } = *self.checker;
        let places = verify::places(id, scores.len(), per_slab);
        let scores: Vec<i8> = places.iter().map(|&place| scores[place]).collect();
        verify::derive_again(space, rules, keeper.cache(), id, &places, &scores)?;
        self.insert(id, SlabCheck::new(&places, &scores));
        Ok(())
    }

    /// Notes a slab that an earlier process has checked and written.
    pub(crate) fn note(&self, id: SlabId) -> Result<(), StoreError> {
        self.insert(id, self.checker.check_written(id)?);
        Ok(())
    }

    fn insert(&self, id: SlabId, check: SlabCheck) {
        self.slabs.lock().unwrap_or_else(PoisonError::into_inner).insert(id.slab, check);
    }

    /// Notes the checks of the layer, all of whose slabs are put.
    pub(crate) fn finish(self) -> Result<(), StoreError> {
        let slabs = self.slabs.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.checker.store.note_checks(LayerCheck::new(self.layer, slabs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::SpaceKind;
    use dab_store::{MemoryStore, ScoreRead};

    #[test]
    fn a_wrong_score_is_named() {
        let space = Space::new("3x3:0".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let rules = Rules::new(&space, 0).unwrap();
        let store = MemoryStore::new(space.n_layers());
        crate::solve(&space, rules, &store, u64::MAX, &()).unwrap();
        let keeper = SlabKeeper::new(&space, &store, u64::MAX);
        let checker = Checker { space: &space, rules, keeper: &keeper, store: &store, per_slab: 7 };
        let mut n_slabs = 0;
        for (layer, keys) in space.layout().layers().iter().enumerate() {
            let layer = Layer(layer);
            for (slab, &key) in keys.iter().enumerate() {
                let id = SlabId::new(layer, slab);
                let mut scores = store.read_slab(id, space.shape(key)).unwrap().to_vec();
                let places = verify::places(id, scores.len(), 7);
                assert!(places.len() == scores.len().min(7) && places.iter().all(|&place| place < scores.len()));
                let layer_checker = LayerChecker { checker: &checker, layer, slabs: Mutex::default() };
                layer_checker.check(id, &scores).unwrap();
                let wrong = places[slab % places.len()];
                scores[wrong] += 2;
                let error = layer_checker.check(id, &scores).unwrap_err();
                let SolveError::Wrong { layer: in_layer, slab: in_slab, row, col, stored, derived, .. } = error else {
                    panic!("{error}")
                };
                let cols = space.shape(key).cols();
                assert_eq!((in_layer, in_slab, row * cols + col, stored), (layer, slab, wrong, derived + 2));
                assert!(
                    error
                        .to_string()
                        .starts_with(&format!("layer {layer}, slab {slab}, row {row}, column {col} (3x3:"))
                );
                n_slabs += 1;
            }
        }
        assert_eq!(n_slabs, space.layout().n_slabs());
    }
}
