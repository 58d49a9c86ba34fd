//! Viglietta's reduction: a fair die from one flip of a 1/n coin and a bounded number of fair bits, statement by statement.
//!
//! | statement | here | law | fair bits |
//! |---|---|---|---|
//! | Proposition 1 | [`thresholds`] | a + b(n − 1) = 2^(2k+1) | none |
//! | Lemma 2 | [`PowerCoin`] | 2^k/n, from a 1/n coin | at most k + 1 |
//! | Lemma 3 | [`PowerDie`] | 1/n each, from a 2^k/n coin | at most 2k |
//! | Theorem 4 | [`Viglietta`](crate::Viglietta) | 1/n each, from a 1/n coin | at most 3k + 1 |
//!
//! Here k = ⌊log2 n⌋, and the bits that the given coin itself may cost are not counted. The coin is any machine that
//! answers heads with the probability named: an exact one, a reference to one, a physical one
//! ([`External`](crate::External)). Each statement flips it exactly once, so with a coin that draws no fair bits the number
//! of bits is bounded, which no exact die of three sides can be on fair bits alone.

use core::num::NonZeroU64;

use super::Die;
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::coins::Dyadic;
use crate::combinators::Mix;
use crate::error::ZeroSides;
use crate::machine::Machine;

/// Proposition 1: whole numbers (a, b) with 0 ≤ a, b ≤ 2^(k+1) and a + b(n − 1) = 2^(2k+1), where k = ⌊log2 n⌋.
///
/// If n = 2^k then a = b = 2^(k+1). Otherwise they are the remainder and the quotient of 2^(2k+1) by n − 1, so that
/// a < n − 1 < 2^(k+1), and n − 1 ≥ 2^k bounds b. Both fit in 65 bits, the sum in 128, for every n.
///
/// ```
/// use buffon::viglietta::thresholds;
/// use std::num::NonZeroU64;
/// assert_eq!(NonZeroU64::new(6).map(thresholds), Some((2, 6))); // 2 + 6·5 = 2^5
/// assert_eq!(NonZeroU64::new(4).map(thresholds), Some((8, 8))); // 8 + 8·3 = 2^5
/// ```
#[must_use]
pub const fn thresholds(n: NonZeroU64) -> (u128, u128) {
    let k = n.ilog2();
    let sum = 1 << (2 * k + 1);
    if n.is_power_of_two() {
        return (2 << k, 2 << k);
    }
    let others = n.get() as u128 - 1;
    (sum % others, sum / others)
}

/// Lemma 2: the coin of probability 2^k/n from a coin of probability 1/n, where k = ⌊log2 n⌋.
///
/// - Answers: the given coin chooses between two dyadic coins, a/2^(k+1) after heads and b/2^(k+1) after tails, with the
///   (a, b) of [`thresholds`]; their answer is the answer.
/// - Law: 2^k/n, if the given coin is heads with probability 1/n: a/(n·2^(k+1)) + (n − 1)b/(n·2^(k+1)) =
///   2^(2k+1)/(n·2^(k+1)) = 2^k/n.
/// - Expected fair bits: κ(a/2^(k+1))/n + κ(b/2^(k+1))·(n − 1)/n, where κ is 2 − 2^(1−m) for an m-digit number and 0 for 0
///   and 1 (see [`Dyadic`]), and the given coin's own. So less than 2 besides the coin, and 0 for a power of two.
/// - Tail: one flip of the given coin and at most k + 1 fair bits, always.
/// - Refuses: see [`new`](Self::new). That the given coin is a 1/n coin is for the caller to see to.
/// - Source: Viglietta, "Simulating a die roll by flipping two coins". The paper draws k + 1 bits as a number d and
///   compares it with a or b; the dyadic coin stops where the comparison is decided.
///
/// ```
/// use buffon::{Coin, OneOver, Script, viglietta::PowerCoin};
/// let coin = PowerCoin::new(6, OneOver::try_from(6)?)?; // 4/6: 2/8 after heads, 6/8 after tails
/// assert_eq!(coin.try_flip(&mut Script::from_str("TTH TH".replace(' ', "").as_str())?), Ok(true));
/// assert_eq!(coin.try_flip(&mut Script::from_str("HTT")?), Ok(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct PowerCoin<C> {
    graph: Mix<C, Dyadic, Dyadic>,
}

impl<C: Coin> PowerCoin<C> {
    /// The coin of probability 2^k/n over `coin`, which is heads with probability 1/n.
    ///
    /// # Errors
    ///
    /// [`ZeroSides`] if `n` is zero.
    pub fn new(n: u64, coin: C) -> Result<Self, ZeroSides> {
        let n = NonZeroU64::new(n).ok_or(ZeroSides)?;
        let (a, b) = thresholds(n);
        let of_two_to_k_plus_one = |a| Dyadic::from_wide(a, n.ilog2() + 1);
        match (of_two_to_k_plus_one(a), of_two_to_k_plus_one(b)) {
            (Ok(heads), Ok(tails)) => Ok(Self { graph: coin.mix(heads, tails) }),
            _ => Err(ZeroSides), // not reached: a, b <= 2^(k+1)
        }
    }
}

#[cfg(feature = "exact")]
impl<C> PowerCoin<C> {
    pub(super) const fn graph(&self) -> &Mix<C, Dyadic, Dyadic> {
        &self.graph
    }
}

impl<C: Coin> Machine for PowerCoin<C> {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        self.graph.try_sample(bits)
    }
}

