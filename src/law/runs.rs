//! The laws of the runs: those of their families.

use super::cost::Cost;
use super::error::LawError;
use super::family::KnownFamily;
use super::known::KnownLaw;
use super::outcomes::Law;
use super::tail::Tail;
use crate::combinators::{ParityOfRun, Run};

macro_rules! of_family {
    ($name:ident: $output:ty, |$family:ident, $places:ident| $law:expr) => {
        impl<F: KnownFamily> KnownLaw for $name<F> {
            fn law_at(&self, $places: u32) -> Result<Law<$output>, LawError> {
                let $family = &self.family;
                $law
            }

            fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
                self.family.run_bits_at(places)
            }

            fn tail(&self) -> Tail {
                self.family.run_tail()
            }

            fn ceiling() -> Option<u64> {
                F::run_ceiling()
            }
        }
    };
}

of_family!(Run: u64, |family, places| family.run_at(places));
of_family!(ParityOfRun: bool, |family, places| Ok(Law::coin(family.parity_at(places)?)));
