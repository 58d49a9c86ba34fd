use alloc::vec::Vec;
use core::mem::replace;

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

use super::power::Power;
use super::window::{Between, PLACES, Verdict, Window};

/// How precise a state must be for a window to be cut out of it, in bits.
const FOR_WINDOW: u64 = 128;
/// The precision of the lowest level.
const LOWEST: u64 = 512;
/// What a window surely leaves unused of its bits, and so does every level: twice the bits less these serve two below.
const UNUSED: u64 = 24;

/// The conversion of rolls of an n-sided die to rolls of an m-sided one, a roll at a time.
///
/// The exact interval is a fraction of numbers as long as all rolls so far. What the next digit is depends, nearly always,
/// on its first hundred bits alone: the window. When those are used up the window is cut anew out of a state of some
/// hundred bits, and that out of one of twice as many, and so on up to the exact interval, each of which is brought up to
/// date by the product of all that happened meanwhile. So a number of b bits is multiplied by one as long once in b bits
/// of rolls, which makes all of it little more than one product of the longest numbers (as in Lehmer's and Schönhage's
/// algorithms for the greatest common divisor). Every state knows its error, and a window never guesses: where it is too
/// wide to tell, one with more bits is asked, at last the exact interval.
#[derive(Clone)]
pub(super) struct Tower {
    n: u64,
    m: u64,
    window: Window,
    /// The window is as narrow as the states make it.
    fresh: bool,
    /// What happened since the window was cut.
    recent: Recent,
    /// From the least precise to the most precise.
    levels: Vec<Level>,
    /// The exact interval when the highest level was cut.
    exact: State,
}

/// A state, and what happened since it was cut out of the one above.
#[derive(Clone)]
struct Level {
    bits: u64,
    state: State,
    since: Stretch,
}

impl Level {
    fn new(bits: u64) -> Self {
        Self { bits, state: State::whole(), since: Stretch::none() }
    }
}

impl Tower {
    pub(super) fn new(n: u64, m: u64) -> Self {
        Self {
            n,
            m,
            window: Window::WHOLE,
            fresh: true,
            recent: Recent::NONE,
            levels: alloc::vec![Level::new(LOWEST)],
            exact: State::whole(),
        }
    }

    /// Takes in a roll, which is below n.
    pub(super) fn push(&mut self, roll: u32) {
        if self.recent.sides.checked_mul(self.n.into()).is_none() {
            self.refresh(false);
        }
        self.recent.push(roll, self.n);
        self.window.push(roll, self.n);
        self.fresh = false;
    }

    /// Gives out the next digit, if the rolls so far fix it.
    pub(super) fn pull(&mut self) -> Option<u32> {
        let digit = loop {
            match self.window.verdict(self.m) {
                Verdict::Digit(digit) => break digit,
                Verdict::Wait => return None,
                Verdict::Unsure if self.fresh => break self.exact_digit()?,
                Verdict::Unsure => self.refresh(false),
            }
        };
        if self.recent.scale.checked_mul(self.m.into()).is_none() {
            self.refresh(false);
        }
        self.recent.pull(digit, self.m);
        self.window.pull(digit, self.m);
        self.fresh = false;
        // What went out is all that came in: this is the start again. So if both numbers of sides are powers of a third one,
        // nothing grows.
        if self.recent.is_settled() && self.exact.is_whole() && self.is_cut_from_exact() {
            *self = Self::new(self.n, self.m);
        }
        Some(digit)
    }

    /// The digit by the exact interval, for where the border of a cell is at its end or very near.
    fn exact_digit(&mut self) -> Option<u32> {
        self.refresh(true);
        let State { x, y, d, .. } = &self.exact;
        let (min, len) = (x * self.m, y * self.m);
        let digit = &min / d;
        let border = (&digit + 1u8) * d - min;
        if len <= border {
            return digit.to_u32();
        }
        self.window = Window::Border(between(&border, &len, 0));
        None
    }

    /// No level has seen anything since the exact interval moved.
    fn is_cut_from_exact(&self) -> bool {
        self.levels.iter().all(|level| level.since.is_none())
    }

    /// Cuts a new window, and a new state for each level that has not enough precision left, or for all of them.
    fn refresh(&mut self, all: bool) {
        let mut news = Stretch::from(replace(&mut self.recent, Recent::NONE));
        let (mut cut, mut below) = (0, FOR_WINDOW);
        for level in &mut self.levels {
            let since = replace(&mut level.since, Stretch::none()).and(news);
            // Enough is true of it for the level below, see `State::view`.
            if !all && level.bits >= below + since.scale.bits() + 4 {
                level.since = since;
                news = Stretch::none();
                break;
            }
            (cut, below, news) = (cut + 1, level.bits, since);
        }
        if cut == self.levels.len() {
            self.exact.advance(&news);
            if self.exact.d.bits() > below {
                self.levels.push(Level::new(2 * below - UNUSED));
                cut += 1;
            }
        }
        for at in (0..cut).rev() {
            let bits = self.levels[at].bits;
            self.levels[at].state = match self.levels.get(at + 1) {
                Some(above) => above.state.view(&above.since, bits),
                None => self.exact.view(&Stretch::none(), bits),
            };
        }
        if let Some(lowest) = self.levels.first() {
            self.window = lowest.state.view(&lowest.since, FOR_WINDOW).window();
        }
        self.fresh = true;
    }
}

