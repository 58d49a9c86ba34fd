//! Compiled machines: the optimal tree of a law that is known by algebra.

use buffon::{
    Always, BitSource, Bracket, Budget, BudgetError, Coin, Cost, Counted, Die, Dyadic, Fair,
    Harmonic, KnownLaw, Law, LawError, Machine, Never, OneOver, Rational, Reciprocals, Script,
    ScriptEnded, Sequential, Tail, Weighted, explore, explore_weighted, parity_of_run,
};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

fn rational(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::new(num, den).expect("a probability")
}

/// ln 2 = Σ 2^-n/n: one more than the heads before a tails, and the coin 1/n of that number.
fn ln_2() -> impl KnownLaw<Output = bool> + Clone {
    Fair.run().and_then(|n| OneOver::try_from(n + 1).expect("above 0"))
}

/// The same leaves in the same places.
fn same_tree<M: Machine, N: Machine<Output = M::Output>>(one: &M, other: &N, depth: u32)
where
    M::Output: PartialEq + std::fmt::Debug,
{
    let (one, other) = (explore(one, depth), explore(other, depth));
    assert!(one.is_reproducible() && other.is_reproducible());
    assert!(
        one.leaves()
            .map(|leaf| (leaf.prefix().to_vec(), leaf.outcome().map(|x| format!("{x:?}"))))
            .eq(other
                .leaves()
                .map(|leaf| (leaf.prefix().to_vec(), leaf.outcome().map(|x| format!("{x:?}")))))
    );
}

/// The answer on a string of so many tails, then what follows, and the flips that it took.
fn after<M: Machine>(
    machine: &M,
    tails: usize,
    then: &str,
) -> (Result<M::Output, ScriptEnded>, u64) {
    let flips = "T".repeat(tails) + then;
    let mut bits = Counted::new(Script::from_str(&flips).expect("flips"));
    let answer = machine.try_sample(&mut bits);
    let count = bits.count();
    (answer, count)
}

/// Ends within a budget on monotonous strings, with an answer or without.
fn ends<M: Machine>(machine: &M) {
    struct Again(Vec<bool>, usize);
    impl BitSource for Again {
        type Error = std::convert::Infallible;
        fn try_bit(&mut self) -> Result<bool, Self::Error> {
            self.1 += 1;
            Ok(self.0[self.1 % self.0.len()])
        }
    }
    for pattern in [vec![false], vec![true], vec![true, false], vec![false, true]] {
        let _ = machine.try_sample(&mut Budget::new(Again(pattern, 0), 4096));
    }
}

#[test]
fn a_compiled_rational_coin_answers_as_the_rational_coin() {
    for den in 1..=40 {
        for num in 0..=den {
            let coin = rational(num, den);
            let compiled = coin.compile().expect("a law");
            same_tree(&coin, &compiled, 14);
            assert_eq!(compiled.expected_bits(1), coin.expected_bits(1), "{num}/{den}");
            assert_eq!(compiled.max_bits(), coin.max_bits());
        }
    }
    // Below the cached digits, and where a dyadic number ends there or just before.
    let two = |m: u32| BigUint::from(1u8) << m;
    let wide =
        |num: BigUint, den: BigUint| Rational::<BigUint>::new(num, den).expect("a probability");
    let coins = [
        wide(1u8.into(), 3u8.into()),
        wide(two(100) / 7u8, two(100)),
        wide(1u8.into(), two(64)),
        wide(two(64) - 1u8, two(64)),
        wide(1u8.into(), two(65)),
        wide(1u8.into(), two(63)),
        wide(two(200) / 3u8, two(200)),
        wide(two(127) - 1u8, two(128) - 1u8),
    ];
    for coin in coins {
        let compiled = (&coin).compile().expect("a law");
        for tails in
            [0, 1, 30, 61, 62, 63, 64, 65, 66, 98, 99, 100, 126, 127, 128, 129, 199, 200, 500]
        {
            for then in ["", "H", "TH", "HH"] {
                assert_eq!(
                    after(&coin, tails, then),
                    after(&compiled, tails, then),
                    "{coin:?} {tails} {then}"
                );
            }
        }
        ends(&compiled);
    }
}

