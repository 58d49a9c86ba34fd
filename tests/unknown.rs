//! More functions of an unknown coin: Poisson laws by thinning, exponentials of powers, polynomials that stop early.

mod support;

use std::cell::Cell;

use buffon::catalogue::{Poisson, ThinnedPoisson, exp_minus, exp_minus_exp, inverse_e};
use buffon::explore::{Letter, Polynomial as Poly, explore_letters};
use buffon::factories::{
    EarlyBernstein, ExpOverFour, Pgf, bernstein, exp_minus_of, exp_minus_power,
};
use buffon::{
    Always, BitSource, Bracket, Coin, Explorer, Fair, KnownLaw, Machine, Never, ParameterError,
    Rational, Script, Tail, explore_weighted,
};
use support::{has_decimals, has_law, q, trees_agree, two_to_minus};

fn rational(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::new(num, den).expect("a probability")
}

fn meet(a: &Bracket, b: &Bracket) -> bool {
    a.low() <= b.high() && b.low() <= a.high()
}

#[test]
fn poisson_numbers_are_thinned_up_to_a_mean_of_one() {
    let one = Poisson::new(1, 1).expect("1");
    // λ = 1 as well, where the schema of von Neumann never ends.
    let at_one = ThinnedPoisson::new(Always);
    assert_eq!(at_one.tail(), Tail::Exponential);
    assert!(has_decimals(&at_one.expected_bits(30), "5.7620"));
    let third = ThinnedPoisson::new(rational(1, 3));
    assert!(has_decimals(&third.expected_bits(30), "7.7620"));
    let known = Poisson::new(1, 3).expect("1/3").law(64).expect("known");
    let (law, full, same) =
        (third.law(64).expect("known"), at_one.law(64).expect("known"), one.law(64).expect("1"));
    let found = explore_weighted(&third, 12);
    for n in 0..8u64 {
        assert!(meet(&law.mass(&n), &known.mass(&n)) && meet(&full.mass(&n), &same.mass(&n)));
        let mass = found.mass(&n);
        assert!(mass <= *law.mass(&n).high() && *law.mass(&n).low() <= mass + found.open());
    }
    // An irrational mean: 1/e.
    let irrational = ThinnedPoisson::new(inverse_e()).map(|n| n == 0);
    assert!(has_decimals(&irrational.probability(50), "0.692200627555"));
    assert_eq!(ThinnedPoisson::new(Never).map(|n| n).law(9).expect("0").mass(&0).high(), &q(1, 1));
}

#[test]
fn the_exponential_by_thinning_flips_less() {
    // (1 − e^(−λ))/λ flips of λ: at λ = 1, where a flip costs nothing, and at 1/2, 0.7869 flips.
    let by = |coin: Rational<u64>| Pgf::new(Poisson::new(1, 1).expect("1"), coin.not());
    let half = by(rational(1, 2));
    assert!(meet(&half.probability(64), &exp_minus_of(Fair).probability(64)));
    let flips = half.expected_bits(30).low() - one_bits().low();
    assert!(has_decimals(&Bracket::exact(flips), "0.786938"));
}

fn one_bits() -> Bracket {
    Poisson::new(1, 1).expect("1").expected_bits(30)
}

