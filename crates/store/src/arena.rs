//! Memory for large buffers that is used over and over: a fresh page costs as much as several passes over it.
//!
//! ```text
//!    region   | in use | unused |  in use  | unused | fresh ...            an extent is a range of pages of a region
//! ```
//! A buffer takes the smallest unused extent that it fits into, and else a fresh one; what it leaves over stays where it was. When it
//! is dropped, its pages are unused, and one extent with unused neighbours. Unused pages still take memory; fresh ones take none.
//!
//! Slabs of all sizes leave holes, and where memory is short a large buffer fits into none of them. Then the pages of several unused
//! extents move into the fresh one, without their contents: Linux moves a page in a hundredth of the time that a new one takes.
#![allow(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[cfg(all(unix, feature = "map"))]
use memmap2::MmapOptions;

use crate::maps::MmapRaw;

/// Bytes of a page: extents begin and end at its multiples.
const PAGE: usize = 1 << 12;
/// Bytes of a region, unless a buffer needs more. They are addresses, not memory.
const REGION: usize = 1 << 28;

/// Bytes of the least unused extent whose pages are moved: a move of few pages costs as much as fresh ones, and the system keeps a record
/// of each.
const LEAST_MOVED: usize = 1 << 20;

/// Regions of memory, and their extents that are not in use.
#[derive(Debug, Default)]
pub struct Arena {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    regions: Vec<Region>,
    /// By length, region and begin.
    unused: BTreeSet<(usize, usize, usize)>,
    fresh: BTreeSet<(usize, usize, usize)>,
    unused_bytes: usize,
    /// Bytes of the extents in use.
    used_bytes: usize,
    /// Bytes of both at most, if there is a limit.
    most: Option<u64>,
}

#[derive(Debug)]
struct Region {
    map: Arc<MmapRaw>,
    /// The extents that are not in use, by their begin.
    free: BTreeMap<usize, Free>,
    /// Ends of ranges that pages were moved into: the system moves no pages from both sides of one at once.
    seams: BTreeSet<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Free {
    len: usize,
    is_fresh: bool,
}

/// Pages that belong to one buffer.
pub(crate) struct Extent {
    arena: Arc<Arena>,
    map: Arc<MmapRaw>,
    region: usize,
    begin: usize,
    len: usize,
}

impl Arena {
    /// Bytes of the pages of a buffer of `len` bytes.
    pub(crate) fn taken(len: usize) -> usize {
        len.next_multiple_of(PAGE)
    }

    /// Pages for `len` bytes, which hold anything. `None` where the system has no memory maps, or none left.
    pub(crate) fn take(self: &Arc<Self>, len: usize) -> Option<Extent> {
        let len = Self::taken(len);
        let mut state = self.state();
        let used_before = state.take(len, false);
        state.used_bytes += len;
        let (region, begin) = match used_before.or_else(|| state.take(len, true)) {
            Some(found) => found,
            None => {
                let fresh = state.add_region(len.max(REGION)).and_then(|()| state.take(len, true));
                fresh.or_else(|| {
                    state.used_bytes -= len;
                    None
                })?
            }
        };
        let n_moved = if used_before.is_some() { len } else { state.gather(region, begin, len) };
        // Holes whose pages did not move go, or they would take memory beside the fresh pages.
        state.limit_all();
        let map = state.regions[region].map.clone();
        drop(state);
        populate(&map, begin + n_moved, len - n_moved);
        Some(Extent { arena: self.clone(), map, region, begin, len })
    }

    /// Bytes of memory that no buffer uses.
    #[cfg(test)]
    pub(crate) fn unused(&self) -> u64 {
        self.state().unused_bytes as u64
    }

    /// Gives unused memory back to the system until at most `bytes` are left.
    pub(crate) fn limit_unused(&self, bytes: u64) {
        let mut state = self.state();
        state.most = None;
        state.limit_unused(bytes);
    }

