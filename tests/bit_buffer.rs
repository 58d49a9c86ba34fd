//! What `BitBuffer` promises: each bit of each word once, in order, also where the generator fails.

use std::cell::Cell;

use buffon::{BitBuffer, BitSource, Script};
use proptest::prelude::*;
use rand::TryRng;

/// A generator of given words that counts how many it gave, and fails once before each word whose number is in `fails`.
struct Words<'a> {
    words: Vec<u64>,
    given: &'a Cell<usize>,
    fails: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Failed;

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the generator failed")
    }
}

impl std::error::Error for Failed {}

impl TryRng for Words<'_> {
    type Error = Failed;

    fn try_next_u32(&mut self) -> Result<u32, Failed> {
        panic!("only try_next_u64 may be called")
    }

    fn try_next_u64(&mut self) -> Result<u64, Failed> {
        let number = self.given.get();
        if let Some(at) = self.fails.iter().position(|&fail| fail == number) {
            self.fails.swap_remove(at);
            return Err(Failed);
        }
        self.given.set(number + 1);
        Ok(*self.words.get(number).expect("a word more than was written down"))
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Failed> {
        panic!("only try_next_u64 may be called")
    }
}

/// The bits of the words, each from its lowest bit up.
fn flips(words: &[u64]) -> Vec<bool> {
    words.iter().flat_map(|word| (0..64).map(move |place| word >> place & 1 == 1)).collect()
}

/// One call of the source, whose answer is told as text.
#[derive(Clone, Copy, Debug)]
enum Call {
    Bit,
    Bits(u32),
    Tails,
    Within(u64),
    Ratio(u64, u64),
    Below(u64),
    /// A word of the code H, TH, TTH, …, which ends after so many flips at most.
    Code(u32),
}

/// Its table: the length of the word that a place begins with, and above it the word.
fn runs(most: u32) -> Vec<u32> {
    let entry = |place: u32| {
        let length = (place.trailing_zeros() + 1).min(most);
        (place & ((1 << length) - 1)) << 5 | length
    };
    (0..1 << most).map(entry).collect()
}

impl Call {
    fn answer<B: BitSource>(self, bits: &mut B) -> Result<String, B::Error> {
        Ok(match self {
            Self::Bit => bits.try_bit()?.to_string(),
            Self::Bits(n) => bits.try_bits(n)?.to_string(),
            Self::Tails => bits.try_tails()?.to_string(),
            Self::Within(limit) => format!("{:?}", bits.try_tails_within(limit)?),
            Self::Ratio(num, den) => bits.try_ratio(num, den)?.to_string(),
            Self::Below(n) => bits.try_below(n)?.to_string(),
            Self::Code(most) => bits.try_code(&runs(most))?.to_string(),
        })
    }
}

fn any_call() -> impl Strategy<Value = Call> {
    prop_oneof![
        Just(Call::Bit),
        (0..=70u32).prop_map(Call::Bits),
        Just(Call::Tails),
        prop_oneof![0..=8u64, 60..=200u64].prop_map(Call::Within),
        (0..=9u64, 1..=9u64).prop_map(|(num, den)| Call::Ratio(num, den)),
        prop_oneof![0..=300u64, any::<u64>()].prop_map(Call::Below),
        (0..=9u32).prop_map(Call::Code),
    ]
}

/// Words that are often all tails, or nearly: the rare paths.
fn any_word() -> impl Strategy<Value = u64> {
    prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), (0..64u32).prop_map(|place| 1 << place)]
}

proptest! {
    /// Any calls in any order answer as they do from the same flips written down, and draw a word only when its first bit
    /// is needed. `Script` answers every call from single bits.
    #[test]
    fn serves_the_written_flips(
        words in prop::collection::vec(any_word(), 40),
        calls in prop::collection::vec(any_call(), 1..40),
    ) {
        let mut script = Script::from(flips(&words));
        let given = Cell::new(0);
        let mut buffer = BitBuffer::new(Words { words, given: &given, fails: Vec::new() });
        for call in calls {
            let Ok(expected) = call.answer(&mut script) else { break };
            prop_assert_eq!(call.answer(&mut buffer).unwrap(), expected, "{:?}", call);
            prop_assert_eq!(given.get(), script.position().div_ceil(64), "{:?}", call);
        }
    }

    /// A failure in the middle of a call loses nothing: the source goes on with the bits that were in hand.
    #[test]
    fn a_failure_of_an_instruction_of_the_buffer_loses_nothing(
        words in prop::collection::vec(any_word(), 1..8),
        start in 0..64u32,
        calls in prop::collection::vec(
            prop_oneof![(0..=64u32).prop_map(Call::Bits), Just(Call::Tails), (0..=200u64).prop_map(Call::Within), (0..=9u32).prop_map(Call::Code)],
            1..20,
        ),
        fails in prop::collection::vec(0..8usize, 0..6),
    ) {
        let mut script = Script::from(flips(&words));
        let given = Cell::new(0);
        let mut buffer = BitBuffer::new(Words { words, given: &given, fails });
        for call in std::iter::once(Call::Bits(start)).chain(calls) {
            let Ok(expected) = call.answer(&mut script) else { break };
            let answer = (0..=6).find_map(|_| call.answer(&mut buffer).ok());
            prop_assert_eq!(answer, Some(expected), "{:?}", call);
        }
    }
}

