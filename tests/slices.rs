//! The slicing of the unit interval, by rational ends and by ends known only by bounds, and the three-way method.
#![cfg(feature = "exact")]

mod support;

use std::collections::BTreeSet;

use buffon::{
    Always, Bracket, Coin, Cut, Dyadic, Fair, KnownLaw, LawError, Machine, Never, Rational,
    Reciprocals, Script, SliceError, Slices, Tail, ThreeWay, explore, from_fn, parity_of_run,
};
use num_bigint::BigInt;
use num_rational::{BigRational, Ratio};
use num_traits::{One, Zero};
use support::{Law, coin_law, kappa, q, refuse_cost, refuse_law, refuse_optimal, two_to_minus};

fn cuts(ends: &[BigRational]) -> Slices {
    Slices::new(ends.iter().cloned()).unwrap()
}

/// The lengths of the slices.
fn lengths(ends: &[BigRational]) -> Law<usize> {
    let starts = [q(0, 1)].into_iter().chain(ends.iter().cloned());
    let ends = ends.iter().cloned().chain([q(1, 1)]);
    starts.zip(ends).map(|(start, end)| end - start).enumerate().collect()
}

/// How many cells of length 2^-k have an end inside: those that can not be decided.
fn cells(ends: &[BigRational], k: u32) -> usize {
    let scaled = ends.iter().map(|end| end * (BigInt::one() << k));
    let inside = scaled.filter(|end| !end.is_integer()).map(|end| end.floor().to_integer());
    inside.collect::<BTreeSet<_>>().len()
}

/// All lists of at most three ends in order, from a set with endless, dyadic and certain ones.
fn lists() -> Vec<Vec<BigRational>> {
    let ends = [q(0, 1), q(1, 8), q(1, 3), q(3, 8), q(1, 2), q(4, 7), q(2, 3), q(31, 32), q(1, 1)];
    let mut lists = vec![vec![]];
    for first in 0..ends.len() {
        lists.push(vec![ends[first].clone()]);
        for second in first..ends.len() {
            lists.push(vec![ends[first].clone(), ends[second].clone()]);
            for third in second..ends.len() {
                lists.push([first, second, third].map(|at| ends[at].clone()).to_vec());
            }
        }
    }
    lists
}

#[test]
fn slices_with_rational_ends_are_exact_and_stop_as_soon_as_they_can() {
    for ends in lists() {
        let tree = explore(&cuts(&ends), 16);
        assert_eq!(refuse_law(&tree, &lengths(&ends)), None, "{ends:?}");
        for k in 0..=16 {
            let open = q(cells(&ends, k), 1) * two_to_minus(k);
            assert_eq!(tree.open_after(k), open, "{ends:?} after {k}");
        }
        // Every end of digits is decided by its last one, at once on both sides.
        let dyadic = ends.iter().all(|end| (end * BigInt::from(32)).is_integer());
        assert!(!dyadic || explore(&cuts(&ends), 5).open().is_zero(), "{ends:?}");
        // A slice without length is never chosen.
        for (slice, length) in lengths(&ends) {
            assert!(!length.is_zero() || !tree.outcomes().contains(&slice), "{ends:?}: {slice}");
        }
    }
}

#[test]
fn the_law_and_the_cost_by_algebra_are_those_of_the_tree() {
    for ends in lists() {
        let slices = cuts(&ends);
        let law = slices.law(64).unwrap();
        assert!(law.is_exact());
        for (slice, length) in lengths(&ends) {
            assert_eq!(law.mass(&slice), Bracket::exact(length), "{ends:?}: {slice}");
        }
        let cost = slices.expected_bits(64);
        assert!(cost.is_exact(), "{ends:?}: {cost}");
        let tree = explore(&slices, 40);
        assert_eq!(refuse_cost(&tree, cost.low(), &two_to_minus(37)), None, "{ends:?}");
        match slices.tail() {
            Tail::Bounded(bits) => {
                let bits = u32::try_from(bits).unwrap();
                assert!(tree.open_after(bits).is_zero());
                assert!(bits == 0 || !tree.open_after(bits - 1).is_zero(), "{ends:?}");
            }
            tail => assert!(tail == Tail::Exponential && !tree.open().is_zero(), "{ends:?}"),
        }
    }
    assert_eq!(cuts(&[q(1, 3), q(2, 3)]).expected_bits(8), Bracket::exact(q(3, 1)));
    assert_eq!(cuts(&[q(1, 3)]).expected_bits(8), Bracket::exact(q(2, 1)));
}

