//! Names of the files of a run.
//!
//! ```text
//! layer-07.score           score file 0 of layer 7
//! layer-07.2.score         its score file 2
//! layer-07.2.score.part    the same while it is written
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use dab_space::Layer;

use crate::StoreError;
use crate::files::part_of;

pub(super) const LOCK: &str = "lock";
pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const SECONDS: &str = "seconds.tsv";
const PART: &str = ".part";

/// The name of a score file of a layer.
pub(super) fn score_name(layer: Layer, number: u32) -> String {
    match number {
        0 => format!("layer-{:02}.score", layer.0),
        _ => format!("layer-{:02}.{number}.score", layer.0),
    }
}

/// The score file that has this name, and whether it is still being written.
fn of_score_file(name: &str) -> Option<(Layer, u32, bool)> {
    let whole = name.strip_suffix(PART).unwrap_or(name);
    let numbers = whole.strip_prefix("layer-")?.strip_suffix(".score")?;
    let (layer, number) = numbers.split_once('.').unwrap_or((numbers, "0"));
    let (layer, number) = (Layer(layer.parse().ok()?), number.parse().ok()?);
    // There is one name for each.
    (score_name(layer, number) == whole).then_some((layer, number, whole != name))
}

/// Whether a run may have made a file of this name before its manifest, or kept it when the manifest was deleted.
pub(super) fn is_ours(name: &str) -> bool {
    let whole = name.strip_suffix(PART).unwrap_or(name);
    whole == LOCK || whole == MANIFEST || whole == SECONDS || of_score_file(name).is_some()
}

/// The numbers of the score files of a layer that are there.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// Of those that have their final name.
    pub(super) complete: BTreeSet<u32>,
    /// Of those that are being written, or were.
    pub(super) parts: BTreeSet<u32>,
}

impl Numbers {
    /// Those of all layers of the run in a directory.
    pub(super) fn in_dir(dir: &Path) -> Result<BTreeMap<Layer, Self>, StoreError> {
        let mut found: BTreeMap<Layer, Self> = BTreeMap::new();
        for entry in fs::read_dir(dir).map_err(StoreError::io("list", dir))? {
            let name = entry.map_err(StoreError::io("list", dir))?.file_name();
            if let Some((layer, number, is_part)) = name.to_str().and_then(of_score_file) {
                let numbers = found.entry(layer).or_default();
                if is_part {
                    numbers.parts.insert(number)
                } else {
                    numbers.complete.insert(number)
                };
            }
        }
        Ok(found)
    }

    /// Those of one layer.
    pub(super) fn of(dir: &Path, layer: Layer) -> Result<Self, StoreError> {
        Ok(Self::in_dir(dir)?.remove(&layer).unwrap_or_default())
    }

    /// The paths of these files of a layer in a directory.
    pub(super) fn paths(&self, dir: &Path, layer: Layer) -> impl Iterator<Item = PathBuf> {
        let path = move |number: &u32| dir.join(score_name(layer, *number));
        self.complete.iter().map(path).chain(self.parts.iter().map(move |number| part_of(&path(number))))
    }

    /// The least number from `first` on, in steps of `step`, that no file has.
    pub(super) fn free(&self, first: u32, step: u32) -> u32 {
        let mut numbers = (first..).step_by(step as usize);
        numbers.find(|number| !self.complete.contains(number) && !self.parts.contains(number)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_has_one_name() {
        for (layer, number) in [(0, 0), (7, 0), (7, 2), (99, 10), (100, 1), (1023, u32::MAX)] {
            let name = score_name(Layer(layer), number);
            assert_eq!(of_score_file(&name), Some((Layer(layer), number, false)));
            assert_eq!(of_score_file(&format!("{name}.part")), Some((Layer(layer), number, true)));
        }
        for name in
            ["layer-7.score", "layer-07.0.score", "layer-07.01.score", "layer-007.score", "layer-07.score.early"]
        {
            assert_eq!(of_score_file(name), None, "{name}");
        }
        assert!(is_ours("layer-07.2.score.part") && is_ours("manifest.json.part") && !is_ours("layer-07.slabs"));
    }
}
