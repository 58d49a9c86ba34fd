//! Slices narrowed by flips of a coin of known bias: proved by weights and by letters, with the costs that the docs state.
#![cfg(feature = "exact")]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use buffon::explore::explore_letters;
use buffon::{
    Always, BiasedSlices, Bracket, Cut, Elias, External, Fair, KnownLaw, LawError, Machine,
    ParameterError, Rational, Reciprocals, Script, Slices, Tail, VonNeumann, explore,
    explore_weighted, parity_of_run,
};
use num_rational::{BigRational, Ratio};
use num_traits::{One, Zero};
use support::{has_decimals, q, two_to_minus};

fn coin(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::new(num, den).expect("a probability")
}

fn by(ends: &[(i64, i64)], num: u64, den: u64) -> BiasedSlices<Rational<u64>> {
    let ends = ends.iter().map(|&(a, b)| q(a, b));
    let slices = Slices::new(ends).expect("in order");
    slices.by_coin(coin(num, den), num, den).expect("a bias")
}

const LISTS: &[&[(i64, i64)]] = &[
    &[],
    &[(1, 3)],
    &[(4, 9)],
    &[(1, 3), (2, 3)],
    &[(1, 7), (1, 7), (3, 4)],
    &[(0, 1), (1, 2), (99, 100), (1, 1)],
];

const BIASES: [(u64, u64); 5] = [(1, 2), (2, 3), (1, 4), (9, 10), (3, 7)];

/// The lengths of the slices.
fn lengths(ends: &[(i64, i64)]) -> Vec<BigRational> {
    let ends = || ends.iter().map(|&(a, b)| q(a, b));
    let starts = [q(0, 1)].into_iter().chain(ends());
    starts.zip(ends().chain([q(1, 1)])).map(|(start, end)| end - start).collect()
}

#[test]
fn the_law_is_the_lengths_for_every_bias() {
    for ends in LISTS {
        for (num, den) in BIASES {
            let machine = by(ends, num, den);
            // A flip is one question with the weights p and 1 − p.
            let found = explore_weighted(&machine, 11);
            let law = machine.law(64).expect("known");
            for (slice, length) in lengths(ends).iter().enumerate() {
                let mass = found.mass(&slice);
                assert!(mass <= *length && *length <= &mass + found.open(), "{ends:?} {num}/{den}");
                assert_eq!(law.mass(&slice), Bracket::exact(length.clone()));
            }
            // P(more than k flips) ≤ ends·max(p, 1 − p)^k.
            let greater = q(num, den).max(q(den - num, den));
            let bound = num_traits::pow(greater, 11) * q(ends.len(), 1);
            assert!(*found.open() <= bound, "{ends:?} {num}/{den}: {}", found.open());
        }
    }
}

#[test]
fn a_fair_coin_makes_the_slices_as_they_were() {
    for ends in LISTS {
        let slices = Slices::new(ends.iter().map(|&(a, b)| q(a, b))).expect("in order");
        let narrowed = slices.clone().by_coin(Fair, 1, 2).expect("a bias");
        assert!(explore(&narrowed, 10).leaves().eq(explore(&slices, 10).leaves()), "{ends:?}");
        let (one, other) = (narrowed.expected_bits(30), slices.expected_bits(30));
        assert!(one.low() <= other.high() && other.low() <= one.high(), "{ends:?}");
    }
}

#[test]
fn the_table_of_flips() {
    let thirds: &[(i64, i64)] = &[(1, 3), (2, 3)];
    let rows = [
        ((1, 2), "3.000000"),
        ((2, 3), "2.500000"),
        ((3, 4), "3.583333"),
        ((1, 4), "3.583333"),
        ((9, 10), "7.672111"),
    ];
    for ((num, den), flips) in rows {
        let cost = by(thirds, num, den).expected_bits(40);
        let one = coin(num, den).expected_bits(1);
        let each = Bracket::new(cost.low() / one.low(), cost.high() / one.low());
        assert!(has_decimals(&each, flips), "{num}/{den}: {each:.9}");
    }
    // Three bits, by von Neumann, take 3/(p(1 − p)) flips: 27/2 for 2/3. Elias' rate at block 64 lies below the entropy.
    let blocks = Elias::new(core::iter::empty::<bool>(), 64).expect("long enough");
    let flips = q(3, 1) / blocks.rate(&q(3, 4));
    assert!(flips > q(36979, 10_000) && flips < q(5, 1));
    let von_neumann = VonNeumann::new([false, true, true, false].into_iter());
    let two = Slices::new([Ratio::new(1, 2)]).expect("in order");
    assert_eq!(two.try_sample(&mut { von_neumann }), Ok(1));
}

