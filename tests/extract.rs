//! Fair bits and fair dice from a coin of unknown bias, proved for every bias at once.
#![cfg(feature = "exact")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::iter;

use buffon::explore::{Letter, Polynomial, explore_letters};
use buffon::{
    Always, BitBuffer, BitSource, BlockError, Coin, Counted, Die, Dyadic, Elias, External, Fair,
    FlipsEnded, KnownLaw, LawError, Machine, OneHead, OneOver, Peres, Rational, Roulette, Script,
    Tail, VonNeumann, Weighted, ZeroSides, parity_of_run,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Pow, Zero};
use rand::{SeedableRng, rngs::StdRng};

fn q(num: impl Into<BigInt>, den: impl Into<BigInt>) -> BigRational {
    BigRational::new(num.into(), den.into())
}

/// The three sources.
#[derive(Clone, Copy, Debug)]
enum Source {
    VonNeumann,
    Elias(usize),
    Peres(u32, usize),
}

/// What each of these sources is, as one type.
struct Any<'a>(Box<dyn BitSource<Error = FlipsEnded> + 'a>);

impl BitSource for Any<'_> {
    type Error = FlipsEnded;

    fn try_bit(&mut self) -> Result<bool, FlipsEnded> {
        self.0.try_bit()
    }
}

impl Source {
    fn over<'a>(self, flips: impl Iterator<Item = bool> + 'a) -> Any<'a> {
        Any(match self {
            Self::VonNeumann => Box::new(VonNeumann::new(flips)),
            Self::Elias(block) => Box::new(Elias::new(flips, block).unwrap()),
            Self::Peres(depth, block) => Box::new(Peres::new(flips, depth, block).unwrap()),
        })
    }

    /// All that the source makes of these flips.
    fn bits(self, flips: &[bool]) -> Vec<bool> {
        let mut source = self.over(flips.iter().copied());
        iter::from_fn(|| source.try_bit().ok()).collect()
    }
}

/// A machine that runs on what a source makes of the flips of a coin.
struct Over<M> {
    machine: M,
    source: Source,
    coin: Letter,
}

impl<M: Machine> Machine for Over<M> {
    type Output = M::Output;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<M::Output, B::Error> {
        let failed = RefCell::new(None);
        let flips = iter::from_fn(|| {
            let flip = self.coin.try_flip(bits);
            flip.map_err(|error| *failed.borrow_mut() = Some(error)).ok()
        });
        let answer = self.machine.try_sample(&mut self.source.over(flips));
        answer.map_err(|FlipsEnded| failed.borrow_mut().take().unwrap())
    }
}

/// Proves for all p that the machine has its own law on that source, to the open mass, which is small for p = 1/2.
fn assert_law<M>(
    machine: &M,
    source: Source,
    depth: u32,
    law: &[(M::Output, u32, u32)],
    most_open: BigRational,
) where
    M: Machine<Output: Clone + PartialEq>,
{
    let lettered = explore_letters(|[coin]| Over { machine, source, coin }, depth);
    for (answer, num, den) in law {
        let [num, den] = [num, den].map(|&n| Polynomial::from(i64::from(n)));
        assert!(lettered.proves(answer, &num, &den).is_ok(), "{source:?}");
    }
    let open = lettered.open().at(&[q(1, 2)]);
    assert!(open <= most_open, "{source:?}: {open}");
}

const SOURCES: [Source; 7] = [
    Source::VonNeumann,
    Source::Elias(2),
    Source::Elias(4),
    Source::Elias(5),
    Source::Peres(1, 4),
    Source::Peres(2, 4),
    Source::Peres(3, 8),
];

