#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| chunkeval_tests::fuzzed::llm_answers(bytes));
