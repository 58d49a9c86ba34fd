//! The sums behind the runs of a family, by partial sums on a grid.
//!
//! Throughout aₙ = p₁p₂…pₙ = P(at least n heads), which does not increase.

use alloc::vec::Vec;
use core::num::NonZeroU64;

use num_rational::BigRational;
use num_traits::Zero;

use super::bracket::Bracket;
use super::cost::Cost;
use super::error::LawError;
use super::family::KnownFamily;
use super::fixed::Fixed;
use super::known::refine;
use super::outcomes::{Law, MOST_OUTCOMES};
use super::tail::Tail;

/// Binary places beyond the working precision: each of up to 2^20 terms is off by at most a few units of the grid.
const GUARD: u32 = 24;

/// The most terms of a series that are added up: what converges more slowly than by a factor of two in 32 terms is given up.
fn most_terms(places: u32) -> u64 {
    4096 + 32 * u64::from(places)
}

/// Up to so many coins, the last of which is never heads, sums are formed again as rationals, exact if the coins are.
const SHORT: u64 = 256;

/// Coin numbers 1, 2, 3, …
fn numbers() -> impl Iterator<Item = NonZeroU64> {
    core::iter::successors(Some(NonZeroU64::MIN), |n| n.checked_add(1))
}

/// The numbers before `end`, from the last one down.
fn down_from(end: NonZeroU64) -> impl Iterator<Item = NonZeroU64> {
    (1..end.get()).rev().filter_map(NonZeroU64::new)
}

/// 1 − a₁ + a₂ − …: a partial sum that ends with a minus lies below the whole, one that ends with a plus above it.
///
/// For P(even) = Σ (a₂ₖ − a₂ₖ₊₁) and P(odd) = Σ (a₂ₖ₊₁ − a₂ₖ₊₂) have no negative terms, whether the run ends or not.
pub(crate) fn parity(
    places: u32,
    heads: impl Fn(NonZeroU64) -> Result<Bracket, LawError>,
) -> Result<Bracket, LawError> {
    let grid = u64::from(places) + u64::from(GUARD);
    let (mut sum, mut product) = (Fixed::one(grid), Fixed::one(grid));
    for n in numbers() {
        let p = heads(n)?;
        if p.is_zero() && n.get() <= SHORT {
            // Horner's rule: 1 − p₁(1 − p₂(1 − …)).
            let step = |even: Bracket, n| Ok(heads(n)?.times(&even).complement());
            return Ok(down_from(n).try_fold(Bracket::one(), step)?.rounded(places));
        }
        product = product.times(&p);
        let odd = n.get() % 2 == 1;
        if odd {
            sum.subtract(&product);
        } else {
            sum.add(&product);
        }
        if product.is_below(places) || n.get() == most_terms(places) {
            // What is left lies between 0 and the last term, with the opposite sign.
            if odd {
                sum.raise(&product);
            } else {
                sum.sink(&product);
            }
            break;
        }
    }
    Ok(sum.bracket().meet(&Bracket::unit()))
}

/// The same sum by Euler's transformation, where aₙ = E[Xⁿ] for a random X in [0, 1]: one binary place for each term, however
/// slowly they fall.
///
/// The sum is E[1/(1 + X)], and 1/(1 + x) = Σ (1 − x)ʲ/2^(j+1) over j < n, plus (1 − x)ⁿ/(2ⁿ(1 + x)). Now E[(1 − X)ʲ] is the
/// j-th difference of the aₙ, at 0, and what is left lies between 0 and E[(1 − X)ⁿ]/2ⁿ.
pub(crate) fn parity_of_moments(
    places: u32,
    heads: impl Fn(NonZeroU64) -> Result<Bracket, LawError>,
) -> Result<Bracket, LawError> {
    let grid = u64::from(places) + u64::from(GUARD);
    let terms = u64::from(places) + 1;
    let mut column = Vec::from([Fixed::one(grid)]);
    for n in numbers().take_while(|n| n.get() <= terms) {
        let next = column.last().map_or_else(|| Fixed::zero(grid), Clone::clone).times(&heads(n)?);
        column.push(next);
    }
    let mut sum = Fixed::zero(grid);
    for j in 0..terms {
        let Some(first) = column.first() else { break };
        sum.add(&first.over_two_to(j + 1));
        // The next differences: each entry less the one after it.
        for i in 1..column.len() {
            let (before, after) = column.split_at_mut(i);
            if let (Some(entry), Some(next)) = (before.last_mut(), after.first()) {
                entry.subtract(next);
            }
        }
        column.pop();
    }
    if let Some(last) = column.first() {
        sum.raise(&last.over_two_to(terms));
    }
    Ok(sum.bracket().meet(&Bracket::unit()))
}

