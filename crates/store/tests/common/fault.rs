//! A storage that fails at one of its operations.
//!
//! Operations are counted; nothing is ever really synced. The loss of a power cut is modelled: bytes written since the
//! last sync of their file become zeros, names given since the last sync of their directory are taken back.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::{Disk, Output, Storage};

/// The fault at the chosen operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It fails; what follows works.
    Fail,
    /// It and all that follow fail: the process was killed before it.
    Freeze,
    /// It works, but this and all that follow report failure: the process was killed after it.
    Late,
    /// Half of the bytes of a write arrive, then all fails.
    Tear,
    /// From here on the disk has no room: writes bring half of their bytes and fail, the rest works.
    Full,
    /// As `Freeze`, and what was not synced is lost.
    PowerCut,
}

impl Fault {
    pub(crate) const ALL: [Self; 6] = [Self::Fail, Self::Freeze, Self::Late, Self::Tear, Self::Full, Self::PowerCut];
}

/// The disk, with a fault at one operation.
#[derive(Debug)]
pub(crate) struct Faulty {
    at: usize,
    fault: Fault,
    has_holes: bool,
    is_overtaken: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    n_done: usize,
    /// For each file: bytes that a power cut leaves.
    synced: BTreeMap<PathBuf, u64>,
    /// Renames that a power cut takes back: old name, new name, what the new name held before.
    renamed: Vec<(PathBuf, PathBuf, Option<Vec<u8>>)>,
    /// Holes that a power cut fills again: file, offset, bytes before.
    punched: Vec<(PathBuf, usize, Vec<u8>)>,
    /// Directories whose names were synced.
    synced_dirs: BTreeSet<PathBuf>,
}

impl Faulty {
    /// Fails at operation number `at`, counted from 0.
    pub(crate) fn new(at: usize, fault: Fault) -> Self {
        Self { at, fault, has_holes: true, is_overtaken: false, state: Mutex::default() }
    }

    /// Never fails.
    pub(crate) fn never() -> Self {
        Self::new(usize::MAX, Fault::Fail)
    }

    /// Never fails, but makes no holes.
    pub(crate) fn without_holes() -> Self {
        Self { has_holes: false, ..Self::never() }
    }

    /// Never fails, but somebody else makes every new file just before it gets its name.
    pub(crate) fn overtaken() -> Self {
        Self { is_overtaken: true, ..Self::never() }
    }

    /// Operations so far.
    pub(crate) fn n_done(&self) -> usize {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).n_done
    }

    /// Directories that were synced so far.
    pub(crate) fn synced_dirs(&self) -> BTreeSet<PathBuf> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).synced_dirs.clone()
    }

    /// Does an operation or fails; `torn` does a part of it.
    fn step(
        &self,
        whole: impl FnOnce(&mut State) -> io::Result<()>,
        torn: Option<&dyn Fn() -> io::Result<()>>,
    ) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (now, is_write) = (state.n_done, torn.is_some());
        state.n_done += 1;
        let is_hit = now == self.at;
        let fails = match self.fault {
            Fault::Fail => is_hit,
            Fault::Full => now >= self.at && is_write,
            _ => now >= self.at,
        };
        if !fails {
            return whole(&mut state);
        }
        match (self.fault, torn) {
            (Fault::Late, _) if is_hit => whole(&mut state)?,
            (Fault::Tear, Some(torn)) if is_hit => torn()?,
            (Fault::Full, Some(torn)) => torn()?,
            (Fault::PowerCut, _) if is_hit => state.cut()?,
            _ => {}
        }
        Err(match self.fault {
            Fault::Full => ErrorKind::StorageFull.into(),
            fault => io::Error::other(format!("{fault:?} at operation {now}")),
        })
    }

    fn opened(&self, path: &Path, open: impl Fn(&Path) -> io::Result<Output>) -> io::Result<Output> {
        let mut output = None;
        self.step(
            |state| {
                let opened = open(path)?;
                // Bytes that were there before are as durable as they ever will be.
                state.synced.entry(path.to_path_buf()).or_insert(opened.file.metadata()?.len());
                output = Some(opened);
                Ok(())
            },
            None,
        )?;
        output.ok_or(ErrorKind::Other.into())
    }

    fn renamed(&self, from: &Path, to: &Path, rename: impl Fn(&Path, &Path) -> io::Result<()>) -> io::Result<()> {
        self.step(
            |state| {
                let before = fs::read(to).ok();
                rename(from, to)?;
                state.renamed.push((from.to_path_buf(), to.to_path_buf(), before));
                let synced = state.synced.remove(from).unwrap_or_default();
                // A renamed file keeps what was synced of it under both names.
                state.synced.insert(to.to_path_buf(), synced);
                Ok(())
            },
            None,
        )
    }
}

