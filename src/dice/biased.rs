use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::slices::{Cut, Slices, ends_inside};
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::error::ParameterError;
use crate::law::{Bracket, Cost, KnownLaw, Law, LawError, Tail};
use crate::machine::Machine;

/// A chooser that cuts the unit interval into slices, and finds its point by flips of an unfair coin of *known* bias.
///
/// Each flip narrows the cell in which the point lies, in the ratio p : 1 − p, heads to the left part and tails to the right.
/// The answer is given as soon as the cell lies within one slice. For p = 1/2 that is [`Slices`], flip by flip.
///
/// - Answers: the number of the slice, from 0 to the number of ends, counted from the left.
/// - Law: the lengths of the slices, exactly, if the coin has the bias that is stated. **If it has another, the law is another, and
///   nothing tells**; where the bias is not known, make fair bits first ([`VonNeumann`](crate::VonNeumann),
///   [`Elias`](crate::Elias), [`Peres`](crate::Peres)).
/// - Expected flips: the lengths of all cells with an end inside, added up: about H/H(p) and a term that grows like
///   1/min(p, 1 − p), for the entropies H of the law and H(p) of a flip, and never fewer than H/H(p). Besides the coin it takes no
///   fair bit. For three equal slices:
///
///   | p | H/H(p) | by narrowed slices | [`Slices`] of [`VonNeumann`](crate::VonNeumann)'s bits |
///   |---|---|---|---|
///   | 1/2 | 1.5850 | 3 | 12 |
///   | 2/3 | 1.7260 | 2.5 | 13.5 |
///   | 3/4 | 1.9537 | 3.5833 | 16 |
///   | 9/10 | 3.3795 | 7.6721 | 33.3333 |
///
///   [`Peres`](crate::Peres) and [`Elias`](crate::Elias) come near 3/H(p) flips a choice where long blocks serve many choices: 3.6979
///   for p = 3/4, 6.3966 for 9/10.
/// - Tail: P(more than k flips) ≤ (number of ends)·max(p, 1 − p)^k, where ends are rational. Bounded where all of them are ends of
///   cells, as 2/3 for a coin of 2/3.
/// - Refuses: see [`Slices::by_coin`].
/// - Proof: given the flips so far, the point is uniform in the cell: a cell's chance is its length.
/// - Source: the footnote of "Professor Madeupsky's method" (everything2); Han and Hoshi 1997.
///
/// ```
/// use buffon::{Machine, Rational, Script, Slices};
/// use num_rational::Ratio;
/// // A fair choice between two, by a coin of 2/3: HH is the cell from 0 to 4/9, T that from 2/3 to 1.
/// let coin = Rational::<u64>::new(2, 3)?;
/// let two = Slices::new([Ratio::new(1, 2)])?.by_coin(coin, 2, 3)?;
/// assert_eq!(two.try_sample(&mut Script::from_str("HH")?), Ok(0)); // 2/3 = 0.10… in binary: one heads is heads
/// assert_eq!(two.try_sample(&mut Script::from_str("TH")?), Ok(1)); // and TH is tails
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct BiasedSlices<C> {
    slices: Slices,
    coin: C,
    heads: BigInt,
    tails: BigInt,
}

impl Slices {
    /// The same slices, chosen by flips of a coin of the known bias p = `num/den`.
    ///
    /// See [`BiasedSlices`].
    ///
    /// # Errors
    ///
    /// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1, and
    /// [`NeverEnds`](ParameterError::NeverEnds) for 0 and 1: such a coin tells nothing.
    pub fn by_coin<C: Coin>(
        self,
        coin: C,
        num: u64,
        den: u64,
    ) -> Result<BiasedSlices<C>, ParameterError> {
        match den.checked_sub(num) {
            _ if den == 0 => Err(ParameterError::ZeroDenominator),
            None => Err(ParameterError::TooLarge),
            Some(0) => Err(ParameterError::NeverEnds),
            Some(_) if num == 0 => Err(ParameterError::NeverEnds),
            Some(tails) => {
                Ok(BiasedSlices { slices: self, coin, heads: num.into(), tails: tails.into() })
            }
        }
    }
}

