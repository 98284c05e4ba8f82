//! A disk that loses power: of what was not synced, anything may be there afterwards.
//!
//! Operations go to the real disk. Beside it a model keeps what is durable, and what is pending: of each file writes, cuts and holes
//! since its last sync, of each directory names since its last sync. A loss takes the model at an operation and makes up a disk from
//! it: pending operations are kept, torn, dropped and put in another order, names in their order up to one or each by chance.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Disk, Output, Storage};

use super::Random;

/// Bytes that a disk writes as a whole.
const SECTOR: usize = 512;

/// The disk, which loses its power at an operation: it and all that follow fail.
#[derive(Debug)]
pub(crate) struct Power {
    at: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    n_done: usize,
    /// By number of the real file.
    files: BTreeMap<u64, FileState>,
    /// Durable names.
    names: BTreeMap<PathBuf, u64>,
    pending: Vec<NameChange>,
}

#[derive(Clone, Debug, Default)]
struct FileState {
    durable: Vec<u8>,
    pending: Vec<Change>,
}

#[derive(Clone, Debug)]
enum Change {
    Write(usize, Vec<u8>),
    Cut(usize),
    Hole(Range<usize>),
}

#[derive(Clone, Debug)]
enum NameChange {
    Made(PathBuf, u64),
    Renamed(PathBuf, PathBuf, u64),
    Removed(PathBuf),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Write(at, new) => {
                bytes.resize(bytes.len().max(at + new.len()), 0);
                bytes[*at..at + new.len()].copy_from_slice(new);
            }
            Self::Cut(len) => bytes.resize(*len, 0),
            Self::Hole(range) => {
                let end = bytes.len().min(range.end);
                bytes[range.start.min(end)..end].fill(0);
            }
        }
    }

    /// The same as a power cut in the middle of it leaves it.
    fn torn(&self, random: &mut Random) -> Vec<Self> {
        let Self::Write(at, new) = self else { return vec![self.clone()] };
        let sectors = new.chunks(SECTOR).enumerate().filter(|_| random.below(2) == 0);
        sectors.map(|(i, sector)| Self::Write(at + i * SECTOR, sector.to_vec())).collect()
    }
}

impl NameChange {
    fn dir(&self) -> &Path {
        let (Self::Made(path, _) | Self::Renamed(_, path, _) | Self::Removed(path)) = self;
        path.parent().unwrap()
    }

    fn apply(&self, names: &mut BTreeMap<PathBuf, u64>) {
        match self {
            Self::Made(path, file) => drop(names.insert(path.clone(), *file)),
            Self::Renamed(from, to, file) => {
                names.remove(from);
                names.insert(to.clone(), *file);
            }
            Self::Removed(path) => drop(names.remove(path)),
        }
    }
}

