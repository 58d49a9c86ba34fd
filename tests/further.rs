//! What `conformance::check` finds below the depth that it was asked to explore.
#![cfg(feature = "conformance")]

use buffon::conformance::{Finding, check};
use buffon::explore::{Refusal, Says};
use buffon::{
    BitSource, Coin, Die, Machine, OneOver, Rational, Reciprocals, from_fn, parity_of_run,
};
use num_rational::BigRational;

fn third() -> BigRational {
    BigRational::new(1.into(), 3.into())
}

/// 1/3, but tails at once after so many pairs of flips.
fn gives_up(pairs: u32) -> impl Machine<Output = bool> {
    from_fn(move |bits| {
        for _ in 0..pairs {
            if bits.try_bit()? {
                return Ok(false);
            }
            if bits.try_bit()? {
                return Ok(true);
            }
        }
        Ok(false)
    })
}

/// 1/e, but even after so many heads.
fn capped(most: u64) -> impl Machine<Output = bool> {
    from_fn(move |bits| {
        for n in 1..=most {
            if !OneOver::try_from(n).map_or(Ok(false), |coin| coin.try_flip(&mut *bits))? {
                return Ok(n % 2 == 1);
            }
        }
        Ok(true)
    })
}

#[test]
fn a_thin_tree_is_followed_further_than_asked() {
    for pairs in [24, 32, 45] {
        let report = check(&gives_up(pairs)).against(third()).depth(40).explored();
        assert!(
            matches!(report.finding(), Some(Finding::Law(Refusal::Contradiction(_)))),
            "{report}"
        );
        assert!(report.finding().is_some_and(Finding::is_proof));
    }
    // What is right stays right, and the certified distance is that of the depth asked for.
    let right = Rational::<u64>::new(1, 3).unwrap();
    let report = check(&right).against(third()).depth(40).explored();
    assert_eq!(report.distance(), Some(&BigRational::new(1.into(), (1u64 << 40).into())));
}

#[test]
fn a_nested_tree_is_seen_through_weights() {
    let target = parity_of_run(Reciprocals);
    for most in [8, 12, 20] {
        let report = check(&capped(most)).against(Says(target)).depth(40).explored();
        assert!(!report.conforms(), "a cap of {most}: {report}");
        assert!(report.finding().is_some_and(Finding::is_proof));
    }
    let report = check(&target).against(Says(target)).depth(40).explored();
    assert!(report.conforms(), "{report}");
    // Some 18 places in bits, and many times that through weights.
    let (bits, weights) = (report.distance().unwrap(), report.weighed().unwrap());
    assert!(weights.distance() < &(bits * bits), "{report}");
    assert!(report.to_string().contains("through weights within 2^-"), "{report}");
}

#[test]
fn a_right_machine_of_any_shape_passes_the_second_look() {
    let die = Die::new(1_000_003).unwrap().map(|n| n % 2 == 0);
    let even = BigRational::new(500_002.into(), 1_000_003.into());
    assert!(check(&die).against(even).depth(24).explored().conforms());
    // It asks a thousand questions before any answer.
    let long = Rational::<u64>::new(999, 1000).unwrap().power(1000);
    let report = check(&long).against_itself().depth(24).explored();
    assert!(report.conforms(), "{report}");
}

#[test]
fn chance_that_only_weights_can_see_is_refused() {
    // A flip of a rational coin that is thrown away where bits are single, and kept where they are not.
    let wrong =
        from_fn(
            |bits| {
                if bits.answers_ratios() { bits.try_ratio(1, 4) } else { bits.try_ratio(1, 3) }
            },
        );
    let report = check(&wrong).against(third()).explored();
    assert!(
        matches!(report.finding(), Some(Finding::Weighed(Refusal::Contradiction(_)))),
        "{report}"
    );
}
