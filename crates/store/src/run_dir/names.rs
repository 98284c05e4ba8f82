//! Names of the files of a run.

use std::io::ErrorKind;
use std::path::Path;

use dab_space::Layer;

use crate::StoreError;
use crate::files::Files;

pub(super) const LOCK: &str = "lock";
pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const SECONDS: &str = "seconds.tsv";

/// The score file of a layer.
pub(super) fn layer_name(layer: Layer) -> String {
    format!("layer-{:02}.score", layer.0)
}

/// The directory with the slab files of a layer, until it is finished.
pub(super) fn slabs_name(layer: Layer) -> String {
    format!("layer-{:02}.slabs", layer.0)
}

/// Whether this is the name of the score file of a layer.
pub(super) fn is_score_file(name: &str) -> bool {
    name.starts_with("layer-") && name.ends_with(".score")
}

/// Whether this is the name of the directory with the slab files of a layer.
pub(super) fn is_slabs(name: &str) -> bool {
    name.starts_with("layer-") && name.ends_with(".slabs")
}

/// Whether a run may have made a file of this name before its manifest, or kept it when the manifest was deleted.
pub(super) fn is_ours(name: &str) -> bool {
    let name = [".part", ".early"].into_iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
    name == LOCK || name == MANIFEST || name == SECONDS || is_score_file(name) || is_slabs(name)
}

/// Removes a file, if there is one.
pub(super) fn remove_if_there(files: &Files, path: &Path) -> Result<(), StoreError> {
    if path.exists() { files.remove(path) } else { Ok(()) }
}

/// Removes the slab files of a layer that no longer needs them.
pub(super) fn remove_slabs(files: &Files, path: &Path, layer: Layer) -> Result<(), StoreError> {
    let path = path.join(slabs_name(layer));
    if !path.exists() {
        return Ok(());
    }
    match files.remove_dir(&path) {
        // Somebody who does not know yet that the layer is finished writes there; the next solve removes it.
        Err(StoreError::Io { source, .. })
            if matches!(source.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) =>
        {
            Ok(())
        }
        removed => removed,
    }
}
