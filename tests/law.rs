//! Laws by algebra against the exact trees of the compiled machines.

use buffon::{
    Always, Bracket, Certain, Coin, Die, Dyadic, Fair, Fraction, KnownLaw, LawError, Machine,
    Never, OneOver, Rational, Sequential, Tail, Tree, Viglietta, Weighted, explore, run,
};
use num_rational::BigRational;
use typenum::{U2, U7};

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

fn exact(num: i64, den: i64) -> Bracket {
    Bracket::exact(q(num, den))
}

/// The tree's masses and open mass lie around the law, and its cost below the cost.
fn agrees<M: KnownLaw>(machine: &M, depth: u32) -> Tree<M::Output>
where
    M::Output: PartialEq + std::fmt::Debug,
{
    let tree = explore(machine, depth);
    let law = machine.law(64).expect("a law");
    for (outcome, _) in law.outcomes() {
        let mass = law.mass(outcome);
        assert!(tree.mass(outcome) <= *mass.high(), "{outcome:?}: too much");
        assert!(tree.mass(outcome) + tree.open() >= *mass.low(), "{outcome:?}: too little");
    }
    for outcome in tree.outcomes() {
        assert!(*law.mass(outcome).high() > q(0, 1), "{outcome:?} is not in the law");
    }
    assert!(tree.is_reproducible());
    let cost = machine.expected_bits(64);
    assert!(tree.expected_bits() <= *cost.high());
    if let Some(most) = machine.max_bits() {
        assert!(most > u64::from(depth) || tree.open() == q(0, 1));
        assert!(most > u64::from(depth) || tree.expected_bits() == *cost.low());
    }
    tree
}

#[test]
fn dice_cost_what_knuth_and_yao_say() {
    let costs = [(1, 0, 1), (2, 1, 1), (3, 8, 3), (5, 18, 5), (6, 11, 3), (7, 24, 7), (8, 3, 1)];
    for (n, num, den) in costs.into_iter().chain([(10, 23, 5), (12, 14, 3), (20, 28, 5)]) {
        assert_eq!(Die::new(n).expect("sides").expected_bits(10), exact(num, den), "{n}");
    }
    assert_eq!(Die::new(52).expect("sides").expected_bits(10), exact(436, 65));
    assert_eq!(Die::new(100).expect("sides").expected_bits(10), exact(1548, 205));
    for n in 1..=32 {
        agrees(&Die::new(n).expect("sides"), 14);
    }
    // The period of a large die is too long to sum: the bracket is narrow all the same.
    let large = Die::new(u64::MAX - 58).expect("sides").expected_bits(100);
    assert!(large.width() <= BigRational::new(1.into(), num_bigint::BigInt::from(1) << 100));
    assert!(*large.low() > q(64, 1) && *large.high() < q(66, 1));
}

#[test]
fn choosers_cost_what_knuth_and_yao_say() {
    let weighted = |weights: &[u64]| Weighted::new(weights).expect("weights");
    let cases: &[(&[u64], i64, i64)] = &[
        (&[1, 2, 3], 2, 1),
        (&[1, 9, 6], 15, 8),
        (&[5, 0, 3], 7, 4),
        (&[5, 10, 20, 65], 5, 2),
        (&[1, 1, 2, 3, 2], 32, 9),
        (&[7], 0, 1),
    ];
    for &(weights, num, den) in cases {
        assert_eq!(weighted(weights).expected_bits(10), exact(num, den), "{weights:?}");
        agrees(&weighted(weights), 14);
        agrees(&Sequential::new(weights).expect("weights"), 12);
    }
    let four = Sequential::new([1, 1, 1, 1]).expect("weights");
    assert_eq!((four.expected_bits(1), four.max_bits()), (exact(7, 2), None));
    assert_eq!(Sequential::new([1, 2, 3]).expect("weights").expected_bits(1), exact(11, 3));
}

