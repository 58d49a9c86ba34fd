use crate::bits::BitSource;
use crate::coin::Coin;
use crate::machine::Machine;

/// Created by [`Coin::mix`]. See its documentation for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Mix<C, X, Y> {
    pub(crate) coin: C,
    pub(crate) heads: X,
    pub(crate) tails: Y,
}

impl<C, X, Y> Mix<C, X, Y> {
    #[inline]
    pub(crate) const fn new(coin: C, heads: X, tails: Y) -> Self {
        Self { coin, heads, tails }
    }
}

impl<C: Coin, X: Machine, Y: Machine<Output = X::Output>> Machine for Mix<C, X, Y> {
    type Output = X::Output;

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<X::Output, B::Error> {
        if self.coin.try_flip(bits)? {
            self.heads.try_sample(bits)
        } else {
            self.tails.try_sample(bits)
        }
    }
}
