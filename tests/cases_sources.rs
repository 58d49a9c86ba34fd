//! Acceptance, continued: sources, generators and derived traits; see `cases.rs`. Cases 30, 32, 35 and 37 for every machine
//! stand in `golden.rs`.
#![cfg(feature = "exact")]

#[path = "support/machines.rs"]
mod machines;

use std::cell::Cell;
use std::convert::Infallible;
use std::fmt::{self, Debug};

use buffon::combinators::Erased;
use buffon::{
    Always, BitBuffer, BitSource, Budget, BudgetError, Coin, Counted, Die, Dyadic, Fair, Fraction,
    Machine, Never, OneOver, Rational, parity_of_run,
};
use machines::{SplitMix64, on};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rand_core::{TryRng, UnwrapErr};
use typenum::consts::{U1, U3};

fn third() -> Rational<u64> {
    Rational::<u64>::new(1, 3).unwrap()
}

/// A generator that counts the words drawn from it, and fails on the word after `good` ones.
struct Words {
    rng: SplitMix64,
    drawn: Cell<u32>,
    good: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Broken(u32);

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "word {} does not come", self.0)
    }
}

impl std::error::Error for Broken {}

impl TryRng for Words {
    type Error = Broken;

    fn try_next_u32(&mut self) -> Result<u32, Broken> {
        panic!("only try_next_u64 is called")
    }