    /// The same until all buffers and unused memory take at most `bytes` bytes, or none is unused; and so from now on.
    pub(crate) fn limit_all(&self, bytes: u64) {
        let mut state = self.state();
        state.most = Some(bytes);
        state.limit_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Takes `len` bytes from the smallest extent that has as many.
    fn take(&mut self, len: usize, is_fresh: bool) -> Option<(usize, usize)> {
        let extents = if is_fresh { &self.fresh } else { &self.unused };
        let &(found, region, begin) = extents.range((len, 0, 0)..).next()?;
        self.remove(region, begin);
        if found > len {
            self.insert(region, begin + len, Free { len: found - len, is_fresh });
        }
        Some((region, begin))
    }

    #[cfg(all(unix, feature = "map"))]
    fn add_region(&mut self, len: usize) -> Option<()> {
        let map = MmapOptions::new().len(len).no_reserve_swap().map_anon().ok()?;
        self.regions.push(Region { map: Arc::new(map.into()), free: BTreeMap::new(), seams: BTreeSet::new() });
        self.insert(self.regions.len() - 1, 0, Free { len, is_fresh: true });
        Some(())
    }

    /// Memory that cannot be given back page by page is not kept.
    #[cfg(not(all(unix, feature = "map")))]
    fn add_region(&mut self, _len: usize) -> Option<()> {
        None
    }

    /// Moves pages of unused extents to the front of a fresh one that was taken, as far as they last; returns the bytes that they fill.
    fn gather(&mut self, region: usize, begin: usize, len: usize) -> usize {
        let mut filled = 0;
        while filled < len
            && let Some(&(found, from, at)) = self.unused.last()
            && found >= LEAST_MOVED
        {
            let seam = self.regions[from].seams.range(at + 1..at + found).next().map_or(found, |seam| seam - at);
            let moved = seam.min(len - filled);
            let to = (region, begin + filled);
            if !move_pages(&self.regions[from].map, at, &self.regions[to.0].map, to.1, moved) {
                break;
            }
            self.remove(from, at);
            self.insert(from, at, Free { len: moved, is_fresh: true });
            if found > moved {
                self.insert(from, at + moved, Free { len: found - moved, is_fresh: false });
            }
            let seams = &mut self.regions[to.0].seams;
            seams.retain(|seam| !(to.1..to.1 + moved).contains(seam));
            seams.extend([to.1, to.1 + moved]);
            filled += moved;
        }
        filled
    }

    /// Adds an extent, one with its neighbours of the same kind.
    fn insert(&mut self, region: usize, mut begin: usize, mut free: Free) {
        let extents = &self.regions[region].free;
        let is_alike = |other: &Free| other.is_fresh == free.is_fresh;
        let before =
            extents.range(..begin).next_back().filter(|&(&at, other)| at + other.len == begin && is_alike(other));
        let after = extents.get(&(begin + free.len)).filter(|&other| is_alike(other)).map(|_| begin + free.len);
        if let Some(before) = before.map(|(&at, _)| at) {
            free.len += self.remove(region, before).len;
            begin = before;
        }
        if let Some(after) = after {
            free.len += self.remove(region, after).len;
        }
        self.regions[region].free.insert(begin, free);
        self.of_kind(free).insert((free.len, region, begin));
        self.unused_bytes += if free.is_fresh { 0 } else { free.len };
    }

    fn remove(&mut self, region: usize, begin: usize) -> Free {
        let free = self.regions[region].free.remove(&begin).expect("an extent begins here");
        self.of_kind(free).remove(&(free.len, region, begin));
        self.unused_bytes -= if free.is_fresh { 0 } else { free.len };
        free
    }

    fn of_kind(&mut self, free: Free) -> &mut BTreeSet<(usize, usize, usize)> {
        if free.is_fresh { &mut self.fresh } else { &mut self.unused }
    }

    fn limit_all(&mut self) {
        if let Some(most) = self.most {
            self.limit_unused(most.saturating_sub(self.used_bytes as u64));
        }
    }

    /// The smallest extents go first, because large ones have room for any buffer; of the last one just its end goes.
    fn limit_unused(&mut self, bytes: u64) {
        while let Some(excess) = (self.unused_bytes as u64).checked_sub(bytes).filter(|&excess| excess > 0) {
            let Some(&(len, region, begin)) = self.unused.first() else { return };
            self.remove(region, begin);
            let stays = len.saturating_sub((excess as usize).next_multiple_of(PAGE));
            if stays > 0 {
                self.insert(region, begin, Free { len: stays, is_fresh: false });
            }
            let (begin, len) = (begin + stays, len - stays);
            // SAFETY: no buffer has these pages, and no other one gets them before they are inserted again. Pages of a
            // private map without a file read as zeros afterwards.
            #[cfg(all(unix, feature = "map"))]
            let _ = unsafe {
                let advice = memmap2::UncheckedAdvice::DontNeed;
                self.regions[region].map.unchecked_advise_range(advice, begin, len)
            };
            self.insert(region, begin, Free { len, is_fresh: true });
        }
    }
}

/// Moves the pages of a range of one map to another range, whose own pages go; the first one has fresh pages then. Returns whether the
/// system did that.
#[cfg(all(target_os = "linux", feature = "encode"))]
fn move_pages(from: &MmapRaw, at: usize, to: &MmapRaw, begin: usize, len: usize) -> bool {
    use rustix::mm::{MremapFlags, mremap_fixed};
    if cfg!(emulated) {
        return false;
    }
    let flags = MremapFlags::MAYMOVE | MremapFlags::DONTUNMAP;
    // SAFETY: both ranges lie in private maps of the arena, and no buffer has their pages: the one is unused, the other was taken and
    // is not handed out yet. Both stay mapped.
    let moved = unsafe {
        let [from, to] = [(from, at), (to, begin)].map(|(map, at)| map.as_mut_ptr().add(at).cast());
        mremap_fixed(from, len, len, flags, to)
    };
    moved.is_ok()
}

#[cfg(not(all(target_os = "linux", feature = "encode")))]
fn move_pages(_: &MmapRaw, _: usize, _: &MmapRaw, _: usize, _: usize) -> bool {
    false
}

/// Makes the pages of a range, all of which are written soon: at once they cost less than one by one. A system that cannot do it loses
/// nothing.
#[cfg(all(target_os = "linux", feature = "map"))]
fn populate(map: &MmapRaw, begin: usize, len: usize) {
    if len > 0 {
        let _ = map.advise_range(memmap2::Advice::PopulateWrite, begin, len);
    }
}

#[cfg(not(all(target_os = "linux", feature = "map")))]
fn populate(_: &MmapRaw, _: usize, _: usize) {}

impl Extent {
    /// Bytes of the pages.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn scores(&self) -> &[i8] {
        // SAFETY: the range lies in the map, which lives as long as the extent. Only this extent has it, so nothing
        // writes while it is borrowed. Fresh pages are zeros, and others were written before: all bytes have values.
        unsafe { slice::from_raw_parts(self.map.as_ptr().add(self.begin).cast(), self.len) }
    }

