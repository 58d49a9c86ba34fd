//! Walks that a coin may end, and numbers that are known only by their flips.

use buffon::catalogue::{polylog, quarter_pi};
use buffon::factories::one_over_one_plus;
use buffon::walks::{Balanced, ballot, first_return, grammar, inverse_pi, inverse_pi_by_digits};
use buffon::{Beta, Coin, Fair, OneOver, Rational, integrate, integrate_bag};

use super::{Family, Shown, show};

pub(crate) fn walks() -> Shown {
    let mut all = Family::new(
        "walks",
        "Walks",
        "A fair walk that a coin λ may end at each step: square roots, trees of grammars, Ramanujan's 1/π. λ is a fair coin here.",
    );
    show!(
        all, "√½, by first return", "√(1 − λ) is the chance that λ is tails before the walk comes back to 0.",
        "a = λ | 1; b = two steps | 2; c = λ | 1; d = two steps | 2
         bits > a; a > b : H 1/2; b > c : at ±2 1/2; c > d : H 1/2; d > c : 1/2
         a > !heads @1 : T 1/2; b > !tails @1 : at 0 1/2; c > !heads @1 : T 1/2; d > !tails @1 : at 0 1/4
         d > … @0 : at ±4 1/4",
        first_return(Fair)
    );
    show!(
        all,
        "√½, by a ballot",
        "A run of n heads of λ, and then whether 2n fair flips come out even.",
        "r = run of λ | 2; b = 2n flips even? | ?
         bits > r; r > b : n heads; b > !heads @0 : ≈0.70711; b > !tails @1 : ≈0.29289",
        ballot(Fair)
    );
    show!(
        all, "Four flips even", "C(4, 2)/2⁴ = 3/8; the answer is tails as soon as one face has come three times.",
        "a = flip | 1; b = flip | 1; c @-1 = flip | 1; d @-1 = flip | 1; e @1 = flip | 1; f @1 = flip | 1; t @0 = !tails
         bits > a; a > b; b > c : unlike 1/2; b > e : like 1/2; c > d; d > !heads @-1 : unlike 1/2; d > t : like 1/2
         e > t : like 1/2; e > f : unlike 1/2; f > !heads @1 : unlike 1/2; f > t : like 1/2",
        Balanced::new(2)
    );
    show!(
        all,
        "A ternary tree",
        "The tree T → letter | letter TTT is finished while λ is heads at each letter: the root of 2T = λ(1 + T³).",
        "a = λ | 1; b = leaf or three | 1; c = λ, stack of 3 | 1
         bits > a; a > b : H 1/2; a > !tails @1 : T 1/2; b > !heads @1 : leaf 1/2; b > c : three 1/2
         c > … @0 : H 1/2; c > !tails @1 : T 1/2",
        grammar(Fair, 3)
    );
    show!(
        all, "1/π", "Ramanujan's series of 1914: a random length n, and then three times whether 2n flips come out even.",
        "g = two runs of 1/4 | 4; h = coin 5/9 | 2; a = 2n flips even? | ?; b = again even? | ?; c = again even? | ?
         bits > g; g > h; h > a : n = sum; a > b : yes; b > c : yes; c > !heads @0 : yes; a > !tails @1 : no; b > !tails @1 : no; c > !tails @1 : no",
        inverse_pi()
    );
    show!(
        all, "1/π, by digits", "The same with each ballot replaced by the digits of its probability.",
        "g = two runs of 1/4 | 4; h = coin 5/9 | 2; a = coin C(2n, n)/4ⁿ | ?; b = again | ?; c = again | ?
         bits > g; g > h; h > a : n = sum; a > b : heads; b > c : heads; c > !heads @0 : heads; a > !tails @1 : tails; b > !tails @1 : tails; c > !tails @1 : tails",
        inverse_pi_by_digits()
    );
    Ok(all)
}

pub(crate) fn integrals() -> Shown {
    let third = Rational::<u64>::new(1, 3)?;
    let mut all = Family::new(
        "integrals",
        "Integrals",
        "A uniform number U that is known only by its flips is lent to a function; the answer's law is an integral over u. Pólya's urn \
         plays it with two counters: after s heads and t tails the next flip is heads with probability (1 + s)/(2 + s + t).",
    );
    show!(
        all, "∫u² du", "Two flips of one U, both heads: 1/3.",
        "a = U | 1; b = U, after heads | 2; bits > a; a > b : heads 1/2; a > !tails @1 : tails 1/2
         b > !heads @0 : heads 2/3; b > !tails @1 : tails 1/3",
        integrate(Beta::UNIFORM, |u, bits| u.then(u).try_flip(bits)), = third
    );
    show!(
        all, "∫u² du, by digits", "The same U as a bag of the binary digits that were looked at.",
        "a = U | ?; b = U again | ?; bits > a; a > b : heads 1/2; a > !tails @1 : tails 1/2
         b > !heads @0 : heads 2/3; b > !tails @1 : tails 1/3",
        integrate_bag(|u, bits| u.then(u).try_flip(bits)), = third
    );
    show!(
        all, "ln 2 = ∫1/(1 + u) du", "A fair heads wins; else heads of U loses; else again, with the same U.",
        "f = fair coin | 1; a @1 = U | 1; g @1 = fair coin | 1; b @2 = U, after tails | 2
         bits > f; f > !heads @0 : H 1/2; f > a : T 1/2; a > !tails @0 : H 1/2; a > g : T 1/2
         g > !heads @1 : H 1/2; g > b : T 1/2; b > !tails @1 : H 1/3; b > … @2 : again 2/3",
        integrate(Beta::UNIFORM, |u, bits| one_over_one_plus(u).try_flip(bits)), = polylog::<1, _>(Fair)
    );
    show!(
        all, "π/4 = ∫1/(1 + u²) du", "The same with two flips of U, both heads.",
        "f = fair coin | 1; a @1 = U | 1; b @1 = U, after heads | 2
         bits > f; f > !heads @0 : heads 1/2; f > a : tails 1/2; a > … @0 : tails 1/2; a > b : heads 1/2
         b > !tails @1 : heads 2/3; b > … @2 : tails 1/3",
        integrate(Beta::UNIFORM, |u, bits| one_over_one_plus(u.then(u)).try_flip(bits)), = quarter_pi()
    );
    show!(
        all, "The arcsine law", "U of the law Beta(½, ½): whether two flips of it are unlike is a coin of 1/4.",
        "a = U | 1; b @-1 = U, after heads | 3/2; c @1 = U, after tails | 3/2
         bits > a; a > b : heads 1/2; a > c : tails 1/2; b > !tails @-1 : heads 3/4; b > !heads @0 : tails 1/4
         c > !tails @1 : tails 3/4; c > !heads @2 : heads 1/4",
        integrate(Beta::ARCSINE, |u, bits| u.xor(u).try_flip(bits)), = OneOver::try_from(4)?
    );
    Ok(all)
}
