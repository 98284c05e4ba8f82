//! `seconds.tsv`: the times that the layers of a run took.
//!
//! ```text
//! 24⇥0.000131
//! 23⇥0.002718        layer, tab, seconds; the lines of a layer that took several sessions add up
//! ```
//! Times are no result: two solves of the same game differ here and nowhere else. They are therefore kept beside the manifest, under no
//! digest, and a run without it, or with a damaged one, is as good as any.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use dab_space::Layer;

use super::RunDir;
use super::names::SECONDS;
use crate::StoreError;
use crate::storage::open_to_append;
use crate::whole::{RECORDS_BYTES, read_whole};

impl RunDir {
    /// Notes that a layer took so long, in addition to the time already noted.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn note_time(&self, layer: Layer, time: Duration) -> Result<(), StoreError> {
        let path = self.path.join(SECONDS);
        let file = open_to_append(&path);
        let line = format!("{layer}\t{:.6}\n", time.as_secs_f64());
        file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(StoreError::io("write", &path))
    }

    /// The noted time of each layer.
    pub fn times(&self) -> BTreeMap<Layer, Duration> {
        let bytes = read_whole(&self.path.join(SECONDS), RECORDS_BYTES).unwrap_or_default();
        let mut times = BTreeMap::new();
        for line in String::from_utf8_lossy(&bytes).lines() {
            let noted = line.split_once('\t').and_then(|(layer, seconds)| {
                let time = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
                Some((layer.parse().ok().filter(|layer| *layer < self.n_layers()).map(Layer)?, time))
            });
            if let Some((layer, time)) = noted {
                let sum: &mut Duration = times.entry(layer).or_default();
                *sum = sum.saturating_add(time);
            }
        }
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::single_box;
    use std::fs;

    #[cfg(target_os = "linux")]
    #[test]
    fn links_and_pipes_are_not_written() {
        let directory = tempfile::tempdir().unwrap();
        let run = RunDir::create_or_resume(directory.path(), &single_box(), 3).unwrap();
        let (path, elsewhere) = (directory.path().join(SECONDS), directory.path().join("elsewhere"));
        fs::write(&elsewhere, "mine").unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        assert!(run.note_time(Layer(1), Duration::from_secs(1)).is_err());
        assert_eq!(fs::read(&elsewhere).unwrap(), b"mine");
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(run.note_time(Layer(1), Duration::from_secs(1)).is_err());
        assert!(run.times().is_empty());
    }

    #[test]
    fn sessions_add_up_and_damage_is_passed_over() {
        let directory = tempfile::tempdir().unwrap();
        let run = RunDir::create_or_resume(directory.path(), &single_box(), 3).unwrap();
        assert!(run.times().is_empty());
        for (layer, ms) in [(2, 40), (1, 5), (2, 2)] {
            run.note_time(Layer(layer), Duration::from_millis(ms)).unwrap();
        }
        let expected = BTreeMap::from([(Layer(1), Duration::from_millis(5)), (Layer(2), Duration::from_millis(42))]);
        assert_eq!(run.times(), expected);
        let path = directory.path().join(SECONDS);
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend(b"7\t1\n0\t-1\n0\tNaN\n0\t1e300\n\xff\xff\n0\n\n1\t0.00");
        fs::write(&path, bytes).unwrap();
        assert_eq!(run.times(), expected);
        // It survives the manifest, and is no foreign file.
        drop(run);
        fs::remove_file(directory.path().join("manifest.json")).unwrap();
        assert_eq!(RunDir::create_or_resume(directory.path(), &single_box(), 3).unwrap().times(), expected);
    }
}
