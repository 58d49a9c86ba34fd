//! The e-process against an independent computation in 60 digits, and its false alarms.
#![cfg(feature = "conformance")]
#![allow(clippy::excessive_precision, reason = "the golden values as they were computed")]

use buffon::conformance::{Dependence, Evidence, HealthError, Healthy, Ledger};
use buffon::{BitBuffer, BitSource, Script};
use num_bigint::BigInt;
use num_rational::BigRational;
use rand::{Rng, SeedableRng, rngs::StdRng};

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

fn ln_e(claim: &[BigRational], counts: &[u64]) -> f64 {
    let mut evidence = Evidence::new(claim.to_vec());
    counts.iter().enumerate().for_each(|(outcome, &count)| evidence.add_many(outcome, count));
    evidence.ln_e_value()
}

#[test]
fn golden_values() {
    // ln of the mean over c = 4^0 … 4^39 of B(cp + N)/B(cp)/Π p^N, by log-gamma functions with 60 digits.
    let third = [q(1, 3), q(2, 3)];
    let half = [q(1, 2), q(1, 2)];
    let tiny = BigRational::new(1.into(), BigInt::from(1) << 64);
    let tiny = [tiny.clone(), q(1, 1) - tiny];
    let die = vec![q(1, 6); 6];
    let thousandth = [q(1, 1000), q(999, 1000)];
    let cases: &[(&[BigRational], &[u64], f64)] = &[
        (&third, &[3, 5], -0.036_875_724_547_505_624),
        (&third, &[333_333, 666_667], -0.270_080_864_971_157_51),
        (&third, &[334_333, 665_667], -0.031_575_921_880_289_55),
        (&half, &[50_000_000, 50_000_000], -0.385_216_197_752_413_85),
        (&half, &[50_040_000, 49_960_000], 26.840_162_710_621_926),
        (&tiny, &[0, 1_000_000], 0.0),
        (&tiny, &[1, 1_000_000], -0.303_329_976_530_675_62),
        (&die, &[1000, 1010, 990, 1005, 995, 1000], -0.212_646_462_622_579_97),
        (&die, &[1200, 1010, 990, 1005, 795, 1000], 28.466_399_384_318_337),
        (&half, &[0, 0], 0.0),
        (&thousandth, &[2000, 1_000_000], 377.904_729_810_302_64),
    ];
    for (claim, counts, wanted) in cases {
        let found = ln_e(claim, counts) + 1e-3; // the slack that is taken off
        assert!((found - wanted).abs() < 1e-7 * wanted.abs().max(1.0), "{counts:?}: {found}");
    }
}

#[test]
fn an_impossible_outcome_is_certain_failure() {
    assert_eq!(ln_e(&[q(0, 1), q(1, 1)], &[0, 5]), -1e-3);
    assert_eq!(ln_e(&[q(0, 1), q(1, 1)], &[1, 5]), f64::INFINITY);
    assert_eq!(ln_e(&[q(1, 2), q(1, 2)], &[5, 5, 1]), f64::INFINITY);
    assert!(ln_e(&vec![q(1, 6); 6], &[0, 0, 0, 0, 0, u64::MAX / 8]) > 1e9);
}

#[test]
fn ten_thousand_true_claims_are_rarely_refuted() {
    // At α = 0.01, looking after every 50 samples up to 1000: at most 135 of 10^4, a bound that Ville's inequality lets be
    // passed with probability below 0.001 even if the rate were 0.01 exactly.
    let mut rng = StdRng::seed_from_u64(41);
    let mut alarms = 0;
    for _ in 0..10_000 {
        let mut evidence = Evidence::for_coin(q(1, 2));
        let mut fired = false;
        for _ in 0..20 {
            let heads = u64::from((rng.next_u64() & ((1 << 50) - 1)).count_ones());
            evidence.add_many(0, heads);
            evidence.add_many(1, 50 - heads);
            fired |= evidence.refutes(0.01);
        }
        alarms += u32::from(fired);
    }
    assert!(alarms <= 135, "{alarms}");
}

#[test]
fn a_biased_coin_is_refuted_at_one_in_a_billion() {
    // 0.51 against 1/2: about 46/ε² = 115,000·… samples; half a million are plenty, five hundred are not.
    let mut rng = StdRng::seed_from_u64(43);
    let mut evidence = Evidence::for_coin(q(1, 2));
    let mut at = None;
    for n in 1..=500_000u32 {
        evidence.add(usize::from(rng.next_u32() % 100 >= 51));
        if n % 500 == 0 && evidence.refutes(1e-9) {
            at = Some(n);
            break;
        }
    }
    assert!(at.is_some_and(|n| (20_000..500_000).contains(&n)), "{at:?}");
}

