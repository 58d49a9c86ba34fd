//! Dice and choosers.

use buffon::catalogue::inverse_e;
use buffon::ladder::PowerPair;
use buffon::viglietta::PowerCoin;
use buffon::{
    Alias, Batch, Cut, Die, Fair, FastDie, Machine, OneHead, OneOver, Rational, Roulette,
    Sequential, Slices, ThreeWay, Viglietta, Weighted,
};
use num_rational::Ratio;

use super::{Family, Shown, show};
use crate::facts::Effort;

pub(crate) fn dice() -> Shown {
    let third = Rational::<u64>::new(1, 3)?;
    let mut all = Family::new(
        "dice",
        "Dice",
        "Equal chances from flips. No exact die of three sides can stop after a fixed number of flips; the best one keeps what a failed \
         attempt leaves over.",
    );
    show!(
        all, "A die of six sides", "Three flips make a number below 8; 6 and 7 leave one bit over, which saves one of the next flips.",
        "a = 3 flips | 3; b @1 = 2 flips more | 2; side @0 = !a side
         bits > a; a > side : below six 3/4; a > b : one bit left 1/4; b > side : below six 3/4; b > b : again 1/4",
        Die::new(6)?
    );
    show!(
        all,
        "A die of a hundred sides",
        "Seven flips, and 28 of the 128 numbers go on.",
        "a = flips, one by one | ?; bits > a; a > !0 @-1 : 1/100; a > !1 @0 : 1/100; a > !2, …, 99 @1 : 98/100",
        Die::new(100)?
    );
    show!(
        all,
        "Three ways by hand",
        "Toss until both faces have appeared; an odd number of tosses is the first choice, else the last toss tells.",
        "f = first toss | 1
         a @-2 = toss | 1; b @-2 = toss | 1; c @2 = toss | 1; d @2 = toss | 1
         bits > f; f > a : H 1/2; f > c : T 1/2
         a > b : H 1/2; a > !2 @-1 : T 1/2; b > a : H 1/2; b > !0 @-2 : T 1/2
         c > d : T 1/2; c > !1 @1 : H 1/2; d > c : T 1/2; d > !0 @2 : H 1/2",
        ThreeWay
    );
    show!(
        all, "Viglietta's die", "One flip of a 1/6 coin, which may be a die with one red side, and then at most seven fair bits, always.",
        "c = coin 1/6 | 2; a @-1 = coin 2/8 | 3/2; b @1 = coin 6/8 | 3/2; d @-1 = d, 2 flips | 2; e @1 = 2 flips | 2
         s @0 = !a side
         bits > c; c > a : heads 1/6; c > b : tails 5/6; a > d : heads 1/4; a > e : tails 3/4; b > d : heads 3/4; b > e : tails 1/4
         d > e : 2 or 3 1/2; d > s : 4 + d 1/2; e > s",
        Viglietta::new(6, OneOver::try_from(6)?)?
    );
    show!(
        all, "Viglietta's coin", "The first half of it: 4/6 from one flip of a 1/6 coin and at most three fair bits.",
        "c = coin 1/6 | 2; a @-1 = coin 2/8 | 3/2; b @1 = coin 6/8 | 3/2; h @-1 = !heads; t @1 = !tails
         bits > c; c > a : heads 1/6; c > b : tails 5/6; a > h : heads 1/4; a > t : tails 3/4; b > h : heads 3/4; b > t : tails 1/4",
        PowerCoin::new(6, OneOver::try_from(6)?)?
    );
    show!(
        all,
        "Dijkstra's roulette",
        "Three sides from a coin of any bias, here 1/3: flip thrice, add up the places of the heads, modulo 3.",
        "a = 3 flips of the coin | 6; bits > a; a > !0 @-1 : 2/9; a > !1 @0 : 2/9; a > !2 @1 : 2/9; a > a : all alike 1/3",
        Roulette::new(3, third)?
    );
    show!(
        all,
        "One head of three",
        "Flip thrice; if exactly one is heads, its place is the side.",
        "a = 3 flips of the coin | 6; bits > a; a > !0 @-1 : 4/27; a > !1 @0 : 4/27; a > !2 @1 : 4/27; a > a : else 15/27",
        OneHead::new(3, third)?
    );
    show!(
        all, "Three rolls of three from five flips", "27 of 32 numbers are three rolls; the others are seen, on average, before the last flip.",
        "a = up to 5 flips | ?; bits > a; a > !000 @-1 : 1/32; a > !001 @0 : 1/32; a > !002, …, 222 @1 : 25/32
         a > a : again 5/32",
        PowerPair::new(3, 3, Fair, 5)?.map(|rolls| rolls.map(|side| side.to_string()).collect::<String>())
    );
    show!(
        all,
        "The fast die",
        "A word of 64 bits and one multiplication; 4 of the 2^64 products are too low, and are taken again.",
        "w = a word | 64; m = times 6; bits > w; w > m; m > !a side @0 : the high half; m > w : the low half below 4",
        FastDie::new(6)?
    );
    all.explored(Effort::Words);
    Ok(all)
}

