//! `manifest.json`: the game of a run, and the layers it has finished.
//!
//! The manifest is replaced as a whole (temporary name, sync, rename, sync directory) when layers are finished. Its
//! last field is a checksum over the others, so that no damage goes unnoticed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dab_space::{Layer, json_fields};
use serde_json::value::RawValue;

use crate::digest::Digests;
use crate::files::Files;
use crate::whole::{MANIFEST_BYTES, read_whole};
use crate::{Checks, Damage, Digest, FORMAT_VERSION, Game, LayerSummary, SlabSet, StoreError};

/// The program that writes manifests.
const TOOL: &str = concat!("dab ", env!("CARGO_PKG_VERSION"));

/// The last field, which covers the others.
const CHECKSUM: &str = "checksum";

/// Most layers of a run; bounds what opening one may allocate.
pub(crate) const MAX_LAYERS: usize = 1024;

/// State of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) game: Game,
    pub(crate) n_layers: usize,
    pub(crate) finished: BTreeMap<Layer, LayerSummary>,
    /// The score files of each finished layer, ascending; those of discarded layers were removed.
    pub(crate) files: BTreeMap<Layer, Vec<ListedFile>>,
    /// Finished layers whose files were removed.
    pub(crate) discarded: BTreeSet<Layer>,
    /// Slabs of other finished layers whose bytes are gone, or about to go.
    pub(crate) released: BTreeMap<Layer, SlabSet>,
    /// Scores that were derived again while the run was solved.
    pub(crate) checks: Option<Checks>,
}

/// A score file as the manifest lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListedFile {
    /// Its number among those of the layer.
    pub(crate) file: u32,
    /// Its length.
    pub(crate) bytes: u64,
}

json_fields!(ListedFile { file, bytes });

/// A finished layer.
struct Finished {
    layer: Layer,
    slabs: usize,
    positions: u64,
    files: Vec<ListedFile>,
    digest: Digest,
    marks_digest: Option<Digest>,
}

json_fields!(Finished { layer, slabs, positions, files, digest, marks_digest unless Option::is_none });

/// Released slabs of a layer.
struct Released {
    layer: Layer,
    /// As [`SlabSet`] has them.
    slabs: String,
}

json_fields!(Released { layer, slabs });

/// The fields of the file, in their order.
struct Fields {
    format: u32,
    tool: String,
    game: Game,
    run: String,
    layers: usize,
    finished: Vec<Finished>,
    /// Finished layers without a file.
    discarded: BTreeSet<Layer>,
    /// Slabs without scores in layers with a file.
    released: Vec<Released>,
    /// Scores that were derived again while the run was solved.
    checks: Option<Checks>,
    /// Run digest, once all layers are finished.
    digest: Option<Digest>,
    /// The same of the marks, if scores have any.
    marks_digest: Option<Digest>,
    /// Digest of the other fields: of this JSON without spaces and with the empty string here.
    checksum: String,
}

json_fields!(Fields {
    format,
    tool,
    game,
    run,
    layers,
    finished,
    discarded unless BTreeSet::is_empty,
    released unless Vec::is_empty,
    checks unless Option::is_none,
    digest unless Option::is_none,
    marks_digest unless Option::is_none,
    checksum,
});

impl Fields {
    fn checksum(&mut self) -> String {
        self.checksum.clear();
        Digest::of(&serde_json::to_vec(self).expect("strings and numbers always make JSON")).to_string()
    }
}

impl Manifest {
    /// The manifest of a run without finished layers.
    pub(crate) fn new(game: &Game, n_layers: usize) -> Self {
        let (finished, files, discarded, released, checks) = Default::default();
        Self { game: game.clone(), n_layers, finished, files, discarded, released, checks }
    }

    /// Digests of the run, once all layers are finished.
    pub(crate) fn run_digests(&self) -> Option<Digests> {
        let is_complete = self.finished.len() == self.n_layers;
        is_complete.then(|| LayerSummary::digests_of_run(self.game.marks, self.finished.values()))
    }

    /// Lists a finished layer.
    pub(crate) fn insert(&mut self, summary: LayerSummary, files: Vec<ListedFile>) {
        self.finished.insert(summary.layer, summary);
        self.files.insert(summary.layer, files);
    }

    /// The score files of a finished layer, ascending.
    pub(crate) fn files_of(&self, layer: Layer) -> &[ListedFile] {
        self.files.get(&layer).map_or(&[], |files| files)
    }

    fn fields(&self) -> Fields {
        let finished = |&LayerSummary { layer, slabs, positions, digest, marks_digest, .. }: &LayerSummary| Finished {
            layer,
            slabs,
            positions,
            files: self.files_of(layer).to_vec(),
            digest,
            marks_digest,
        };
        let digests = self.run_digests();
        let released = |(&layer, slabs): (&Layer, &SlabSet)| Released { layer, slabs: slabs.to_string() };
        let mut fields = Fields {
            format: FORMAT_VERSION,
            tool: TOOL.into(),
            game: self.game.clone(),
            run: self.game.run_id().to_string(),
            layers: self.n_layers,
            finished: self.finished.values().map(finished).collect(),
            discarded: self.discarded.clone(),
            released: self.released.iter().map(released).collect(),
            checks: self.checks.clone(),
            digest: digests.map(|digests| digests.scores),
            marks_digest: digests.and_then(|digests| digests.marks),
            checksum: String::new(),
        };
        fields.checksum = fields.checksum();
        fields
    }

