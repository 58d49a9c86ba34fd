//! What is looked up, multiplied or read a word at a time answers as the plain definition, flip for flip.
//!
//! The plain definitions are written here from the texts: long division by doubling, and one bit at a time for a die.
#![cfg(feature = "exact")]

use std::convert::Infallible;
use std::num::NonZeroU64;

use buffon::{
    Alias, BitBuffer, BitSource, Bracket, Coin, Counted, Die, Dyadic, Fair, FastDie, Fraction,
    Hypergeometric, KnownLaw, Machine, OneOver, Rational, Ratios, Reciprocals, Script, ScriptEnded,
    Tail, Weighted, ZeroSides, explore, explore_weighted, parity_of_run,
};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use proptest::prelude::*;
use rand::{SeedableRng, TryRng};
use typenum::{U1, U2, U3, U4, U5, U6, U7, U8, Unsigned, consts};

/// The coin a/b of the text: the digit of the first heads, digit by digit.
fn plain_coin<B: BitSource>(a: &BigUint, b: &BigUint, bits: &mut B) -> Result<bool, B::Error> {
    let mut a = a.clone();
    if a == *b {
        return Ok(true);
    }
    while a != BigUint::ZERO {
        a *= 2u8;
        let digit = a >= *b;
        if digit {
            a -= b;
        }
        if bits.try_bit()? {
            return Ok(digit);
        }
    }
    Ok(false)
}

/// The roll of the text, one bit at a time, new bits being the high digits.
fn plain_die<B: BitSource>(n: u64, bits: &mut B) -> Result<u64, B::Error> {
    let n = u128::from(n);
    let (mut value, mut range) = (0, 1u128);
    loop {
        if range >= n {
            if value < n {
                return Ok(u64::try_from(value).expect("below n"));
            }
            value -= n;
            range -= n;
        } else {
            value += range * u128::from(bits.try_bit()?);
            range *= 2;
        }
    }
}

/// A machine that is one of these functions, for the explorer.
struct Plain<F>(F);

impl<F: Fn(&mut dyn BitSource<Error = ()>) -> Result<T, ()>, T> Machine for Plain<F> {
    type Output = T;
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<T, B::Error> {
        struct Dyn<'a, B: BitSource + ?Sized>(&'a mut B, Option<B::Error>);
        impl<B: BitSource + ?Sized> BitSource for Dyn<'_, B> {
            type Error = ();
            fn try_bit(&mut self) -> Result<bool, ()> {
                self.0.try_bit().map_err(|error| self.1 = Some(error))
            }
        }
        let mut source = Dyn(bits, None);
        let answer = (self.0)(&mut source);
        match source.1 {
            Some(error) => Err(error),
            None => Ok(answer.expect("no other error")),
        }
    }
}

/// Words written down, and then others without a pattern, so that every machine here comes to an end.
#[derive(Clone)]
struct Words(std::vec::IntoIter<u64>, u64);

impl TryRng for Words {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("only words of 64 bits are asked for")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.1 = self.1.wrapping_add(0x9e37_79b9_7f4a_7c15);
        Ok(self.0.next().unwrap_or(self.1 ^ self.1.rotate_left(25) ^ self.1.rotate_left(47)))
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        unreachable!("only words of 64 bits are asked for")
    }
}

/// The same flips as a buffer gives them, and one at a time.
fn both(words: Vec<u64>) -> (BitBuffer<Words>, Counted<BitBuffer<Words>>) {
    let words = Words(words.into_iter(), 1);
    (BitBuffer::new(words.clone()), Counted::new(BitBuffer::new(words)))
}

/// On these words, after `before` flips, the machine answers as the plain definition, and takes as many flips.
fn check_words<M: Machine>(
    machine: &M,
    plain: impl Fn(&mut Counted<BitBuffer<Words>>) -> Result<M::Output, Infallible>,
    words: Vec<u64>,
    before: u32,
    what: impl Fn() -> String,
) where
    M::Output: PartialEq + std::fmt::Debug,
{
    let (mut fast, mut slow) = both(words);
    assert_eq!(fast.try_bits(before), slow.try_bits(before));
    let Ok(expected) = plain(&mut slow);
    assert_eq!(machine.sample(&mut fast), expected, "{} after {before} flips", what());
    assert_eq!(fast.try_bits(64), slow.try_bits(64), "{} goes on elsewhere", what());
}

