use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{self, Debug, Formatter};

use num_bigint::BigInt;
use num_rational::{BigRational, Ratio};
use num_traits::{One, Signed, Zero};

use crate::bits::BitSource;
use crate::coin::Coin;
use crate::error::SliceError;
use crate::law::{Bracket, KnownLaw, LawError};
use crate::machine::Machine;

/// A point of the unit interval at which one slice ends and the next begins; see [`Slices`].
///
/// It is a rational number ([`From`] a [`Ratio`]), or a number that is only known by ever tighter bounds
/// ([`bounds`](Self::bounds), [`of`](Self::of)), such as 1/e or 1/√2.
#[derive(Clone)]
pub struct Cut(Kind);

#[derive(Clone)]
enum Kind {
    /// A fraction; its denominator is not negative.
    Exact(BigInt, BigInt),
    Bounded(Arc<dyn Fn(u32) -> Bracket + Send + Sync>),
}

/// How much narrower than a cell the bounds of a cut are asked to be, in bits, before it counts as not told apart.
const FINER: [u32; 3] = [4, 16, 64];

/// The digits of a coin's probability that a cut keeps: as many as [`Slices::new`] looks at, and more than most samples do.
const TOLD: u32 = 64;

impl Cut {
    /// The number that lies within `bounds(precision)`, a bracket of width at most 2^-precision, for every precision.
    ///
    /// ```
    /// use buffon::{Bracket, Cut, Machine, Script, Slices};
    /// use num_bigint::BigInt;
    /// use num_rational::BigRational;
    ///
    /// // 1/√2: its first p binary digits are ⌊2^p/√2⌋ = ⌊√(2^(2p − 1))⌋.
    /// let cut = Cut::bounds(|precision| {
    ///     let p = precision + 1;
    ///     let digits = (BigInt::from(1) << (2 * p - 1)).sqrt();
    ///     let end = |digits| BigRational::new(digits, BigInt::from(1) << p);
    ///     Bracket::new(end(digits.clone()), end(digits + 1))
    /// });
    /// let slices = Slices::new([cut])?;
    /// assert_eq!(slices.try_sample(&mut Script::from_str("TT")?), Ok(1)); // 0.11… is above 0.707…
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bounds(bounds: impl Fn(u32) -> Bracket + Send + Sync + 'static) -> Self {
        Self(Kind::Bounded(Arc::new(bounds)))
    }

    /// The probability of a coin whose law is known: 64 binary digits are computed now and kept, more when a toss asks for them.
    ///
    /// # Errors
    ///
    /// The coin's [`LawError`], if it has no probability or it cannot be told.
    pub fn of<C: Coin + KnownLaw + Send + Sync + 'static>(coin: C) -> Result<Self, LawError> {
        let told = coin.try_probability(TOLD).or_else(|_| coin.try_probability(FINER[0]))?;
        if told.is_exact() {
            return Ok(told.low().clone().into());
        }
        // Should the law of a coin be told at one precision and not at another, the end stays open: more tosses, no error.
        Ok(Self::bounds(move |precision| {
            let finer =
                if told.is_within(precision) { None } else { coin.try_probability(precision).ok() };
            finer.unwrap_or_else(|| told.clone())
        }))
    }

    /// Where the number lies, in a bracket of width at most 2^-precision; exact where it is a known rational.
    ///
    /// A fraction with a denominator of zero, which [`Slices::new`] refuses, lies anywhere.
    #[must_use]
    pub fn bracket(&self, precision: u32) -> Bracket {
        match &self.0 {
            Kind::Exact(_, den) if den.is_zero() => Bracket::unit(),
            Kind::Exact(num, den) => Bracket::ratio(num.clone(), den.clone()),
            Kind::Bounded(bounds) => bounds(precision),
        }
    }

    /// Whether it lies at or below the cell \[x, x + 1)/2^k (`Less`), at or above its end (`Greater`), or inside, or
    /// cannot be told apart from one of its ends.
    fn place(&self, x: &BigInt, k: u32) -> Ordering {
        let compare = |below: bool, above: bool| match (below, above) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => Ordering::Equal,
        };
        match &self.0 {
            Kind::Exact(num, den) => {
                let from_cell = (num << k) - x * den;
                compare(!from_cell.is_positive(), from_cell >= *den)
            }
            Kind::Bounded(bounds) => {
                let end = x + 1u8;
                // The place of a bound in the cells of length 2^-k, without looking for lowest terms.
                let scaled = |bound: &BigRational, cell: &BigInt| {
                    (bound.numer() << k).cmp(&(cell * bound.denom()))
                };
                for finer in FINER {
                    let bracket = bounds(k.saturating_add(finer));
                    let (least, most) = (bracket.low(), bracket.high());
                    let place = compare(scaled(most, x).is_le(), scaled(least, &end).is_ge());
                    let inside = || scaled(least, x).is_gt() && scaled(most, &end).is_lt();
                    if place != Ordering::Equal || inside() {
                        return place;
                    }
                }
                Ordering::Equal
            }
        }
    }
}

