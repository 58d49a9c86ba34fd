use crate::bits::BitSource;
use crate::coin::Coin;
use crate::machine::Machine;

/// Created by [`Coin::not`]. See its documentation for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Not<C> {
    pub(crate) coin: C,
}

impl<C> Not<C> {
    #[inline]
    pub(crate) const fn new(coin: C) -> Self {
        Self { coin }
    }
}

impl<C: Coin> Machine for Not<C> {
    type Output = bool;

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        Ok(!self.coin.try_flip(bits)?)
    }
}

/// A struct of two coins, and a coin of its own by the expression given.
macro_rules! two_coins {
    ($name:ident, $method:literal, |$first:ident, $second:ident, $bits:ident| $answer:expr) => {
        #[doc = concat!("Created by [`Coin::", $method, "`]. See its documentation for more.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[must_use = "a machine does nothing until it is sampled"]
        pub struct $name<P, Q> {
            pub(crate) first: P,
            pub(crate) second: Q,
        }

        impl<P, Q> $name<P, Q> {
            #[inline]
            pub(crate) const fn new(first: P, second: Q) -> Self {
                Self { first, second }
            }
        }

        impl<P: Coin, Q: Coin> Machine for $name<P, Q> {
            type Output = bool;

            #[inline(always)]
            fn try_sample<B: BitSource + ?Sized>(&self, $bits: &mut B) -> Result<bool, B::Error> {
                let ($first, $second) = (&self.first, &self.second);
                Ok($answer)
            }
        }
    };
}

two_coins!(Then, "then", |p, q, bits| p.try_flip(bits)? && q.try_flip(bits)?);
two_coins!(OrElse, "or_else", |p, q, bits| p.try_flip(bits)? || q.try_flip(bits)?);
two_coins!(Xor, "xor", |p, q, bits| p.try_flip(bits)? != q.try_flip(bits)?);

/// Created by [`Coin::power`]. See its documentation for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Power<C> {
    pub(crate) coin: C,
    pub(crate) n: u64,
}

impl<C> Power<C> {
    #[inline]
    pub(crate) const fn new(coin: C, n: u64) -> Self {
        Self { coin, n }
    }
}

impl<C: Coin> Machine for Power<C> {
    type Output = bool;

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        for _ in 0..self.n {
            if !self.coin.try_flip(bits)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