/// P(N = n) = aₙ(1 − pₙ₊₁), until what is left is below 2^-places.
pub(super) fn run(
    places: u32,
    heads: impl Fn(NonZeroU64) -> Result<Bracket, LawError>,
) -> Result<Law<u64>, LawError> {
    // The grid is fine enough for the last weights; the first ones are fractions, until those get long.
    let grid = 2 * u64::from(places) + u64::from(GUARD);
    let mut product = Fixed::one(grid);
    let mut fraction = Some(Bracket::one());
    let mut lengths = Vec::new();
    for n in numbers() {
        if lengths.len() == MOST_OUTCOMES {
            return Err(LawError::TooManyOutcomes);
        }
        let p = heads(n)?;
        fraction = fraction.filter(|product| product.is_short(grid.min(512)) && p.is_exact());
        let weight = match &fraction {
            Some(product) => product.times(&p.complement()),
            None => product.times(&p.complement()).bracket(),
        };
        lengths.push((n.get() - 1, weight));
        product = product.times(&p);
        fraction = fraction.map(|product| product.times(&p));
        if p.is_zero() {
            return Ok(Law::new(lengths, BigRational::zero()));
        }
        if product.is_below(places) {
            break;
        }
    }
    let rest = product.bracket().high().clone();
    Ok(Law::new(lengths, rest))
}

/// Σ aₙ₋₁·cₙ, and what is declared of the terms that are not added up.
pub(crate) fn cost(
    places: u32,
    coin: impl Fn(NonZeroU64) -> Result<(Bracket, Cost), LawError>,
    after: impl Fn(u64) -> Result<Option<BigRational>, LawError>,
) -> Result<Cost, LawError> {
    let grid = u64::from(places) + u64::from(GUARD);
    let most = most_terms(places);
    let declared = after(most)?.is_some();
    let (mut sum, mut product) = (Fixed::zero(grid), Fixed::one(grid));
    let mut bounded = true;
    for n in numbers() {
        let (p, bits) = coin(n)?;
        if p.is_zero() && n.get() <= SHORT {
            // Horner's rule: c₁ + p₁(c₂ + p₂(…)).
            let step = |left: Cost, n| {
                let (p, bits) = coin(n)?;
                Ok(bits.plus(&left.times(&p)))
            };
            return Ok(down_from(n).try_fold(bits, step)?.rounded(places));
        }
        let (low, high) = (bits.low().clone(), bits.high().cloned());
        bounded &= high.is_some();
        let high = high.unwrap_or_else(|| low.clone());
        sum.add(&product.times(&Bracket::new(low, high)));
        product = product.times(&p);
        if p.is_zero() {
            break;
        }
        if n.get() < most && !product.is_below(places) {
            continue;
        }
        match after(n.get())? {
            Some(bits) => {
                let rest = product.times(&Bracket::new(BigRational::zero(), bits));
                if rest.is_below(places) || n.get() >= most {
                    sum.raise(&rest);
                    break;
                }
            }
            // What is declared of later coins only needs the terms up to them.
            None if declared && n.get() < most => {}
            None => {
                bounded = false;
                break;
            }
        }
    }
    let sum = sum.bracket();
    Ok(if bounded { Cost::within(&sum) } else { Cost::at_least(sum.low().clone()) })
}

/// The most terms that are added up of a series that falls like a power of n.
const MOST_SLOW_TERMS: u64 = 1 << 18;