pub(crate) fn choosers() -> Shown {
    let third = Rational::<u64>::new(1, 3)?;
    let mut all = Family::new(
        "choosers",
        "Choosers",
        "One of several outcomes, with weights. The entropy is what an answer is worth; the optimal tree costs less than two bits more.",
    );
    show!(
        all,
        "Weights 5, 1, 4",
        "The optimal tree: on each level as many leaves for an outcome as its digit there says.",
        "tree = optimal tree | 2; bits > tree; tree > !0 @-1 : 1/2; tree > !1 @0 : 1/10; tree > !2 @1 : 2/5",
        Weighted::new([5, 1, 4])?
    );
    show!(
        all,
        "Weights one by one",
        "Coin by coin, each with what is left: exact, and dearer unless the heavy ones come first.",
        "a = coin 4/10 | 2; b @1 = coin 1/6 | 2; bits > a; a > !0 @0 : heads 2/5; a > b : tails 3/5
         b > !1 @0 : heads 1/6; b > !2 @1 : tails 5/6",
        Sequential::new([4, 1, 5])?
    );
    show!(
        all,
        "Slices at 1/e and 1/2",
        "The flips are the digits of a point, looked at until its slice is known; the ends may be irrational.",
        "a = flips, while two slices are left | ?; bits > a; a > !0 @-1 : ≈0.36788; a > !1 @0 : ≈0.13212; a > !2 @1 : ≈0.5",
        Slices::new([Cut::of(inverse_e())?, Ratio::new(1, 2).into()])?
    );
    all.explored(Effort::Levels(100)); // 1/e is told anew for each flip
    show!(
        all,
        "Slices by an unfair coin",
        "The same point looked at through flips of a coin of known bias, here 3/4: each narrows the cell 3 to 1.",
        "a = flips of 3/4, while two slices are left | ?; bits > a; a > !0 @-1 : 1/3; a > !1 @0 : 1/3; a > !2 @1 : 1/3",
        Slices::new([Ratio::new(1, 3), Ratio::new(2, 3)])?.by_coin(
            Rational::<u64>::new(3, 4)?,
            3,
            4
        )?
    );
    show!(
        all,
        "Three flips of 1/3 at once",
        "One optimal draw from the eight strings, at 3.61 bits; one by one they take 6.",
        "a = optimal tree | ?; bits > a; a > !TTT @-2 : 8/27; a > !one H @-1 : 12/27; a > !two H @0 : 6/27; a > !HHH @1 : 1/27",
        Batch::new(&third, 3)?
    );
    show!(
        all,
        "The alias method",
        "One word of 64 bits and one look at a table; the words left over go on down the optimal tree.",
        "w = a word | 64; t = column, threshold; o = optimal tree | ?; bits > w; w > t
         t > !0 @-2; t > !1 @-1; t > !2 @1; t > o : left over; o > !any @0",
        Alias::new([5, 1, 4])?
    );
    all.explored(Effort::Words);
    Ok(all)
}
