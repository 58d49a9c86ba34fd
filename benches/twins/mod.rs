//! Compositions, and what a careful person writes by hand in their place from the same coins and dice.
//!
//! Each is a function of its own that is never inlined, so that the instructions inside it can be counted.

#![allow(unreachable_pub, clippy::unwrap_used, reason = "a bench")]

use std::convert::Infallible;
use std::hint::black_box;
use std::num::NonZeroU64;

use buffon::{
    BitBuffer, BitSource, Coin, Die, Fair, Fraction, Machine, OneOver, Rational, Weighted,
    parity_of_run, run,
};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use typenum::{U1, U2, U3, U5, U7};

use crate::common::{Word, sum};

/// A composition and its twin: functions that take so many samples and add them up.
#[derive(Clone, Copy)]
pub struct Twin {
    pub name: &'static str,
    pub composed: fn(u64) -> u64,
    pub by_hand: fn(u64) -> u64,
}

/// `name(parts) composition, |bits| by hand;` where the compiler does not know the values of the parts.
macro_rules! twins {
    ($($name:ident($($part:ident = $value:expr),*) $composed:expr, |$bits:ident| $by_hand:expr;)+) => {
        $(mod $name {
            use super::*;

            #[inline(never)]
            pub(super) fn composed(n: u64) -> u64 {
                $(let $part = black_box($value);)*
                let machine = $composed;
                let mut source = start(concat!(stringify!($name), " composed"));
                sum(n, || Word::word(machine.sample(&mut source)))
            }

            #[inline(never)]
            pub(super) fn by_hand(n: u64) -> u64 {
                $(let $part = black_box($value);)*
                let mut source = start(concat!(stringify!($name), " by hand"));
                sum(n, || {
                    let by_hand = |$bits: &mut BitBuffer<SmallRng>| -> Result<_, Infallible> { $by_hand };
                    let Ok(answer) = by_hand(&mut source);
                    Word::word(answer)
                })
            }
        })+

        /// All of them.
        pub fn all() -> Vec<Twin> {
            vec![$(Twin {
                name: stringify!($name),
                composed: $name::composed,
                by_hand: $name::by_hand,
            }),+]
        }
    };
}

/// The same bits for every function. The name keeps the compiler from folding equal functions into one.
#[inline]
fn start(name: &'static str) -> BitBuffer<SmallRng> {
    black_box(name);
    BitBuffer::new(SmallRng::seed_from_u64(black_box(1)))
}

fn coin(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::new(num, den).unwrap()
}

fn die(n: u64) -> Die {
    Die::new(n).unwrap()
}

fn chooser() -> &'static Weighted {
    Box::leak(Box::new(Weighted::new([3, 1, 4, 1, 5]).unwrap()))
}

type Third = Fraction<U1, U3>;
type TwoFifths = Fraction<U2, U5>;
type ThreeSevenths = Fraction<U3, U7>;