#[test]
fn viglietta_has_the_law_of_its_coin() {
    for n in 1..=20 {
        let die = Viglietta::new(n, OneOver::try_from(n).expect("not 0")).expect("sides");
        let tree = agrees(&die, 10);
        assert_eq!(die.law(1).expect("a law").mass(&(n - 1)), exact(1, n as i64));
        assert!(n > 4 || tree.open() < q(1, 100));
    }
    // Over a coin of another bias the die is not fair, and the law says how.
    agrees(&Viglietta::new(6, Fair).expect("sides"), 12);
    let die = Viglietta::new(6, Always).expect("sides");
    assert_eq!(die.max_bits(), Some(4 + 2));
}

#[test]
fn combinators_have_the_laws_of_their_trees() {
    let third = Rational::<u64>::new(1, 3).expect("a probability");
    let coins = (Dyadic::new(3, 3).expect("a probability"), Fraction::<U2, U7>::new());
    assert_eq!(third.then(Fair).probability(1), exact(1, 6));
    assert_eq!(third.then(Fair).expected_bits(1), exact(7, 3));
    assert_eq!(third.or_else(Fair).probability(1), exact(2, 3));
    assert_eq!(third.or_else(Fair).expected_bits(1), exact(8, 3));
    assert_eq!(Fair.mix(third, OneOver::try_from(4).expect("not 0")).probability(1), exact(7, 24));
    assert_eq!(
        Fair.mix(third, OneOver::try_from(4).expect("not 0")).expected_bits(1),
        exact(11, 4)
    );
    agrees(&third.then(coins.0), 16);
    agrees(&third.or_else(coins.1), 16);
    agrees(&third.xor(coins.0).not(), 16);
    agrees(&third.mix(Die::new(6).expect("sides"), Die::new(4).expect("sides")), 16);
    agrees(&Die::new(6).expect("sides").map(|n| n % 2 == 0), 16);
    agrees(&Die::new(3).expect("sides").and_then(|n| Die::new(n + 1).expect("sides")), 16);
    agrees(&Fair.zip(third), 16);
    agrees(&coins.0.array::<2>(), 16);
    agrees(&Die::new(2).expect("sides").repeat(3), 16);
    agrees(&Die::new(8).expect("sides").condition(|&n| n > 2), 16);
    let fair = third.zip(third).map(|(a, b)| (a != b).then_some(a)).retry();
    assert_eq!(fair.probability(1), exact(1, 2));
    assert_eq!(fair.expected_bits(1), exact(9, 1));
    agrees(&fair, 14);
}

#[test]
fn tails_are_bounded_just_where_the_tree_is_finite() {
    let max = |coin: Dyadic| coin.max_bits();
    assert_eq!(max(Dyadic::new(3, 3).expect("a probability")), Some(3));
    assert_eq!(Rational::<u64>::new(1, 3).expect("a probability").max_bits(), None);
    assert_eq!((Always.max_bits(), Never.max_bits()), (Some(0), Some(0)));
    assert_eq!(
        Fair.then(Fair).mix(Fair, Die::new(8).expect("sides").map(|n| n > 2)).max_bits(),
        Some(5)
    );
    assert_eq!(Fair.zip(Fair).condition(|&(a, b)| a | b).tail(), Tail::Exponential);
    assert_eq!(Fair.condition(|_| true).tail(), Tail::Bounded(1));
}

