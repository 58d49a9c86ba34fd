use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::array;
use core::fmt::{self, Debug, Display, Formatter};
use core::ops::{Add, Mul, Sub};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// A polynomial in N probabilities, with rational coefficients: what a machine of N letters does, or should do.
///
/// It is kept in the form in which such machines make it: Σ a_j·Π p_i^j_i·(1 − p_i)^(n_i − j_i), where n_i is the degree in
/// letter i. A polynomial whose coefficients in this form are not negative is not negative for any probabilities.
///
/// ```
/// use buffon::explore::Polynomial;
/// let [p, q] = Polynomial::letters();
/// let either = &p + &q - &p * &q;
/// assert_eq!(either, 1 - (1 - &p) * (1 - &q));
/// assert_eq!(either.to_string(), "p + q − p·q");
/// ```
#[derive(Clone)]
pub struct Polynomial<const N: usize> {
    degree: [u32; N],
    /// The a_j that are not zero.
    terms: Terms<N>,
}

type Terms<const N: usize> = BTreeMap<[u32; N], BigRational>;

impl<const N: usize> Polynomial<N> {
    /// The letters themselves, as polynomials: `let [p, q] = Polynomial::letters();`.
    #[must_use]
    pub fn letters() -> [Self; N] {
        array::from_fn(|letter| {
            let only = |of| if of == letter { 1 } else { 0 };
            let degree = array::from_fn(only);
            Self { degree, terms: BTreeMap::from([(degree, BigRational::one())]) }
        })
    }

    /// The degree in each letter in which it is written; it may be more than it need be.
    #[must_use]
    pub const fn degree(&self) -> [u32; N] {
        self.degree
    }

    /// Whether it is zero for all probabilities.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Its value, the letters having these probabilities.
    #[must_use]
    pub fn at(&self, probabilities: &[BigRational; N]) -> BigRational {
        let one = BigRational::one();
        let sum = self.terms.iter().map(|(heads, coefficient)| {
            let mut product = coefficient.clone();
            for (letter, p) in probabilities.iter().enumerate() {
                let tails = self.degree[letter] - heads[letter];
                product *= num_traits::pow(p.clone(), heads[letter] as usize);
                product *= num_traits::pow(&one - p, tails as usize);
            }
            product
        });
        sum.sum()
    }

    /// `self` raised to a power.
    #[must_use]
    pub fn pow(&self, exponent: u32) -> Self {
        (0..exponent).fold(Self::from(1), |product, _| product * self)
    }

    /// The sum of `weight`·Π p_i^heads_i·(1 − p_i)^tails_i, brought to one degree.
    pub(super) fn of_words(
        words: impl Iterator<Item = ([u32; N], [u32; N], BigRational)> + Clone,
    ) -> Self {
        let degree = array::from_fn(|letter| {
            words.clone().map(|(heads, tails, _)| heads[letter] + tails[letter]).max().unwrap_or(0)
        });
        // Words of one degree are added before they are brought to the common one.
        let mut parts: BTreeMap<[u32; N], Terms<N>> = BTreeMap::new();
        for (heads, tails, weight) in words {
            let of_word = array::from_fn(|letter| heads[letter] + tails[letter]);
            let terms = parts.entry(of_word).or_default();
            *terms.entry(heads).or_insert_with(BigRational::zero) += weight;
        }
        let mut sum = Self { degree, terms: Terms::new() };
        for (of_words, terms) in parts {
            sum.gather(Self { degree: of_words, terms }.elevated(degree));
        }
        sum
    }

    /// The same polynomial written in a higher degree: times Π (p_i + (1 − p_i))^(to_i − n_i).
    fn elevated(&self, to: [u32; N]) -> Self {
        let mut terms = self.terms.clone();
        for letter in 0..N {
            let by = to[letter] - self.degree[letter];
            if by == 0 {
                continue;
            }
            let row = binomials(by);
            let mut spread = Terms::new();
            for (heads, coefficient) in &terms {
                let mut heads = *heads;
                for choose in &row {
                    *spread.entry(heads).or_insert_with(BigRational::zero) += coefficient * choose;
                    heads[letter] += 1;
                }
            }
            terms = spread;
        }
        Self { degree: to, terms }
    }

