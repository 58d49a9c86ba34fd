//! The von Neumann schema: laws of whole numbers, and the coins that come of them.

mod support;

use buffon::catalogue::{
    All, Alternating, AlternatingEven, AlternatingOdd, Class, Cyclic, OneOverFactorial, OneRound,
    Poisson, RFoldCyclic, Sorted, Zigzag, logarithmic, polylog, polylogarithmic, von_neumann,
};
use buffon::{
    Always, Bracket, Budget, BudgetError, Coin, Fair, KnownLaw, LawError, Machine, Never, OneOver,
    ParameterError, Rational, Script, Tail, explore, explore_weighted,
};
use num_rational::BigRational;
use support::{has_decimals, has_law, q, trees_agree, two_to_minus};

fn lambda(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::new(num, den).expect("a probability")
}

/// The exact tree of a machine of whole numbers lies around its law, by bits and by weights.
fn numbers_agree<M: KnownLaw<Output = u64>>(machine: &M, bits: u32, questions: u32) {
    let law = machine.law(64).expect("a law");
    let around = |mass: BigRational, open: &BigRational, n| {
        let known = law.mass(&n);
        assert!(mass <= *known.high() && mass + open >= *known.low(), "{n}");
    };
    let (tree, weighed) = (explore(machine, bits), explore_weighted(machine, questions));
    for n in 0..12 {
        around(tree.mass(&n), &tree.open(), n);
        around(weighed.mass(&n), weighed.open(), n);
    }
    let cost = machine.expected_bits(16);
    assert!(tree.expected_bits() <= *cost.high());
    assert!(tree.is_reproducible() && weighed.is_reproducible());
    assert_eq!(machine.tail(), Tail::Exponential);
}

#[test]
fn the_table_of_costs() {
    fn costs<K: Class<Coin: KnownLaw> + Copy>(class: K, bits: [&str; 3]) {
        for (num, bits) in [1, 2, 3].into_iter().zip(bits) {
            let cost = von_neumann(lambda(num, 4), class).expected_bits(30);
            assert!(cost.width() <= two_to_minus(30) && has_decimals(&cost, bits), "{num}: {cost}");
        }
    }
    costs(Sorted, ["2.1579271698", "2.8810206336", "13.1967405672"]);
    costs(Cyclic, ["9.6247790834", "6.8063055906", "20.0195646188"]);
    costs(AlternatingEven, ["2.6523977544", "3.8759896483", "19.03044353"]);
    costs(AlternatingOdd, ["10.5740568845", "7.9321134608", "27.83240657"]);
}

#[test]
fn the_laws_of_the_numbers() {
    let half = lambda(1, 2);
    let mass = |law: &buffon::Law<u64>, n| law.mass(&n);
    // All: the geometric law, the run of λ bit for bit.
    let (all, run) = (von_neumann(half, All), half.run());
    assert!(all.expected_bits(40).contains(run.expected_bits(1).low()));
    let (tree, of_run) = (explore(&all, 12), explore(&run, 12));
    assert!((0..12).all(|n| tree.mass(&n) == of_run.mass(&n)));
    // Sorted: Poisson. e^(−1/2)/2ⁿn!.
    let poisson = von_neumann(half, Sorted).law(64).expect("a law");
    assert!(has_decimals(&mass(&poisson, 0), "0.60653065971263342360"));
    assert!(has_decimals(&mass(&poisson, 1), "0.30326532985631671180"));
    assert!(has_decimals(&mass(&poisson, 4), "0.0015795069263349828740"));
    // Cyclic: logarithmic. 1/(n·2ⁿ·ln 2); nothing of 0.
    let logs = von_neumann(half, Cyclic).law(64).expect("a law");
    assert!(has_decimals(&mass(&logs, 1), "0.72134752044448170368"));
    assert!(has_decimals(&mass(&logs, 3), "0.060112293370373475307"));
    let nothing = |mass: Bracket| *mass.low() == q(0, 1) && *mass.high() <= two_to_minus(64);
    assert!(nothing(mass(&logs, 0)));
    // Two cycles at once: 1/(n²2ⁿ·Li₂(1/2)).
    let two = polylogarithmic::<2>(1, 2).expect("a range").law(64).expect("a law");
    assert!(has_decimals(&mass(&two, 2), "0.10734395350227428035"));
    // Alternating: E₂ = 1, E₃ = 2, E₄ = 5.
    let even = von_neumann(half, AlternatingEven).law(64).expect("a law");
    assert!(has_decimals(&mass(&even, 0), "0.87758256189037271612"));
    assert!(has_decimals(&mass(&even, 2), "0.10969782023629658951"));
    assert!(has_decimals(&mass(&even, 4), "0.011426856274614228075"));
    assert!(nothing(mass(&even, 3)));
    let odd = von_neumann(half, AlternatingOdd).law(64).expect("a law");
    assert!(has_decimals(&mass(&odd, 1), "0.91524386085622595963"));
    assert!(has_decimals(&mass(&odd, 3), "0.076270321738018829969"));
    let both = von_neumann(half, Alternating).law(64).expect("a law");
    assert!(has_decimals(&mass(&both, 0), "0.59319143748075860906"));
    for class in [1, 2] {
        numbers_agree(&von_neumann(lambda(class, 3), Sorted), 11, 10);
        numbers_agree(&von_neumann(lambda(class, 3), Cyclic), 11, 10);
        numbers_agree(&von_neumann(lambda(class, 3), AlternatingEven), 11, 10);
        numbers_agree(&von_neumann(lambda(class, 3), AlternatingOdd), 11, 10);
        numbers_agree(&polylogarithmic::<3>(class, 3).expect("a range"), 11, 10);
    }
}

