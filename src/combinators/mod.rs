//! The structs behind the methods of [`Machine`](crate::Machine) and [`Coin`](crate::Coin), one file for each family.
//!
//! | combinator | answers | law | expected fair bits |
//! |---|---|---|---|
//! | [`p.not()`](crate::Coin::not) | not p | 1 − p | c_p |
//! | [`p.then(q)`](crate::Coin::then) | both, q only after heads | pq | c_p + p·c_q |
//! | [`p.or_else(q)`](crate::Coin::or_else) | either, q only after tails | p + (1 − p)q | c_p + (1 − p)·c_q |
//! | [`p.power(n)`](crate::Coin::power) | n flips, all heads, up to the first tails | pⁿ | c_p·(1 − pⁿ)/(1 − p) |
//! | [`p.xor(q)`](crate::Coin::xor) | exactly one | p + q − 2pq | c_p + c_q |
//! | [`p.mix(x, y)`](crate::Coin::mix) | x after heads, y after tails | p·X + (1 − p)·Y | c_p + p·c_x + (1 − p)·c_y |
//! | [`p.run()`](crate::Coin::run) | heads before the first tails | (1 − p)pⁿ | c_p/(1 − p) |
//! | [`p.parity_of_run()`](crate::Coin::parity_of_run) | is that even? | 1/(1 + p) | c_p/(1 − p) |
//! | [`run(family)`](run()) | the same, coin n of the family on flip n | p₁…pₙ(1 − pₙ₊₁) | Σ p₁…pₙ₋₁·cₙ |
//! | [`parity_of_run(family)`](parity_of_run()) | is that even? | 1 − p₁ + p₁p₂ − … | Σ p₁…pₙ₋₁·cₙ |
//! | [`m.map(f)`](crate::Machine::map) | f(m) | the image | c_m |
//! | [`m.and_then(f)`](crate::Machine::and_then) | the machine f(m) | Σ P(x)·f(x) | c_m + Σ P(x)·c_f(x) |
//! | [`m.zip(n)`](crate::Machine::zip) | both | the product | c_m + c_n |
//! | [`m.array::<N>()`](crate::Machine::array), [`m.repeat(n)`](crate::Machine::repeat) | N answers | the product | N·c_m |
//! | [`m.condition(holds)`](crate::Machine::condition) | m, again until it holds | P(x)/P(holds) | c_m/P(holds) |
//! | [`m.retry()`](crate::Machine::retry) | m, again until `Some` | P(x)/P(Some) | c_m/P(Some) |
//! | [`Certain::new(x)`](Certain) | x | x | 0 |
//! | [`m.erased()`](crate::Machine::erased), [`from_fn(f)`](from_fn()) | m behind a pointer; any function | the same | the same |

mod certain;
mod choice;
mod conditioning;
mod logic;
mod mapping;
mod product;
mod runs;

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
mod erased;
mod function;

pub use certain::Certain;
pub use choice::Mix;
pub use conditioning::{Condition, Retry};
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
pub use erased::Erased;
pub(crate) use function::latched;
pub use function::{External, FromFn, Halted, from_fn};
pub use logic::{Not, OrElse, Power, Then, Xor};
pub use mapping::{AndThen, Map};
#[cfg(feature = "alloc")]
pub use product::Repeat;
pub use product::{Array, Samples, Zip};
pub use runs::{Family, ParityOfRun, Run, Same, parity_of_run, run};

/// `Debug` for a struct whose other fields are closures and say nothing.
macro_rules! debug_fields {
    ($name:ident<$($of:ident),*> $(, $field:ident: $kind:ident)*) => {
        impl<$($of),*> core::fmt::Debug for $name<$($of),*>
        where
            $($kind: core::fmt::Debug,)*
        {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name))
                    $(.field(stringify!($field), &self.$field))*
                    .finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use debug_fields;
