//! What a hypergeometric family declares, and how series are summed that converge too slowly to be added up.
//!
//! Ratios are written (a·j + b)/(c·j + d), with j = n − 1 for coin n, and aₙ = p₁…pₙ.

use core::num::NonZeroU64;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::{Hypergeometric, LinearRatio};
use crate::law::{Bracket, Cost, KnownFamily, KnownLaw, LawError, Tail, series};

fn q(num: impl Into<u128>, den: impl Into<u128>) -> BigRational {
    BigRational::new(num.into().into(), den.into().into())
}

/// How the probabilities of a family go on, as j → ∞.
enum Limit {
    /// They tend to this number below one.
    Below(BigRational),
    /// They tend to 1 as ∏ (j + bᵢ/aᵢ)/(j + dᵢ/aᵢ): `fall` is the sum of the dᵢ/aᵢ − bᵢ/aᵢ, so that aₙ falls like n^−fall,
    /// and `least` and `most` bound the dᵢ/aᵢ.
    One { fall: BigRational, least: BigRational, most: BigRational },
    /// They are all 1: the run never ends.
    Certain,
}

impl<const N: usize> Hypergeometric<N> {
    fn p(&self, n: NonZeroU64) -> Result<BigRational, LawError> {
        Ok(self.coin(n).law_at(0)?.heads().low().clone())
    }

    /// The limit of each ratio is a/c, or b/d if it does not depend on j.
    fn limit(&self) -> Limit {
        let of = |((a, b), (c, d)): LinearRatio| if c == 0 { q(b, d) } else { q(a, c) };
        let limit: BigRational = self.ratios.into_iter().map(of).product();
        if !limit.is_one() {
            return Limit::Below(limit);
        }
        // Every limit is 1: a = c, and b = d where they are zero.
        let moving = self.ratios.into_iter().filter(|((_, b), (_, d))| b < d);
        let fall = moving.clone().map(|((a, b), (_, d))| q(d - b, a)).sum();
        let ends = || moving.clone().map(|((a, _), (_, d))| q(d, a));
        match (ends().min(), ends().max()) {
            (Some(least), Some(most)) => Limit::One { fall, least, most },
            _ => Limit::Certain,
        }
    }

    /// A bound of the probabilities of all coins after the first n: a ratio is monotone in j, so from j = n on it lies between
    /// what it is there and its limit.
    fn most_after(&self, n: u64) -> BigRational {
        let of = |((a, b), (c, d)): LinearRatio| {
            let at =
                |(slope, start): (u64, u64)| u128::from(slope) * u128::from(n) + u128::from(start);
            let here = q(at((a, b)), at((c, d)));
            if c == 0 { here } else { here.max(q(a, c)) }
        };
        self.ratios.into_iter().map(of).product()
    }

    /// Whether aₙ = E[Xⁿ] for a random X in [0, 1]. Products of such sequences are such, by independent factors.
    ///
    /// The powers of a number are; and so are the products of (j + β)/(j + δ) with 0 ≤ β ≤ δ: there X has the Beta law of
    /// β and δ − β.
    fn has_moments(&self) -> bool {
        self.ratios.into_iter().all(|((a, b), (c, d))| {
            c == 0 || (a > 0 && u128::from(b) * u128::from(c) <= u128::from(d) * u128::from(a))
        })
    }

    /// The expected number of flips after n heads lies in [(n + least − 1)/(fall − 1), (n + most + fall − 1)/(fall − 1)], if
    /// the limit is 1 and fall > 1; else it is infinite.
    ///
    /// The number f(n) of flips satisfies f(n) = 1 + p·f(n + 1), where p = ∏ (1 − xᵢ) with Σ xᵢ between fall/(n + most) and
    /// fall/(n + least), so 1 − Σ xᵢ ≤ p ≤ 1/(1 + Σ xᵢ). Put in, the lower end g satisfies g(n) ≤ 1 + p·g(n + 1) and the
    /// upper one g(n) ≥ 1 + p·g(n + 1), for all n, and p₁…pₙ·g(n) → 0.
    fn flips_after(&self, n: u64) -> Option<Bracket> {
        let Limit::One { fall, least, most } = self.limit() else { return None };
        let slope = fall - BigRational::one();
        (slope > BigRational::zero()).then(|| {
            let n = q(n, 1u8);
            let low = (&n + least - BigRational::one()).max(BigRational::zero());
            Bracket::new(low / &slope, (n + most + &slope) / &slope)
        })
    }