    pub(crate) fn scores_mut(&mut self) -> &mut [i8] {
        // SAFETY: as in `scores`; the extent is borrowed for writing.
        unsafe { slice::from_raw_parts_mut(self.map.as_mut_ptr().add(self.begin).cast(), self.len) }
    }
}

impl Drop for Extent {
    fn drop(&mut self) {
        let mut state = self.arena.state();
        state.used_bytes -= self.len;
        state.insert(self.region, self.begin, Free { len: self.len, is_fresh: false });
    }
}

impl fmt::Debug for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of an arena", self.len)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Every byte of a region is in one extent, and no two neighbours are of the same kind.
    fn check(arena: &Arc<Arena>, in_use: &[Extent]) {
        let state = arena.state();
        for (number, region) in state.regions.iter().enumerate() {
            let free = region.free.iter().map(|(&begin, free)| (begin, free.len, Some(free.is_fresh)));
            let used = in_use.iter().filter(|extent| extent.region == number);
            let mut all: Vec<_> = free.chain(used.map(|extent| (extent.begin, extent.len, None))).collect();
            all.sort_unstable();
            assert!(all.windows(2).all(|pair| pair[0].0 + pair[0].1 == pair[1].0));
            assert!(all.windows(2).all(|pair| pair[0].2.is_none() || pair[0].2 != pair[1].2));
            let (begin, len, _) = all[all.len() - 1];
            assert_eq!((all[0].0, begin + len), (0, region.map.len()));
        }
        let unused: usize = state.unused.iter().map(|extent| extent.0).sum();
        assert_eq!(unused, state.unused_bytes);
        assert_eq!(in_use.iter().map(|extent| extent.len).sum::<usize>(), state.used_bytes);
    }