#[test]
fn a_compiled_chooser_answers_as_the_optimal_chooser() {
    for weights in [
        vec![1, 2, 3],
        vec![1, 9, 6],
        vec![5, 0, 3],
        vec![1; 6],
        vec![1, 1, 1, 97],
        vec![7, 5, 11, 13, 17],
    ] {
        let best = Weighted::new(&weights).expect("weights");
        let compiled = Sequential::new(&weights).expect("weights").compile().expect("a law");
        same_tree(&best, &compiled, 14);
        assert_eq!(best.expected_bits(64), compiled.expected_bits(64), "{weights:?}");
        assert_eq!(best.max_bits(), compiled.max_bits());
        ends(&compiled);
    }
    // Below the table.
    let best = Weighted::new([1u32, 2, 3, 5]).expect("weights");
    let compiled = (&best).compile().expect("a law");
    for tails in [38, 40, 45, 63, 64, 65, 70, 129] {
        for then in ["H", "THHTHHTTTHH", "HTHTHTHTHTH", ""] {
            let (one, other) = (after(&best, tails, then), after(&compiled, tails, then));
            assert_eq!(one, other, "{tails} {then}");
        }
    }
    // Two dice: the outcomes are sums, each once; 3.27 bits of entropy.
    let die = Die::new(6).expect("sides");
    let sum = die.zip(die).map(|(a, b)| a + b).compile().expect("a law");
    assert_eq!(sum.law(1).expect("a law").mass(&5).low(), &q(6, 36));
    let bits = sum.expected_bits(40);
    assert!(*bits.low() > q(327, 100) && *bits.high() < q(527, 100), "{bits}");
    let sums: Vec<u32> = (1..7).chain((1..6).rev()).collect();
    let best = Weighted::new(sums).expect("weights");
    same_tree(&sum, &best.map(|n| n as u64), 12);
}

#[test]
fn what_is_certain_costs_nothing() {
    let costs = [
        Always.compile().map(|m| m.expected_bits(1)),
        Never.then(ln_2()).compile().map(|m| m.expected_bits(1)),
        Fair.xor(Fair).map(|_| true).compile().map(|m| m.expected_bits(1)),
        rational(1, 3).mix(Always, Always).compile().map(|m| m.expected_bits(1)),
    ];
    for bits in costs {
        assert_eq!(bits, Ok(Bracket::exact(q(0, 1))));
    }
    let seven = Fair.map(|_| 7).compile().expect("a law");
    assert_eq!(seven.try_sample(&mut Script::from_str("").expect("flips")), Ok(7));
    assert_eq!(seven.max_bits(), Some(0));
}

#[test]
fn digits_of_irrational_coins() {
    // The first 128 digits of ln 2 and of 1/e.
    let digits = |hex: &[u8]| BigUint::parse_bytes(hex, 16).expect("hexadecimal");
    let ln_2 = (ln_2().compile().expect("a law"), digits(b"b17217f7d1cf79abc9e3b39803f2f6af"));
    for tails in 0..128 {
        let digit = ln_2.1.bit(127 - tails as u64);
        assert_eq!(after(&ln_2.0, tails, "H"), (Ok(digit), tails as u64 + 1), "ln 2, {tails}");
    }
    let e = parity_of_run(Reciprocals).compile().expect("a law");
    let e_digits = digits(b"5e2d58d8b3bcdf1abadec7829054f90d");
    for tails in 0..128 {
        assert_eq!(after(&e, tails, "H").0, Ok(e_digits.bit(127 - tails as u64)), "1/e, {tails}");
    }
    // 2 bits, where the machine itself takes 2.35.
    let bits = e.expected_bits(100);
    assert!(
        bits.contains(&q(2, 1))
            && bits.width() <= BigRational::new(1.into(), BigInt::from(1) << 100u32)
    );
    assert_eq!(e.tail(), Tail::Exponential);
    ends(&e);
    // The same law and the same tree, compiled again or not.
    same_tree(&e, &(&e).compile().expect("a law"), 16);
    let tree = explore(&e, 60);
    assert_eq!(tree.open(), BigRational::new(1.into(), BigInt::from(1) << 60u32));
}

