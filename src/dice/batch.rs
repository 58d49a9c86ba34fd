use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};

use num_bigint::BigUint;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::law::tail;
use crate::bits::BitSource;
use crate::law::{Bracket, Cost, KnownLaw, Law, LawError, Tail, share};
use crate::machine::Machine;

/// The most types that are held, and the most strings that are listed as a law.
const MOST: usize = 1 << 20;

/// The most bits that the tables may have in all: a gigabyte.
const MOST_BITS: u64 = 1 << 33;

/// So many outputs of a finite machine as one optimal draw.
///
/// - Answers: r outputs in order, as a `Vec`.
/// - Law: P(x₁, …, xᵣ) = P(x₁)·…·P(xᵣ), the law of [`repeat(r)`](Machine::repeat).
/// - Expected fair bits: the optimum for r outputs together: at least r·H and less than r·H + 2, so between H and H + 2/r
///   for each output, where H is the entropy of one. For 100 coins of 1/3 it is below 93.83 bits; flipped one by one they
///   take 200.
/// - Tail: the least possible for every number of bits. Exponential; bounded if all probabilities are dyadic.
/// - Refuses: see [`new`](Self::new).
/// - Source: Knuth and Yao 1976, for the product law.
///
/// The mᵣ strings of m outcomes are never listed. A *type* says how many of the outputs have which probability; its strings
/// are equally likely, so the optimal tree has the same number of leaves for each of them on every level. One walk down
/// the tree with a whole number for the node finds the type and the number of the string in it, and the string is read off
/// that number. A coin has r + 1 types, a fair die has one, and c different probabilities have C(r + c − 1, c − 1).
///
/// With L = r·log2 m + 64 it takes memory for about L² bits and 3·L more a type, and L additions a type to build. A sample
/// takes at most L steps for the walk, one a type, and r for the string, all with numbers of L bits.
///
/// ```
/// use buffon::{Batch, KnownLaw, Machine, Rational, Script};
///
/// let third = Rational::<u64>::new(1, 3)?;
/// let pair = Batch::new(&third, 2)?; // 1/9 = 0.000111…, 2/9 = 0.001110…, 4/9 = 0.011100…
/// assert_eq!(pair.try_sample(&mut Script::from_str("HH")?), Ok(vec![false, false])); // 4/9, on level 2
///
/// let hundred = Batch::new(&third, 100)?.expected_bits(64);
/// assert!(*hundred.high() < num_rational::BigRational::new(9383.into(), 100.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Batch<T> {
    /// In the order of the machine's law.
    kinds: Vec<Kind<T>>,
    r: u32,
    types: Vec<Type>,
    /// The common denominator of all strings.
    total: BigUint,
    /// How many leaves the tree has on each level from 0, to the last level that is held.
    leaves: Vec<BigUint>,
}

/// The outcomes of one probability.
#[derive(Clone)]
struct Kind<T> {
    /// The probability, times a denominator that all kinds share.
    weight: BigUint,
    members: Vec<T>,
}

/// The strings with the same number of outputs of each kind.
#[derive(Clone)]
struct Type {
    counts: Vec<u32>,
    /// In how many ways the kinds can be arranged.
    arrangements: BigUint,
    /// How many strings there are.
    strings: BigUint,
    /// The binary digits of the probability of one string, to the last level that is held.
    digits: BigUint,
}

