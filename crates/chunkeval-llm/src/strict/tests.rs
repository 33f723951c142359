//! What Python 3.11's `ast.literal_eval` accepts, prints and refuses.

use super::literal;
use crate::FaultKind;

#[test]
fn lines_are_pythons() {
    for text in [
        "{}",
        "\n{}",
        "# c\n{}",
        "\x0c{}",
        " \x0c{}",
        "{}\n \x0c \n",
        "{}\n   # c",
        "{}\r",
        "\r{}",
        "\\\n{}",
        "{\\\n}",
        "{} \\\n\n",
        "  {}",
        "{}\n\n  \n",
        "{'a'\r: # c\n 1}",
        "[1\n\n,#c\n2]",
    ] {
        assert!(literal(text).is_ok(), "{text:?}");
    }
    for text in [
        "\n {}",
        "\x0c {}",
        "{}\n  ",
        "{}\\\n",
        "{}\n  \\\n",
        "{}\u{3000}",
        "\u{feff}{}",
        "{}\x0b",
        "{}\0",
        "1\n+2j",
        "{}\n{}",
        "",
        "\n",
        "#",
        "1\n;",
        "[1]\\ \n",
        "1,\n2",
    ] {
        assert!(literal(text).is_err(), "{text:?}");
    }
}

#[test]
fn values_print_as_python_prints_them() {
    for (text, printed) in [
        ("{'a': [1, 'b',], 'c': ()}", "{'a': [1, 'b'], 'c': ()}"),
        ("(set)()", "set()"),
        ("set(\n)", "set()"),
        ("(((1)))", "1"),
        ("(1,)", "(1,)"),
        ("{1:2},{3:4}", "({1: 2}, {3: 4})"),
        ("1,", "(1,)"),
        ("{1:1,1.0:2,True:3}", "{1: 3}"),
        ("{'a': ..., 'b': None}", "{'a': Ellipsis, 'b': None}"),
        ("(-1)+(2j)", "(-1+2j)"),
        ("(1\n+2j)", "(1+2j)"),
        ("(-\n1)", "-1"),
        ("-(1)", "-1"),
        ("\"it's\"", "\"it's\""),
    ] {
        assert_eq!(literal(text).unwrap().to_string(), printed, "{text}");
    }
}

#[test]
fn what_eval_would_run_is_no_literal() {
    for text in [
        "__import__('os').getcwd()",
        "null",
        "{'a': true}",
        "set",
        "set(1)",
        "set()()",
        "[1][0]",
        "{}()",
        "'a'.b",
        "1 if 1 else 2",
        "[x for x in y]",
        "--1",
        "-(-1)",
        "-True",
        "1+2",
        "1j+1",
        "1j+2j",
        "1+-2j",
        "'a'+'b'",
        "~1",
        "not 1",
        "[*[1]]",
        "{**{}}",
        "lambda: 1",
        "f''",
        "1-2",
    ] {
        assert!(literal(text).is_err(), "{text}");
    }
}

#[test]
fn brackets_commas_and_keys() {
    for text in [
        "[1,,2]",
        "[,]",
        "(,)",
        "{,}",
        "{1:2,,}",
        "{1:2,3}",
        "{1,2:3}",
        "{[1]:2}",
        "{(1,[2]):3}",
        "{{1}}",
        "{set():1}",
        "1 2",
        "[1",
        "[1)",
        "]",
        "{1:}",
        "{'a' 1}",
        "1;",
        "{'a':1}x",
    ] {
        assert!(literal(text).is_err(), "{text}");
    }
    let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
    assert!(literal(&nested(200)).is_ok());
    let fault = literal(&nested(201)).unwrap_err();
    assert_eq!((fault.kind, fault.offset), (FaultKind::TooDeep { limit: 200 }, 200));
}