#[test]
fn exponentials_of_powers() {
    has_law(&exp_minus_power(1, Fair, 2).expect("fits"), "0.10539922456186433678", 40, "3.858621");
    for (m, p, k, x) in [
        (0, (1, 2), 3, (1, 8)),
        (2, (0, 1), 2, (4, 1)),
        (1, (1, 3), 3, (64, 27)),
        (3, (1, 2), 1, (7, 2)),
        (5, (1, 2), 0, (1, 1)),
        (0, (0, 1), 0, (1, 1)),
    ] {
        let coin = exp_minus_power(m, rational(p.0, p.1), k).expect("fits");
        let known = exp_minus(x.0, x.1).expect("x");
        assert!(meet(&coin.probability(64), &known.probability(64)), "{m} {p:?} {k}");
        assert!(coin.probability(64).width() <= two_to_minus(64));
        trees_agree(&coin, 12, 12);
    }
    assert_eq!(exp_minus_power(1 << 33, Fair, 2).unwrap_err(), ParameterError::TooLarge);
    assert_eq!(exp_minus_power(2, Fair, 70).unwrap_err(), ParameterError::TooLarge);
    // Of (0 + p)ᵏ only pᵏ is left, whatever C(k, j) are.
    let high = exp_minus_power(0, Fair, 200).expect("0 and 1");
    assert!(meet(&high.probability(250), &exp_minus_of(Fair.power(200)).probability(250)));
    assert!(*high.probability(250).high() < q(1, 1) - two_to_minus(201));
    assert!(exp_minus_power(0, Fair, u32::MAX).is_ok());
    let once = exp_minus_power(0, Fair, 0).expect("0⁰ = 1");
    assert!(has_decimals(&once.probability(40), "0.36787944"));
    assert_eq!(exp_minus_power(1, Fair, 130).unwrap_err(), ParameterError::TooLarge);
}

#[test]
fn exponentials_that_grow() {
    let e_over_four = ExpOverFour::new(Always);
    has_law(&e_over_four, "0.67957045711476130884", 30, "2.8174");
    trees_agree(&e_over_four, 14, 14);
    has_law(&ExpOverFour::new(Fair), "0.41218031767503203671", 30, "3.3522");
    trees_agree(&ExpOverFour::new(rational(1, 3)), 14, 14);
    assert_eq!(ExpOverFour::new(Never).probability(64).low(), &q(1, 4));
    // For every p: e^p/4 lies between the partial sums of its series and what is open.
    let [p] = Poly::letters();
    let found = Explorer::new(12).letters_weighted(|[p]: [Letter; 1]| ExpOverFour::new(p));
    let (mut sum, mut term) = (Poly::from(q(1, 4)), Poly::from(q(1, 4)));
    for k in 1..=12i64 {
        term = term * &p * Poly::from(q(1, k));
        sum = sum + &term;
    }
    let least = found.polynomial(&true);
    assert_eq!((&sum - &least).sign(), buffon::explore::Sign::NeverNegative);
    assert_eq!((&least + found.open() - &sum).sign(), buffon::explore::Sign::NeverNegative);
    // exp(−e^p) and exp(−e^(1 + p)).
    let half = exp_minus_exp(0, Fair).expect("fits");
    assert!(has_decimals(&half.probability(64), "0.19229564554796492807"));
    assert!(has_decimals(
        &exp_minus_exp(1, Never).expect("fits").probability(40),
        "0.065988035845"
    ));
    assert_eq!(exp_minus_exp(31, Fair).unwrap_err(), ParameterError::TooLarge);
}

#[test]
fn polynomials_stop_when_the_rest_is_the_same() {
    let [p] = Poly::letters();
    let bit = |n| rational(n, 1);
    let majority = [bit(0), bit(0), bit(1), bit(1)];
    let early = explore_letters(|[p]: [Letter; 1]| EarlyBernstein::new(p, majority), 3);
    let whole = explore_letters(|[p]: [Letter; 1]| bernstein(p, majority), 3);
    assert!(early.is_finite() && early.polynomial(&true) == whole.polynomial(&true));
    assert_eq!(early.expected_flips(0), 2 + 2 * &p * (1 - &p));
    assert_eq!(whole.expected_flips(0), Poly::from(3));
    // Any coefficients: the same polynomial, by no more flips.
    let lists: [&[(u64, u64)]; 5] = [
        &[(1, 3)],
        &[(1, 2), (1, 2), (1, 2), (0, 1), (2, 3)],
        &[(0, 1), (1, 4), (1, 4), (1, 4), (1, 4)],
        &[(1, 1), (0, 1), (1, 1)],
        &[(2, 4), (1, 2), (3, 6)],
    ];
    for list in lists {
        let coins: Vec<_> = list.iter().map(|&(a, b)| rational(a, b)).collect();
        let found = |early| {
            let build = |[p]: [Letter; 1]| match early {
                true => EarlyBernstein::new(p, coins.clone()).erased(),
                false => bernstein(p, coins.clone()).erased(),
            };
            Explorer::new(8).letters_weighted(build)
        };
        let (early, whole) = (found(true), found(false));
        assert!(early.is_finite() && early.polynomial(&true) == whole.polynomial(&true));
        assert_eq!(early.expected_bits(), whole.expected_bits());
        let spared = whole.expected_flips(0) - early.expected_flips(0);
        assert_eq!(spared.sign(), buffon::explore::Sign::NeverNegative);
        // And the law by algebra.
        let third = rational(1, 3);
        let (a, b) = (EarlyBernstein::new(third, coins.clone()), bernstein(third, coins.clone()));
        assert_eq!(a.probability(1), b.probability(1));
        let flips = early.expected_flips(0).at(&[q(1, 3)]);
        let own = early.expected_bits().at(&[q(1, 3)]);
        assert_eq!(a.expected_bits(1), Bracket::exact(flips * q(2, 1) + own), "{list:?}");
    }
}

