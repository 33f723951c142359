//! The loop in tch that both READMEs show is this one, and it runs.

// A failed unwrap is a failed test; clippy excuses only the test functions themselves.
#![allow(clippy::unwrap_used)]

include!("train.rs");

const LOOP: &str = include_str!("train.rs");
const READMES: [&str; 2] =
    [include_str!("../../../../README.md"), include_str!("../../../../README.zh-CN.md")];

#[test]
fn the_loop_of_the_readmes_runs() {
    let code = |text: &str| -> Vec<String> {
        let code = text.lines().map(|line| line.split(" // ").next().unwrap_or(line).trim_end());
        code.filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned).collect()
    };
    for readme in READMES {
        assert!(code(readme).join("\n").contains(&code(LOOP).join("\n")), "{LOOP}");
    }

    let folder = tempfile::tempdir().unwrap();
    std::env::set_current_dir(&folder).unwrap();
    let tokens = Tensor::from_slice(&[1i64, 2, 0, 1, 0, 0]).view([2, 3]);
    let lengths = Tensor::from_slice(&[3i64, 1]);
    // A model that knows the answer: the class of a token is its id.
    train(
        |tokens| tokens.one_hot(3).to_kind(tch::Kind::Float),
        &[(tokens.copy(), tokens, lengths)],
    )
    .unwrap();
    assert_eq!(std::fs::read_dir("runs/ner").unwrap().count(), 1, "one event file");
}