    fn try_next_u64(&mut self) -> Result<u64, Broken> {
        self.drawn.set(self.drawn.get() + 1);
        if self.drawn.get() > self.good {
            return Err(Broken(self.drawn.get()));
        }
        let Ok(word) = self.rng.try_next_u64();
        Ok(word)
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Broken> {
        panic!("only try_next_u64 is called")
    }
}

fn words(good: u32) -> Words {
    Words { rng: SplitMix64(5), drawn: Cell::new(0), good }
}

#[test]
fn t11_sixty_four_flips_draw_one_word() {
    let mut rng = words(2);
    let mut bits = BitBuffer::new(&mut rng);
    let flips: Vec<bool> = (0..65).map(|_| Fair.try_flip(&mut bits).unwrap()).collect();
    let mut same = SplitMix64(5);
    let Ok(first) = same.try_next_u64();
    let Ok(second) = same.try_next_u64();
    assert!((0..64).all(|place| flips[place] == (first >> place & 1 == 1)));
    assert_eq!(flips[64], second & 1 == 1);
    assert_eq!(rng.drawn.get(), 2);
    let mut rng = words(1);
    let mut bits = BitBuffer::new(&mut rng);
    assert!((0..64).all(|_| Fair.try_flip(&mut bits).is_ok()));
    assert_eq!(rng.drawn.get(), 1);
}

#[test]
fn t12_certain_coins_do_not_shift_what_follows() {
    let half = Rational::<u64>::new(1, 2).unwrap();
    let [zero, one] = [0, 1].map(|p| Rational::<u64>::new(p, 1).unwrap());
    let mut bits = Counted::new(BitBuffer::new(SplitMix64(15)));
    let mixed = [zero, half, one, half].map(|coin| coin.flip(&mut bits));
    assert_eq!((mixed, bits.count()), ([false, true, true, false], 2));
    let mut bits = BitBuffer::new(SplitMix64(15));
    assert_eq!([half, half].map(|coin| coin.flip(&mut bits)), [mixed[1], mixed[3]]);
}

// Failing generators.

#[test]
fn t32_the_generators_own_error_comes_back() {
    for k in 1..=3 {
        let mut rng = words(k - 1);
        let mut bits = BitBuffer::new(&mut rng);
        for _ in 0..64 * (k - 1) {
            assert!(Fair.try_flip(&mut bits).is_ok());
        }
        assert_eq!(third().try_flip(&mut bits), Err(Broken(k)));
        // Certain coins need nothing; another try draws another word, and there is no loop of tries in between.
        assert_eq!((Never.try_flip(&mut bits), Always.try_flip(&mut bits)), (Ok(false), Ok(true)));
        assert_eq!(Die::new(6).unwrap().try_sample(&mut bits), Err(Broken(k + 1)));
        let limited = Fair.try_flip(&mut Budget::new(&mut bits, 1));
        assert_eq!(limited, Err(BudgetError::Source(Broken(k + 2))));
        assert_eq!(rng.drawn.get(), k + 2);
    }
    // In the middle of a word the flips in hand are kept: 60 are served, 10 are asked for, and 4 are still there.
    let mut rng = words(1);
    let mut bits = BitBuffer::new(&mut rng);
    let word = SplitMix64(5).try_next_u64().unwrap_or_else(|never| match never {});
    assert_eq!(bits.try_bits(60), Ok(word & ((1 << 60) - 1)));
    assert_eq!(bits.try_bits(10), Err(Broken(2)));
    assert_eq!(bits.try_bits(4), Ok(word >> 60));
    assert_eq!(bits.try_bit(), Err(Broken(3)));
}

/// Flips a coin with any generator, sized or not.
fn flip_with<R: Rng + ?Sized>(rng: &mut R) -> bool {
    third().flip(&mut BitBuffer::new(rng))
}

#[test]
fn t34_generators_and_coins_behind_pointers() {
    let rng = || StdRng::seed_from_u64(34);
    let expected = third().flip(&mut BitBuffer::new(rng()));
    assert_eq!(flip_with(&mut rng()), expected);
    let mut inner = rng();
    let behind: &mut dyn Rng = &mut inner;
    assert_eq!(flip_with(behind), expected);
    let mut inner = rng();
    let fallible: &mut dyn TryRng<Error = Infallible> = &mut inner;
    assert_eq!(third().flip(&mut BitBuffer::new(fallible)), expected);
    let mut inner = words(1);
    let failing: &mut dyn TryRng<Error = Broken> = &mut inner;
    let mut bits = BitBuffer::new(failing);
    let source: &mut dyn BitSource<Error = Broken> = &mut bits;
    assert!(third().try_flip(source).is_ok());
    let mut unwrapping = BitBuffer::new(UnwrapErr(words(1)));
    let _: bool = third().flip(&mut unwrapping);
    // Coins behind pointers, and coins of different types in one list.
    let boxed = Box::new(third());
    assert_eq!(boxed.flip(&mut BitBuffer::new(rng())), expected);
    let list: [Erased<bool>; 3] =
        [third().erased(), Fraction::<U1, U3>::new().erased(), boxed.erased()];
    assert!(list.iter().all(|coin| coin.flip(&mut BitBuffer::new(rng())) == expected));
}

// Derived traits.

#[test]
fn t47_the_bit_source_hides_its_bits_and_is_not_cloned() {
    /// `some` is ambiguous, and so does not compile, for a type that is `Clone`.
    trait NotClone<Marker> {
        fn some() {}
    }
    struct IsClone;
    impl<T: ?Sized> NotClone<()> for T {}
    impl<T: Clone> NotClone<IsClone> for T {}
    <BitBuffer<StdRng> as NotClone<_>>::some();
    <Counted<BitBuffer<StdRng>> as NotClone<_>>::some();
    <Budget<BitBuffer<StdRng>> as NotClone<_>>::some();

    let mut bits = BitBuffer::new(SplitMix64(47));
    let before = format!("{bits:?}");
    let _: bool = bits.try_bit().unwrap_or_else(|never| match never {});
    let after = format!("{bits:?}");
    assert_eq!((before.as_str(), after.as_str()), ("BitBuffer { .. }", "BitBuffer { .. }"));
}

const THIRD: Rational<u8> = match Rational::<u8>::new(1, 3) {
    Ok(coin) => coin,
    Err(_) => panic!("1/3 is a probability"),
};
const THREE_EIGHTHS: Dyadic = match Dyadic::new(3, 3) {
    Ok(coin) => coin,
    Err(_) => panic!("3/8 is a probability"),
};
const HALF: Dyadic = match Dyadic::from_f64(0.5) {
    Ok(coin) => coin,
    Err(_) => panic!("0.5 is a probability"),
};
const SIXTH: OneOver = OneOver::new(std::num::NonZeroU64::MIN.saturating_add(5));
const STATIC_THIRD: Fraction<U1, U3> = Fraction::new();
const DIE: Die = match Die::new(6) {
    Ok(die) => die,
    Err(_) => panic!("6 is a number of sides"),
};
const INVERSE_E: buffon::combinators::ParityOfRun<fn(std::num::NonZeroU64) -> OneOver> =
    parity_of_run(OneOver::new as fn(std::num::NonZeroU64) -> OneOver);
const BUFFER: BitBuffer<SplitMix64> = BitBuffer::new(SplitMix64(47));

#[test]
fn t47_constructors_are_const() {
    assert_eq!(on(&THIRD, "TH"), (Some(true), 2));
    assert_eq!(on(&THREE_EIGHTHS, "TTT"), (Some(false), 3));
    assert_eq!(on(&HALF, "H"), (Some(true), 1));
    assert_eq!(SIXTH, OneOver::try_from(6).unwrap());
    assert_eq!(on(&STATIC_THIRD, "TH"), (Some(true), 2));
    assert_eq!(on(&DIE, "HTH"), (Some(5), 3));
    assert_eq!(on(&INVERSE_E, "T"), (Some(false), 1));
    assert_eq!({ BUFFER }.try_bit(), BitBuffer::new(SplitMix64(47)).try_bit());
}
