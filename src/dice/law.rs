//! The laws and costs of the dice.

use alloc::vec::Vec;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::Die;
use crate::law::{Bracket, Cost, KnownLaw, Law, LawError, Tail};

/// The most sides whose law is listed side by side.
const MOST_SIDES: u64 = 1 << 16;

impl KnownLaw for Die {
    fn law_at(&self, _: u32) -> Result<Law<u64>, LawError> {
        let n = self.sides().get();
        if n > MOST_SIDES {
            return Err(LawError::TooManyOutcomes);
        }
        let side = Bracket::exact(BigRational::new(BigInt::one(), n.into()));
        let sides: Vec<_> = (0..n).map(|face| (face, side.clone())).collect();
        Ok(Law::new(sides, BigRational::zero()))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        Ok(Cost::within(&expected(self.sides().get(), places)))
    }

    fn tail(&self) -> Tail {
        let n = self.sides().get();
        if n.is_power_of_two() { Tail::Bounded(n.ilog2().into()) } else { Tail::Exponential }
    }
}

/// Σ P(more than k bits), where 2^k·P(more than k bits) is the range left: 2^k mod n for n > 1, so that it repeats.
///
/// With s(k) = 2^k mod n for an odd part, the sum is geometric over one period; to `places` binary places it is enough to
/// add so many terms, since each term is less than n·2^-k. A period short enough makes it exact.
fn expected(n: u64, places: u32) -> Bracket {
    if n == 1 {
        return Bracket::zero();
    }
    let most = u64::from(places) + 128;
    let (mut sum, mut range, mut k) = (BigInt::zero(), 1 % n, 0u64);
    // After n's factors of two the ranges 2^k mod n are periodic; `start` is the first range of the period.
    let before = u64::from(n.trailing_zeros());
    let (mut start, mut start_sum) = (range, BigInt::zero());
    loop {
        if k == before {
            (start, start_sum) = (range, sum.clone());
        } else if k > before && range == start {
            break;
        }
        if range == 0 {
            return Bracket::exact(BigRational::new(sum << 1, BigInt::one() << k));
        }
        if k == most {
            let low = BigRational::new(sum.clone() << 1, BigInt::one() << k);
            let rest = BigRational::new(BigInt::from(n) << 1, BigInt::one() << k);
            return Bracket::new(low.clone(), low + rest);
        }
        sum = (sum << 1) + range;
        range = if range >= n - range { range - (n - range) } else { range + range };
        k += 1;
    }
    // Of period t: sum(k) = 2^t·S + P with S the sum before the period, and the whole is S' + P·2^-k/(1 − 2^-t).
    let period = k - before;
    let of_period = &sum - (&start_sum << period);
    let head = BigRational::new(start_sum << 1, BigInt::one() << before);
    let cycle = (BigInt::one() << period) - 1;
    let tail = BigRational::new(of_period << 1, (BigInt::one() << before) * cycle);
    Bracket::exact(head + tail)
}