#[test]
fn every_machine_runs_on_an_unfair_coin() {
    for source in SOURCES {
        let open = |source| if matches!(source, Source::Peres(3, _)) { q(1, 2) } else { q(1, 3) };
        let two: Vec<_> = [[false, false], [false, true], [true, false], [true, true]]
            .into_iter()
            .map(|pair| (pair, 1, 4))
            .collect();
        assert_law(&Fair.array::<2>(), source, 16, &two, open(source));
        assert_law(&Die::new(3).unwrap(), source, 16, &[(0, 1, 3), (1, 1, 3), (2, 1, 3)], q(1, 2));
        let third = Rational::<u64>::new(1, 3).unwrap();
        assert_law(&third, source, 16, &[(true, 1, 3), (false, 2, 3)], q(1, 2));
        let chooser = Weighted::new([1, 9, 6]).unwrap();
        assert_law(&chooser, source, 16, &[(0, 1, 16), (1, 9, 16), (2, 6, 16)], q(1, 2));
        let mixed = third.mix(Die::new(2).unwrap(), Die::new(4).unwrap().map(|side| side / 3));
        assert_law(&mixed, source, 16, &[(0, 2, 3), (1, 1, 3)], q(3, 4));
    }
}

#[test]
fn an_irrational_coin_runs_on_an_unfair_coin() {
    let source = Source::VonNeumann;
    let machine = parity_of_run(OneOver::new);
    let lettered = explore_letters(|[coin]| Over { machine, source, coin }, 20);
    for p in [q(1, 2), q(1, 3), q(9, 10)] {
        let low = lettered.polynomial(&true).at(std::array::from_ref(&p));
        let high = &low + lettered.open().at(&[p]);
        assert!(low <= q(36_787_944, 100_000_000) && q(36_787_945, 100_000_000) <= high);
    }
}

/// All blocks of n flips.
fn blocks(n: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1u32 << n).map(move |word| (0..n).map(|place| word >> place & 1 == 1).collect())
}

/// p^heads·q^tails.
fn weight(block: &[bool], p: &BigRational) -> BigRational {
    block.iter().map(|&heads| if heads { p.clone() } else { BigRational::one() - p }).product()
}

#[test]
fn given_their_number_the_bits_of_a_block_are_fair() {
    // For every number of heads, and so for every p: of the blocks that give so many bits, as many give each string.
    let mut sources = vec![];
    for n in 2..=11 {
        sources.push((Source::Elias(n), n));
        sources.extend((1..=4).map(|depth| (Source::Peres(depth, n), n)));
        sources.push((Source::VonNeumann, n));
    }
    for (source, n) in sources {
        let mut strings = BTreeMap::<_, BTreeMap<Vec<bool>, u32>>::new();
        for block in blocks(n) {
            let bits = source.bits(&block);
            let heads = block.iter().filter(|&&heads| heads).count();
            *strings.entry((heads, bits.len())).or_default().entry(bits).or_default() += 1;
        }
        for ((heads, length), counts) in strings {
            assert_eq!(counts.len(), 1 << length, "{source:?} {heads}");
            let least = counts.values().min();
            assert!(counts.values().all(|count| Some(count) == least), "{source:?} {heads}");
        }
    }
}

/// The expected bits of a block of n flips by Peres' rule, from the laws of the lists: the flips that are not unlike are a
/// binomial number.
fn peres_block(depth: u32, n: usize, p: &BigRational) -> BigRational {
    let pairs = n / 2;
    if depth == 0 || pairs == 0 {
        return BigRational::zero();
    }
    let unlike = q(2, 1) * p * (BigRational::one() - p);
    let like = BigRational::one() - &unlike;
    let mut sum = q(pairs as u64, 1) * &unlike + peres_block(depth - 1, pairs, &unlike);
    let mut choices = BigInt::one();
    for alike in 0..=pairs {
        let chance =
            q(choices.clone(), 1) * Pow::pow(&like, alike) * Pow::pow(&unlike, pairs - alike);
        sum += chance * peres_block(depth - 1, alike, &(p * p / &like));
        choices = choices * (pairs - alike) / (alike + 1);
    }
    sum
}

#[test]
fn the_expected_bits_of_a_block_are_exact() {
    for p in [q(1, 2), q(3, 4), q(1, 5)] {
        for n in 2..=9 {
            let expected = |source: Source| -> BigRational {
                let bits =
                    |block: Vec<bool>| weight(&block, &p) * q(source.bits(&block).len() as u64, 1);
                blocks(n).map(bits).sum()
            };
            let rate = Elias::new(iter::empty::<bool>(), n).unwrap().rate(&p);
            assert_eq!(expected(Source::Elias(n)), rate * q(n as u64, 1));
            for depth in 1..=4 {
                let block = expected(Source::Peres(depth, n));
                assert_eq!(block, peres_block(depth, n, &p), "{depth} {n}");
                // Long blocks do better, and no block of n flips better than Elias'.
                let long = Peres::new(iter::empty::<bool>(), depth, n).unwrap().rate(&p);
                assert!(block <= long * q(n as u64, 1));
                assert!(block <= expected(Source::Elias(n)));
            }
        }
    }
}

