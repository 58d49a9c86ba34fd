//! The conformance kit on machines whose standing is known.
#![cfg(feature = "conformance")]

use buffon::conformance::{Finding, Report, check};
use buffon::explore::Says;
use buffon::{
    BitSource, Bracket, Coin, Die, Dyadic, Fair, KnownLaw, Machine, Rational, Reciprocals,
    Weighted, assert_conforms, parity_of_run,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use rand::distr::{Bernoulli, Distribution};
use rand::{Rng, SeedableRng, TryRng, rngs::StdRng};
use std::convert::Infallible;

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

fn rng() -> StdRng {
    StdRng::seed_from_u64(11)
}

fn two_to_minus(k: u32) -> BigRational {
    BigRational::new(1.into(), BigInt::from(1) << k)
}

#[test]
fn true_machines_conform_with_their_certified_distance() {
    let third = Rational::<u64>::new(1, 3).expect("in range");
    for depth in [8, 40, 200] {
        let report = check(&third).against(q(1, 3)).depth(depth).samples(20_000).run(&mut rng());
        let report = report.expect("no error");
        assert!(report.conforms(), "{report}");
        assert_eq!(report.distance(), Some(&two_to_minus(depth))); // the gap is exactly 2^-depth
        assert_eq!(report.excess_bits(), Some(&q(0, 1)));
    }
    assert_conforms!(third.then(Fair).or_else(third), itself);
    assert_conforms!(Die::new(6).expect("sides"), itself);
    assert_conforms!(Weighted::new([1, 2, 3, 4]).expect("weights"), itself);
    assert_conforms!(Dyadic::new(3, 3).expect("in range"), q(3, 8));
    let inverse_e = parity_of_run(Reciprocals);
    let report =
        check(&inverse_e).against_itself().samples(20_000).run(&mut rng()).expect("no error");
    assert!(report.conforms(), "{report}");
    let not_third = third.not();
    let of_other = check(&not_third).against(Says(Rational::<u8>::new(2, 3).expect("in range")));
    assert!(of_other.explored().conforms());
}

/// A word generator made of fair bits, for machines that want one.
struct Words<'a, B: BitSource + ?Sized>(&'a mut B, Option<B::Error>);

impl<B: BitSource + ?Sized> TryRng for Words<'_, B> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.try_bits(64).unwrap_or_else(|error| {
            self.1.get_or_insert(error);
            0
        }))
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        unreachable!("a Bernoulli draws words")
    }
}

/// rand's coin, as a machine.
struct RandsCoin(Bernoulli);

impl Machine for RandsCoin {
    type Output = bool;
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        let mut words = Words(bits, None);
        let answer = self.0.sample(&mut words);
        words.1.map_or(Ok(answer), Err)
    }
}

#[test]
fn a_64_bit_threshold_is_not_one_third() {
    let rands = RandsCoin(Bernoulli::from_ratio(1, 3).expect("in range"));
    let report = check(&rands).against(q(1, 3)).explored();
    assert!(!report.conforms() && report.is_by_words(), "{report}");
    let Some(Finding::Words { found, .. }) = report.finding() else { panic!("{report}") };
    assert!((found - q(1, 3)).numer() != &BigInt::from(0));
    // Nor is the best threshold of 64 bits; but it is what it is.
    struct Best;
    impl Machine for Best {
        type Output = bool;
        fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
            Ok(bits.try_bits(64)? < u64::MAX / 3)
        }
    }
    assert!(!check(&Best).against(q(1, 3)).explored().conforms());
    let floor = BigRational::new((u64::MAX / 3).into(), BigInt::from(1) << 64);
    assert!(check(&Best).against(floor).explored().conforms());
}

#[test]
fn contradictions_are_short_and_readable() {
    let shown = |report: Report<bool>| report.to_string();
    let coin = Rational::<u8>::new(5, 8).expect("in range");
    let text = shown(check(&coin).against(q(3, 5)).explored());
    assert!(
        text.starts_with(
            "refused, by proof: P(heads) is at least 5/8 after prefix TTH, target 3/5"
        ),
        "{text}"
    );
    let text = shown(check(&Fair).against(q(1, 2)).cost(Bracket::exact(q(2, 1))).explored());
    assert!(
        text.contains("claimed to cost 2.00000000 fair bits; the tree has 1.00000000"),
        "{text}"
    );
}

#[test]
fn claims_of_cost_tail_and_optimality_are_checked() {
    let third = Rational::<u64>::new(1, 3).expect("in range");
    let half = q(1, 2);
    let two = Bracket::exact(q(2, 1));
    assert!(
        check(&third)
            .against(q(1, 3))
            .optimal()
            .tail(1, half.clone())
            .cost(two.clone())
            .explored()
            .conforms()
    );
    assert!(!check(&third).against(q(1, 3)).tail(1, q(1, 3)).explored().conforms());
    // The same law at twice the price.
    let dear = third.xor(buffon::Never).mix(Fair.map(|_| true), Fair.map(|_| false));
    assert!(check(&dear).against(q(1, 3)).explored().conforms());
    assert!(!check(&dear).against(q(1, 3)).optimal().explored().conforms());
    assert!(!check(&dear).against(q(1, 3)).cost(two).explored().conforms());
    // What a machine says of its own cost is held against it.
    assert!(check(&third.mix(Fair, third)).against_itself().explored().conforms());
    assert!(third.expected_bits(10).is_exact());
}

#[test]
fn samples_find_what_the_tree_cannot_reach() {
    /// One third, but from flip 45 on always tails: a bias of 2^-45 in all, seen only below the depth.
    struct Tired;
    impl Machine for Tired {
        type Output = bool;
        fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
            let tails = bits.try_tails()?;
            Ok(tails < 45 && tails % 2 == 1)
        }
    }
    let report = check(&Tired)
        .against(q(1, 3))
        .depth(40)
        .samples(300_000)
        .run(&mut rng())
        .expect("no error");
    assert!(matches!(report.finding(), Some(Finding::Evidence { .. })), "{report}");
    // Explored deeper it is a proof.
    assert!(
        check(&Tired)
            .against(q(1, 3))
            .depth(60)
            .explored()
            .finding()
            .is_some_and(Finding::is_proof)
    );
    let _ = rng().next_u64();
}