impl<T: Clone + Into<BigInt>> From<Ratio<T>> for Cut {
    fn from(ratio: Ratio<T>) -> Self {
        let (num, den): (BigInt, BigInt) =
            (ratio.numer().clone().into(), ratio.denom().clone().into());
        Self(if den.is_negative() { Kind::Exact(-num, -den) } else { Kind::Exact(num, den) })
    }
}

impl Debug for Cut {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Exact(num, den) => write!(f, "Cut({num}/{den})"),
            Kind::Bounded(bounds) => write!(f, "Cut({:.9})", bounds(32)),
        }
    }
}

/// A chooser that cuts the unit interval into slices and tosses until the slice of a uniform number is certain.
///
/// Each toss is a binary digit of the number, heads zero and tails one; after k tosses it lies in a known cell of length
/// 2^-k, and the answer is given as soon as that lies within one slice.
///
/// - Answers: the number of the slice, from 0 to the number of ends, counted from the left.
/// - Law: the lengths of the slices, exactly, whether their ends are rational or only known by bounds. Slice i holds its
///   left end; two ends that are equal enclose a slice that is never chosen.
/// - Expected fair bits: Σ 2^-k·(cells of length 2^-k with an end inside) over k = 0, 1, …, at most H + 3 for the entropy H
///   of the law: 2 for one end, 2 − 2^(1−m) for one end a/2^m, 3 for 1/3 and 2/3. An end known by bounds costs no more than
///   a rational one, unless it comes within 2^-(k+64) of a k-digit binary number: then it may cost one toss more there.
/// - Tail: P(more than k bits) ≤ (number of ends)·2^-k, or twice that with ends known by bounds. Bounded by m bits if all ends are multiples of 2^-m; an end of k
///   digits is decided by k tosses, at once on either side of it. Otherwise the digits of an end, for ever, give no answer.
/// - Refuses: see [`new`](Self::new).
/// - Source: "Professor Madeupsky's method" (everything2); Han and Hoshi 1997, whose interval algorithm it is.
///
/// [`Weighted`](crate::Weighted) costs fewer bits, at most H + 2, but its law is rational.
///
/// ```
/// use buffon::{Cut, Machine, Rational, Script, Slices};
/// use num_rational::Ratio;
///
/// let slices = Slices::new([Ratio::new(1, 2), Ratio::new(5, 8)])?;
/// assert_eq!(slices.try_sample(&mut Script::from_str("H")?), Ok(0)); // 0.0… is below 1/2
/// assert_eq!(slices.try_sample(&mut Script::from_str("THH")?), Ok(1)); // 0.100… is below 5/8
/// assert_eq!(slices.try_sample(&mut Script::from_str("TT")?), Ok(2)); // 0.11… is not
/// // An end of each kind.
/// let cuts = [Cut::from(Ratio::new(1u8, 3)), Cut::of(Rational::<u64>::new(1, 2)?)?];
/// assert_eq!(Slices::new(cuts)?.try_sample(&mut Script::from_str("T")?), Ok(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Slices {
    cuts: Vec<Cut>,
}

/// After k tosses the number lies in \[x, x + 1)/2^k, and so in one of the slices from `first` to `last`.
#[derive(Debug)]
pub(super) struct Cell {
    x: BigInt,
    k: u32,
    first: usize,
    last: usize,
}

