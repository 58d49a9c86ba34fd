//! Walks: square roots, grammars and 1/π, by their exact trees, their laws by algebra, and the published figures.

use buffon::walks::{
    Balanced, ballot, central, first_return, grammar, inverse_pi, inverse_pi_by_digits,
};
use buffon::{Always, Bracket, Coin, Dyadic, Fair, KnownLaw, Never, Rational, explore};
use num_bigint::BigInt;
use num_rational::BigRational;

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

/// The tree's bracket meets the law's, and its cost does not exceed the cost.
fn agrees<C: Coin + KnownLaw>(coin: &C, depth: u32) {
    let tree = explore(coin, depth);
    let law = coin.probability(60);
    assert!(tree.mass(&true) <= *law.high() && *law.low() <= tree.mass(&true) + tree.open());
    assert!(tree.open() < q(1, 8), "too shallow to say much: {}", tree.open());
    if let Ok(cost) = coin.try_expected_bits(30) {
        assert!(tree.expected_bits() <= *cost.high());
    }
}

fn squared(bracket: &Bracket) -> (BigRational, BigRational) {
    (bracket.low() * bracket.low(), bracket.high() * bracket.high())
}

#[test]
fn both_square_roots_are_square_roots() {
    let lambdas = [q(1, 2), q(1, 4), q(3, 4), q(1, 3)];
    for lambda in lambdas {
        let coin =
            Rational::try_from((lambda.numer().clone(), lambda.denom().clone())).expect("in range");
        for root in [first_return(&coin).probability(100), ballot(&coin).probability(100)] {
            let (low, high) = squared(&root);
            let wanted = q(1, 1) - &lambda;
            assert!(
                low <= wanted
                    && wanted <= high
                    && &high - &low < BigRational::new(1.into(), BigInt::from(1) << 98)
            );
        }
    }
    agrees(&first_return(Fair), 24);
    agrees(&ballot(Fair), 22);
    agrees(&first_return(Rational::<u8>::new(1, 3).expect("in range")), 20);
}

#[test]
fn first_return_costs_less_than_the_ballot() {
    // λ = 1/2: (1 + 2·1/2)·√2; λ = 3/4 (cost 3/2): (3/2 + 3/2)·2. The steps taken before λ would cost 3√2 and 7.
    let half = first_return(Fair).expected_bits(40);
    assert_eq!(format!("{half:.8}"), "2.82842712…");
    let three_quarters = first_return(Dyadic::new(3, 2).expect("in range")).expected_bits(40);
    let (low, high) = (three_quarters.low(), three_quarters.high());
    assert!(*low <= q(6, 1) && q(6, 1) <= *high);
    // The ballot without early end would be 4 for λ = 1/2 and 12 for λ = 3/4; with it, 6 − 3/√2 and 11.5.
    let half = ballot(Fair).expected_bits(50);
    assert_eq!(format!("{half:.10}"), "3.8786796564…");
    let three_quarters = ballot(Dyadic::new(3, 2).expect("in range")).expected_bits(40);
    assert!(three_quarters.contains(&q(23, 2)));
    assert!(ballot(Always).try_expected_bits(40).is_err());
    assert_eq!(ballot(Never).expected_bits(40), Bracket::exact(q(0, 1)));
}

#[test]
fn grammars_have_the_published_roots_and_costs() {
    // Binary: 2 − √3 = 0.2679491924311227…, at 3(√3 − 1) = 2.196152422706632….
    let binary = grammar(Fair, 2);
    assert_eq!(format!("{:.15}", binary.probability(60)), "0.267949192431122…");
    assert_eq!(format!("{:.10}", binary.expected_bits(50)), "2.1961524227…");
    // Ternary: 2T = (1 + T³)/2, so T = 0.2541016884…, at 2.237695….
    let ternary = grammar(Fair, 3);
    assert_eq!(format!("{:.10}", ternary.probability(60)), "0.2541016883…");
    assert_eq!(format!("{:.6}", ternary.expected_bits(50)), "2.237694…");
    let root = ternary.probability(60);
    let at = |t: &BigRational| (q(1, 1) + t * t * t) / q(4, 1) - t;
    assert!(at(root.low()) >= q(0, 1) && at(root.high()) <= q(0, 1));
    agrees(&binary, 24);
    agrees(&ternary, 24);
    assert_eq!(grammar(Fair, 0).probability(60).low(), &q(1, 2)); // no children: one letter
}

#[test]
fn a_walk_that_nothing_ends_is_not_told() {
    use buffon::{Always, Tail};
    let endless = first_return(Always);
    assert_eq!(endless.tail(), Tail::MayNeverEnd);
    assert!(endless.try_expected_bits(10).is_err());
}

#[test]
fn balanced_flips() {
    for n in 0..=6 {
        let tree = explore(&Balanced::new(n), 12);
        assert_eq!(tree.open(), q(0, 1));
        assert_eq!(Bracket::exact(tree.mass(&true)), Balanced::new(n).probability(1));
        assert_eq!(Bracket::exact(tree.expected_bits()), Balanced::new(n).expected_bits(1), "{n}");
        assert_eq!(central(n).probability(1), Balanced::new(n).probability(1));
    }
    assert_eq!(*Balanced::new(2).expected_bits(1).low(), q(15, 4));
}

#[test]
fn one_over_pi_by_ballots_and_by_digits() {
    // 1/π = 0.31830988618379067…; T has mean 11/9. With the exponent 8n + 4 that is printed it would be a quarter of that.
    for law in [inverse_pi().probability(70), inverse_pi_by_digits().probability(70)] {
        assert_eq!(format!("{law:.17}"), "0.31830988618379067…");
    }
    let digits = inverse_pi_by_digits().expected_bits(30);
    assert!(*digits.low() > q(75935, 10_000) && *digits.high() < q(75945, 10_000)); // 7.594
    assert_eq!(format!("{:.10}", inverse_pi().expected_bits(50)), "9.6364657419…"); // 9.6364657420, rounded
    let far = inverse_pi().probability(400);
    assert!(inverse_pi_by_digits().probability(200).contains(far.low()));
    agrees(&inverse_pi(), 20);
}