#[test]
fn coins_of_the_schema() {
    // λ/ln(1/(1 − λ)), which a library has as λe^(−λ) = 0.1947 and 0.3033, the second Poisson weight.
    for (num, den, heads, wrong) in [
        (1, 4, "0.86901487419555172759", "0.19470019576785122"),
        (1, 2, "0.72134752044448170368", "0.30326532985631671"),
    ] {
        let coin = logarithmic(num, den).expect("a range").map(|n| n == 1);
        let law = coin.probability(64);
        assert!(has_decimals(&law, heads) && !has_decimals(&law, wrong));
        trees_agree(&coin, 12, 12);
        let poisson = von_neumann(lambda(num, den), Sorted).map(|n| n == 1);
        assert!(has_decimals(&poisson.probability(64), wrong));
    }
    // λ·cot λ and cos λ; the first at the cost of the table.
    let coin = von_neumann(Fair, AlternatingOdd).map(|n| n == 1);
    has_law(&coin, "0.91524386085622595963", 34, "7.9321134608");
    let coin = von_neumann(Fair, AlternatingEven).map(|n| n == 0);
    has_law(&coin, "0.87758256189037271612", 34, "3.8759896483");
    // One round: (1 − λ)e^λ, λe^(1 − λ), (1 − λ)·ln(1/(1 − λ)), λ·ln(1/λ), (1 − λ)/cos λ, (1 − λ)·tan λ, (1 − λ)·Li₂(λ).
    fn taken<K: Class<Coin: KnownLaw>>(lambda: Rational<u64>, class: K) -> Bracket {
        OneRound::new(lambda, class).map(|n| n.is_some()).probability(64)
    }
    let (quarter, three) = (lambda(1, 4), lambda(3, 4));
    assert!(has_decimals(&taken(quarter, Sorted), "0.96301906251580611"));
    assert!(has_decimals(&taken(three, Sorted), "0.5292500041531686"));
    assert!(has_decimals(&taken(quarter, Cyclic), "0.21576155433883570"));
    assert!(has_decimals(&taken(three, Cyclic), "0.34657359027997265"));
    assert!(has_decimals(&taken(quarter, AlternatingEven), "0.77406376798828923"));
    assert!(has_decimals(&taken(quarter, AlternatingOdd), "0.19150644091577720"));
    assert!(has_decimals(&taken(quarter, RFoldCyclic::<2>), "0.20073947931204945"));
}

