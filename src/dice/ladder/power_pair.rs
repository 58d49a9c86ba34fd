use core::iter::FusedIterator;

#[cfg(feature = "exact")]
use num_rational::BigRational;
#[cfg(feature = "exact")]
use num_traits::Zero;

use crate::bits::BitSource;
use crate::coins::Fair;
use crate::dice::Die;
use crate::error::PowerError;
#[cfg(feature = "exact")]
use crate::law::{Bracket, Cost, KnownLaw, Law, LawError, Tail};
use crate::machine::Machine;

/// A machine that is a fair die: each side from 0 to [`sides`](Self::sides) − 1 with the same probability.
///
/// To implement it for a machine of one's own, a physical die perhaps, is to promise that.
pub trait FairDie: Machine<Output: Into<u64>> {
    /// How many sides it has.
    fn sides(&self) -> u64;
}

impl FairDie for Fair {
    fn sides(&self) -> u64 {
        2
    }
}

impl FairDie for Die {
    fn sides(&self) -> u64 {
        Self::sides(self).get()
    }
}

/// j rolls of an n-sided die from k rolls of an m-sided one, where n^j <= m^k; again if they come out too high.
///
/// - Answers: the k rolls are the digits of a number in base m, highest first. If it is below n^j its digits in base n are
///   the answer, lowest first. As soon as the number cannot be below n^j any more, all is thrown away and begun again.
/// - Law: j independent fair rolls: each number below n^j has probability m^-k in each attempt, so 1/n^j in the end.
/// - Expected rolls of the given die: (1/n^j)·Σ m^t·⌈n^j/m^t⌉ over t from 1 to k; times its own fair bits. An attempt goes on
///   after i rolls for ⌈n^j/m^(k−i)⌉ of the m^i beginnings, and succeeds with probability n^j/m^k. None at all if n^j = 1.
/// - Tail: exponential; k rolls if n^j = m^k. Otherwise endless bad luck, as heads for ever, gives no answer.
/// - Refuses: see [`new`](Self::new).
/// - Source: Craig Gidney, "Transmuting Dice, Conserving Entropy", 2013.
///
/// ```
/// use buffon::{Fair, Machine, Script, ladder::PowerPair};
/// let thrice = PowerPair::new(3, 3, Fair, 5)?; // 27 of 32
/// let mut bits = Script::from_str("HHH HHTTH".replace(' ', "").as_str())?; // 28 or more; 11001 = 25
/// assert!(thrice.try_sample(&mut bits)?.eq([1, 2, 2])); // 1 + 2·3 + 2·9
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Another die, and what it takes:
///
/// ```
/// use buffon::{Die, KnownLaw, ladder::PowerPair};
/// use num_rational::BigRational;
/// let ten = PowerPair::new(10, 1, Die::new(6)?, 2)?; // 10 of 36: below 10 if the first roll is 0, or 1 and then below 4
/// assert_eq!(ten.expected_rolls(), BigRational::new(24.into(), 5.into()));
/// assert_eq!(*ten.expected_bits(64).low(), BigRational::new(88.into(), 5.into())); // 11/3 each
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct PowerPair<M> {
    die: M,
    /// The sides of the die, as it said when it was given; at least 1.
    m: u64,
    n: u64,
    j: u32,
    k: u32,
    /// n^j.
    wanted: u64,
    /// m^(k − 1): what the first of the k rolls counts for.
    highest: u64,
}

impl<M: FairDie> PowerPair<M> {
    /// `j` rolls of a die of `n` sides from `k` rolls of `die`.
    ///
    /// # Errors
    ///
    /// - [`ZeroSides`](PowerError::ZeroSides) if a die has no side.
    /// - [`TooFewRolls`](PowerError::TooFewRolls) if n^j is above m^k.
    /// - [`TooLarge`](PowerError::TooLarge) if n^j is above 2^64 − 1, or m^k above 2^64.
    pub fn new(n: u64, j: u32, die: M, k: u32) -> Result<Self, PowerError> {
        let m = die.sides();
        if n == 0 || m == 0 {
            return Err(PowerError::ZeroSides);
        }
        let highest = m.checked_pow(k.saturating_sub(1)).ok_or(PowerError::TooLarge)?;
        let all = if k == 0 { 1 } else { u128::from(highest) * u128::from(m) };
        let wanted = n.checked_pow(j).ok_or(PowerError::TooLarge)?;
        if all > 1 << 64 {
            return Err(PowerError::TooLarge);
        }
        if u128::from(wanted) > all {
            return Err(PowerError::TooFewRolls);
        }
        Ok(Self { die, m, n, j, k, wanted, highest })
    }