#[test]
fn a_half_that_no_bracket_tells() {
    // exp(−ln 2) = 1/2: the brackets stay open around it, and so does the second node.
    let half = parity_of_run(Harmonic::new(ln_2()));
    let p = half.probability(200);
    assert!(p.contains(&q(1, 2)) && !p.is_exact());
    let compiled = half.compile().expect("a law");
    assert_eq!(compiled.probability(200), p);
    let tree = explore(&compiled, 20);
    for k in 1..=20 {
        assert_eq!(tree.open_after(k), BigRational::new(2.into(), BigInt::from(1 << k)), "{k}");
    }
    assert_eq!(tree.mass(&true), tree.mass(&false));
    let bits = compiled.expected_bits(40);
    assert!(bits.contains(&q(3, 1)) && bits.width() < q(1, 1 << 40) + q(1, 1 << 60), "{bits}");
    assert_eq!(after(&compiled, 5, "HH"), (Ok(true), 7));
    assert_eq!(after(&compiled, 5, "HT"), (Ok(false), 7));
    for tails in [61, 62, 63, 64, 65, 127, 128, 129, 300] {
        for (then, answer) in [("HH", true), ("HT", false)] {
            assert_eq!(
                after(&compiled, tails, then),
                (Ok(answer), tails as u64 + 2),
                "{tails} {then}"
            );
        }
    }
    ends(&compiled);
    // A quarter of it: the digits before are decided.
    let eighth = Fair.then(Fair).then(&compiled).compile().expect("a law");
    assert_eq!(after(&eighth, 0, "H"), (Ok(false), 1));
    assert_eq!(after(&eighth, 1, "H"), (Ok(false), 2));
    assert_eq!(after(&eighth, 2, "HH"), (Ok(true), 4));
    // Three outcomes of which two are such halves of a half.
    let three = compiled
        .mix(Fair.map(|_| 0), Fair.map(|h| if h { 1 } else { 2 }))
        .compile()
        .expect("a law");
    let tree = explore(&three, 18);
    for (outcome, p) in [(0, q(1, 2)), (1, q(1, 4)), (2, q(1, 4))] {
        assert!(tree.mass(&outcome) <= p && tree.mass(&outcome) + tree.open() >= p);
    }
    ends(&three);
    // Two bits by the law; what is undecided costs at most one node for each outcome.
    assert!(*three.expected_bits(20).high() <= q(3, 2) + q(3, 1));
}

#[test]
fn near_a_dyadic_number_the_digits_are_found() {
    // 1/2 − 2^-100·(1/2 − 1/e): 0.0111…, with a 0 about the hundredth digit.
    let rare = Dyadic::new(1, 100).expect("a probability");
    let coin = rare.mix(parity_of_run(Reciprocals), Fair).compile().expect("a law");
    assert!(coin.expected_bits(50).contains(&q(2, 1)));
    assert_eq!(explore(&coin, 60).open(), BigRational::new(1.into(), BigInt::from(1) << 60u32));
    let digit = |tails| after(&coin, tails, "H").0;
    assert_eq!(digit(0), Ok(false));
    assert!((1..100).all(|tails| digit(tails) == Ok(true)));
    // 1/2 − 1/e = 0.132… = 0.00100001… in binary: so digits 101 and 102 of the difference are 0, and 103 is 1.
    assert_eq!([digit(100), digit(101), digit(102), digit(103)], [true, true, false, true].map(Ok));
    ends(&coin);
}

#[test]
fn an_endless_list_of_outcomes() {
    let run = Fair.run().compile().expect("a law");
    same_tree(
        &run.clone().map(|n| n.min(20)),
        &Fair.not().run().map(|n| n.min(20)).compile().expect("a law"),
        14,
    );
    let Err(LawError::UnboundedCost { at_least }) = run.try_expected_bits(40) else {
        panic!("endless")
    };
    assert!(at_least <= q(2, 1) && at_least > q(199, 100));
    let third = rational(1, 3).run().compile().expect("a law");
    let tree = explore(&third, 12);
    for n in 0..8 {
        let p = BigRational::new(2.into(), BigInt::from(3).pow(n + 1));
        let mass = tree.mass(&u64::from(n));
        assert!(mass <= p && p <= &mass + tree.open(), "{n}");
        // Each digit that there is has its leaf: what is missing is less than a leaf of the last level.
        assert!(p - mass < q(1, 1 << 12), "{n}");
    }
    ends(&third);
    // Outcomes rarer than the cached levels appear below them.
    let (found, flips) = after(&run, 90, "H");
    assert_eq!((found.map(|n| n > 60), flips), (Ok(true), 91));
    let (found, flips) = after(&third, 150, "HHHHHHHHHHHHHH");
    assert!(found.is_ok_and(|n| n > 60) && flips > 150);
}