#[test]
fn a_mean_of_any_size() {
    let poisson = |num, den| Poisson::new(num, den).expect("a denominator");
    // Two parts of mean 1/2; three for a little more.
    let cost = poisson(1, 1).expected_bits(34);
    assert!(has_decimals(&cost, "5.7620412673"), "{cost}");
    for (num, den) in [(1, 3), (1, 2), (1, 1), (5, 2), (7, 1)] {
        numbers_agree(&poisson(num, den), 10, 8);
    }
    let law = poisson(5, 2).law(64).expect("a law");
    assert!(has_decimals(&law.mass(&0), "0.082084998623898795"));
    assert!(has_decimals(&law.mass(&2), "0.25651562069968373"));
    assert!(*law.rest() <= two_to_minus(64));
    // Mean 40: the greatest weights have all their places still.
    let law = poisson(40, 1).law(64).expect("a law");
    assert!(has_decimals(&law.mass(&40), "0.06294703942359"));
    let sum = law.outcomes().iter().map(|(_, weight)| weight.low()).sum::<BigRational>();
    assert!(sum > q(1, 1) - two_to_minus(62));
    // The sum of two is the convolution: 1/2 and 1/2.
    let (one, half) =
        (poisson(1, 1).law(64).expect("a law"), poisson(1, 2).law(64).expect("a law"));
    for n in 0..9u64 {
        let parts = |k: u64| (half.mass(&k), half.mass(&(n - k)));
        let low = (0..=n).map(|k| parts(k).0.low() * parts(k).1.low()).sum::<BigRational>();
        let high = (0..=n).map(|k| parts(k).0.high() * parts(k).1.high()).sum::<BigRational>();
        assert!(low <= *one.mass(&n).high() && *one.mass(&n).low() <= high);
    }
    // No mean, no bit.
    let none = poisson(0, 7);
    assert_eq!(none.try_sample(&mut Script::from_str("").expect("empty")), Ok(0));
    assert_eq!((none.max_bits(), none.expected_bits(9)), (Some(0), Bracket::exact(q(0, 1))));
    assert_eq!(none.law(9).expect("a law").mass(&0), Bracket::exact(q(1, 1)));
    // The greatest numbers.
    assert!(Poisson::new(u64::MAX, 1).is_ok() && Poisson::new(u64::MAX, u64::MAX).is_ok());
    assert_eq!(poisson(u64::MAX, u64::MAX).law(30).expect("a law").outcomes()[0].0, 0);
    assert_eq!(poisson(1 << 20, 1).law(10).err(), Some(LawError::TooManyOutcomes));
    assert_eq!(Poisson::new(1, 0).err(), Some(ParameterError::ZeroDenominator));
}

#[test]
fn polylogarithms_at_an_unknown_coin() {
    has_law(&polylog::<1, _>(Fair), "0.69314718055994530942", 34, "2.7177715301");
    has_law(&polylog::<2, _>(Fair), "0.58224052646501250590", 34, "2.8670653105");
    has_law(&polylog::<3, _>(Fair), "0.53721319360804020094", 34, "2.9355316088");
    trees_agree(&polylog::<1, _>(Fair), 14, 16);
    trees_agree(&polylog::<3, _>(lambda(1, 3)), 14, 16);
    // At λ = 0 it is 1, as Li(λ)/λ is.
    assert_eq!(polylog::<2, _>(Never).probability(64), Bracket::exact(q(1, 1)));

    /// k coins 1/n, one after another, in place of one coin 1/nᵏ: the price of the paper's way.
    #[derive(Clone, Copy)]
    struct OneByOne;
    impl Class for OneByOne {
        type Coin = buffon::combinators::Then<OneOver, OneOver>;
        fn coin(&self, n: u64) -> Self::Coin {
            let one = OneOver::try_from(n + 1).expect("not 0");
            one.then(one)
        }
    }
    let paper = OneRound::new(Fair, OneByOne).map(|n| n.is_some());
    has_law(&paper, "0.58224052646501250590", 34, "2.9711312017");
    let three = OneRound::new(Fair, |n: u64| {
        let one = OneOver::try_from(n + 1).expect("not 0");
        one.then(one).then(one)
    });
    has_law(&three.map(|n| n.is_some()), "0.53721319360804020094", 34, "3.0711438634");
}