#[test]
fn a_coin_of_another_bias_has_another_law_and_that_is_told_too() {
    // Stated 2/3, flipped with p: HH, HTH, … polynomials in p by the letters; at 2/3 the lengths.
    let slices = Slices::new([Ratio::new(1, 3), Ratio::new(2, 3)]).expect("in order");
    let found = explore_letters(|[p]| slices.by_coin(p, 2, 3).expect("a bias"), 9);
    let open = found.open();
    for (num, den) in [(2, 3), (1, 3), (9, 10)] {
        let stated = Slices::new([Ratio::new(1, 3), Ratio::new(2, 3)]).expect("in order");
        let law = stated.by_coin(coin(num, den), 2, 3).expect("a bias").law(40).expect("known");
        for slice in 0..3usize {
            let least = found.polynomial(&slice).at(&[q(num, den)]);
            let most = &least + open.at(&[q(num, den)]);
            let mass = law.mass(&slice);
            assert!(*mass.low() <= most && least <= *mass.high(), "{num}/{den} {slice}");
            if (num, den) == (2, 3) {
                assert_eq!(mass, Bracket::exact(q(1, 3)));
            }
        }
    }
}

#[test]
fn irrational_ends_and_coins() {
    // An end at 1/e, by a coin of 3/4; and by the coin 1/e itself, for which it is the first cell.
    let end = || Cut::of(parity_of_run(Reciprocals)).expect("known");
    let machine = Slices::new([end()]).expect("in order").by_coin(coin(3, 4), 3, 4).expect("3/4");
    let law = machine.law(30).expect("known");
    assert!(has_decimals(&law.mass(&0), "0.367879441"));
    let found = explore_weighted(&machine, 30);
    assert!(found.mass(&0) <= *law.mass(&0).high());
    assert!(found.mass(&0) + found.open() >= *law.mass(&0).low());
    assert!(*found.open() < two_to_minus(10));
    assert_eq!(machine.tail(), Tail::Exponential);
}

/// An end at 1/e that keeps the most digits that it was asked for.
fn asked() -> (Cut, Arc<AtomicU32>) {
    let (most, end) = (Arc::new(AtomicU32::new(0)), parity_of_run(Reciprocals));
    let asked = Arc::clone(&most);
    let bounds = move |places| {
        asked.fetch_max(places, Relaxed);
        end.probability(places)
    };
    (Cut::bounds(bounds), most)
}

#[test]
fn an_irrational_end_is_asked_for_the_digits_of_the_cell_only() {
    // The cell after 400 heads of 99/100 is 0.018 wide, with a scale of 2657 bits.
    let (end, most) = asked();
    let machine = Slices::new([end]).expect("in order").by_coin(Always, 99, 100).expect("99/100");
    assert_eq!(machine.try_sample(&mut Script::from_str("").expect("nothing")), Ok(0));
    assert!(most.load(Relaxed) < 80, "{most:?}");
    // Law and cost, by the flips of a coin of 9/10 and of one of 9/10 that is not told to be so.
    let (end, _) = asked();
    let slices = Slices::new([end]).expect("in order");
    let machine = slices.clone().by_coin(coin(9, 10), 9, 10).expect("9/10");
    let found = explore_weighted(&machine, 60);
    let law = machine.law(20).expect("known").mass(&0);
    assert!(found.mass(&0) <= *law.high() && *law.low() <= found.mass(&0) + found.open());
    let cost = machine.expected_bits(9);
    assert!(*found.expected_bits(9).low() <= *cost.high(), "{cost}");
    // As 368/1000, which lies as near as 2^-12, but for the cells that part them.
    let near = by(&[(368, 1000)], 9, 10).expected_bits(9);
    assert!((cost.low() - near.low()) * (cost.low() - near.low()) < q(1, 4), "{cost} {near}");
}

