//! Laws by algebra, compilation and exact trees, on random expressions over all combinators.

use buffon::combinators::{
    AndThen, Array, Condition, Map, Mix, Not, OrElse, ParityOfRun, Power, Repeat, Retry, Run, Same,
    Then, Xor, Zip,
};
use buffon::law::Compiled;
use buffon::{
    BitSource, Bracket, Coin, Cost, Die, Dyadic, Harmonic, KnownLaw, Law, LawError, Machine,
    Rational, Tail, Weighted, explore, explore_weighted, parity_of_run,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use proptest::prelude::*;

/// A machine of the crate over boxed parts, so that expressions of any shape have one type.
macro_rules! expression {
    ($(#[$doc:meta])* $name:ident: $output:ty { $($kind:ident($machine:ty),)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        enum $name {
            $($kind($machine),)+
        }

        impl Machine for $name {
            type Output = $output;
            fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<$output, B::Error> {
                match self {
                    $(Self::$kind(machine) => machine.try_sample(bits),)+
                }
            }
        }

        impl KnownLaw for $name {
            fn law_at(&self, places: u32) -> Result<Law<$output>, LawError> {
                match self {
                    $(Self::$kind(machine) => machine.law_at(places),)+
                }
            }
            fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
                match self {
                    $(Self::$kind(machine) => machine.cost_at(places),)+
                }
            }
            fn tail(&self) -> Tail {
                match self {
                    $(Self::$kind(machine) => machine.tail(),)+
                }
            }
        }
    };
}

type C = Box<Flip>;
type D = Box<Roll>;

expression! {
    /// Coins.
    Flip: bool {
        Rational(Rational<u8>),
        Dyadic(Dyadic),
        Not(Not<C>),
        Then(Then<C, C>),
        OrElse(OrElse<C, C>),
        Xor(Xor<C, C>),
        Mix(Mix<C, C, C>),
        Power(Power<C>),
        Parity(ParityOfRun<Same<C>>),
        Exponential(ParityOfRun<Harmonic<C>>),
        Unlike(Retry<Map<Zip<C, C>, fn((bool, bool)) -> Option<bool>>>),
        Given(Map<Condition<Zip<C, C>, fn(&(bool, bool)) -> bool>, fn((bool, bool)) -> bool>),
        Majority(Map<Array<C, 3>, fn([bool; 3]) -> bool>),
        Odd(Map<Repeat<C>, fn(Vec<bool>) -> bool>),
        Even(Map<D, fn(u64) -> bool>),
        OneIn(AndThen<D, fn(u64) -> Rational<u64>>),
        Compiled(Compiled<C, bool>),
    }
}

expression! {
    /// Dice and choosers.
    Roll: u64 {
        Die(Die),
        Weighted(Map<Weighted, fn(usize) -> u64>),
        Mix(Mix<C, D, D>),
        Sum(Map<Zip<D, D>, fn((u64, u64)) -> u64>),
        Small(Condition<D, fn(&u64) -> bool>),
        Again(AndThen<D, fn(u64) -> Die>),
        Run(Map<Run<Same<C>>, fn(u64) -> u64>),
        Compiled(Compiled<D, u64>),
    }
}

fn leaf() -> impl Strategy<Value = Flip> {
    let rational = (1u8..9).prop_flat_map(|den| (0..=den, Just(den))).prop_map(|(num, den)| {
        Flip::Rational(Rational::<u8>::new(num, den).expect("a probability"))
    });
    let dyadic = (1u32..5).prop_flat_map(|m| (0u64..=1 << m, Just(m)));
    let dyadic = dyadic.prop_map(|(a, m)| Flip::Dyadic(Dyadic::new(a, m).expect("a probability")));
    prop_oneof![rational, dyadic]
}

fn rolls() -> impl Strategy<Value = Roll> {
    let die = (1u64..8).prop_map(|n| Roll::Die(Die::new(n).expect("sides")));
    let weighted = proptest::collection::vec(0u32..6, 1..5)
        .prop_filter_map("all zero", |weights| {
            Some(Roll::Weighted(Weighted::new(weights).ok()?.map(|n| n as u64)))
        });
    prop_oneof![die, weighted]
}