#[test]
fn one_end_is_an_optimal_coin() {
    for (a, b) in (1..=16u8).flat_map(|b| (0..=b).map(move |a| (a, b))) {
        let slices = Slices::new([Ratio::new(a, b)]).unwrap();
        let coin = slices.map(|slice| slice == 0);
        assert_eq!(refuse_optimal(&explore(&coin, 24), &coin_law(q(a, b))), None, "{a}/{b}");
    }
}

#[test]
fn the_cost_is_at_most_the_entropy_and_three() {
    use num_traits::ToPrimitive;
    let mut most: f64 = 0.0;
    let thin =
        (1..40u32).map(|k| vec![q(1, 3) - two_to_minus(k + 2), q(1, 3) + two_to_minus(k + 2)]);
    for ends in lists().into_iter().chain(thin) {
        let entropy: f64 = lengths(&ends)
            .iter()
            .filter_map(|(_, length)| length.to_f64().filter(|&p| p > 0.0))
            .map(|p| -p * p.log2())
            .sum();
        let cost = cuts(&ends).expected_bits(40).high().to_f64().unwrap();
        assert!(
            entropy - 1e-9 < cost && cost < entropy + 3.0 + 1e-9,
            "{ends:?}: {cost}, {entropy}"
        );
        most = most.max(cost - entropy);
    }
    assert!(most > 1.9, "the bound is not idle: {most}");
}

#[test]
fn a_thousand_slices_are_the_slices_of_a_die() {
    let ends: Vec<_> = (1..1001).map(|i| Ratio::new(i, 1001u32)).collect();
    let tree = explore(&Slices::new(ends).unwrap(), 14);
    let law = (0..1001usize).map(|slice| (slice, q(1, 1001))).collect::<Vec<_>>();
    assert_eq!(refuse_law(&tree, &law), None);
    assert_eq!(tree.open(), q(1000, 1) * two_to_minus(14));
}

#[test]
fn the_examples_of_the_source() {
    let chosen = |slices: &Slices, flips: &str| {
        let mut bits = Script::from_str(flips).unwrap();
        (slices.try_sample(&mut bits), bits.position())
    };
    // Heads is zero, tails is one: HHTHT is 0.00101 = 5/32, and so the cell from there to 6/32.
    let slices = Slices::new([Ratio::new(5, 32), Ratio::new(6, 32)]).unwrap();
    assert_eq!(chosen(&slices, "HHTHTT"), (Ok(1), 5));
    assert_eq!(chosen(&slices, "HHTHH"), (Ok(0), 5));
    // A slice from 1/2 to 5/8: tails, heads, heads is certain.
    let slices = Slices::new([Ratio::new(1, 2), Ratio::new(5, 8)]).unwrap();
    assert_eq!(chosen(&slices, "THHH"), (Ok(1), 3));
    assert_eq!(chosen(&slices, "H"), (Ok(0), 1));
    // Equal chances for four things: two tosses.
    let slices = Slices::new([Ratio::new(1, 4), Ratio::new(1, 2), Ratio::new(3, 4)]).unwrap();
    for (slice, flips) in ["HH", "HT", "TH", "TT"].into_iter().enumerate() {
        assert_eq!(chosen(&slices, flips), (Ok(slice), 2));
    }
}

// Ends that are known only by bounds.

/// 1/√2 within 2^-precision: its first digits are ⌊√(2^(2p − 1))⌋.
fn inverse_root_two(precision: u32) -> Bracket {
    let p = precision + 1;
    let digits = (BigInt::one() << (2 * p - 1)).sqrt();
    Bracket::new(q(digits.clone(), BigInt::one() << p), q(digits + 1, BigInt::one() << p))
}