/// All scripts of so many flips: the same answer, or both wait, after the same flips.
fn check_scripts<M: Machine>(
    machine: &M,
    plain: impl Fn(&mut Script) -> Result<M::Output, ScriptEnded>,
    length: u32,
    what: impl Fn() -> String,
) where
    M::Output: PartialEq + std::fmt::Debug,
{
    for flips in 0..1u32 << length {
        let script: Vec<bool> = (0..length).map(|place| flips >> place & 1 == 1).collect();
        let (mut fast, mut slow) = (Script::from(script.clone()), Script::from(script));
        let (answer, expected) = (machine.try_sample(&mut fast), plain(&mut slow));
        assert_eq!(answer, expected, "{} on {flips:b}", what());
        assert!(answer.is_err() || fast.position() == slow.position(), "{} on {flips:b}", what());
    }
}

/// The first heads after each number of tails up to `most`, at every place of a word: all that a coin can tell apart.
fn check_runs<M: Machine<Output = bool>>(coin: &M, a: &BigUint, b: &BigUint, most: u32) {
    for tails in 0..=most {
        for before in [0, 1, 29, 63] {
            let mut words = vec![0; 4];
            let first = before + tails;
            words[first as usize / 64] = u64::MAX << (first % 64);
            words.truncate(first as usize / 64 + 1);
            let plain = |bits: &mut Counted<_>| plain_coin(a, b, bits);
            check_words(coin, plain, words, before, || format!("{a}/{b} at {tails} tails"));
        }
    }
}

fn big(n: impl Into<BigUint>) -> BigUint {
    n.into()
}

/// All a/b with b up to `most`.
fn fractions(most: u32) -> impl Iterator<Item = (u32, u32)> {
    (1..=most).flat_map(|b| (0..=b).map(move |a| (a, b)))
}

#[test]
fn small_coins_on_all_short_scripts() {
    for (a, b) in fractions(20) {
        let plain = |bits: &mut Script| plain_coin(&big(a), &big(b), bits);
        let what = || format!("{a}/{b}");
        check_scripts(&Rational::<u32>::new(a, b).unwrap(), plain, 8, what);
        check_scripts(&Rational::<i8>::new(a as i8, b as i8).unwrap(), plain, 8, what);
        check_scripts(&Rational::<u128>::new(a.into(), b.into()).unwrap(), plain, 8, what);
        check_scripts(&Rational::try_from((big(a), big(b))).unwrap(), plain, 8, what);
        check_scripts(&Ratio(a.into(), b.into()), plain, 8, what);
        if a == 1 {
            check_scripts(&OneOver::try_from(u64::from(b)).unwrap(), plain, 8, what);
        }
        if b.is_power_of_two() {
            check_scripts(&Dyadic::new(a.into(), b.ilog2()).unwrap(), plain, 8, what);
        }
    }
}

/// The source's instruction as a machine.
struct Ratio(u64, u64);

impl Machine for Ratio {
    type Output = bool;
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        bits.try_ratio(self.0, self.1)
    }
}

#[test]
fn small_coins_after_long_runs_of_tails() {
    for (a, b) in fractions(24) {
        check_runs(&Rational::<u64>::new(a.into(), b.into()).unwrap(), &big(a), &big(b), 130);
        check_runs(&Ratio(a.into(), b.into()), &big(a), &big(b), 70);
        if a == 1 {
            check_runs(&OneOver::try_from(u64::from(b)).unwrap(), &big(a), &big(b), 130);
        }
    }
}