#[test]
fn the_rates_of_peres_are_those_of_the_literature() {
    let rate =
        |depth, p: &BigRational| Peres::new(iter::empty::<bool>(), depth, 2).unwrap().rate(p);
    let near = |rate: BigRational, figure: u32, digits: u32| {
        // Rounded to so many digits.
        let scale = q(10u64.pow(digits), 1);
        assert_eq!((rate * scale).round(), q(figure, 1));
    };
    for (depth, figure) in [(1, 1875), (2, 3328), (3, 4455), (5, 5988), (8, 7184)] {
        near(rate(depth, &q(3, 4)), figure, 4);
    }
    for (depth, figure) in [(3, 578), (5, 763), (8, 900)] {
        near(rate(depth, &q(1, 2)), figure, 3);
    }
    assert_eq!(rate(3, &q(3, 4)), rate(3, &q(1, 4)));
    assert_eq!(rate(1, &q(1, 2)), q(1, 4));
    assert_eq!(rate(2, &q(1, 2)), q(7, 16));
    assert_eq!(rate(1, &q(3, 4)), q(3, 16));
    assert!(rate(8, &q(0, 1)).is_zero() && rate(8, &q(1, 1)).is_zero());
}

#[test]
fn the_rate_of_elias_grows_to_the_entropy() {
    let rate =
        |n: u64| Elias::new(iter::empty::<bool>(), n.try_into().unwrap()).unwrap().rate(&q(1, 2));
    assert_eq!(rate(2), q(1, 4));
    for log in [3u32, 6, 8, 10] {
        let n = 1u64 << log;
        // H(1/2) = 1, and log2(n + 1) < log + 1 in the bound that the documentation states.
        assert!(rate(n) < q(1, 1) && rate(n) > q(1, 1) - q(log + 3, n));
    }
    assert!(rate(64) > q(91, 100) && rate(64) < q(92, 100) && rate(1024) > q(99, 100));
    assert!(Elias::new(iter::empty::<bool>(), 9).unwrap().rate(&q(1, 1)).is_zero());
}

fn flips(text: &str) -> impl Iterator<Item = bool> + Clone + '_ {
    text.chars().map(|c| c == 'H')
}

#[test]
fn pinned_bits() {
    let text =
        |bits: Vec<bool>| -> String { bits.iter().map(|&b| if b { 'H' } else { 'T' }).collect() };
    let of = |source: Source, input: &str| text(source.bits(&flips(input).collect::<Vec<_>>()));
    assert_eq!(of(Source::VonNeumann, "HTTHHHTTTHH"), "HTT");
    assert_eq!(of(Source::VonNeumann, "THTH"), "TT");
    // Pairs HT TH HH TT: bits HT, unlike HHTT, like HT. The first list gives nothing, the second H.
    assert_eq!(of(Source::Peres(2, 8), "HTTHHHTT"), "HTH");
    // To depth 3 the unlike pairs of the list HHTT are none (TT), its like flips are HT.
    assert_eq!(of(Source::Peres(3, 8), "HTTHHHTT"), "HTHH");
    // Numbers 0 to 5 of HHTT, HTHT, THHT, HTTH, THTH, TTHH: four of them are two bits, lowest first, and two are one.
    for (block, bits) in [
        ("HHTT", "TT"),
        ("HTHT", "HT"),
        ("THHT", "TH"),
        ("HTTH", "HH"),
        ("THTH", "T"),
        ("TTHH", "H"),
        ("HHHH", ""),
    ] {
        assert_eq!(of(Source::Elias(4), block), bits, "{block}");
    }
}