#[test]
fn impossible_conditions_are_known() {
    let never = Fair.condition(|_| false);
    assert_eq!(never.try_probability(10), Err(LawError::Impossible));
    assert_eq!(never.try_expected_bits(10), Err(LawError::Impossible));
    assert_eq!(never.tail(), Tail::MayNeverEnd);
    assert_eq!(Fair.try_condition(|_| false).unwrap_err(), LawError::Impossible);
    assert_eq!(Fair.map(|_| None::<()>).try_retry().unwrap_err(), LawError::Impossible);
    assert_eq!(never.try_condition(|_| true).unwrap_err(), LawError::Impossible);
    // However rare it is, it is allowed, and its cost is told: 2 − 2^-63 + 1 bits, 2^64 times.
    let tiny = Dyadic::new(1, 64).expect("a probability");
    let rare = tiny.zip(Fair).try_condition(|&(rare, _)| rare).expect("possible");
    assert_eq!(rare.law(1).expect("a law").mass(&(true, true)), exact(1, 2));
    let bits = q(3, 1) * BigRational::from_integer((1u128 << 64).into()) - q(2, 1);
    assert_eq!(rare.expected_bits(1), Bracket::exact(bits));
    assert_eq!(rare.tail(), Tail::Exponential);
    // A part that is never sampled may be as impossible as it likes, and costs nothing.
    assert_eq!(Never.then(&never).probability(1), exact(0, 1));
    assert_eq!(Always.or_else(&never).probability(1), exact(1, 1));
    assert_eq!(Always.mix(Fair, &never).expected_bits(1), exact(1, 1));
    assert_eq!(Never.then(&never).max_bits(), Some(0));
    assert_eq!(Never.mix(&never, Fair).max_bits(), Some(1));
    assert_eq!(never.repeat(0).expected_bits(1), exact(0, 1));
}

#[test]
fn endless_runs_are_refused() {
    let parity =
        |num, den| Rational::<u64>::new(num, den).expect("a probability").try_parity_of_run();
    let p = |num, den| parity(num, den).expect("it ends").probability(1);
    assert_eq!((p(0, 1), p(1, 3), p(1, 2)), (exact(1, 1), exact(3, 4), exact(2, 3)));
    let steep = parity((1 << 20) - 1, 1 << 20).expect("it ends");
    assert_eq!(steep.probability(1), exact(1 << 20, (1 << 21) - 1));
    assert_eq!(parity(1, 1).unwrap_err(), LawError::NeverHalts);
    assert_eq!(Always.try_run().unwrap_err(), LawError::NeverHalts);
    assert_eq!(parity(1, 1).unwrap_err().to_string(), "the run never ends: its coin is certain");
    // The coin is an expression, and its law is what counts: 1/2 + 1/2 − 1/4 < 1, but heads or not heads is certain.
    assert!(Fair.or_else(Fair).try_run().is_ok());
    assert_eq!(Fair.zip(Fair).map(|_| true).try_run().unwrap_err(), LawError::NeverHalts);
}

#[test]
fn what_is_equal_is_listed_once() {
    // Six doublings through `map`: two outcomes at every step, not 2^64.
    let third = Rational::<u64>::new(1, 3).expect("a probability");
    let differ = |(x, y): (bool, bool)| x != y;
    let a = third.zip(third).map(differ);
    let b = a.zip(a).map(differ);
    let c = b.zip(b).map(differ);
    let d = c.zip(c).map(differ);
    let e = d.zip(d).map(differ);
    let f = e.zip(e).map(differ);
    assert_eq!(f.law(1).expect("a law").outcomes().len(), 2);
    // 1 − 2p' = (1 − 2p)² at each step: (1/3)^64 is left of 1 − 2/3.
    let p = f.probability(1);
    let left = q(1, 1) - p.low() - p.low();
    assert_eq!(left, BigRational::new(1.into(), num_bigint::BigInt::from(3).pow(64)));
    assert_eq!(f.expected_bits(1), exact(128, 1));
    // What comes after a rare length of a run costs what its type allows.
    let rolls = third.run().and_then(|n| OneOver::try_from(n + 2).expect("not 0"));
    assert!(rolls.expected_bits(40).width() < q(1, 1 << 40) + q(1, 1 << 60));
    assert_eq!(rolls.tail(), Tail::Exponential);
    agrees(&rolls, 14);
}