/// Lemma 3: the fair die of n sides from a coin of probability 2^k/n, where k = ⌊log2 n⌋.
///
/// With m = n − 2^k, and d and d' two independent numbers of k fair bits:
///
/// - Answers: d after tails; after heads 2^k + d if d < m, and d' otherwise.
/// - Law: 1/n each, if the given coin is heads with probability 2^k/n. A side below 2^k has (m/n)·2^-k from d and
///   (2^k/n)·((2^k − m)/2^k)·2^-k from d', together 1/n; another one has (2^k/n)·2^-k.
/// - Expected fair bits: k·2^(k+1)/n, since d' is drawn only where it is the answer; exactly k for a power of two, where d
///   can not be one. And the given coin's own.
/// - Tail: one flip of the given coin and at most 2k fair bits, always.
/// - Refuses: see [`new`](Self::new). That the given coin is a 2^k/n coin is for the caller to see to.
/// - Source: Viglietta, "Simulating a die roll by flipping two coins".
///
/// ```
/// use buffon::{Machine, Rational, Script, viglietta::PowerDie};
/// let die = PowerDie::new(6, Rational::<u8>::new(4, 6)?)?; // 4/6 = 0.10… in binary; m = 2
/// assert_eq!(die.try_sample(&mut Script::from_str("THTH")?), Ok(2)); // tails: d = 2
/// assert_eq!(die.try_sample(&mut Script::from_str("HHT")?), Ok(5)); // heads: d = 1 < m, so 4 + 1
/// assert_eq!(die.try_sample(&mut Script::from_str("HTHHH")?), Ok(3)); // heads: d = 2, so d' = 3
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct PowerDie<C> {
    coin: C,
    /// The die of 2^k sides.
    low: Die,
    /// m = n − 2^k, the number of sides from 2^k up.
    m: u64,
}

impl<C: Coin> PowerDie<C> {
    /// The die of `n` sides over `coin`, which is heads with probability 2^k/n.
    ///
    /// # Errors
    ///
    /// [`ZeroSides`] if `n` is zero.
    pub fn new(n: u64, coin: C) -> Result<Self, ZeroSides> {
        let power = 1 << n.checked_ilog2().ok_or(ZeroSides)?;
        Ok(Self { coin, low: Die::new(power)?, m: n - power })
    }

    /// The lemma as a graph. A roll of one side is free and 0, so `least + roll` is also a number known beforehand.
    #[inline]
    fn graph(&self) -> impl Machine<Output = u64> {
        let (low, m) = (self.low, self.m);
        let certain = Die::from(NonZeroU64::MIN);
        let d = if m == 0 { certain } else { low };
        let from_heads = d.and_then(move |d| {
            let (least, roll) = if d < m { (low.sides().get() + d, certain) } else { (0, low) };
            roll.map(move |side| least + side)
        });
        (&self.coin).mix(from_heads, low)
    }
}

#[cfg(feature = "exact")]
impl<C> PowerDie<C> {
    pub(super) const fn coin(&self) -> &C {
        &self.coin
    }

    /// 2^k.
    pub(super) const fn power(&self) -> u64 {
        self.low.sides().get()
    }

    /// m = n − 2^k.
    pub(super) const fn extra(&self) -> u64 {
        self.m
    }
}

impl<C: Coin> Machine for PowerDie<C> {
    type Output = u64;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<u64, B::Error> {
        self.graph().try_sample(bits)
    }
}

/// Theorem 4: the fair die of n sides from one flip of a 1/n coin and at most 3⌊log2 n⌋ + 1 fair bits.
///
/// - Answers: a side, from 0 to n − 1: [`PowerDie`] over [`PowerCoin`] over the given coin.
/// - Law: 1/n each, if the given coin is heads with probability 1/n.
/// - Expected fair bits: with k = ⌊log2 n⌋, k·2^(k+1)/n and those of [`PowerCoin`], less than k·2^(k+1)/n + 2; exactly k for
///   a power of two; and the given coin's own. For 6 that is 25/6 and the coin's; [`Die`] takes 11/3 in all, but no fixed
///   number is enough for it.
/// - Tail: one flip of the given coin and at most 3k + 1 fair bits, always: also where n is a power of two, or 1, and the
///   flip changes nothing, so that recorded flips are used up one for each roll.
/// - Refuses: see [`new`](Self::new). That the given coin is a 1/n coin is for the caller to see to.
/// - Source: Viglietta, "Simulating a die roll by flipping two coins".
///
/// ```
/// use buffon::{BitBuffer, External, Machine, OneOver, Viglietta};
/// use rand::{SeedableRng, rngs::StdRng};
///
/// let die = Viglietta::new(6, OneOver::try_from(6)?)?;
/// assert!(die.sample(&mut BitBuffer::new(StdRng::seed_from_u64(1))) < 6);
///
/// // One side of a wooden die is red: its throws, written down, make rolls of all six sides.
/// let mut red = [false, true, false, false, false, false].into_iter().cycle();
/// let die = Viglietta::new(6, External::new(move || red.next().unwrap_or(false)))?;
/// assert!(die.sample(&mut BitBuffer::new(StdRng::seed_from_u64(1))) < 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Viglietta<C> {
    die: PowerDie<PowerCoin<C>>,
}

impl<C: Coin> Viglietta<C> {
    /// The die of `n` sides over `coin`, which is heads with probability 1/n.
    ///
    /// # Errors
    ///
    /// [`ZeroSides`] if `n` is zero.
    pub fn new(n: u64, coin: C) -> Result<Self, ZeroSides> {
        Ok(Self { die: PowerDie::new(n, PowerCoin::new(n, coin)?)? })
    }
}

#[cfg(feature = "exact")]
impl<C> Viglietta<C> {
    pub(super) const fn die(&self) -> &PowerDie<PowerCoin<C>> {
        &self.die
    }
}

impl<C: Coin> Machine for Viglietta<C> {
    type Output = u64;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<u64, B::Error> {
        self.die.try_sample(bits)
    }
}
