//! Many flips at once: each lane has the law of the coin, and the lanes are independent, by exact trees.

use std::collections::BTreeSet;

use buffon::{
    Always, BitBuffer, BitSource, Certain, Coin, Counted, Dyadic, External, Fair, Fraction,
    Harmonic, Hypergeometric, KnownLaw, Lanes, Machine, Never, OneOver, Rational, Ratios,
    Reciprocals, Script, catalogue, explore, from_fn, parity_of_run,
};
use num_bigint::BigUint;
use num_rational::BigRational;
use rand::{Rng, SeedableRng, rngs::StdRng};
use typenum::{U2, U7};

/// One flip in each of `L` lanes, as a machine, so that the explorer can run it.
#[derive(Clone, Copy, Debug)]
struct Together<C, const L: usize> {
    coin: C,
    /// Whether lanes of different words are at one place.
    stacked: bool,
}

impl<C: Lanes, const L: usize> Machine for Together<C, L> {
    type Output = Vec<bool>;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Vec<bool>, B::Error> {
        // The open lanes are spread over two words.
        let place = |lane| 5 + lane as u32 / if self.stacked { 2 } else { 1 };
        let lanes: Vec<(usize, u32)> = (0..L).map(|lane| (lane % 2, place(lane))).collect();
        let mut open = [0; 2];
        lanes.iter().for_each(|&(word, lane)| open[word] |= 1 << lane);
        let words = self.coin.try_flip_lanes(open, bits)?;
        assert!((0..2).all(|word| words[word] & !open[word] == 0), "a closed lane answered");
        Ok(lanes.iter().map(|&(word, lane)| words[word] >> lane & 1 == 1).collect())
    }
}

/// The joint law of `L` lanes is the product of the law of one, within the open masses, and each lane alone costs the same.
fn independent<C: Lanes + Clone, const L: usize>(coin: C, depth: u32) {
    for stacked in [false, true] {
        independent_at(&Together::<C, L> { coin: coin.clone(), stacked }, depth);
    }
}

fn independent_at<C: Lanes + Clone, const L: usize>(machine: &Together<C, L>, depth: u32) {
    let coin = &machine.coin;
    let one = explore(coin, depth);
    let all = explore(machine, depth);
    assert!(all.is_reproducible());
    let answers = (0..1u32 << L).map(|word| (0..L).map(|lane| word >> lane & 1 == 1).collect());
    for answer in answers.collect::<BTreeSet<Vec<bool>>>() {
        let least: BigRational = answer.iter().map(|heads| one.mass(heads)).product();
        let most: BigRational = answer.iter().map(|heads| one.mass(heads) + one.open()).product();
        assert!(all.mass(&answer) <= most, "{answer:?} is too likely");
        assert!(all.mass(&answer) + all.open() >= least, "{answer:?} is too unlikely");
    }
    // What is open when all lanes wait for the longest is at most what is open in any of them, at the share of the depth.
    let share = explore(coin, depth / L as u32).open();
    assert!(all.open() <= share * BigRational::from_integer(L.into()));
}

fn third() -> Rational<u64> {
    Rational::<u64>::new(1, 3).expect("a probability")
}

#[test]
fn two_and_three_lanes_are_independent_for_every_coin_and_combinator() {
    let three_eighths = Dyadic::new(3, 3).expect("a probability");
    let fifth = OneOver::try_from(5).expect("not 0");
    independent::<_, 3>(Fair, 8);
    independent::<_, 3>(Always, 4);
    independent::<_, 3>(Never, 4);
    independent::<_, 2>(third(), 16);
    independent::<_, 3>(third(), 15);
    independent::<_, 3>(three_eighths, 12);
    independent::<_, 2>(fifth, 16);
    independent::<_, 2>(Fraction::<U2, U7>::new(), 16);
    independent::<_, 2>(third().not(), 16);
    independent::<_, 2>(third().then(three_eighths), 16);
    independent::<_, 3>(Fair.then(Fair), 12);
    independent::<_, 2>(third().or_else(three_eighths), 16);
    independent::<_, 2>(third().xor(Fair), 16);
    independent::<_, 2>(third().mix(three_eighths, Fair.not()), 16);
    independent::<_, 2>(Fair.parity_of_run(), 14);
    independent::<_, 2>(third().parity_of_run(), 14);
    independent::<_, 2>(parity_of_run(OneOver::new), 16);
    independent::<_, 2>(third().condition(|&heads| heads), 8);
    independent::<_, 2>(third().condition(|_| true), 14);
}

