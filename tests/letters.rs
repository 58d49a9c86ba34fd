//! Coins of unknown bias: every combinator, and several factories, proved for all probabilities at once.
#![cfg(feature = "exact")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::num::NonZeroU64;

use buffon::combinators::Erased;
use buffon::explore::{Fault, Letter, Lettered, NotProved, Polynomial, Sign, explore_letters};
use buffon::viglietta::{PowerCoin, thresholds};
use buffon::{
    Always, BitSource, Coin, Counted, Die, Explorer, Fair, Machine, Rational, Viglietta, from_fn,
    parity_of_run, run,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use proptest::prelude::*;

type Poly<const N: usize> = Polynomial<N>;

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

fn half<const N: usize>() -> Poly<N> {
    Poly::from(q(1, 2))
}

/// Finite: the law is the polynomial itself.
fn is<T: PartialEq, const N: usize>(found: &Lettered<T, N>, outcome: &T, law: &Poly<N>) -> bool {
    let proof = found.proves(outcome, law, &Poly::from(1));
    found.is_finite()
        && found.polynomial(outcome) == *law
        && proof.is_ok_and(|proof| proof.is_equality())
}

// Polynomials

#[test]
fn polynomials_are_compared_as_functions() {
    let [p, r] = Poly::letters();
    assert_eq!(&p + (1 - &p), Poly::from(1));
    assert_eq!((&p + &r) * (&p - &r), &p * &p - &r * &r);
    assert_ne!(&p * &p, p);
    assert_eq!((1 - &p).pow(3), 1 - 3 * &p + 3 * &p * &p - &p * &p * &p);
    assert!((&p - &p).is_zero());
    assert_eq!((&p * &r + 2 * (1 - &r)).at(&[q(1, 3), q(1, 4)]), q(1, 12) + q(3, 2));
    assert_eq!((1 - 2 * &p * &p * &r).to_string(), "1 − 2·p^2·q");
    assert_eq!((Poly::from(q(1, 3)) * &r - &p).to_string(), "−p + 1/3·q");
    assert_eq!((&p - &p).to_string(), "0");
}

#[test]
fn signs_are_proved_or_shown() {
    let [p, r] = Poly::letters();
    assert_eq!((&p * &r).sign(), Sign::NeverNegative);
    assert_eq!((1 - 4 * &p * (1 - &p)).sign(), Sign::NeverNegative); // zero at 1/2
    assert_eq!(
        (&p * &p + &r * &r - 2 * &p * &r + Poly::from(q(1, 50))).sign(),
        Sign::NeverNegative
    );
    // Negative at one number only, and at a corner, and in a narrow strip: each is shown by probabilities.
    for negative in [&p - &r, Poly::from(-1), 1 - 5 * &p * (1 - &p), &p - &p * &p - &r * &r] {
        let Sign::Negative(at) = negative.sign() else { panic!("{negative}") };
        assert!(negative.at(&at) < BigRational::zero());
    }
    // (3p − 1)^2 touches zero at 1/3, which halving does not meet.
    assert_eq!((1 - 6 * &p + 9 * &p * &p).sign(), Sign::Undecided);
    assert_eq!(Polynomial::<0>::from(1).sign(), Sign::NeverNegative);
    assert_eq!(Polynomial::<0>::from(-1).sign(), Sign::Negative([]));
}

// Every combinator of coins, proved equal for all probabilities on the compiled code, with its cost.

#[test]
fn logic_is_proved_for_all_probabilities() {
    let [p, r] = Poly::letters();
    let not = explore_letters(|[p, _r]: [Letter; 2]| p.not(), 4);
    assert!(is(&not, &true, &(1 - &p)) && not.expected_flips(0) == Poly::from(1));
    let then = explore_letters(|[p, r]| p.then(r), 4);
    assert!(is(&then, &true, &(&p * &r)) && is(&then, &false, &(1 - &p * &r)));
    assert!(then.expected_flips(0) == Poly::from(1) && then.expected_flips(1) == p);
    let or_else = explore_letters(|[p, r]| p.or_else(r), 4);
    assert!(is(&or_else, &true, &(&p + &r - &p * &r)) && or_else.expected_flips(1) == 1 - &p);
    let xor = explore_letters(|[p, r]| p.xor(r), 4);
    assert!(is(&xor, &true, &(&p + &r - 2 * &p * &r)) && xor.expected_flips(1) == Poly::from(1));
    assert!(xor.expected_bits().is_zero() && xor.runs() == 4 && xor.depth() == 4);
    // The same coin twice is two flips.
    let twice = explore_letters(|[p, _r]: [Letter; 2]| p.clone().then(p), 4);
    assert!(is(&twice, &true, &(&p * &p)));
}

#[test]
fn choices_and_products_are_proved_for_all_probabilities() {
    let [p, r, s] = Poly::letters();
    let mix = explore_letters(|[p, r, s]| p.mix(r, s), 4);
    assert!(is(&mix, &true, &(&p * &r + (1 - &p) * &s)));
    assert!(mix.expected_flips(1) == p && mix.expected_flips(2) == 1 - &p);
    let zip = explore_letters(|[p, r, s]| p.zip(r).zip(s), 4);
    assert!(is(&zip, &((true, false), true), &(&p * (1 - &r) * &s)));
    let array = explore_letters(|[p, _r, _s]: [Letter; 3]| p.array::<3>(), 4);
    assert!(is(&array, &[true, false, true], &(&p * &p * (1 - &p))));
    let repeat = explore_letters(|[p, _r, _s]: [Letter; 3]| p.repeat(2), 4);
    assert!(is(&repeat, &vec![false, false], &(1 - &p).pow(2)));
    let map = explore_letters(|[p, r, _s]| p.zip(r).map(|(a, b)| u8::from(a) + u8::from(b)), 4);
    assert!(is(&map, &1, &(&p + &r - 2 * &p * &r)) && is(&map, &2, &(&p * &r)));
    let and_then = explore_letters(
        |[p, r, s]: [Letter; 3]| p.and_then(move |heads| if heads { r.clone() } else { s.clone() }),
        4,
    );
    assert!(is(&and_then, &true, &(&p * &r + (1 - &p) * &s)));
    // Behind pointers and functions it is the same coin.
    let erased = explore_letters(|[p, r, _s]| p.erased().then(Box::new(r)).erased(), 4);
    assert!(is(&erased, &true, &(&p * &r)));
    let function = explore_letters(
        |[p, r, _s]: [Letter; 3]| from_fn(move |bits| Ok(p.try_flip(bits)? && r.try_flip(bits)?)),
        4,
    );
    assert!(is(&function, &true, &(&p * &r)));
}

#[test]
fn fair_bits_and_letters_stand_side_by_side() {
    let [p] = Poly::letters();
    let mix = explore_letters(|[p]: [Letter; 1]| p.mix(Always, Fair), 4);
    assert!(is(&mix, &true, &(&p + half() * (1 - &p))) && mix.expected_bits() == 1 - &p);
    // A rational coin has no finite tree in bits, but a bracket; by weights it is one question.
    let third = Rational::<u64>::new(1, 3).unwrap();
    let law = (&p + (1 - &p)) * Poly::from(q(1, 3)) + &p * Poly::from(q(1, 3));
    let build = |[p]: [Letter; 1]| p.mix(third.not(), third);
    let bits = explore_letters(build, 12);
    let proof = bits.proves(&true, &law, &Poly::from(1)).unwrap();
    assert!(!bits.is_finite() && proof.width().at(&[q(1, 5)]) == q(1, 1 << 11));
    let weights = Explorer::new(2).letters_weighted(build);
    assert!(is(&weights, &true, &law));
    assert_eq!(weights.expected_bits(), Poly::from(2));
    assert_eq!(weights.polynomial(&true).to_string(), "1/3 + 1/3·p");
}

/// The law num/den is proved, and the width is below 2^-8 where all coins are fair; both laws beside it are refuted.
fn proved<T: PartialEq, const N: usize>(
    found: &Lettered<T, N>,
    outcome: &T,
    num: &Poly<N>,
    den: &Poly<N>,
) {
    let proof = found.proves(outcome, num, den).unwrap_or_else(|error| panic!("{error}"));
    let at = std::array::from_fn(|_| q(1, 2));
    assert!(proof.width().at(&at) < q(1, 256), "{proof}");
    for error in [q(1, 100), q(-1, 100)] {
        let wrong = num + Poly::from(error) * den;
        assert!(matches!(found.proves(outcome, &wrong, den), Err(NotProved::Refuted(_))));
    }
}

#[test]
fn loops_are_proved_for_all_probabilities() {
    let [p, r] = Poly::letters();
    let one = Poly::from(1);
    let runs = explore_letters(|[p, _r]: [Letter; 2]| p.run(), 16);
    for n in 0..10 {
        proved(&runs, &n, &(p.pow(u32::try_from(n).unwrap()) * (1 - &p)), &one);
    }
    let parity = explore_letters(|[p, _r]: [Letter; 2]| p.parity_of_run(), 34);
    proved(&parity, &true, &one, &(1 + &p));
    assert_eq!(parity.runs(), 35);
    // A family that alternates: the run is even at its end with (1 − p)(1 + pr + p²r² + …).
    let family = |[p, r]: [Letter; 2]| {
        move |n: NonZeroU64| if n.get() % 2 == 1 { p.clone() } else { r.clone() }
    };
    let alternating = explore_letters(|letters| parity_of_run(family(letters)), 24);
    proved(&alternating, &true, &(1 - &p), &(1 - &p * &r));
    let alternating = explore_letters(|letters| run(family(letters)), 24);
    proved(&alternating, &3, &(&p * &p * &r * (1 - &r)), &one);
    let condition = explore_letters(|[p, r]| p.zip(r).condition(|&(a, b)| a || b), 14);
    proved(&condition, &(true, false), &(&p * (1 - &r)), &(&p + &r - &p * &r));
    let retry = explore_letters(|[p, r]| p.zip(r).map(|(a, b)| a.then_some(b)).retry(), 20);
    proved(&retry, &true, &r, &one);
}

// Factories

#[test]
fn von_neumanns_trick_is_fair_for_every_bias() {
    let pairs = |[p]: [Letter; 1]| p.clone().zip(p).map(|(a, b)| (a != b).then_some(a)).retry();
    let found = Explorer::new(20).letters(pairs);
    assert_eq!(found.runs(), 3070);
    let proof = found.proves(&true, &Poly::from(1), &Poly::from(2)).unwrap();
    assert!(!proof.is_equality() && proof.width().at(&[q(1, 2)]) == q(1, 1024));

    // A mutant: pairs that overlap, the second flip of one being the first of the next.
    let overlapping = explore_letters(
        |[p]: [Letter; 1]| {
            from_fn(move |bits| {
                let mut before = p.try_flip(bits)?;
                loop {
                    let flip = p.try_flip(bits)?;
                    if flip != before {
                        return Ok(before);
                    }
                    before = flip;
                }
            })
        },
        20,
    );
    let Err(NotProved::Refuted(witness)) =
        overlapping.proves(&true, &Poly::from(1), &Poly::from(2))
    else {
        panic!("the mutant passes")
    };
    let text = witness.to_string();
    assert!(
        text.starts_with("where the coins have probability ") && text.ends_with(", target 1/2"),
        "{text}"
    );
}

#[test]
fn two_equal_flips_are_refuted_where_their_order_is_swapped() {
    let [p] = Poly::letters();
    let (heads, tails) = (&p * &p, (1 - &p) * (1 - &p));
    let build = |swap: bool| {
        move |[p]: [Letter; 1]| {
            p.clone().zip(p).map(move |(a, b)| (a == b).then_some(a != swap)).retry()
        }
    };
    let right = Explorer::new(20).letters(build(false));
    proved(&right, &true, &heads, &(&heads + &tails));
    let swapped = Explorer::new(20).letters(build(true));
    let refused = swapped.proves(&true, &heads, &(&heads + &tails)).unwrap_err();
    let NotProved::Refuted(witness) = refused else { panic!("{refused}") };
    let at = witness.at();
    let target = heads.at(at) / (&heads + &tails).at(at);
    assert!(if witness.is_least() { *witness.found() > target } else { *witness.found() < target });
}

#[test]
fn a_race_of_two_coins_is_proved_for_all_probabilities() {
    let [p, r] = Poly::letters();
    // A fair coin picks one of the two; heads wins for it, tails is another round: p/(p + r).
    let race = |[p, r]: [Letter; 2]| {
        Fair.mix(p.map(|win| win.then_some(true)), r.map(|win| win.then_some(false))).retry()
    };
    let found = Explorer::new(20).letters(race);
    proved(&found, &true, &p, &(&p + &r));
}

#[test]
fn the_square_root_is_proved_by_its_square() {
    // 1 − √(1 − p): a fair walk comes back to 0 for the first time after 2n steps, and then n flips are all heads.
    let root = |[p]: [Letter; 1]| {
        from_fn(move |bits| {
            let (mut place, mut steps) = (0i32, 0u32);
            loop {
                place += if bits.try_bit()? { 1 } else { -1 };
                steps += 1;
                if place == 0 {
                    break;
                }
            }
            for _ in 0..steps / 2 {
                if !p.try_flip(bits)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    };
    let [p] = Poly::letters();
    let found = Explorer::new(14).letters(root);
    // With L ≤ f ≤ L + R it is shown that (1 − L − R)² ≤ 1 − p ≤ (1 − L)².
    let least = found.polynomial(&true);
    let most = &least + found.open();
    assert_eq!(((1 - &least).pow(2) - (1 - &p)).sign(), Sign::NeverNegative);
    assert_eq!((1 - &p - (1 - &most).pow(2)).sign(), Sign::NeverNegative);
    // One word more and it fails.
    let wrong = &least + half() * &p * &p;
    assert!(matches!(((1 - &wrong).pow(2) - (1 - &p)).sign(), Sign::Negative(_)));
}

#[test]
fn viglietta_holds_for_every_coin_it_is_given() {
    let [p] = Poly::letters();
    for n in 3..=100u64 {
        let k = n.ilog2();
        let (a, b) = thresholds(NonZeroU64::new(n).unwrap());
        let over = |a: u128| Poly::from(BigRational::new(a.into(), BigInt::one() << (k + 1)));
        let law = over(a) * &p + over(b) * (1 - &p);
        let found = Explorer::new(k + 2).letters(|[p]| PowerCoin::new(n, p).unwrap());
        assert!(is(&found, &true, &law), "{n}");
        assert_eq!(found.expected_flips(0), Poly::from(1));
        let nth = BigRational::new(1.into(), n.into());
        assert_eq!(law.at(&[nth]), BigRational::new((1u64 << k).into(), n.into()));
    }
    // Theorem 4: at p = 1/n all sides are equal. The words are counted in bits for small n, by weights for the others.
    for n in (2..=16u64).chain([31, 33, 63, 100]) {
        let k = n.ilog2();
        let explorer = Explorer::new(3 * k + 2);
        let build = |[p]: [Letter; 1]| Viglietta::new(n, p).unwrap();
        let found =
            if n <= 16 { explorer.letters(build) } else { explorer.letters_weighted(build) };
        let nth = [BigRational::new(1.into(), n.into())];
        assert!(found.is_finite() && found.outcomes().count() == usize::try_from(n).unwrap());
        assert!((0..n).all(|side| found.polynomial(&side).at(&nth) == nth[0]), "{n}");
        assert_eq!(found.expected_flips(0), Poly::from(1));
    }
}

// What goes wrong

#[test]
fn letters_pass_through_wrappers_but_not_through_stores_of_bits() {
    struct Pairs<'a, B: BitSource + ?Sized>(&'a mut B, Option<bool>);
    impl<B: BitSource + ?Sized> BitSource for Pairs<'_, B> {
        type Error = B::Error;
        fn try_bit(&mut self) -> Result<bool, B::Error> {
            if let Some(bit) = self.1.take() {
                return Ok(bit);
            }
            let bit = self.0.try_bit()?;
            self.1 = Some(self.0.try_bit()?);
            Ok(bit)
        }
    }
    let [p] = Poly::letters();
    let counted = explore_letters(
        |[p]: [Letter; 1]| {
            from_fn(move |bits| {
                let mut counted = Counted::new(bits);
                Ok((p.try_flip(&mut counted)?, counted.count()))
            })
        },
        4,
    );
    assert!(is(&counted, &(true, 1), &p));
    let stored = explore_letters(
        |[p]: [Letter; 1]| {
            from_fn(move |bits| (&p).array::<2>().try_sample(&mut Pairs(bits, None)))
        },
        8,
    );
    assert_eq!(stored.fault(), Some(Fault::LetterNotSeen));
    let refused = stored.proves(&[true, true], &(&p * &p), &Poly::from(1)).unwrap_err();
    assert_eq!(refused, NotProved::Fault(Fault::LetterNotSeen));
    assert!(matches!(
        counted.proves(&(true, 1), &p, &(Poly::from(q(1, 3)) - &p)),
        Err(NotProved::Denominator)
    ));
}

#[test]
fn letters_are_explored_within_a_budget() {
    let pairs = |[p]: [Letter; 1]| p.clone().zip(p).map(|(a, b)| (a != b).then_some(a)).retry();
    let found = Explorer::new(100).max_runs(3000).letters(pairs);
    assert!((12..20).contains(&found.depth()) && found.runs() <= 3000);
    assert!(found.proves(&true, &Poly::from(1), &Poly::from(2)).is_ok());
    let whole = Explorer::new(100).max_runs(3000).letters(|[p, r]| p.then(r));
    assert!(whole.is_finite() && whole.runs() == 3);
    let dice = Explorer::new(4).letters_weighted(|[p]: [Letter; 1]| p.zip(Die::new(6).unwrap()));
    let [p] = Poly::letters();
    assert!(is(&dice, &(true, 5), &(Poly::from(q(1, 6)) * p)));
    assert_eq!(dice.expected_bits(), Poly::from(q(11, 3)));
}

// Random circuits: the compiled machine and the polynomial are built side by side.

#[derive(Clone, Debug)]
enum Circuit {
    Letter(usize),
    Fair,
    Not(Box<Self>),
    Then(Box<Self>, Box<Self>),
    OrElse(Box<Self>, Box<Self>),
    Xor(Box<Self>, Box<Self>),
    Mix(Box<Self>, Box<Self>, Box<Self>),
}

impl Circuit {
    fn machine(&self, letters: &[Letter; 3]) -> Erased<bool> {
        let of = |part: &Self| part.machine(letters);
        match self {
            Self::Letter(i) => letters[*i].clone().erased(),
            Self::Fair => Fair.erased(),
            Self::Not(a) => of(a).not().erased(),
            Self::Then(a, b) => of(a).then(of(b)).erased(),
            Self::OrElse(a, b) => of(a).or_else(of(b)).erased(),
            Self::Xor(a, b) => of(a).xor(of(b)).erased(),
            Self::Mix(a, b, c) => of(a).mix(of(b), of(c)).erased(),
        }
    }

    /// The law, and the expected flips of the first letter.
    fn algebra(&self, p: &[Poly<3>; 3]) -> (Poly<3>, Poly<3>) {
        match self {
            Self::Letter(i) => (p[*i].clone(), Poly::from(i64::from(*i == 0))),
            Self::Fair => (half(), Poly::from(0)),
            Self::Not(a) => {
                let (a, flips) = a.algebra(p);
                (1 - a, flips)
            }
            Self::Then(a, b) => {
                let ((a, of_a), (b, of_b)) = (a.algebra(p), b.algebra(p));
                (&a * b, of_a + a * of_b)
            }
            Self::OrElse(a, b) => {
                let ((a, of_a), (b, of_b)) = (a.algebra(p), b.algebra(p));
                (1 - (1 - &a) * (1 - b), of_a + (1 - a) * of_b)
            }
            Self::Xor(a, b) => {
                let ((a, of_a), (b, of_b)) = (a.algebra(p), b.algebra(p));
                (&a * (1 - &b) + (1 - &a) * &b, of_a + of_b)
            }
            Self::Mix(a, b, c) => {
                let ((a, of_a), (b, of_b), (c, of_c)) = (a.algebra(p), b.algebra(p), c.algebra(p));
                (&a * b + (1 - &a) * c, of_a + &a * of_b + (1 - &a) * of_c)
            }
        }
    }
}

fn circuit() -> impl Strategy<Value = Circuit> {
    let leaf = prop_oneof![4 => (0..3usize).prop_map(Circuit::Letter), 1 => Just(Circuit::Fair)];
    leaf.prop_recursive(3, 8, 3, |part| {
        let part = part.prop_map(Box::new);
        let two = (part.clone(), part.clone());
        prop_oneof![
            part.clone().prop_map(Circuit::Not),
            two.clone().prop_map(|(a, b)| Circuit::Then(a, b)),
            two.clone().prop_map(|(a, b)| Circuit::OrElse(a, b)),
            two.prop_map(|(a, b)| Circuit::Xor(a, b)),
            (part.clone(), part.clone(), part).prop_map(|(a, b, c)| Circuit::Mix(a, b, c)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn random_circuits_are_their_polynomials(circuit in circuit()) {
        let found = explore_letters(|letters| circuit.machine(&letters), 40);
        let (law, flips) = circuit.algebra(&Polynomial::letters());
        prop_assert!(found.is_finite());
        prop_assert_eq!(found.polynomial(&true), law);
        prop_assert_eq!(found.expected_flips(0), flips);
    }
}
