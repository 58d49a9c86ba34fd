//! Compositions of a 1/3 coin, a 3/8 coin and dice; and what compiling makes of them.

use buffon::catalogue::{Poisson, quarter_pi};
use buffon::{
    Coin, Die, Dyadic, Fair, KnownLaw, Machine, Rational, Reciprocals, from_fn, parity_of_run,
};

use super::{Family, Shown, show};
use crate::facts::Effort;
use crate::graph::{comb, digits};

pub(crate) fn combinators() -> Shown {
    let third = Rational::<u64>::new(1, 3)?;
    let eighths = Dyadic::new(3, 3)?;
    let (die, die4) = (Die::new(6)?, Die::new(4)?);
    let mut all = Family::new(
        "combinators",
        "Combinators",
        "Machines compose as iterators do. Here third is the coin of 1/3, at 2 bits, and eighths that of 3/8, at 7/4. A part that \
         the answer does not depend on is not flipped, so costs add along the edges that are taken.",
    );
    show!(
        all,
        "Not",
        "The other answer: 1 − p, at the same cost.",
        "a = coin 1/3 | 2; bits > a; a > !tails @0 : heads 1/3; a > !heads @1 : tails 2/3",
        third.not()
    );
    show!(
        all, "Both", "The second coin is flipped only after heads of the first: p·q.",
        "a = coin 1/3 | 2; b = coin 3/8 | 7/4
         bits > a; a > b : heads 1/3; a > !tails @1 : tails 2/3; b > !heads @0 : heads 3/8; b > !tails @1 : tails 5/8",
        third.then(eighths)
    );
    show!(
        all, "Either", "The second coin is flipped only after tails of the first: p + (1 − p)q.",
        "a = coin 1/3 | 2; b @1 = coin 3/8 | 7/4
         bits > a; a > !heads @0 : heads 1/3; a > b : tails 2/3; b > !heads @0 : heads 3/8; b > !tails @1 : tails 5/8",
        third.or_else(eighths)
    );
    show!(
        all,
        "Exactly one",
        "p + q − 2pq: both are flipped.",
        "a = coin 1/3 | 2; b = coin 3/8 | 7/4; c @1 = coin 3/8 | 7/4
         h @0 = !heads; t @1 = !tails
         bits > a; a > b : heads 1/3; a > c : tails 2/3
         b > t : heads 3/8; b > h : tails 5/8; c > h : heads 3/8; c > t : tails 5/8",
        third.xor(eighths)
    );
    show!(
        all,
        "A power",
        "Three flips, all heads, up to the first tails.",
        "a = coin 1/3 | 2; b = coin 1/3 | 2; c = coin 1/3 | 2
         bits > a; a > b : heads 1/3; b > c : heads 1/3; c > !heads @0 : heads 1/3
         a > !tails @1 : tails 2/3; b > !tails @1 : tails 2/3; c > !tails @1 : tails 2/3",
        third.power(3)
    );
    show!(
        all,
        "A mixture",
        "Heads: a die of six sides; tails: one of four.",
        "a = coin 1/3 | 2; six @-1 = die 6 | 11/3; four @1 = die 4 | 2; side @0 = !a side
         bits > a; a > six : heads 1/3; a > four : tails 2/3; six > side; four > side",
        third.mix(die, die4)
    );
    show!(
        all,
        "A run",
        "How many heads come before the first tails: the geometric law.",
        comb(&vec![("1/3".to_owned(), "2".to_owned()); 4], &["0", "1", "2", "3"]),
        third.run()
    );
    show!(
        all,
        "The parity of a run",
        "Heads if the run is even: 1/(1 + p).",
        "even = coin 1/3 | 2; odd = coin 1/3 | 2
         bits > even; even > odd : heads 1/3; odd > even : heads 1/3
         even > !heads @1 : tails 2/3; odd > !tails @1 : tails 2/3",
        third.parity_of_run()
    );
    show!(
        all,
        "A condition",
        "A die, rolled again until it is even.",
        "d = die 6 | 11/3; even = even?; bits > d; d > even
         even > !0 @-1 : 1/6; even > !2 @0 : 1/6; even > !4 @1 : 1/6; even > d : again 1/2",
        die.condition(|&side| side % 2 == 0)
    );
    show!(
        all, "Von Neumann's trick", "A fair coin from an unfair one: two flips, until they differ; then the first one.",
        "a = coin 1/3 | 2; b @-1 = coin 1/3 | 2; c @1 = coin 1/3 | 2
         bits > a; a > b : heads 1/3; a > c : tails 2/3
         b > !heads @-1 : tails 2/3; b > a : again 1/3; c > !tails @1 : heads 1/3; c > a : again 2/3",
        third.zip(third).map(|(a, b)| (a != b).then_some(a)).retry()
    );
    show!(
        all,
        "The sum of two dice",
        "One machine after another, the second made from the answer of the first.",
        "a = die 6 | 11/3; b = die 6 | 11/3; s = !a + b + 2
         bits > a; a > b; b > s",
        die.and_then(move |a| die.map(move |b| a + b + 2))
    );
    show!(
        all,
        "Two answers",
        "A die and a coin, independent of each other.",
        "a = die 4 | 2; b = coin 3/8 | 7/4; s = !side, face
         bits > a; a > b; b > s",
        die4.zip(eighths)
    );
    show!(
        all,
        "Two flips",
        "The same coin twice: machines remember nothing, so its flips are independent.",
        "a = coin 1/3 | 2; b = coin 1/3 | 2; s = !face, face
         bits > a; a > b; b > s",
        third.array::<2>()
    );
    show!(
        all, "One of your own", "A closure over a source of bits: heads if the first heads of a fair coin comes on an even flip.",
        digits(1, 3, 4),
        from_fn(|bits| Ok(bits.try_tails()? % 2 == 1)), = third
    );
    Ok(all)
}