#[test]
fn every_bit_of_every_word_once_and_in_order() {
    let words =
        vec![0x0123_4567_89ab_cdef, u64::MAX, 0, 0x8000_0000_0000_0001, 0xf0f0_f0f0_0f0f_0f0f];
    let all = flips(&words);
    // Batches of every size, so that they start and end at every place of a word.
    for size in 1..=64u32 {
        let given = Cell::new(0);
        let mut buffer =
            BitBuffer::new(Words { words: words.clone(), given: &given, fails: vec![] });
        let mut served = Vec::new();
        while served.len() + size as usize <= all.len() {
            let batch = buffer.try_bits(size).unwrap();
            assert_eq!(batch.checked_shr(size).unwrap_or(0), 0, "zeros above the {size} flips");
            served.extend((0..size).map(|place| batch >> place & 1 == 1));
        }
        served.extend((served.len()..all.len()).map(|_| buffer.try_bit().unwrap()));
        assert_eq!(served, all, "batches of {size}");
        assert_eq!(given.get(), words.len());
    }
}

#[test]
fn nothing_is_drawn_before_the_first_flip_and_the_65th_draws_the_second_word() {
    let given = Cell::new(0);
    let mut buffer = BitBuffer::new(Words { words: vec![1, 1, 1], given: &given, fails: vec![] });
    assert_eq!(buffer.try_bits(0), Ok(0));
    assert_eq!(buffer.try_tails_within(0), Ok(None));
    assert_eq!(given.get(), 0);
    for flip in 0..64 {
        assert_eq!(buffer.try_bit(), Ok(flip == 0));
        assert_eq!(given.get(), 1);
    }
    assert_eq!(buffer.try_bit(), Ok(true));
    assert_eq!(given.get(), 2);
    assert_eq!(buffer.try_bits(63), Ok(0));
    assert_eq!(given.get(), 2);
    assert_eq!(buffer.try_bits(64), Ok(1));
    assert_eq!(given.get(), 3);
}

#[test]
fn a_generator_that_fails_on_word_1_2_or_3_loses_nothing() {
    let words = vec![0, 0b100 << 61, 0x0123_4567_89ab_cdef];
    for fails in 0..3 {
        let run = |call: Call| {
            let given = Cell::new(0);
            let mut buffer =
                BitBuffer::new(Words { words: words.clone(), given: &given, fails: vec![fails] });
            let mut failures = 0;
            let mut answers = Vec::new();
            while answers.len() < 3 {
                match call.answer(&mut buffer) {
                    Ok(answer) => answers.push(answer),
                    Err(Failed) => failures += 1,
                }
            }
            (answers, failures)
        };
        // 127 tails come first, then a heads; the third word starts with HHHHTHH.
        assert_eq!(run(Call::Tails), (vec!["127".into(), "0".into(), "0".into()], 1));
        let within = |limit| run(Call::Within(limit)).0;
        assert_eq!(within(127), ["None", "Some(0)", "Some(0)"]);
        assert_eq!(within(128), ["Some(127)", "Some(0)", "Some(0)"]);
        assert_eq!(within(100), ["None", "Some(27)", "Some(0)"]);
        let whole = ["0".into(), words[1].to_string(), words[2].to_string()];
        assert_eq!(run(Call::Bits(64)), (whole.into(), 1));
    }
}

#[test]
fn a_dyn_generator_is_a_generator() {
    let given = Cell::new(0);
    let mut words = Words { words: vec![0b110, 5], given: &given, fails: vec![1] };
    let words: &mut dyn TryRng<Error = Failed> = &mut words;
    let mut buffer = BitBuffer::new(words);
    assert_eq!(buffer.try_tails(), Ok(1));
    assert_eq!(buffer.try_bits(62), Ok(1));
    assert_eq!(buffer.try_tails_within(2), Err(Failed));
    assert_eq!(buffer.try_tails_within(2), Ok(Some(0)));
    let mut bits: Box<dyn BitSource<Error = Failed>> =
        Box::new(BitBuffer::new(buffer.into_inner()));
    assert_eq!(given.get(), 2);
    assert_eq!(bits.try_bits(0), Ok(0));
}
