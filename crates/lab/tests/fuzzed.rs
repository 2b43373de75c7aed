//! The fuzz target, bounded: bytes at random, pieces of files in random order, and sound files with
//! something wrong in them.

use proptest::prelude::*;

const PIECES: [&str; 50] = [
    "{",
    "}",
    "[",
    "]",
    "[[",
    "]]",
    ",",
    ",",
    ":",
    "\"",
    "\n",
    "\r\n",
    " ",
    "\u{feff}",
    "0",
    "1",
    "2",
    "3",
    "-1",
    "0.5",
    "1e308",
    "1e400",
    "4000000000",
    "18446744073709551616",
    "NaN",
    "null",
    "true",
    "\"x\"",
    "\"chronons\":",
    "\"budget\":",
    "\"costs\":",
    "\"profiles\":",
    "\"id\":",
    "\"utility\":",
    "\"ceis\":",
    "[0,1,2]",
    "[[0,0,0],[1,1,2]]",
    "{\"chronons\":3,\"budget\":1,",
    "{\"id\":1,\"ceis\":[[[0,0,1]]]}",
    "source,rate\n",
    "source,time\n",
    "source,time,weight\n",
    "a,1\n",
    "b,2\n",
    "\"a,b\",3\n",
    "c,0.25,1\n",
    "d,-4\n",
    "e,86400\n",
    "f",
    "é",
];

const INSTANCE: &str = "{\"chronons\": 5, \"budget\": [1, 0, 2, 1.5, 1], \"costs\": [1, 2, 0.5],
 \"profiles\": [
  {\"id\": 3, \"utility\": 2.5, \"ceis\": [[[0, 0, 4], [1, 2, 3]], [[2, 4, 4]]]},
  {\"id\": 1, \"ceis\": [[[1, 0, 1], [1, 1, 4], [0, 3, 3]]]}]}";
const RATES: &str = "source,rate\na,0.5\nb,2\n\"c,d\",0\ne,1e-9\n";
const TRACE: &str = "source,time,weight\na,0,1\nb,86400.5,2\na,3e5,0\n";

/// A place, what is taken out there, and what is put in.
fn damages() -> impl Strategy<Value = Vec<(prop::sample::Index, usize, &'static str)>> {
    let piece = prop::sample::select(&PIECES[..]);
    prop::collection::vec((any::<prop::sample::Index>(), 0..3_usize, piece), 0..3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        lab::fuzz(&bytes);
    }

    #[test]
    fn any_pieces_are_read_or_refused(
        choice in 0..3_u8,
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40),
    ) {
        lab::fuzz(&[&[choice], pieces.concat().as_bytes()].concat());
    }

    #[test]
    fn a_damaged_file_is_read_or_refused(choice in 0..3_u8, damages in damages()) {
        let mut text = [INSTANCE, RATES, TRACE][usize::from(choice)].as_bytes().to_vec();
        for (place, taken, put) in damages {
            let from = place.index(text.len() + 1);
            let until = (from + taken).min(text.len());
            text.splice(from..until, put.bytes());
        }
        lab::fuzz(&[&[choice][..], &text].concat());
    }
}

#[test]
fn sound_files_are_read() {
    for (choice, text) in [INSTANCE, RATES, TRACE].iter().enumerate() {
        lab::fuzz(&[&[choice as u8], text.as_bytes()].concat());
    }
}
