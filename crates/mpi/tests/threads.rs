//! A manager and workers as threads that talk through channels: the same scores as one process, and every way to fail.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use crate::{ClusterError, Link, Message, Task, manage, work};
use dab_solve::{Observer, Size, SolveError, solve};
use dab_space::{Layer, Rules, SlabId, Space, SpaceKind};
use dab_store::{Digest, Game, RunDir, ScoreRead, StoreError};

type Words = [u64; Message::WORDS];

/// One end of a net of channels.
struct Channels {
    rank: usize,
    to: Vec<Sender<(usize, Words)>>,
    inbox: Receiver<(usize, Words)>,
}

impl Channels {
    fn net(size: usize) -> Vec<Self> {
        let (to, inboxes): (Vec<_>, Vec<_>) = (0..size).map(|_| mpsc::channel()).unzip();
        inboxes.into_iter().enumerate().map(|(rank, inbox)| Self { rank, to: to.clone(), inbox }).collect()
    }
}

impl Link for Channels {
    fn size(&self) -> usize {
        self.to.len()
    }

    fn rank(&self) -> usize {
        self.rank
    }

    /// Every second process is on a machine of its own.
    fn n_local(&self) -> usize {
        self.to.len().div_ceil(2)
    }

    fn send(&self, to: usize, message: Message) {
        let _ = self.to[to].send((self.rank, message.to_words()));
    }

    fn receive(&self) -> Result<Option<(usize, Message)>, ClusterError> {
        let Ok((rank, words)) = self.inbox.try_recv() else { return Ok(None) };
        Message::from_words(words).map(|message| Some((rank, message))).ok_or(ClusterError::Nonsense { rank, words })
    }

    fn abort(&self, _why: &ClusterError) {}
}

/// Stops when the first positions of a layer are solved.
struct StopIn {
    layer: Layer,
    is_there: AtomicBool,
}

impl Observer for StopIn {
    fn layer(&self, layer: Layer) {
        self.is_there.store(layer <= self.layer, Ordering::Relaxed);
    }
    fn positions(&self, _n: u64) {}
    fn should_stop(&self) -> bool {
        self.is_there.load(Ordering::Relaxed)
    }
}

fn space(board: &str, kind: SpaceKind) -> Space {
    Space::new(board.parse().unwrap(), kind).unwrap()
}

/// What is solved: a space, and whether scores have marks.
type Of<'a> = (&'a Space, bool);

fn rules((space, marks): Of<'_>) -> Rules {
    let rules = Rules::new(space, 0).unwrap();
    if marks { rules.with_marks(space.layout().units().start(), space.kind()).unwrap() } else { rules }
}

fn task(of: Of<'_>, patience: Duration) -> Task<'_> {
    Task { space: of.0, rules: rules(of), budget: 1 << 28, patience }
}

fn open(of: Of<'_>, dir: &Path) -> RunDir {
    RunDir::create_or_resume(dir, &Game::of(of.0, rules(of)), of.0.n_layers()).unwrap().shared()
}

/// Works as a process with a thread that solves, beside the one that sends and receives.
fn as_process<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap().install(work)
}

/// Solves with `n` processes.
fn solve_by(
    n: usize,
    of: Of<'_>,
    run: RunDir,
    patience: Duration,
    observer: &dyn Observer,
) -> Vec<Result<(), ClusterError>> {
    let dir = run.path().to_path_buf();
    let mut ends = Channels::net(n);
    thread::scope(|scope| {
        let workers: Vec<_> = ends
            .drain(1..)
            .map(|end| {
                let dir = &dir;
                scope.spawn(move || as_process(move || work(task(of, patience), &end, dir)))
            })
            .collect();
        let manager = ends.remove(0);
        let managed = as_process(move || {
            let managed = manage(task(of, patience), &manager, &run, observer);
            if managed.is_err() {
                // Stands for aborting, which ends every process.
                (1..n).for_each(|rank| manager.send(rank, Message::End));
            }
            managed.map(drop)
        });
        [managed].into_iter().chain(workers.into_iter().map(|worker| worker.join().unwrap())).collect()
    })
}

