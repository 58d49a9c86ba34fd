//! Wrong coins, dice, combinators and choosers, planted, and each refused by the checks that the true ones pass.
#![cfg(feature = "exact")]

mod support;

use std::fmt::Debug;
use std::num::NonZeroU64;

use buffon::{Coin, Die, Machine, OneOver, Rational, Tree, explore, from_fn, parity_of_run, run};
use num_rational::BigRational;
use support::{
    Law, coin_law, kappa, q, refuse_cost, refuse_law, refuse_optimal, two_to_minus, uniform,
};

/// The least depth at which a check refuses the machine.
fn caught<M: Machine<Output: PartialEq>>(
    machine: &M,
    most: u32,
    check: impl Fn(&Tree<M::Output>) -> Option<String>,
) -> Option<u32> {
    (0..=most).find(|&depth| check(&explore(machine, depth)).is_some())
}

/// Where the law is first contradicted.
fn law_at<M: Machine>(machine: &M, law: &Law<M::Output>, most: u32) -> Option<u32>
where
    M::Output: PartialEq + Debug,
{
    caught(machine, most, |tree| refuse_law(tree, law))
}

/// Where the claim of an optimal machine is first contradicted.
fn optimal_at<M: Machine>(machine: &M, law: &Law<M::Output>, most: u32) -> Option<u32>
where
    M::Output: PartialEq + Debug,
{
    caught(machine, most, |tree| refuse_optimal(tree, law))
}

/// Where a stated cost is first exceeded.
fn cost_at<M: Machine<Output: PartialEq>>(
    machine: &M,
    cost: &BigRational,
    most: u32,
) -> Option<u32> {
    caught(machine, most, |tree| refuse_cost(tree, cost, cost))
}

/// A coin a/b by long division, with a rule of its own for each step: it sees the digit, the next remainder and the source.
fn long_division(a: u64, b: u64, at_most: bool, early: bool, limit: u32) -> impl Coin {
    from_fn(move |bits| {
        let mut rest = a;
        for _ in 0..limit {
            if rest == 0 {
                return Ok(false);
            }
            let digit = if at_most { 2 * rest >= b } else { 2 * rest > b };
            rest = 2 * rest - if digit { b } else { 0 };
            if (early && rest == 0) || bits.try_bit()? {
                return Ok(digit);
            }
        }
        Ok(false)
    })
}

#[test]
fn true_coins_pass() {
    for (a, b) in [(3, 8), (1, 3), (2, 5)] {
        let law = coin_law(q(a, b));
        assert_eq!(optimal_at(&Rational::<u64>::new(a, b).unwrap(), &law, 40), None);
        assert_eq!(optimal_at(&long_division(a, b, true, false, u32::MAX), &law, 40), None);
    }
    // Behaviour may differ where the law and the cost do not: stopping at tails.
    let third = Rational::<u64>::new(1, 3).unwrap();
    let at_tails = from_fn(move |bits| {
        let mut rest = 1u64;
        loop {
            let digit = 2 * rest >= 3;
            rest = 2 * rest - if digit { 3 } else { 0 };
            if !bits.try_bit()? {
                return Ok(digit);
            }
        }
    });
    assert_eq!(optimal_at(&at_tails, &coin_law(q(1, 3)), 40), None);
    assert_eq!(optimal_at(&third.not(), &coin_law(q(2, 3)), 40), None);
}

#[test]
fn c1_a_digit_answered_before_its_flip_at_remainder_zero() {
    assert_eq!(law_at(&long_division(3, 8, true, true, u32::MAX), &coin_law(q(3, 8)), 12), Some(2));
    assert_eq!(law_at(&long_division(1, 2, true, true, u32::MAX), &coin_law(q(1, 2)), 12), Some(0));
}

#[test]
fn c3_the_expansion_that_never_ends() {
    let machine = long_division(3, 8, false, false, u32::MAX);
    assert_eq!(law_at(&machine, &coin_law(q(3, 8)), 12), None); // the law is right
    assert_eq!(optimal_at(&machine, &coin_law(q(3, 8)), 12), Some(3));
    assert_eq!(cost_at(&machine, &kappa(&q(3, 8)), 12), Some(4));
}