    /// Replaces the manifest at `path`.
    pub(crate) fn write(&self, files: &Files, path: &Path) -> Result<(), StoreError> {
        let mut json = serde_json::to_vec_pretty(&self.fields()).expect("strings and numbers always make JSON");
        json.push(b'\n');
        files.replace(path, &json)
    }

    /// Reads the manifest at `path`.
    pub(crate) fn read(path: &Path) -> Result<Self, StoreError> {
        let json = read_whole(path, MANIFEST_BYTES).map_err(StoreError::io("read", path))?;
        let damaged = |damage| StoreError::Manifest { path: path.to_path_buf(), damage };
        let parsed = |error: serde_json::Error| damaged(Damage::Json(error.to_string()));
        let fields: BTreeMap<String, &RawValue> = serde_json::from_slice(&json).map_err(parsed)?;
        let format = fields.get("format").map_or("null", |format| format.get());
        let format = serde_json::from_str(format).map_err(parsed)?;
        let manifest = Self::parse(&json);
        // With the fields of this version and a wrong checksum it is a damaged manifest of this version.
        if format != FORMAT_VERSION && !matches!(manifest, Err(Damage::Field { what: CHECKSUM, .. })) {
            return Err(StoreError::Version { path: path.to_path_buf(), expected: FORMAT_VERSION, got: format });
        }
        manifest.map_err(damaged)
    }