#[test]
fn a_coin_that_is_certain_gives_nothing() {
    for source in SOURCES {
        for side in [false, true] {
            assert_eq!(source.over(iter::repeat_n(side, 1000)).try_bit(), Err(FlipsEnded));
        }
    }
}

#[test]
fn flips_that_come_later_go_on_where_the_others_ended() {
    for source in SOURCES {
        for cut in 0..24 {
            let all: Vec<_> = flips("HTHHTHTTTHTHHTTTHTHTTHHT").collect();
            // An iterator that ends once, after `cut` flips, and then goes on.
            let mut pause = Some(cut);
            let (mut left, mut at) = (all.clone().into_iter(), 0);
            let flips = iter::from_fn(|| {
                if pause == Some(at) {
                    pause = None;
                    return None;
                }
                at += 1;
                left.next()
            });
            let mut bits = source.over(flips);
            let mut seen = Vec::new();
            for _ in 0..2 {
                seen.extend(iter::from_fn(|| bits.try_bit().ok()));
            }
            assert_eq!(seen, source.bits(&all), "{source:?} {cut}");
        }
    }
}

#[test]
fn blocks_that_would_give_nothing_are_refused() {
    let none = iter::empty::<bool>;
    assert_eq!(Elias::new(none(), 1).unwrap_err(), BlockError::TooShort);
    assert_eq!(Peres::new(none(), 3, 0).unwrap_err(), BlockError::TooShort);
    assert_eq!(Peres::new(none(), 0, 8).unwrap_err(), BlockError::NoDepth);
    assert_eq!(BlockError::TooShort.to_string(), "a block needs at least two flips");
    assert_eq!(FlipsEnded.to_string(), "the unfair coin has no flip left");
    assert_eq!(format!("{:?}", VonNeumann::new(none())), "VonNeumann { .. }");
    assert_eq!(format!("{:?}", Peres::new(none(), 3, 8).unwrap()), "Peres { depth: 3, .. }");
    assert_eq!(format!("{:?}", Elias::new(none(), 8).unwrap()), "Elias { block: 8, .. }");
}

#[test]
fn what_is_left_of_the_flips_can_be_had_back() {
    let mut bits = VonNeumann::new(flips("HTHH"));
    assert_eq!(bits.try_bit(), Ok(true));
    assert_eq!(bits.into_inner().count(), 2);
    let mut bits = Elias::new(flips("HTTHHH"), 4).unwrap();
    assert_eq!(bits.try_bit(), Ok(true));
    assert_eq!(bits.into_inner().count(), 2);
    assert_eq!(Peres::new(flips("HT"), 1, 2).unwrap().into_inner().count(), 2);
}

#[test]
fn dice_from_an_unknown_coin_are_fair_for_every_bias() {
    let one = Polynomial::from(1);
    for (n, depth) in [(2u64, 16), (3, 15), (4, 14), (5, 15), (6, 14), (7, 14)] {
        let wheel = explore_letters(|[coin]| Roulette::new(n, coin).unwrap(), depth);
        let head = explore_letters(|[coin]| OneHead::new(n, coin).unwrap(), depth);
        let sides = Polynomial::from(i64::try_from(n).unwrap());
        for side in 0..n {
            assert!(wheel.proves(&side, &one, &sides).is_ok(), "{n}");
            assert!(head.proves(&side, &one, &sides).is_ok(), "{n}");
        }
        assert!(wheel.open().at(&[q(1, 2)]) < q(1, 3), "{n}");
    }
}

