//! The fuzz target, bounded: bytes at random, and texts that have much in common.

use proptest::prelude::*;

const PIECES: [&[u8]; 24] = [
    b"\xFF",
    b"\xFF",
    b"\n",
    b"\n",
    b" ",
    b" ",
    b"a",
    b"oil",
    b"Oil",
    b"*",
    b"oil*",
    b"e-mail",
    b"30",
    "é".as_bytes(),
    "É".as_bytes(),
    "ß".as_bytes(),
    "SS".as_bytes(),
    "İ".as_bytes(),
    "e\u{301}".as_bytes(),
    "ΣΑΣ".as_bytes(),
    "東京".as_bytes(),
    "🇩🇪".as_bytes(),
    b"\0",
    b"\xC3",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_bytes_can_be_compared(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        change::fuzz(&bytes);
    }

    #[test]
    fn any_similar_texts_can_be_compared(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60),
    ) {
        change::fuzz(&pieces.concat());
    }
}
