//! Threads of the module: workers that share its memory. Only a module that was built for them has any.
//!
//! ```text
//!    first worker                                   each other worker, in its own instance on the same memory
//!    at = room()      ─► memory of a thread  ─►     stack and thread-local memory begin there
//!    begin_threads(n) ─► waits for them      ◄─     work(): a thread of the pool, as long as the worker lives
//! ```
//! Rayon hands out its threads here, and the workers take them. Memory is allocated by one of them at a time.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rayon::ThreadBuilder;

/// The allocator of Rust's library, but a thread that waits for it sleeps: there it would keep its core busy.
struct Heap(Mutex<()>);

#[global_allocator]
static HEAP: Heap = Heap(Mutex::new(()));

impl Heap {
    fn one_at_a_time(&self) -> MutexGuard<'_, ()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// SAFETY: everything is left to the allocator of the library.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _turn = self.one_at_a_time();
        // SAFETY: the caller's promises are those of the allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let _turn = self.one_at_a_time();
        // SAFETY: likewise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        let _turn = self.one_at_a_time();
        // SAFETY: likewise.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, byte_len: usize) -> *mut u8 {
        let _turn = self.one_at_a_time();
        // SAFETY: likewise.
        unsafe { System.realloc(at, layout, byte_len) }
    }
}

/// Threads that no worker is yet.
static THREADS: Mutex<VecDeque<ThreadBuilder>> = Mutex::new(VecDeque::new());
static THERE: Condvar = Condvar::new();

/// Memory for the stack of a thread and what is its own: `byte_len` bytes on a border of 64.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn room(byte_len: usize) -> *mut u8 {
    #[repr(align(64))]
    #[derive(Clone)]
    struct Line(#[allow(dead_code, reason = "room for others")] [u8; 64]);
    vec![Line([0; 64]); byte_len.div_ceil(64)].leak().as_mut_ptr().cast()
}

/// Makes a pool of this thread and of `n` - 1 workers; returns when they are there.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn begin_threads(n: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n).use_current_thread().spawn_handler(|thread| {
        THREADS.lock().unwrap_or_else(PoisonError::into_inner).push_back(thread);
        THERE.notify_one();
        Ok(())
    });
    // Without it there is the pool of one thread.
    let _ = pool.build_global();
}

/// Is a thread of the pool; does not return.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn work() {
    let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
    let thread = loop {
        match threads.pop_front() {
            Some(thread) => break thread,
            None => threads = THERE.wait(threads).unwrap_or_else(PoisonError::into_inner),
        }
    };
    drop(threads);
    thread.run();
}
