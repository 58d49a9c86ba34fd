//! The recycler: exact joint laws over several answers, errors, pinned answers, and the fair bits that it draws.
#![cfg(feature = "exact")]
#![allow(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "entropies, to compare counts with"
)]

use buffon::combinators::Halted;
use buffon::{
    Alias, BitBuffer, BitSource, Coin, Counted, Die, KnownLaw, Machine, OneOver, Rational,
    Reciprocals, Recycler, Script, Weighted, explore, explore_weighted, from_fn, parity_of_run,
};
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rand::{SeedableRng, rngs::SmallRng};

/// A question to a source; each has an answer below `sides`.
#[derive(Clone, Copy, Debug)]
enum Ask {
    Ratio(u64, u64),
    Below(u64),
    Bit,
    Bits(u32),
}
use Ask::{Below, Bit, Bits, Ratio};

impl Ask {
    fn of<B: BitSource + ?Sized>(self, bits: &mut B) -> Result<u64, B::Error> {
        match self {
            Ratio(num, den) => bits.try_ratio(num, den).map(u64::from),
            Below(n) => bits.try_below(n),
            Bit => bits.try_bit().map(u64::from),
            Bits(n) => bits.try_bits(n),
        }
    }

    fn probability(self, answer: u64) -> BigRational {
        let q = |num: u64, den: u64| BigRational::new(num.into(), den.into());
        match self {
            Ratio(num, den) if num >= den => q(answer, 1),
            Ratio(num, den) if answer == 1 => q(num, den),
            Ratio(num, den) => q(den - num, den),
            Below(n) => q(1, n.max(1)),
            Bit => q(1, 2),
            Bits(n) => q(1, 1 << n),
        }
    }

    fn answers(self) -> u64 {
        match self {
            Ratio(..) | Bit => 2,
            Below(n) => n.max(1),
            Bits(n) => 1 << n,
        }
    }
}

/// All lists of answers to the questions.
fn lists(asked: &[Ask]) -> Vec<Vec<u64>> {
    asked.iter().fold(vec![vec![]], |lists, ask| {
        let longer = |list: Vec<u64>| (0..ask.answers()).map(move |a| [&list[..], &[a]].concat());
        lists.into_iter().flat_map(longer).collect()
    })
}

/// Proves that the answers on all strings of `depth` fair bits have the product law, to the open mass.
fn assert_product(
    asked: &[Ask],
    machine: &impl Machine<Output = Vec<u64>>,
    depth: u32,
    most_open: f64,
) {
    let tree = explore(machine, depth);
    assert!(tree.is_reproducible());
    let open = tree.open();
    let mut sum = open.clone();
    for list in lists(asked) {
        let mass = tree.mass(&list);
        let steps = asked.iter().zip(&list);
        let p: BigRational = steps.fold(BigRational::one(), |p, (ask, &a)| p * ask.probability(a));
        assert!(mass <= p && p <= &mass + &open, "{asked:?} {list:?}: {mass} {p} {open}");
        sum += mass;
    }
    assert!(sum.is_one(), "{asked:?}: an answer that is none");
    let one_in = BigRational::from_float(most_open).unwrap();
    assert!(open <= one_in, "{asked:?}: {open} is too much to say anything");
}

fn recycled(s: u32, asked: &[Ask]) -> impl Machine<Output = Vec<u64>> {
    from_fn(move |bits| {
        let mut bits = Recycler::with_state_bits(bits, s);
        asked.iter().map(|ask| ask.of(&mut bits)).collect()
    })
}

#[test]
fn answers_have_the_product_law() {
    let triples = [
        [Ratio(1, 3), Ratio(1, 3), Ratio(1, 3)],
        [Ratio(2, 5), Below(3), Ratio(1, 7)],
        [Below(3), Below(3), Below(3)],
        [Below(6), Ratio(1, 2), Below(5)],
        [Below(2), Bit, Ratio(5, 6)],
        [Ratio(1, 3), Bits(2), Below(3)],
        [Below(4), Ratio(3, 4), Below(2)],
        // More sides than a small state has cases.
        [Below(11), Ratio(1, 3), Below(9)],
        [Below(17), Below(3), Ratio(1, 100)],
        [Ratio(12, 13), Below(1), Ratio(0, 5)],
        [Ratio(7, 5), Below(0), Ratio(99, 100)],
    ];
    for asked in triples {
        for s in [4, 5, 6, 8] {
            assert_product(&asked, &recycled(s, &asked), 17, 0.07);
        }
    }
}

