//! A run in memory: the same traits and the same digests as a run directory, without a file.

use std::path::PathBuf;
use std::sync::OnceLock;

#[cfg(feature = "encode")]
use dab_codec::Effort;
use dab_codec::{Body, Payload, Shape};
use dab_space::{Layer, SlabId, SlabShape};

use crate::digest::{Digests, SlabDigest};
use crate::origin::Origin;
use crate::score_file::BLOCK_POSITIONS;
use crate::{
    Crew, LayerSink, LayerSummary, Part, ScoreCheck, ScoreRead, ScoreRelease, ScoreWrite, Scores, SlabSet, StoreError,
    Wanted,
};

/// All layers of a run in memory, one byte a score or as many bits as in files.
#[derive(Debug)]
pub struct MemoryStore {
    layers: Vec<OnceLock<Finished>>,
    marks: bool,
    /// Slabs are coded; whether their scores have the opposite parity of the open boxes.
    is_odd: Option<bool>,
}

#[derive(Debug)]
struct Finished {
    slabs: Vec<Slab>,
    summary: LayerSummary,
}

#[derive(Debug)]
struct Slab {
    kept: Kept,
    digest: SlabDigest,
}

#[derive(Debug)]
enum Kept {
    Plain(Scores),
    Coded(Payload, Box<[u8]>),
}

impl Slab {
    fn byte_len(&self) -> u64 {
        match &self.kept {
            Kept::Plain(scores) => scores.len() as u64,
            Kept::Coded(_, bytes) => bytes.len() as u64,
        }
    }

    /// As [`ScoreRead::read_part`]; `is_odd` is that of the store.
    fn part(
        &self,
        (slab, is_odd): (usize, Option<bool>),
        shape: SlabShape<'_>,
        Part { scores, mut decoded }: Part,
        wanted: &Wanted,
        crew: Crew,
    ) -> Result<Scores, StoreError> {
        match (&self.kept, is_odd) {
            (Kept::Plain(kept), None) => Ok(kept.clone()),
            // A cache that is short of memory can drop a copy.
            (Kept::Plain(kept), Some(_)) => {
                let mut scores = scores.with_len(shape.positions());
                scores.copy_from_slice(kept);
                Ok(scores.into())
            }
            (Kept::Coded(payload, bytes), _) => {
                let mut scores = scores.with_len(shape.positions());
                let part = (wanted, &mut decoded, &mut scores[..]);
                let read = payload.decode(in_memory(payload, bytes), of_codec(shape, is_odd), crew, part, &|_| Ok(()));
                read.map_err(Origin::score_file(&MemoryStore::path()).in_slab(slab))?;
                Ok(Part { scores, decoded }.into())
            }
        }
    }

    /// As [`ScoreRead::read_scores`].
    fn scores(
        &self,
        (slab, is_odd): (usize, Option<bool>),
        shape: SlabShape<'_>,
        places: &[usize],
    ) -> Result<Vec<i8>, StoreError> {
        match &self.kept {
            Kept::Plain(scores) => Ok(places.iter().map(|&place| scores[place]).collect()),
            Kept::Coded(payload, bytes) => payload
                .scores(in_memory(payload, bytes), of_codec(shape, is_odd), places)
                .map_err(Origin::score_file(&MemoryStore::path()).in_slab(slab)),
        }
    }
}

/// Head and blocks of a coded slab.
fn in_memory<'a>(payload: &Payload, bytes: &'a [u8]) -> (&'a [u8], Body<'a>) {
    let (head, blocks) = bytes.split_at(payload.head_len());
    (head, Body::Here(blocks))
}

fn of_codec(shape: SlabShape<'_>, is_odd: Option<bool>) -> Shape<'_> {
    Shape { rows: shape.row_parity, cols: shape.col_parity, is_odd: is_odd == Some(true) }
}

impl MemoryStore {
    /// A store for layers `0..n_layers`, none of them finished.
    pub fn new(n_layers: usize) -> Self {
        Self { layers: (0..n_layers).map(|_| OnceLock::new()).collect(), marks: false, is_odd: None }
    }

    /// The same store, for scores with marks or without.
    pub fn with_marks(self, marks: bool) -> Self {
        Self { marks, ..self }
    }

    /// The same store, which codes slabs as files do: slower, in a fraction of the memory. `is_odd` as in [`Game::is_odd`](crate::Game::is_odd).
    #[cfg(feature = "encode")]
    pub fn coded(self, is_odd: bool) -> Self {
        Self { is_odd: Some(is_odd), ..self }
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
        self.read_part(id, shape, Part::default(), &Wanted::ALL, Crew::Alone)
    }

    fn read_part(
        &self,
        id: SlabId,
        shape: SlabShape<'_>,
        part: Part,
        wanted: &Wanted,
        crew: Crew,
    ) -> Result<Scores, StoreError> {
        self.slab(id, shape)?.part((id.slab, self.is_odd), shape, part, wanted, crew)
    }

    fn read_scores(&self, id: SlabId, shape: SlabShape<'_>, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        self.slab(id, shape)?.scores((id.slab, self.is_odd), shape, places)
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
        Ok(Box::new(MemorySink { cell, layer, shapes, slabs, store: self }))
    }
}

struct MemorySink<'a> {
    cell: &'a OnceLock<Finished>,
    layer: Layer,
    shapes: &'a [SlabShape<'a>],
    slabs: Vec<OnceLock<Slab>>,
    store: &'a MemoryStore,
}