#[test]
fn health_tests_pass_good_bits_and_stop_bad_ones() {
    let mut bits = Healthy::new(BitBuffer::new(StdRng::seed_from_u64(1)), 30);
    assert!((0..1_000_000).all(|_| bits.try_bit().is_ok()));
    // NIST SP 800-90B, §4.4, has 21 and 589 for entropy 1 and α = 2^-20; but P(589 or more) is 1.011·2^-20, so 590 it is.
    let good = Healthy::new(BitBuffer::new(StdRng::seed_from_u64(1)), 20);
    assert_eq!((good.repetition_cutoff(), good.proportion_cutoff()), (21, 590));
    // Three heads in four never make a long run, but fill the window.
    let mut bits = Healthy::new(Script::from_str(&"HHHT".repeat(300)).expect("flips"), 30);
    let error = (0..1200).find_map(|_| bits.try_bit().err());
    assert!(matches!(error, Some(HealthError::Proportion { .. })), "{error:?}");
}

#[test]
fn ledgers_continue_and_reset() {
    let mut ledger = Ledger::default();
    ledger.add("die", "1", &[10, 20, 30]);
    ledger.add("die", "1", &[1, 2, 3, 4]);
    let again: Ledger = ledger.to_string().parse().expect("its own text");
    assert_eq!(again, ledger);
    assert_eq!(again.counts("die", "1"), [11, 22, 33, 4]);
    assert_eq!(again.counts("die", "2"), [0u64; 0]);
    let evidence = again.evidence("die", "1", vec![q(1, 3); 3]);
    assert_eq!((evidence.samples(), evidence.ln_e_value()), (70, f64::INFINITY));
    assert_eq!("a\tb\tx".parse::<Ledger>().expect_err("no count").line(), 1);
}

#[test]
fn a_dependence_on_two_earlier_answers_at_once_is_found_by_their_context() {
    // Each answer is the sum of the two before it, or of two further back, more often than not: no answer depends on any one
    // earlier answer alone.
    for lags in [[1, 2], [2, 3], [1, 4], [3, 6]] {
        let mut rng = StdRng::seed_from_u64(47);
        let mut dependence = Dependence::new(&[q(1, 2), q(1, 2)]);
        let mut seen: Vec<usize> = Vec::new();
        for n in 0..4_000usize {
            let sum = |lag: usize| n.checked_sub(lag).map_or(0, |place| seen[place]);
            let planted = (sum(lags[0]) + sum(lags[1])) % 2;
            let next = if rng.next_u32() % 4 < 3 { planted } else { 1 - planted };
            dependence.add(next);
            seen.push(next);
        }
        assert!(dependence.ln_e_value() > 1e9f64.ln(), "{lags:?}: {}", dependence.ln_e_value());
    }
    // And on one far back, by its own lag.
    for lag in [16, 32, 64] {
        let mut rng = StdRng::seed_from_u64(49);
        let mut dependence = Dependence::new(&[q(1, 2), q(1, 2)]);
        let mut seen: Vec<usize> = Vec::new();
        for n in 0..2_000usize {
            let earlier = n.checked_sub(lag).map_or(0, |place| seen[place]);
            let next = if rng.next_u32() % 4 < 3 { earlier } else { 1 - earlier };
            dependence.add(next);
            seen.push(next);
        }
        assert!(dependence.ln_e_value() > 1e9f64.ln(), "{lag}: {}", dependence.ln_e_value());
    }
    // The same of a die, whose parity is that of the two before.
    let mut rng = StdRng::seed_from_u64(48);
    let mut dependence = Dependence::new(&vec![q(1, 4); 4]);
    let mut last = [0; 2];
    for _ in 0..4_000 {
        let high = (rng.next_u32() % 2) as usize;
        let low = if rng.next_u32() % 8 < 6 {
            (last[0] + last[1]) % 2
        } else {
            rng.next_u32() as usize % 2
        };
        let next = 2 * high + low;
        dependence.add(next);
        last = [next, last[0]];
    }
    assert!(dependence.ln_e_value() > 1e9f64.ln(), "{}", dependence.ln_e_value());
}

#[test]
fn independent_answers_are_rarely_called_dependent() {
    // At α = 0.05, 400 times: 20 alarms are the most that Ville's inequality lets expect, and 36 come with probability below
    // 0.001 even then.
    for claim in [vec![q(1, 2); 2], vec![q(1, 3), q(2, 3)], vec![q(1, 4); 4]] {
        let mut rng = StdRng::seed_from_u64(53);
        let mut alarms = 0;
        for _ in 0..400 {
            let mut dependence = Dependence::new(&claim);
            for _ in 0..300 {
                let at = BigRational::new((rng.next_u64() >> 1).into(), (1u64 << 63).into());
                let mut sum = q(0, 1);
                let ends = claim.iter().map(|p| {
                    sum += p;
                    sum.clone()
                });
                dependence.add(ends.take_while(|end| *end <= at).count());
            }
            alarms += u32::from(dependence.ln_e_value() >= -0.05f64.ln());
        }
        assert!(alarms <= 36, "{alarms}");
    }
}