    /// The expected rolls of the given die for one answer: (1/n^j)·Σ m^t·⌈n^j/m^t⌉ over t from 1 to k.
    #[cfg(feature = "exact")]
    #[must_use]
    pub fn expected_rolls(&self) -> BigRational {
        if self.wanted == 1 {
            return BigRational::zero();
        }
        let (wanted, m) = (u128::from(self.wanted), u128::from(self.m));
        let powers = core::iter::successors(Some(m), |power| power.checked_mul(m));
        let counted = powers.take(self.k as usize).map(|power| (wanted.div_ceil(power), power));
        let rolls = counted.fold(num_bigint::BigInt::zero(), |sum, (kept, power)| {
            sum + kept * num_bigint::BigInt::from(power)
        });
        BigRational::new(rolls, wanted.into())
    }

    /// One attempt; the number that came out, if it is below n^j.
    #[inline]
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Option<u64>, B::Error> {
        // The least number that can still come out. A factor of 2^64 from a roll too high to be one leaves room enough.
        let (mut least, mut unit) = (0u128, self.highest);
        for _ in 0..self.k {
            let roll: u64 = self.die.try_sample(bits)?.into();
            least += u128::from(roll) * u128::from(unit);
            if least >= self.wanted.into() {
                return Ok(None);
            }
            unit /= self.m;
        }
        Ok(u64::try_from(least).ok())
    }
}

impl<M: FairDie> Machine for PowerPair<M> {
    type Output = Rolls;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Rolls, B::Error> {
        let rolls = |number| Rolls { number, n: self.n, left: self.j };
        if self.wanted == 1 {
            return Ok(rolls(0));
        }
        loop {
            if let Some(number) = self.attempt(bits)? {
                return Ok(rolls(number));
            }
        }
    }
}

#[cfg(feature = "exact")]
impl<M: FairDie + KnownLaw> KnownLaw for PowerPair<M> {
    fn law_at(&self, _: u32) -> Result<Law<Rolls>, LawError> {
        const MOST: u64 = 1 << 16;
        if self.wanted > MOST {
            return Err(LawError::TooManyOutcomes);
        }
        let rolls = |number| Rolls { number, n: self.n, left: self.j };
        let each = Bracket::ratio(1, self.wanted);
        let outcomes = (0..self.wanted).map(|number| (rolls(number), each.clone()));
        Ok(Law::new(outcomes.collect(), BigRational::zero()))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        // Wald: whether a roll is made is settled before it.
        Ok(self
            .die
            .cost_at(places.saturating_add(64))?
            .times(&Bracket::exact(self.expected_rolls())))
    }

    fn tail(&self) -> Tail {
        let all = u128::from(self.highest) * u128::from(self.m);
        match self.die.tail() {
            _ if self.wanted == 1 => Tail::Bounded(0),
            Tail::Bounded(bits) if u128::from(self.wanted) == all => {
                bits.checked_mul(self.k.into()).map_or(Tail::Exponential, Tail::Bounded)
            }
            tail if u128::from(self.wanted) == all => tail,
            tail => tail.repeated(true),
        }
    }
}

/// Rolls of an n-sided die, one after another: what a [`PowerPair`] answers.
#[must_use = "iterators are lazy and do nothing unless consumed"]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rolls {
    number: u64,
    n: u64,
    left: u32,
}

impl Iterator for Rolls {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let roll = self.number % self.n;
        self.number /= self.n;
        Some(roll)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.left as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Rolls {}
impl FusedIterator for Rolls {}