/// A coin and a roll that are made of the coins and rolls given.
fn composed(
    parts: impl Strategy<Value = (Flip, Roll)> + Clone,
) -> impl Strategy<Value = (Flip, Roll)> {
    let flips =
        (parts.clone(), parts.clone(), parts.clone(), 0..15u8).prop_map(|(p, q, r, kind)| {
            let ((p, d), (q, _), (r, _)) = (p, q, r);
            let (p, q, r, d) = (Box::new(p), Box::new(q), Box::new(r), Box::new(d));
            match kind {
                0 => Flip::Not(p.not()),
                1 => Flip::Then(p.then(q)),
                2 => Flip::OrElse(p.or_else(q)),
                3 => Flip::Xor(p.xor(q)),
                4 => Flip::Mix(p.mix(q, r)),
                5 => Flip::Power(p.power(3)),
                6 => Flip::Parity(p.parity_of_run()),
                7 => Flip::Exponential(parity_of_run(Harmonic::new(p))),
                8 => {
                    let unlike: fn((bool, bool)) -> Option<bool> = |(a, b)| (a != b).then_some(a);
                    Flip::Unlike(p.zip(q).map(unlike).retry())
                }
                9 => {
                    let either: fn(&(bool, bool)) -> bool = |&(a, b)| a || b;
                    let first: fn((bool, bool)) -> bool = |(a, _)| a;
                    Flip::Given(p.zip(q).condition(either).map(first))
                }
                10 => {
                    let majority: fn([bool; 3]) -> bool =
                        |[a, b, c]| if a { b || c } else { b && c };
                    Flip::Majority(p.array::<3>().map(majority))
                }
                11 => {
                    let odd: fn(Vec<bool>) -> bool =
                        |all| all.iter().filter(|&&h| h).count() % 2 == 1;
                    Flip::Odd(p.repeat(3).map(odd))
                }
                12 => {
                    let even: fn(u64) -> bool = |n| n % 2 == 0;
                    Flip::Even(d.map(even))
                }
                13 => {
                    let one_in: fn(u64) -> Rational<u64> =
                        |n| Rational::<u64>::new(1, n + 1).expect("a probability");
                    Flip::OneIn(d.and_then(one_in))
                }
                _ => match p.clone().compile() {
                    Ok(compiled) => Flip::Compiled(compiled),
                    Err(_) => *p,
                },
            }
        });
    let rolls = (parts.clone(), parts, 0..6u8).prop_map(|((p, d), (_, e), kind)| {
        let (p, d, e) = (Box::new(p), Box::new(d), Box::new(e));
        match kind {
            0 => Roll::Mix(p.mix(d, e)),
            1 => {
                let sum: fn((u64, u64)) -> u64 = |(a, b)| a + b;
                Roll::Sum(d.zip(e).map(sum))
            }
            2 => {
                let small: fn(&u64) -> bool = |&n| n < 3;
                Roll::Small(d.condition(small))
            }
            3 => {
                let again: fn(u64) -> Die = |n| Die::new(n + 1).expect("sides");
                Roll::Again(d.and_then(again))
            }
            4 => {
                let capped: fn(u64) -> u64 = |n| n.min(3);
                Roll::Run(p.run().map(capped))
            }
            _ => match d.clone().compile() {
                Ok(compiled) => Roll::Compiled(compiled),
                Err(_) => *d,
            },
        }
    });
    (flips, rolls)
}

fn parts() -> impl Strategy<Value = (Flip, Roll)> {
    let leaves = (leaf(), rolls()).boxed();
    let once = composed(leaves.clone()).boxed();
    let mixed = prop_oneof![1 => leaves, 2 => once.clone()].boxed();
    prop_oneof![1 => once, 3 => composed(mixed)]
}

const DEPTH: u32 = 9;

fn two_to_minus(k: u32) -> BigRational {
    BigRational::new(BigInt::one(), BigInt::one() << k)
}

/// Law, cost and tail against the exact trees, in fair bits and by weights.
fn agrees<M: KnownLaw>(machine: &M) -> Result<(), TestCaseError>
where
    M::Output: Clone + PartialEq + std::fmt::Debug,
{
    let law = match machine.law(60) {
        Ok(law) => law,
        Err(LawError::Impossible | LawError::NeverHalts) => {
            prop_assert_eq!(machine.tail(), Tail::MayNeverEnd);
            return Ok(());
        }
        Err(error) => return Err(TestCaseError::fail(format!("{error}"))),
    };
    let tree = explore(machine, DEPTH);
    let weighed = explore_weighted(machine, 4);
    let inside = |mass: &BigRational, open: &BigRational, p: &Bracket| {
        mass <= p.high() && *p.low() <= mass + open
    };
    for outcome in tree.outcomes() {
        let p = law.mass(outcome);
        prop_assert!(!p.high().is_zero(), "{:?} is not in the law", outcome);
        prop_assert!(inside(&tree.mass(outcome), &tree.open(), &p), "{:?}: {}", outcome, p);
    }
    for (outcome, _) in law.outcomes() {
        let p = law.mass(outcome);
        prop_assert!(inside(&tree.mass(outcome), &tree.open(), &p), "{:?}: {}", outcome, p);
        prop_assert!(inside(&weighed.mass(outcome), weighed.open(), &p), "{:?}: {}", outcome, p);
    }
    let all = law.outcomes().iter().fold(BigRational::zero(), |sum, (_, p)| sum + p.low());
    prop_assert!(all <= BigRational::one());
    // The cost: equal where the tree is finite, else no less than what the tree has cost so far.
    let cost = machine.cost_at(80);
    if let Ok(cost) = &cost {
        let so_far = tree.expected_bits();
        prop_assert!(cost.high().is_none_or(|high| so_far <= *high), "{:?} {}", cost, so_far);
        if tree.open().is_zero() {
            prop_assert!(*cost.low() <= so_far && cost.high().is_some());
        }
    }
    match machine.tail() {
        Tail::Bounded(most) => {
            prop_assert!(u64::from(DEPTH) < most || tree.open().is_zero());
            prop_assert!(tree.leaves().all(|leaf| leaf.prefix().len() as u64 <= most));
        }
        // Of the machines after outcomes that are not listed nothing may be known.
        tail => prop_assert!(tail < Tail::MayNeverEnd || !law.is_exact(), "{:?}", tail),
    }
    Ok(())
}