impl<T: Ord + Clone> Batch<T> {
    /// `r` outputs of `machine` at a time; a batch of none answers the empty string without a bit.
    ///
    /// # Errors
    ///
    /// What [`law`](KnownLaw::law) refuses; [`Irrational`](LawError::Irrational) unless each of finitely many outcomes has a
    /// known rational probability; and [`TooManyOutcomes`](LawError::TooManyOutcomes) for more than 2^20 types, or tables of
    /// more than a gigabyte.
    pub fn new<M>(machine: &M, r: u32) -> Result<Self, LawError>
    where
        M: KnownLaw<Output = T> + ?Sized,
    {
        let law = machine.law(64)?;
        if !law.is_exact() {
            return Err(LawError::Irrational);
        }
        let listed = law.into_outcomes().into_iter().map(|(outcome, p)| (outcome, p.low().clone()));
        let outcomes = groups(listed).into_iter().map(|(outcome, parts)| {
            let p: BigRational = parts.into_iter().sum();
            (p, outcome)
        });
        let kinds = groups(outcomes.filter(|(p, _)| !p.is_zero()));
        let one = kinds.iter().fold(BigUint::one(), |one, (p, _)| one.lcm(p.denom().magnitude()));
        let kinds = kinds.into_iter().map(|(p, members)| {
            let weight = p.numer().magnitude() * (&one / p.denom().magnitude());
            Kind { weight, members }
        });
        Self::of_kinds(kinds.collect(), &one, r)
    }

    fn of_kinds(kinds: Vec<Kind<T>>, one: &BigUint, r: u32) -> Result<Self, LawError> {
        let outcomes: BigUint = kinds.iter().map(Kind::size).sum();
        let least = outcomes.bits().saturating_sub(1).saturating_mul(r.into());
        if least.saturating_mul(least) > MOST_BITS {
            return Err(LawError::TooManyOutcomes);
        }
        // Fewer than 2^-64 of all samples go below a level that has 2^64 times as many nodes as there are strings.
        let depth = outcomes.pow(r).bits() + 64;
        let compositions = compositions(r, kinds.len()).ok_or(LawError::TooManyOutcomes)?;
        if depth * (depth + compositions.len() as u64) > MOST_BITS {
            return Err(LawError::TooManyOutcomes);
        }
        let total = one.pow(r);
        let types = compositions.into_iter().map(|(counts, arrangements)| {
            let strings = &arrangements * product(&kinds, &counts, Kind::size);
            let weight = product(&kinds, &counts, |kind| kind.weight.clone());
            let digits = (weight << depth) / &total;
            Type { counts, arrangements, strings, digits }
        });
        let types: Vec<_> = types.collect();
        let on_level = |level| {
            let those = types.iter().filter(|of| of.digits.bit(depth - level));
            those.map(|of| &of.strings).sum()
        };
        let leaves = (0..=depth).map(on_level).collect();
        Ok(Self { kinds, r, types, total, leaves })
    }
}

impl<T> Kind<T> {
    fn size(&self) -> BigUint {
        self.members.len().into()
    }
}

impl<T> Batch<T> {
    /// The number of outputs in a batch.
    #[must_use]
    pub const fn r(&self) -> u32 {
        self.r
    }

    /// Binary digit `level` of the probability of a string, where that of 1 is digit 0.
    fn digit(&self, of: &Type, level: u64) -> bool {
        match (self.leaves.len() as u64 - 1).checked_sub(level) {
            Some(place) => of.digits.bit(place),
            None => ((self.weight(of) << level) / &self.total).bit(0),
        }
    }

    /// The probability of a string of this type, times the total.
    fn weight(&self, of: &Type) -> BigUint {
        product(&self.kinds, &of.counts, |kind| kind.weight.clone())
    }

    /// The leaf that is node `node` of a level: a type and the number of the string in it. The leaves come first; for any
    /// other node `None`, and its number among those that are left.
    fn leaf(&self, level: u64, node: &mut BigUint) -> Option<&Type> {
        let held = usize::try_from(level).ok().and_then(|level| self.leaves.get(level));
        if let Some(leaves) = held.filter(|&leaves| *node >= *leaves) {
            *node -= leaves;
            return None;
        }
        for of in self.types.iter().filter(|of| self.digit(of, level)) {
            if *node < of.strings {
                return Some(of);
            }
            *node -= &of.strings;
        }
        None
    }
}

