#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    // What formats once must format again to itself.
    if let Ok(formatted) = sentinel::format(text) {
        assert_eq!(sentinel::format(&formatted).as_ref(), Ok(&formatted));
    }
});
