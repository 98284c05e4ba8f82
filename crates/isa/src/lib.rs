//! Instruction sets: which vectors the machine has, and which of them a program uses.
//!
//! ```text
//!   the processor  ->  available()   portable < sse4.2 < avx2 < avx512      x86-64
//!                                    portable < neon                        64-bit ARM
//!                                    portable < simd128                     WebAssembly that was built with it
//!   DAB_ISA        ->  best()        the set that it names, else the last one of those
//! ```
//! `portable` is what every machine of the target has: SSE2 on x86-64, and the one set of the others.
//!
//! Codec and kernels ask here, so one environment variable restricts both: their tests run under every set that a machine has, and
//! a slow machine can be imitated on a fast one. Results are the same under all sets.
//!
//! An [`Isa`] is the proof that the machine has the instructions: only checks of the machine make one. Functions that are generic
//! over `fearless_simd::Simd` run with the token of its [`Level`].
#![forbid(unsafe_code)]

use std::error::Error;
use std::fmt;
use std::sync::OnceLock;

use fearless_simd::Level;
#[cfg(target_arch = "x86_64")]
use fearless_simd::Simd;

/// The environment variable that names the instruction set of a program.
const VARIABLE: &str = "DAB_ISA";

/// An instruction set that this machine has.
///
/// ```compile_fail
/// let unchecked = dab_isa::Isa { name: "avx512", vector_bytes: 64, level: fearless_simd::Level::new() };
/// ```
#[derive(Clone, Copy)]
pub struct Isa {
    name: &'static str,
    vector_bytes: usize,
    level: Level,
}

/// The environment names an instruction set that is none of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAvailable {
    name: String,
    available: String,
}

impl fmt::Display for NotAvailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{VARIABLE}={}: this machine has {}", self.name, self.available)
    }
}

impl Error for NotAvailable {}

impl Isa {
    /// The instructions that every machine of the target has.
    pub fn portable() -> Self {
        Self { name: "portable", vector_bytes: 1, level: Level::baseline() }
    }

    /// Every instruction set that this machine has, the best last.
    pub fn available() -> Vec<Self> {
        let level = Level::new();
        #[cfg(target_arch = "x86_64")]
        let special = [
            ("sse4.2", 16, level.as_sse4_2().map(Simd::level)),
            ("avx2", 32, level.as_avx2().map(Simd::level)),
            ("avx512", 64, level.as_avx512().map(Simd::level)),
        ];
        #[cfg(target_arch = "aarch64")]
        let special = [("neon", 16, Some(level))];
        #[cfg(target_arch = "wasm32")]
        let special = [("simd128", 16, Some(level).filter(|level| !level.is_fallback()))];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "wasm32")))]
        let special: [(&str, usize, Option<Level>); 0] = [];
        let special = special
            .into_iter()
            .filter_map(|(name, vector_bytes, level)| Some(Self { name, vector_bytes, level: level? }));
        [Self::portable()].into_iter().chain(special).collect()
    }

    /// The instruction set that the environment names, or else the best one of this machine.
    ///
    /// # Errors
    /// The environment names one that this machine lacks, or none at all.
    pub fn chosen() -> Result<Self, NotAvailable> {
        Self::named(std::env::var_os(VARIABLE).map(|name| name.to_string_lossy().into_owned()).as_deref())
    }

    /// The instruction set of a name, or else the best one of this machine.
    ///
    /// # Errors
    /// This machine has no set of that name.
    pub fn named(name: Option<&str>) -> Result<Self, NotAvailable> {
        let available = Self::available();
        let is_named = |isa: &&Self| name.is_none_or(|name| name == isa.name());
        available.iter().rfind(is_named).copied().ok_or_else(|| NotAvailable {
            name: name.unwrap_or_default().into(),
            available: available.iter().map(|isa| isa.name()).collect::<Vec<_>>().join(", "),
        })
    }

    /// [`Isa::chosen`], found once. A wrong name counts as none here: programs ask [`Isa::chosen`] first, and say what is wrong.
    pub fn best() -> Self {
        static BEST: OnceLock<Isa> = OnceLock::new();
        *BEST.get_or_init(|| {
            Self::chosen().or_else(|_| Self::named(None)).expect("without a name, there is always a set")
        })
    }

    /// The level that runs functions which are generic over `fearless_simd::Simd`.
    pub fn level(self) -> Level {
        self.level
    }

    /// Bytes of a vector; 1 where there are none.
    pub fn vector_bytes(self) -> usize {
        self.vector_bytes
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.name
    }
}

impl fmt::Debug for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
