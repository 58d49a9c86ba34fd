//! Fair dice from a coin of unknown bias.

use core::fmt::{self, Debug, Formatter};
use core::num::NonZeroU64;

use crate::bits::BitSource;
use crate::coin::Coin;
use crate::error::ZeroSides;
use crate::machine::Machine;

/// A fair die of n sides from a coin of any bias: Dijkstra's roulette, one for each prime factor of n.
///
/// - Answers: a side, from 0 to n − 1.
/// - Law: 1/n each, whatever the probability p of the coin is. Given that k of f flips were heads, all their arrangements
///   are equally likely. To turn all flips one place on, the last to the front, adds k to the sum of the heads' places,
///   modulo f. For a prime f and 0 < k < f this runs through all residues, so each of them has as many arrangements: the
///   sum modulo f is a fair side. Flips that are all alike are taken again. A composite n is a number whose digits are
///   such sides, of its prime factors, the smallest first and lowest.
/// - Expected flips: Σ f/(1 − p^f − q^f) over the prime factors f of n, each as often as it divides n: n = 3 takes 4 for
///   p = 1/2, 16/3 for p = 1/4; n = 2 takes 1/(pq), as [`VonNeumann`](crate::VonNeumann). Each costs what the coin costs.
///   A one-sided die flips nothing.
/// - Tail: exponential if the coin's is. For n > 1 it never ends where p = 0 or p = 1.
/// - Refuses: see [`new`](Self::new).
/// - Source: Dijkstra 1990, EWD 1071, for a prime n.
///
/// ```
/// use buffon::{Machine, External, Roulette, Script};
/// let mut recorded = [true, true, true, false, true, true].into_iter().cycle();
/// let unfair = External::new(move || recorded.next().unwrap_or(false));
/// // Three heads are taken again; then heads at places 1 and 2.
/// assert_eq!(Roulette::new(3, unfair)?.try_sample(&mut Script::from_str("")?), Ok(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Roulette<C> {
    n: NonZeroU64,
    primes: Primes,
    coin: C,
}

impl<C: Debug> Debug for Roulette<C> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Roulette").field("n", &self.n).field("coin", &self.coin).finish()
    }
}

/// What both dice have: a number of sides, and a coin.
macro_rules! from_a_coin {
    ($($die:ident($n:ident; $($field:ident: $value:expr)?))+) => {$(
        impl<C> $die<C> {
            /// The die of `n` sides from `coin`.
            ///
            /// # Errors
            ///
            /// [`ZeroSides`] if `n` is zero.
            pub fn new(n: u64, coin: C) -> Result<Self, ZeroSides> {
                let $n = NonZeroU64::new(n).ok_or(ZeroSides)?;
                Ok(Self { n: $n, $($field: $value,)? coin })
            }

            /// The number of sides.
            #[must_use]
            pub const fn sides(&self) -> NonZeroU64 {
                self.n
            }

            /// The coin.
            #[must_use]
            pub const fn coin(&self) -> &C {
                &self.coin
            }
        }
    )+};
}

from_a_coin!(Roulette(n; primes: Primes::of(n)) OneHead(n;));

/// The primes below 2^16 that divide a number, the smallest first, and zeros: of the first 16 primes the product is above
/// 2^64. They are found once, and what they leave is soon known to be a prime, or else so large that a turn of it takes more
/// flips than its factors take steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Primes([u16; 15]);

impl Primes {
    fn of(n: NonZeroU64) -> Self {
        let (mut rest, mut primes, mut found) = (n.get(), [0; 15], 0);
        for factor in 2..=u16::MAX {
            if rest < u64::from(factor) {
                break;
            }
            if rest % u64::from(factor) == 0 {
                primes[found] = factor;
                found += 1;
                while rest % u64::from(factor) == 0 {
                    rest /= u64::from(factor);
                }
            }
        }
        Self(primes)
    }