#[test]
fn the_law_of_a_pair_closes_with_the_depth() {
    for (s, depth, open) in [(4, 21, 2e-4), (7, 20, 2e-3), (10, 19, 2e-2)] {
        for asked in [[Ratio(1, 3), Below(6)], [Below(5), Below(7)], [Below(9), Ratio(3, 11)]] {
            assert_product(&asked, &recycled(s, &asked), depth, open);
        }
    }
}

#[test]
fn many_rolls_at_once_have_the_product_law() {
    for (n, places) in [(3, 3), (2, 4), (5, 2), (0, 2), (1, 2), (13, 1)] {
        let asked = vec![Below(n); places];
        for s in [4, 6, 8, 12] {
            let filled = from_fn(move |bits| {
                let mut rolls = vec![u64::MAX; places];
                Recycler::with_state_bits(bits, s).try_fill_below(n, &mut rolls)?;
                Ok(rolls)
            });
            assert_product(&asked, &filled, 18, 0.05);
        }
    }
}

#[test]
fn rolls_at_once_are_the_digits_of_one_roll() {
    // The same state answers a roll of n^k sides and k rolls at once: one is the other in base n.
    let recycler = |seed| Recycler::new(BitBuffer::new(SmallRng::seed_from_u64(seed)));
    for (n, k) in [(6u64, 12u32), (2, 31), (3, 20), (1625, 2), (65535, 2), (10, 9), (255, 4)] {
        for seed in 0..200 {
            let mut rolls = vec![0; k as usize];
            recycler(seed).fill_below(n, &mut rolls);
            let number = rolls.iter().fold(0, |number, roll| number * n + roll);
            assert_eq!(Ok(number), recycler(seed).try_below(n.pow(k)), "{n}^{k}");
        }
    }
    // What does not fit into a block of 32 bits is rolled one by one.
    let mut rolls = [0; 3];
    recycler(1).fill_below(u64::MAX, &mut rolls);
    let mut singly = recycler(1);
    assert_eq!(rolls.map(Ok), [0; 3].map(|_| singly.try_below(u64::MAX)));
}

/// A source that fails instead of each flip whose bit is set in `failures`, lowest first.
struct Flaky<'a, B: ?Sized> {
    bits: &'a mut B,
    failures: u32,
}

impl<B: BitSource + ?Sized> BitSource for Flaky<'_, B> {
    type Error = Option<B::Error>;

    fn try_bit(&mut self) -> Result<bool, Self::Error> {
        let fails = self.failures & 1 == 1;
        self.failures >>= 1;
        if fails { Err(None) } else { self.bits.try_bit().map_err(Some) }
    }
}

#[test]
fn an_error_leaves_the_state_uniform() {
    // Questions are asked and dropped until the source has failed for the last time. That a question failed may tell
    // what the state was (only an undecided coin draws flips of its own), but not what it is now.
    for failures in [0b1000u32, 0b1_0000, 0b10_0100, 0b101_0000, 0b1_0010_0000] {
        for dropped in [Ratio(1, 3), Ratio(3, 5), Below(5), Below(9)] {
            let asked = [Ratio(1, 5), Below(3)];
            for s in [4, 6] {
                let machine = from_fn(move |bits: &mut dyn BitSource<Error = Halted>| {
                    let mut source = Recycler::with_state_bits(Flaky { bits, failures }, s);
                    while source.source().failures > 0 {
                        if let Err(Some(halted)) = dropped.of(&mut source) {
                            return Err(halted);
                        }
                    }
                    let answers = asked.iter().map(|ask| ask.of(&mut source));
                    answers.map(|answer| answer.map_err(Option::unwrap)).collect()
                });
                assert_product(&asked, &machine, 17, 0.1);
            }
        }
    }
}