#[test]
fn a_source_with_ratios_is_asked_for_one() {
    let coin = Fair.then(rational(1, 3)).compile().expect("a law");
    let asked = explore_weighted(&coin, 1);
    assert_eq!((asked.runs(), asked.mass(&true)), (2, q(1, 6)));
    let die = Die::new(6).expect("sides");
    let sum = die.zip(die).map(|(a, b)| a + b).compile().expect("a law");
    let asked = explore_weighted(&sum, 4);
    // Coins that halve the list: one leaf for each sum, and so no more information than the answer has.
    assert_eq!((asked.runs(), asked.mass(&5)), (11, q(1, 6)));
}

/// With probability 2^-32 the digits that come first do not answer, and flips go on from there.
#[test]
fn a_source_with_ratios_is_asked_for_the_digits_of_an_irrational_coin() {
    let coin = parity_of_run(Reciprocals).compile().expect("a law");
    let wanted = parity_of_run(Reciprocals).probability(120);
    let mut width = q(1, 1);
    for depth in [1, 10, 20] {
        let asked = explore_weighted(&coin, depth);
        let (least, most) = (asked.mass(&true), asked.mass(&true) + asked.open());
        assert!(least <= *wanted.high() && *wanted.low() <= most, "{depth}");
        width = asked.open().clone();
    }
    assert!(width < BigRational::new(1.into(), BigInt::from(1) << 48));
    // Undecided from the first digit on: the flips are plain, and right.
    let half = parity_of_run(Harmonic::new(ln_2())).compile().expect("a law");
    let asked = explore_weighted(&half, 12);
    assert!(asked.mass(&true) <= q(1, 2) && q(1, 2) <= asked.mass(&true) + asked.open());
}

/// A coin of a third whose law stops short.
#[derive(Clone, Copy)]
struct Short {
    /// Beyond so many places there is an error.
    told: u32,
    /// Beyond so many places the bracket gets no narrower.
    narrow: u32,
}

impl Machine for Short {
    type Output = bool;
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        bits.try_ratio(1, 3)
    }
}

impl KnownLaw for Short {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        if places > self.told {
            return Err(LawError::TooManyOutcomes);
        }
        let width = BigRational::new(1.into(), BigInt::from(1) << places.min(self.narrow));
        Ok(Law::coin(Bracket::new(q(1, 3) - &width, q(1, 3) + width)))
    }
    fn cost_at(&self, _: u32) -> Result<Cost, LawError> {
        Ok(Cost::bits(2))
    }
    fn tail(&self) -> Tail {
        Tail::Exponential
    }
}

#[test]
fn a_law_that_stops_short_never_makes_a_wrong_answer() {
    for short in [Short { told: 130, narrow: 1000 }, Short { told: 1000, narrow: 70 }] {
        let coin = short.compile().expect("64 digits are told");
        assert_eq!(after(&coin, 3, "H"), (Ok(true), 4));
        assert_eq!(after(&coin, 62, "H"), (Ok(false), 63));
        // Below, there is no answer to give: it flips on, and a budget stops it.
        let mut budget = Budget::new(Script::from_str(&"T".repeat(10_000)).expect("flips"), 8192);
        assert!(matches!(coin.try_sample(&mut budget), Err(BudgetError::Exhausted)));
    }
    assert_eq!(Short { told: 1000, narrow: 40 }.compile().err(), Some(LawError::Undecided));
    assert_eq!(Short { told: 10, narrow: 1000 }.compile().err(), Some(LawError::TooManyOutcomes));
    assert_eq!(Always.parity_of_run().compile().err(), Some(LawError::NeverHalts));
    assert_eq!(Fair.condition(|_| false).compile().err(), Some(LawError::Impossible));
}
