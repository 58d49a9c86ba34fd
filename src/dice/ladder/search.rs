use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::One;

use crate::error::PowerError;

/// The pairs of powers (n^j, m^k) that waste less than all before them, for dice of n and of m sides.
///
/// It gives each j whose n^j comes nearer to the next power of m, from below, than that of every smaller j: the records of
/// n^j/m^k, which is the probability that an attempt of [`PowerPair`](super::PowerPair) succeeds, and what Gidney's text
/// calls the efficiency. The last pair is a perfect one, n^j = m^k, if there is one; otherwise there is no end.
///
/// Of a pair below (n^j <= m^k) and one above, neighbours in the Stern–Brocot tree of k/j around log_m n, the product is next
/// to both: it takes the place of the one on its side, and the products on the lower side are all the records. So a pair
/// costs a few multiplications, and no logarithm is taken.
///
/// ```
/// use buffon::ladder::PowerPairs;
/// let pairs: Vec<_> = PowerPairs::new(3, 2)?.take(6).map(|pair| pair.exponents()).collect();
/// assert_eq!(pairs, [(1, 2), (3, 5), (5, 8), (17, 27), (29, 46), (41, 65)]);
/// let dice: Vec<_> = PowerPairs::new(10, 6)?.take(4).map(|pair| pair.exponents()).collect();
/// assert_eq!(dice, [(1, 2), (2, 3), (3, 4), (7, 9)]); // 10^3 = 1000 of 6^4 = 1296
/// # Ok::<(), buffon::PowerError>(())
/// ```
#[must_use = "iterators are lazy and do nothing unless consumed"]
#[derive(Clone, Debug)]
pub struct PowerPairs {
    below: Pair,
    above: Pair,
    ended: bool,
}

impl PowerPairs {
    /// The pairs for making rolls of an n-sided die from rolls of an m-sided one.
    ///
    /// # Errors
    ///
    /// [`ZeroSides`](PowerError::ZeroSides) if one of them has no side, [`OneSide`](PowerError::OneSide) if one has a single
    /// one: all its powers are the same.
    pub fn new(n: u64, m: u64) -> Result<Self, PowerError> {
        match n.min(m) {
            0 => Err(PowerError::ZeroSides),
            1 => Err(PowerError::OneSide),
            _ => Ok(Self {
                below: Pair { j: 0, k: 1, wanted: BigUint::one(), all: m.into() },
                above: Pair { j: 1, k: 0, wanted: n.into(), all: BigUint::one() },
                ended: false,
            }),
        }
    }
}

impl Iterator for PowerPairs {
    type Item = Pair;

    fn next(&mut self) -> Option<Pair> {
        while !self.ended {
            let between = self.below.and(&self.above);
            if between.wanted > between.all {
                self.above = between;
                continue;
            }
            self.ended = between.wanted == between.all;
            self.below = between.clone();
            return Some(between);
        }
        None
    }
}

/// Two powers, n^j and m^k. Found by [`PowerPairs`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    j: u64,
    k: u64,
    wanted: BigUint,
    all: BigUint,
}

impl Pair {
    /// j and k: so many rolls of the n-sided die from so many of the m-sided one.
    #[must_use]
    pub const fn exponents(&self) -> (u64, u64) {
        (self.j, self.k)
    }

    /// n^j and m^k.
    #[must_use]
    pub const fn powers(&self) -> (&BigUint, &BigUint) {
        (&self.wanted, &self.all)
    }

    /// n^j/m^k: the probability that k rolls are not thrown away.
    #[must_use]
    pub fn acceptance(&self) -> BigRational {
        BigRational::new(self.wanted.clone().into(), self.all.clone().into())
    }

    fn and(&self, other: &Self) -> Self {
        Self {
            j: self.j + other.j,
            k: self.k + other.k,
            wanted: &self.wanted * &other.wanted,
            all: &self.all * &other.all,
        }
    }
}
