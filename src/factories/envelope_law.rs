use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::envelope::ExpOverFour;
use super::law::heads;
use crate::coin::Coin;
use crate::coins::law::cost_of_all;
use crate::law::{Bracket, Cost, KnownLaw, Law, LawError, Tail};

fn two_to_minus(n: u32) -> BigRational {
    BigRational::new(BigInt::one(), BigInt::one() << n)
}

impl<P: KnownLaw + Coin> ExpOverFour<P> {
    /// Σ 2^-(n+1) times what `term` makes of Π 2/k over 3 ≤ k ≤ n and of p^n, 1 + p + … + p^(n−1), for n = 1, 2, … until 2^-n is little;
    /// and n.
    fn over_runs(
        &self,
        places: u32,
        mut term: impl FnMut(u32, Bracket, (Bracket, Bracket)) -> Cost,
    ) -> Result<(Cost, u32), LawError> {
        let p = heads(&self.p, places)?;
        let (mut sum, mut spared) = (Cost::bits(0), Bracket::one());
        let last = places.saturating_add(8);
        for n in 1..=last {
            if n > 2 {
                spared = spared.times(&Bracket::ratio(2, n)).shortened(last);
            }
            let share = Bracket::ratio(1, BigInt::one() << (n + 1));
            let of_coin = p.power_and_sum(n.into(), places);
            sum = sum.plus(&term(n, spared.clone(), of_coin).times(&share)).rounded(last);
        }
        Ok((sum, last))
    }
}

impl<P: KnownLaw + Coin> KnownLaw for ExpOverFour<P> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        let (sum, last) =
            self.over_runs(places, |_, spared, (power, _)| Cost::within(&spared.times(&power)))?;
        // 1/4 for n = 0; what is left is at most its share.
        let rest = Bracket::new(BigRational::zero(), two_to_minus(last));
        let listed = sum.bracket().ok_or(LawError::Undecided)?;
        let all = Bracket::ratio(1, 4).plus(&listed).plus(&rest);
        Ok(Law::coin(all.meet(&Bracket::unit()).rounded(places)))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let coin = self.p.cost_at(places)?;
        // Coins 2/3, …, 2/n, each flipped if those before it were heads.
        let (mut ratios, mut before) = (Cost::bits(0), Bracket::one());
        let (sum, last) = self.over_runs(places, |n, spared, (_, flips)| {
            if n > 2 {
                let one = cost_of_all(core::iter::once((2, n.into())));
                ratios = ratios.plus(&one.times(&before)).rounded(places.saturating_add(8));
                before = spared.clone();
            }
            ratios.plus(&coin.times(&flips.times(&spared)))
        })?;
        // The coins of the runs that are left cost at most 2 + 4/3 + 2/3 + … < 5, and n·2^(n−1)/n! ≤ 2 flips are expected.
        let two = Bracket::ratio(2, 1);
        let left = Cost::bits(5).plus(&coin.times(&two));
        let rest = Bracket::new(BigRational::zero(), two_to_minus(last));
        let first = Cost::bits(2).plus(&Cost::within(&Bracket::ratio(1, 2)));
        Ok(first.plus(&sum).plus(&left.times(&rest)).rounded(places))
    }

    fn tail(&self) -> Tail {
        self.p.tail().max(Tail::Exponential)
    }
}
