use alloc::vec::Vec;
use core::error::Error;
use core::fmt::{self, Display, Formatter};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::logarithm::log2;
use super::tally::{Tally, dyadic};
use crate::law::Bracket;

/// Why a declared tail does not hold, or says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BrokenTail {
    /// No levels, or a ratio that is not at least 0 and less than 1.
    NotATail,
    /// The tree is not deeper than the levels of the declaration, so nothing could be checked.
    TooShallow,
    /// The mass that is open after so many bits falls too slowly over the levels that follow.
    Stalls {
        /// After how many bits.
        after: u32,
    },
    /// An answer may take more bits than the machine says it ever takes.
    Exceeds {
        /// The most, by what the machine says.
        bits: u64,
    },
}

impl Display for BrokenTail {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATail => f.write_str("a tail needs at least one level and a ratio below 1"),
            Self::TooShallow => f.write_str("the tree is not deeper than the levels of the tail"),
            Self::Exceeds { bits } => write!(f, "an answer may take more than {bits} fair bits"),
            Self::Stalls { after } => {
                write!(
                    f,
                    "the mass that is open after {after} bits falls more slowly than declared"
                )
            }
        }
    }
}

impl Error for BrokenTail {}

impl<T> Tally<T> {
    /// The expected fair bits, if each `levels` bits the open mass falls at least by `ratio`, as the machine declares.
    ///
    /// With r_k the mass open after k bits and D the depth, r_{k+m} ≤ ρ·r_k is checked for every k + m ≤ D, and relied on
    /// below D: then Σ_{k≥D} r_k ≤ m·r_D/(1 − ρ). No finite tree can prove it, but a machine that stalls is found out only
    /// by such a declaration, since its law may still come right.
    ///
    /// ```
    /// use buffon::{Die, Explorer};
    /// // Each three bits at most one node in four stays open.
    /// let quarter = num_rational::BigRational::new(1.into(), 4.into());
    /// let bits = Explorer::new(60).tally(&Die::new(6)?).tail(3, &quarter)?;
    /// assert!(bits.contains(&num_rational::BigRational::new(11.into(), 3.into())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BrokenTail`]: it does not hold, or it could not be checked.
    pub fn tail(&self, levels: u32, ratio: &BigRational) -> Result<Bracket, BrokenTail> {
        if levels == 0 || ratio.is_negative() || *ratio >= BigRational::one() {
            return Err(BrokenTail::NotATail);
        }
        let nodes: Vec<BigInt> = self.open_nodes().into_iter().map(BigInt::from).collect();
        let m = levels as usize;
        if nodes.len() <= m {
            return Err(BrokenTail::TooShallow);
        }
        for ((before, after), k) in nodes.iter().zip(&nodes[m..]).zip(0..) {
            if after * ratio.denom() > (before * ratio.numer()) << m {
                return Err(BrokenTail::Stalls { after: k });
            }
        }
        let below = self.open() * BigInt::from(levels) / (BigRational::one() - ratio);
        let low = self.expected_bits();
        Ok(Bracket::new(low.clone(), low + below))
    }

    /// The mutual information between the answer and the number of bits it took, in bits, in a bracket: what an observer
    /// who can time the machine learns of an answer. `outcomes` is the number of different answers that there are.
    ///
    /// With J the joint law and D the depth: let M be the mass answered within D bits, A = M·I(X; T | T ≤ D), which the
    /// leaves tell, and r = 1 − M. The event T > D is a function of T, so A ≤ I(X; T) ≤ h(r) + A + r·log2(outcomes), where
    /// h is the binary entropy. Logarithms are bracketed to 2^-places each, by integers.
    ///
    /// ```
    /// use buffon::{Dyadic, Explorer, Rational};
    /// // 1/3 = 0.010101… in binary: the length tells the answer, which holds 0.918 bits.
    /// let third = Explorer::new(60).tally(&Rational::<u8>::new(1, 3)?).leak(2, 40);
    /// assert_eq!(format!("{third:.6}"), "0.918295…");
    /// // Of 1/2 it tells nothing.
    /// assert!(Explorer::new(60).tally(&Dyadic::new(1, 1)?).leak(2, 40).high() < &num_rational::BigRational::new(1.into(), 1000.into()));
    /// # Ok::<(), buffon::ProbabilityError>(())
    /// ```
    #[must_use]
    pub fn leak(&self, outcomes: u64, places: u32) -> Bracket {
        let r = self.open();
        let answered = BigRational::one() - &r;
        let leaves = self.leaf_counts();
        // A = Σ m(x, k)·log2(m(x, k)·M/(m(x)·m(k))), where m(x, k)/m(k) is a quotient of numbers of leaves.
        let mut inner = Bracket::exact(BigRational::zero());
        for (_, counts) in self.counts() {
            let of_outcome = super::tally::mass(counts);
            for (k, (&count, &all)) in counts.iter().zip(&leaves).enumerate() {
                if count == 0 {
                    continue;
                }
                let quotient = BigRational::new(count.into(), all.into()) * &answered / &of_outcome;
                inner = plus(&inner, &times(&log2(&quotient, places), &dyadic(count, k)));
            }
        }
        let zero = BigRational::zero();
        let low = inner.low().max(&zero).clone();
        if r.is_zero() {
            return Bracket::new(low.clone(), inner.high().max(&low).clone());
        }
        let mut high = inner.high()
            + log2(&BigRational::from_integer(outcomes.max(1).into()), places).high() * &r;
        for p in [&r, &answered] {
            if p.is_positive() {
                high -= log2(p, places).low() * p;
            }
        }
        Bracket::new(low.clone(), high.max(low))
    }
}

impl<T: PartialEq> Tally<T> {
    /// The binary digits after the point that are proved: a binary expansion of P(outcome) begins with them.
    ///
    /// They are those for which all of the bracket lies between 0.d₁…d_k and 0.d₁…d_k + 2^-k. Of a certain outcome there are
    /// none.
    ///
    /// ```
    /// use buffon::{Explorer, Rational};
    /// let tally = Explorer::new(1000).tally(&Rational::<u64>::new(1, 3)?);
    /// let digits = tally.digits(&true);
    /// assert!(digits.len() == 1000 && digits.iter().enumerate().all(|(k, &digit)| digit == (k % 2 == 1)));
    /// # Ok::<(), buffon::ProbabilityError>(())
    /// ```
    #[must_use]
    pub fn digits(&self, outcome: &T) -> Vec<bool> {
        let depth = self.depth();
        let scale = BigRational::from_integer(BigInt::one() << depth);
        let low = (self.mass(outcome) * &scale).to_integer();
        let high = (self.open() * &scale).to_integer() + &low;
        let agree = |&k: &u32| {
            let cell: BigInt = &low >> (depth - k);
            !cell.bit(u64::from(k)) && high <= (cell + 1u8) << (depth - k)
        };
        let count = (0..=depth).rev().find(agree).unwrap_or(0);
        (1..=count).map(|k| low.bit(u64::from(depth - k))).collect()
    }
}

fn plus(a: &Bracket, b: &Bracket) -> Bracket {
    Bracket::new(a.low() + b.low(), a.high() + b.high())
}

/// The product with a number that is not negative.
fn times(a: &Bracket, by: &BigRational) -> Bracket {
    Bracket::new(a.low() * by, a.high() * by)
}