/// The compiled machine has the law, and on every level as few open nodes as any machine of that law.
fn compiles<M: KnownLaw + Clone>(machine: &M) -> Result<(), TestCaseError>
where
    M::Output: Clone + PartialEq + std::fmt::Debug,
{
    let Ok(compiled) = machine.clone().compile() else { return Ok(()) };
    let law = machine.law(60).expect("it was compiled");
    let (tree, before) = (explore(&compiled, DEPTH), explore(machine, DEPTH));
    let mut exact = true;
    for (outcome, _) in law.outcomes() {
        let (p, mass) = (law.mass(outcome), tree.mass(outcome));
        prop_assert!(mass <= *p.high() && *p.low() <= &mass + tree.open(), "{:?}: {}", outcome, p);
        exact &= p.is_exact();
    }
    if !exact {
        return Ok(());
    }
    for k in 0..=DEPTH {
        // Knuth and Yao: 2^-k·Σ frac(2^k·p).
        let scale = BigRational::from_integer(BigInt::one() << k);
        let mut outcomes: Vec<&M::Output> = Vec::new();
        let mut nodes = BigRational::zero();
        for (outcome, _) in law.outcomes() {
            if !outcomes.contains(&outcome) {
                outcomes.push(outcome);
                nodes += (law.mass(outcome).low() * &scale).fract();
            }
        }
        prop_assert_eq!(tree.open_after(k), nodes * two_to_minus(k), "level {}", k);
        prop_assert!(tree.open_after(k) <= before.open_after(k));
    }
    // And so costs what the law says, and no more than the machine.
    let bits = compiled.expected_bits(30);
    prop_assert!(tree.expected_bits() <= *bits.high());
    prop_assert!(
        *bits.low()
            <= tree.expected_bits() + two_to_minus(DEPTH) * BigInt::from(4 * law.outcomes().len())
    );
    if let Ok(cost) = machine.try_expected_bits(30) {
        prop_assert!(bits.low() <= cost.high());
    }
    Ok(())
}

/// The strings and answers of a tree.
fn leaves<M: Machine>(machine: &M) -> Vec<(Vec<bool>, Option<M::Output>)>
where
    M::Output: Clone + PartialEq,
{
    let tree = explore(machine, DEPTH);
    tree.leaves().map(|leaf| (leaf.prefix().to_vec(), leaf.outcome().cloned())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_law_is_that_of_the_tree((coin, roll) in parts()) {
        agrees(&coin)?;
        agrees(&roll)?;
    }

    #[test]
    fn a_compiled_machine_is_the_optimum_of_its_law((coin, roll) in parts()) {
        compiles(&coin)?;
        compiles(&roll)?;
    }

    #[test]
    fn algebra((p, _) in parts(), (q, d) in parts()) {
        // A machine without a law may run for ever, without a flip.
        if p.law(40).is_err() || q.law(40).is_err() {
            return Ok(());
        }
        // Not not p is p, bit for bit; so are both sides of De Morgan.
        prop_assert_eq!(leaves(&(&p).not().not()), leaves(&p));
        let (both, either) = ((&p).then(&q).not(), (&p).not().or_else((&q).not()));
        prop_assert_eq!(leaves(&both), leaves(&either));
        prop_assert_eq!(both.try_probability(40), either.try_probability(40));
        // Whatever the coin, x or x is x.
        if let Ok(law) = d.law(40) {
            let mixed = (&p).mix(&d, &d).law(40).expect("both have a law");
            for (outcome, _) in law.outcomes() {
                let (p, q) = (mixed.mass(outcome), law.mass(outcome));
                prop_assert!(p.low() <= q.high() && q.low() <= p.high());
                prop_assert!(!q.is_exact() || !p.is_exact() || p == q);
            }
        }
    }
}
