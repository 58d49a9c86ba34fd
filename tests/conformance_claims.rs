//! Claims of cost and findings over whole words, planted: the wrong ones are refused and the right ones are not.
#![cfg(feature = "conformance")]

use buffon::catalogue::{beta, eta, inverse_e};
use buffon::conformance::{Finding, Report, check};
use buffon::walks::Balanced;
use buffon::{
    BitSource, Bracket, Coin, Cost, Die, Fair, FastDie, Hypergeometric, KnownLaw, Law, LawError,
    Machine, OneOver, Rational, Sequential, Tail, ThreeWay, from_fn, parity_of_run,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use rand::{SeedableRng, rngs::StdRng};

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

/// A machine that says of its cost that it is `times` as much and `more` bits.
#[derive(Debug)]
struct Claims<M> {
    machine: M,
    times: BigRational,
    more: BigRational,
}

impl<M: Machine> Machine for Claims<M> {
    type Output = M::Output;
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<M::Output, B::Error> {
        self.machine.try_sample(bits)
    }
}

impl<M: KnownLaw> KnownLaw for Claims<M> {
    fn law_at(&self, places: u32) -> Result<Law<M::Output>, LawError> {
        self.machine.law_at(places)
    }
    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let cost = self.machine.cost_at(places)?;
        let Some(bits) = cost.bracket() else { return Ok(cost) };
        let end = |end: &BigRational| end * &self.times + &self.more;
        Ok(Cost::within(&Bracket::new(end(bits.low()), end(bits.high()))))
    }
    fn tail(&self) -> Tail {
        self.machine.tail()
    }
}

/// The true claim and the four wrong ones; whether each is to be refused, with a proof where `by_proof`.
fn claims<M: KnownLaw + Clone>(name: &str, machine: &M, dear: bool)
where
    M::Output: PartialEq + Clone + std::fmt::Debug,
{
    let planted =
        [(q(1, 1), q(0, 1), false), (q(101, 100), q(0, 1), dear), (q(1, 1), q(1, 10), dear)]
            .into_iter()
            .chain([(q(1, 1), q(-1, 10), true), (q(1, 2), q(0, 1), true)]);
    for (times, more, wrong) in planted {
        let liar = Claims { machine: machine.clone(), times: times.clone(), more: more.clone() };
        let report = check(&liar).against_itself().explored();
        assert_eq!(report.conforms(), !wrong, "{name} ×{times} +{more}: {report}");
        if wrong {
            let cost = matches!(
                report.finding(),
                Some(
                    Finding::Cost { .. } | Finding::CostBeyond { .. } | Finding::CostByWords { .. }
                )
            );
            assert!(cost, "{name}: {report}");
        }
    }
}

#[test]
fn wrong_claims_of_cost_are_refused_where_the_tree_has_no_end() {
    let third = Rational::<u64>::new(1, 3).unwrap();
    claims("1/3", &third, true);
    claims("die", &Die::new(6).unwrap(), true);
    claims("rejection", &Die::new(8).unwrap().condition(|&n| n < 6), true);
    claims("1/e", &inverse_e(), true);
    claims("mix", &third.mix(third, Fair), true);
    claims("run", &third.run(), true);
    claims("three ways", &ThreeWay, true);
    claims("sequential", &Sequential::new([4, 1, 5]).unwrap(), true);
    // Where the tree is shallow samples decide: of one that is bounded, and of whole words.
    for (times, wrong) in [(q(1, 1), false), (q(101, 100), true), (q(98, 100), true)] {
        let liar = Claims { machine: Balanced::new(10), times: times.clone(), more: q(0, 1) };
        let report = check(&liar).against_itself().explored();
        assert_eq!(report.conforms(), !wrong, "{report}");
        let liar = Claims { machine: FastDie::new(6).unwrap(), times, more: q(0, 1) };
        let report = check(&liar).against_itself().explored();
        assert_eq!(report.conforms(), !wrong, "{report}");
    }
    // Of a polynomial tail only a claim that is too cheap can be refused.
    claims("η(2)", &eta::<2>(), false);
    claims("β(2)", &beta::<2>(), false);
}

#[test]
fn a_claim_of_cost_is_right_for_rare_conditions_and_rare_long_answers() {
    let rare = |k: u64| OneOver::try_from(1u64 << k).unwrap();
    assert!(check(&rare(20).condition(|&heads| heads)).against_itself().explored().conforms());
    assert!(check(&rare(14).condition(|&heads| heads)).against_itself().explored().conforms());
    // One answer in a hundred takes thousands of bits.
    let long = rare(10).condition(|&heads| heads);
    let hundredth = Rational::<u64>::new(1, 100).unwrap();
    assert!(check(&hundredth.mix(long, Fair)).against_itself().explored().conforms());
    let deep = rare(6).then(rare(6)).mix(rare(12).condition(|&heads| heads), Fair);
    assert!(check(&deep).against_itself().explored().conforms());
}

#[test]
fn a_heavy_tail_is_not_refused_for_a_sample_that_takes_long() {
    // P(more than k coins) falls like 1/√k: some sample of thousands takes millions of bits.
    let slow = parity_of_run(Hypergeometric::new([((2, 1), (2, 2))]).unwrap());
    let target = slow.probability(300);
    let report = check(&slow).against(target).samples(4_000).run(&mut StdRng::seed_from_u64(1));
    let report = report.unwrap();
    assert!(report.conforms(), "{report}");
    assert!(report.to_string().contains("given up after 2^20 bits"), "{report}");
    assert!(report.samples() > 0 && report.samples() <= 4_000);
}