impl<T: Clone> Batch<T> {
    /// String `index` of a type.
    ///
    /// Of the arrangements with k outputs of a kind among the n places left, k/n have that kind in the first place.
    fn string(&self, of: &Type, index: &BigUint) -> Vec<T> {
        let (mut members, mut index) = index.div_rem(&of.arrangements);
        let (mut counts, mut arrangements) = (of.counts.clone(), of.arrangements.clone());
        let mut string = Vec::with_capacity(self.r as usize);
        for left in (1..=self.r).rev() {
            for (kind, count) in self.kinds.iter().zip(&mut counts).filter(|(_, n)| **n > 0) {
                let here = &arrangements * *count / left;
                if index >= here {
                    index -= here;
                    continue;
                }
                arrangements = here;
                *count -= 1;
                let (more, member) = members.div_rem(&kind.size());
                members = more;
                let member = usize::try_from(member).unwrap_or(0);
                string.extend(kind.members.get(member).cloned());
                break;
            }
        }
        string
    }
}

impl<T: Clone> Machine for Batch<T> {
    type Output = Vec<T>;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Vec<T>, B::Error> {
        let (mut node, mut level) = (BigUint::zero(), 0);
        loop {
            if let Some(of) = self.leaf(level, &mut node) {
                return Ok(self.string(of, &node));
            }
            node <<= 1u32;
            if !bits.try_bit()? {
                node += 1u32;
            }
            level += 1;
        }
    }
}

impl<T: Clone> KnownLaw for Batch<T> {
    fn law_at(&self, _: u32) -> Result<Law<Vec<T>>, LawError> {
        let strings: BigUint = self.types.iter().map(|of| &of.strings).sum();
        if strings > BigUint::from(MOST) {
            return Err(LawError::TooManyOutcomes);
        }
        let mut outcomes = Vec::new();
        for of in &self.types {
            let p = Bracket::ratio(self.weight(of), self.total.clone());
            let mut index = BigUint::zero();
            while index < of.strings {
                outcomes.push((self.string(of, &index), p.clone()));
                index += 1u32;
            }
        }
        Ok(Law::new(outcomes, BigRational::zero()))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let cost = self.types.iter().fold(Cost::bits(0), |cost, of| {
            let more = u32::try_from(of.strings.bits()).unwrap_or(u32::MAX);
            let one = share(self.weight(of), self.total.clone(), places.saturating_add(more));
            cost.plus(&Cost::within(&one).times(&Bracket::ratio(of.strings.clone(), 1)))
        });
        Ok(cost)
    }

    fn tail(&self) -> Tail {
        tail(self.total.clone())
    }
}

impl<T> Debug for Batch<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("r", &self.r)
            .field("types", &self.types.len())
            .finish_non_exhaustive()
    }
}

/// The values that have the same key together, in the order of their first.
fn groups<K: Ord + Clone, V>(pairs: impl Iterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let (mut places, mut groups) = (BTreeMap::new(), Vec::<(K, Vec<V>)>::new());
    for (key, value) in pairs {
        let place = *places.entry(key.clone()).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}

/// The product of a number of each kind, taken so many times.
fn product<T>(kinds: &[Kind<T>], counts: &[u32], number: impl Fn(&Kind<T>) -> BigUint) -> BigUint {
    kinds.iter().zip(counts).map(|(kind, &count)| number(kind).pow(count)).product()
}

/// All ways to write `sum` as a sum of so many `parts`, those with a greater first part first, each with its multinomial
/// coefficient; `None` if there are too many of them.
fn compositions(sum: u32, parts: usize) -> Option<Vec<(Vec<u32>, BigUint)>> {
    let mut begun = vec![(Vec::new(), sum, BigUint::one())];
    for _ in 1..parts {
        let mut longer = Vec::new();
        for (counts, left, ways) in begun {
            // C(left, n) from n = left down to 0: each from the one before it.
            let mut choices = ways;
            for n in (0..=left).rev() {
                if longer.len() == MOST {
                    return None;
                }
                longer.push(([&counts[..], &[n]].concat(), left - n, choices.clone()));
                choices = choices * n / (left - n + 1);
            }
        }
        begun = longer;
    }
    let last = |(mut counts, left, ways): (Vec<u32>, u32, BigUint)| {
        counts.push(left);
        (counts, ways)
    };
    Some(begun.into_iter().map(last).collect())
}
