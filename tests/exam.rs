//! The exam of the conformance kit: wrong samplers that must be refused, right ones that must pass. It prints the kill matrix.
#![cfg(feature = "conformance")]

use std::cell::Cell;
use std::fmt::Debug;
use std::num::NonZeroU64;
use std::time::Instant;

use buffon::conformance::{Check, Finding, Report, check};
use buffon::explore::Target;
use buffon::{
    Always, BitSource, Bracket, Coin, Cost, Die, Dyadic, Fair, KnownLaw, Law, LawError, Machine,
    OneOver, Rational, Reciprocals, Sequential, Tail, Viglietta, Weighted, from_fn, parity_of_run,
    run,
};
use num_rational::BigRational;
use rand::{SeedableRng, rngs::StdRng};

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

fn ratio(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::new(num, den).expect("in range")
}

fn bits(num: i64, den: i64) -> Bracket {
    Bracket::exact(q(num, den))
}

fn uniform(n: u64) -> Vec<(u64, BigRational)> {
    (0..n).map(|face| (face, q(1, n as i64))).collect()
}

fn weights(list: &[i64]) -> Vec<(usize, BigRational)> {
    let total = list.iter().sum();
    list.iter().enumerate().map(|(index, &weight)| (index, q(weight, total))).collect()
}

/// 1/e to 2^-precision or better.
fn inverse_e(heads: &bool, precision: u32) -> Bracket {
    let law = parity_of_run(Reciprocals).law(precision).expect("known");
    law.mass(heads)
}

/// The sheet on which the results are written.
#[derive(Default)]
struct Sheet {
    rows: Vec<(bool, String)>,
}

