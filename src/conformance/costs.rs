//! What is claimed of the expected fair bits, against what the tree proves and what answers below it take.

use alloc::vec::Vec;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::evidence::ln_mean;
use super::finding::Finding;
use crate::bits::{BitSource, Budget};
use crate::error::BudgetError;
use crate::explore::Tree;
use crate::law::Bracket;
use crate::machine::Machine;

/// The most bits that an answer is followed below the tree, and all answers together.
const MOST_BITS: (u64, u64) = (1 << 18, 1 << 22);

/// The bounds of E[T] that follow from a tree of depth D: at least Σ P(T > k) over k ≤ D, and at most so much more as is open
/// there, if no answer takes more than `most` bits.
pub(super) fn bounds<T>(tree: &Tree<T>, most: Option<u64>) -> (BigRational, Option<BigRational>) {
    let (known, open) = (tree.expected_bits(), tree.open());
    let least = &known + &open;
    let beyond = most.map(|most| BigInt::from(most.saturating_sub(u64::from(tree.depth()))));
    let at_most = beyond.map(|beyond| &known + &open * beyond.max(BigInt::one()));
    let at_most = if open.is_zero() { Some(known) } else { at_most };
    (least, at_most)
}

/// Weighs how many bits answers take below the tree, against a claimed bracket of E[T].
///
/// With D the depth, r = P(T > D), K = Σ P(T > k) over k < D, and X the bits beyond D of an answer that takes more than D,
/// E[T] = K + r·E[X], where K and r are exact. So E[T] ≤ high is E[X] ≤ ν = (high − K)/r, and E[T] ≥ low is E[X] ≥ μ = (low − K)/r.
/// X is sampled from the open nodes; a claim that is off by δ in E[T] is off by δ/r in E[X].
///
/// - *Too cheap a claim.* If E[X] ≤ ν, then for 0 ≤ λ ≤ 1 the product of 1 + λ(Xᵢ/ν − 1) is nonnegative, and a supermartingale
///   that starts at 1. So is the mean over λ = 1/2, 1/4, …: it reaches 1/α with probability at most α (Ville). An answer that is
///   broken off is counted with fewer bits, which only lowers the product. Nothing else is assumed.
/// - *Too dear a claim.* If E[min(X, B)] ≥ m then the product of 1 + λ(m − min(Xᵢ, B)) is a nonnegative supermartingale for
///   0 ≤ λ ≤ 1/(B − m), and so is the mean over such λ. A machine that states a bound of its bits gives B, and m = μ.
///   Without one, no samples refute E[X] ≥ μ by themselves: there may be an answer, too rare to be seen, of enormous length.
///   Then m = μ/2 and B = m(1 + n/32) for n samples, and the finding rests on this: of the bits that are expected below the
///   depth, not more than half are those beyond B of an answer. It is true of geometric tails, P(X > k) = ρ^k, of which the
///   part beyond B is about e^(−n/64); and it is not relied on where the machine states a tail heavier than exponential.
pub(super) struct Beyond {
    pub(super) claimed: Bracket,
    pub(super) samples: u64,
    pub(super) alpha: f64,
    /// Whether a claim may be refused as too dear, on the assumption.
    pub(super) light: bool,
    /// The most bits of an answer, if the machine says so.
    pub(super) most: Option<u64>,
}

impl Beyond {
    pub(super) fn weigh<M: Machine, B: BitSource + ?Sized>(
        &self,
        machine: &M,
        tree: &Tree<M::Output>,
        bits: &mut B,
    ) -> Result<Option<Finding<M::Output>>, B::Error> {
        let Some(below) = tree.below(machine) else { return Ok(None) };
        let (mut extra, mut sum) = (Vec::new(), 0);
        while (extra.len() as u64) < self.samples && sum < MOST_BITS.1 {
            let most = u64::from(tree.depth()) + MOST_BITS.0;
            let x = match below.try_counted(&mut Budget::new(&mut *bits, most)) {
                Ok((_, x)) => x,
                Err(BudgetError::Exhausted) => MOST_BITS.0,
                Err(BudgetError::Source(error)) => return Err(error),
            };
            extra.push(x);
            sum += x;
        }
        let (known, open) = (tree.expected_bits(), tree.open());
        let beyond = |claim: &BigRational| (claim - &known) / &open;
        let (most, least) = (beyond(self.claimed.high()), beyond(self.claimed.low()));
        let enough = -self.alpha.ln();
        let found = |wanted, but_for| Finding::CostBeyond {
            claimed: self.claimed.clone(),
            depth: tree.depth(),
            wanted,
            found: Bracket::ratio(sum, extra.len() as u64),
            samples: extra.len() as u64,
            but_for,
        };
        if ln_above(&extra, float(&most)) >= enough {
            return Ok(Some(found(most, None)));
        }
        let n = float(&BigRational::from_integer(self.samples.into()));
        let (mean, half) = (float(&least), float(&least) / 2.0);
        let beyond = |most: u64| most.saturating_sub(u64::from(tree.depth())).to_f64();
        if let Some(longest) = self.most.and_then(beyond) {
            if ln_below(&extra, mean, longest) >= enough {
                return Ok(Some(found(least, None)));
            }
        } else if self.light {
            let longest = half * (1.0 + n / 32.0);
            if ln_below(&extra, half, longest) >= enough {
                return Ok(Some(found(least, longest.to_u64().or(Some(u64::MAX)))));
            }
        }
        Ok(None)
    }
}

fn float(number: &BigRational) -> f64 {
    number.to_f64().unwrap_or(f64::INFINITY)
}

/// ln of the evidence that the mean is above `mean`.
fn ln_above(extra: &[u64], mean: f64) -> f64 {
    if mean <= 0.0 {
        return f64::NEG_INFINITY; // then the tree says it all
    }
    let bet = |share: f64| -> f64 {
        extra.iter().map(|&x| (share * (x.to_f64().unwrap_or(0.0) / mean - 1.0)).ln_1p()).sum()
    };
    ln_mean(&(1..=12).map(|k| bet(0.5f64.powi(k))).collect::<Vec<_>>())
}

/// ln of the evidence that the mean of what is cut off at `longest` is below `mean`.
fn ln_below(extra: &[u64], mean: f64, longest: f64) -> f64 {
    if mean <= 0.0 || longest <= mean {
        return f64::NEG_INFINITY;
    }
    // Where an answer was broken off before that, it might have gone on to there.
    let cut = |x: u64| match x.to_f64() {
        Some(bits) if x < MOST_BITS.0 => bits.min(longest),
        _ => longest,
    };
    let bet = |share: f64| -> f64 {
        let factor = |&x: &u64| 1.0 + share * (mean - cut(x)) / (longest - mean);
        extra.iter().map(|x| factor(x).max(0.0).ln()).sum()
    };
    ln_mean(&(0..8).map(|k| bet(0.5f64.powi(k))).collect::<Vec<_>>())
}