#[test]
fn coins_of_boundary_denominators() {
    for k in [1u32, 2, 7, 8, 15, 16, 31, 32, 33, 47, 62, 63, 64, 65, 100, 126, 127, 128] {
        let power = BigUint::from(1u8) << k;
        for b in [&power - 1u8, power.clone(), &power + 1u8, &power * 3u8] {
            for a in
                [big(0u8), big(1u8), big(2u8), big(3u8), &b / 3u8, &b / 2u8, &b - 1u8, b.clone()]
                    .into_iter()
                    .filter(|a| *a <= b)
            {
                check_runs(&Rational::try_from((a.clone(), b.clone())).unwrap(), &a, &b, 131);
                if let (Ok(num), Ok(den)) = (u128::try_from(&a), u128::try_from(&b)) {
                    check_runs(&Rational::<u128>::new(num, den).unwrap(), &a, &b, 131);
                }
                if let (Ok(num), Ok(den)) = (u64::try_from(&a), u64::try_from(&b)) {
                    check_runs(&Rational::<u64>::new(num, den).unwrap(), &a, &b, 131);
                    check_runs(&Ratio(num, den), &a, &b, 131);
                    if num == 1 {
                        check_runs(&OneOver::try_from(den).unwrap(), &a, &b, 131);
                    }
                }
            }
        }
    }
    let most = u128::MAX;
    check_runs(&Rational::<u128>::new(most - 1, most).unwrap(), &big(most - 1), &big(most), 131);
    let most = i64::MAX;
    let (a, b) = (big(most as u64 - 1), big(most as u64));
    check_runs(&Rational::<i64>::new(most - 1, most).unwrap(), &a, &b, 131);
}

#[test]
fn dyadic_coins_of_any_length() {
    for m in [1, 5, 32, 63, 64, 65, 100, 131] {
        for a in [1, 3, 5, 1 << 31, u64::MAX, u64::MAX - 4] {
            if let Ok(coin) = Dyadic::new(a, m) {
                check_runs(&coin, &big(a), &(BigUint::from(1u8) << m), 131);
            }
        }
    }
}

#[test]
fn coins_of_the_compiler() {
    fn check<N: Unsigned, D: Unsigned>()
    where
        Fraction<N, D>: Default + Machine<Output = bool>,
    {
        check_runs(&Fraction::<N, D>::default(), &big(N::U64), &big(D::U64), 131);
    }
    check::<consts::U0, U1>();
    check::<U1, U1>();
    check::<U1, U2>();
    check::<U3, U8>();
    check::<U2, U6>();
    check::<U3, U6>();
    check::<U5, U7>();
    check::<consts::U355, consts::U1000>();
    check::<consts::U9223372036854775807, consts::U9223372036854775808>();
}

/// A coin is a machine of one infinite path, so its tree to depth d is d runs: the plain rule has the same leaves.
#[test]
fn trees_are_those_of_the_plain_rule() {
    for (a, b) in fractions(12) {
        let plain = Plain(move |bits: &mut dyn BitSource<Error = ()>| {
            plain_coin(&big(a), &big(b), &mut &mut *bits)
        });
        let (fast, slow) =
            (explore(&Rational::<u8>::new(a as u8, b as u8).unwrap(), 140), explore(&plain, 140));
        assert!(fast.leaves().eq(slow.leaves()), "{a}/{b}");
    }
    for n in 1..=20 {
        let plain =
            Plain(move |bits: &mut dyn BitSource<Error = ()>| plain_die(n, &mut &mut *bits));
        let (fast, slow) = (explore(&Die::new(n).unwrap(), 12), explore(&plain, 12));
        assert!(fast.leaves().eq(slow.leaves()), "die {n}");
    }
}