    /// Coins up to this number are flipped as one: their products fit 128 bits.
    fn fits_up_to(&self) -> u64 {
        let most = self.ratios.iter().map(|(_, (c, d))| *c.max(d)).max().unwrap_or(1);
        // (most·n)^N < 2^128 if most·n < 2^⌊128/N⌋.
        let root = 128 / u32::try_from(N.max(1)).unwrap_or(u32::MAX);
        let fits = 1u128.checked_shl(root).map_or(u128::MAX, |end| end - 1) / u128::from(most);
        u64::try_from(fits).unwrap_or(u64::MAX)
    }

    /// What a run is expected to cost after n heads, where the probabilities tend to 1.
    fn slow_bits_after(&self, n: u64) -> Result<Option<Bracket>, LawError> {
        let (Some(flips), Limit::One { fall, most, .. }) = (self.flips_after(n), self.limit())
        else {
            return Ok(None);
        };
        // A coin of p = a/2^m costs 2 − 2^(1−m), where 2^-m ≤ 1 − p, and other coins 2: all at least 2p, and p increases.
        let two = q(2u8, 1u8);
        let low = flips.low() * &two * self.p(NonZeroU64::MIN.saturating_add(n))?;
        // Coins after number M, whose products may not fit, cost up to 2N. A run gets from n to M heads with probability at
        // most ∏ (j + most)/(j + most + t) ≤ ((n + most + t)/(M + most))^t, for a whole t ≤ fall.
        let fits = self.fits_up_to().max(n);
        let t = fall.to_integer();
        let reach = (q(n, 1u8) + &most + &t) / (q(fits, 1u8) + most);
        let reach = reach.min(BigRational::one()).pow(i32::try_from(t).unwrap_or(1));
        let later = self.flips_after(fits).map_or_else(BigRational::zero, |f| f.high().clone());
        let more = reach * later * BigRational::from_integer((2 * N.saturating_sub(1)).into());
        Ok(Some(Bracket::new(low, flips.high() * two + more)))
    }
}

impl<const N: usize> KnownFamily for Hypergeometric<N> {
    fn heads_at(&self, n: NonZeroU64, _: u32) -> Result<Bracket, LawError> {
        Ok(Bracket::exact(self.p(n)?))
    }

    fn bits_at(&self, n: NonZeroU64, places: u32) -> Result<Cost, LawError> {
        self.coin(n).cost_at(places)
    }

    fn tail_of(&self, n: NonZeroU64) -> Tail {
        self.coin(n).tail()
    }

    fn ceiling(&self) -> Option<BigRational> {
        Some(BigRational::from_integer((2 * N).into()))
    }

    fn has_one_tail(&self) -> bool {
        true // N coins at most, one after another
    }

    fn bits_after(&self, n: u64, _: u32) -> Result<Option<BigRational>, LawError> {
        let coin = BigRational::from_integer((2 * N).into());
        Ok(match self.limit() {
            Limit::Below(_) => {
                let tails = BigRational::one() - self.most_after(n);
                (!tails.is_zero()).then(|| coin / tails)
            }
            Limit::One { .. } => self.flips_after(n).map(|flips| coin * flips.high()),
            Limit::Certain => None,
        })
    }

    fn parity_at(&self, places: u32) -> Result<Bracket, LawError> {
        let heads = |n| self.heads_at(n, places);
        match self.limit() {
            Limit::Certain => Err(LawError::NeverHalts),
            // Where aₙ falls like 2^-n or faster, the plain sum is as fast.
            Limit::Below(limit) if limit <= q(1u8, 2u8) => series::parity(places, heads),
            _ if self.has_moments() => series::parity_of_moments(places, heads),
            _ => series::parity(places, heads),
        }
    }

    fn run_bits_at(&self, places: u32) -> Result<Cost, LawError> {
        let coin = |n| Ok((self.heads_at(n, places)?, self.bits_at(n, places)?));
        match self.limit() {
            Limit::Certain => Err(LawError::NeverHalts),
            Limit::Below(_) => series::cost(places, coin, |n| self.bits_after(n, places)),
            Limit::One { fall, .. } => {
                series::slow_cost(places, &fall, coin, |n| self.slow_bits_after(n))
            }
        }
    }

    fn run_tail(&self) -> Tail {
        match self.limit() {
            Limit::Below(_) => series::tail(self, Tail::Exponential),
            Limit::One { fall, .. } if fall > BigRational::one() => Tail::FiniteMean,
            Limit::One { .. } => Tail::AlmostSure,
            Limit::Certain => Tail::MayNeverEnd,
        }
    }
}