#[test]
fn tails_are_those_of_the_tree() {
    let slices = |a: u64, b: u64| Slices::new([Ratio::new(a, b)]).expect("in order");
    for (a, b) in [(1, 4), (5, 8), (1, 3), (0, 1), (1, 1), ((1 << 40) + 1, 1 << 41)] {
        let narrowed = slices(a, b).by_coin(Fair, 1, 2).expect("1/2");
        assert_eq!(narrowed.tail(), slices(a, b).tail(), "{a}/{b}");
    }
    let whole = Slices::new::<[Cut; 0]>([]).expect("one");
    assert_eq!(whole.by_coin(coin(1, 3), 1, 3).expect("1/3").tail(), Tail::Bounded(0));
    // 2/3 by a coin of 2/3 is one flip, 4/9 two, whatever the coin is; 1/2 is for ever.
    let by_tosses = |a, b| slices(a, b).by_coin(Fair, 2, 3).expect("2/3").tail();
    assert_eq!([by_tosses(2, 3), by_tosses(4, 9)], [1, 2].map(Tail::Bounded));
    assert_eq!(by_tosses(1, 2), Tail::Exponential);
    assert_eq!(slices(4, 9).by_coin(Always, 2, 3).expect("2/3").tail(), Tail::Bounded(0));
    assert_eq!(slices(1, 2).by_coin(Always, 2, 3).expect("2/3").tail(), Tail::MayNeverEnd);
    assert_eq!(by(&[(2, 3)], 2, 3).tail(), Tail::Exponential); // the coin's
    // Without a walk through the tree.
    assert_eq!(by(&[(1, 3)], 9999, 10_000).tail(), Tail::Exponential);
}

#[test]
fn flips_grow_as_the_inverse_of_the_rarer_side() {
    for (p, least, most) in [((99, 100), 66, 68), ((999, 1000), 666, 668)] {
        let cost = by(&[(1, 3)], p.0, p.1).expected_bits(9);
        let one = coin(p.0, p.1).expected_bits(60);
        assert!(
            cost.high() / one.low() < q(most, 1) && cost.low() / one.high() > q(least, 1),
            "{cost}"
        );
    }
}

#[test]
fn a_physical_coin_needs_no_fair_bit() {
    let mut flips = [true, false, true].into_iter().cycle();
    let coin = External::new(move || flips.next().unwrap_or(false));
    let slices = Slices::new([Ratio::new(1, 3), Ratio::new(2, 3)]).expect("in order");
    let narrowed = slices.by_coin(coin, 2, 3).expect("a bias");
    let mut none = Script::from_str("").expect("nothing");
    // H is [0, 2/3), HT [4/9, 2/3): the second slice. Then HH, [0, 4/9), and T [8/27, 4/9), which 1/3 cuts, and so on.
    assert_eq!(narrowed.try_sample(&mut none), Ok(1));
    assert!(narrowed.try_sample(&mut none).is_ok_and(|slice| slice < 3));
}

#[test]
fn biases_that_tell_nothing_are_refused() {
    let slices = || Slices::new([Ratio::new(1, 2)]).expect("in order");
    let refusal = |num, den| slices().by_coin(Fair, num, den).unwrap_err();
    assert_eq!(refusal(1, 0), ParameterError::ZeroDenominator);
    assert_eq!(refusal(3, 2), ParameterError::TooLarge);
    assert_eq!(refusal(0, 2), ParameterError::NeverEnds);
    assert_eq!(refusal(2, 2), ParameterError::NeverEnds);
    // A coin that is always heads, whatever is stated, never comes to an end inside: nothing is told of it.
    let stuck = Slices::new([Ratio::new(0, 1), Ratio::new(1, 2)]).expect("in order");
    let stuck = stuck.by_coin(buffon::Never, 1, 3).expect("1/3");
    assert!(stuck.law(10).is_ok());
    let endless = Slices::new([Ratio::new(1, 1)]).expect("in order");
    assert_eq!(
        endless.by_coin(Fair, 1, 3).expect("1/3").expected_bits(1),
        Bracket::exact(BigRational::zero())
    );
    let never = Slices::new([Ratio::new(1, 2)]).expect("in order");
    let never = never.by_coin(Always, 1, 3).expect("1/3");
    assert!(never.law(10).is_ok_and(|law| law.mass(&0) == Bracket::exact(BigRational::one())));
    assert!(!matches!(never.try_expected_bits(10), Err(LawError::NeverHalts)));
}
