//! A run in memory: the same traits and the same digests as a run directory, without a file.

use std::path::PathBuf;
use std::sync::OnceLock;

use dab_space::{Layer, SlabId, SlabShape};

use crate::digest::{Digests, SlabDigest};
use crate::{
    Crew, LayerSink, LayerSummary, Part, ScoreCheck, ScoreRead, ScoreRelease, ScoreWrite, Scores, SlabSet, StoreError,
    Wanted,
};

/// All layers of a run in memory, one byte a score.
#[derive(Debug)]
pub struct MemoryStore {
    layers: Vec<OnceLock<Finished>>,
    marks: bool,
}

#[derive(Debug)]
struct Finished {
    slabs: Vec<Slab>,
    summary: LayerSummary,
}

#[derive(Debug)]
struct Slab {
    scores: Scores,
    digest: SlabDigest,
}

impl MemoryStore {
    /// A store for layers `0..n_layers`, none of them finished.
    pub fn new(n_layers: usize) -> Self {
        Self { layers: (0..n_layers).map(|_| OnceLock::new()).collect(), marks: false }
    }

    /// The same store, for scores with marks or without.
    pub fn with_marks(self, marks: bool) -> Self {
        Self { marks, ..self }
    }

    /// Number of layers, finished or not.
    pub fn n_layers(&self) -> usize {
        self.layers.len()
    }

    fn path() -> PathBuf {
        PathBuf::from("(memory)")
    }

    fn cell(&self, layer: Layer) -> Result<&OnceLock<Finished>, StoreError> {
        let n_layers = self.layers.len();
        self.layers.get(layer.0).ok_or_else(|| StoreError::NoSuchLayer { path: Self::path(), layer, n_layers })
    }

    fn slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<&Slab, StoreError> {
        let SlabId { layer, slab } = id;
        let slabs = match self.cell(layer)?.get() {
            Some(layer) => &layer.slabs,
            None => return Err(StoreError::Unfinished { path: Self::path(), layer }),
        };
        let n_slabs = slabs.len();
        let found = slabs.get(slab).ok_or_else(|| StoreError::NoSuchSlab { path: Self::path(), slab, n_slabs })?;
        let (rows, cols) = (found.digest.rows as usize, found.digest.cols as usize);
        if (shape.rows(), shape.cols()) != (rows, cols) {
            let expected = format!("{} x {}", shape.rows(), shape.cols());
            return Err(StoreError::Shape { path: Self::path(), slab, expected, got: format!("{rows} x {cols}") });
        }
        Ok(found)
    }
}

impl ScoreRead for MemoryStore {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        Ok(self.slab(id, shape)?.scores.clone())
    }

    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        assert!(row < shape.rows() && col < shape.cols(), "({row}, {col}) lies outside the slab");
        Ok(self.slab(id, shape)?.scores[row * shape.cols() + col])
    }

    fn finished(&self, layer: Layer) -> Option<LayerSummary> {
        Some(self.layers.get(layer.0)?.get()?.summary)
    }
}

/// Everything is kept.
impl ScoreRelease for MemoryStore {}

/// Nothing is checked.
impl ScoreCheck for MemoryStore {}

impl ScoreWrite for MemoryStore {
    fn begin_layer<'a>(
        &'a self,
        layer: Layer,
        shapes: &'a [SlabShape<'a>],
    ) -> Result<Box<dyn LayerSink + 'a>, StoreError> {
        let cell = self.cell(layer)?;
        if cell.get().is_some() {
            return Err(StoreError::AlreadyFinished { path: Self::path(), layer });
        }
        let slabs = shapes.iter().map(|_| OnceLock::new()).collect();
        Ok(Box::new(MemorySink { cell, layer, shapes, slabs, marks: self.marks }))
    }
}

struct MemorySink<'a> {
    cell: &'a OnceLock<Finished>,
    layer: Layer,
    shapes: &'a [SlabShape<'a>],
    slabs: Vec<OnceLock<Slab>>,
    marks: bool,
}