/// Σ aₙ₋₁·cₙ where aₙ falls only like n^−fall, and `after(n)` brackets what a run is expected to cost after n heads.
pub(crate) fn slow_cost(
    places: u32,
    fall: &BigRational,
    coin: impl Fn(NonZeroU64) -> Result<(Bracket, Cost), LawError>,
    after: impl Fn(u64) -> Result<Option<Bracket>, LawError>,
) -> Result<Cost, LawError> {
    // The bracket's width falls like n^−fall too: what 2^18 terms cannot give is not tried.
    let enough = BigRational::from_integer(MOST_SLOW_TERMS.ilog2().into()) * fall;
    let finite = after(1)?.is_some();
    if finite && BigRational::from_integer(places.into()) > enough {
        return Err(LawError::Undecided);
    }
    let most = if finite { MOST_SLOW_TERMS } else { most_terms(places) };
    // The n-th product is off by up to n units of the grid, and their sum by n².
    let grid = u64::from(places) + u64::from(2 * MOST_SLOW_TERMS.ilog2() + 8);
    let (mut sum, mut product) = (Fixed::zero(grid), Fixed::one(grid));
    for n in numbers() {
        let (p, bits) = coin(n)?;
        let bits = bits.bracket().ok_or(LawError::Undecided)?;
        sum.add(&product.times(&bits));
        product = product.times(&p);
        if n.get() >= most || finite && n.get().is_power_of_two() {
            let Some(rest) = after(n.get())? else { break };
            let rest = product.times(&rest);
            if rest.is_narrow(places) || n.get() >= most {
                sum.add(&rest);
                break;
            }
        }
    }
    let sum = sum.bracket();
    Ok(if finite { Cost::within(&sum) } else { Cost::at_least(sum.low().clone()) })
}

/// The tail of a run: the sum of its coins' where one of the first is never heads, or `declared` where the cost is bounded.
pub(crate) fn tail<F: KnownFamily + ?Sized>(family: &F, declared: Tail) -> Tail {
    let mut tail = Tail::Bounded(0);
    let mut bounded = false;
    for n in numbers().take(64) {
        tail = tail.then(family.tail_of(n));
        match family.heads_at(n, 64) {
            Ok(p) if p.is_zero() => return tail,
            Ok(_) => bounded |= matches!(family.bits_after(n.get(), 64), Ok(Some(_))),
            Err(_) => return Tail::MayNeverEnd,
        }
    }
    if bounded { tail.max(declared) } else { Tail::MayNeverEnd }
}

/// Whether g(n) >= c + p·g(n + 1).
pub(super) fn upholds<F: KnownFamily + ?Sized>(
    family: &F,
    n: u64,
    places: u32,
) -> Result<Option<bool>, LawError> {
    let Some(now) = family.bits_after(n, places)? else { return Ok(Some(true)) };
    let next = NonZeroU64::MIN.saturating_add(n);
    let then = family.bits_after(next.get(), places)?;
    let p = family.heads_at(next, places)?;
    let least = Cost::at_least(BigRational::zero());
    let then = then.map_or(least, |bits| Cost::within(&Bracket::exact(bits)));
    let needed = family.bits_at(next, places)?.plus(&then.times(&p));
    Ok(at_most(&needed, &now))
}

/// Whether the coin costs no more than the ceiling of its family.
pub(super) fn within_ceiling<F: KnownFamily + ?Sized>(
    family: &F,
    n: NonZeroU64,
    places: u32,
) -> Result<Option<bool>, LawError> {
    let cost = family.bits_at(n, places)?;
    Ok(family.ceiling().map_or(Some(true), |ceiling| at_most(&cost, &ceiling)))
}

fn at_most(cost: &Cost, bound: &BigRational) -> Option<bool> {
    if cost.low() > bound {
        return Some(false);
    }
    (cost.high()? <= bound).then_some(true)
}

pub(super) fn check<F: KnownFamily>(family: &F, steps: u64) -> Result<(), LawError> {
    let mut declared = false;
    for n in 0..steps {
        declared |= family.bits_after(n, 64)?.is_some();
        let holds = refine(64, |places| family.upholds(n, places), Option::is_some)?;
        if holds == Some(false) {
            return Err(LawError::FalseDeclaration { heads: n });
        }
    }
    if declared { Ok(()) } else { Err(LawError::UnboundedCost { at_least: BigRational::zero() }) }
}