impl Cell {
    pub(super) const fn is_open(&self) -> bool {
        self.first < self.last
    }

    /// How many ends may still lie inside.
    pub(super) const fn ends(&self) -> usize {
        self.last - self.first
    }
}

/// Which of the cuts from `first` up to `last` lie inside a cell, by their place at or below it, inside, or at or above its end.
///
/// Where a cut is at or below the cell, so are all before it, and where one is at or above its end, so are all after
/// it: a binary search errs on the safe side even where a cut cannot be told apart from an end of the cell.
pub(super) fn ends_inside(
    cuts: &[Cut],
    first: usize,
    last: usize,
    place: impl Fn(&Cut) -> Ordering,
) -> (usize, usize) {
    let inside = &cuts[first..last];
    let passed = inside.partition_point(|cut| place(cut) == Ordering::Less);
    let ahead = inside[passed..].partition_point(|cut| place(cut) != Ordering::Greater);
    (first + passed, first + passed + ahead)
}

impl Slices {
    /// The slices that end at `cuts`, given from left to right; the last one ends at 1. No cut makes one slice, which is
    /// certain.
    ///
    /// # Errors
    ///
    /// [`ZeroDenominator`](SliceError::ZeroDenominator) for a fraction that is no number,
    /// [`Outside`](SliceError::Outside) for a cut below 0 or above 1, and [`OutOfOrder`](SliceError::OutOfOrder) for one
    /// below an earlier one. A cut known by bounds is refused if its bounds of width 2^-64 prove it. That cuts which those
    /// do not tell apart are in order is for the caller to see to.
    pub fn new<I>(cuts: I) -> Result<Self, SliceError>
    where
        I: IntoIterator,
        I::Item: Into<Cut>,
    {
        let cuts: Vec<Cut> = cuts.into_iter().map(Into::into).collect();
        let mut least = BigRational::zero();
        for (index, cut) in cuts.iter().enumerate() {
            if matches!(&cut.0, Kind::Exact(_, den) if den.is_zero()) {
                return Err(SliceError::ZeroDenominator { index });
            }
            let bracket = cut.bracket(64);
            if bracket.high().is_negative() || *bracket.low() > BigRational::one() {
                return Err(SliceError::Outside { index });
            }
            if *bracket.high() < least {
                return Err(SliceError::OutOfOrder { index });
            }
            if *bracket.low() > least {
                least = bracket.low().clone();
            }
        }
        Ok(Self { cuts })
    }

    /// The ends between the slices, from left to right: one fewer than there are slices.
    #[must_use]
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// The unit interval.
    pub(super) fn whole(&self) -> Cell {
        self.narrowed(Cell { x: BigInt::zero(), k: 0, first: 0, last: self.cuts.len() })
    }

    /// The lower or the upper half of a cell.
    pub(super) fn half(&self, cell: &Cell, upper: bool) -> Cell {
        let x = (&cell.x << 1u32) + u8::from(upper);
        self.narrowed(Cell { x, k: cell.k.saturating_add(1), ..*cell })
    }

    /// Drops the slices that lie outside the cell.
    fn narrowed(&self, mut cell: Cell) -> Cell {
        let place = |cut: &Cut| cut.place(&cell.x, cell.k);
        (cell.first, cell.last) = ends_inside(&self.cuts, cell.first, cell.last, place);
        cell
    }

    /// The place of the only end inside an open cell, as a fraction of its length, if it is one and known exactly.
    pub(super) fn only_end(&self, cell: &Cell) -> Option<BigRational> {
        let mut inside = self.cuts[cell.first..cell.last].iter().map(|cut| match &cut.0 {
            Kind::Exact(num, den) => {
                Some(BigRational::new((num << cell.k) - &cell.x * den, den.clone()))
            }
            Kind::Bounded(_) => None,
        });
        let only = inside.next()??;
        let one = inside.all(|end| end.as_ref() == Some(&only));
        (one && only.is_positive() && only < BigRational::one()).then_some(only)
    }
}

impl Machine for Slices {
    type Output = usize;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<usize, B::Error> {
        let mut cell = self.whole();
        while cell.is_open() {
            let heads = bits.try_bit()?;
            cell = self.half(&cell, !heads);
        }
        Ok(cell.last)
    }
}