#[test]
fn a_bracket_shows_the_decimals_that_are_certain() {
    let about = |middle: BigRational, width: i64| {
        let width = BigRational::new(1.into(), width.into());
        Bracket::new(&middle - &width, middle + width)
    };
    let q = |a: i64, b: i64| BigRational::new(a.into(), b.into());
    assert_eq!(format!("{:.5}", Bracket::exact(q(2, 1))), "2.00000");
    assert_eq!(format!("{:.5}", Bracket::exact(q(1, 3))), "0.33333…");
    assert_eq!(format!("{:.5}", about(q(1, 3), 1 << 40)), "0.33333…");
    assert_eq!(format!("{:.9}", about(q(1, 3), 100_000)), "0.3333…");
    // No digit is certain, but the number is.
    assert_eq!(format!("{:.5}", about(q(2, 1), 1 << 40)), "≈2.00000");
    assert_eq!(format!("{:.9}", about(q(2, 1), 1_000_000_000)), "≈2.00000000");
    assert_eq!(format!("{:.9}", about(q(1, 8), 1 << 20)), "≈0.12500");
    assert_eq!(format!("{:.5}", Bracket::new(q(1, 1), q(3, 1))), "1…3");
    assert_eq!(format!("{:.5}", Bracket::exact(q(-1, 3))), "-0.33333…");
    assert_eq!(format!("{:.5}", about(q(-5, 4), 1 << 40)), "≈-1.25000");
    assert_eq!(format!("{:.5}", about(q(0, 1), 1 << 40)), "≈0.00000");
    // What is asked for beyond the certain decimals costs nothing.
    assert_eq!(format!("{:.60000}", about(q(1, 3), 1 << 40)), "0.33333333333…");
}

#[test]
fn walks_that_are_too_long_are_told_from_those_with_too_many_steps_at_once() {
    use buffon::walks::{Balanced, Walk, first_return};
    let start = std::time::Instant::now();
    // λ near 1: a higher precision would not help, but it is no matter of outcomes.
    let slow = first_return(Rational::<u64>::new(999, 1000).unwrap());
    assert_eq!(slow.try_probability(64).unwrap_err(), LawError::Undecided);
    assert_eq!(slow.try_expected_bits(64).unwrap_err(), LawError::Undecided);
    // Steps of 2^15 kinds: after a round there are as many heights.
    let steps = Die::new(1 << 15).unwrap().map(|side| side as i64 - (1 << 14));
    let wide = Walk::new(1, Fair, steps);
    assert_eq!(wide.try_probability(64).unwrap_err(), LawError::TooManyOutcomes);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    // A long way that leads straight home is not too long: λ^500.
    let down = Walk::new(500, Rational::<u64>::new(999, 1000).unwrap(), Certain::new(-1i64));
    let exact = BigRational::new(999.into(), 1000.into()).pow(500);
    assert!(down.probability(64).contains(&exact));
    // E = (2n + 2)(1 − C(2n, n)/4^n), at once.
    let bits = Balanced::new(3_000).expected_bits(1);
    assert!(bits.is_exact() && *bits.low() > BigRational::from_integer(5_900.into()));
}

#[test]
fn a_ceiling_that_is_only_declared_says_nothing_of_tails() {
    use buffon::factories::{Hazard, Scaled};
    use buffon::law::non_increasing;
    use std::num::NonZeroU64;
    // Coins whose type has no ceiling, of which a mean is declared.
    let coins = |n: NonZeroU64| OneOver::new(n.saturating_add(1)).condition(|_| true);
    let declared = || non_increasing(coins).costing_at_most(3);
    let third = Rational::<u64>::new(1, 3).unwrap();
    assert_eq!(run(declared()).tail(), Tail::FiniteMean);
    assert_eq!(Hazard::new(third, declared()).tail(), Tail::FiniteMean);
    assert_eq!(run(non_increasing(Scaled::new(declared(), third))).tail(), Tail::FiniteMean);
    // And of those whose type has one.
    assert_eq!(Hazard::new(third, OneOver::new).tail(), Tail::Exponential);
    assert_eq!(run(non_increasing(Scaled::new(OneOver::new, third))).tail(), Tail::Exponential);
    assert_eq!(Hazard::new(third, coins).tail(), Tail::MayNeverEnd);
}