#[test]
fn pinned_answers() {
    // Seven flips fill a state of eight bits: HHTTHTH is 1 + 2 + 16 + 64 = 83 of 128, the first flip lowest.
    let mut bits = Recycler::with_state_bits(Script::from_str("HHTTHTHTTHTTTTTTTH").unwrap(), 8);
    assert_eq!(bits.try_ratio(1, 3), Ok(false)); // 83 >= 42 + 2: the state is 39 of 84
    assert_eq!(bits.cases(), 84);
    assert_eq!(bits.try_below(6), Ok(3)); // 39 = 6·6 + 3: 6 of 14
    assert_eq!(bits.cases(), 14);
    // 14 cases are less than 16: TTHT makes it 6·16 + 4 = 100 of 224.
    assert_eq!(bits.try_ratio(3, 7), Ok(false)); // 224·3/7 rounds to 95, and 100 >= 95 + 2: 3 of 127
    assert_eq!(bits.cases(), 127);
    // 127/42 rounds to 3, and 3 and 4 are the cases between: heads with (127/42 − 3)/2 = 1/84, which is 0.0000001… in
    // binary: TTTTTTH.
    assert_eq!(bits.try_ratio(1, 42), Ok(true));
    assert_eq!(bits.cases(), 1);
    assert_eq!(bits.into_inner().try_bit(), Err(buffon::ScriptEnded));
}

#[test]
fn certain_answers_cost_nothing_and_bits_pass_through() {
    let mut bits = Recycler::new(Script::from_str("THHTTH").unwrap());
    assert_eq!(bits.try_ratio(0, 3), Ok(false));
    assert_eq!(bits.try_ratio(3, 3), Ok(true));
    assert_eq!(bits.try_ratio(0, 0), Ok(true));
    assert_eq!(bits.try_ratio(u64::MAX, 1), Ok(true));
    assert_eq!(bits.try_below(0), Ok(0));
    assert_eq!(bits.try_below(1), Ok(0));
    assert_eq!(bits.cases(), 1);
    assert_eq!(bits.try_bit(), Ok(false));
    assert_eq!(bits.try_bits(2), Ok(3));
    assert_eq!(bits.try_tails(), Ok(2));
    assert!(bits.answers_ratios());
    assert_eq!(format!("{bits:?}"), "Recycler { .. }");
}

#[test]
fn state_bits_outside_are_the_nearest() {
    for (s, flips) in [(0, 3), (4, 3), (5, 4), (64, 63), (65, 63), (u32::MAX, 63)] {
        let mut bits =
            Recycler::with_state_bits(Counted::new(BitBuffer::new(SmallRng::seed_from_u64(1))), s);
        assert!(bits.try_ratio(1, 2).is_ok());
        assert_eq!(bits.source().count(), flips, "{s}");
    }
}

#[test]
fn compositions_keep_their_law() {
    let inverse_e = from_fn(|bits| {
        parity_of_run(OneOver::new).try_flip(&mut Recycler::with_state_bits(bits, 8))
    });
    let tree = explore(&inverse_e, 18);
    let (low, high) = (tree.mass(&true), tree.mass(&true) + tree.open());
    // 1/e = 0.36787944117…
    let q = |a: u64| BigRational::new(a.into(), 100_000_000_000u64.into());
    assert!(low < q(36_787_944_118) && high > q(36_787_944_117));
    assert!(high - low < q(1_000_000_000));
    assert!(!tree.open().is_zero());
}

type Seeded = Recycler<Counted<BitBuffer<SmallRng>>>;

fn seeded(seed: u64) -> Seeded {
    Recycler::new(Counted::new(BitBuffer::new(SmallRng::seed_from_u64(seed))))
}

/// Asks a million times; bits drawn for an answer, and the information of an answer, −log2 of its probability, on average.
///
/// Asserts that nothing is lost: the bits drawn are the information of all answers, and the entropy still in the state.
fn rate(seed: u64, ask: impl Fn(&mut Seeded) -> f64) -> (f64, f64) {
    rate_of(1_000_000, seed, ask)
}

