/// Binary places of a number in fixed point: one times a number of sides, at most 2^32, fits in 127 bits with room above.
pub(super) const PLACES: u32 = 95;
const ONE: u128 = 1 << PLACES;

/// What an enclosure of the interval says about the next digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The whole interval lies in the cell of this digit.
    Digit(u32),
    /// It reaches into more than one cell: another roll is needed.
    Wait,
    /// The enclosure is too wide to tell.
    Unsure,
}

/// A number between 0 and 1, known to lie between two multiples of 2^-95, both included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Between {
    pub(super) least: u128,
    pub(super) most: u128,
}

/// The interval [min, min + len) within [0, 1), enclosed by machine words.
///
/// Every bound is true of the exact interval; rounding only ever widens them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Window {
    /// The interval within the cell [0, 1).
    Cell { min: Between, len: Between },
    /// The interval is tiny and a border between two digits lies in it: where in it the border lies.
    Border(Between),
}

impl Window {
    /// The whole of [0, 1).
    pub(super) const WHOLE: Self =
        Self::Cell { min: Between { least: 0, most: 0 }, len: Between { least: ONE, most: ONE } };

    /// Uses that 0 <= min and min + len <= 1 to keep the bounds in that range.
    pub(super) fn cell(min: Between, len: Between) -> Self {
        Self::Cell {
            min: Between { most: min.most.min(ONE), ..min },
            len: Between { most: len.most.min(ONE.saturating_sub(min.least)), ..len },
        }
    }

    /// Narrows the interval to part `roll` of `n` equal parts.
    pub(super) fn push(&mut self, roll: u32, n: u64) {
        let (n, roll) = (u128::from(n), u128::from(roll));
        *self = match *self {
            Self::Cell { min, len } => {
                let (part, rest) = (len.least / n, len.least % n);
                let slack = len.most - len.least;
                // roll·len/n is above `step` by less than one for the division and by less than the slack of len.
                let step = roll * part + roll * rest / n;
                let inexact = u128::from(roll * rest % n != 0);
                Self::cell(
                    Between { least: min.least + step, most: min.most + step + inexact + slack },
                    Between { least: part, most: part + (rest + slack).div_ceil(n) },
                )
            }
            // The border stays inside if it lies in part `roll`; otherwise its place is not known any more.
            Self::Border(at) => {
                let within = |at: u128| (at * n).saturating_sub(roll << PLACES).min(ONE);
                Self::Border(Between { least: within(at.least), most: within(at.most) })
            }
        };
    }

    /// Whether the next digit in base `m` is fixed.
    pub(super) fn verdict(&self, m: u64) -> Verdict {
        let m = u128::from(m);
        let (min, len) = match *self {
            Self::Cell { min, len } => (min, len),
            Self::Border(at) if at.least > 0 && at.most < ONE => return Verdict::Wait,
            Self::Border(_) => return Verdict::Unsure,
        };
        // Longer than a cell.
        if len.least * m > ONE {
            return Verdict::Wait;
        }
        // No digit in the interval is below this one; is none above it?
        let digit = (min.least * m) >> PLACES;
        let most = (min.most + len.most).min(ONE) * m;
        if most <= (digit + 1) << PLACES {
            return u32::try_from(digit).map_or(Verdict::Unsure, Verdict::Digit);
        }
        // The first border that is surely above min: is it surely below max?
        let border = ((min.most * m) >> PLACES) + 1;
        if (min.least + len.least) * m > border << PLACES { Verdict::Wait } else { Verdict::Unsure }
    }

    /// Widens the cell of `digit`, in which the whole interval lies, to [0, 1).
    pub(super) fn pull(&mut self, digit: u32, m: u64) {
        let (m, below) = (u128::from(m), u128::from(digit) << PLACES);
        if let Self::Cell { min, len } = *self {
            // The exact min is not below the cell, though its bound may be.
            let within = |min: u128| (min * m).saturating_sub(below);
            *self = Self::cell(
                Between { least: within(min.least), most: within(min.most) },
                Between { least: len.least * m, most: len.most * m },
            );
        }
    }
}