/// 1/e within 2^-precision, between two partial sums of its series.
fn inverse_e(precision: u32) -> Bracket {
    let (mut term, mut sum, mut n) = (q(1, 1), q(1, 1), 0);
    loop {
        n += 1;
        term = -term / BigInt::from(n);
        let last = sum.clone();
        sum += &term;
        let bracket = Bracket::new(last, sum.clone());
        if bracket.width() <= two_to_minus(precision) {
            return bracket;
        }
    }
}

/// Bounds of a rational number that never become exact.
fn never_exact(value: BigRational) -> Cut {
    Cut::bounds(move |precision| {
        let margin = two_to_minus(precision + 1) * q(2, 3);
        Bracket::new(&value - &margin, &value + &margin)
    })
}

#[test]
fn ends_at_one_over_e_and_one_over_root_two_have_their_law() {
    let slices = Slices::new([Cut::bounds(inverse_e), Cut::bounds(inverse_root_two)]).unwrap();
    let tree = explore(&slices, 60);
    let (e, root) = (inverse_e(200), inverse_root_two(200));
    let enclosures = [
        e.clone(),
        Bracket::new(root.low() - e.high(), root.high() - e.low()),
        Bracket::new(q(1, 1) - root.high(), q(1, 1) - root.low()),
    ];
    for (slice, enclosure) in enclosures.iter().enumerate() {
        let mass = tree.mass(&slice);
        assert!(mass <= *enclosure.low() && *enclosure.high() <= &mass + tree.open(), "{slice}");
        let law = slices.law(100).unwrap().mass(&slice);
        assert!(law.width() < two_to_minus(98));
        assert!(law.low() <= enclosure.high() && enclosure.low() <= law.high());
    }
    // Both lie inside a cell of their own from the first toss on: one node, then two, at every depth.
    assert!((1..=60).all(|k| tree.open_after(k) == q(2, 1) * two_to_minus(k)));
    let cost = slices.expected_bits(50);
    assert!(cost.contains(&q(3, 1)) && cost.width() <= two_to_minus(50), "{cost}");
    assert_eq!(slices.tail(), Tail::Exponential);
}

#[test]
fn an_irrational_end_is_an_optimal_coin_of_a_hundred_certain_digits() {
    let slices = Slices::new([Cut::bounds(inverse_root_two)]).unwrap();
    let tree = explore(&slices, 128);
    assert_eq!(tree.open(), two_to_minus(128));
    // The mass of the first slice is the number cut off after 128 digits.
    let digits = "b504f333f9de6484597d89b3754abe9f";
    let value = BigInt::parse_bytes(digits.as_bytes(), 16).unwrap();
    assert_eq!(tree.mass(&0), q(value, BigInt::one() << 128));
}

#[test]
fn exact_and_bounded_ends_stand_in_one_list() {
    for ends in lists().into_iter().filter(|ends| ends.len() <= 2) {
        let law = lengths(&ends);
        for kinds in 0..1u32 << ends.len() {
            let cut = |(place, end): (usize, &BigRational)| {
                if kinds >> place & 1 == 1 { never_exact(end.clone()) } else { end.clone().into() }
            };
            let slices = Slices::new(ends.iter().enumerate().map(cut)).unwrap();
            let tree = explore(&slices, 8);
            assert_eq!(refuse_law(&tree, &law), None, "{slices:?}");
            // An end of few digits that is not known to be one is not told apart: at most two cells, to the left and right.
            assert!(tree.open() <= q(2 * ends.len(), 1) * two_to_minus(8), "{slices:?}");
            let cost = slices.expected_bits(10);
            let rest = two_to_minus(7) * q(2 * ends.len(), 1) + two_to_minus(10);
            assert_eq!(refuse_cost(&tree, cost.high(), &rest), None, "{slices:?}");
            assert!(
                slices
                    .law(30)
                    .unwrap()
                    .outcomes()
                    .iter()
                    .all(|(slice, length)| { length.contains(&law[*slice].1) })
            );
        }
    }
}

