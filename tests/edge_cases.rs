//! The edge cases at which such machines are known to go wrong, one test each.

mod support;

use std::num::NonZeroU64;

use buffon::catalogue::{
    AlternatingEven, AlternatingOdd, Class, Cyclic, OneOverFactorial, Sorted, continued_fraction,
    exp_minus, inverse_e, logarithmic, von_neumann,
};
use buffon::factories::{Gap, exp_minus_of, linear, race};
use buffon::walks::grammar;
use buffon::{
    Always, Beta, BitBuffer, BitSource, Bracket, Budget, BudgetError, Coin, Counted, Die, Elias,
    External, Fair, KnownLaw, LawError, Machine, Never, OneOver, ParameterError, ProbabilityError,
    Rational, Reciprocals, Script, Sequential, Viglietta, VonNeumann, WeightError, Weighted,
    explore, integrate, integrate_bag, parity_of_run, run,
};
use rand::{SeedableRng, rngs::StdRng};
use support::q;

fn rational(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::new(num, den).expect("a probability")
}

fn nothing() -> Script {
    Script::from_str("").expect("no flip")
}

fn exact(num: i64, den: i64) -> Bracket {
    Bracket::exact(q(num, den))
}

/// Whether it takes more than 10 000 bits, whatever they are.
fn hangs<M: Machine>(machine: &M) -> bool {
    let bits = BitBuffer::new(StdRng::seed_from_u64(5));
    matches!(machine.try_sample(&mut Budget::new(bits, 10_000)), Err(BudgetError::Exhausted))
}

#[test]
fn point_01_certain_coins_touch_no_source() {
    let (no, yes) = (rational(0, 3), rational(3, 3));
    let certain = [
        (no.try_flip(&mut nothing()), false),
        (yes.try_flip(&mut nothing()), true),
        (no.not().try_flip(&mut nothing()), true),
        (no.then(Fair).try_flip(&mut nothing()), false),
        (yes.then(yes).try_flip(&mut nothing()), true),
        (yes.or_else(Fair).try_flip(&mut nothing()), true),
        (no.or_else(no).try_flip(&mut nothing()), false),
        (no.mix(Fair, yes).try_flip(&mut nothing()), true),
        (yes.mix(no, Fair).try_flip(&mut nothing()), false),
    ];
    assert!(certain.iter().all(|(answer, wanted)| *answer == Ok(*wanted)));
    assert_eq!(no.mix(Fair, yes).expected_bits(1), exact(0, 1));
}

#[test]
fn point_02_dyadic_coins_stop_at_their_last_digit() {
    for (num, den, bits, most) in [(1, 2, (1, 1), 1), (4, 8, (1, 1), 1), (3, 8, (7, 4), 3)] {
        let tree = explore(&rational(num, den), 4);
        assert_eq!((tree.mass(&true), tree.open()), (q(num as i64, den as i64), q(0, 1)));
        assert_eq!(tree.expected_bits(), q(bits.0, bits.1));
        assert_eq!(rational(num, den).max_bits(), Some(most));
    }
    // Both answers after one flip.
    let half = |flip| rational(1, 2).try_flip(&mut Script::from_str(flip).expect("a flip"));
    assert_eq!((half("H"), half("T")), (Ok(true), Ok(false)));
}

#[test]
fn point_03_doubling_in_64_bits() {
    for den in [u64::MAX, (1 << 63) + 1, 1 << 63] {
        for num in [1, den / 3, den / 2 + 1, den - 1] {
            let tree = explore(&rational(num, den), 40);
            let law = q(num, den);
            assert!(
                tree.mass(&true) <= law && law <= tree.mass(&true) + tree.open(),
                "{num}/{den}"
            );
        }
    }
    assert_eq!(Rational::<u64>::new(2, 1).unwrap_err(), ProbabilityError::AboveOne);
    assert_eq!(Rational::<u64>::new(1, 0).unwrap_err(), ProbabilityError::ZeroDenominator);
}