    /// The prime factors of `n`, whose primes these are.
    fn factors(self, n: NonZeroU64) -> impl Iterator<Item = u64> {
        let (mut rest, mut factor) = (n.get(), 1 << 16);
        let mut primes =
            self.0.into_iter().map(u64::from).take_while(|&prime| prime > 0).peekable();
        core::iter::from_fn(move || {
            while let Some(&prime) = primes.peek() {
                if rest % prime == 0 {
                    rest /= prime;
                    return Some(prime);
                }
                primes.next();
            }
            if rest == 1 {
                return None;
            }
            while factor <= rest / factor && rest % factor != 0 {
                factor += 1;
            }
            let found = if factor <= rest / factor { factor } else { rest };
            rest /= found;
            Some(found)
        })
    }
}

/// One turn of a roulette of `n` places: the sum of the places of the heads modulo `n`, and how many heads there were.
fn try_turn<C: Coin, B: BitSource + ?Sized>(
    n: u64,
    coin: &C,
    bits: &mut B,
) -> Result<(u64, u64), B::Error> {
    let (mut sum, mut heads) = (0, 0);
    for place in 0..n {
        if coin.try_flip(bits)? {
            heads += 1;
            let gap = n - place;
            sum = if sum >= gap { sum - gap } else { sum + place };
        }
    }
    Ok((sum, heads))
}

impl<C> Roulette<C> {
    /// The prime factors of the number of sides, the smallest first, each as often as it divides it.
    pub(super) fn factors(&self) -> impl Iterator<Item = u64> + use<C> {
        self.primes.factors(self.n)
    }
}

impl<C: Coin> Machine for Roulette<C> {
    type Output = u64;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<u64, B::Error> {
        let (mut side, mut sides) = (0, 1);
        for factor in self.factors() {
            let digit = loop {
                let (digit, heads) = try_turn(factor, &self.coin, bits)?;
                if 0 < heads && heads < factor {
                    break digit;
                }
            };
            side += sides * digit;
            sides *= factor;
        }
        Ok(side)
    }
}

/// A fair die of n sides from a coin of any bias: n flips of which exactly one is heads, and its place.
///
/// - Answers: a side, from 0 to n − 1.
/// - Law: 1/n each, whatever the probability p of the coin is: each place has probability p·(1 − p)^(n−1).
/// - Expected flips: 1/(p·(1 − p)^(n−1)), 8 for n = 3 and p = 1/2; all n flips of a round are made. [`Roulette`] takes
///   fewer: this is the plainest way, good for a coin of which heads are rare. A one-sided die flips nothing.
/// - Tail: exponential if the coin's is. For n > 1 it never ends where p = 0 or p = 1.
/// - Refuses: see [`new`](Self::new).
/// - Source: folklore.
///
/// ```
/// use buffon::{Machine, OneHead, Fair, Script};
/// let die = OneHead::new(3, Fair)?;
/// assert_eq!(die.try_sample(&mut Script::from_str("HTH TTH".replace(' ', "").as_str())?), Ok(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct OneHead<C> {
    n: NonZeroU64,
    coin: C,
}

impl<C: Coin> Machine for OneHead<C> {
    type Output = u64;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<u64, B::Error> {
        let n = self.n.get();
        if n == 1 {
            return Ok(0);
        }
        loop {
            let (place, heads) = try_turn(n, &self.coin, bits)?;
            if heads == 1 {
                return Ok(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn factors_are_prime_and_make_up_the_number() {
        let large = [u64::MAX, 1 << 63, (1 << 31) - 1, 3 * 65537, 4_294_967_291, 999_983 * 999_979];
        for n in (1..3000).chain(large) {
            let factors: Vec<_> =
                NonZeroU64::new(n).into_iter().flat_map(|n| Primes::of(n).factors(n)).collect();
            assert_eq!(factors.iter().product::<u64>(), n);
            assert!(factors.is_sorted());
            let prime = |f: u64| (2..).take_while(|d| d * d <= f).all(|d| f % d != 0);
            assert!(factors.iter().all(|&f| f > 1 && prime(f)), "{n}: {factors:?}");
        }
    }
}