/// The same for so many answers.
fn rate_of(answers: u32, seed: u64, ask: impl Fn(&mut Seeded) -> f64) -> (f64, f64) {
    let mut bits = seeded(seed);
    let information: f64 = (0..answers).map(|_| ask(&mut bits)).sum();
    let drawn = bits.source().count() as f64;
    let lost = drawn - (bits.cases() as f64).log2() - information;
    // A coin loses 4e-8 at most, a die 1.6e-6; the rest is for the rounding of a million logarithms.
    assert!(lost.abs() < 2.0, "{lost} bits lost, seed {seed}");
    (drawn / f64::from(answers), information / f64::from(answers))
}

fn assert_rate((drawn, _): (f64, f64), entropy: f64) {
    assert!((drawn / entropy - 1.0).abs() < 1e-3, "{drawn} for {entropy}");
}

fn entropy(p: f64) -> f64 {
    -p * p.log2() - (1.0 - p) * (1.0 - p).log2()
}

#[test]
fn coins_cost_their_entropy() {
    let two_63 = 1u64 << 63;
    for (seed, (num, den)) in [
        (1, 3),
        (1, 2),
        (2, 5),
        (1, 1000),
        (3_602_879_701_896_397, 1 << 55),
        (two_63, u64::MAX),
        (1, u64::MAX),
    ]
    .into_iter()
    .enumerate()
    {
        let coin = Rational::<u64>::new(num, den).unwrap();
        let p = num as f64 / den as f64;
        let (heads, tails) = (-p.log2(), -(1.0 - p).log2());
        let rate = rate(seed as u64, |bits| if coin.flip(bits) { heads } else { tails });
        if p > 0.1 {
            assert_rate(rate, entropy(p));
        }
        if den == 3 {
            assert!(rate.0 <= 0.919, "{rate:?}");
        }
    }
}

#[test]
fn dice_cost_their_entropy() {
    for n in [
        2,
        3,
        6,
        100,
        257,
        1_000_003,
        u64::from(u32::MAX),
        (1 << 32) + 1,
        u64::MAX / 3 * 2,
        u64::MAX,
    ] {
        let die = Die::new(n).unwrap();
        let information = (n as f64).log2();
        let rate = rate(n, |bits| {
            assert!(die.sample(bits) < n);
            information
        });
        assert_rate(rate, information);
        if n == 6 {
            assert!(rate.0 <= 2.586, "{rate:?}");
        }
    }
}

#[test]
fn rolls_at_once_cost_their_entropy() {
    let mut bits = seeded(3);
    let mut rolls = vec![0; 1_000_000];
    bits.fill_below(6, &mut rolls);
    let drawn = bits.source().count() as f64 / 1e6;
    assert!((drawn / 6f64.log2() - 1.0).abs() < 1e-4 && drawn <= 2.586, "{drawn}");
    // A chi-squared of 5 degrees, which is above 34 once in 400 000 seeds.
    let mut counts = [0f64; 6];
    rolls.iter().for_each(|&roll| counts[usize::try_from(roll).unwrap()] += 1.0);
    let expected = 1e6 / 6.0;
    assert!(counts.iter().map(|n| (n - expected).powi(2) / expected).sum::<f64>() < 34.0);
}

#[test]
fn a_mixture_costs_the_entropy_of_its_parts() {
    let (third, tenth) =
        (Rational::<u64>::new(1, 3).unwrap(), Rational::<u64>::from_f64(0.1).unwrap());
    let (six, many) = (Die::new(6).unwrap(), Die::new(1_000_003).unwrap());
    let p = [1.0 / 3.0, 0.1f64];
    let information = |p: f64, heads: bool| -(if heads { p } else { 1.0 - p }).log2();
    rate(9, |bits| {
        let first = third.flip(bits);
        let second = if first { six.sample(bits) % 2 == 0 } else { many.sample(bits) % 2 == 0 };
        let third = second && tenth.flip(bits);
        information(p[0], first)
            + if first { 6f64.log2() } else { 1_000_003f64.log2() }
            + if second { information(p[1], third) } else { 0.0 }
    });
}

