//! The Buffon catalogue: irrational coins and laws.

use std::num::NonZeroU64;

use buffon::catalogue::{
    AlternatingOdd, OneOverFactorial, Poisson, Sorted, ThinnedPoisson, Zigzag, arctan_over,
    bessel_j0, beta, continued_fraction, cos, eighth_pi, eta, exp_minus, gauss_integral,
    inverse_cosh, inverse_e, inverse_sqrt_one_plus, ln_one_plus_over, logarithmic, polylog,
    polylogarithmic, quarter_pi, randomized_response, sinc, tanh_of_half, von_neumann,
};
use buffon::{Fair, Machine, Rational};

use super::{Family, Shown, show};
use crate::graph::{digits, parity};

pub(crate) fn series() -> Shown {
    let mut all = Family::new(
        "series",
        "Irrational coins",
        "Flip rational coins in a row, up to the first tails: the run is even with probability 1 − a₁ + a₂ − …, where aₖ is the product of \
         the first k. So every alternating series of falling terms is a coin, and no digit of 1/e is ever computed.",
    );
    show!(
        all,
        "1/e",
        "1 − 1 + 1/2! − 1/3! + …: the coins 1/1, 1/2, 1/3, ….",
        parity(&[(1, 1), (1, 2), (1, 3), (1, 4)]),
        inverse_e()
    );
    show!(
        all, "e^(−5/2)", "Two coins of 1/e and then e^(−1/2), up to the first tails.",
        "a = coin 1/e | ≈2.35318; b = coin 1/e | ≈2.35318; c = coin e^(−1/2) | ≈2.04223
         bits > a; a > b : heads ≈0.36788; b > c : heads ≈0.36788; c > !heads @0 : heads ≈0.60653
         a > !tails @1 : tails ≈0.63212; b > !tails @1 : tails ≈0.63212; c > !tails @1 : tails ≈0.39347",
        exp_minus(5, 2)?
    );
    show!(
        all,
        "cos 1",
        "1 − 1/2! + 1/4! − …: the coins 1/2, 1/12, 1/30, ….",
        parity(&[(1, 2), (1, 12), (1, 30), (1, 56)]),
        cos(1, 1)?
    );
    show!(
        all,
        "sin 1",
        "1 − 1/3! + 1/5! − …: the coins 1/6, 1/20, 1/42, ….",
        parity(&[(1, 6), (1, 20), (1, 42), (1, 72)]),
        sinc(1, 1)?
    );
    show!(
        all,
        "The Bessel function J₀(1)",
        "The coins 1/4, 1/16, 1/36, …: squares of 1/2k.",
        parity(&[(1, 4), (1, 16), (1, 36), (1, 64)]),
        bessel_j0(1, 1)?
    );
    show!(
        all,
        "The Gaussian integral to 1",
        "∫exp(−w²) dw from 0 to 1, as 1 − 1/3 + 1/10 − 1/42 + ….",
        parity(&[(1, 3), (3, 10), (5, 21), (7, 36)]),
        gauss_integral(1, 1)?
    );
    show!(
        all,
        "2·arctan ½",
        "1 − x²/3 + x⁴/5 − … at x = ½.",
        parity(&[(1, 12), (3, 20), (5, 28), (7, 36)]),
        arctan_over(1, 2)?
    );
    show!(
        all,
        "2·ln(3/2)",
        "1 − x/2 + x²/3 − … at x = ½.",
        parity(&[(1, 4), (1, 3), (3, 8), (2, 5)]),
        ln_one_plus_over(1, 2)?
    );
    show!(
        all,
        "1/√(5/4)",
        "The binomial series 1 − x/2 + 3x²/8 − … at ¼.",
        parity(&[(1, 8), (3, 16), (5, 24), (7, 32)]),
        inverse_sqrt_one_plus(1, 4)?
    );
    show!(
        all,
        "π²/12",
        "1 − 1/2² + 1/3² − …: the coins (k/(k + 1))².",
        parity(&[(1, 4), (4, 9), (9, 16), (16, 25)]),
        eta::<2>()
    );
    show!(
        all,
        "¾·ζ(3)",
        "1 − 1/2³ + 1/3³ − …: the coins (k/(k + 1))³.",
        parity(&[(1, 8), (8, 27), (27, 64), (64, 125)]),
        eta::<3>()
    );
    show!(
        all,
        "Catalan's constant",
        "1 − 1/3² + 1/5² − …: the coins ((2k − 1)/(2k + 1))².",
        parity(&[(1, 9), (9, 25), (25, 49), (49, 81)]),
        beta::<2>()
    );
    show!(
        all, "π/4", "Machin: arctan ½ + arctan ⅓, by a fair choice between the two.",
        "f = fair coin | 1; a @-1 = coin 2·arctan ½ | ≈2.19722; t @1 = coin 2/3 | 2; b @1 = coin 3·arctan ⅓ | ≈2.0794
         h @0 = !heads
         bits > f; f > a : heads 1/2; f > t : tails 1/2; t > b : heads 2/3; t > !tails @2 : tails 1/3
         a > h : ≈0.92730; a > !tails @-1 : ≈0.07270; b > h : ≈0.96525; b > !tails @1 : ≈0.03475",
        quarter_pi()
    );
    show!(
        all, "π/8", "The mean of arctan ½ and arctan ⅓: half of Machin's π/4.",
        "f = fair coin | 1; s @-1 = coin 1/2 | 1; a @-1 = coin 2·arctan ½ | ≈2.19722; t @1 = coin 1/3 | 2; b @1 = coin 3·arctan ⅓ | ≈2.0794
         h @0 = !heads
         bits > f; f > s : heads 1/2; f > t : tails 1/2; s > a : H 1/2; s > !tails @-2 : T 1/2; t > b : H 1/3; t > !tails @2 : T 2/3
         a > h : ≈0.92730; a > !tails @-1 : ≈0.07270; b > h : ≈0.96525; b > !tails @1 : ≈0.03475",
        eighth_pi()
    );
    show!(
        all, "1/φ, the golden ratio", "The continued fraction 1/(1 + 1/(1 + …)): heads on an odd level sends all back to the first.",
        "a = level 1 | 1; b = level 2 | 1; c = level 3 | 1
         bits > a; a > !heads @1 : H 1/2; a > b : T 1/2; b > !tails @1 : H 1/2; b > c : T 1/2; c > a : H 1/2; c > … @0 : T 1/2",
        continued_fraction(|_| NonZeroU64::MIN)
    );
    show!(
        all, "Randomized response, ε = 1", "The truth with odds of e to 1: a fair heads wins; else heads of 1/e loses.",
        "f = fair coin | 1; e @1 = coin 1/e | ≈2.35318
         bits > f; f > !heads @0 : heads 1/2; f > e : tails 1/2; e > !tails @1 : heads ≈0.36788; e > f : again ≈0.63212",
        randomized_response(1, 1)?
    );
    show!(
        all, "tanh ½", "(1 − q)/(1 + q) of the coin q = 1/e.",
        "f = fair coin | 1; a @-1 = coin 1/e | ≈2.35318; b @1 = coin 1/e | ≈2.35318; t @0 = !tails
         bits > f; f > a : heads 1/2; f > b : tails 1/2; a > !heads @-1 : tails ≈0.63212; a > t : heads ≈0.36788
         b > t : heads ≈0.36788; b > f : again ≈0.63212",
        tanh_of_half(1, 1)?
    );
    show!(
        all, "1/cosh 1", "2q/(1 + q²) of the coin q = 1/e.",
        "a = coin 1/e | ≈2.35318; f @1 = fair coin | 1; b @1 = coin 1/e | ≈2.35318
         bits > a; a > !heads @0 : heads ≈0.36788; a > f : tails ≈0.63212; f > b : heads 1/2; f > a : again 1/2
         b > !tails @1 : tails ≈0.63212; b > a : again ≈0.36788",
        inverse_cosh(1, 1)?
    );
    Ok(all)
}