    /// Adds a polynomial of the same degree.
    fn gather(&mut self, other: Self) {
        for (heads, coefficient) in other.terms {
            *self.terms.entry(heads).or_insert_with(BigRational::zero) += coefficient;
        }
        self.terms.retain(|_, coefficient| !coefficient.is_zero());
    }

    fn scaled(&self, by: &BigRational) -> Self {
        let terms = self.terms.iter().map(|(heads, coefficient)| (*heads, coefficient * by));
        let terms = terms.filter(|(_, coefficient)| !coefficient.is_zero()).collect();
        Self { degree: self.degree, terms }
    }

    fn sum(&self, other: &Self) -> Self {
        let degree = array::from_fn(|letter| self.degree[letter].max(other.degree[letter]));
        let mut sum = self.elevated(degree);
        sum.gather(other.elevated(degree));
        sum
    }

    fn product(&self, other: &Self) -> Self {
        let degree = array::from_fn(|letter| self.degree[letter] + other.degree[letter]);
        let mut terms = Terms::new();
        for (heads, a) in &self.terms {
            for (more, b) in &other.terms {
                let heads = array::from_fn(|letter| heads[letter] + more[letter]);
                *terms.entry(heads).or_insert_with(BigRational::zero) += a * b;
            }
        }
        terms.retain(|_, coefficient| !coefficient.is_zero());
        Self { degree, terms }
    }

    /// The Bernstein coefficients a_j/Π C(n_i, j_i), times a common positive factor that makes them whole: the last letter
    /// runs fastest.
    pub(super) fn bernstein(&self) -> Vec<BigInt> {
        let rows = self.degree.map(binomials);
        let common =
            |row: &Vec<BigInt>| row.iter().fold(BigInt::one(), |all, choose| all.lcm(choose));
        let ways = rows.iter().map(common).fold(BigInt::one(), |product, ways| product * ways);
        let whole = self.terms.values().fold(BigInt::one(), |whole, a| whole.lcm(a.denom()));
        let mut coefficients = Vec::new();
        let mut heads = [0; N];
        loop {
            let a = self.terms.get(&heads);
            coefficients.push(a.map_or_else(BigInt::zero, |a| {
                let choose = (0..N).map(|letter| &rows[letter][heads[letter] as usize]);
                let choose = choose.fold(BigInt::one(), |product, choose| product * choose);
                a.numer() * (&whole / a.denom()) * (&ways / choose)
            }));
            let Some(letter) = (0..N).rev().find(|&letter| heads[letter] < self.degree[letter])
            else {
                return coefficients;
            };
            heads[letter] += 1;
            heads[letter + 1..].fill(0);
        }
    }

    /// The coefficients of the powers Π p_i^k_i.
    fn powers(&self) -> Terms<N> {
        let mut powers = Terms::new();
        // (1 − p)^m is expanded by the binomial theorem, one letter after another.
        for (heads, coefficient) in &self.terms {
            let mut expanded = Terms::from([(*heads, coefficient.clone())]);
            for letter in 0..N {
                let row = binomials(self.degree[letter] - heads[letter]);
                let mut next = Terms::new();
                for (powers, coefficient) in expanded {
                    let mut powers = powers;
                    for (k, choose) in row.iter().enumerate() {
                        let sign = if k % 2 == 0 { choose.clone() } else { -choose };
                        *next.entry(powers).or_insert_with(BigRational::zero) +=
                            &coefficient * sign;
                        powers[letter] += 1;
                    }
                }
                expanded = next;
            }
            for (power, coefficient) in expanded {
                *powers.entry(power).or_insert_with(BigRational::zero) += coefficient;
            }
        }
        powers.retain(|_, coefficient| !coefficient.is_zero());
        powers
    }
}