twins! {
    not_then(p = coin(1, 3), q = coin(2, 5))
        p.not().then(q),
        |bits| if p.try_flip(bits)? { Ok(false) } else { q.try_flip(bits) };
    or_else_xor(p = coin(1, 3), q = coin(2, 5), r = coin(3, 7))
        p.or_else(q).xor(r),
        |bits| Ok((p.try_flip(bits)? || q.try_flip(bits)?) != r.try_flip(bits)?);
    nested_mix(p = coin(1, 3), q = coin(2, 5), r = coin(3, 7))
        p.mix((&q).mix(&r, Fair), (&r).mix(Fair, &q)),
        |bits| if p.try_flip(bits)? {
            if q.try_flip(bits)? { r.try_flip(bits) } else { bits.try_bit() }
        } else if r.try_flip(bits)? {
            bits.try_bit()
        } else {
            q.try_flip(bits)
        };
    mix_of_dice(p = coin(1, 3), four = die(4), six = die(6))
        p.mix(four, six),
        |bits| if p.try_flip(bits)? { four.try_sample(bits) } else { six.try_sample(bits) };
    geometric(p = coin(2, 3))
        p.run(),
        |bits| {
            let mut flips = NonZeroU64::MIN;
            while p.try_flip(bits)? {
                flips = flips.saturating_add(1);
            }
            Ok(flips.get() - 1)
        };
    even_run(p = coin(2, 3))
        p.parity_of_run(),
        |bits| {
            let mut flips = NonZeroU64::MIN;
            while p.try_flip(bits)? {
                flips = flips.saturating_add(1);
            }
            Ok(flips.get() % 2 == 1)
        };
    inverse_e()
        parity_of_run(OneOver::new),
        |bits| {
            let mut n = NonZeroU64::MIN;
            while OneOver::new(n).try_flip(bits)? {
                n = n.saturating_add(1);
            }
            Ok(n.get() % 2 == 1)
        };
    poisson_run(p = coin(1, 3))
        run(|n| OneOver::new(n).then(p)),
        |bits| {
            let mut n = NonZeroU64::MIN;
            while OneOver::new(n).try_flip(bits)? && p.try_flip(bits)? {
                n = n.saturating_add(1);
            }
            Ok(n.get() - 1)
        };
    conditioned_sum(six = die(6))
        six.zip(six).condition(|(a, b)| a != b).map(|(a, b)| a + b),
        |bits| loop {
            let (a, b) = (six.try_sample(bits)?, six.try_sample(bits)?);
            if a != b {
                break Ok(a + b);
            }
        };
    von_neumann(p = coin(1, 3))
        p.zip(p).map(|(a, b)| (a != b).then_some(a)).retry(),
        |bits| loop {
            let (a, b) = (p.try_flip(bits)?, p.try_flip(bits)?);
            if a != b {
                break Ok(a);
            }
        };
    die_of_die(six = die(6))
        six.and_then(|n| Die::from(NonZeroU64::MIN.saturating_add(n))),
        |bits| {
            let n = six.try_sample(bits)?;
            Die::from(NonZeroU64::MIN.saturating_add(n)).try_sample(bits)
        };
    four_of_a_coin(p = coin(1, 3))
        p.array::<4>().map(|flips| flips.map(u64::from).iter().sum::<u64>()),
        |bits| {
            let mut flip = || p.try_flip(bits);
            let flips = [flip()?, flip()?, flip()?, flip()?];
            Ok(flips.map(u64::from).iter().sum::<u64>())
        };
    type_level()
        Third::new().then(TwoFifths::new()).or_else(Fair.then(ThreeSevenths::new())),
        |bits| Ok(Third::new().try_flip(bits)? && TwoFifths::new().try_flip(bits)?
            || bits.try_bit()? && ThreeSevenths::new().try_flip(bits)?);
    type_level_run()
        Third::new().mix(TwoFifths::new().parity_of_run(), Fair.run().map(|n| n > 2)),
        |bits| {
            let third = Third::new().try_flip(bits)?;
            let mut flips = NonZeroU64::MIN;
            if third {
                while TwoFifths::new().try_flip(bits)? {
                    flips = flips.saturating_add(1);
                }
                return Ok(flips.get() % 2 == 1);
            }
            while bits.try_bit()? {
                flips = flips.saturating_add(1);
            }
            Ok(flips.get() - 1 > 2)
        };
    power_or_else(p = coin(9, 10), q = coin(2, 5), r = coin(3, 7))
        p.power(5).or_else(q.not().then(r)),
        |bits| {
            let mut all = true;
            for _ in 0..5 {
                if !p.try_flip(bits)? {
                    all = false;
                    break;
                }
            }
            Ok(all || !q.try_flip(bits)? && r.try_flip(bits)?)
        };
    logarithm_of_two()
        Fair.run().and_then(|n| OneOver::new(NonZeroU64::MIN.saturating_add(n))),
        |bits| {
            let mut n = NonZeroU64::MIN;
            while bits.try_bit()? {
                n = n.saturating_add(1);
            }
            OneOver::new(n).try_flip(bits)
        };
    ratio_family()
        run(|n: NonZeroU64| coin(2, 2 * n.get() + 1).then(Fair)),
        |bits| {
            let mut n = NonZeroU64::MIN;
            while coin(2, 2 * n.get() + 1).try_flip(bits)? && bits.try_bit()? {
                n = n.saturating_add(1);
            }
            Ok(n.get() - 1)
        };
    ordered_pair(ten = die(10), twenty = die(20))
        ten.zip(twenty).condition(|(a, b)| a < b).map(|(a, b)| 20 * a + b),
        |bits| loop {
            let (a, b) = (ten.try_sample(bits)?, twenty.try_sample(bits)?);
            if a < b {
                break Ok(20 * a + b);
            }
        };
    chosen_die(chooser = chooser(), dice = [die(4), die(6), die(8), die(12), die(20)])
        chooser.and_then(move |i| dice[i]),
        |bits| {
            let i = chooser.try_sample(bits)?;
            dice[i].try_sample(bits)
        };
    small_faces(nine = die(9))
        nine.map(|side| (side < 7).then_some(side)).retry(),
        |bits| loop {
            let side = nine.try_sample(bits)?;
            if side < 7 {
                break Ok(side);
            }
        };
}