    #[test]
    fn extents_never_meet() {
        let arena = Arc::new(Arena::default());
        let mut random = fastrand::Rng::with_seed(3);
        let mut in_use: Vec<Extent> = Vec::new();
        for step in 0..3000_u32 {
            if random.u32(0..40) > in_use.len() as u32 {
                let len = 1 << random.u32(0..28);
                let mut extent = arena.take(len + random.usize(0..len)).unwrap();
                let mark = (step % 100) as i8;
                (extent.scores_mut()[0], *extent.scores_mut().last_mut().unwrap()) = (mark, mark);
                in_use.push(extent);
            } else {
                let extent = in_use.swap_remove(random.usize(0..in_use.len()));
                assert_eq!(extent.scores()[0], *extent.scores().last().unwrap());
            }
            if step % 50 == 0 {
                arena.limit_unused(random.u64(0..1 << 26));
                check(&arena, &in_use);
            }
        }
        assert!(arena.state().regions.len() > 1);
        in_use.clear();
        check(&arena, &[]);
        arena.limit_unused(0);
        assert_eq!((arena.unused(), arena.state().unused.len()), (0, 0));
    }

    /// Holes that are too small for a buffer give it their pages.
    #[cfg(all(target_os = "linux", feature = "encode", not(emulated)))]
    #[test]
    fn pages_of_several_holes_make_a_buffer() {
        let arena = Arc::new(Arena::default());
        let len = 2 * LEAST_MOVED;
        let small: Vec<Extent> = (0..6).map(|_| arena.take(len).unwrap()).collect();
        let (stay, mut go): (Vec<_>, Vec<_>) = small.into_iter().enumerate().partition(|(i, _)| i % 2 == 0);
        go.iter_mut().for_each(|(_, extent)| extent.scores_mut().fill(7));
        drop(go);
        assert_eq!(arena.unused(), 3 * len as u64);
        let large = arena.take(2 * len + PAGE).unwrap();
        assert_eq!(arena.unused(), (len - PAGE) as u64);
        // Pages move with their contents: so these were not made anew.
        assert!(large.scores().iter().all(|&score| score == 7));
        // The same from both sides of a seam, but for a page that is not worth it.
        drop(large);
        let larger = arena.take(3 * len + PAGE).unwrap();
        assert_eq!(arena.unused(), PAGE as u64);
        assert!(larger.scores()[..3 * len - PAGE].iter().all(|&score| score == 7) && larger.scores()[3 * len] == 0);
        // Nothing is left at their places.
        let again = arena.take(len).unwrap();
        assert!(again.scores().iter().all(|&score| score == 0));
        let mut all: Vec<Extent> = stay.into_iter().map(|(_, extent)| extent).chain([larger, again]).collect();
        check(&arena, &all);
        all.clear();
        check(&arena, &[]);
    }

    /// Holes that are too small to be moved go when a buffer takes fresh pages, so both never take more than the limit.
    #[test]
    fn fresh_pages_count_at_once() {
        let arena = Arc::new(Arena::default());
        let len = LEAST_MOVED / 4;
        let small: Vec<Extent> = (0..40).map(|_| arena.take(len).unwrap()).collect();
        let limit = 40 * len as u64;
        arena.limit_all(limit);
        let (stay, go): (Vec<_>, Vec<_>) = small.into_iter().enumerate().partition(|(i, _)| i % 2 == 0);
        drop(go);
        assert_eq!(arena.unused(), limit / 2);
        let large = arena.take(15 * len).unwrap();
        assert_eq!(arena.unused(), 5 * len as u64);
        check(&arena, &stay.into_iter().map(|(_, extent)| extent).chain([large]).collect::<Vec<_>>());
    }

    #[test]
    fn memory_is_used_again() {
        let arena = Arc::new(Arena::default());
        let len = 5 * PAGE;
        drop((arena.take(len).unwrap(), arena.take(len).unwrap()));
        assert_eq!(arena.unused(), 2 * len as u64);
        // Both were neighbours, so a larger one fits.
        arena.limit_all(2 * len as u64);
        let larger = arena.take(len + 1).unwrap();
        assert_eq!((larger.begin, larger.len(), arena.unused()), (0, len + PAGE, (4 * PAGE) as u64));
        arena.limit_all((len + 3 * PAGE) as u64);
        assert_eq!(arena.unused(), (2 * PAGE) as u64);
        arena.limit_unused(0);
        drop(larger);
        assert_eq!(arena.unused(), (len + PAGE) as u64);
    }
}