pub(crate) fn compiled() -> Shown {
    let third = Rational::<u64>::new(1, 3)?;
    let eighths = Dyadic::new(3, 3)?;
    let mut all = Family::new(
        "compiled",
        "Compiled",
        "Every machine of known law can be compiled into the optimal one of the same law, by the binary digits of its \
         probabilities (Knuth and Yao 1976): two bits for any coin, less than entropy + 2 for any chooser.",
    );
    show!(
        all,
        "1/e, compiled",
        "0.010111100010… in binary. The coin itself takes 2.35 bits, and needs no digits.",
        digits(404_489_745_187, 1 << 40, 6), // the first 40 digits
        parity_of_run(Reciprocals).compile()?
    );
    show!(
        all,
        "π/4, compiled",
        "0.110010010000… in binary; Machin's formula costs 3.79 bits.",
        digits(863_554_413_089, 1 << 40, 6),
        quarter_pi().compile()?
    );
    show!(
        all,
        "1/8, compiled from 1/3 and 3/8",
        "The law is noticed to be dyadic, so three flips are enough.",
        digits(1, 8, 4),
        third.then(eighths).compile()?
    );
    show!(
        all, "A mixture, compiled", "A fair choice between two dice, as one tree.",
        "tree = optimal tree | ?; bits > tree; tree > !0 @-2 : 5/24; tree > !1 @-1 : 5/24; tree > !2 @0 : 5/24
         tree > !3 @1 : 5/24; tree > !4 or 5 @2 : 1/6",
        Fair.mix(Die::new(6)?, Die::new(4)?).compile()?
    );
    show!(
        all,
        "Poisson of mean 1, compiled",
        "An endless law as one tree; composed of two parts it costs 5.76 bits.",
        "tree = optimal tree | ?; bits > tree; tree > !0 @-2 : ≈0.36788; tree > !1 @-1 : ≈0.36788
         tree > !2 @0 : ≈0.18394; tree > !3 @1 : ≈0.06131; tree > … @2 : ≈0.01899",
        Poisson::new(1, 1)?.compile()?
    );
    all.explored(Effort::Levels(64)); // as far as its table goes
    Ok(all)
}
