//! The explorer: what it finds of known trees, and which wrong machines it refuses, with which contradiction.
#![cfg(feature = "exact")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::Cell;

use buffon::explore::{Agreement, BrokenTail, Each, Fault, Refusal, Says, Side, Target, in_a_row};
use buffon::{
    BitBuffer, BitSource, Bracket, Coin, Counted, Die, Dyadic, Explorer, Fair, KnownLaw, Machine,
    OneOver, Rational, Reciprocals, Recycler, Weighted, explore, explore_weighted, from_fn,
    parity_of_run,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

fn power(k: u32) -> BigRational {
    BigRational::new(BigInt::one(), BigInt::one() << k)
}

fn coin(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::new(num, den).unwrap()
}

// Right machines

#[test]
fn every_rational_coin_is_proved_and_optimal_with_24704_runs() {
    let mut runs = 0;
    for den in 1..=64u64 {
        for num in 0..=den {
            let tally = Explorer::new(12).tally(&coin(num, den));
            let target = BigRational::new(num.into(), den.into());
            let agreement = tally.against(&target).unwrap();
            assert!(agreement.is_optimal(), "{num}/{den}: {agreement}");
            assert_eq!(agreement.distance(), &tally.open());
            assert_eq!(tally.impossible_speed(&target), Ok(None));
            runs += tally.runs();
        }
    }
    assert_eq!(runs, 24_704);
}

#[test]
fn ten_thousand_digits_of_a_third() {
    let tally = Explorer::new(10_000).tally(&coin(1, 3));
    let agreement = tally.against(&q(1, 3)).unwrap();
    assert_eq!((agreement.places(), agreement.is_optimal()), (Some(10_000), true));
    assert_eq!(tally.runs(), 10_001);
    let digits = tally.digits(&true);
    assert!(
        digits.len() == 10_000 && digits.iter().zip(0..).all(|(&digit, k)| digit == (k % 2 == 1))
    );
    assert_eq!(tally.expected_bits(), q(2, 1) - power(9999));
}

#[test]
fn dice_are_proved_and_optimal() {
    for (n, depth, runs) in [(6, 100, 298), (200, 40, 3576)] {
        let tree = explore(&Die::new(n).unwrap(), depth);
        assert_eq!((tree.runs(), tree.leaves().count() as u64), (runs, runs));
        let agreement = tree.against(&Says(Die::new(n).unwrap())).unwrap();
        assert!(agreement.is_optimal());
        assert_eq!(agreement.distance(), &tree.open());
    }
}

#[test]
fn one_over_e_in_bits_and_by_weights() {
    let inverse_e = parity_of_run(Reciprocals);
    let tally = Explorer::new(28).tally(&inverse_e);
    assert_eq!(tally.runs(), 2517);
    let agreement = tally.against(&Says(inverse_e)).unwrap();
    assert!(agreement.distance() < &q(3, 1_000_000) && agreement.speed_depth() == 28);
    let weighed = explore_weighted(&inverse_e, 20);
    assert!(weighed.open() < &power(60) && weighed.runs() == 21 && weighed.open_runs() == 1);
    assert!(weighed.against(&Says(inverse_e), 64).unwrap().places() >= Some(60));
}

#[test]
fn a_certain_answer_is_known_at_depth_zero() {
    let tree = explore(&buffon::Always, 0);
    let agreement = tree.against(&q(1, 1)).unwrap();
    assert_eq!(
        (agreement.places(), agreement.to_string()),
        (None, "the law is the target, at depth 0, with the fewest bits possible".into())
    );
    let refusal = tree.against(&q(1, 2)).unwrap_err();
    assert_eq!(refusal.to_string(), "P(heads) is at least 1 after prefix , target 1/2");
    assert!(explore(&Fair, 0).against(&q(1, 3)).is_ok());
    assert_eq!(explore(&Fair, 0).open(), q(1, 1));
}

// The forms of the explorer agree with each other.

#[test]
fn tree_tally_and_leaves_agree() {
    let machine = Die::new(5).unwrap().zip(coin(2, 7));
    let (tree, tally) = (explore(&machine, 14), Explorer::new(14).tally(&machine));
    assert_eq!(tree.tally().open_nodes(), tally.open_nodes());
    for outcome in tally.outcomes() {
        let leaves = tree.leaves().filter(|leaf| leaf.outcome() == Some(outcome));
        let mass: BigRational =
            leaves.map(|leaf| power(u32::try_from(leaf.prefix().len()).unwrap())).sum();
        assert_eq!((tally.mass(outcome), tree.mass(outcome)), (mass.clone(), mass));
    }
    let open = tree.leaves().filter(|leaf| leaf.outcome().is_none()).count();
    assert_eq!(BigRational::from_integer(open.into()) * power(14), tally.open());
    // The image of the law is the law of the image.
    let (first, die) = (tally.map(|&(n, _)| n), Explorer::new(14).tally(&machine.map(|(n, _)| n)));
    assert!((0..5).all(|n| first.mass(&n) == die.mass(&n)) && first.open() == die.open());
}

#[test]
fn a_budget_of_runs_is_kept_and_used() {
    // Rejection from three bits doubles each three levels; a coin goes on for ever.
    let rejection = from_fn(|bits| {
        loop {
            let n = bits.try_bits(3)?;
            if n < 6 {
                return Ok(n);
            }
        }
    });
    for budget in [1, 2, 10, 100, 1000, 10_000] {
        let tally = Explorer::new(1000).max_runs(budget).tally(&rejection);
        assert!(tally.runs() <= budget);
        assert!(tally.runs() * 16 > budget, "{budget}: {}", tally.runs());
        let deep = Explorer::new(1000).max_runs(budget).tally(&coin(1, 3));
        assert!(deep.runs() <= budget && (deep.runs() * 8 > budget || deep.depth() == 1000));
        let weighed =
            Explorer::new(1000).max_runs(budget).weigh(&Die::new(100).unwrap().array::<3>());
        assert!(weighed.runs() <= budget);
    }
    assert_eq!(Explorer::new(50).max_runs(0).tally(&Fair).depth(), 0);
    // A finite tree is finished and its depth told.
    let tree = Explorer::new(50).max_runs(1000).tree(&Dyadic::new(3, 5).unwrap());
    assert!(tree.open().is_zero() && tree.depth() >= 5);
}

// Wrong machines, in the ways that samplers have been wrong

fn contradiction<T: PartialEq + Clone + std::fmt::Debug>(
    refusal: Result<Agreement, Refusal<T>>,
) -> (Side, u32, String) {
    let refusal = refusal.map(|agreement| agreement.to_string()).unwrap_err();
    let found = refusal.contradiction().unwrap();
    (found.side(), found.depth(), refusal.to_string())
}

#[test]
fn wrong_coins_are_refused_with_the_shortest_contradiction() {
    // The digit is returned before the flip where the remainder is zero.
    let early = from_fn(|bits| {
        for digit in [false, true] {
            if bits.try_bit()? {
                return Ok(digit);
            }
        }
        Ok(true)
    });
    let found = contradiction(explore(&early, 10).against(&q(3, 8)));
    assert_eq!(
        found,
        (Side::AtLeast, 2, "P(heads) is at least 1/2 after prefix TH, target 3/8".into())
    );
    // It gives up after 32 flips.
    let third = coin(1, 3);
    let gives_up = from_fn(|bits| {
        for k in 1..=32 {
            if bits.try_bit()? {
                return Ok(k % 2 == 0);
            }
        }
        Ok(false)
    });
    assert!(explore(&gives_up, 31).against(&q(1, 3)).is_ok());
    let found = contradiction(explore(&gives_up, 40).against(&Says(third)));
    assert_eq!((found.0, found.1), (Side::AtLeast, 32));
    // An 8-bit threshold: the law is 85/256.
    let threshold = from_fn(|bits| Ok(bits.try_bits(8)? < 85));
    let tally = Explorer::new(20).tally(&threshold);
    assert_eq!(contradiction(tally.against(&q(1, 3))).1, 8);
    assert_eq!(tally.impossible_speed(&q(1, 3)), Ok(Some(8)));
    // Modulo bias.
    let modulo = from_fn(|bits| Ok(bits.try_bits(3)? % 6));
    let found = contradiction(explore(&modulo, 10).against(&Says(Die::new(6).unwrap())));
    assert_eq!(
        found,
        (Side::AtLeast, 3, "P(0) is at least 1/4 after prefix THH, target 1/6".into())
    );
    // The upper side: heads hardly ever comes.
    let found = contradiction(explore(&Dyadic::new(1, 6).unwrap(), 10).against(&q(1, 3)));
    assert_eq!(
        (found.0, found.1, found.2),
        (Side::AtLeast, 2, "P(tails) is at least 3/4 after prefix TH, target 2/3".into())
    );
    let never = [(7u64, q(1, 2)), (1, q(1, 2))];
    let found = contradiction(Explorer::new(3).tally(&Die::new(8).unwrap()).against(&never));
    assert_eq!(found.2, "P(0) is at least 1/8 at depth 3, target 0");
}

#[test]
fn what_is_not_seen_is_missed_too() {
    let table = vec![(0u64, q(1, 4)), (1, q(1, 4)), (2, q(1, 2))];
    let found = contradiction(explore(&Die::new(2).unwrap(), 1).against(&table));
    assert_eq!(found, (Side::AtLeast, 1, "P(0) is at least 1/2 after prefix T, target 1/4".into()));
    // All that is open after three bits could not make up for outcome 0: 1/2 and 1/8 at most, target 3/4.
    let zero =
        from_fn(|bits| if bits.try_bit()? { Ok(0) } else { bits.try_bits(2).map(|n| n.max(1)) });
    let law = |x: &u64, _| Bracket::new(if *x == 0 { q(3, 4) } else { q(0, 1) }, q(3, 4));
    let found = contradiction(Explorer::new(9).tally(&zero).against(&law));
    assert_eq!(found, (Side::AtMost, 3, "P(0) is at most 1/2 at depth 3, target 3/4".into()));
}

#[test]
fn a_loop_that_is_broken_off_is_found_deep_down() {
    // 1/e with its loop broken off after eight heads: the law is wrong by 2.5e-6.
    let capped = from_fn(|bits| {
        let mut n = 1u64;
        while n < 8 {
            if !bits.try_ratio(1, n + 1)? {
                break;
            }
            n += 1;
        }
        Ok(n % 2 == 0)
    });
    let target = Says(parity_of_run(Reciprocals));
    assert!(Explorer::new(24).tally(&capped).against(&target).is_ok());
    let found = contradiction(Explorer::new(30).tally(&capped).against(&target));
    assert_eq!(found.1, 26);
    // By weights it takes ten runs.
    let weighed = explore_weighted(&capped, 20);
    assert!(weighed.open().is_zero() && weighed.runs() == 8);
    assert!(weighed.against(&target, 64).is_err());
}

#[test]
fn costs_tell_what_laws_do_not() {
    // The infinite form 0.0111… of 1/2: the law is right, the speed is not the optimum.
    let slow = from_fn(|bits| {
        let mut flips = 0u32;
        while !bits.try_bit()? {
            flips += 1;
        }
        Ok(flips > 0)
    });
    let agreement = explore(&slow, 20).against(&q(1, 2)).unwrap();
    assert!(!agreement.is_optimal());
    assert_eq!(agreement.excess_bits(), Some(&(q(1, 1) - power(19))));
    assert_eq!(agreement.speed_depth(), 20);
    assert_eq!(
        agreement.to_string(),
        "within 2^-20 of the target in total variation, at depth 20, with 0.999998… bits more than the optimum"
    );
    // The last level counts: after one flip a node is open that need not be, though nothing has been paid for it yet.
    let shallow = explore(&slow, 1).against(&q(1, 2)).unwrap();
    assert!(!shallow.is_optimal() && shallow.excess_bits().is_some_and(Zero::is_zero));
    // It stalls: one branch never ends.
    let stalls = from_fn(|bits| {
        if bits.try_bits(2)? == 3 {
            loop {
                bits.try_bit()?;
            }
        }
        Ok(())
    });
    let tally = Explorer::new(30).max_runs(1 << 12).tally(&stalls);
    assert_eq!(tally.tail(4, &q(1, 2)), Err(BrokenTail::Stalls { after: 2 }));
    let third = Explorer::new(30).tally(&coin(1, 3));
    assert_eq!(
        third.tail(1, &q(1, 2)),
        Ok(Bracket::new(q(2, 1) - power(29), q(2, 1) + power(29) - power(29)))
    );
    assert_eq!(third.tail(1, &q(2, 5)), Err(BrokenTail::Stalls { after: 0 }));
    assert_eq!(third.tail(30, &q(1, 2)).map(|_| ()), Ok(()));
    assert_eq!(third.tail(31, &q(1, 2)), Err(BrokenTail::TooShallow));
    assert_eq!(third.tail(0, &q(1, 2)), Err(BrokenTail::NotATail));
    assert_eq!(third.tail(1, &q(1, 1)), Err(BrokenTail::NotATail));
}

#[test]
fn machines_that_are_no_functions_of_their_bits_are_found_out() {
    // A coin that remembers its first answer, over runs.
    let known = Cell::new(None);
    let memo = from_fn(|bits| {
        let flip = if let Some(flip) = known.get() { flip } else { bits.try_bit()? };
        known.set(Some(flip));
        Ok(flip)
    });
    assert_eq!(explore(&memo, 5).fault(), Some(Fault::NotReproducible));
    // So it is within a budget, though from the second run on it looks like a certain answer.
    known.set(None);
    let tally = Explorer::new(5).max_runs(100).tally(&memo);
    assert_eq!(tally.fault(), Some(Fault::NotReproducible));
    // Another source of chance, of which the bits know nothing. It stops soon, however wild the paths.
    let hidden = Cell::new(1u64);
    let chance = from_fn(|bits| {
        hidden.set(hidden.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        bits.try_bits(u32::try_from(hidden.get() >> 60).unwrap_or(0))
    });
    let tree = explore(&chance, 64);
    assert!(!tree.is_reproducible() && tree.runs() < 100);
    assert!(matches!(tree.against(&[(0, q(1, 1))]), Err(Refusal::Fault(Fault::NotReproducible))));
    // It goes on after an error.
    struct Swallows;
    impl Machine for Swallows {
        type Output = bool;
        fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
            Ok(bits.try_bit().unwrap_or(true) || bits.try_bit().unwrap_or(true))
        }
    }
    let swallows = explore(&Swallows, 1);
    assert_eq!(swallows.fault(), Some(Fault::ErrorSwallowed));
    assert!(explore(&Swallows, 2).is_reproducible());
    assert!(!explore_weighted(&Swallows, 1).is_reproducible());
}

// Several outputs

#[test]
fn several_outputs_are_independent_or_found_out() {
    let third = coin(1, 3);
    let three = explore(&in_a_row(|| third, 3), 14).against(&Each(q(1, 3))).unwrap();
    assert!(!three.is_optimal() && three.places() >= Some(5));
    // One call with three outputs against the product of three different targets.
    let pair = explore(&third.zip(Die::new(3).unwrap()), 16);
    assert!(pair.against(&(q(1, 3), Says(Die::new(3).unwrap()))).is_ok());
    assert!(pair.against(&(q(2, 3), Says(Die::new(3).unwrap()))).is_err());
    // Two coins on the same bits.
    let shared = from_fn(|bits| {
        let flip = bits.try_bit()?;
        Ok([flip, if bits.try_bit()? { flip } else { bits.try_bit()? }])
    });
    assert!(contradiction(explore(&shared, 6).against(&Each(q(1, 2)))).2.contains("target 1/4"));
    // Each marginal is right.
    let tally = Explorer::new(6).tally(&shared);
    assert!((0..2).all(|place| tally.map(|pair| pair[place]).against(&q(1, 2)).is_ok()));
}

#[test]
fn a_recycler_is_independent_and_a_wrong_one_is_not() {
    // Small states, so that all of them are met: two dice of different sizes, and a coin, in a row.
    for s in [4, 6, 8] {
        let (three, five) = (Die::new(3).unwrap(), Die::new(5).unwrap());
        let recycled = from_fn(move |bits| {
            let mut bits = Recycler::with_state_bits(bits, s);
            Ok((
                three.try_sample(&mut bits)?,
                (five.try_sample(&mut bits)?, coin(1, 3).try_flip(&mut bits)?),
            ))
        });
        let tally = Explorer::new(60).max_runs(20_000).tally(&recycled);
        let target = (Says(three), (Says(five), q(1, 3)));
        let agreement = tally.against(&target).unwrap();
        assert!(agreement.places() >= Some(3), "{s}: {agreement}");
    }
    // Leftover c mod q kept as uniform on 0..q, though the roll was not taken from a multiple of q.
    let wrong = from_fn(|bits| {
        let c = bits.try_bits(6)?;
        if c >= 60 {
            return Ok(None);
        }
        Ok(Some((c % 6, c % 10)))
    });
    let sixty = |&(a, b): &(u64, u64)| if a < 6 && b < 10 { q(1, 64) } else { q(0, 1) };
    let law = |x: &Option<(u64, u64)>, _| Bracket::exact(x.as_ref().map_or(q(4, 64), sixty));
    assert!(explore(&wrong, 6).against(&law).is_err());
}

// Below the depth

#[test]
fn tails_are_sampled_from_their_conditional_law() {
    let inverse_e = parity_of_run(OneOver::new);
    let tree = explore(&inverse_e, 9);
    let below = tree.below(&inverse_e).unwrap();
    // The exact law of the tail: its tree against the difference of a deeper tree and this one, over the open mass.
    let (deeper, tail) = (Explorer::new(26).tally(&inverse_e), Explorer::new(16).tally(&below));
    let roll = explore(&Die::new(below.open_nodes()).unwrap(), 16);
    let width = tail.open();
    for side in [true, false] {
        let wanted = (deeper.mass(&side) - tree.mass(&side)) / tree.open();
        assert!(tail.mass(&side) <= &wanted + deeper.open() / tree.open());
        assert!(tail.mass(&side) + &width >= wanted, "{side}");
    }
    assert!(width < q(1, 20) && roll.is_reproducible());
    // A magnified bias: capped at nine heads it is wrong by 2.5e-6 in all, and by far more below 20 bits.
    assert!(explore(&Dyadic::new(3, 4).unwrap(), 4).below(Fair).is_none());
    let mut bits = BitBuffer::new(StdRng::seed_from_u64(3));
    let mut counted = Counted::new(&mut bits);
    assert!((0..100).filter(|_| below.sample(&mut counted)).count() < 100);
    assert!(format!("{below:?}").starts_with("Below { machine: "));
}

#[test]
fn leaks_are_bracketed() {
    // The length of a die's roll does not depend on the side where all sides are alike.
    let even = Explorer::new(40).tally(&Die::new(4).unwrap()).leak(4, 30);
    assert!(even.low().is_zero() && *even.high() < power(20));
    // One bit for one answer, two bits for two others: H(X) = 3/2, and the length tells one bit.
    let chooser = Weighted::new([2, 1, 1]).unwrap();
    let leak = Explorer::new(10).tally(&chooser).leak(3, 30);
    assert!(leak.contains(&q(1, 1)) && leak.width() < power(20), "{leak:.8}");
    // The bracket narrows as the depth grows, and brackets are nested.
    let coin = coin(2, 5);
    let (rough, fine) =
        (Explorer::new(8).tally(&coin).leak(2, 40), Explorer::new(50).tally(&coin).leak(2, 40));
    assert!(rough.low() <= fine.low() && fine.high() <= rough.high() && fine.width() < power(30));
}

// Found by mutation: what each of these asserts, nothing else did.

#[test]
fn each_side_of_a_contradiction_is_seen_by_itself() {
    // One outcome is wrong and the other is not, so that no complement helps.
    let claim = |heads: BigRational| {
        move |x: &bool, _: u32| Bracket::exact(if *x { heads.clone() } else { q(3, 4) })
    };
    let quarter = Fair.then(Fair);
    for (heads, side) in [(q(1, 5), Side::AtLeast), (q(1, 3), Side::AtMost)] {
        // 1/3 = 0.0101… in binary: its digits down to the depth are those of 1/4, and the rest is missing.
        let refusal = explore(&quarter, 2).against(&claim(heads.clone())).unwrap_err();
        assert_eq!(refusal.contradiction().unwrap().side(), side);
        let refusal = explore_weighted(&quarter, 2).against(&claim(heads), 64).unwrap_err();
        assert_eq!(refusal.contradiction().unwrap().side(), side);
    }
    // The last straw is the leaf that goes beyond the target, not the one that reaches it.
    let three_quarters = from_fn(|bits| Ok(bits.try_bits(2)? != 0));
    let refusal = explore(&three_quarters, 2).against(&q(1, 2)).unwrap_err();
    assert_eq!(refusal.contradiction().unwrap().prefix(), Some(&[true, true][..]));
}

#[test]
fn what_a_target_does_not_list_may_be_anywhere() {
    let law = buffon::Law::new(vec![(true, Bracket::exact(q(1, 4)))], q(3, 4));
    assert!(explore(&Fair, 4).against(&law).is_ok()); // half of the rest is heads too
    let wide = |_: &bool, _: u32| Bracket::new(q(1, 10), q(4, 10));
    assert_eq!(wide.wanted(&[true], 8).unwrap().unlisted(), &q(9, 10));
}

#[test]
fn bounds_of_costs_are_what_they_should_be() {
    // E = Σ r_k over k < 6, and the declared tail adds 3·r_6/(1 − 1/4): r_3 = 1/4, r_6 = 1/16.
    let tally = Explorer::new(6).tally(&Die::new(6).unwrap());
    let bits = tally.tail(3, &q(1, 4)).unwrap();
    assert_eq!(bits.width(), tally.open() * q(3, 1) / q(3, 4));
    // What is cut off has no upper bound.
    let parity = explore_weighted(&coin(1, 3).parity_of_run(), 5).expected_bits(8);
    assert!(parity.high().is_none());
    // The same answer at another cost is not the same.
    let dearer = from_fn(|bits| {
        if bits.try_bits(16)? < 100 {
            bits.try_bit()?;
        }
        Ok(true)
    });
    let cost = Explorer::new(2).words(&dearer).expected_bits(8);
    assert_eq!(cost.bracket(), Some(Bracket::exact(q(16, 1) + q(100, 1 << 16))));
}

#[test]
fn what_differs_only_once_or_only_in_what_it_asks_is_found_out() {
    // Each of the first runs is repeated: once is enough.
    for wrong in [2, 4] {
        let calls = Cell::new(0);
        let once = from_fn(|bits| {
            calls.set(calls.get() + 1);
            Ok(bits.try_bit()? != (calls.get() == wrong))
        });
        assert_eq!(explore(&once, 4).fault(), Some(Fault::NotReproducible), "{wrong}");
    }
    let calls = Cell::new(0);
    let asks = from_fn(|bits| {
        calls.set(calls.get() + 1);
        bits.try_ratio(1, 3 + calls.get() % 2)
    });
    assert_eq!(explore_weighted(&asks, 4).fault(), Some(Fault::NotReproducible));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A coin against another one's probability: refused exactly where the digits differ, within the depth.
    #[test]
    fn coins_are_told_apart_where_their_digits_differ(
        (a, b) in (1u64..40).prop_flat_map(|b| (0..=b, Just(b))),
        (c, d) in (1u64..40).prop_flat_map(|d| (0..=d, Just(d))),
    ) {
        let (p, r) = (BigRational::new(a.into(), b.into()), BigRational::new(c.into(), d.into()));
        let tree = explore(&coin(a, b), 14);
        let verdict = tree.against(&r);
        prop_assert_eq!(verdict.is_ok(), p == r, "{} {}", p, r);
        if let Err(refusal) = verdict {
            let found = refusal.contradiction().unwrap();
            let k = found.depth();
            prop_assert!(Explorer::new(k).tally(&coin(a, b)).against(&r).is_err());
            prop_assert!(k == 0 || Explorer::new(k - 1).tally(&coin(a, b)).against(&r).is_ok());
        }
    }

    /// The explored cost and law lie within those of algebra.
    #[test]
    fn the_law_by_algebra_is_a_target(a in 1u64..9, n in 1u64..9, m in 1u64..5) {
        let machine = coin(a, 9).mix(Die::new(n).unwrap(), Die::new(m).unwrap()).zip(coin(1, a));
        let tally = Explorer::new(12).tally(&machine);
        prop_assert!(tally.against(&Says(&machine)).is_ok());
        prop_assert!(tally.expected_bits() <= *machine.expected_bits(40).high());
        let weighed = explore_weighted(&machine, 3);
        prop_assert_eq!(weighed.against(&Says(&machine), 60).map(|found| found.places()), Ok(None));
        let cost = weighed.expected_bits(80).bracket().unwrap();
        prop_assert!(cost.low() <= machine.expected_bits(70).high() && cost.high() >= machine.expected_bits(70).low());
    }
}
