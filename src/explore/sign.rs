use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::array;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::polynomial::Polynomial;

/// Whether a polynomial is negative for some probabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign<const N: usize> {
    /// It is not negative for any: proved by coefficients.
    NeverNegative,
    /// It is negative for these.
    Negative([BigRational; N]),
    /// Neither was shown within the effort allowed. So it stays where it touches zero from above between 0 and 1, at a
    /// number that is not met by halving.
    Undecided,
}

/// A box of probabilities, and the Bernstein coefficients of a polynomial on it.
struct Region<const N: usize> {
    low: [BigRational; N],
    high: [BigRational; N],
    coefficients: Vec<BigInt>,
    /// The letter in which it is to be halved, if that is needed.
    next: usize,
}

impl<const N: usize> Polynomial<N> {
    /// Whether it is negative for some probabilities, N numbers in [0, 1] each.
    ///
    /// On a box a polynomial lies between its least and its greatest Bernstein coefficient, and at a corner it equals one.
    /// So no negative coefficient proves that it is never negative, and a negative one at a corner that it is. Else the box
    /// is halved, up to some 1000 times in all; the coefficients on the halves come closer to the values.
    ///
    /// ```
    /// use buffon::explore::{Polynomial, Sign};
    /// let [p] = Polynomial::letters();
    /// let square = 1 - 4 * &p + 4 * &p * &p; // (1 − 2p)^2
    /// assert_eq!(square.sign(), Sign::NeverNegative);
    /// assert!(matches!((1 - 5 * &p + 5 * &p * &p).sign(), Sign::Negative(_)));
    /// ```
    #[must_use]
    pub fn sign(&self) -> Sign<N> {
        let low = array::from_fn(|_| BigRational::zero());
        let high = array::from_fn(|_| BigRational::one());
        let mut regions =
            VecDeque::from([Region { low, high, coefficients: self.bernstein(), next: 0 }]);
        for _ in 0..2048 {
            // The widest box is at the front.
            let Some(region) = regions.pop_front() else { return Sign::NeverNegative };
            if !region.coefficients.iter().any(Signed::is_negative) {
                continue;
            }
            if let Some(corner) = self.negative_corner(&region) {
                return Sign::Negative(corner);
            }
            // Each letter that occurs gets its turn. One does: a constant is the same at a corner.
            let mut turns = (0..N).map(|by| (region.next + by) % N);
            if let Some(letter) = turns.find(|&letter| self.degree()[letter] > 0) {
                regions.extend(self.halves(region, letter));
            }
        }
        Sign::Undecided
    }

    /// The number of coefficients that lie between neighbours in `letter`.
    fn stride(&self, letter: usize) -> usize {
        self.degree()[letter + 1..].iter().map(|&degree| degree as usize + 1).product()
    }

    fn negative_corner(&self, region: &Region<N>) -> Option<[BigRational; N]> {
        (0..1usize << N).find_map(|corner| {
            let is_high = |letter: usize| corner >> letter & 1 == 1;
            let place = |letter| self.degree()[letter] as usize * self.stride(letter);
            let place: usize = (0..N).filter(|&letter| is_high(letter)).map(place).sum();
            region.coefficients.get(place)?.is_negative().then(|| {
                array::from_fn(|letter| {
                    if is_high(letter) { &region.high[letter] } else { &region.low[letter] }.clone()
                })
            })
        })
    }

    /// De Casteljau's subdivision at the middle in one letter: in each line of coefficients c_0 … c_n sum neighbours again
    /// and again; the first sums, divided by 2^r in round r, are the left half's coefficients and the last ones the right
    /// half's. All are taken times 2^n, so that they stay whole.
    fn halves(&self, region: Region<N>, letter: usize) -> [Region<N>; 2] {
        let (n, stride) = (self.degree()[letter] as usize, self.stride(letter));
        let (mut left, mut right) = (region.coefficients.clone(), region.coefficients);
        let starts = (0..left.len()).filter(|place| place / stride % (n + 1) == 0);
        for start in starts.collect::<Vec<_>>() {
            let at = |k: usize| start + k * stride;
            let mut line: Vec<BigInt> = (0..=n).map(|k| right[at(k)].clone()).collect();
            for round in 0..=n {
                left[at(round)] = &line[0] << (n - round);
                right[at(n - round)] = &line[n - round] << (n - round);
                line = line.windows(2).map(|pair| &pair[0] + &pair[1]).collect();
            }
        }
        let middle = (&region.low[letter] + &region.high[letter]) / BigInt::from(2);
        let (mut left_high, mut right_low) = (region.high.clone(), region.low.clone());
        left_high[letter].clone_from(&middle);
        right_low[letter] = middle;
        let next = (letter + 1) % N;
        let left = Region { low: region.low, high: left_high, coefficients: left, next };
        [left, Region { low: right_low, high: region.high, coefficients: right, next }]
    }
}