#[test]
fn c7_giving_up_after_32_flips() {
    let machine = long_division(1, 3, true, false, 32);
    assert_eq!(law_at(&machine, &coin_law(q(1, 3)), 40), Some(32));
}

#[test]
fn c12_a_threshold_of_8_bits() {
    let machine = from_fn(|bits| Ok(bits.try_bits(8)? < 85));
    assert_eq!(law_at(&machine, &coin_law(q(1, 3)), 8), Some(8));
    assert_eq!(optimal_at(&machine, &coin_law(q(1, 3)), 8), Some(1));
    let float = from_fn(|bits| Ok(bits.try_tails()? >= 3)); // 1/8 for 1/7
    assert!(law_at(&float, &coin_law(q(1, 7)), 12).is_some());
}

/// The fast dice roller, with a rule of its own for what is left when the value is no side.
fn roller(
    n: u64,
    left: impl Fn(u64, u64, u64) -> (u64, u64) + Copy + Send + Sync,
) -> impl Machine<Output = u64> {
    from_fn(move |bits| {
        let (mut value, mut range) = (0, 1);
        loop {
            value = 2 * value + u64::from(bits.try_bit()?);
            range *= 2;
            if range >= n {
                if value < n {
                    return Ok(value);
                }
                (value, range) = left(value, range, n);
            }
        }
    })
}

#[test]
fn true_dice_pass() {
    for n in [3, 5, 6, 7] {
        assert_eq!(optimal_at(&Die::new(n).unwrap(), &uniform(n), 24), None);
        // New flips as the low digits instead of the high ones.
        let low_first = roller(n, |value, range, n| (value - n, range - n));
        assert_eq!(optimal_at(&low_first, &uniform(n), 24), None);
    }
}

#[test]
fn d1_modulo() {
    let machine = from_fn(|bits| Ok(bits.try_bits(3)? % 6));
    assert_eq!(law_at(&machine, &uniform(6), 8), Some(3));
}

#[test]
fn d3_the_value_dropped_and_the_range_kept() {
    let machine = roller(5, |_, range, n| (0, range - n));
    assert_eq!(law_at(&machine, &uniform(5), 8), Some(4));
}

#[test]
fn d6_the_range_kept_and_the_value_reduced() {
    let machine = roller(6, |value, range, n| (value - n, range.min(1 << 40)));
    let at = optimal_at(&machine, &uniform(6), 8).or_else(|| law_at(&machine, &uniform(6), 8));
    assert!(at.is_some_and(|depth| depth <= 5), "{at:?}");
}

#[test]
fn d_rejection_is_exact_but_not_optimal() {
    for (n, cost) in [(5u64, q(24, 5)), (6, q(4, 1))] {
        let die = Die::new(8).unwrap().condition(move |&side| side < n);
        assert_eq!(law_at(&die, &uniform(n), 15), None);
        assert_eq!(refuse_cost(&explore(&die, 18), &cost, &two_to_minus(3)), None);
        assert!(optimal_at(&die, &uniform(n), 9).is_some());
    }
}

/// An enclosure of 1/e narrower than 2^-60, as a law that is refused only by more than that.
fn inverse_e() -> Law<bool> {
    let mut term = q(1, 1);
    let sum = (1..=21i64).fold(q(1, 1), |sum, n| {
        term = -&term / num_bigint::BigInt::from(n);
        sum + &term
    });
    coin_law(sum)
}

#[test]
fn e1_parity_off_by_one() {
    let machine = run(OneOver::new).map(|heads| heads % 2 == 1);
    assert_eq!(law_at(&machine, &inverse_e(), 24), Some(1));
    assert_eq!(law_at(&parity_of_run(OneOver::new), &inverse_e(), 24), None);
    // The free first coin left out, and put in by hand.
    let from_two = |n: NonZeroU64| OneOver::new(n.saturating_add(1));
    assert_eq!(law_at(&run(from_two).map(|heads| heads % 2 == 1), &inverse_e(), 24), None);
    assert!(law_at(&parity_of_run(from_two), &inverse_e(), 24).is_some());
}