/// After k flips the point lies in \[low, low + width)/scale, with the scale denᵏ, and so in a slice from `first` to `last`.
#[derive(Clone, Debug)]
struct Part {
    low: BigInt,
    width: BigInt,
    scale: BigInt,
    first: usize,
    last: usize,
}

impl Part {
    const fn is_open(&self) -> bool {
        self.first < self.last
    }

    /// Whether an end lies at or below the cell (`Less`), at or above its end (`Greater`), or inside, or cannot be told apart.
    fn place(&self, cut: &Cut) -> Ordering {
        let high = &self.low + &self.width;
        let against = |bound: &BigRational, end: &BigInt| {
            (bound.numer() * &self.scale).cmp(&(end * bound.denom()))
        };
        // Bounds narrower than this cell tell nearly always. Only those narrower than every cell of the level, 1/scale at least,
        // meet no more than two of them, since one of other lengths may lie between.
        let least = self.scale.bits();
        let own = least.saturating_sub(self.width.bits());
        for digits in [own + 9, own + 64, least + 8] {
            let bounds = cut.bracket(u32::try_from(digits).unwrap_or(u32::MAX));
            if against(bounds.high(), &self.low).is_le() {
                return Ordering::Less;
            }
            if against(bounds.low(), &high).is_ge() {
                return Ordering::Greater;
            }
            let inside = || {
                against(bounds.low(), &self.low).is_gt() && against(bounds.high(), &high).is_lt()
            };
            if bounds.is_exact() || inside() {
                break;
            }
        }
        Ordering::Equal
    }
}

impl<C> BiasedSlices<C> {
    /// The bias that is stated.
    fn bias(&self) -> BigRational {
        BigRational::new(self.heads.clone(), &self.heads + &self.tails)
    }

    fn whole(&self) -> Part {
        let (first, last) = (0, self.slices.cuts().len());
        let (low, width, scale) = (BigInt::zero(), BigInt::one(), BigInt::one());
        self.within(Part { low, width, scale, first, last })
    }

    /// The left or the right part of a cell.
    fn narrowed(&self, part: &Part, heads: bool) -> Part {
        let den = &self.heads + &self.tails;
        let left = &part.width * &self.heads;
        let low = &part.low * &den;
        let (low, width) =
            if heads { (low, left) } else { (low + left, &part.width * &self.tails) };
        self.within(Part { low, width, scale: &part.scale * den, ..*part })
    }

    /// Drops the slices that lie outside the cell. An end known by bounds that cannot be told from one of the cell's is kept.
    fn within(&self, mut part: Part) -> Part {
        let place = |cut: &Cut| part.place(cut);
        (part.first, part.last) = ends_inside(self.slices.cuts(), part.first, part.last, place);
        part
    }
}

impl<C: Coin> Machine for BiasedSlices<C> {
    type Output = usize;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<usize, B::Error> {
        let mut part = self.whole();
        while part.is_open() {
            part = self.narrowed(&part, self.coin.try_flip(bits)?);
        }
        Ok(part.last)
    }
}

/// The most cells that are looked at.
const MOST_CELLS: u32 = 1 << 16;

/// The most cells that are looked at for a tree that ends.
const ENOUGH_CELLS: usize = 1 << 10;

/// What is known after so many flips that less than 2^-places of the mass lies in open cells.
struct Followed {
    masses: Vec<Bracket>,
    open: Bracket,
    flips: Bracket,
}