#[test]
fn a_bounded_end_off_the_binary_grid_costs_no_more_than_an_exact_one() {
    for end in [q(1, 3), q(2, 5), q(5, 7), q(1, 2) + two_to_minus(50)] {
        let exact = explore(&cuts(std::slice::from_ref(&end)), 40);
        let bounded = explore(&Slices::new([never_exact(end.clone())]).unwrap(), 40);
        assert!((0..=40).all(|k| exact.open_after(k) == bounded.open_after(k)), "{end}");
    }
}

#[test]
fn the_probability_of_a_coin_is_an_end() {
    let third = Rational::<u64>::new(1, 3).unwrap();
    let slices = Slices::new([
        Cut::of(Never).unwrap(),
        Cut::of(third).unwrap(),
        Cut::of(third.or_else(Dyadic::new(1, 2).unwrap())).unwrap(),
        Cut::of(Always).unwrap(),
    ]);
    let slices = slices.unwrap();
    assert_eq!(
        refuse_law(&explore(&slices, 20), &lengths(&[q(0, 1), q(1, 3), q(1, 2), q(1, 1)])),
        None
    );
    assert!(explore(&slices, 20).outcomes().iter().all(|slice| (1..=3).contains(slice)));
    // A coin of irrational probability.
    let slices = Slices::new([Cut::of(parity_of_run(Reciprocals)).unwrap()]).unwrap();
    let by_series = Slices::new([Cut::bounds(inverse_e)]).unwrap();
    let [coin, series] = [explore(&slices, 30), explore(&by_series, 30)];
    assert_eq!((coin.mass(&0), coin.open()), (series.mass(&0), two_to_minus(30)));
    let impossible = Cut::of(Fair.condition(|_| false));
    assert_eq!(impossible.err(), Some(LawError::Impossible));
}

// What is refused.

#[test]
fn bad_cuts_are_refused_with_their_index() {
    let refused = |cuts: Vec<Cut>| Slices::new(cuts).err();
    let at = |num: i64, den: i64| Cut::from(Ratio::new_raw(num, den));
    assert_eq!(refused(vec![at(1, 2), at(1, 0)]), Some(SliceError::ZeroDenominator { index: 1 }));
    assert_eq!(refused(vec![at(0, 0)]), Some(SliceError::ZeroDenominator { index: 0 }));
    assert_eq!(refused(vec![at(-1, 2)]), Some(SliceError::Outside { index: 0 }));
    assert_eq!(refused(vec![at(1, i64::MIN)]), Some(SliceError::Outside { index: 0 }));
    assert_eq!(refused(vec![at(1, 2), at(3, 2)]), Some(SliceError::Outside { index: 1 }));
    assert_eq!(refused(vec![at(1, 2), at(1, 3)]), Some(SliceError::OutOfOrder { index: 1 }));
    // Neither neighbour of the wide one contradicts it, but the last is below the first.
    let wide = Cut::bounds(|_| Bracket::new(q(0, 1), q(1, 1)));
    let list = vec![at(1, 2), wide.clone(), at(1, 3)];
    assert_eq!(refused(list), Some(SliceError::OutOfOrder { index: 2 }));
    let list = vec![Cut::bounds(inverse_root_two), Cut::bounds(inverse_e)];
    assert_eq!(refused(list), Some(SliceError::OutOfOrder { index: 1 }));
    assert_eq!(refused(vec![never_exact(q(-1, 1000))]), Some(SliceError::Outside { index: 0 }));
    assert_eq!(refused(vec![never_exact(q(1001, 1000))]), Some(SliceError::Outside { index: 0 }));
    // Right at the ends, equal, in any form: no mistake.
    let list =
        vec![never_exact(q(0, 1)), at(0, 1), at(-1, -2), at(2, 4), never_exact(q(1, 2)), at(1, 1)];
    assert_eq!(refused(list), None);
    for error in [
        SliceError::ZeroDenominator { index: 1 },
        SliceError::Outside { index: 1 },
        SliceError::OutOfOrder { index: 1 },
    ] {
        assert!(error.to_string().starts_with("cut 1 is") || error.to_string().contains("zero"));
    }
    // Bounds that never narrow are no end, but tossing goes on and nothing breaks.
    assert!(Slices::new([wide]).unwrap().try_sample(&mut Script::from(vec![true; 50])).is_err());
    let mut none = Script::from(vec![]);
    assert_eq!(Slices::new(Vec::<Cut>::new()).unwrap().try_sample(&mut none), Ok(0));
}