#[test]
fn so_are_those_made_of_several_parts() {
    let three_eighths = Dyadic::new(3, 3).expect("a probability");
    independent::<_, 2>(third().power(3), 16);
    independent::<_, 3>(Fair.power(0), 4);
    independent::<_, 2>(Ratios::new([(1u64, 2), (3, 4)]).expect("ratios"), 12);
    independent::<_, 2>(Ratios::new([(1, u64::MAX), (2, 3), (1, u64::MAX)]).expect("ratios"), 14);
    independent::<_, 3>(Certain::new(true), 4);
    independent::<_, 3>(Certain::new(false), 4);
    independent::<_, 2>(third().map(|heads| !heads), 16);
    independent::<_, 2>(third().map(|_| true), 14);
    independent::<_, 2>(
        Fair.and_then(|heads| OneOver::try_from(3 + u64::from(heads)).expect("not 0")),
        14,
    );
    independent::<_, 2>(parity_of_run(Reciprocals), 16);
    independent::<_, 2>(parity_of_run(Harmonic::new(third())), 14);
    let bessel = Hypergeometric::new([((0, 1), (2, 2)); 2]).expect("ratios");
    independent::<_, 2>(parity_of_run(bessel), 14);
    independent::<_, 2>(catalogue::exp_minus(3, 2).expect("a probability"), 14);
    independent::<_, 2>(third().erased().then(Fair), 14);
    independent::<_, 2>(from_fn(|bits| Ok(bits.try_tails()? % 2 == 1)).or_else(three_eighths), 14);
    independent::<_, 2>(Box::new(third()), 14);
    // Compiled: rational, dyadic, certain, irrational, and a half of which no digit is known.
    independent::<_, 2>(third().compile().expect("a law"), 16);
    independent::<_, 2>(third().not().compile().expect("a law"), 16);
    independent::<_, 3>(three_eighths.compile().expect("a law"), 12);
    independent::<_, 3>(Fair.power(0).compile().expect("a law"), 4);
    independent::<_, 2>(parity_of_run(Reciprocals).compile().expect("a law"), 16);
    let ln_2 = Fair.run().and_then(|n| OneOver::try_from(n + 1).expect("above 0"));
    independent::<_, 2>(parity_of_run(Harmonic::new(ln_2)).compile().expect("a law"), 14);
    // A coin from outside takes one flip for each open lane.
    let mut recorded = [true, false, true].into_iter();
    let outside = External::new(move || recorded.next().expect("three lanes are open"));
    let mut none = Script::from_str("").expect("flips");
    assert_eq!(outside.try_flip_lanes([0b101, 0, 0b10], &mut none), Ok([0b001, 0, 0b10]));
}

/// On these flips a single lane answers as the coin does, after as many flips.
fn same_on<C: Lanes>(coin: &C, flips: Vec<bool>) {
    let mut alone = Counted::new(Script::from(flips.clone()));
    let mut lane = Counted::new(Script::from(flips));
    let answer = coin.try_flip(&mut alone);
    let answers = coin.try_flip_lanes([0, 1 << 40], &mut lane);
    assert_eq!(answers, answer.map(|heads| [0, u64::from(heads) << 40]));
    assert_eq!(alone.count(), lane.count());
}