#[test]
fn e5_a_loop_capped_at_nine() {
    // No coin is flipped from the ninth on: 1/9! − 1/10! + … = 2.5e-6 too little.
    let capped = |n: NonZeroU64| Rational::<u64>::new(u64::from(n.get() < 9), n.get()).unwrap();
    let machine = parity_of_run(capped);
    assert!(refuse_law(&explore(&machine, 25), &inverse_e()).is_none());
    assert!(refuse_law(&explore(&machine, 26), &inverse_e()).is_some());
}

fn third_and_two_fifths() -> (Rational<u64>, Rational<u64>) {
    (Rational::<u64>::new(1, 3).unwrap(), Rational::<u64>::new(2, 5).unwrap())
}

#[test]
fn k1_both_coins_on_the_same_flips() {
    let digit = |a: u64, b: u64, place: u32| (a << place) / b % 2 == 1;
    let machine = from_fn(move |bits| {
        let place = u32::try_from(bits.try_tails()?).unwrap_or(u32::MAX).min(40) + 1;
        Ok(digit(1, 3, place) && digit(2, 5, place))
    });
    assert!(law_at(&machine, &coin_law(q(2, 15)), 12).is_some_and(|depth| depth <= 5));
    let (first, second) = third_and_two_fifths();
    assert_eq!(law_at(&first.then(second), &coin_law(q(2, 15)), 16), None);
    // The same coin used once where it should be flipped twice: p instead of p².
    assert!(law_at(&first.map(|heads| heads & heads), &coin_law(q(1, 9)), 12).is_some());
}

#[test]
fn k3_both_coins_flipped_always() {
    let (first, second) = third_and_two_fifths();
    let machine = first.zip(second).map(|(x, y)| x && y);
    assert_eq!(law_at(&machine, &coin_law(q(2, 15)), 14), None); // the law is right
    let stated = q(2, 1) + q(1, 3) * q(2, 1);
    assert!(cost_at(&machine, &stated, 14).is_some());
    assert_eq!(cost_at(&first.then(second), &stated, 14), None);
}

#[test]
fn k6_the_die_rolled_again_once_the_event_holds() {
    let die = Die::new(6).unwrap();
    let law: Law<u64> = (0..3).map(|half| (2 * half, q(1, 3))).collect();
    let conditioned = die.condition(|&side| side % 2 == 0);
    assert_eq!(law_at(&conditioned, &law, 14), None);
    let again = die.condition(|&side| side % 2 == 0).and_then(move |_| die);
    assert!(law_at(&again, &law, 14).is_some());
}

#[test]
fn k10_a_weight_of_zero_chosen() {
    let law: Law<usize> = vec![(0, q(0, 1)), (1, q(1, 3)), (2, q(2, 3))];
    let cumulative = [0u64, 1, 3];
    // `<=` instead of `<`: at 0 the first weight is taken, though it is zero.
    let chooser = Die::new(3)
        .unwrap()
        .map(move |roll| cumulative.iter().position(|&sum| roll <= sum).unwrap_or(2));
    assert!(law_at(&chooser, &law, 8).is_some_and(|depth| depth <= 2));
    let right = Die::new(3)
        .unwrap()
        .map(move |roll| cumulative.iter().position(|&sum| roll < sum).unwrap_or(2));
    assert_eq!(law_at(&right, &law, 20), None);
}

#[test]
fn the_first_and_the_last_choice_off_by_one() {
    // The last outcome never, the first too often: the classic slips of a cumulative table.
    let law: Law<usize> = vec![(0, q(1, 4)), (1, q(1, 2)), (2, q(1, 4))];
    let by = |table: [u64; 2]| {
        Die::new(4).unwrap().map(move |roll| table.iter().filter(|&&sum| roll >= sum).count())
    };
    assert_eq!(law_at(&by([1, 3]), &law, 4), None);
    assert!(law_at(&by([0, 3]), &law, 4).is_some());
    assert!(law_at(&by([1, 4]), &law, 4).is_some());
    assert!(law_at(&by([2, 3]), &law, 4).is_some());
}

#[test]
fn chance_from_elsewhere_is_noticed() {
    let calls = std::cell::Cell::new(0u32);
    let machine = from_fn(|bits| {
        calls.set(calls.get() + 1);
        Ok(bits.try_bit()? ^ (calls.get() % 3 == 0))
    });
    assert!(law_at(&machine, &coin_law(q(1, 2)), 8).is_some());
}