#[test]
fn the_flips_of_dice_from_an_unknown_coin() {
    let quarter = Dyadic::new(1, 2).unwrap(); // 3/2 fair bits a flip
    let roulette =
        |n, coin: Dyadic| Roulette::new(n, coin).unwrap().expected_bits(64).low().clone();
    let one_head = |n, coin: Dyadic| OneHead::new(n, coin).unwrap().expected_bits(64).low().clone();
    let half = Dyadic::new(1, 1).unwrap();
    assert_eq!(roulette(3, half), q(4, 1));
    assert_eq!(roulette(3, quarter), q(16, 3) * q(3, 2));
    assert_eq!(roulette(2, quarter), q(16, 3) * q(3, 2)); // 1/(pq)
    assert_eq!(roulette(6, half), q(8, 1));
    assert_eq!(roulette(12, half), q(12, 1));
    assert_eq!(one_head(3, half), q(8, 1));
    assert_eq!(one_head(3, quarter), q(64, 9) * q(3, 2));
    for n in 2..=7u64 {
        let (p, r) = (q(1, 4), q(3, 4));
        let factors = match n {
            4 => vec![2, 2],
            6 => vec![2, 3],
            prime => vec![prime],
        };
        let turn = |f: &u64| q(*f, 1) / (BigRational::one() - Pow::pow(&p, *f) - Pow::pow(&r, *f));
        assert_eq!(roulette(n, quarter), factors.iter().map(turn).sum::<BigRational>() * q(3, 2));
        assert_eq!(one_head(n, quarter), q(3, 2) / (&p * Pow::pow(&r, n - 1)));
    }
    assert!(roulette(1, half).is_zero() && one_head(1, half).is_zero());
    // The trees of flips say the same of the mean, from below.
    let wheel = explore_letters(|[coin]| Roulette::new(3, coin).unwrap(), 21);
    let flips = wheel.expected_flips(0).at(&[q(1, 2)]);
    assert!(flips < q(4, 1) && flips > q(399, 100));
}

#[test]
fn laws_of_dice_from_a_known_coin() {
    let third = Rational::<u64>::new(1, 3).unwrap();
    let die = Roulette::new(6, third).unwrap();
    assert!((0..6).all(|side| *die.law(64).unwrap().mass(&side).low() == q(1, 6)));
    assert_eq!(die.tail(), Tail::Exponential);
    assert_eq!(Roulette::new(1, third).unwrap().tail(), Tail::Bounded(0));
    assert_eq!(Roulette::new(1, Always).unwrap().law(1).unwrap().outcomes().len(), 1);
    assert_eq!(Roulette::new(3, Always).unwrap().law(1).unwrap_err(), LawError::Impossible);
    assert_eq!(
        OneHead::new(3, Always).unwrap().try_expected_bits(1).unwrap_err(),
        LawError::Impossible
    );
    assert_eq!(OneHead::new(3, Always).unwrap().tail(), Tail::MayNeverEnd);
    assert_eq!(Roulette::new(0, Fair).unwrap_err(), ZeroSides);
    assert_eq!(OneHead::new(0, Fair).unwrap_err(), ZeroSides);
    assert_eq!((die.sides().get(), *die.coin()), (6, third));
}

#[test]
fn a_physical_coin_needs_no_fair_bit() {
    let mut recorded = flips("HHHTHHHTT").cycle();
    let die = Roulette::new(3, External::new(move || recorded.next().unwrap())).unwrap();
    let mut none = Script::from_str("").unwrap();
    assert_eq!(die.try_sample(&mut none), Ok(0)); // HHH again, THH: 1 + 2
    assert_eq!(die.try_sample(&mut none), Ok(0)); // HTT
}

#[test]
#[allow(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "a sampled rate")]
fn long_blocks_reach_the_rate() {
    const FLIPS: usize = 400_000;
    let unfair = Dyadic::new(3, 2).unwrap();
    for (source, rate) in [
        (Source::VonNeumann, 0.1875),
        (Source::Peres(8, 8000), 0.7184),
        (Source::Elias(1000), 0.805),
    ] {
        let coin = unfair.samples(BitBuffer::new(StdRng::seed_from_u64(1))).take(FLIPS);
        let mut bits = Counted::new(source.over(coin));
        let die = Die::new(6).unwrap();
        let mut counts = [0u32; 6];
        while let Ok(side) = die.try_sample(&mut bits) {
            counts[usize::try_from(side).unwrap()] += 1;
        }
        let drawn = bits.count() as f64 / FLIPS as f64;
        assert!((drawn - rate).abs() < 0.01, "{source:?}: {drawn}");
        let rolls: u32 = counts.iter().sum();
        let expected = f64::from(rolls) / 6.0;
        // A chi-squared of 5 degrees, which is above 34 once in 400 000 seeds.
        let distance: f64 =
            counts.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        assert!(distance < 34.0, "{source:?}: {counts:?}");
    }
}