#[test]
fn what_would_never_end_is_refused() {
    let (never, large) = (Some(ParameterError::NeverEnds), Some(ParameterError::TooLarge));
    assert_eq!((logarithmic(1, 1).err(), logarithmic(7, 7).err()), (never, never));
    assert_eq!((logarithmic(0, 1).err(), logarithmic(2, 1).err()), (never, large));
    assert_eq!(logarithmic(1, 0).err(), Some(ParameterError::ZeroDenominator));
    assert_eq!(polylogarithmic::<2>(5, 5).err(), never);
    assert_eq!(polylogarithmic::<2>(0, 5).err(), never);
    // With a coin that is certain it is known too, by its law.
    let certain = von_neumann(Always, Sorted);
    assert_eq!(certain.law(10).err(), Some(LawError::NeverHalts));
    assert_eq!(certain.try_expected_bits(10).err(), Some(LawError::NeverHalts));
    assert_eq!(certain.tail(), Tail::MayNeverEnd);
    assert_eq!(polylog::<1, _>(Always).try_probability(10), Err(LawError::NeverHalts));
    // λ = 0 and a class without 0: each round is in vain, and without a bit.
    let vain = von_neumann(Never, Cyclic);
    assert_eq!(vain.law(10).err(), Some(LawError::Impossible));
    assert_eq!(vain.tail(), Tail::MayNeverEnd);
    assert_eq!(von_neumann(Never, AlternatingOdd).law(10).err(), Some(LawError::Impossible));
    // λ = 0 and a class with 0: 0, without a bit.
    for law in [von_neumann(Never, Sorted).law(10), von_neumann(Never, Sorted).law(64)] {
        assert_eq!(law.expect("a law").mass(&0), Bracket::exact(q(1, 1)));
    }
    assert_eq!(
        von_neumann(Never, AlternatingEven).try_sample(&mut Script::from_str("").expect("")),
        Ok(0)
    );
    // A budget bounds what is steep: λ = 1 − 2^-40 by a physical coin that always falls on heads.
    let mut flips = 0u32;
    let heads = buffon::External::new(|| {
        flips += 1;
        flips < 1000
    });
    let bits = Script::from_str(&"T".repeat(500)).expect("flips");
    let answer = von_neumann(heads, Sorted).try_sample(&mut Budget::new(bits, 100));
    assert_eq!(answer, Err(BudgetError::Exhausted));
}

#[test]
fn classes_at_their_edges() {
    let p = |coin: Bracket| coin;
    for n in [0, 1] {
        // Sorted takes 0 and 1 without a bit; so do the alternating ones of the right parity.
        assert_eq!(p(Sorted.coin(n).probability(9)), Bracket::exact(q(1, 1)));
        assert_eq!(Sorted.coin(n).max_bits(), Some(0));
        assert_eq!(Alternating.coin(n).max_bits(), Some(0));
    }
    assert_eq!(Cyclic.coin(0).probability(9), Bracket::exact(q(0, 1)));
    assert_eq!(Cyclic.coin(1).probability(9), Bracket::exact(q(1, 1)));
    assert_eq!((Cyclic.coin(0).max_bits(), Cyclic.coin(1).max_bits()), (Some(0), Some(0)));
    assert_eq!(AlternatingEven.coin(3).max_bits(), Some(0));
    assert_eq!(AlternatingEven.coin(3).probability(9), Bracket::exact(q(0, 1)));
    assert_eq!(AlternatingOdd.coin(3).probability(9), Bracket::exact(q(1, 3)));
    assert_eq!(AlternatingOdd.coin(0).probability(9), Bracket::exact(q(0, 1)));
    assert_eq!(RFoldCyclic::<3>.coin(4).probability(9), Bracket::exact(q(1, 64)));
    // n = 2^64 − 1 is an index like any other.
    assert_eq!(*Cyclic.coin(u64::MAX).probability(9).low(), q(1, u64::MAX));
    let mut bits = Script::from_str("THTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTH").expect("flips");
    assert!(Zigzag::new(u64::MAX).try_flip(&mut bits).is_ok());
    assert!(
        OneOverFactorial::new(u64::MAX).try_flip(&mut Script::from_str("H").expect("H")).is_ok()
    );
}

#[test]
fn great_factorials_are_split_and_great_zigzags_rolled() {
    // 1/n! by one coin up to 34!, by two beyond.
    let mut factorial = num_bigint::BigInt::from(1);
    for n in 1..=60u64 {
        factorial *= n;
        let coin = OneOverFactorial::new(n);
        assert_eq!(
            coin.probability(1),
            Bracket::exact(BigRational::new(1.into(), factorial.clone()))
        );
        assert!(*coin.expected_bits(60).high() <= q(2, 1) + two_to_minus(100), "{n}");
    }
    // Eₙ/n! around the change from the table to dice; 2·(2/π)^(n + 1) to many places.
    let share = |n| Zigzag::new(n).probability(200);
    assert!(has_decimals(&share(5), "0.13333333333333"));
    let ratio = |n| share(n).low() / share(n - 1).low();
    for n in [33, 34, 35, 36, 40] {
        assert!(has_decimals(&Bracket::exact(ratio(n)), "0.636619772367"), "{n}");
    }
    // The dice beyond the table are rolled with probability E₃₄/34!, so they hardly cost.
    for n in [35, 40, 1000] {
        let bits = Zigzag::new(n).expected_bits(40);
        assert!(*bits.low() > q(2, 1) && *bits.high() < q(200_003, 100_000), "{bits}");
    }
    assert!(*Zigzag::new(1000).probability(64).high() <= two_to_minus(64));
}