impl LayerSink for MemorySink<'_> {
    fn resumed_slabs(&self) -> SlabSet {
        SlabSet::default()
    }

    fn read_part(&self, slab: usize, _part: Part, _wanted: &Wanted) -> Result<Scores, StoreError> {
        let slab = self.slabs[slab].get();
        slab.map(|slab| slab.scores.clone())
            .ok_or_else(|| StoreError::Unfinished { path: MemoryStore::path(), layer: self.layer })
    }

    fn read_scores(&self, slab: usize, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        let scores = self.read_part(slab, Part::default(), &Wanted::ALL)?;
        Ok(places.iter().map(|&place| scores[place]).collect())
    }

    fn put(&self, slab: usize, scores: Scores) -> Result<(), StoreError> {
        let shape = self.shapes[slab];
        assert_eq!(scores.len(), shape.positions(), "slab {slab} of layer {} has another size", self.layer);
        let digest = SlabDigest::of(shape, &scores, self.marks, Crew::Alone);
        let is_new = self.slabs[slab].set(Slab { scores, digest }).is_ok();
        assert!(is_new, "slab {slab} of layer {} was put twice", self.layer);
        Ok(())
    }

    fn sync(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<LayerSummary, StoreError> {
        let Self { cell, layer, slabs, marks, .. } = *self;
        let slabs: Vec<Slab> = slabs
            .into_iter()
            .enumerate()
            .map(|(i, slab)| slab.into_inner().unwrap_or_else(|| panic!("slab {i} of layer {layer} was never put")))
            .collect();
        let positions = slabs.iter().map(|slab| slab.scores.len() as u64).sum();
        let digests: Vec<SlabDigest> = slabs.iter().map(|slab| slab.digest).collect();
        let Digests { scores: digest, marks: marks_digest } = Digests::of_layer(layer.0 as u32, marks, &digests);
        let summary = LayerSummary { layer, slabs: slabs.len(), positions, bytes: positions, digest, marks_digest };
        match cell.set(Finished { slabs, summary }) {
            Ok(()) => Ok(summary),
            Err(_) => Err(StoreError::AlreadyFinished { path: MemoryStore::path(), layer }),
        }
    }
}

#[cfg(test)]
mod tests {
    use bitvec::prelude::*;

    use super::*;

    #[test]
    fn what_is_put_is_read() {
        let bits = bitvec![0, 1, 1];
        let shapes = [SlabShape { row_parity: &bits[..2], col_parity: &bits }];
        let store = MemoryStore::new(2);
        let sink = store.begin_layer(Layer(1), &shapes).unwrap();
        sink.put(0, Scores::new(vec![0, 1, 1, -1, 2, 4])).unwrap();
        assert!(!store.is_finished(Layer(1)));
        let summary = sink.finish().unwrap();
        assert_eq!((summary.slabs, summary.positions), (1, 6));
        assert_eq!(store.finished(Layer(1)), Some(summary));
        assert_eq!(store.read_slab(SlabId::new(1, 0), shapes[0]).unwrap()[3], -1);
        assert_eq!(store.read_score(SlabId::new(1, 0), shapes[0], 1, 2).unwrap(), 4);
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let bits = bitvec![0, 1];
        let shape = SlabShape { row_parity: &bits, col_parity: &bits };
        let shapes = [shape];
        let store = MemoryStore::new(1);
        assert!(matches!(
            store.read_slab(SlabId::new(0, 0), shape),
            Err(StoreError::Unfinished { layer: Layer(0), .. })
        ));
        assert!(matches!(
            store.read_slab(SlabId::new(1, 0), shape),
            Err(StoreError::NoSuchLayer { layer: Layer(1), .. })
        ));
        let sink = store.begin_layer(Layer(0), &shapes).unwrap();
        sink.put(0, Scores::new(vec![0, 1, 1, 0])).unwrap();
        sink.finish().unwrap();
        assert!(matches!(store.read_slab(SlabId::new(0, 1), shape), Err(StoreError::NoSuchSlab { slab: 1, .. })));
        let narrow = SlabShape { row_parity: &bits, col_parity: &bits[..1] };
        assert!(matches!(store.read_slab(SlabId::new(0, 0), narrow), Err(StoreError::Shape { slab: 0, .. })));
        assert!(matches!(
            store.begin_layer(Layer(0), &shapes),
            Err(StoreError::AlreadyFinished { layer: Layer(0), .. })
        ));
    }
}
