//! What every public machine answers from one seed, and what holds of all of them, under any set of features.

#[path = "support/machines.rs"]
mod machines;

use std::fmt::Debug;
use std::thread;

use buffon::{BitBuffer, BitSource, Budget, BudgetError, Counted, Machine};
use machines::{Answer, SplitMix64, Visit, every_machine};

const SEED: u64 = 2011;

/// FNV-1a over the words of the answers, and at last over the number of bits drawn.
fn hash(machine: &impl Machine<Output: Answer>, seed: u64) -> u64 {
    let buffer = || BitBuffer::new(SplitMix64(seed));
    let mut bits = Counted::new(buffer());
    let answers: Vec<u64> = (0..1000).flat_map(|_| machine.sample(&mut bits).words()).collect();
    // Bit by bit, as counted, or by words, as a buffer may serve them: the same flips.
    assert!(
        answers.iter().copied().eq(machine.samples(buffer()).take(1000).flat_map(|of| of.words()))
    );
    let bytes = answers.into_iter().chain([bits.count()]).flat_map(u64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The hashes, which only a breaking release may change.
const GOLDEN: &[(&str, u64)] = &[
    ("Fair", 0xb52daf4183abfddc),
    ("Always", 0x67bb289c7aa85445),
    ("Never", 0xa56e1ecc3b7e2ac5),
    ("Dyadic 3/8", 0x4d0eff4d66d7a856),
    ("Dyadic 2^-64", 0x84b659ded2caf284),
    ("Dyadic 0.1", 0x6624fb50d18fe545),
    ("OneOver 7", 0x868f7d14633f6a85),
    ("OneOver 2^64-1", 0x84b659ded2caf284),
    ("Fraction 3/8", 0x4d0eff4d66d7a856),
    ("Rational<u8> 1/3", 0x2f43ec9d2b0628e4),
    ("Rational<u8> 254/255", 0xc896ae2aa6f5fa05),
    ("Rational<i16> 2/5", 0xebfa411ada8e4145),
    ("Rational<u32> 5/7", 0x3927146ed5452c04),
    ("Rational<u64> 5/12", 0x2250532f19aeb385),
    ("Rational<u128> 2^100/(2^128-1)", 0x84b659ded2caf284),
    ("Die 1", 0xa56e1ecc3b7e2ac5),
    ("Die 6", 0xffc7db9b15bbf585),
    ("Die 100", 0x2715e7d0257b5585),
    ("Die 2^63", 0xbffa461d66bd50a5),
    ("Die 2^64-1", 0xbdc625e2562be39f),
    ("ThreeWay", 0x3af65143098a47c7),
    ("PowerCoin 6", 0xa74d6ab8b2df7b92),
    ("PowerDie 6", 0x24cf33422b45cb20),
    ("Viglietta 6", 0x886cb96ba0915b48),
    ("Viglietta 2^64-1", 0x8395e2ce6d6c4c6f),
    ("PowerPair 3^3 of 2^5", 0xba04f4083d0f21a2),
    ("PowerPair 3^9 of 10^5", 0xfa7dd758d5925c61),
    ("not", 0x568103b443c4aae4),
    ("then", 0x37a4498b15185041),
    ("or_else", 0x557824fcf071a6c6),
    ("xor", 0xf752f43f5de905f7),
    ("mix", 0x4ae404eb649c325c),
    ("Coin::run", 0xd1b082639e9c37a9),
    ("Coin::parity_of_run", 0x058d945d66476629),
    ("run", 0x2139db3d49a98752),
    ("parity_of_run", 0x9dcc9c9a75c0dad2),
    ("Reciprocals", 0x9dcc9c9a75c0dad2),
    ("Harmonic", 0xae4e929bee9f43a3),
    ("map", 0x8591ef8d4ed7a801),
    ("and_then", 0x799598c8cfdf4669),
    ("zip", 0xcb098e1238059425),
    ("array", 0xdf931696e3af1c1b),
    ("condition", 0xa3f28b3ae3753c82),
    ("retry", 0x171ea80e15873b8b),
    ("from_fn", 0x2f43ec9d2b0628e4),
    ("integrate", 0x3ccf718060860f37),
    ("Weighted", 0xf9789906c173e089),
    ("Sequential", 0x396e431d99c6e196),
    ("repeat", 0xdf931696e3af1c1b),
    ("erased", 0xffc7db9b15bbf585),
    ("Rational<BigUint> 3^-100", 0x84b659ded2caf284),
    ("Slices", 0xeab09097d946525c),
    ("Slices 1/e", 0x1e648ae7c3659623),
    ("Ratios", 0x84b659ded2caf284),
    ("Roulette 6", 0xf16e799085a164ca),
    ("OneHead 3", 0xe20cb0d79eb95d8c),
    ("power", 0x437d222c39a0fcd4),
    ("first_return", 0x5273a9de108ef9ea),
    ("grammar", 0x535f3a3cf3c1a3d9),
    ("ballot", 0x1f8ef62c17eca6fe),
    ("Balanced", 0x11a8cb4035c5af44),
    ("TwoSteps", 0x06baf5faec874f49),
    ("inverse_pi", 0xb7d65495b34de0f7),
    ("Alias", 0xaf8d518187509707),
    ("FastDie", 0x22027e94bbbee748),
    ("integrate_bag", 0x2fd9efb54456efab),
    ("Batch", 0x984108484d64c493),
    ("compile", 0xc8cc85178885d465),
    ("inverse_pi_by_digits", 0x6b7431c09ca52b1c),
    ("Certain", 0xec553c3cf8fca745),
    ("inverse_e", 0x9dcc9c9a75c0dad2),
    ("exp_minus", 0x7a037565a000ad06),
    ("randomized_response", 0xa5cb505e1584ac26),
    ("tanh_of_half", 0xaacf300aa26c273a),
    ("inverse_cosh", 0x959adaf5751957dc),
    ("cos", 0xe3e733a34a1bde2f),
    ("sinc", 0x0ec76bab26ffccaa),
    ("bessel_j0", 0x5de3e4eda1670ca1),
    ("gauss_integral", 0xea09b8be1af92e19),
    ("arctan_over", 0xb5c7caf03d1bc51f),
    ("ln_one_plus_over", 0x637f2d3076641d17),
    ("inverse_sqrt_one_plus", 0x11b21f9ad4ae4263),
    ("eta 2", 0x0fb922db355ec712),
    ("beta 2", 0x653ac307dc5628c3),
    ("quarter_pi", 0xf6fe642ad275f2d4),
    ("eighth_pi", 0x91991cfc0e5f0580),
    ("OneOverFactorial 4", 0x90d3065f0ae22285),
    ("Zigzag 3", 0x2f43ec9d2b0628e4),
    ("von_neumann", 0xf4ab7d712c03c5f9),
    ("Poisson", 0x24be426e4e67bf14),
    ("logarithmic", 0xe9202db9f3353e72),
    ("polylogarithmic", 0xa5613cf362aea2fa),
    ("polylog", 0xd4038e4c80b2818a),
    ("race", 0xde855480fa41de0e),
    ("logistic", 0x4c0fd54d31446d70),
    ("one_over_one_plus", 0x7718e65753177ea8),
    ("Heads", 0x26fb125e878e8a1c),
    ("Choose", 0x62470c08747acf23),
    ("bernstein", 0xf56f53be0c502553),
    ("Hazard", 0xdecbbbd1a590e515),
    ("to_the", 0x582d45d5e6910dd9),
    ("Pgf", 0xe4ce20748fb5cb1b),
    ("ln_2 by an urn", 0x1a1073fa0a684450),
    ("quarter_pi by an urn", 0xea51ff4fc6811260),
    ("eta 3 by urns", 0x87514e043863c4a4),
    ("gauss_integral by an urn", 0x8eb7feae66be379a),
    ("half_arcsine", 0x3c4aec639ddce69b),
    ("elliptic", 0x8676609f003196d6),
    ("inverse_agm", 0x5af401e09e7525a3),
    ("ln_2 by a bag", 0x250166b9e337449e),
    ("linear", 0x1374e1ab76413db2),
    ("difference", 0x03fe7ff8072a3a23),
    ("known_over", 0xfcdd1b7e77bb2ced),
    ("continued_fraction 1/φ", 0xb27ff775c4d2e62c),
    ("ExpOverFour", 0x2a16f0e60d635a66),
    ("exp_minus_exp", 0x0adcda995532bbca),
    ("EarlyBernstein", 0x53cc0fbf05ca85dd),
    ("exp_minus_power", 0x0108743e022f5789),
    ("ThinnedPoisson", 0x3a52ddea72a72ae6),
    ("division", 0x2d592488be249173),
    ("BiasedSlices", 0x65929cb87f8937ea),
];

struct Golden {
    wrong: Vec<String>,
    seen: Vec<&'static str>,
}

impl Visit for Golden {
    fn opaque<M>(&mut self, name: &'static str, machine: M, _: fn(&M::Output) -> bool)
    where
        M: Machine<Output: Answer> + Send + Sync + Clone + Debug + 'static,
    {
        let found = hash(&machine, SEED);
        if !GOLDEN.contains(&(name, found)) {
            self.wrong.push(format!("    ({name:?}, {found:#018x}),"));
        }
        assert!(!self.seen.contains(&name), "{name} is there twice");
        self.seen.push(name);
    }
}

#[test]
fn t35_every_machine_answers_a_thousand_times_as_ever() {
    let mut golden = Golden { wrong: Vec::new(), seen: Vec::new() };
    every_machine(&mut golden);
    assert!(golden.wrong.is_empty(), "not the stored hashes:\n{}", golden.wrong.join("\n"));
    assert!(!cfg!(feature = "exact") || golden.seen.len() == GOLDEN.len(), "a hash of no machine");
}

/// A machine is shared by reference with two threads, each of which has a generator of its own.
struct Shared;

impl Visit for Shared {
    fn opaque<M>(&mut self, name: &'static str, machine: M, _: fn(&M::Output) -> bool)
    where
        M: Machine<Output: Answer> + Send + Sync + Clone + Debug + 'static,
    {
        let shared = &machine;
        let both = thread::scope(|scope| {
            let threads = [SEED, SEED + 1].map(|seed| scope.spawn(move || hash(shared, seed)));
            threads.map(|thread| thread.join().unwrap())
        });
        assert_eq!(both, [SEED, SEED + 1].map(|seed| hash(&machine, seed)), "{name}");
        // A clone is the same machine, and so is a reference to it.
        assert_eq!(hash(&machine.clone(), SEED), both[0], "{name}");
        assert_eq!(hash(&&machine, SEED), both[0], "{name}");
        assert!(!format!("{machine:?}").is_empty(), "{name}");
    }
}

#[test]
fn t37_every_machine_is_send_sync_clone_debug_and_shared_by_threads() {
    every_machine(&mut Shared);
}

/// A source that repeats a pattern of 64 flips for ever.
struct Pattern(u64);

impl BitSource for Pattern {
    type Error = std::convert::Infallible;

    fn try_bit(&mut self) -> Result<bool, Self::Error> {
        let bit = self.0 & 1 == 1;
        self.0 = self.0.rotate_right(1);
        Ok(bit)
    }
}

const PATTERNS: [u64; 4] = [0, u64::MAX, 0xaaaa_aaaa_aaaa_aaaa, 0x5555_5555_5555_5555];

struct Bounded;

impl Visit for Bounded {
    fn opaque<M>(&mut self, name: &'static str, machine: M, legal: fn(&M::Output) -> bool)
    where
        M: Machine<Output: Answer> + Send + Sync + Clone + Debug + 'static,
    {
        for pattern in PATTERNS {
            let mut bits = Counted::new(Budget::new(Pattern(pattern), 4096));
            match machine.try_sample(&mut bits) {
                Ok(answer) => assert!(legal(&answer), "{name} on {pattern:x}: {answer:?}"),
                Err(BudgetError::Exhausted) => assert_eq!(bits.count(), 4096, "{name}"),
                Err(BudgetError::Source(never)) => match never {},
            }
        }
    }
}

#[test]
fn t30_every_machine_is_legal_or_out_of_budget_on_adversarial_bits() {
    every_machine(&mut Bounded);
}

/// Whatever the bits, and wherever the source fails, an error is the source's own and the machine stays usable.
struct Failing;

impl Visit for Failing {
    fn opaque<M>(&mut self, name: &'static str, machine: M, legal: fn(&M::Output) -> bool)
    where
        M: Machine<Output: Answer> + Send + Sync + Clone + Debug + 'static,
    {
        let sample = |budget| {
            let mut bits = Budget::new(BitBuffer::new(SplitMix64(SEED)), budget);
            let answer = machine.try_sample(&mut bits);
            (answer, budget - bits.left())
        };
        let (wanted, taken) = sample(1 << 20);
        assert!(legal(wanted.as_ref().unwrap()), "{name}");
        for budget in 0..taken.min(200) {
            assert_eq!(sample(budget), (Err(BudgetError::Exhausted), budget), "{name}");
        }
        assert_eq!(sample(taken), (wanted, taken), "{name}");
    }
}

#[test]
fn t32_every_machine_hands_on_the_sources_error() {
    every_machine(&mut Failing);
}

/// The names of the types that were visited.
struct Named(String);

impl Visit for Named {
    fn opaque<M>(&mut self, _: &'static str, _: M, _: fn(&M::Output) -> bool)
    where
        M: Machine<Output: Answer> + Send + Sync + Clone + Debug + 'static,
    {
        self.0 += std::any::type_name::<M>();
        self.0.push(' ');
    }
}

#[test]
#[cfg(feature = "exact")]
fn every_machine_of_the_source_is_in_the_list() {
    // An outside coin has no law, the urn and the bag live within a closure, `Step` is a part of their law, and `Narrow` and
    // `Split` are for tests beside them.
    let others = ["External", "Urn", "Bag", "Step", "Narrow", "Split"];
    let mut visited = Named(String::new());
    every_machine(&mut visited);
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    let mut missing = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // What the explorer and the tests wrap around a machine is no machine of the catalogue.
                if !path.ends_with("explore") && !path.ends_with("conformance") {
                    folders.push(path);
                }
                continue;
            }
            let code = std::fs::read_to_string(&path).unwrap();
            for line in code.lines().filter(|line| line.trim_start().starts_with("impl")) {
                let Some((_, name)) = line.split_once(" Machine for ") else { continue };
                let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
                let known = visited.0.contains(&format!("::{}", &name[..end]));
                if !name[..end].is_empty() && !known && !others.contains(&&name[..end]) {
                    missing.push(name[..end].to_owned());
                }
            }
        }
    }
    assert!(missing.is_empty(), "add to tests/support/machines.rs: {missing:?}");
}