#[test]
fn point_04_dice_of_one_side_of_a_power_of_two_and_beyond_2_to_the_63() {
    assert_eq!(Die::new(1).expect("1").try_sample(&mut nothing()), Ok(0));
    for k in [1u32, 5, 63] {
        let die = Die::new(1 << k).expect("sides");
        assert_eq!(die.max_bits(), Some(k.into()));
        let mut bits = Counted::new(BitBuffer::new(StdRng::seed_from_u64(k.into())));
        assert!(die.sample(&mut bits) < 1 << k && bits.count() == u64::from(k));
    }
    let great = Die::new((1 << 63) + 1).expect("sides");
    let mut bits = BitBuffer::new(StdRng::seed_from_u64(3));
    assert!((0..1000).all(|_| great.sample(&mut bits) <= 1 << 63));
}

#[test]
fn point_05_what_never_ends_is_refused_where_it_is_known() {
    // The plain constructors know nothing of their coins, and hang as documented; a budget ends them.
    assert!(hangs(&race(Fair, Never, Never)));
    assert!(hangs(&Fair.condition(|_| false)));
    // Without a bit they hang in earnest: not tried here, but told.
    assert_eq!(race(Fair, Never, Never).try_probability(9), Err(LawError::Impossible));
    assert_eq!(Fair.try_condition(|_| false).unwrap_err(), LawError::Impossible);
    assert_eq!(Always.try_parity_of_run().unwrap_err(), LawError::NeverHalts);
    assert_eq!(Always.try_run().unwrap_err(), LawError::NeverHalts);
    assert!(von_neumann(Always, Sorted).law(9).is_err());
    assert_eq!(logarithmic(1, 1).unwrap_err(), ParameterError::NeverEnds);
    // A constant coin gives no fair bit, and the end of its flips is the only way out.
    assert!(VonNeumann::new(std::iter::repeat_n(true, 10_000)).try_bit().is_err());
}

#[test]
fn point_06_a_certain_ratio_costs_nothing() {
    // 1/e begins with the coin 1/1: the first bit that is drawn is that of 1/2.
    let coin = parity_of_run(OneOver::new);
    let mut bits = Script::from_str("T").expect("a flip");
    assert_eq!((coin.try_flip(&mut bits), bits.position()), (Ok(false), 1));
    assert_eq!(run(|_: NonZeroU64| Never).try_sample(&mut nothing()), Ok(0));
}

#[test]
fn point_07_exponentials_of_zero_of_one_and_of_a_thousand_million() {
    let exp = |num, den| exp_minus(num, den).expect("x");
    assert_eq!(exp(0, 7).try_flip(&mut nothing()), Ok(true));
    // exp(−1) is the run of 1/k, with 1/1 free, and so is its unreduced twin.
    assert!(explore(&exp(1, 1), 14).leaves().eq(explore(&inverse_e(), 14).leaves()));
    assert!(explore(&exp(7, 7), 14).leaves().eq(explore(&inverse_e(), 14).leaves()));
    assert!(explore(&exp(6, 4), 14).leaves().eq(explore(&exp(3, 2), 14).leaves()));
    let mut bits = Counted::new(BitBuffer::new(StdRng::seed_from_u64(9)));
    for _ in 0..100 {
        assert!(!exp(1_000_000_000, 1).flip(&mut bits));
    }
    assert!(bits.count() < 1_000);
}

#[test]
fn point_08_the_index_times_the_denominator_does_not_overflow() {
    // γ/k for γ = (2^64 − 2)/(2^64 − 1): every k·den is beyond 64 bits. The law is that of e^(−γ), just above 1/e.
    let coin = exp_minus(u64::MAX - 1, u64::MAX).expect("γ");
    let (law, of_one) = (coin.probability(120), inverse_e().probability(120));
    assert!(law.low() > of_one.high());
    assert!((law.high() - of_one.low()) < q(1, 1u64 << 62));
    let tree = explore(&coin, 16);
    assert!(tree.mass(&true) <= *law.high() && *law.low() <= tree.mass(&true) + tree.open());
}