#[test]
fn small_dice_on_all_short_words() {
    // All strings of 12 flips where a roll has only that many left in its word, and where it has the whole word.
    for n in (1..=70).chain([100, 127, 128, 129, 255, 256, 257, 300, 1000]) {
        let die = Die::new(n).unwrap();
        for flips in 0..1u64 << 12 {
            for (before, words) in [
                (0, vec![flips]),
                (52, vec![flips << 52, !flips]),
                (59, vec![flips << 59, flips >> 5]),
            ] {
                check_words(
                    &die,
                    |bits| plain_die(n, bits),
                    words,
                    before,
                    || format!("die {n} on {flips:b}"),
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn dice_of_all_sizes(
        n in prop_oneof![
            1..=u64::MAX,
            1..=4000u64,
            (1..64u32, -1..=1i64).prop_map(|(k, off)| (1u64 << k).wrapping_add_signed(off).max(1)),
            (0..3u64).prop_map(|off| u64::MAX - off),
        ],
        words in prop::collection::vec(prop_oneof![any::<u64>(), Just(u64::MAX), Just(0)], 1..12),
        before in 0..64u32,
    ) {
        check_words(&Die::new(n).unwrap(), |bits| plain_die(n, bits), words.clone(), before, || format!("die {n}"));
    }

    #[test]
    fn coins_of_all_sizes(
        (a, b) in (0..=128u32, any::<u128>()).prop_flat_map(|(drop, b)| {
            let b = b.checked_shr(drop).unwrap_or(0).max(1);
            (0..=b, Just(b))
        }),
    ) {
        check_runs(&Rational::<u128>::new(a, b).unwrap(), &big(a), &big(b), 131);
    }

    #[test]
    fn one_over_all_sizes(n in prop_oneof![1..=u64::MAX, 1..=u64::from(u32::MAX)]) {
        check_runs(&OneOver::try_from(n).unwrap(), &big(1u8), &big(n), 80);
    }
}

proptest! {
    /// The product of the whole word, in big numbers.
    #[test]
    fn fast_dice_of_all_sizes(
        n in prop_oneof![2..=u64::MAX, 2..=4000u64, (1 << 24) - 9..=(1u64 << 24) + 9, Just(u64::MAX), Just((1 << 63) + 1)],
        words in prop::collection::vec(prop_oneof![any::<u64>(), Just(u64::MAX), Just(0)], 1..6),
        before in 0..64u32,
    ) {
        let width = if n <= 1 << 24 { 32 } else { 64 };
        let plain = |bits: &mut Counted<BitBuffer<Words>>| loop {
            let product = BigUint::from(bits.try_bits(width)?) * n;
            let size = BigUint::from(1u8) << width;
            if &product % &size >= &size % n {
                return Ok(u64::try_from(product / size).unwrap());
            }
        };
        check_words(&FastDie::new(n).unwrap(), plain, words.clone(), before, || format!("die {n}"));
    }
}

#[test]
fn what_a_fast_die_says_of_itself() {
    for n in [
        2u64,
        3,
        6,
        100,
        1 << 20,
        1 << 24,
        (1 << 24) + 1,
        1 << 40,
        1_000_003,
        (1 << 63) + 1,
        u64::MAX,
    ] {
        let die = FastDie::new(n).unwrap();
        let width = if n <= 1 << 24 { 32 } else { 64 };
        let size = BigInt::from(1) << width;
        let cost = BigRational::new(&size * width, &size - (&size % n));
        assert_eq!(die.expected_bits(0), Bracket::exact(cost), "{n}");
        let tail = if n.is_power_of_two() { Tail::Bounded(width) } else { Tail::Exponential };
        assert_eq!(die.tail(), tail);
    }
    let one = FastDie::new(1).unwrap();
    assert_eq!(one.expected_bits(0), Bracket::exact(BigRational::new(0.into(), 1.into())));
    assert_eq!(one.try_sample(&mut Script::from_str("").unwrap()), Ok(0));
    assert_eq!(FastDie::new(0), Err(ZeroSides));
    // A source that answers ratios is asked for the roll itself.
    let rolls = explore_weighted(&FastDie::new(6).unwrap(), 1);
    assert!((0..6).all(|side| rolls.mass(&side) == BigRational::new(1.into(), 6.into())));
}

#[test]
fn what_only_the_compiler_knows_has_no_size() {
    let third = Fraction::<U1, U3>::new();
    let quarter = Fraction::<U1, U4>::new();
    assert_eq!(size_of_val(&third.then(quarter).or_else(Fair.not()).xor(Fair)), 0);
    assert_eq!(size_of_val(&third.mix(quarter.run(), Fair.run())), 0);
    assert_eq!(size_of_val(&third.zip(quarter).array::<7>()), 0);
    assert_eq!(size_of_val(&parity_of_run(OneOver::new).parity_of_run()), 0);
    assert_eq!(size_of_val(&parity_of_run(|n: NonZeroU64| OneOver::new(n).then(Fair))), 0);
    let von_neumann = third.zip(third).map(|(a, b)| (a != b).then_some(a)).retry();
    assert_eq!(size_of_val(&von_neumann.condition(|&heads| heads)), 0);
}

/// A ratio of zero decides wherever it stands, also where it is multiplied into another coin than the first.
#[test]
fn certain_products_draw_nothing() {
    let top = u64::MAX;
    let none = || Script::from_str("").unwrap();
    for place in 0..4 {
        let mut ratios = [(top - 1, top); 4];
        ratios[place] = (0, top);
        let coin = Ratios::new(ratios).unwrap();
        let nothing = Bracket::exact(BigRational::new(0.into(), 1.into()));
        assert_eq!(coin.try_flip(&mut none()), Ok(false), "{place}");
        assert_eq!((coin.expected_bits(1), coin.tail()), (nothing, Tail::Bounded(0)));
        // In a family the first coin may be zero, or all of them.
        for (a, b) in [(0, 0), (1, 0)] {
            let mut ratios = [((top - 1, top - 1), (top, top)); 4];
            ratios[place] = ((a, b), (top, top));
            ratios[(place + 1) % 4] = ((top, 0), (top, top));
            let family = Hypergeometric::new(ratios).unwrap();
            let numbers = if a == 0 { 1..4 } else { 1..2u64 };
            for n in numbers {
                let coin = family.coin(NonZeroU64::new(n).unwrap());
                assert_eq!(coin.try_flip(&mut none()), Ok(false), "{place} {a} {n}");
            }
        }
    }
    assert_eq!(Ratios::new([(top, top); 4]).unwrap().try_flip(&mut none()), Ok(true));
}

/// What `Counted` counts over the samples of a seed is what the law expects, within six standard deviations.
#[allow(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "a mean and its deviation")]
fn counted_is_expected<M: KnownLaw>(name: &str, machine: M) {
    const SAMPLES: u32 = 100_000;
    let mut bits = Counted::new(BitBuffer::new(rand::rngs::StdRng::seed_from_u64(12)));
    let (mut before, mut sum, mut squares) = (0, 0f64, 0f64);
    for _ in 0..SAMPLES {
        machine.sample(&mut bits);
        let taken = (bits.count() - before) as f64;
        before = bits.count();
        sum += taken;
        squares += taken * taken;
    }
    let expected = machine.expected_bits(30);
    let expected = num_traits::ToPrimitive::to_f64(expected.low()).unwrap();
    let mean = sum / f64::from(SAMPLES);
    let deviation =
        ((squares / f64::from(SAMPLES) - mean * mean) / f64::from(SAMPLES)).max(0.0).sqrt();
    assert!((mean - expected).abs() <= 6.0 * deviation + 1e-5, "{name}: {mean} for {expected}");
}

#[test]
fn what_is_counted_is_what_the_laws_expect() {
    let coin = |num, den| Rational::<u64>::new(num, den).unwrap();
    let weights = |n: u64| (0..n).map(|i| i * i % 97 + 1).collect::<Vec<_>>();
    counted_is_expected("1/3", coin(1, 3));
    counted_is_expected("a wide coin", coin(1 << 62, u64::MAX));
    counted_is_expected("3/8", Dyadic::new(3, 3).unwrap());
    counted_is_expected("1/2", coin(1, 2));
    counted_is_expected("1/5", OneOver::try_from(5).unwrap());
    counted_is_expected("2/7", Fraction::<U2, U7>::new());
    counted_is_expected("1/e", parity_of_run(Reciprocals));
    counted_is_expected("1/e, compiled", parity_of_run(Reciprocals).compile().unwrap());
    counted_is_expected("a mixture", coin(1, 3).mix(coin(2, 5).run(), Die::new(6).unwrap()));
    counted_is_expected("a power", coin(9, 10).power(7));
    for n in [6, 100, 1_000_003] {
        counted_is_expected("a die", Die::new(n).unwrap());
        counted_is_expected("a fast die", FastDie::new(n).unwrap());
    }
    for n in [3, 100, 1000] {
        let chooser = Weighted::new(weights(n)).unwrap();
        counted_is_expected("a chooser", &chooser);
        counted_is_expected("an alias", Alias::new(weights(n)).unwrap());
        if n <= 100 {
            counted_is_expected("a compiled chooser", chooser.compile().unwrap());
        }
    }
}