/// The interval [x/d, (x + y)/d): each of the three is the truth, or within 2 of one common multiple of it.
#[derive(Clone)]
struct State {
    x: BigUint,
    y: BigUint,
    d: BigUint,
    exact: bool,
}

impl State {
    fn whole() -> Self {
        Self { x: BigUint::zero(), y: BigUint::one(), d: BigUint::one(), exact: true }
    }

    fn is_whole(&self) -> bool {
        self.x.is_zero() && self.y == self.d
    }

    /// The three after a stretch of rolls and digits, divided by 2^`cut`.
    ///
    /// Rolls make of them x·n^s + rolls·y, y and d·n^s; digits x·m^t − digits·d, y·m^t and d.
    fn after(&self, since: &Stretch, cut: u64) -> (BigUint, BigUint, BigUint) {
        let d = since.sides.times(&self.d) >> cut;
        let x = (since.sides.times(&self.x) + &since.rolls * &self.y) >> cut;
        let (x, below) = (since.scale.times(&x), &since.digits * &d);
        // The truth is not negative; where an error makes the difference so, zero is nearer.
        let x = if x > below { x - below } else { BigUint::zero() };
        (x, since.scale.times(&(&self.y >> cut)), d)
    }

    /// Moves an exact interval on.
    fn advance(&mut self, since: &Stretch) {
        let (x, y, d) = self.after(since, 0);
        let twos = [&x, &y, &d].into_iter().filter_map(BigUint::trailing_zeros).min().unwrap_or(0);
        *self = Self { x: x >> twos, y: y >> twos, d: d >> twos, exact: true };
    }

    /// The interval after a stretch, to `bits` bits of d.
    ///
    /// Errors of 2 become less than 2·(n^s + rolls)/2^cut + 1 < 5 in x before the digits, where 2^cut > n^s, and 3 in d. So x
    /// is off by less than 5·m^t + 3·digits < 8·m^t in the end, and y by less. If d had b bits it has b − 1 or b now, and it is
    /// asked for no more than b − 4 bits less those of m^t. So at least as many are dropped as 8·m^t has, which leaves
    /// errors below 1, and below 2 after rounding.
    fn view(&self, since: &Stretch, bits: u64) -> Self {
        let (x, y, d) = if since.is_none() {
            (self.x.clone(), self.y.clone(), self.d.clone())
        } else {
            self.after(since, if self.exact { 0 } else { since.sides.bits() })
        };
        let drop = d.bits().saturating_sub(bits);
        Self { x: x >> drop, y: y >> drop, d: d >> drop, exact: self.exact && drop == 0 }
    }

    fn window(&self) -> Window {
        let error = if self.exact { 0 } else { 2 };
        Window::cell(between(&self.x, &self.d, error), between(&self.y, &self.d, error))
    }
}

/// `part`/`whole`, where both are within `error` of the truth, and `whole` is more than `error`.
fn between(part: &BigUint, whole: &BigUint, error: u8) -> Between {
    let least = if *part > error.into() { part - error } else { BigUint::zero() };
    let most: BigUint = ((part + error) << PLACES) + whole - error - 1u8;
    Between {
        least: ((least << PLACES) / (whole + error)).to_u128().unwrap_or(0),
        most: (most / (whole - error)).to_u128().map_or(1 << PLACES, |most| most.min(1 << PLACES)),
    }
}

/// What happened between two moments: digits of base n came in, digits of base m went out.
#[derive(Clone)]
struct Stretch {
    /// The digits that came in, as one number, and n to the power of how many they are.
    rolls: BigUint,
    sides: Power,
    /// The digits that went out, as one number, and m to the power of how many they are.
    digits: BigUint,
    scale: Power,
}

impl Stretch {
    fn none() -> Self {
        Recent::NONE.into()
    }

    fn is_none(&self) -> bool {
        self.sides.bits() == 1 && self.scale.bits() == 1
    }

    /// This stretch, and `later` right after it.
    fn and(self, later: Self) -> Self {
        if self.is_none() {
            return later;
        }
        Self {
            rolls: later.sides.times(&self.rolls) + later.rolls,
            digits: later.scale.times(&self.digits) + later.digits,
            sides: self.sides.and(&later.sides),
            scale: self.scale.and(&later.scale),
        }
    }
}

/// A stretch short enough for machine words.
#[derive(Clone, Copy)]
struct Recent {
    rolls: u128,
    sides: u128,
    digits: u128,
    scale: u128,
}

impl Recent {
    const NONE: Self = Self { rolls: 0, sides: 1, digits: 0, scale: 1 };

    fn push(&mut self, roll: u32, n: u64) {
        self.rolls = self.rolls * u128::from(n) + u128::from(roll);
        self.sides *= u128::from(n);
    }

    fn pull(&mut self, digit: u32, m: u64) {
        self.digits = self.digits * u128::from(m) + u128::from(digit);
        self.scale *= u128::from(m);
    }

    /// What came in and what went out are the same number of as many possible ones.
    fn is_settled(&self) -> bool {
        self.sides == self.scale && self.rolls == self.digits
    }
}

impl From<Recent> for Stretch {
    fn from(recent: Recent) -> Self {
        Self {
            rolls: recent.rolls.into(),
            sides: recent.sides.into(),
            digits: recent.digits.into(),
            scale: recent.scale.into(),
        }
    }
}