/// C(n, 0), …, C(n, n).
fn binomials(n: u32) -> Vec<BigInt> {
    let mut row = alloc::vec![BigInt::one()];
    for k in 0..n {
        let next = &row[k as usize] * (n - k) / (k + 1);
        row.push(next);
    }
    row
}

impl<const N: usize> From<BigRational> for Polynomial<N> {
    fn from(constant: BigRational) -> Self {
        let mut terms = BTreeMap::from([([0; N], constant)]);
        terms.retain(|_, constant| !constant.is_zero());
        Self { degree: [0; N], terms }
    }
}

impl<const N: usize> From<i64> for Polynomial<N> {
    fn from(constant: i64) -> Self {
        Self::from(BigRational::from_integer(constant.into()))
    }
}

impl<const N: usize> PartialEq for Polynomial<N> {
    /// Equal as functions, whatever the degrees they are written in.
    fn eq(&self, other: &Self) -> bool {
        (self - other).is_zero()
    }
}

impl<const N: usize> Eq for Polynomial<N> {}

/// An operator between polynomials, and between a polynomial and a whole number, by value or by reference.
macro_rules! operator {
    ($trait:ident $method:ident |$a:ident, $b:ident| $result:expr) => {
        operator!(@ $trait $method [Polynomial<N>] [Polynomial<N>] |$a, $b| { let ($a, $b) = (&$a, &$b); $result });
        operator!(@ $trait $method [Polynomial<N>] [&Polynomial<N>] |$a, $b| { let $a = &$a; $result });
        operator!(@ $trait $method [&Polynomial<N>] [Polynomial<N>] |$a, $b| { let $b = &$b; $result });
        operator!(@ $trait $method [&Polynomial<N>] [&Polynomial<N>] |$a, $b| $result);
        operator!(@ $trait $method [i64] [Polynomial<N>] |$a, $b| { let ($a, $b) = (&Polynomial::from($a), &$b); $result });
        operator!(@ $trait $method [i64] [&Polynomial<N>] |$a, $b| { let $a = &Polynomial::from($a); $result });
    };
    (@ $trait:ident $method:ident [$left:ty] [$right:ty] |$a:ident, $b:ident| $result:expr) => {
        impl<const N: usize> $trait<$right> for $left {
            type Output = Polynomial<N>;
            fn $method(self, $b: $right) -> Polynomial<N> {
                let $a = self;
                $result
            }
        }
    };
}

operator!(Add add |a, b| a.sum(b));
operator!(Sub sub |a, b| a.sum(&b.scaled(&-BigRational::one())));
operator!(Mul mul |a, b| a.product(b));

/// In powers of the letters, which are called p, q, r, s, and from the fifth on p5, p6, …
impl<const N: usize> Display for Polynomial<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut powers: Vec<_> = self.powers().into_iter().collect();
        // By total degree, then p before q.
        powers
            .sort_by_key(|(powers, _)| (powers.iter().sum::<u32>(), powers.map(|k| u32::MAX - k)));
        if powers.is_empty() {
            return f.write_str("0");
        }
        for (place, (powers, coefficient)) in powers.iter().enumerate() {
            f.write_str(match (place, coefficient.is_negative()) {
                (0, false) => "",
                (0, true) => "−",
                (_, false) => " + ",
                (_, true) => " − ",
            })?;
            let size = coefficient.abs();
            let mut before = false;
            if !size.is_one() || powers.iter().all(|&k| k == 0) {
                write!(f, "{size}")?;
                before = true;
            }
            for (letter, &k) in powers.iter().enumerate().filter(|(_, k)| **k > 0) {
                f.write_str(if before { "·" } else { "" })?;
                before = true;
                match ["p", "q", "r", "s"].get(letter) {
                    Some(name) => f.write_str(name)?,
                    None => write!(f, "p{}", letter + 1)?,
                }
                if k > 1 {
                    write!(f, "^{k}")?;
                }
            }
        }
        Ok(())
    }
}

impl<const N: usize> Debug for Polynomial<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Polynomial({self})")
    }
}