#[test]
fn a_sampler_that_never_ends_on_a_branch_is_refused() {
    let branch = from_fn(|bits| {
        if bits.try_bits(2)? == 3 {
            loop {
                bits.try_bit()?;
            }
        }
        Rational::<u64>::new(1, 3).map_or(Ok(false), |third| third.try_flip(bits))
    });
    let report = check(&branch).against(Bracket::new(q(1, 4), q(1, 2))).explored();
    assert!(matches!(report.finding(), Some(Finding::Stuck { .. })), "{report}");
    // But not one that is only expected to take a million bits.
    let rare = OneOver::try_from(1u64 << 19).unwrap().condition(|&heads| heads);
    assert!(check(&rare).against(q(1, 1)).explored().conforms());
}

#[test]
fn samples_are_counted_as_they_are_drawn() {
    let rng = || StdRng::seed_from_u64(5);
    let wrong = Rational::<u64>::new(2, 5).unwrap();
    let report = check(&wrong).against(q(1, 3)).samples(1_000).run(&mut rng()).unwrap();
    assert!(!report.conforms() && report.samples() == 0 && report.ln_e_value().is_none());
    let right = Rational::<u64>::new(1, 3).unwrap();
    let report = check(&right).against(q(1, 3)).samples(1_000).run(&mut rng()).unwrap();
    assert!(report.conforms() && report.samples() == 1_000 && report.ln_e_value().is_some());
}

fn uniform(n: u64) -> Vec<(u64, BigRational)> {
    (0..n).map(|face| (face, q(1, n as i64))).collect()
}

fn shown<T: std::fmt::Debug>(report: &Report<T>) -> String {
    println!("{report}");
    report.to_string()
}

#[test]
fn findings_by_words_say_what_they_rest_on() {
    let alike = "provided that words between two that are answered alike";
    let exactly = "provided that every run reads exactly";
    let threshold = u64::MAX / 3;
    let whole = from_fn(move |bits| Ok(bits.try_bits(64)? < threshold));
    let upper_first = from_fn(move |bits| {
        let mut word = 0;
        for _ in 0..64 {
            word = word << 1 | u64::from(bits.try_bit()?);
        }
        Ok(word < threshold)
    });
    let lower_first = from_fn(move |bits| {
        let low = bits.try_bits(32)?;
        Ok(bits.try_bits(32)? << 32 | low < threshold)
    });
    macro_rules! refused {
        ($machine:expr, $target:expr, $rests_on:expr) => {
            let text = shown(&check(&$machine).against($target).explored());
            assert!(text.starts_with("refused: ") && text.contains($rests_on), "{text}");
        };
    }
    refused!(whole, q(1, 3), alike);
    refused!(upper_first, q(1, 3), alike);
    refused!(lower_first, q(1, 3), alike);
    refused!(from_fn(|bits| Ok(bits.try_bits(64)? % 6)), uniform(6), exactly);
    refused!(from_fn(|bits| Ok(bits.try_bits(32)? % 6)), uniform(6), exactly);
    // What is right over words conforms, and says on what that rests, too.
    let exact = BigRational::new(threshold.into(), BigInt::from(1) << 64);
    for report in [
        check(&whole).against(exact.clone()).explored(),
        check(&upper_first).against(exact.clone()).explored(),
        check(&lower_first).against(exact).explored(),
    ] {
        assert!(report.conforms() && report.is_by_words() && shown(&report).contains(alike));
        assert_eq!(report.distance_by_words(), Some(&q(0, 1)));
    }
}

#[test]
fn bisection_does_not_mislead_about_right_machines() {
    let half = || q(1, 2);
    let lowest = from_fn(|bits| Ok(bits.try_bits(64)? & 1 == 1));
    assert!(check(&lowest).against(half()).explored().conforms());
    let parity = from_fn(|bits| Ok(bits.try_bits(64)?.count_ones() % 2 == 1));
    assert!(check(&parity).against(half()).explored().conforms());
    let mixed =
        from_fn(|bits| Ok(bits.try_bits(64)?.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 1));
    assert!(check(&mixed).against(half()).explored().conforms());
    // Rejection: of the last words before a remainder, and of low products after Lemire.
    let remainder = from_fn(|bits| {
        loop {
            let word = bits.try_bits(64)?;
            if word <= u64::MAX - 4 {
                return Ok(word % 6);
            }
        }
    });
    assert!(check(&remainder).against(uniform(6)).explored().conforms());
    let lemire = from_fn(|bits| {
        loop {
            let product = u128::from(bits.try_bits(64)?) * 6;
            if product as u64 >= (1u128 << 64).wrapping_rem(6) as u64 {
                return Ok((product >> 64) as u64);
            }
        }
    });
    let report = check(&lemire).against(uniform(6)).explored();
    assert!(report.conforms(), "{report}");
    assert!(
        report.distance_by_words().unwrap() < &BigRational::new(1.into(), BigInt::from(1) << 60)
    );
    for sides in [1_000_000_007, (1 << 40) + 1] {
        let law = |_: &u64, _: u32| Bracket::exact(BigRational::new(1.into(), sides.into()));
        let report = check(&FastDie::new(sides).unwrap()).against(law).explored();
        assert!(report.conforms(), "{report}");
    }
    // And about wrong ones it leads: a threshold of rejection that is off by one.
    for refused in [2, 5] {
        let off = from_fn(move |bits| {
            loop {
                let product = u128::from(bits.try_bits(64)?) * 6;
                if product as u64 >= refused {
                    return Ok((product >> 64) as u64);
                }
            }
        });
        let report = check(&off).against(uniform(6)).explored();
        assert!(matches!(report.finding(), Some(Finding::Words { .. })), "{refused}: {report}");
    }
}