#[test]
fn a_series_that_falls_like_a_power_is_told_to_any_precision_and_compiled() {
    use buffon::catalogue::{beta, eta};
    use buffon::explore::Says;
    use buffon::{Explorer, Hypergeometric, parity_of_run};
    // Decimals from the literature: π²/12, ¾ζ(3), Catalan's constant, π³/32, and 1/√2 by the binomial series.
    let half_root = parity_of_run(Hypergeometric::new([((2, 1), (2, 2))]).unwrap());
    macro_rules! closes {
        ($($coin:expr, $decimals:literal;)+) => {$(
            let coin = $coin;
            let start = std::time::Instant::now();
            for precision in [64, 256, 1000] {
                let law = coin.probability(precision);
                let shown = format!("{law:.25}");
                assert!(precision == 64 || shown.starts_with($decimals), "{shown}");
                let one = BigRational::from_integer(1.into());
                assert!(law.width() * (one.numer() << precision) <= one);
            }
            assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
            // The machine itself is explored only as far as its runs go: P(n heads) is a power of n. But the optimal machine of the
            // same law closes like any coin.
            let compiled = coin.compile().unwrap();
            let agreement = Explorer::new(96).tally(&compiled).against(&Says(coin)).unwrap();
            assert!(agreement.places() >= Some(96), "{agreement}");
        )+};
    }
    closes! {
        eta::<2>(), "0.822467033424113218236207";
        eta::<3>(), "0.901542677369695714049803";
        beta::<2>(), "0.915965594177219015054603";
        beta::<3>(), "0.968946146259369380483634";
        half_root, "0.707106781186547524400844";
    }
}

/// Found by mutation: an end that is not moved outwards shows where the working precision is low.
#[test]
fn what_a_low_precision_tells_is_true_of_what_a_high_one_tells() {
    use buffon::catalogue::{beta, eta, exp_minus, inverse_e};
    use buffon::factories::{Hazard, Pgf, to_the};
    use buffon::law::non_increasing;
    use buffon::walks::{ballot, first_return, grammar};
    use buffon::{Harmonic, parity_of_run};
    macro_rules! nested {
        ($($coin:expr),+ $(,)?) => {$(
            let coin = $coin;
            let (law, cost) = (coin.probability(120), coin.try_expected_bits(60));
            for places in 1..=32 {
                let name = stringify!($coin);
                if let Ok(rough) = coin.law_at(places) {
                    let rough = rough.heads();
                    let holds = rough.low() <= law.low() && law.high() <= rough.high();
                    assert!(holds, "{name} at {places}: {rough:.20} of {law:.20}");
                }
                if let (Ok(rough), Ok(cost)) = (coin.cost_at(places), &cost) {
                    let holds = rough.low() <= cost.high()
                        && rough.high().is_none_or(|high| cost.low() <= high);
                    assert!(holds, "cost of {name} at {places}: {rough:?} of {cost:.20}");
                }
            }
        )+};
    }
    let third = Rational::<u64>::new(1, 3).unwrap();
    let e = inverse_e();
    nested!(
        e,
        eta::<2>(),
        beta::<3>(),
        exp_minus(5, 7).unwrap(),
        parity_of_run(Harmonic::new(e)),
        e.parity_of_run(),
        parity_of_run(non_increasing(move |_| e.then(third))),
        e.run().map(|n| n % 3 == 0),
        e.mix(third, e.not()),
        e.xor(eta::<3>()),
        e.zip(third).condition(|&(a, b)| a || b).map(|(a, _)| a),
        first_return(Fair),
        first_return(e),
        ballot(e),
        grammar(Fair, 3),
        to_the(e, 1, 2).unwrap(),
        Hazard::new(e, OneOver::new),
        Pgf::new(third.run(), e),
    );
}
