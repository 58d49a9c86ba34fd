//! Functions of an unknown coin, shown on known ones.

use buffon::catalogue::polylog;
use buffon::factories::{
    EarlyBernstein, Gap, Heads, Pgf, affine, bernstein, convex, difference, division, exp_minus_of,
    linear, logistic, odds, one_minus_over_one_plus, one_over_one_plus, portkey, product_of_odds,
    race, race_of, rational_function, to_the, to_the_coin, twice_over_one_plus_square,
};
use buffon::{Coin, Die, Dyadic, Fair, Machine, OneOver, Rational};

use super::{Family, Shown, show};

pub(crate) fn factories() -> Shown {
    let third = Rational::<u64>::new(1, 3)?;
    let eighths = Dyadic::new(3, 3)?;
    let (no, yes) = (Rational::<u64>::new(0, 1)?, Rational::<u64>::new(1, 1)?);
    let quarter = OneOver::try_from(4)?;
    let mut all = Family::new(
        "factories",
        "Bernoulli factories",
        "Coins that are functions of a coin whose probability nobody knows, right for every p. They are shown here on coins that are known, \
         p = 1/3 where nothing else is said, so that law and cost can be compared.",
    );
    show!(
        all, "A race", "A fair choice between two coins, until the chosen one is heads: p/(p + q).",
        "f = fair coin | 1; a @-1 = coin 1/3 | 2; b @1 = coin 3/8 | 7/4
         bits > f; f > a : heads 1/2; f > b : tails 1/2; a > !heads @-1 : heads 1/3; a > f : again 2/3
         b > !tails @1 : heads 3/8; b > f : again 5/8",
        race(Fair, third, eighths)
    );
    show!(
        all, "A race of four", "The winner's place; each coin wins in proportion to its probability.",
        "d = die 4 | 2; a @-1 = coin 1 | 0; b @0 = coin 1/2 | 1; c @1 = coin 1/3 | 2; e @2 = coin 1/4 | 3/2
         bits > d; d > a : 1/4; d > b : 1/4; d > c : 1/4; d > e : 1/4
         a > !0 @-1; b > !1 @0 : 1/2; c > !2 @1 : 1/3; e > !3 @2 : 1/4
         b > d : again 1/2; c > d : again 2/3; e > d : again 3/4",
        race_of(
            Die::new(4)?.map(|place| place as usize),
            [OneOver::try_from(1)?, OneOver::try_from(2)?, OneOver::try_from(3)?, quarter]
        )
    );
    show!(
        all, "A race with a way out", "Before each round, with probability 1/4, it is over and lost: it cannot hang where neither coin is ever heads.",
        "g = coin 3/4 | 3/2; f = fair coin | 1; a @-1 = coin 1/3 | 2; b @1 = coin 3/8 | 7/4; t @2 = !tails
         bits > g; g > f : heads 3/4; g > t : tails 1/4; f > a : heads 1/2; f > b : tails 1/2; a > !heads @-1 : heads 1/3; a > g : again 2/3
         b > !tails @1 : heads 3/8; b > g : again 5/8",
        portkey(quarter.not(), Fair, third, eighths)
    );
    show!(
        all, "The logistic coin", "Odds of C·p to 1, for C = 3/2: p is picked with probability 3/5.",
        "c = coin 3/5 | 2; a @-1 = coin p | 2; bits > c; c > a : heads 3/5; c > !tails @1 : tails 2/5
         a > !heads @-1 : heads 1/3; a > c : again 2/3",
        logistic(3, 2, third)?
    );
    show!(
        all, "1/(1 + p)", "A fair heads wins; else heads of p loses.",
        "f = fair coin | 1; a @1 = coin p | 2; bits > f; f > !heads @0 : heads 1/2; f > a : tails 1/2
         a > !tails @1 : heads 1/3; a > f : again 2/3",
        one_over_one_plus(third)
    );
    show!(
        all, "(1 − p)/(1 + p)", "Not 1 − 2p, which no algorithm can make.",
        "f = fair coin | 1; a @-1 = coin p | 2; b @1 = coin p | 2; t @0 = !tails
         bits > f; f > a : heads 1/2; f > b : tails 1/2; a > !heads @-1 : tails 2/3; a > t : heads 1/3
         b > t : heads 1/3; b > f : again 2/3",
        one_minus_over_one_plus(third)
    );
    show!(
        all, "The product of odds", "Two coins are flipped until they agree.",
        "a = coin 1/3 | 2; b @-1 = coin 3/8 | 7/4; c @1 = coin 3/8 | 7/4
         bits > a; a > b : heads 1/3; a > c : tails 2/3; b > !heads @-1 : heads 3/8; b > a : again 5/8
         c > !tails @1 : tails 5/8; c > a : again 3/8",
        product_of_odds(third, eighths)
    );
    show!(
        all, "2p/(1 + p²)", "The hyperbolic secant, if p is e^(−x).",
        "a = coin p | 2; f @1 = fair coin | 1; b @1 = coin p | 2
         bits > a; a > !heads @0 : heads 1/3; a > f : tails 2/3; f > b : heads 1/2; f > a : again 1/2
         b > !tails @1 : tails 2/3; b > a : again 1/3",
        twice_over_one_plus_square(third)
    );
    show!(
        all,
        "The number of heads",
        "The binomial law of three flips of p.",
        "a = 3 flips of p | 6; bits > a; a > !0 @-2 : 8/27; a > !1 @-1 : 12/27; a > !2 @0 : 6/27; a > !3 @1 : 1/27",
        Heads::new(third, 3)
    );
    show!(
        all, "A convex combination", "Coins 1, 1/2, 1/4 with weights 1/2, 1/4, 1/8; past the end it is tails.",
        "n = run of a fair coin | 2; b @0 = coin 1/2 | 1; c @1 = coin 1/4 | 3/2; h @-1 = !heads; t @1 = !tails
         bits > n; n > h : 1/2; n > b : 1/4; n > c : 1/8; n > !tails @2 : 1/8; b > h : 1/2; b > t : 1/2; c > h : 1/4; c > t : 3/4",
        convex(
            Fair.run().map(|n| n as usize),
            [OneOver::try_from(1)?, OneOver::try_from(2)?, OneOver::try_from(4)?]
        )
    );
    show!(
        all, "A Bernstein polynomial", "Two flips of p, and then the coin of that many heads: 1/5, 3/4, 1/5.",
        "h = 2 flips of p | 4; a @-1 = coin 1/5 | 2; b @0 = coin 3/4 | 3/2; c @1 = coin 1/5 | 2; y @0 = !heads; n @1 = !tails
         bits > h; h > a : none 4/9; h > b : one 4/9; h > c : two 1/9
         a > y : 1/5; a > n : 4/5; b > y : 3/4; b > n : 1/4; c > y : 1/5; c > n : 4/5",
        bernstein(
            third,
            [Rational::<u64>::new(1, 5)?, Rational::<u64>::new(3, 4)?, Rational::<u64>::new(1, 5)?]
        )
    );
    show!(
        all, "The majority of three", "The coefficients 0, 0, 1, 1: two flips that agree are enough.",
        "a = coin p | 2; b @-1 = coin p | 2; c @1 = coin p | 2; d @0 = coin p | 2
         bits > a; a > b : H 1/3; a > c : T 2/3; b > !heads @-1 : H 1/3; b > d : T 2/3; c > d : H 1/3; c > !tails @1 : T 2/3
         d > !heads @0 : H 1/3; d > !tails @1 : T 2/3",
        EarlyBernstein::new(third, [no, no, yes, yes])
    );
    show!(
        all,
        "A rational function",
        "p²/(p² + (1 − p)²): two flips that agree.",
        "h = 2 flips of p | 4; bits > h; h > !heads @-1 : two 1/9; h > !tails @1 : none 4/9; h > h : one 4/9",
        rational_function(third, [odds(0, 1, 0)?, odds(0, 0, 1)?, odds(1, 0, 0)?])?
    );
    show!(
        all, "(1 + p)/2", "Half of certainty and half of p.",
        "f = fair coin | 1; a @1 = coin p | 2; bits > f; f > !heads @0 : heads 1/2; f > a : tails 1/2
         a > !heads @1 : heads 1/3; a > !tails @2 : tails 2/3",
        affine(1, third, 2)?
    );
    show!(
        all, "√¼", "A square root by rising hazards a/k, of the coin 1/4: exactly one half, at 5.08 bits.",
        "p1 = coin p | 3/2; h1 = hazard 1/2 | 1; p2 = coin p | 3/2; h2 = hazard 1/4 | 3/2
         bits > p1; p1 > h1 : T 3/4; h1 > p2 : T 1/2; p2 > h2 : T 3/4; h2 > … @0 : T 3/4
         p1 > !heads @1 : H 1/4; h1 > !tails @1 : H 1/2; p2 > !heads @1 : H 1/4; h2 > !tails @1 : H 1/4",
        to_the(quarter, 1, 2)?
    );
    show!(
        all,
        "p^(5/2)",
        "Two flips, and then the square root.",
        "a = coin p | 2; b = coin p | 2; c = coin √p | ?
         bits > a; a > b : heads 1/3; b > c : heads 1/3; c > !heads @0 : ≈0.57735
         a > !tails @1 : tails 2/3; b > !tails @1 : tails 2/3; c > !tails @1 : ≈0.42265",
        to_the(third, 5, 2)?
    );
    show!(
        all, "p^q", "One unknown coin to the power of another, here 1/3 to the power of 3/8, by the hazards q/k.",
        "p1 = coin p | 2; q1 = coin q | 7/4; p2 = coin p | 2; k = coin 1/2 | 1; q2 = coin q | 7/4
         bits > p1; p1 > q1 : T 2/3; q1 > p2 : T 5/8; p2 > k : T 2/3; k > q2 : H 1/2; k > … @1 : T 1/2; q2 > … @0 : T 5/8
         p1 > !heads @1 : H 1/3; q1 > !tails @1 : H 3/8; p2 > !heads @1 : H 1/3; q2 > !tails @1 : H 3/8",
        to_the_coin(third, eighths)
    );
    show!(
        all, "e^(−p)", "The parity of a run of rounds, each a coin 1/k and then p.",
        "a = coin p | 2; k = coin 1/2 | 1; b = coin p | 2; l = coin 1/3 | 2
         bits > a; a > k : H 1/3; k > b : H 1/2; b > l : H 1/3; l > … @0 : H 1/3
         a > !heads @1 : T 2/3; k > !tails @1 : T 1/2; b > !tails @1 : T 2/3; l > !heads @1 : T 2/3",
        exp_minus_of(third)
    );
    show!(
        all, "e^(−ln 2)", "The same of the coin ln 2, whose digits nobody computes: exactly one half.",
        "a = coin ln 2 | ≈2.71780; k = coin 1/2 | 1; b = coin ln 2 | ≈2.71780; l = coin 1/3 | 2
         bits > a; a > k : H ≈0.69315; k > b : H 1/2; b > l : H ≈0.69315; l > … @0 : H 1/3
         a > !heads @1 : T ≈0.30685; k > !tails @1 : T 1/2; b > !tails @1 : T ≈0.30685; l > !heads @1 : T 2/3",
        exp_minus_of(polylog::<1, _>(Fair))
    );
    show!(
        all,
        "A generating function",
        "E pᴺ, with p = 3/8 and N the length of a run of 1/3: N flips, all heads.",
        "a = coin 1/3 | 2; b = coin 1/3 | 2; p1 @1 = coin 3/8 | 7/4
         bits > a; a > !heads @1 : N = 0 2/3; a > b : H 1/3; b > p1 : N = 1 2/3; b > … @0 : H 1/3
         p1 > !heads @1 : H 3/8; p1 > !tails @2 : T 5/8",
        Pgf::new(third.run(), eighths)
    );
    show!(
        all, "2p, on a promise", "Of a coin of which it is promised that 2p ≤ 4/5; it is 1/4 here. Without a promise no algorithm can double.",
        "w = height 1, coin p | 3/2; u = coins 1/2: how far up | ?; m = very high? | ?
         bits > w; w > !heads @1 : heads, down to 0; w > u : tails; u > m; m > w : coin p again, up or down; m > !tails @1 : else",
        linear(2, 1, quarter, Gap::new(1, 5)?)?
    );
    show!(
        all, "p − q, on a promise", "Of coins of 1/2 and 1/6, promised to be 1/3 apart: tails where the sum of 1 − p and q is heads.",
        "f = fair coin | 1; a @-1 = coin 1 − p | ?; b @1 = coin q | ?; w @0 = doubled on a promise | ?
         bits > f; f > a : heads 1/2; f > b : tails 1/2; a > w; b > w; w > !tails @0 : heads; w > !heads @1 : tails",
        difference(OneOver::try_from(2)?, OneOver::try_from(6)?, Gap::new(1, 3)?)
    );
    show!(
        all, "p/q, on a promise", "Of coins of 1/6 and 1/2, promised to be 1/3 apart: a race of p and q − p.",
        "f = fair coin | 1; a @-1 = coin p | 2; b @1 = coin q − p | ?
         bits > f; f > a : heads 1/2; f > b : tails 1/2; a > !heads @-1 : heads 1/6; a > f : again 5/6
         b > !tails @1 : heads 1/3; b > f : again 2/3",
        division(OneOver::try_from(6)?, OneOver::try_from(2)?, Gap::new(1, 3)?)
    );
    Ok(all)
}