impl<C: KnownLaw + Coin> BiasedSlices<C> {
    /// The mass of each cell, for whatever bias the coin has.
    fn follow(&self, p: &Bracket, places: u32) -> Result<Followed, LawError> {
        let grid = places.saturating_add(24);
        let add = |sum: &mut Bracket, mass: &Bracket| *sum = sum.plus(mass).shortened(grid);
        let mut masses = vec![Bracket::zero(); self.slices.cuts().len() + 1];
        let mut flips = Bracket::zero();
        let mut level = vec![(self.whole(), Bracket::one())];
        let mut cells = 0;
        loop {
            let mut open = Bracket::zero();
            for (part, mass) in &level {
                let sum = if part.is_open() { &mut open } else { &mut masses[part.last] };
                add(sum, mass);
            }
            level.retain(|(part, _)| part.is_open());
            if level.is_empty() || open.is_below(places) {
                return Ok(Followed { masses, open, flips });
            }
            add(&mut flips, &open);
            let mut next = Vec::new();
            for (part, mass) in level {
                for (heads, share) in [(true, p.clone()), (false, p.complement())] {
                    cells += 1;
                    next.push((self.narrowed(&part, heads), mass.times(&share).shortened(grid)));
                }
            }
            if cells > MOST_CELLS {
                return Err(LawError::TooManyOutcomes);
            }
            level = next;
        }
    }
}

impl<C: KnownLaw + Coin> KnownLaw for BiasedSlices<C> {
    fn law_at(&self, places: u32) -> Result<Law<usize>, LawError> {
        let p = self.coin.law_at(places)?.heads();
        if p == Bracket::exact(self.bias()) {
            return self.slices.law_at(places);
        }
        let Followed { masses, open, .. } = self.follow(&p, places)?;
        let chosen = masses.into_iter().enumerate().filter(|(_, mass)| !mass.is_zero());
        Ok(Law::new(chosen.collect(), open.high().clone()))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let p = self.coin.law_at(places)?.heads();
        let Followed { open, flips, .. } = self.follow(&p, places)?;
        let cost = self.coin.cost_at(places)?;
        // An end lies in two cells at most on each level, if its bounds do not tell, and a level shares out the mass of the last.
        let greater = p.join(&p.complement()).high().clone();
        let each = Bracket::exact(open.high() * BigRational::from_integer(self.ends()));
        let left = each.over(&Bracket::exact(greater).complement());
        Ok(match left {
            Some(left) => {
                let most = Bracket::new(BigRational::zero(), left.high().clone());
                cost.times(&flips.plus(&most)).rounded(places)
            }
            None if open.is_zero() => cost.times(&flips),
            None => Cost::at_least(cost.times(&flips).low().clone()),
        })
    }

    fn tail(&self) -> Tail {
        if let Some(flips) = self.most_flips() {
            return self.coin.tail().times(flips);
        }
        // On each level an end leaves two cells open at most, of which none has more than max(p, 1 − p)^k.
        let shows_both = |p: &Bracket| !p.low().is_zero() && !p.complement().low().is_zero();
        match self.coin.law_at(64).map(|law| law.heads()) {
            Ok(p) if shows_both(&p) => self.coin.tail().max(Tail::Exponential),
            _ => Tail::MayNeverEnd,
        }
    }
}

impl<C> BiasedSlices<C> {
    /// The most flips, if all ends are ends of cells and few cells are needed to see it.
    fn most_flips(&self) -> Option<u64> {
        let exact = self.slices.cuts().iter().all(|cut| cut.bracket(64).is_exact());
        let (mut level, mut cells, mut flips) = (vec![self.whole()], 0, 0);
        loop {
            level.retain(Part::is_open);
            if level.is_empty() {
                return Some(flips);
            }
            cells += level.len();
            if !exact || cells > ENOUGH_CELLS {
                return None;
            }
            flips += 1;
            let halves = |part: &Part| [true, false].map(|heads| self.narrowed(part, heads));
            level = level.iter().flat_map(halves).collect();
        }
    }

    /// Twice the number of ends.
    fn ends(&self) -> BigInt {
        BigInt::from(self.slices.cuts().len()) * 2
    }
}