#[test]
fn one_lane_draws_and_answers_as_the_coin_itself() {
    fn same<C: Lanes>(coin: C) {
        for word in 0..1u32 << 12 {
            same_on(&coin, (0..12).map(|place| word >> place & 1 == 1).collect());
        }
        // Beyond the digits at hand, and where dyadic numbers end.
        for tails in [5, 6, 7, 31, 32, 33, 62, 63, 64, 65, 66, 99, 100, 126, 127, 128, 129, 200] {
            for then in [[true, true], [true, false], [false, true]] {
                same_on(&coin, vec![false; tails].into_iter().chain(then).collect());
            }
        }
    }
    same(third());
    same(third().or_else(Dyadic::new(5, 4).expect("a probability")));
    same(parity_of_run(OneOver::new));
    same(OneOver::try_from(u64::MAX).expect("not 0"));
    same(Fraction::<U2, U7>::new());
    for (a, m) in [
        (1, 1),
        (1, 5),
        (5, 6),
        (3, 7),
        (1, 63),
        (3, 64),
        (5, 65),
        (u64::MAX, 100),
        (1, 127),
        (7, 200),
    ] {
        same(Dyadic::new(a, m).expect("a probability"));
    }
    let wide = |a: BigUint, b: BigUint| Rational::<BigUint>::new(a, b).expect("a probability");
    let two = |m: u32| BigUint::from(1u8) << m;
    same(wide(1u8.into(), two(100)));
    same(wide(two(99) / 7u8, two(100)));
    same(wide(two(128) / 3u8, two(128) - 1u8));
    same(Ratios::new([(1, u64::MAX), (2, 3), (1, u64::MAX)]).expect("ratios"));
    same(parity_of_run(Reciprocals).compile().expect("a law"));
    same(wide(two(100) / 7u8, two(100)).compile().expect("a law"));
    let ln_2 = Fair.run().and_then(|n| OneOver::try_from(n + 1).expect("above 0"));
    same(parity_of_run(Harmonic::new(ln_2)).compile().expect("a law"));
}

#[test]
fn a_coin_with_shared_flips_would_be_found_out() {
    /// Every lane gets the flip of the first: each lane alone is fair, together they are not.
    #[derive(Clone, Copy, Debug)]
    struct Shared;
    impl Machine for Shared {
        type Output = bool;
        fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
            bits.try_bit()
        }
    }
    impl Lanes for Shared {
        fn try_flip_lanes<const N: usize, B: BitSource + ?Sized>(
            &self,
            open: [u64; N],
            bits: &mut B,
        ) -> Result<[u64; N], B::Error> {
            let heads = bits.try_bit()?;
            Ok(open.map(|word| if heads { word } else { 0 }))
        }
    }
    let found = std::panic::catch_unwind(|| independent::<_, 2>(Shared, 6));
    assert!(found.is_err());
}

#[test]
fn slices_are_filled_to_the_last_place() {
    let mut bits = BitBuffer::new(StdRng::seed_from_u64(3));
    for length in [0, 1, 63, 64, 65, 255, 256, 257, 1000] {
        let mut flips = vec![false; length];
        Always.fill_bools(&mut flips, &mut bits);
        assert!(flips.iter().all(|&heads| heads));
        let mut words = vec![0; length];
        Always.fill(&mut words, &mut bits);
        assert!(words.iter().all(|&word| word == u64::MAX));
    }
    // 1/3 in a million lanes: within six standard deviations.
    let mut words = vec![0; 15_625];
    third().fill(&mut words, &mut bits);
    let heads: u32 = words.iter().map(|word| word.count_ones()).sum();
    assert!(heads.abs_diff(333_333) < 6 * 472, "{heads}");
}

#[test]
fn the_bits_in_hand_stay_for_the_next_flip() {
    let mut bits = BitBuffer::new(StdRng::seed_from_u64(5));
    let mut rng = StdRng::seed_from_u64(5);
    let (first, second) = (rng.next_u64(), rng.next_u64());
    assert_eq!(bits.try_bits(4), Ok(first & 15));
    assert_eq!(Fair.try_flip_lanes([0, 0xff00], &mut bits), Ok([0, second & 0xff00]));
    assert_eq!(bits.try_bits(60), Ok(first >> 4));
}
