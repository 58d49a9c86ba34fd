//! The import rule of DESIGN.md: a room uses only rooms above it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each room of `src/`, and the rooms that it may use.
const ROOMS: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("ratio", &["error"]),
    ("bits", &["error", "ratio"]),
    // The one permitted circle, as between `Iterator` and its adapters.
    ("machine", &["bits", "combinators"]),
    ("coin", &["bits", "machine", "combinators"]),
    ("combinators", &["bits", "machine", "coin", "error"]),
    ("law", &["ratio", "bits", "machine", "coin", "combinators", "error"]),
    ("coins", &["error", "ratio", "bits", "machine", "coin", "combinators", "law"]),
    ("dice", &["error", "ratio", "bits", "machine", "coin", "combinators", "law", "coins"]),
    ("lanes", &["ratio", "bits", "machine", "coin", "combinators", "law", "coins"]),
    ("walks", &["bits", "machine", "coin", "combinators", "law", "coins"]),
    ("uniform", &["error", "bits", "machine", "coin", "combinators", "law", "coins", "explore"]),
    ("transmuter", &["error"]),
    (
        "conformance",
        &["error", "bits", "machine", "coin", "combinators", "law", "coins", "dice", "explore"],
    ),
    ("explore", &["bits", "machine", "law"]),
    ("factories", &["error", "bits", "machine", "coin", "combinators", "law", "coins"]),
    (
        "catalogue",
        &[
            "error",
            "bits",
            "machine",
            "coin",
            "combinators",
            "law",
            "coins",
            "dice",
            "factories",
            "uniform",
        ],
    ),
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("src/ is there").map(|entry| entry.expect("readable").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The rooms that a line of code names as `crate::room`.
fn named(line: &str) -> impl Iterator<Item = String> {
    let code = line.split("//").next().unwrap_or("").to_owned();
    // What a macro writes as `$crate::` stands in the code of whoever calls it.
    let mine = |at: usize| !code[..at].ends_with('$');
    let names = code.match_indices("crate::").filter(|(at, _)| mine(*at)).map(|(at, found)| {
        let rest = &code[at + found.len()..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        rest[..end].to_owned()
    });
    names.collect::<Vec<_>>().into_iter()
}

#[test]
fn a_room_uses_only_rooms_above_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = BTreeSet::new();
    for file in files(&src) {
        let inside = file.strip_prefix(&src).expect("a file of src/");
        let first = inside.components().next().expect("a name").as_os_str();
        let room = Path::new(first).file_stem().and_then(|stem| stem.to_str()).expect("a name");
        if room == "lib" {
            continue;
        }
        let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
            wrong.insert(format!("{room} is not in the table of rooms"));
            continue;
        };
        let text = fs::read_to_string(&file).expect("readable");
        // Unit tests at the end of a file may use what they like.
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or("");
        for used in code.lines().flat_map(named).filter(|used| used != room) {
            if !allowed.contains(&used.as_str()) {
                wrong.insert(format!("{} uses {used}", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_rule_can_fail() {
    assert_eq!(named("use crate::law::Bracket; // crate::bits").collect::<Vec<_>>(), ["law"]);
    assert_eq!(named("$crate::check(crate::bits)").collect::<Vec<_>>(), ["bits"]);
    assert!(!ROOMS.iter().any(|(room, allowed)| *room == "bits" && allowed.contains(&"law")));
}