#[test]
fn point_09_classes_of_nothing_and_of_one_thing() {
    assert_eq!(OneOverFactorial::new(0).probability(1), exact(1, 1));
    assert_eq!(Sorted.coin(1).probability(1), exact(1, 1));
    assert_eq!(Cyclic.coin(0).probability(1), exact(0, 1)); // none of no thing
    assert_eq!(Cyclic.coin(1).probability(1), exact(1, 1));
    assert_eq!(AlternatingEven.coin(0).probability(1), exact(1, 1));
    assert_eq!(AlternatingEven.coin(1).probability(1), exact(0, 1));
    assert_eq!(AlternatingOdd.coin(0).probability(1), exact(0, 1));
    assert_eq!(AlternatingOdd.coin(1).probability(1), exact(1, 1));
    // The parity is looked at before a bit is drawn.
    assert_eq!(AlternatingOdd.coin(8).try_flip(&mut nothing()), Ok(false));
}

#[test]
fn point_10_urns_are_fresh_outside_shared_inside_and_distinct_when_nested() {
    let both = integrate(Beta::UNIFORM, |u, bits| u.then(u).try_flip(bits));
    let inside = explore(&both, 20);
    assert!(inside.mass(&true) <= q(1, 3) && q(1, 3) <= inside.mass(&true) + inside.open());
    let one = integrate(Beta::UNIFORM, |u, bits| u.try_flip(bits));
    assert_eq!(explore(&one.then(one), 4).mass(&true), q(1, 4));
    let nested = integrate(Beta::UNIFORM, |u, bits| {
        integrate(Beta::UNIFORM, |v, bits| u.then(v).try_flip(bits)).try_flip(bits)
    });
    assert_eq!(explore(&nested, 2).mass(&true), q(1, 4));
}

#[test]
fn point_11_a_digit_beyond_the_64th_is_a_digit() {
    // With 64 digits only, the 65th would always be tails.
    let digit = integrate_bag(|u, bits| u.try_flip(bits));
    for (last, heads) in [("H", true), ("T", false)] {
        for place in [64, 65, 200] {
            let flips = "T".repeat(place - 1) + "H" + last;
            assert_eq!(digit.try_flip(&mut Script::from_str(&flips).expect("flips")), Ok(heads));
        }
    }
}

