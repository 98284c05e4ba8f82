//! Keys of positions: 128 bits that look random.
//!
//! Everything that a position consists of has a key, and the key of a multiset is the sum of its members' keys.
//! [`Key::finished`] stands between two such sums, so that a sum of sums tells how its members were grouped.

/// An odd number whose multiples have bits that look random.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A key; see the module text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(pub(crate) u128);

impl Key {
    /// The key with these halves.
    #[inline]
    pub(crate) const fn new(high: u64, low: u64) -> Self {
        Self((high as u128) << 64 | low as u128)
    }

    /// The key of a thing that has a number.
    pub(crate) const fn from_number(number: u64) -> Self {
        Self::new(mix(number.wrapping_add(1).wrapping_mul(ODD)), mix(number.wrapping_add(1 << 40).wrapping_mul(ODD)))
    }

    /// The key of both together.
    #[inline]
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// The key of a multiset when a member is taken out.
    #[inline]
    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    /// The key of a multiset as one thing.
    #[inline]
    pub(crate) const fn finished(self) -> Self {
        let (high, low) = ((self.0 >> 64) as u64, self.0 as u64);
        let high = mix(high ^ low.rotate_left(32));
        Self::new(high, mix(low.wrapping_add(high.wrapping_mul(ODD))))
    }
}

/// The mixing function of the splitmix generator, a permutation.
#[inline]
pub(crate) const fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A permutation that costs half of [`mix`], for numbers that look random already.
#[inline]
pub(crate) const fn stir(z: u64) -> u64 {
    let z = (z ^ z >> 32).wrapping_mul(ODD);
    z ^ z >> 29
}

/// A table of keys for small numbers.
pub(crate) const fn keys<const N: usize>(salt: u64) -> [Key; N] {
    let mut table = [Key(0); N];
    let mut i = 0;
    while i < N {
        table[i] = Key::from_number(salt << 32 | i as u64);
        i += 1;
    }
    table
}