/// The digests of a run, and which of its layers are kept. Every byte of these is checked, and nothing else is left.
fn result(dir: &Path) -> (Vec<Digest>, BTreeSet<usize>) {
    let run = RunDir::open(dir).unwrap();
    let layers = (0..run.n_layers()).map(|layer| run.finished(Layer(layer)).unwrap());
    let digests = layers.flat_map(|layer| [Some(layer.digest), layer.marks_digest]).flatten().collect();
    let kept: BTreeSet<usize> = (0..run.n_layers()).filter(|&layer| !run.is_discarded(Layer(layer))).collect();
    kept.iter().for_each(|&layer| run.stored_layer(Layer(layer)).unwrap().verify().unwrap());
    for name in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
        let layer = name.strip_prefix("layer-").map(|name| name[..2].parse::<usize>().unwrap());
        assert!(layer.is_none_or(|layer| kept.contains(&layer)) && !name.ends_with(".part"), "{name}");
    }
    (digests, kept)
}

fn alone(of: Of<'_>, keep: usize) -> (Vec<Digest>, BTreeSet<usize>) {
    let dir = tempfile::tempdir().unwrap();
    solve(of.0, rules(of), &open(of, dir.path()).keeping(Layer(keep)), 1 << 28, &()).unwrap();
    result(dir.path())
}

const PATIENCE: Duration = Duration::from_secs(100);

#[test]
fn many_write_the_same_scores_as_one() {
    for (board, kind, keep, marks) in [
        ("3x4", SpaceKind::Quiet, usize::MAX, false),
        ("3x4", SpaceKind::Quiet, 10, true),
        ("3x3", SpaceKind::Full, 12, false),
    ] {
        let space = space(board, kind);
        let of = (&space, marks);
        let expected = alone(of, keep);
        for n in 1..=3 {
            let dir = tempfile::tempdir().unwrap();
            let run = open(of, dir.path()).keeping(Layer(keep));
            for end in solve_by(n, of, run, PATIENCE, &()) {
                end.unwrap();
            }
            assert!(result(dir.path()) == expected, "{board} {kind} by {n}");
            let is_by_many =
                (0..space.n_layers()).any(|layer| dir.path().join(format!("layer-{layer:02}.1.score")).exists());
            assert!(is_by_many || n == 1 || keep < space.n_layers());
        }
    }
}

#[test]
fn what_was_stopped_goes_on() {
    let space = space("3x4", SpaceKind::Quiet);
    for (keep, marks) in [(usize::MAX, false), (3, true)] {
        let of = (&space, marks);
        let expected = alone(of, keep);
        let dir = tempfile::tempdir().unwrap();
        for layer in [20, 14, 11] {
            let observer = StopIn { layer: Layer(layer), is_there: AtomicBool::new(false) };
            let run = open(of, dir.path()).keeping(Layer(keep));
            let ends = solve_by(3, of, run, PATIENCE, &observer);
            assert!(matches!(ends[0], Err(ClusterError::Solve(SolveError::Stopped { .. }))));
            let run = RunDir::open(dir.path()).unwrap();
            assert!(run.is_finished(Layer(layer + 2)) && !run.is_finished(Layer(layer)), "{layer}");
        }
        // One process goes on where three were.
        let run = open(of, dir.path()).keeping(Layer(keep));
        solve(&space, rules(of), &run, 1 << 28, &()).unwrap();
        drop(run);
        assert!(result(dir.path()) == expected, "{keep}");
    }
}

/// A layer that is lost between finished ones is solved again.
#[test]
fn a_lost_layer_is_solved_again() {
    let space = space("3x4", SpaceKind::Quiet);
    let of = (&space, false);
    let (expected, dir) = (alone(of, usize::MAX), tempfile::tempdir().unwrap());
    let observer = StopIn { layer: Layer(11), is_there: AtomicBool::new(false) };
    let ends = solve_by(2, of, open(of, dir.path()), PATIENCE, &observer);
    assert!(matches!(ends[0], Err(ClusterError::Solve(SolveError::Stopped { .. }))));
    let files = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
    let of_layer = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("layer-15.");
    files.filter(of_layer).for_each(|path| fs::remove_file(path).unwrap());
    for end in solve_by(2, of, open(of, dir.path()), PATIENCE, &()) {
        end.unwrap();
    }
    assert!(result(dir.path()) == expected);
}