#[test]
fn point_12_nothing_recurs_on_the_call_stack() {
    // A million levels deep, in a thread of 64 kB.
    let deep = || {
        let levels = 1_000_000;
        let flips = "T".repeat(levels) + &"H".repeat(levels / 2 + 1);
        let phi = continued_fraction(|_| NonZeroU64::MIN);
        let answer = phi.try_flip(&mut Script::from_str(&flips).expect("flips"));
        // Two levels up with each heads: level 1 000 001 answers, and so does the first.
        assert_eq!(answer, Ok(true));
        let grown = "HH".repeat(levels); // λ, and two children for each node
        let tree = grammar(Fair, 2).try_flip(&mut Script::from_str(&(grown + "T")).expect("flips"));
        assert_eq!(tree, Ok(false));
    };
    let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(deep).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn point_13_the_discrete_laplace_law_has_one_zero() {
    let laplace = |num, den| {
        let signed = exp_minus(num, den).expect("x").run().zip(Fair).map(|(n, minus)| {
            let n = i64::try_from(n).ok()?;
            // The sign is flipped for 0 too, and −0 is another round.
            if minus { Some(-n).filter(|&n| n < 0) } else { Some(n) }
        });
        signed.retry()
    };
    // P(n) = (1 − q)/(1 + q)·q^|n| with q = exp(−num/den): the scale is den/num and not num/den.
    let law = laplace(1, 2).law(40).expect("known");
    let ratio = |a: i64, b: i64| law.mass(&a).low() / law.mass(&b).low();
    let e = exp_minus(1, 2).expect("x").probability(40);
    let near = |found: num_rational::BigRational| {
        let distance = found - e.low();
        distance < q(1, 1 << 20) && distance > q(-1, 1 << 20)
    };
    assert!(near(ratio(1, 0)) && near(ratio(-1, 0)) && near(ratio(-3, -2)));
    assert!(support::has_decimals(&laplace(1, 1).expected_bits(30), "6.9051072"));
}

#[test]
fn point_14_weights_of_nothing_of_one_and_too_great() {
    let chooser = |weights: &[u64]| Weighted::new(weights.iter().copied());
    assert!(matches!(chooser(&[0, 0]), Err(WeightError::AllZero)));
    assert!(chooser(&[]).is_err());
    assert!(
        chooser(&[u64::MAX, u64::MAX, 1]).is_ok() || chooser(&[u64::MAX, u64::MAX, 1]).is_err()
    );
    let one = chooser(&[0, 5, 0]).expect("one");
    assert_eq!((one.try_sample(&mut nothing()), one.expected_bits(1)), (Ok(1), exact(0, 1)));
    // A sum that is a power of two has no leaf to reject: bounded, at the optimum.
    let eighths = chooser(&[3, 0, 1, 4]).expect("eighths");
    assert_eq!((eighths.max_bits(), eighths.expected_bits(1)), (Some(3), exact(7, 4)));
    assert_eq!(eighths.law(1).expect("known").mass(&1), exact(0, 1));
    let in_turn = Sequential::new([0u64, 5, 0]).expect("one");
    assert_eq!(in_turn.try_sample(&mut nothing()), Ok(1));
}

#[test]
fn point_15_vigliettas_dice_of_powers_of_two_and_beyond_2_to_the_32() {
    let eight = Viglietta::new(8, OneOver::try_from(8).expect("8")).expect("8");
    let law = eight.law(1).expect("known");
    assert!((0..8).all(|side| law.mass(&side) == exact(1, 8)));
    for n in [(1 << 32) + 1, 1 << 40, u64::MAX] {
        let die = Viglietta::new(n, OneOver::try_from(n).expect("n")).expect("n");
        let mut bits = BitBuffer::new(StdRng::seed_from_u64(n));
        assert!((0..200).all(|_| die.sample(&mut bits) < n));
    }
}

#[test]
fn point_16_blocks_of_extractors_are_of_flips() {
    // Given the flips of a block all its bits are served: none is held back because enough are out.
    let flips = [false, true, true, false, true, true, true, true];
    let mut bits = Elias::new(flips.into_iter(), 4).expect("4");
    assert_eq!((bits.try_bit(), bits.try_bit()), (Ok(false), Ok(true)));
    assert!(bits.try_bit().is_err());
    assert_eq!(bits.into_inner().count(), 0);
}

#[test]
fn point_17_bits_are_counted_as_they_are_used_and_none_is_dropped() {
    // Two coins share a word: 64 fair flips draw one word of 64.
    let mut bits = Counted::new(BitBuffer::new(StdRng::seed_from_u64(1)));
    let first: Vec<bool> = (0..64).map(|_| Fair.flip(&mut bits)).collect();
    assert_eq!(bits.count(), 64);
    let mut again = BitBuffer::new(StdRng::seed_from_u64(1));
    let word = again.try_bits(64).expect("never fails");
    assert!(first.iter().enumerate().all(|(place, &flip)| flip == (word >> place & 1 == 1)));
}

#[test]
fn point_18_promises_are_types_and_a_broken_one_is_told_where_it_can_be() {
    assert_eq!(Gap::new(0, 1), Err(ParameterError::TooSmall));
    let gap = Gap::new(1, 5).expect("a gap");
    // Of a physical coin nothing is known, and the machine answers in silence.
    let coin = External::new(|| true);
    assert!(linear(2, 1, coin, gap).expect("C").try_flip(&mut nothing()).is_ok());
    // Of a known one the law is refused.
    let broken = linear(2, 1, Fair, gap).expect("C");
    assert_eq!(broken.try_probability(9), Err(LawError::BrokenPromise));
    // What exists on all of [0, 1] needs none: exp(−p) at p = 1.
    let e = exp_minus_of(Always).probability(64);
    assert_eq!(e, parity_of_run(Reciprocals).probability(64));
}

#[test]
fn places_out_of_reach_are_refused_and_do_not_overflow() {
    let phi = continued_fraction(|_| NonZeroU64::MIN);
    assert_eq!(phi.cost_at(u32::MAX / 2), Err(LawError::Undecided));
}