impl Power {
    /// The disk of a directory with files that survive, losing power at operation `at`.
    pub(crate) fn new(dir: &Path, at: usize) -> Self {
        let mut state = State::default();
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let (number, durable) = (fs::metadata(&path).unwrap().ino(), fs::read(&path).unwrap());
            state.files.insert(number, FileState { durable, pending: Vec::new() });
            state.names.insert(path, number);
        }
        Self { at, state: Mutex::new(state) }
    }

    /// Operations so far.
    pub(crate) fn n_done(&self) -> usize {
        self.state().n_done
    }

    /// Makes `dir` what a power cut at the chosen operation may leave.
    pub(crate) fn lose(&self, dir: &Path, random: &mut Random) {
        let state = self.state();
        let mut names = state.names.clone();
        match random.below(3) {
            // In order, up to one of them.
            0 => {
                let n_kept = random.below(state.pending.len() as u64 + 1) as usize;
                state.pending[..n_kept].iter().for_each(|change| change.apply(&mut names));
            }
            1 => state.pending.iter().for_each(|change| change.apply(&mut names)),
            _ => state.pending.iter().filter(|_| random.below(2) == 0).for_each(|change| change.apply(&mut names)),
        }
        fs::read_dir(dir).unwrap().for_each(|entry| fs::remove_file(entry.unwrap().path()).unwrap());
        for (path, number) in names {
            fs::write(dir.join(path.file_name().unwrap()), state.files[&number].left(random)).unwrap();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does an operation, unless the power is gone.
    fn step<T>(&self, work: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        let mut state = self.state();
        if state.n_done >= self.at {
            return Err(io::Error::other("the power is gone"));
        }
        state.n_done += 1;
        work(&mut state)
    }

    fn change(&self, output: &Output, change: Change, work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let number = output.file.metadata()?.ino();
        self.step(|state| {
            work()?;
            state.files.entry(number).or_default().pending.push(change);
            Ok(())
        })
    }

    fn opened(&self, path: &Path, open: impl FnOnce() -> io::Result<Output>) -> io::Result<Output> {
        self.step(|state| {
            let is_new = !path.exists();
            let output = open()?;
            if is_new {
                let number = output.file.metadata()?.ino();
                // The numbers of removed files are used again.
                state.files.insert(number, FileState::default());
                state.pending.push(NameChange::Made(path.to_path_buf(), number));
            }
            Ok(output)
        })
    }
}

impl FileState {
    /// The bytes that a power cut may leave.
    fn left(&self, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.durable.clone();
        let mut pending: Vec<Change> = match random.below(4) {
            0 => Vec::new(),
            1 => self.pending.clone(),
            2 => self.pending.iter().filter(|_| random.below(2) == 0).cloned().collect(),
            _ => self.pending.iter().flat_map(|change| change.torn(random)).collect(),
        };
        if random.below(2) == 0 {
            (1..pending.len()).for_each(|i| pending.swap(i, random.below(i as u64 + 1) as usize));
        }
        pending.iter().for_each(|change| change.apply(&mut bytes));
        bytes
    }
}

impl Storage for Power {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        self.step(|_| Disk.create_dir(path))
    }

    fn open(&self, path: &Path) -> io::Result<Output> {
        self.opened(path, || Disk.open(path))
    }

    fn create(&self, path: &Path) -> io::Result<Output> {
        self.opened(path, || Disk.create(path))
    }

    fn write_at(&self, output: &Output, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let change = Change::Write(offset as usize, bytes.to_vec());
        self.change(output, change, || Disk.write_at(output, offset, bytes))
    }

    fn truncate(&self, output: &Output, byte_len: u64) -> io::Result<()> {
        self.change(output, Change::Cut(byte_len as usize), || Disk.truncate(output, byte_len))
    }

    fn punch(&self, output: &Output, range: Range<u64>) -> io::Result<()> {
        let hole = Change::Hole(range.start as usize..range.end as usize);
        self.change(output, hole, || Disk.punch(output, range))
    }

    fn sync(&self, output: &Output) -> io::Result<()> {
        let number = output.file.metadata()?.ino();
        self.step(|state| {
            let file = state.files.entry(number).or_default();
            std::mem::take(&mut file.pending).iter().for_each(|change| change.apply(&mut file.durable));
            Ok(())
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(|state| {
            let number = fs::metadata(from)?.ino();
            Disk.rename(from, to)?;
            state.pending.push(NameChange::Renamed(from.to_path_buf(), to.to_path_buf(), number));
            Ok(())
        })
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if to.exists() { Err(io::ErrorKind::AlreadyExists.into()) } else { self.rename(from, to) }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step(|state| {
            Disk.remove(path)?;
            state.pending.push(NameChange::Removed(path.to_path_buf()));
            Ok(())
        })
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.step(|state| {
            let State { names, pending, .. } = state;
            pending.iter().filter(|change| change.dir() == path).for_each(|change| change.apply(names));
            pending.retain(|change| change.dir() != path);
            Ok(())
        })
    }
}
