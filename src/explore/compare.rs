use alloc::boxed::Box;
use alloc::vec::Vec;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::tally::{Tally, dyadic, mass};
use super::target::{Target, Wanted};
use super::tree::Tree;
use super::verdict::{Agreement, Contradiction, Refusal, Side, Speed};
use super::weighed::Weighed;
use crate::law::Bracket;

/// The binary digits of a number in [0, 1]: first the whole part, then the digits after the point.
struct Bits {
    rest: BigUint,
    den: BigUint,
}

impl Bits {
    fn new(p: &BigRational) -> Self {
        // A target that is no probability is caught by its digits: they are those of the nearest one.
        let p = p.clone().clamp(BigRational::zero(), BigRational::one());
        Self { rest: p.numer().magnitude().clone(), den: p.denom().magnitude().clone() }
    }

    /// The digit at the place reached: the whole part at first.
    fn digit(&mut self) -> bool {
        let digit = self.rest >= self.den;
        if digit {
            self.rest -= &self.den;
        }
        digit
    }

    fn shift(&mut self) {
        self.rest <<= 1;
    }

    fn has_more(&self) -> bool {
        !self.rest.is_zero()
    }
}

impl<T: PartialEq + Clone> Tally<T> {
    /// Compares the law found with a target: agreement within a certified distance, or the shortest contradiction.
    ///
    /// With lo(x) the mass of the leaves of x to k bits and r the mass still open, lo(x) ≤ P(x) ≤ lo(x) + r, for each k.
    ///
    /// ```
    /// use buffon::{Rational, explore};
    /// let (two_thirds, tree) = (Rational::<u8>::new(2, 3)?, explore(&Rational::<u8>::new(5, 8)?, 12));
    /// let target = num_rational::BigRational::new(3.into(), 5.into());
    /// let refusal = tree.against(&target).unwrap_err();
    /// assert_eq!(refusal.to_string(), "P(heads) is at least 5/8 after prefix TTH, target 3/5");
    /// let agreement = explore(&two_thirds, 12).against(&buffon::explore::Says(two_thirds)).map_err(|e| e.to_string());
    /// assert_eq!(
    ///     agreement?.to_string(),
    ///     "within 2^-12 of the target in total variation, at depth 12, with the fewest bits possible"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`Refusal`]: a contradiction, a fault of the machine, or a target whose law cannot be told.
    pub fn against<A: Target<T> + ?Sized>(&self, target: &A) -> Result<Agreement, Refusal<T>> {
        let target = self.target(target)?;
        let leaves = self.leaf_counts();
        let mut shortest: Option<Contradiction<T>> = None;
        // A later outcome counts if it is excluded on a higher level, or on the same one by a leaf.
        let (mut levels, mut by_leaf) = (leaves.len(), true);
        for (outcome, p) in target.outcomes() {
            if let Some((side, depth)) = self.miss(outcome, p, &leaves[..levels]) {
                if depth + 1 == levels && !by_leaf && side == Side::AtMost {
                    continue;
                }
                by_leaf = side == Side::AtLeast;
                levels = if by_leaf { depth } else { depth + 1 };
                let counts = self.of(outcome);
                let least = mass(&counts[..counts.len().min(depth + 1)]);
                let depth = u32::try_from(depth).unwrap_or(u32::MAX);
                let found = match side {
                    Side::AtLeast => least,
                    Side::AtMost => least + self.open_after(depth),
                };
                let (outcome, target) = (outcome.clone(), p.clone());
                shortest =
                    Some(Contradiction { outcome, side, depth, found, target, prefix: None });
            }
        }
        if let Some(contradiction) = shortest {
            return Err(Refusal::Contradiction(Box::new(contradiction)));
        }
        let masses =
            target.outcomes().iter().map(|(outcome, p)| self.mass(outcome).min(p.low().clone()));
        let distance = BigRational::one() - masses.sum::<BigRational>();
        Ok(Agreement { depth: self.depth(), distance, speed: Some(self.speed(&target)) })
    }

    /// The number of bits after which fewer nodes are open than any exact machine for the target must have: that proves it
    /// wrong, whichever outcome is at fault. `None` if it is not so down to the depth.
    ///
    /// Knuth and Yao: on level k there are at most ⌊2^k·p⌋ leaves' worth of an outcome of probability p.
    ///
    /// # Errors
    ///
    /// As [`against`](Self::against), but for the contradiction.
    pub fn impossible_speed<A: Target<T> + ?Sized>(
        &self,
        target: &A,
    ) -> Result<Option<u32>, Refusal<T>> {
        let least = optimal_nodes(&self.target(target)?, self.depth());
        let mut levels = self.open_nodes().into_iter().map(BigInt::from).zip(least).zip(0..);
        Ok(levels.find_map(|((open, least), k)| (open < least).then_some(k)))
    }

    fn target<A: Target<T> + ?Sized>(&self, target: &A) -> Result<Wanted<T>, Refusal<T>> {
        if let Some(fault) = self.fault() {
            return Err(Refusal::Fault(fault));
        }
        // Eight places more than the depth tell all digits down to it, but for numbers very near to short fractions.
        let wanted = target.wanted(self.outcomes(), self.depth().saturating_add(8));
        Ok(wanted.map_err(Refusal::Target)?.with(self.outcomes()))
    }