impl State {
    /// Loses what was not synced.
    fn cut(&mut self) -> io::Result<()> {
        for (from, to, before) in self.renamed.drain(..).rev().filter(|(_, to, _)| to.exists()) {
            fs::rename(&to, &from)?;
            if let Some(before) = before {
                fs::write(&to, before)?;
            }
        }
        for (path, offset, before) in self.punched.drain(..).filter(|(path, ..)| path.exists()) {
            let mut bytes = fs::read(&path)?;
            // The file may have been cut off since.
            if let Some(hole) = bytes.get_mut(offset..offset + before.len()) {
                hole.copy_from_slice(&before);
                fs::write(path, bytes)?;
            }
        }
        for (path, &synced) in self.synced.iter().filter(|(path, _)| path.exists()) {
            let mut bytes = fs::read(path)?;
            bytes.iter_mut().skip(synced as usize).for_each(|byte| *byte = 0);
            fs::write(path, bytes)?;
        }
        Ok(())
    }
}

impl Storage for Faulty {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        self.step(|_| Disk.create_dir(path), None)
    }

    fn open(&self, path: &Path) -> io::Result<Output> {
        self.opened(path, |path| Disk.open(path))
    }

    fn create(&self, path: &Path) -> io::Result<Output> {
        self.opened(path, |path| Disk.create(path))
    }

    fn write_at(&self, output: &Output, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let torn = || Disk.write_at(output, offset, &bytes[..bytes.len() / 2]);
        self.step(|_| Disk.write_at(output, offset, bytes), Some(&torn))
    }

    fn truncate(&self, output: &Output, byte_len: u64) -> io::Result<()> {
        self.step(
            |state| {
                let synced = state.synced.entry(output.path.clone()).or_default();
                *synced = byte_len.min(*synced);
                Disk.truncate(output, byte_len)
            },
            None,
        )
    }

    fn punch(&self, output: &Output, range: Range<u64>) -> io::Result<()> {
        if !self.has_holes {
            return Err(ErrorKind::Unsupported.into());
        }
        self.step(
            |state| {
                let bytes = fs::read(&output.path)?;
                let hole = &bytes[range.start as usize..bytes.len().min(range.end as usize)];
                state.punched.push((output.path.clone(), range.start as usize, hole.to_vec()));
                Disk.punch(output, range.clone())
            },
            None,
        )
    }

    fn sync(&self, output: &Output) -> io::Result<()> {
        self.step(
            |state| {
                state.synced.insert(output.path.clone(), output.file.metadata()?.len());
                Ok(())
            },
            None,
        )
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.renamed(from, to, |from, to| Disk.rename(from, to))
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.is_overtaken {
            fs::write(to, "made by somebody else")?;
        }
        self.renamed(from, to, |from, to| Disk.rename_new(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step(|_| Disk.remove(path), None)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.step(
            |state| {
                state.synced_dirs.insert(path.to_path_buf());
                state.renamed.retain(|(_, to, _)| to.parent() != Some(path));
                Ok(())
            },
            None,
        )
    }
}
