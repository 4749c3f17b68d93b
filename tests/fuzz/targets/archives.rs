//! libFuzzer's entry to the target `archives`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gemlens_tests::fuzz::archives(bytes));