#[test]
fn choosers_cost_their_entropy() {
    for (seed, weights) in [
        vec![1u128, 2, 3],
        vec![1, 1 << 40],
        (0..100).map(|i| i * i % 37).collect(),
        vec![u128::from(u64::MAX / 3), 5, u128::from(u64::MAX / 2)],
        // Their sum is above 2^64, and their halves too.
        vec![1 << 100, 3 << 99, 5, u128::MAX / 3, 1 << 125],
    ]
    .into_iter()
    .enumerate()
    {
        let chooser = Weighted::new(&weights).unwrap();
        let total = chooser.total() as f64;
        let information: Vec<_> =
            chooser.weights().map(|weight| -(weight as f64 / total).log2()).collect();
        let lossless = |seed, sample: &dyn Fn(&mut Seeded) -> usize| {
            rate(seed, |bits| information[sample(bits)]);
        };
        lossless(seed as u64, &|bits| chooser.sample(bits));
        let alias = Alias::new(&weights).unwrap();
        lossless(seed as u64 + 10, &|bits| alias.sample(bits));
        let compiled = chooser.clone().compile().unwrap();
        lossless(seed as u64 + 20, &|bits| compiled.sample(bits));
    }
}

#[test]
fn compiled_coins_cost_their_entropy() {
    let inverse_e = parity_of_run(Reciprocals).compile().unwrap();
    let p = (-1f64).exp();
    let (heads, tails) = (-p.log2(), -(1.0 - p).log2());
    let rate = rate(7, |bits| if inverse_e.flip(bits) { heads } else { tails });
    assert_rate(rate, entropy(p));
}

#[test]
fn coins_of_more_than_64_bits_cost_their_entropy() {
    fn assert_lossless(answers: u32, coin: impl Machine<Output = bool>, p: f64) {
        rate_of(
            answers,
            5,
            |bits| if coin.sample(bits) { -p.log2() } else { -(-p).ln_1p() / 2f64.ln() },
        );
    }
    // The first is a/2^86.
    assert_lossless(1_000_000, Rational::<u64>::from_f64(1e-10).unwrap(), 1e-10);
    assert_lossless(1_000_000, Rational::<u64>::from_f64(0.0001).unwrap(), 0.0001);
    assert_lossless(1_000_000, Rational::<u128>::new(u128::MAX / 3, u128::MAX).unwrap(), 1.0 / 3.0);
    let large = BigUint::from(3u32).pow(100);
    let coin = Rational::<BigUint>::new(&large * 2u32, &large * 7u32).unwrap();
    assert_lossless(100_000, coin, 2.0 / 7.0);
}

fn is_power_of_two(n: &BigUint) -> bool {
    n.count_ones() == 1
}

#[test]
fn coins_of_more_than_64_bits_are_exact() {
    let wide = |num: u128, den: u128| {
        let coin = Rational::<u128>::new(num, den).unwrap();
        (coin, BigRational::new(num.into(), den.into()))
    };
    for (coin, p) in [
        wide(1, u128::MAX),
        wide(u128::MAX - 1, u128::MAX),
        wide(u128::MAX / 3 + 1, u128::MAX),
        wide(1, 1 << 127),
        wide((1 << 64) + 1, 1 << 65),
        wide(3 << 70, 5 << 70),
    ] {
        // Two questions for 32 digits: after twelve of them the open mass is 2^-192, of a dyadic number nothing.
        let tree = explore_weighted(&coin, 12);
        let mass = tree.mass(&true);
        assert!(mass <= p && p <= &mass + tree.open());
        let digits = BigRational::new(1.into(), num_bigint::BigInt::from(1) << 192);
        assert!(*tree.open() <= digits);
        assert!(!is_power_of_two(p.denom().magnitude()) || (tree.open().is_zero() && mass == p));
    }
    // In fair bits, over a small recycler.
    let machine = from_fn(|bits| {
        let coin = Rational::<u128>::new(u128::MAX / 3, u128::MAX).unwrap();
        let mut bits = Recycler::with_state_bits(bits, 8);
        Ok(vec![coin.try_flip(&mut bits)?.into(), bits.try_below(3)?])
    });
    assert_product(&[Ratio(1, 3), Below(3)], &machine, 18, 0.02);
}
