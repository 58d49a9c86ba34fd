//! Machines that show their states: closed forms checked state by state, and finite chains solved.
#![cfg(feature = "exact")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use buffon::explore::{
    Chain, Next, States, StatesError, StepByStep, check_cost, check_law, is_mean,
};
use buffon::{
    Always, Certain, Coin, Die, Dyadic, Explorer, Fair, KnownLaw, Machine, OneOver, Rational,
    Weighted, explore, from_fn, parity_of_run,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

/// The coin num/den by long division; the state is the remainder.
#[derive(Clone, Copy)]
struct Division {
    num: u64,
    den: u64,
}

impl States for Division {
    type State = u64;
    type Output = bool;

    fn start(&self) -> Next<u64, bool> {
        match self.num {
            0 => Next::Answer(false),
            num if num == self.den => Next::Answer(true),
            num => Next::State(num),
        }
    }

    fn step(&self, rest: &u64, flip: bool) -> Next<u64, bool> {
        let digit = *rest >= self.den - rest;
        let rest = if digit { rest - (self.den - rest) } else { rest + rest };
        match (flip, rest) {
            (true, _) => Next::Answer(digit),
            (false, 0) => Next::Answer(false),
            (false, rest) => Next::State(rest),
        }
    }
}

/// The optimal die: a value below a range, both doubled until the range reaches n, bits coming as low digits.
struct Fast {
    n: u64,
}

impl States for Fast {
    type State = (u64, u64);
    type Output = u64;

    fn start(&self) -> Next<(u64, u64), u64> {
        if self.n == 1 { Next::Answer(0) } else { Next::State((0, 1)) }
    }

    fn step(&self, &(value, range): &(u64, u64), flip: bool) -> Next<(u64, u64), u64> {
        let (value, range) = (2 * value + u64::from(flip), 2 * range);
        if range < self.n {
            Next::State((value, range))
        } else if value < self.n {
            Next::Answer(value)
        } else {
            Next::State((value - self.n, range - self.n))
        }
    }
}

/// A walk on 0 ..= n by steps that end at 0 and n; from some place up heads is ignored, if it never is to end.
struct Ruin {
    start: u32,
    n: u32,
}

impl States for Ruin {
    type State = u32;
    type Output = bool;

    fn start(&self) -> Next<u32, bool> {
        Next::State(self.start)
    }

    fn step(&self, place: &u32, flip: bool) -> Next<u32, bool> {
        match if flip { place + 1 } else { place - 1 } {
            0 => Next::Answer(false),
            place if place == self.n => Next::Answer(true),
            place => Next::State(place),
        }
    }
}

// Local proofs

#[test]
fn every_rational_coin_up_to_2_to_the_12_is_proved_state_by_state() {
    let mut states = 0u64;
    // And one denominator in 127 of those up to 2^16. All of them are 2,147,450,880 states, and take some two seconds at full speed.
    for den in (2..=1 << 12).chain((1 << 12..=1 << 16).rev().step_by(127)) {
        let coin = Division { num: 1, den };
        for rest in 1..den {
            let of_answer = |&heads: &bool| if heads { den } else { 0 };
            assert!(is_mean(&coin, &rest, |&rest| rest, of_answer), "{rest}/{den}");
        }
        states += den - 1;
    }
    assert_eq!(states, 8_386_560 + 16_874_418);
}

#[test]
fn closed_forms_are_proved_and_wrong_ones_shown() {
    let walk = Ruin { start: 3, n: 10 };
    let of_answer = |&up: &bool| if up { 10 } else { 0 };
    assert_eq!(check_law(&walk, 9, |&place| place, of_answer), Ok(3)); // in units of 1/10
    assert_eq!(check_law(&walk, 8, |&place| place, of_answer), Err(StatesError::TooMany));
    let wrong = check_law(&walk, 9, |&place| if place == 7 { 8 } else { place }, of_answer);
    assert!(matches!(wrong, Err(StatesError::Wrong(6..=8))));
    // E[T] = s(n − s); anything less is refused, more is a bound too.
    let square = |by: i64| move |&s: &u32| q(i64::from(s) * (10 - i64::from(s)) * by, 10);
    assert_eq!(check_cost(&walk, 9, square(10)), Ok(q(21, 1)));
    assert_eq!(check_cost(&walk, 9, square(11)), Ok(q(231, 10)));
    assert!(matches!(check_cost(&walk, 9, square(9)), Err(StatesError::Wrong(_))));
    assert!(matches!(check_cost(&walk, 9, |_| q(-1, 1)), Err(StatesError::Wrong(_))));
    assert_eq!(check_cost(&walk, 3, square(10)), Err(StatesError::TooMany));
    let coin = Division { num: 5, den: 8 };
    assert_eq!(
        check_law(
            &coin,
            8,
            |&rest| q(1, 8) * BigInt::from(rest),
            |&h| if h { q(1, 1) } else { q(0, 1) }
        ),
        Ok(q(5, 8))
    );
}

#[test]
fn a_trap_is_no_proof() {
    /// Heads is an answer; two tails lead to a state that never ends. A constant is a mean everywhere.
    struct Trap;
    impl States for Trap {
        type State = u8;
        type Output = ();
        fn start(&self) -> Next<u8, ()> {
            Next::State(0)
        }
        fn step(&self, state: &u8, flip: bool) -> Next<u8, ()> {
            match state {
                0 | 1 if flip => Next::Answer(()),
                2 => Next::State(2),
                state => Next::State(state + 1),
            }
        }
    }
    assert_eq!(check_law(&Trap, 5, |_| 1, |()| 1), Err(StatesError::NeverEnds(2)));
    let chain = Chain::of(&Trap, 5).unwrap();
    assert_eq!((chain.law(), chain.states()), (vec![q(3, 4)], 3));
    assert_eq!((chain.expected_bits(), chain.variance_of_bits()), (None, None));
}

// The states are those of the compiled machines: with at most b − 1 states each, 2b − 3 flips tell two machines apart.

#[test]
fn every_coin_up_to_32_is_its_states_flip_by_flip() {
    for den in 1..=32u64 {
        for num in 0..=den {
            let depth = u32::try_from(2 * den).unwrap();
            let states = explore(&StepByStep(Division { num, den }), depth);
            let coin = explore(&Rational::<u64>::new(num, den).unwrap(), depth);
            assert!(states.leaves().eq(coin.leaves()), "{num}/{den}");
        }
    }
}

// Chains

#[test]
fn chains_are_solved() {
    for n in 2..=12u32 {
        for start in 1..n {
            let chain = Chain::of(&Ruin { start, n }, 100).unwrap();
            let (s, n) = (i64::from(start), i64::from(n));
            assert_eq!(chain.probability(&true), q(s, n));
            assert_eq!(chain.expected_bits(), Some(q(s * (n - s), 1)));
            // The variance is s(n − s)(s² + (n − s)² − 2)/3, known from the classical generating function.
            let wanted = q(s * (n - s) * (s * s + (n - s) * (n - s) - 2), 3);
            assert_eq!(chain.variance_of_bits(), Some(wanted), "{s} of {n}");
        }
    }
    // A long cycle: 101 is prime and 2 has order 100 modulo 101.
    let chain = Chain::of(&Division { num: 1, den: 101 }, 1000).unwrap();
    assert_eq!((chain.states(), chain.law()), (100, vec![q(100, 101), q(1, 101)]));
    assert_eq!((chain.expected_bits(), chain.variance_of_bits()), (Some(q(2, 1)), Some(q(2, 1))));
    let certain = Chain::of(&Division { num: 3, den: 3 }, 1).unwrap();
    assert_eq!((certain.law(), certain.expected_bits()), (vec![q(1, 1)], Some(q(0, 1))));
    assert_eq!((certain.variance_of_bits(), certain.states()), (Some(q(0, 1)), 0));
    assert!(certain.probability(&false).is_zero());
}

#[test]
fn optimal_dice_cost_what_their_law_says() {
    for n in 1..=24u64 {
        let chain = Chain::of(&Fast { n }, 10_000).unwrap();
        let die = Die::new(n).unwrap();
        assert!(chain.law().iter().all(|p| *p == BigRational::new(1.into(), n.into())));
        assert_eq!(chain.outcomes().len() as u64, n);
        assert_eq!(chain.expected_bits(), Some(die.expected_bits(64).low().clone()), "{n}");
    }
}

// States found from trees

#[test]
fn coins_are_solved_from_their_trees() {
    for den in 1..=24u64 {
        for num in 0..=den {
            let coin = Rational::<u64>::new(num, den).unwrap();
            let most = usize::try_from(den).unwrap();
            let chain = explore(&coin, u32::try_from(2 * den).unwrap()).collapse(most).unwrap();
            let p = BigRational::new(num.into(), den.into());
            assert_eq!(chain.probability(&true), p);
            let bits = coin.expected_bits(64);
            assert!(bits.is_exact() && chain.expected_bits() == Some(bits.low().clone()));
            let states = Chain::of(&Division { num, den }, most).unwrap();
            assert!(chain.states() <= states.states());
            assert_eq!(chain.variance_of_bits(), states.variance_of_bits());
        }
    }
}

#[test]
fn machines_of_every_kind_are_solved_from_their_trees() {
    let solve = |chain: Option<Chain<bool>>| {
        let chain = chain.unwrap();
        (chain.states(), chain.probability(&true), chain.expected_bits().unwrap())
    };
    // Von Neumann's trick on a coin of 3/4: pairs that differ are heads as often as tails.
    let three_quarters = Dyadic::new(3, 2).unwrap();
    let pair = three_quarters.zip(three_quarters).map(|(a, b)| (a != b).then_some(a)).retry();
    let tree = explore(&pair, 16);
    assert_eq!(solve(tree.collapse(8)), (6, q(1, 2), q(8, 1))); // 2·3/2 bits for a pair, 3/8 of which decide
    assert_eq!(tree.collapse(5), None); // six states
    let parity = Dyadic::new(1, 2).unwrap().parity_of_run();
    assert_eq!(solve(explore(&parity, 12).collapse(6)), (4, q(4, 5), q(2, 1)));
    // A tree without open nodes is solved whatever its depth.
    let dyadic = explore(&Dyadic::new(5, 4).unwrap(), 40);
    assert_eq!(solve(dyadic.collapse(8)).1, q(5, 16));
    assert_eq!(solve(explore(&Always, 0).collapse(0)), (0, q(1, 1), q(0, 1)));
    assert_eq!(explore(&Fair, 1).collapse(0), None); // one state, and none allowed
    // Rejection from three bits: one bit more is drawn than need be.
    let rejection = from_fn(|bits| {
        loop {
            let n = bits.try_bits(3)?;
            if n < 6 {
                return Ok(n);
            }
        }
    });
    let chain = Explorer::new(20).tree(&rejection).collapse(10).unwrap();
    assert_eq!((chain.states(), chain.expected_bits()), (7, Some(q(4, 1))));
    assert!((0..6).all(|side| chain.probability(&side) == q(1, 6)));
    let chooser = Weighted::new([1u32, 2, 4]).unwrap();
    let chain = explore(&chooser, 16).collapse(8).unwrap();
    assert_eq!((chain.probability(&2), chain.probability(&0)), (q(4, 7), q(1, 7)));
    assert_eq!(chain.expected_bits(), Some(chooser.expected_bits(64).low().clone()));
    let chain = explore(&Die::new(11).unwrap(), 160).collapse(80).unwrap();
    assert!((0..11).all(|side| chain.probability(&side) == q(1, 11)), "{}", chain.states());
    assert_eq!(chain.states(), 55);
}

#[test]
fn what_has_no_few_states_is_not_solved() {
    // 1/e needs more and more states.
    let tree = explore(&parity_of_run(OneOver::new), 24);
    assert!((1..=12).all(|most| tree.collapse(most).is_none()));
    // A machine that flips at all has a state.
    assert_eq!(explore(&Fair, 1).collapse(0), None);
    assert_eq!(explore(&Certain::new(7), 1).collapse(0).unwrap().states(), 0);
    // Too shallow to tell.
    assert_eq!(explore(&Rational::<u8>::new(1, 3).unwrap(), 5).collapse(3), None);
    assert!(explore(&Rational::<u8>::new(1, 3).unwrap(), 6).collapse(3).is_some());
    // A coin that gives up after 32 flips has 32 states; a small bound takes it for 1/3, a true one does not.
    let gives_up = from_fn(|bits| {
        for k in 1..=32 {
            if bits.try_bit()? {
                return Ok(k % 2 == 0);
            }
        }
        Ok(false)
    });
    assert_eq!(explore(&gives_up, 20).collapse(10).unwrap().probability(&true), q(1, 3));
    let true_law = explore(&gives_up, 70).collapse(35).unwrap();
    assert_eq!(
        (true_law.states(), true_law.expected_bits()),
        (32, Some(q(2, 1) - BigRational::new(BigInt::one(), BigInt::one() << 31)))
    );
    assert!(true_law.probability(&true) < q(1, 3));
    assert_eq!(explore(&Fair.parity_of_run(), 12).collapse(6).unwrap().states(), 2);
}
