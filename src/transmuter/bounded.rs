use super::roll::Roll;

/// Above this range a roll is drawn; up to it another one is taken in, which leads to at most 2^95·2^32.
const FULL: u128 = 1 << 95;

/// Rolls of an m-sided die, made of rolls of an n-sided one in a few words of memory. Created by
/// [`Transmuter::bounded`](crate::Transmuter::bounded); see its documentation for more.
#[must_use = "iterators are lazy and do nothing unless consumed"]
#[derive(Clone, Debug)]
pub struct Bounded<I> {
    rolls: I,
    n: u64,
    m: u64,
    pool: Pool,
    full: u128,
}

impl<I> Bounded<I> {
    pub(super) const fn new(rolls: I, n: u64, m: u64) -> Self {
        Self { rolls, n, m, pool: Pool { value: 0, range: 1 }, full: FULL }
    }
}

impl<I: Iterator<Item: Roll>> Iterator for Bounded<I> {
    type Item = Result<u32, <I::Item as Roll>::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.pool.range <= self.full {
                match self.rolls.next().map(|roll| roll.side(self.n)) {
                    Some(Ok(roll)) => {
                        self.pool.add(roll, self.n);
                        continue;
                    }
                    Some(Err(error)) => return Some(Err(error)),
                    None if self.pool.range < self.m.into() => return None,
                    None => {}
                }
            }
            if let Some(roll) = self.pool.draw(self.m) {
                return Some(Ok(roll));
            }
        }
    }
}

/// A number that is uniform on 0..range, whatever was drawn from it before.
#[derive(Clone, Copy, Debug)]
struct Pool {
    value: u128,
    range: u128,
}

impl Pool {
    /// Puts in a roll: the pair (roll, value) is uniform, and so is roll·range + value on 0..n·range.
    fn add(&mut self, roll: u32, n: u64) {
        self.value += u128::from(roll) * self.range;
        self.range *= u128::from(n);
    }

    /// Draws a roll of an m-sided die, or nothing where the value is among the last `range` mod m.
    ///
    /// Below q·m a uniform value is a pair of independent uniform ones, value mod m and value/m on 0..q. Among the others it
    /// is uniform too: what is left of the randomness stays. Which of the two it is depends on neither.
    fn draw(&mut self, m: u64) -> Option<u32> {
        let m = u128::from(m);
        let (q, rest) = (self.range / m, self.range % m);
        let most = self.range - rest;
        if self.value < most {
            let roll = self.value % m;
            *self = Self { value: self.value / m, range: q };
            u32::try_from(roll).ok()
        } else {
            *self = Self { value: self.value - most, range: rest };
            None
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use alloc::vec::Vec;

    /// With a pool as small as this the whole joint law can be counted, draws from a full pool and after the end included.
    fn assert_uniform(n: u32, m: u64, full: u128, length: u32) {
        // How many of all strings of so many rolls give each beginning of the answers.
        let mut beginnings = BTreeMap::<Vec<u32>, u32>::new();
        for string in 0..n.pow(length) {
            let rolls = (0..length).map(|place| string / n.pow(place) % n);
            let answers: Result<Vec<u32>, _> =
                Bounded { full, ..Bounded::new(rolls, n.into(), m) }.collect();
            let answers = answers.unwrap_or_default();
            for end in 1..=answers.len() {
                *beginnings.entry(answers[..end].to_vec()).or_default() += 1;
            }
        }
        let mut lengths = BTreeMap::<usize, Vec<u32>>::new();
        for (beginning, count) in beginnings {
            lengths.entry(beginning.len()).or_default().push(count);
        }
        assert!(lengths.len() > 2);
        for (length, counts) in lengths {
            let all: u64 = (0..length).map(|_| m).product();
            assert_eq!(counts.len() as u64, all, "{n} to {m}: some of {length} answers never come");
            assert!(counts.iter().all(|count| *count == counts[0]), "{n} to {m}: {counts:?}");
        }
    }

    #[test]
    fn the_joint_law_of_all_answers_is_uniform() {
        assert_uniform(2, 3, 10, 12);
        assert_uniform(2, 6, 40, 12);
        assert_uniform(6, 2, 5, 5);
        assert_uniform(5, 3, 7, 6);
        assert_uniform(3, 9, 30, 8);
    }
}
