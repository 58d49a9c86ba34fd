//! Numbers that are known only by their flips: the urn and the bag have the same laws, by exact trees.

use buffon::{
    Always, Beta, Coin, Fair, Machine, explore, explore_weighted, integrate, integrate_bag,
};
use num_bigint::BigInt;
use num_rational::BigRational;

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

/// P(s heads, then t tails) of one Beta(a/d, b/d) number, by Gamma quotients.
fn beta_moment(a: i64, b: i64, d: i64, s: i64, t: i64) -> BigRational {
    let rising = |x: i64, n: i64| (0..n).map(|k| q(x + k * d, d)).product::<BigRational>();
    rising(a, s) * rising(b, t) / rising(a + b, s + t)
}

#[test]
fn urns_have_the_moments_of_their_beta_laws() {
    for (a, b, d) in [(1, 1, 1), (1, 1, 2), (2, 3, 1), (1, 5, 3)] {
        let law = Beta::new(a, b, d).expect("positive");
        let flips = integrate(law, |u, bits| u.array::<4>().try_sample(bits));
        let found = explore_weighted(&flips, 4);
        assert_eq!((found.open().clone(), found.runs()), (q(0, 1), 16));
        for (flips, mass) in found.masses() {
            let heads = flips.iter().filter(|&&heads| heads).count() as i64;
            let wanted = beta_moment(a.into(), b.into(), d.into(), heads, 4 - heads);
            assert_eq!(*mass, wanted, "{flips:?} of Beta({a}/{d}, {b}/{d})");
        }
    }
    assert!(Beta::new(0, 1, 1).is_err() && Beta::new(1, 1, 0).is_err());
}

#[test]
fn bag_and_urn_have_the_same_law_and_different_costs() {
    let urn = integrate(Beta::UNIFORM, |u, bits| u.then(u).then(u).try_sample(bits));
    let bag = integrate_bag(|u, bits| u.then(u).then(u).try_sample(bits));
    let (urn, bag) = (explore(&urn, 20), explore(&bag, 18));
    for (tree, open) in [(&urn, q(1, 1000)), (&bag, q(1, 100))] {
        assert!(tree.mass(&true) <= q(1, 4) && q(1, 4) <= tree.mass(&true) + tree.open());
        assert!(tree.open() < open, "{}", tree.open());
        assert!(tree.is_reproducible());
    }
    // The first flip costs 1 bit by the urn and 3 by the bag.
    let one = explore(&integrate(Beta::UNIFORM, |u, bits| u.try_flip(bits)), 8);
    assert_eq!((one.expected_bits(), one.open()), (q(1, 1), q(0, 1)));
    let one = explore(&integrate_bag(|u, bits| u.try_flip(bits)), 30).expected_bits();
    assert!(one < q(3, 1) && one > q(2999, 1000));
    assert!(urn.expected_bits() < bag.expected_bits());
}

#[test]
fn every_sample_has_a_number_of_its_own() {
    let half = integrate(Beta::UNIFORM, |u, bits| u.try_flip(bits));
    let both = explore(&half.then(half), 4);
    assert_eq!(both.mass(&true), q(1, 4)); // not 1/3, which one shared number would give
}

#[test]
fn digits_far_out_are_there() {
    // The same digit, number 70, twice: the second look costs no new bit and agrees.
    use buffon::{Counted, Script};
    let look = "T".repeat(69) + "H";
    let twice = integrate_bag(|u, bits| u.zip(u).try_sample(bits));
    for (digit, heads) in [("H", true), ("T", false)] {
        let script = Script::from_str(&(look.clone() + digit + &look)).expect("flips");
        let mut bits = Counted::new(script);
        assert_eq!(twice.try_sample(&mut bits), Ok((heads, heads)));
        assert_eq!(bits.count(), 141);
    }
}

#[test]
fn ln_2_is_the_integral_of_one_over_one_plus_u() {
    // Again and again: a fair heads answers heads, else a heads of u answers tails. For U = u that is 1/(1 + u).
    let ln2 = integrate(Beta::UNIFORM, |u, bits| {
        let round = Fair.mix(Always.map(|_| Some(true)), u.map(|heads| heads.then_some(false)));
        round.retry().try_sample(bits)
    });
    let found = explore_weighted(&ln2, 200);
    let (low, high) = (found.mass(&true), found.mass(&true) + found.open());
    // ln 2 = Σ 1/(k·2^k), between the sum to 80 and that and its last term.
    let term = |k: u32| BigRational::new(1.into(), BigInt::from(k) << k);
    let sum: BigRational = (1..=80).map(term).sum();
    assert!(low <= &sum + term(80) && sum <= high);
    assert!(*found.open() < BigRational::new(1.into(), BigInt::from(1) << 64));
}