pub(crate) fn schema() -> Shown {
    let mut all = Family::new(
        "schema",
        "The von Neumann schema",
        "The number of heads before the first tails, taken with the share of permutations that have a pattern: sorted ones give Poisson's law, \
         cyclic ones the logarithmic law, alternating ones tangents.",
    );
    show!(
        all, "Poisson of mean 1/2", "A run of n heads is taken with probability 1/n!, the share of the sorted permutation.",
        "r = run of a fair coin | 2; k = coin 1/n! | ?
         bits > r; r > k : n heads; k > !0 @-1 : ≈0.5; k > !1 @0 : ≈0.25; k > !2, 3, … @1 : ≈0.07436; k > r : again ≈0.17564",
        von_neumann(Fair, Sorted)
    );
    show!(
        all,
        "Poisson of mean 1",
        "The sum of two of mean 1/2.",
        "a = Poisson(1/2) | ≈2.88100; b = Poisson(1/2) | ≈2.88100; s = !a + b
         bits > a; a > b; b > s",
        Poisson::new(1, 1)?
    );
    show!(
        all,
        "Poisson, thinned",
        "A Poisson number of mean 1, each one kept if a coin is heads, here 1/3: the mean is the coin's probability.",
        "a = Poisson(1) | ≈5.76200; b = as many coins 1/3 | 2; s = !their heads
         bits > a; a > b : n; b > s",
        ThinnedPoisson::new(Rational::<u64>::new(1, 3)?)
    );
    show!(
        all, "The logarithmic law", "A run of n heads is taken with probability 1/n, the share of the cyclic permutations.",
        "r = run of a fair coin | 2; k = coin 1/n | ?
         bits > r; r > k : n heads; k > !1 @-1 : ≈0.25; k > !2 @0 : ≈0.0625; k > !3, 4, … @1 : ≈0.03407; k > r : again ≈0.65343",
        logarithmic(1, 2)?
    );
    show!(
        all, "The dilogarithmic law", "The same with two permutations at once: 1/n².",
        "r = run of a fair coin | 2; k = coin 1/n² | ?
         bits > r; r > k : n heads; k > !1 @-1 : ≈0.25; k > !2 @0 : ≈0.03125; k > !3, 4, … @1 : ≈0.00987; k > r : again ≈0.70888",
        polylogarithmic::<2>(1, 2)?
    );
    show!(
        all, "ln 2", "One round, without waiting for success: a coin 1/n, where n is one more than a run of fair heads.",
        "a = fair coin | 1; b = fair coin | 1; c = fair coin | 1; k2 @1 = coin 1/2 | 1; k3 @3 = coin 1/3 | 2
         bits > a; a > b : heads 1/2; b > c : heads 1/2; c > … @0 : heads 1/2
         a > !heads @1 : tails 1/2; b > k2 : tails 1/2; c > k3 : tails 1/2
         k2 > !heads @1 : 1/2; k2 > !tails @2 : 1/2; k3 > !heads @3 : 1/3; k3 > !tails @4 : 2/3",
        polylog::<1, _>(Fair)
    );
    show!(
        all,
        "1/4!",
        "Are four random numbers in order? One coin, decided by 1/2, 1/3 and 1/4 in one.",
        digits(1, 24, 5),
        OneOverFactorial::new(4)
    );
    show!(
        all,
        "Do three alternate?",
        "Two of the six orders of three things go up and then down.",
        digits(1, 3, 4),
        Zigzag::new(3)
    );
    show!(
        all, "½·cot ½", "Alternating permutations of odd length, and whether the length is one.",
        "r = run of a fair coin | 2; k = coin Eₙ/n! | ?; one = n = 1?
         bits > r; r > k : n heads; k > r : again ≈0.72685; k > one : taken ≈0.27315; one > !heads @0 : ≈0.91525
         one > !tails @1 : ≈0.08475",
        von_neumann(Fair, AlternatingOdd).map(|n| n == 1)
    );
    Ok(all)
}