/// Notes the most bytes that released slabs have given back.
#[cfg(target_os = "linux")]
struct Released<'a> {
    dir: &'a Path,
    most: AtomicU64,
}

#[cfg(target_os = "linux")]
impl Observer for Released<'_> {
    fn layer(&self, _layer: Layer) {
        let released = RunDir::open(self.dir).map_or(0, |run| run.released_bytes());
        self.most.fetch_max(released, Ordering::Relaxed);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn many_release_slabs() {
    let space = space("3x4", SpaceKind::Quiet);
    let of = (&space, false);
    let dir = tempfile::tempdir().unwrap();
    let observer = Released { dir: dir.path(), most: AtomicU64::new(0) };
    let run = open(of, dir.path()).keeping(Layer(3));
    for end in solve_by(2, of, run, PATIENCE, &observer) {
        end.unwrap();
    }
    assert!(result(dir.path()) == alone(of, 3));
    // A sixth of 1.9 MB, more or less.
    let most = observer.most.into_inner();
    assert!(most > 300_000, "{most}");
}

#[test]
fn who_is_silent_is_noticed() {
    let space = space("3x4", SpaceKind::Quiet);
    let of = (&space, false);
    let patience = Duration::from_secs(2);
    let dir = tempfile::tempdir().unwrap();
    // A worker that takes a slab and is never heard of again.
    let mut ends = Channels::net(2);
    ends[1].send(0, Message::Ready { threads: 1 });
    let silent = manage(task(of, patience), &ends[0], &open(of, dir.path()), &());
    assert!(matches!(silent, Err(ClusterError::Silent { rank: 1, .. })), "{silent:?}");

    // A manager that begins and is never heard of again.
    ends[0].send(1, Message::Begin { syncs: false });
    let worker = ends.remove(1);
    let silent = work(task(of, patience), &worker, dir.path());
    assert!(matches!(silent, Err(ClusterError::Silent { rank: 0, .. })), "{silent:?}");
}

#[test]
fn who_lies_or_is_stuck_is_noticed() {
    let space = space("3x4", SpaceKind::Quiet);
    let of = (&space, false);
    let dir = tempfile::tempdir().unwrap();
    for lies in [true, false] {
        let (rank0, rank1) = {
            let mut ends = Channels::net(2);
            let rank1 = ends.remove(1);
            (ends.remove(0), rank1)
        };
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let over = &over;
            scope.spawn(move || {
                rank1.send(0, Message::Ready { threads: 1 });
                while !over.load(Ordering::Relaxed) {
                    rank1.send(0, Message::Alive);
                    match rank1.receive() {
                        Ok(Some((_, Message::Solve { id, .. }))) if lies => rank1.send(0, Message::Done { id }),
                        Ok(Some((_, Message::Close { layer }))) => rank1.send(0, Message::Close { layer }),
                        _ => {}
                    }
                    thread::sleep(Duration::from_millis(1));
                }
            });
            let run = open(of, dir.path());
            let managed = manage(task(of, Duration::from_secs(2)), &rank0, &run, &());
            over.store(true, Ordering::Relaxed);
            match lies {
                // The slab is missed when the layer is finished.
                true => assert!(
                    matches!(managed, Err(ClusterError::Solve(SolveError::Store(StoreError::Unfinished { .. })))),
                    "{managed:?}"
                ),
                false => assert!(matches!(managed, Err(ClusterError::Stuck { rank: 1, .. })), "{managed:?}"),
            }
        });
    }
}

#[test]
fn messages_arrive_as_they_were_sent() {
    let (id, layer) = (SlabId::new(59, 1 << 40), Layer(3));
    let mut all = vec![
        Message::Alive,
        Message::Begin { syncs: false },
        Message::Begin { syncs: true },
        Message::Ready { threads: 64 },
        Message::Done { id },
        Message::Unread { id },
        Message::Close { layer },
        Message::End,
    ];
    all.extend([Size::Small, Size::Shared, Size::Large].map(|size| Message::Solve { id, size }));
    for message in all {
        assert_eq!(Message::from_words(message.to_words()), Some(message));
    }
    assert_eq!(Message::from_words([8, 0, 0, 0]), None);
    assert_eq!(Message::from_words([3, 0, 0, 3]), None);
}