#[test]
fn polynomials_at_their_edges() {
    let none: [Rational<u64>; 0] = [];
    let empty = EarlyBernstein::new(Fair, none);
    assert_eq!(empty.probability(1), Bracket::exact(q(0, 1)));
    assert_eq!((empty.expected_bits(1), empty.tail()), (Bracket::exact(q(0, 1)), Tail::Bounded(0)));
    // All the same: the coin is never flipped, not even one that would take for ever.
    let same = EarlyBernstein::new(rational(1, 3), [Fair; 9]);
    assert_eq!((same.probability(1), same.expected_bits(1)), (exact(1, 2), exact(1, 1)));
    assert_eq!(same.tail(), Tail::Bounded(1));
    let never = EarlyBernstein::new(Never, [rational(1, 4), rational(1, 2)]);
    assert_eq!(never.probability(1), exact(1, 4));
}

/// A coin that counts how often it is compared.
#[derive(Clone, Copy)]
struct Compared<'a>(Rational<u64>, &'a Cell<usize>);

impl PartialEq for Compared<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.1.set(self.1.get() + 1);
        self.0 == other.0
    }
}

impl Machine for Compared<'_> {
    type Output = bool;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        self.0.try_flip(bits)
    }
}

#[test]
fn long_polynomials_walk_through_their_coins_once() {
    let (times, n) = (Cell::new(0), 4000);
    let bit = |one| Compared(rational(u64::from(one), 1), &times);
    let last: Vec<_> = (0..=n).map(|j| bit(j == n)).collect();
    let first: Vec<_> = (0..=n).map(|j| bit(j == 0)).collect();
    let ends: Vec<_> = (0..=n).map(|j| bit(j % n == 0)).collect();
    let mut none = Script::from_str("").expect("nothing");
    for (coins, all_heads, all_tails) in
        [(&last, true, false), (&first, false, true), (&ends, true, true)]
    {
        assert_eq!(EarlyBernstein::new(Always, coins).try_flip(&mut none), Ok(all_heads));
        assert_eq!(EarlyBernstein::new(Never, coins).try_flip(&mut none), Ok(all_tails));
        // Twice one comparison for each flip and one walk through the list.
        assert!(times.take() <= 4 * n + 2);
    }
    // The law of pⁿ and of 1 − (1 − p)ⁿ, p = 1 − 2^-10, n = 500.
    let coins = |odd: usize| (0..=500).map(move |j| rational(u64::from(j == odd), 1));
    let p = rational(1023, 1024);
    let power = p.power(500).probability(40);
    let last = EarlyBernstein::new(p, coins(500).collect::<Vec<_>>());
    let first = EarlyBernstein::new(p.not(), coins(0).collect::<Vec<_>>());
    assert!(meet(&last.probability(40), &power) && meet(&first.probability(40), &power));
    let told = last.probability(40);
    assert!(told.high() - told.low() <= two_to_minus(40), "{told}");
}

fn exact(num: i64, den: i64) -> Bracket {
    Bracket::exact(q(num, den))
}