#[test]
fn wrong_slicers_are_refused() {
    let ends = [q(1, 3), q(5, 8)];
    let law = lengths(&ends);
    assert_eq!(refuse_law(&explore(&cuts(&ends), 12), &law), None);
    // Ends rounded to a byte; heads read as one; the answer given from the cell's left end before it is certain.
    let rounded = cuts(&[q(85, 256), q(5, 8)]);
    assert!(refuse_law(&explore(&rounded, 12), &law).is_some());
    let mirrored = cuts(&ends).map(|slice| 2 - slice);
    assert!(refuse_law(&explore(&mirrored, 12), &law).is_some());
    let hasty = from_fn(|bits| {
        let digits = (0..4).try_fold(0, |x, _| Ok(2 * x + u32::from(!bits.try_bit()?)))?;
        Ok(ends.iter().filter(|end| q(digits, 16) >= **end).count())
    });
    assert!(refuse_law(&explore(&hasty, 12), &law).is_some());
}

// The three-way method.

/// The method by its words.
fn three_way(tosses: &[bool]) -> Option<(usize, usize)> {
    let both = (2..=tosses.len()).find(|&n| tosses[n - 1] != tosses[0])?;
    Some(match (both % 2, tosses[both - 1]) {
        (1, _) => (0, both),
        (_, true) => (1, both),
        (_, false) => (2, both),
    })
}

#[test]
fn the_three_way_method_is_exact_at_three_bits() {
    let tree = explore(&ThreeWay, 40);
    let law: Law<usize> = (0..3).map(|person| (person, q(1, 3))).collect();
    assert_eq!(refuse_law(&tree, &law), None);
    assert!((1..=40).all(|k| tree.open_after(k) == q(2, 1) * two_to_minus(k)));
    assert_eq!(refuse_cost(&tree, &q(3, 1), &two_to_minus(38)), None);
    assert_eq!(ThreeWay.expected_bits(10), Bracket::exact(q(3, 1)));
    assert_eq!(ThreeWay.law(10).unwrap().mass(&2), Bracket::exact(q(1, 3)));
    for leaf in tree.leaves() {
        let expected = three_way(leaf.prefix());
        assert_eq!(leaf.outcome().map(|&person| (person, leaf.prefix().len())), expected);
    }
}

#[test]
fn the_three_way_method_is_the_slicing_with_heads_read_alternately() {
    // Turned over on every second toss, each end of its tree is an end of the slicing at 1/3 and 2/3: the first person has
    // the slice in the middle, the second the last one, the third the first. A bijection of all ends to depth 24.
    let slices = Slices::new([Ratio::new(1, 3), Ratio::new(2, 3)]).unwrap();
    let slice_of = [1, 2, 0];
    let by_tosses = explore(&ThreeWay, 24);
    let mut turned: Vec<_> = by_tosses
        .leaves()
        .map(|leaf| {
            let read =
                leaf.prefix().iter().enumerate().map(|(place, &toss)| toss ^ (place % 2 == 1));
            (read.collect::<Vec<_>>(), leaf.outcome().map(|&person| slice_of[person]))
        })
        .collect();
    turned.sort();
    let by_digits = explore(&slices, 24);
    let ends: Vec<_> =
        by_digits.leaves().map(|leaf| (leaf.prefix().to_vec(), leaf.outcome().copied())).collect();
    assert_eq!(turned, ends);
    // Without turning, the trees differ.
    let plain: Vec<_> =
        by_tosses.leaves().map(|leaf| (leaf.prefix().to_vec(), leaf.outcome().copied())).collect();
    assert_ne!(plain, ends);
}

#[test]
fn kappa_is_the_cost_of_one_end() {
    for (a, b) in (1..=12u8).flat_map(|b| (0..=b).map(move |a| (a, b))) {
        let cost = cuts(&[q(a, b)]).expected_bits(20);
        assert_eq!(cost, Bracket::exact(kappa(&q(a, b))), "{a}/{b}");
    }
}