    /// The least depth at which the bounds of P(outcome) exclude `p`; `leaves` are the leaves of all outcomes by depth.
    ///
    /// In units of 2^-k: C is the number of nodes below leaves of the outcome, ⌊2^k·p⌋ − C must not be negative, and nor must
    /// C + open − ⌈2^k·p⌉. Both differences are doubled from level to level and stay small for a good machine.
    fn miss(&self, outcome: &T, p: &Bracket, leaves: &[u64]) -> Option<(Side, usize)> {
        let counts = self.of(outcome);
        let (mut high, mut low) = (Bits::new(p.high()), Bits::new(p.low()));
        let (mut above, mut below) = (BigInt::zero(), BigInt::one());
        for (depth, all) in leaves.iter().enumerate() {
            if depth > 0 {
                above <<= 1;
                below <<= 1;
                high.shift();
                low.shift();
            }
            let of_outcome = counts.get(depth).copied().unwrap_or(0);
            above += BigInt::from(u8::from(high.digit())) - of_outcome;
            below -= BigInt::from(all - of_outcome) + u8::from(low.digit());
            if above.is_negative() {
                return Some((Side::AtLeast, depth));
            }
            if below.is_negative() || below.is_zero() && low.has_more() {
                return Some((Side::AtMost, depth));
            }
        }
        None
    }

    fn speed(&self, target: &Wanted<T>) -> Speed {
        let least = optimal_nodes(target, self.depth());
        // The levels whose optimum is known: the first one, before any flip, always is unless the target says nothing.
        let known = least.len().to_u32().unwrap_or(u32::MAX).saturating_sub(1);
        let open = self.open_nodes().into_iter().map(BigInt::from);
        let more: Vec<BigInt> = open.zip(&least).map(|(open, least)| open - least).collect();
        let fewest = !more.is_empty() && more.iter().all(Zero::is_zero);
        let above = more.iter().take(known as usize);
        let sum = above.fold(BigInt::zero(), |sum, more| (sum << 1) + more);
        Speed { known, excess: dyadic(sum << 1, known as usize), fewest }
    }
}

/// The open nodes of the optimal tree for the target on each level from 0 to `depth`, as far as its digits are known.
///
/// On each level one leaf for each binary digit that is 1: K(k) = 2·K(k−1) − Σ digit k.
fn optimal_nodes<T>(target: &Wanted<T>, depth: u32) -> Vec<BigInt> {
    let ends = |(_, p): &(T, Bracket)| (Bits::new(p.low()), Bits::new(p.high()));
    let mut digits: Vec<_> = target.outcomes().iter().map(ends).collect();
    let mut unlisted = Bits::new(target.unlisted());
    let mut open = BigInt::one();
    let mut levels = Vec::new();
    for k in 0..=depth {
        if k > 0 {
            open <<= 1;
            unlisted.shift();
        }
        // What is not listed has a leaf as soon as its mass may be 2^-k.
        if unlisted.digit() {
            break;
        }
        let mut leaves = 0u64;
        for (low, high) in &mut digits {
            if k > 0 {
                low.shift();
                high.shift();
            }
            let digit = low.digit();
            if digit != high.digit() {
                return levels;
            }
            leaves += u64::from(digit);
        }
        open -= leaves;
        levels.push(open.clone());
    }
    levels
}

impl<T: PartialEq + Clone> Tree<T> {
    /// Compares the law found with a target, as [`Tally::against`]; a contradiction tells the leaf that completes it.
    ///
    /// # Errors
    ///
    /// A [`Refusal`]: a contradiction, a fault of the machine, or a target whose law cannot be told.
    pub fn against<A: Target<T> + ?Sized>(&self, target: &A) -> Result<Agreement, Refusal<T>> {
        self.tally().against(target).map_err(|refusal| match refusal {
            Refusal::Contradiction(mut found) if found.side == Side::AtLeast => {
                let mut excess = BigRational::zero();
                let at_depth = self.leaves().filter(|leaf| {
                    leaf.prefix().len() == found.depth as usize
                        && leaf.outcome() == Some(&found.outcome)
                });
                // From left to right, as many of the leaves at this depth as it takes.
                let leaves: Vec<_> = at_depth.collect();
                let unit = dyadic(1, found.depth as usize);
                let before = &found.found - &unit * BigInt::from(leaves.len());
                for leaf in leaves {
                    excess += &unit;
                    if &before + &excess > *found.target.high() {
                        found.prefix = Some(leaf.prefix().to_vec());
                        found.found = before + excess;
                        break;
                    }
                }
                Refusal::Contradiction(found)
            }
            other => other,
        })
    }
}

impl<T: PartialEq + Clone> Weighed<T> {
    /// Compares the law found with a target: agreement within a certified distance, or a contradiction.
    ///
    /// # Errors
    ///
    /// A [`Refusal`]: a contradiction, a fault of the machine, or a target whose law cannot be told.
    pub fn against<A: Target<T> + ?Sized>(
        &self,
        target: &A,
        precision: u32,
    ) -> Result<Agreement, Refusal<T>> {
        if let Some(fault) = self.fault() {
            return Err(Refusal::Fault(fault));
        }
        let seen: Vec<T> = self.masses().iter().map(|(outcome, _)| outcome.clone()).collect();
        let wanted = target.wanted(&seen, precision).map_err(Refusal::Target)?.with(&seen);
        let mut common = BigRational::zero();
        for (outcome, p) in wanted.outcomes() {
            let found = self.probability(outcome);
            let miss = if found.low() > p.high() {
                Some((Side::AtLeast, found.low()))
            } else {
                (found.high() < p.low()).then_some((Side::AtMost, found.high()))
            };
            if let Some((side, bound)) = miss {
                let (outcome, depth, found, target) =
                    (outcome.clone(), self.depth(), bound.clone(), p.clone());
                let contradiction =
                    Contradiction { outcome, side, depth, found, target, prefix: None };
                return Err(Refusal::Contradiction(Box::new(contradiction)));
            }
            common += found.low().min(p.low());
        }
        Ok(Agreement { depth: self.depth(), distance: BigRational::one() - common, speed: None })
    }
}