    /// The manifest of this format version in `json`.
    fn parse(json: &[u8]) -> Result<Self, Damage> {
        let mut fields: Fields = serde_json::from_slice(json).map_err(|error| Damage::Json(error.to_string()))?;
        let stored = fields.checksum.clone();
        Damage::check(CHECKSUM, fields.checksum(), stored)?;
        Damage::check("run", fields.game.run_id().to_string(), fields.run)?;
        if fields.layers > MAX_LAYERS {
            let expected = format!("at most {MAX_LAYERS}");
            return Err(Damage::Field { what: "layers", expected, got: fields.layers.to_string() });
        }
        let mut manifest = Self::new(&fields.game, fields.layers);
        for Finished { layer, slabs, positions, files, digest, marks_digest } in fields.finished {
            if layer.0 >= fields.layers || manifest.finished.contains_key(&layer) {
                let expected = format!("each layer below {} at most once", fields.layers);
                return Err(Damage::Field { what: "finished layers", expected, got: layer.to_string() });
            }
            if files.is_empty() || !files.is_sorted_by(|a, b| a.file < b.file) {
                let (expected, got) = ("score files, ascending".into(), format!("{files:?}"));
                return Err(Damage::Field { what: "files of a layer", expected, got });
            }
            let bytes = files.iter().map(|file| file.bytes).fold(0, u64::saturating_add);
            Damage::check("marks of a layer", fields.game.marks, marks_digest.is_some())?;
            manifest.insert(LayerSummary { layer, slabs, positions, bytes, digest, marks_digest }, files);
        }
        if let Some(layer) = fields.discarded.iter().find(|layer| !manifest.finished.contains_key(layer)) {
            let expected = "finished layers".into();
            return Err(Damage::Field { what: "discarded layers", expected, got: layer.to_string() });
        }
        manifest.discarded = fields.discarded;
        for Released { layer, slabs } in fields.released {
            let holds = |set: &SlabSet| {
                let n_slabs = manifest.finished.get(&layer).map_or(0, |summary| summary.slabs);
                set.ranges().last().is_some_and(|last| last.end <= n_slabs) && !manifest.discarded.contains(&layer)
            };
            let set = slabs.parse().ok().filter(holds);
            if set.is_none_or(|set| manifest.released.insert(layer, set).is_some()) {
                let expected = "slabs of finished layers".into();
                return Err(Damage::Field {
                    what: "released slabs",
                    expected,
                    got: format!("{slabs} of layer {layer}"),
                });
            }
        }
        manifest.checks = fields.checks;
        let digest = |digest: Option<Digest>| digest.map_or("none".into(), |digest| digest.to_string());
        let digests = manifest.run_digests();
        let of_marks = digests.and_then(|digests| digests.marks);
        Damage::check("digest of the run", digest(digests.map(|digests| digests.scores)), digest(fields.digest))?;
        Damage::check("digest of the marks of the run", digest(of_marks), digest(fields.marks_digest))?;
        Ok(manifest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::single_box;

    fn complete() -> Manifest {
        of_game(&single_box())
    }

    fn of_game(game: &Game) -> Manifest {
        let mut manifest = Manifest::new(game, 2);
        for layer in [1, 0] {
            let digest = Digest::of_scores(&[layer as i8]);
            let marks_digest = game.marks.then(|| Digest::of_scores(&[2]));
            let summary =
                LayerSummary { layer: Layer(layer), slabs: 1, positions: 3, bytes: 200, digest, marks_digest };
            let files = [(0, 150), (2, 50)].map(|(file, bytes)| ListedFile { file, bytes });
            manifest.insert(summary, files.into());
        }
        manifest
    }

    fn json(manifest: &Manifest) -> Vec<u8> {
        serde_json::to_vec_pretty(&manifest.fields()).unwrap()
    }

    #[test]
    fn round_trip() {
        let mut manifest = complete();
        assert_eq!(Manifest::parse(&json(&manifest)), Ok(manifest.clone()));
        assert!(manifest.run_digests().is_some());
        manifest.discarded.insert(Layer(1));
        manifest.released.entry(Layer(0)).or_default().insert(0);
        assert_eq!(Manifest::parse(&json(&manifest)), Ok(manifest.clone()));
        manifest.released.clear();
        manifest.finished.remove(&Layer(0));
        manifest.files.remove(&Layer(0));
        assert_eq!(Manifest::parse(&json(&manifest)), Ok(manifest.clone()));
        assert_eq!(manifest.run_digests(), None);
    }

    #[test]
    fn marks_have_digests_of_their_own() {
        let with = of_game(&Game { marks: true, ..single_box() });
        assert_eq!(Manifest::parse(&json(&with)), Ok(with.clone()));
        let (digests, without) = (with.run_digests().unwrap(), complete().run_digests().unwrap());
        assert_eq!((digests.scores, digests.marks.is_some(), without.marks), (without.scores, true, None));
        let text = String::from_utf8(json(&complete())).unwrap();
        assert!(!text.contains("marks"), "{text}");
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let json = json(&of_game(&Game { marks: true, ..single_box() }));
        for bit in 0..8 * json.len() {
            let mut json = json.clone();
            json[bit / 8] ^= 1 << (bit % 8);
            assert!(Manifest::parse(&json).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn consistent_nonsense_is_refused() {
        let resealed = |change: &dyn Fn(&mut Fields)| {
            let mut fields = complete().fields();
            change(&mut fields);
            fields.checksum = fields.checksum();
            Manifest::parse(&serde_json::to_vec(&fields).unwrap())
        };
        assert!(resealed(&|_| {}).is_ok());
        assert!(resealed(&|fields| fields.layers = 1).is_err());
        assert!(resealed(&|fields| (fields.layers, fields.digest) = (usize::MAX, None)).is_err());
        assert!(resealed(&|fields| fields.digest = None).is_err());
        assert!(resealed(&|fields| fields.finished[1].layer = Layer(0)).is_err());
        assert!(resealed(&|fields| assert!(fields.discarded.insert(Layer(1)))).is_ok());
        assert!(resealed(&|fields| assert!(fields.discarded.insert(Layer(2)))).is_err());
        assert!(resealed(&|fields| fields.game.penalty = 3).is_err());
        assert!(resealed(&|fields| fields.finished[0].files.clear()).is_err());
        assert!(resealed(&|fields| fields.finished[0].files.swap(0, 1)).is_err());
        assert!(resealed(&|fields| fields.finished[0].files[1].bytes = u64::MAX).is_ok());
        let released = |layer, slabs: &str| Released { layer: Layer(layer), slabs: slabs.into() };
        assert!(resealed(&|fields| fields.released.push(released(1, "0"))).is_ok());
        for (layer, slabs) in [(1, ""), (1, "1"), (1, "0-1"), (1, "x"), (2, "0")] {
            assert!(resealed(&|fields| fields.released.push(released(layer, slabs))).is_err(), "{layer} {slabs}");
        }
        let twice = |fields: &mut Fields| fields.released.extend([released(1, "0"), released(1, "0")]);
        assert!(resealed(&twice).is_err());
        assert!(
            resealed(&|fields| {
                fields.discarded.insert(Layer(1));
                fields.released.push(released(1, "0"));
            })
            .is_err()
        );
    }

    #[test]
    fn garbage_and_other_versions_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("manifest.json");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Manifest::read(&path)
        };
        for garbage in ["", "{", "[]", "null", "{\"format\":-1}", "{\"format\":5}", "\0\0\0", "{\"format\":5,\"x\":2}"]
        {
            assert!(matches!(read(garbage), Err(StoreError::Manifest { .. })), "{garbage}");
        }
        for other in [1, 6] {
            let read = read(&format!("{{\"format\":{other},\"new\":[]}}"));
            assert!(matches!(read, Err(StoreError::Version { got, .. }) if got == other));
        }
        assert!(matches!(read(&"[".repeat(100_000)), Err(StoreError::Manifest { .. })));
        // One flipped bit is damage, even that of the format.
        let text = String::from_utf8(json(&complete())).unwrap();
        assert!(read(&text).is_ok());
        assert!(matches!(read(&text.replace("\"format\": 5", "\"format\": 4")), Err(StoreError::Manifest { .. })));
    }
}