impl MemorySink<'_> {
    fn slab(&self, slab: usize) -> Result<&Slab, StoreError> {
        self.slabs[slab].get().ok_or_else(|| StoreError::Unfinished { path: MemoryStore::path(), layer: self.layer })
    }

    /// A slab as it is kept. A small one stays plain, because coding hardly shrinks it, but no cache shares it.
    #[cfg_attr(not(feature = "encode"), expect(unused_variables, reason = "nothing is coded without encoders"))]
    fn kept(&self, slab: usize, scores: Scores, digest: &SlabDigest) -> Kept {
        #[cfg(feature = "encode")]
        if self.store.is_odd.is_some() {
            let (place, size) = ((self.layer.0 as u32, slab as u64), (digest.rows, digest.cols));
            let payload = Payload::new(place, size, BLOCK_POSITIONS as usize, self.store.marks);
            if let Some(payload) = payload.ok().filter(|payload| payload.keyed_overhead().is_some()) {
                let (shape, mut bytes) =
                    (of_codec(self.shapes[slab], self.store.is_odd), Vec::with_capacity(scores.len() / 3));
                payload.encode(shape, &scores, Effort::Run, Crew::Together, &mut bytes);
                return Kept::Coded(payload, bytes.into());
            }
            return Kept::Plain(Scores::new(scores.to_vec()));
        }
        Kept::Plain(scores)
    }
}

impl LayerSink for MemorySink<'_> {
    fn resumed_slabs(&self) -> SlabSet {
        SlabSet::default()
    }

    fn read_part(&self, slab: usize, part: Part, wanted: &Wanted) -> Result<Scores, StoreError> {
        self.slab(slab)?.part((slab, self.store.is_odd), self.shapes[slab], part, wanted, Crew::Together)
    }

    fn read_scores(&self, slab: usize, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        self.slab(slab)?.scores((slab, self.store.is_odd), self.shapes[slab], places)
    }

    fn put(&self, slab: usize, scores: Scores) -> Result<(), StoreError> {
        let shape = self.shapes[slab];
        assert_eq!(scores.len(), shape.positions(), "slab {slab} of layer {} has another size", self.layer);
        let digest = SlabDigest::of(shape, &scores, self.store.marks, Crew::Alone);
        let is_new = self.slabs[slab].set(Slab { kept: self.kept(slab, scores, &digest), digest }).is_ok();
        assert!(is_new, "slab {slab} of layer {} was put twice", self.layer);
        Ok(())
    }

    fn sync(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<LayerSummary, StoreError> {
        let Self { cell, layer, slabs, store, .. } = *self;
        let slabs: Vec<Slab> = slabs
            .into_iter()
            .enumerate()
            .map(|(i, slab)| slab.into_inner().unwrap_or_else(|| panic!("slab {i} of layer {layer} was never put")))
            .collect();
        let positions = slabs.iter().map(|slab| u64::from(slab.digest.rows) * u64::from(slab.digest.cols)).sum();
        let bytes = slabs.iter().map(Slab::byte_len).sum();
        let digests: Vec<SlabDigest> = slabs.iter().map(|slab| slab.digest).collect();
        let Digests { scores: digest, marks: marks_digest } = Digests::of_layer(layer.0 as u32, store.marks, &digests);
        let summary = LayerSummary { layer, slabs: slabs.len(), positions, bytes, digest, marks_digest };
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
    #[cfg(feature = "encode")]
    fn coded_slabs_are_read_as_they_were_put() {
        let (rows, cols) = (bitvec![0; 300], bitvec![1; 500]);
        let small = bitvec![0, 1];
        let shape = |rows, cols| SlabShape { row_parity: rows, col_parity: cols };
        let shapes = [shape(&rows[..], &cols[..]), shape(&small, &small)];
        for (marks, is_odd) in [(false, false), (false, true), (true, false)] {
            let score = |row: usize, col: usize| -> i8 {
                let score = 2 * (row * 7 % 5 + col % 3) as i8 - 6 + i8::from(shapes[0].is_odd(row, col) ^ is_odd);
                if marks { 4 * score + 1 } else { score }
            };
            let scores: Vec<i8> = (0..300 * 500).map(|at| score(at / 500, at % 500)).collect();
            let store = MemoryStore::new(1).with_marks(marks).coded(is_odd);
            let sink = store.begin_layer(Layer(0), &shapes).unwrap();
            sink.put(0, Scores::new(scores.clone())).unwrap();
            sink.put(1, Scores::new(vec![0, 1, 1, 0])).unwrap();
            assert_eq!(sink.read_part(0, Part::default(), &Wanted::ALL).unwrap()[..], scores[..]);
            assert_eq!(sink.read_scores(0, &[777, 3]).unwrap(), [scores[777], scores[3]]);
            assert!((0..2).all(|slab| !sink.read_part(slab, Part::default(), &Wanted::ALL).unwrap().is_shared()));
            let summary = sink.finish().unwrap();
            assert!(summary.positions == 150_004 && summary.bytes < 75_000, "{summary:?}");
            assert_eq!(store.read_slab(SlabId::new(0, 0), shapes[0]).unwrap()[..], scores[..]);
            assert_eq!(store.read_score(SlabId::new(0, 0), shapes[0], 299, 1).unwrap(), score(299, 1));
            assert_eq!(store.read_slab(SlabId::new(0, 1), shapes[1]).unwrap()[..], [0, 1, 1, 0]);
        }
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
