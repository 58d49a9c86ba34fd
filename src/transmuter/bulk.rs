use alloc::vec::Vec;

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

use super::power::{Power, low};

/// How many binary places are kept beyond those that a cell needs.
const GUARD: u64 = 64;

/// Every roll of an m-sided die that these rolls of an n-sided one fix.
///
/// The rolls are one number x in base n, and the interval is [x, x + 1)/n^rolls. The digits of its middle f are taken until
/// another one would be finer than the interval. They are those of its lower end too, or one unit more, and those of its
/// last number, or one unit less; what carrying that unit does not change is what the whole interval has in common.
///
/// All is done by halves: x is high·n^low + low; f·m^half is the first half of the digits, and a fraction for the second.
/// So the work is that of some eight products of numbers as long as all rolls, whatever the rolls are.
pub(super) fn convert(rolls: &[u32], n: u64, m: u64) -> Vec<u32> {
    let sides = Power::new(n, rolls.len());
    let x = Powers::new(n, sides.bits()).number(rolls);
    let mut places = sides.bits() + GUARD;
    let (mut f, mut len) = sides.divide(&((&x << 1u8) + 1u8), places);
    let base = Powers::new(m, sides.bits());
    let mut digits = Vec::with_capacity(base.most_digits(sides.bits()));
    for (j, power) in base.powers.iter().enumerate().rev() {
        // While the interval is surely not longer than a cell of so many digits.
        while len.bits() + power.bits() <= places {
            let rest = low(power.times(&f), places);
            base.spell(&inside(&f, places, &rest, power), power.bits() + GUARD, j, &mut digits);
            // The product has more places than are true: as many go as the power has whole bits.
            let cut = power.bits() - 1;
            (f, len, places) = (rest >> cut, power.times(&len) >> cut, places - cut);
        }
    }
    // len began as 2^64 or more with an error of 2, of which each step of less than 200 added one unit at most and none made
    // the share of len greater. So f and len, now below 2^places, are within 2^(places − 56) of the truth.
    let (one, error) = (BigUint::one() << places, BigUint::one() << (places - 54));
    while &len * m <= &one + &error {
        let next = f * m;
        digits.push((&next >> places).to_u32().unwrap_or(0));
        (f, len) = (low(next, places), len * m);
    }
    // Does the lower end lie below the cell of these digits, or the upper end above it? Where the error hides it, exactly.
    let (middle, cell) = (f << 1u8, one << 1u8);
    let exactly = || (Power::new(m, digits.len()), base.number(&digits));
    let below = is_less(&middle, &len, &error).unwrap_or_else(|| {
        let (scale, q) = exactly();
        scale.times(&x) < sides.times(&q)
    });
    let above = is_less(&cell, &(middle + len), &error).unwrap_or_else(|| {
        let (scale, q) = exactly();
        scale.times(&(&x + 1u8)) > sides.times(&(q + 1u8))
    });
    // Borrowing one goes through the zeros at the end and one place further, carrying one through the highest digits.
    let changed = |carries: bool, through: u64| {
        let run = digits.iter().rev().take_while(|&&digit| u64::from(digit) == through).count();
        if carries { run + 1 } else { 0 }
    };
    let changed = changed(below, 0).max(changed(above, m - 1));
    digits.truncate(digits.len().saturating_sub(changed));
    digits
}

/// Whether a < b, or `None` if they are too near to tell.
fn is_less(a: &BigUint, b: &BigUint, error: &BigUint) -> Option<bool> {
    if a + error < *b {
        Some(true)
    } else if b + error <= *a {
        Some(false)
    } else {
        None
    }
}

/// The powers base^c, base^2c, base^4c, …, where base^c is a word.
struct Powers {
    base: u64,
    /// c, how many digits a word holds.
    word: u32,
    powers: Vec<Power>,
}

impl Powers {
    /// As many powers as have no more than half of `bits` bits, and one at least.
    fn new(base: u64, bits: u64) -> Self {
        let word = 63 / (base.ilog2() + 1);
        let mut powers = alloc::vec![Power::from(u128::from(base.pow(word)))];
        while let Some(last) = powers.last().filter(|last| 4 * last.bits() <= bits) {
            let next = last.and(last);
            powers.push(next);
        }
        Self { base, word, powers }
    }

    /// At least as many digits as numbers of so many bits have.
    fn most_digits(&self, bits: u64) -> usize {
        let words = bits / (self.powers[0].bits() - 1) + 1;
        usize::try_from(words).map_or(0, |words| words.saturating_mul(self.digits(0)))
    }

    /// How many digits power `j` stands for.
    fn digits(&self, j: usize) -> usize {
        (self.word as usize) << j
    }

    /// The number that digits spell, the first one highest.
    fn number(&self, digits: &[u32]) -> BigUint {
        if digits.len() <= self.word as usize {
            let word = digits.iter().fold(0, |word, &digit| word * self.base + u64::from(digit));
            return word.into();
        }
        let fits = |&j: &usize| self.digits(j) < digits.len();
        let half = (0..self.powers.len()).rev().find(fits).unwrap_or(0);
        let (high, low) = digits.split_at(digits.len() - self.digits(half));
        self.powers[half].times(&self.number(high)) + self.number(low)
    }

    /// Pushes as many digits of the fraction f/2^places as power `j` stands for.
    ///
    /// The fraction lies inside the cell of these digits, at least a tenth of it from its borders. It has 64 places more than
    /// the cell needs, of which cutting it in two loses one unit each time, so what it stands for stays inside too.
    fn spell(&self, f: &BigUint, places: u64, j: usize, digits: &mut Vec<u32>) {
        let Some(half) = j.checked_sub(1) else {
            let word = (self.powers[0].times(f) >> places).to_u64().unwrap_or(0);
            digits.extend((0..self.word).rev().map(|place| {
                u32::try_from(word / self.base.pow(place) % self.base).unwrap_or(u32::MAX)
            }));
            return;
        };
        let power = &self.powers[half];
        let kept = power.bits() + GUARD;
        let rest = low(power.times(f), places);
        self.spell(&inside(f, places, &rest, power), kept, half, digits);
        self.spell(&(rest >> (places - kept)), kept, half, digits);
    }
}

/// f/2^places cut to 64 places more than the cells of `power` need, and moved inside its cell by an eighth to a quarter of it.
///
/// `rest` is where in the cell it lies. A cell is between 2^64 and 2^65 units long, so 2^62 units upwards from the lower half, or
/// downwards from the upper one, lead at least an eighth away from each border.
fn inside(f: &BigUint, places: u64, rest: &BigUint, power: &Power) -> BigUint {
    let cut = f >> (places - power.bits() - GUARD);
    let eighth = BigUint::one() << (GUARD - 2);
    if rest.bit(places - 1) { cut - eighth } else { cut + eighth }
}
