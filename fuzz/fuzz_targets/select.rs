#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| select::fuzz(text));