impl Sheet {
    fn graded<M, A>(&mut self, name: &str, right: bool, check: Check<'_, M, A>)
    where
        M: Machine,
        M::Output: PartialEq + Clone + Debug,
        A: Target<M::Output>,
    {
        let mut rng = StdRng::seed_from_u64(2026);
        let report: Report<M::Output> = check.samples(4_000).run(&mut rng).expect("no error");
        let how = match report.finding() {
            None => "passes".to_owned(),
            Some(Finding::Evidence { .. }) => "evidence".to_owned(),
            Some(finding) if finding.is_proof() => "proof".to_owned(),
            Some(_) => "stuck".to_owned(),
        };
        let reason = report.finding().map_or(String::new(), ToString::to_string);
        self.rows.push((report.conforms() == right, format!("{name:<48} {how:<9} {reason:.110}")));
    }

    fn wrong<M, A>(&mut self, name: &str, check: Check<'_, M, A>)
    where
        M: Machine,
        M::Output: PartialEq + Clone + Debug,
        A: Target<M::Output>,
    {
        self.graded(name, false, check);
    }

    fn right<M, A>(&mut self, name: &str, check: Check<'_, M, A>)
    where
        M: Machine,
        M::Output: PartialEq + Clone + Debug,
        A: Target<M::Output>,
    {
        self.graded(name, true, check);
    }

    fn close(self, at_least: usize) {
        self.rows.iter().for_each(|(_, row)| println!("{row}"));
        let proofs = self.rows.iter().filter(|(_, row)| row.contains(" proof ")).count();
        println!("{} machines, {proofs} refused by proof", self.rows.len());
        let failed: Vec<_> = self.rows.iter().filter(|(graded, _)| !graded).collect();
        assert!(failed.is_empty(), "{failed:#?}");
        assert!(self.rows.len() >= at_least);
    }
}

/// A coin a/b by long division, with a place for a mistake in each step.
#[derive(Clone, Copy)]
struct LongDivision {
    a: u64,
    b: u64,
    strictly: bool,
    early: bool,
    limit: u32,
    at_end: bool,
    skip: u32,
    answer_on: bool,
}

const TRUE: LongDivision = LongDivision {
    a: 1,
    b: 3,
    strictly: false,
    early: false,
    limit: u32::MAX,
    at_end: false,
    skip: 0,
    answer_on: true,
};

fn divides(how: LongDivision) -> impl Machine<Output = bool> {
    from_fn(move |bits| {
        let mut rest = how.a;
        for step in 0..how.limit {
            if rest == 0 {
                return Ok(how.at_end);
            }
            let digit = if how.strictly { 2 * rest > how.b } else { 2 * rest >= how.b };
            rest = 2 * rest - if digit { how.b } else { 0 };
            if step < how.skip {
                continue;
            }
            if (how.early && rest == 0) || bits.try_bit()? == how.answer_on {
                return Ok(digit);
            }
        }
        Ok(how.at_end)
    })
}

#[test]
fn wrong_coins() {
    let mut sheet = Sheet::default();
    macro_rules! coin {
        ($name:literal, $target:expr, $machine:expr $(, $claim:ident $(($($arg:expr),*))?)*) => {
            sheet.wrong($name, check(&$machine).against($target)$(.$claim($($($arg),*)?))*)
        };
    }
    coin!(
        "digit before its flip at remainder 0, 3/8",
        q(3, 8),
        divides(LongDivision { a: 3, b: 8, early: true, ..TRUE })
    );
    coin!(
        "> for >=: the infinite expansion, 3/8",
        q(3, 8),
        divides(LongDivision { a: 3, b: 8, strictly: true, ..TRUE }),
        optimal
    );
    coin!("gives up after 32 flips", q(1, 3), divides(LongDivision { limit: 32, ..TRUE }));
    coin!(
        "gives up after 32 flips, with heads",
        q(1, 3),
        divides(LongDivision { limit: 32, at_end: true, ..TRUE })
    );
    coin!("first digit skipped", q(1, 3), divides(LongDivision { skip: 1, ..TRUE }));
    coin!(
        "heads when no digit is left, 3/8",
        q(3, 8),
        divides(LongDivision { a: 3, b: 8, at_end: true, ..TRUE })
    );
    coin!("numerator off by one", q(2, 7), divides(LongDivision { a: 3, b: 7, ..TRUE }));
    coin!("denominator off by one", q(2, 7), divides(LongDivision { a: 2, b: 8, ..TRUE }));
    coin!("not the complement", q(2, 3), divides(TRUE));
    coin!("8-bit threshold, 85/256 for 1/3", q(1, 3), from_fn(|bits| Ok(bits.try_bits(8)? < 85)));
    coin!("12-bit threshold", q(1, 3), from_fn(|bits| Ok(bits.try_bits(12)? < 1365)));
    coin!(
        "32-bit threshold",
        q(1, 3),
        from_fn(|bits| Ok(bits.try_bits(32)? < u64::from(u32::MAX / 3)))
    );
    coin!("53-bit threshold", q(1, 3), from_fn(|bits| Ok(bits.try_bits(53)? < (1 << 53) / 3)));
    coin!("64-bit threshold", q(1, 3), from_fn(|bits| Ok(bits.try_bits(64)? <= u64::MAX / 3)));
    coin!("<= for <: p = 0 comes up heads", q(0, 1), from_fn(|bits| Ok(bits.try_bits(8)? == 0)));
    coin!("p = 1 comes up tails", q(1, 1), from_fn(|bits| Ok(bits.try_bits(10)? != 0)));
    coin!(
        "p = 1 costs a bit",
        q(1, 1),
        from_fn(|bits| bits.try_bit().map(|_| true)),
        cost(bits(0, 1))
    );
    coin!(
        "a bit too many at the end",
        q(1, 3),
        divides(TRUE).zip(Fair).map(|(heads, _)| heads),
        cost(bits(2, 1))
    );
    coin!(
        "a bit too many, claimed optimal",
        q(1, 2),
        Fair.zip(Fair).map(|(heads, _)| heads),
        optimal
    );
    coin!(
        "tails for ever never ends, with heads",
        q(1, 3),
        from_fn(|bits| {
            let tails = bits.try_tails()?;
            Ok(tails % 2 == 1 || tails == 6)
        })
    );
    coin!("1/3 as 85/256 + …, cut off", q(1, 3), Dyadic::new(21, 6).expect("in range"));
    coin!(
        "1/e as its double",
        |x: &bool, precision| inverse_e(x, precision),
        Rational::from_f64(0.36787944117144233).expect("in range"),
        depth(80)
    );
    sheet.close(22);
}

/// Answers also where its source has failed.
struct Swallows;

impl Machine for Swallows {
    type Output = bool;
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        Ok(bits.try_bits(3).map_or(true, |word| word < 4))
    }
}

#[test]
fn wrong_machines_with_memory_or_other_chance() {
    let mut sheet = Sheet::default();
    let known = Cell::new(None);
    let memo = from_fn(|bits| {
        let flip = if let Some(flip) = known.get() { flip } else { bits.try_bit()? };
        known.set(Some(flip));
        Ok(flip)
    });
    sheet.wrong("remembers its first answer", check(&memo).against(q(1, 2)));
    let state = Cell::new(1u64);
    let lcg = from_fn(|_| {
        state.set(state.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        Ok(state.get() >> 63 == 1)
    });
    sheet.wrong("a generator of its own", check(&lcg).against(q(1, 2)));
    let turn = Cell::new(false);
    let alternates = from_fn(|bits| {
        turn.set(!turn.get());
        Ok(bits.try_bit()? != turn.get())
    });
    sheet.wrong("every second answer is turned over", check(&alternates).against(q(1, 2)));
    sheet.wrong("swallows the error of the source", check(&Swallows).against(q(1, 2)).depth(2));
    // One answer's leftover bit is the next one's first.
    let left = Cell::new(None);
    let reuses = from_fn(|bits| {
        let word = match left.take() {
            Some(bit) => bit | bits.try_bits(1)? << 1,
            None => bits.try_bits(2)?,
        };
        left.set(Some(word >> 1));
        Ok(word == 3)
    });
    sheet.wrong("a bit shared by neighbouring answers", check(&reuses).against(q(1, 4)));
    let sticky = Cell::new(0u32);
    let tired = from_fn(|bits| {
        sticky.set(sticky.get() + 1);
        Ok(bits.try_bit()? || sticky.get() % 4 == 0)
    });
    sheet.wrong("every fourth answer is heads", check(&tired).against(q(1, 2)));
    sheet.close(6);
}

/// The fast dice roller, with a place for a mistake.
fn roller(
    n: u64,
    keep_range: bool,
    keep_value: bool,
    accept: impl Fn(u64, u64) -> bool + Clone,
) -> impl Machine<Output = u64> {
    from_fn(move |bits| {
        let (mut value, mut range) = (0, 1);
        loop {
            range *= 2;
            value = 2 * value + u64::from(bits.try_bit()?);
            if range >= n {
                if accept(value, n) {
                    return Ok(value);
                }
                range = if keep_range { range } else { range - n };
                value = if keep_value { value } else { value.saturating_sub(n) };
                range = range.min(1 << 40);
                value = value.min(1 << 40);
            }
        }
    })
}

#[test]
fn wrong_dice() {
    let mut sheet = Sheet::default();
    macro_rules! die {
        ($name:literal, $n:literal, $machine:expr $(, $claim:ident $(($($arg:expr),*))?)*) => {
            sheet.wrong($name, check(&$machine).against(uniform($n))$(.$claim($($($arg),*)?))*)
        };
    }
    let below = |value, n| value < n;
    die!("3 bits modulo 6", 6, from_fn(|bits| Ok(bits.try_bits(3)? % 6)));
    die!("16 bits modulo 6", 6, from_fn(|bits| Ok(bits.try_bits(16)? % 6)));
    die!("multiply and shift, 8 bits", 6, from_fn(|bits| Ok((bits.try_bits(8)? * 6) >> 8)));
    die!("64 bits modulo 6", 6, from_fn(|bits| Ok(bits.try_bits(64)? % 6)));
    die!(
        "value dropped, range kept",
        5,
        from_fn(|bits| {
            let (mut value, mut range) = (0, 1);
            loop {
                (range, value) = (2 * range, 2 * value + u64::from(bits.try_bit()?));
                if range >= 5 {
                    if value < 5 {
                        return Ok(value);
                    }
                    (range, value) = (range - 5, 0);
                }
            }
        })
    );
    die!("value not reduced: stuck on a branch", 6, roller(6, false, true, below));
    die!("range not reduced", 6, roller(6, true, false, below));
    die!("<= for <: side n", 6, roller(6, false, false, |value, n| value <= n));
    die!("side n − 1 never", 6, roller(6, false, false, |value, n| value + 1 < n));
    die!("sides from 1 to n", 6, Die::new(6).expect("sides").map(|side| side + 1));
    die!(
        "rejection, claimed optimal",
        6,
        Die::new(8).expect("sides").condition(|&side| side < 6),
        optimal
    );
    die!(
        "rejection, at the cost of the optimum",
        6,
        Die::new(8).expect("sides").condition(|&side| side < 6),
        cost(bits(11, 3))
    );
    die!(
        "two sides change places in the tree",
        3,
        from_fn(|bits| Ok([0, 1, 2, 2][bits.try_bits(2)? as usize]))
    );
    die!("rolls below n − 1", 6, Die::new(5).expect("sides"));
    die!(
        "sum of two dice",
        6,
        Die::new(3).expect("sides").zip(Die::new(4).expect("sides")).map(|(a, b)| a + b)
    );
    die!(
        "a power of two at a bit too many",
        8,
        Die::new(16).expect("sides").map(|side| side / 2),
        cost(bits(3, 1))
    );
    sheet.close(16);
}

#[test]
fn wrong_series_and_combinators() {
    let mut sheet = Sheet::default();
    let over = |n: u64| OneOver::new(NonZeroU64::new(n).unwrap_or(NonZeroU64::MIN));
    macro_rules! series {
        ($name:literal, $machine:expr) => {
            sheet.wrong(
                $name,
                check(&$machine).against(|x: &bool, precision| inverse_e(x, precision)),
            )
        };
    }
    series!("1/e: parity off by one", parity_of_run(OneOver::new).not());
    series!("1/e: first term skipped", parity_of_run(move |n: NonZeroU64| over(n.get() + 1)));
    series!(
        "1/e: loop capped at 9",
        run(move |n: NonZeroU64| if n.get() > 9 { over(1 << 63) } else { over(n.get()) })
            .map(|n| n.min(9) % 2 == 0)
    );
    series!("1/e: squares", parity_of_run(move |n: NonZeroU64| over(n.get() * n.get())));
    series!("1/e: the second coin twice", parity_of_run(move |n: NonZeroU64| over(n.get().max(2))));
    series!("1/e: multiple of three", run(OneOver::new).map(|n| n % 3 == 0));

    let (third, fifths) = (ratio(1, 3), ratio(2, 5));
    macro_rules! pair {
        ($name:literal, $target:expr, $machine:expr $(, $claim:ident $(($($arg:expr),*))?)*) => {
            sheet.wrong($name, check(&$machine).against($target)$(.$claim($($($arg),*)?))*)
        };
    }
    pair!(
        "and: both on the same flips",
        q(2, 15),
        from_fn(|bits| {
            let tails = bits.try_tails()?;
            let digit = |num: u64, den: u64| (num << (tails + 1).min(50)) / den % 2 == 1;
            Ok(digit(1, 3) && digit(2, 5))
        })
    );
    pair!("and: or in its place", q(2, 15), third.or_else(fifths));
    pair!(
        "and: no short circuit",
        q(2, 15),
        third.zip(fifths).map(|(a, b)| a && b),
        cost(bits(8, 3))
    );
    pair!("and: wrong sub-coin", q(2, 15), third.then(ratio(1, 5)));
    pair!("and: the first coin twice", q(2, 15), third.then(third));
    pair!("xor of a flip with itself", q(4, 9), third.map(|heads| heads != heads));
    pair!("or: added, not joined", q(3, 5), third.mix(Always, ratio(11, 15)));
    pair!("mix: sides changed", q(7, 15), third.mix(fifths, fifths.not()));
    pair!("parity of a run: odd for even", q(3, 4), third.run().map(|n| n % 2 == 1));
    pair!("run: first heads not counted", q(1, 3), third.run().map(|n| n >= 2));
    let six = || Die::new(6).expect("sides");
    pair!(
        "condition: the value rolled again alone",
        vec![(0u64, q(1, 3)), (2, q(1, 3)), (4, q(1, 3))],
        six().condition(|n| n % 2 == 0).zip(six()).map(|(_, n)| n)
    );
    pair!(
        "condition: the given coin flipped again alone",
        q(1, 2),
        third
            .zip(fifths)
            .and_then(move |(a, b)| fifths.map(move |c| a && (b || c)))
            .condition(|&x| x)
            .map(|_| true)
    );
    pair!(
        "condition: the last round is kept",
        q(1, 2),
        from_fn(|bits| {
            for _ in 0..4 {
                let (a, b) = (bits.try_bit()?, bits.try_bit()?);
                if a != b {
                    return Ok(a);
                }
            }
            Ok(true)
        })
    );
    pair!(
        "von Neumann: overlapping pairs",
        q(1, 2),
        from_fn(move |bits| {
            let mut last = third.try_flip(bits)?;
            loop {
                let next = third.try_flip(bits)?;
                if next != last {
                    return Ok(last);
                }
                last = next;
            }
        })
    );
    pair!(
        "choosers: a zero weight can be picked",
        weights(&[0, 1, 2]),
        Die::new(4).expect("sides").condition(|&n| n != 3).map(|n| n as usize)
    );
    pair!(
        "choosers: <= in the cumulative search",
        weights(&[1, 2, 3]),
        six().map(|roll| [1u64, 3, 6].iter().position(|&end| roll + 1 < end).unwrap_or(2))
    );
    pair!(
        "choosers: the last weight dropped",
        weights(&[1, 2, 3]),
        Weighted::new([1, 2]).expect("weights")
    );
    pair!(
        "choosers: sequential with the whole sum",
        weights(&[1, 2, 3]),
        ratio(1, 6).mix(Always.map(|_| 0usize), ratio(2, 6).map(|heads| if heads { 1 } else { 2 }))
    );
    pair!(
        "choosers: sequential, claimed optimal",
        weights(&[1, 1, 1, 1]),
        Sequential::new([1, 1, 1, 1]).expect("weights"),
        optimal
    );

    // Viglietta, n = 6: k = 2, m = 2, a = 2, b = 6; the coin 1/6 as one machine.
    let sixth = over(6);
    let vig = |a: u64, b: u64, keep: fn(u64, u64) -> bool, shared: bool| {
        from_fn(move |bits| {
            let bound = if sixth.try_flip(bits)? { a } else { b };
            let heads = bits.try_bits(3)? < bound;
            let d = bits.try_bits(2)?;
            if !heads {
                return Ok(d);
            }
            let other = if shared { d } else { bits.try_bits(2)? };
            Ok(if keep(d, 2) { other } else { 4 + d })
        })
    };
    pair!("Viglietta: d and d' share bits", uniform(6), vig(2, 6, |d, m| d >= m, true));
    pair!("Viglietta: d > m for d >= m", uniform(6), vig(2, 6, |d, m| d > m, false));
    pair!("Viglietta: a and b changed", uniform(6), vig(6, 2, |d, m| d >= m, false));
    pair!("Viglietta: over a coin of 1/5", uniform(6), Viglietta::new(6, over(5)).expect("sides"));
    // What is left of a roll below 64, wrongly paired: c % q with c % n.
    pair!(
        "recycling: leftover not independent",
        uniform(36),
        from_fn(|bits| {
            let word = loop {
                let word = bits.try_bits(6)?;
                if word < 60 {
                    break word;
                }
            };
            let (roll, left) = (word % 6, word % 10);
            let second = if left < 6 {
                left
            } else {
                Die::new(6).map_or(Ok(0), |die| die.try_sample(bits))?
            };
            Ok(6 * roll + second)
        })
    );
    sheet.close(30);
}

/// A coin that lies of itself.
struct Liar {
    law: Bracket,
    cost: Cost,
}

impl Machine for Liar {
    type Output = bool;
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        ratio(1, 3).try_flip(bits)
    }
}

impl KnownLaw for Liar {
    fn law_at(&self, _: u32) -> Result<Law<bool>, LawError> {
        Ok(Law::coin(self.law.clone()))
    }
    fn cost_at(&self, _: u32) -> Result<Cost, LawError> {
        Ok(self.cost.clone())
    }
    fn tail(&self) -> Tail {
        Tail::Exponential
    }
}

#[test]
fn wrong_claims() {
    let mut sheet = Sheet::default();
    sheet.wrong(
        "claims 1/4",
        check(&Liar { law: bits(1, 4), cost: Cost::bits(2) }).against_itself(),
    );
    sheet.wrong(
        "claims to cost 1 bit",
        check(&Liar { law: bits(1, 3), cost: Cost::bits(1) }).against_itself(),
    );
    sheet.wrong(
        "claims a tail of 1/4 a flip",
        check(&ratio(1, 3)).against(q(1, 3)).tail(1, q(1, 4)),
    );
    let slow = ratio(1, 64).condition(|&heads| heads);
    sheet.wrong("claims a tail of 3/4 in 8 flips", check(&slow).against(q(1, 1)).tail(8, q(3, 4)));
    sheet.right(
        "says the truth",
        check(&Liar { law: bits(1, 3), cost: Cost::bits(2) }).against_itself(),
    );
    sheet.close(5);
}

#[test]
fn right_samplers_and_mutants_that_change_nothing() {
    let start = Instant::now();
    let mut sheet = Sheet::default();
    let third = ratio(1, 3);
    sheet.right(
        "Rational 1/3",
        check(&third).against(q(1, 3)).optimal().tail(1, q(1, 2)).cost(bits(2, 1)),
    );
    sheet.right(
        "Dyadic 3/8",
        check(&Dyadic::new(3, 3).expect("in range")).against(q(3, 8)).optimal().cost(bits(7, 4)),
    );
    sheet.right(
        "Die 6",
        check(&Die::new(6).expect("sides")).against(uniform(6)).optimal().cost(bits(11, 3)),
    );
    sheet.right(
        "Weighted 1, 2, 3",
        check(&Weighted::new([1, 2, 3]).expect("weights")).against(weights(&[1, 2, 3])).optimal(),
    );
    sheet.right(
        "Viglietta 6",
        check(&Viglietta::new(6, OneOver::try_from(6).expect("not 0")).expect("sides"))
            .against_itself(),
    );
    sheet.right("1/e", check(&parity_of_run(Reciprocals)).against_itself());
    // Behaviour-preserving mutants: another order, the same law.
    sheet.right(
        "stops at tails for heads",
        check(&divides(LongDivision { answer_on: false, ..TRUE })).against(q(1, 3)).optimal(),
    );
    sheet.right(
        "dice from the highest bit",
        check(&roller(6, false, false, |value, n| value < n)).against(uniform(6)).optimal(),
    );
    sheet.right(
        "1/e from n = 2, free success counted",
        check(&run(|n: NonZeroU64| OneOver::new(n.saturating_add(1))).map(|n| n % 2 == 1))
            .against(|x: &bool, precision| inverse_e(x, precision)),
    );
    sheet.right(
        "leftover c mod q where gcd(n, q) = 1",
        check(&from_fn(|bits| {
            let word = loop {
                let word = bits.try_bits(6)?;
                if word < 35 {
                    break word;
                }
            };
            Ok(5 * (word % 7) + word % 5)
        }))
        .against(uniform(35)),
    );
    sheet.right(
        "d built from the other end",
        check(&from_fn(|bits| Ok(bits.try_bits(2)?.reverse_bits() >> 62)))
            .against(uniform(4))
            .optimal(),
    );
    sheet.close(11);
    println!("in {:?}", start.elapsed());
}
