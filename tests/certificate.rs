//! Certificates, and the independent checker of the example `recheck`.
#![cfg(feature = "exact")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../examples/recheck.rs"]
mod recheck;

use buffon::{Always, Die, Dyadic, Fair, Machine, Rational, Weighted, explore, from_fn};
use proptest::prelude::*;
use recheck::check;

#[test]
fn right_machines_are_certified() {
    let third = explore(&Rational::<u64>::new(1, 3).unwrap(), 90).certificate("1/3");
    let proved = check(&third, &[("true", 1), ("false", 2)]);
    assert_eq!(proved.unwrap(), "1/3: within 1/2^90 of the law, with the fewest flips possible");
    let die = explore(&Die::new(6).unwrap(), 40).certificate("a die");
    let sides: Vec<String> = (0..6).map(|side| side.to_string()).collect();
    let weights: Vec<_> = sides.iter().map(|side| (side.as_str(), 1)).collect();
    assert!(check(&die, &weights).unwrap().ends_with("with the fewest flips possible"));
    // Two flips where one will do: right, and not the fewest.
    let wasteful = explore(&Fair.zip(Fair).map(|(a, b)| a != b), 4).certificate("xor");
    let proved = check(&wasteful, &[("true", 5), ("false", 5)]);
    assert_eq!(proved.unwrap(), "xor: within 0/2^4 of the law, with more flips than needed");
    let certain = explore(&Always, 0).certificate("always\nheads");
    assert!(certain.contains("machine always heads\n") && certain.ends_with("- 0\n"));
    assert!(check(&certain, &[("true", 1)]).is_ok());
}

#[test]
fn wrong_machines_and_wrong_certificates_are_refused() {
    let third = explore(&Rational::<u64>::new(1, 3).unwrap(), 12).certificate("1/3");
    let law = [("true", 1), ("false", 2)];
    assert!(check(&third, &law).is_ok());
    assert_eq!(check(&third, &[("true", 2), ("false", 1)]), Err("P(true) is not 2/3".into()));
    assert_eq!(
        check(&third, &[("true", 333), ("false", 667)]),
        Err("P(true) is not 333/1000".into())
    );
    let three = [("true", 1), ("false", 1), ("never seen", 1)];
    assert_eq!(check(&third, &three), Err("P(false) is not 1/3".into()));
    // Tampered: an outcome, a leaf that is left out, doubled or moved, an open node that is not as deep as the tree.
    let refused = |from: &str, to: &str| {
        assert!(third.contains(from), "{from}");
        check(&third.replacen(from, to, 1), &law).unwrap_err()
    };
    assert!(refused("\nH 1\n", "\nH 0\n").starts_with("P("));
    assert!(check(&third, &[]).is_err() && check(&third, &[("true", 1 << 31)]).is_err());
    assert!(refused("\nTH 0\n", "\n").contains("does not begin where"));
    assert!(refused("\nH 1\n", "\n").contains("not all strings"));
    assert!(refused("\nTH 0\n", "\nTH 0\nTH 0\n").contains("does not begin where"));
    assert!(refused("\nH 1\n", "\nHT 1\nHH 2\n").contains("no such outcome"));
    assert!(refused("certificate 1", "certificate 2").contains("no certificate"));
    assert!(refused("depth 12", "depth 1").contains("too many flips"));
    assert!(refused("depth 12", "depth 97").contains("no depth"));
    // An outcome under two names, or two under one, is one.
    assert!(refused("\noutcome 1 false\n", "\noutcome 1 true\n").starts_with("P("));
    // Less is said by an open node in place of a leaf, and less is proved.
    let vague = check(&third.replacen("\nH 1\n", "\nH ?\n", 1), &law).unwrap();
    assert!(vague.starts_with("1/3: within 2049/2^12"), "{vague}");
    // Faster than can be.
    let fast = "buffon certificate 1\nmachine fast\ndepth 1\noutcome 0 a\noutcome 1 b\nT 0\nH 1\n";
    assert!(check(fast, &[("a", 1), ("b", 2)]).is_err());
    // A wrong machine: an 8-bit threshold for 1/3.
    let threshold = from_fn(|bits| Ok(bits.try_bits(8)? < 85));
    let text = explore(&threshold, 10).certificate("threshold");
    assert_eq!(check(&text, &law), Err("P(true) is not 1/3".into()));
}

#[test]
fn outcomes_on_several_lines_are_quoted() {
    #[derive(Clone, PartialEq)]
    struct Lines(bool);
    impl std::fmt::Debug for Lines {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            if self.0 { f.write_str("one\ntwo") } else { f.write_str("none") }
        }
    }
    let text = explore(&Fair.map(Lines), 1).certificate("lines");
    assert!(check(&text, &[("none", 1), ("\"one\\ntwo\"", 1)]).is_ok(), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_chooser_is_certified(weights in prop::collection::vec(0u64..20, 1..6), depth in 0u32..30) {
        prop_assume!(weights.iter().any(|&weight| weight > 0));
        let chooser = Weighted::new(&weights).unwrap();
        let text = explore(&chooser, depth).certificate("chooser");
        let names: Vec<String> = (0..weights.len()).map(|index| index.to_string()).collect();
        let law: Vec<_> = names.iter().zip(&weights).map(|(name, &w)| (name.as_str(), u128::from(w))).collect();
        let proved = check(&text, &law).unwrap();
        prop_assert!(proved.ends_with(", with the fewest flips possible"));
    }

    #[test]
    fn a_dyadic_coin_is_certified_in_full(a in 0u64..=64) {
        let text = explore(&Dyadic::new(a, 6).unwrap(), 20).certificate("dyadic");
        let proved = check(&text, &[("true", u128::from(a)), ("false", u128::from(64 - a))]).unwrap();
        prop_assert!(proved.starts_with("dyadic: within 0/2^20"));
    }
}
