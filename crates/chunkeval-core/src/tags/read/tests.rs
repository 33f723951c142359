//! Labels by style, reading, notation and mode.

use super::{LabelReading::*, Position::*, Scheme::*, TagStyle::*, *};

fn read(
    label: &str,
    style: TagStyle,
    reading: LabelReading,
    mode: Mode,
) -> Option<(Position, &str)> {
    Spelling { style, reading, ..Spelling::default() }.read(label, mode)
}

#[test]
fn delimiters_and_notations() {
    let read = |label, style, delimiter: &str, notation| {
        let delimiter = delimiter.to_owned();
        Spelling { style, notation, delimiter, ..Spelling::default() }.read(label, Mode::Lenient)
    };
    for (label, style, delimiter, notation, expected) in [
        ("B_PER_X", Prefix, "_", Notation::Usual, Some((Begin, "PER_X"))),
        ("PER_X_I", Suffix, "_", Notation::Usual, Some((Inside, "PER_X"))),
        ("B-PER", Prefix, "_", Notation::Usual, None),
        ("B::PER", Prefix, "::", Notation::Usual, Some((Begin, "PER"))),
        ("B:PER", Prefix, "::", Notation::Usual, None),
        ("B人名", Prefix, "", Notation::Usual, Some((Begin, "人名"))),
        ("人名B", Suffix, "", Notation::Usual, Some((Begin, "人名"))),
        ("人名", Prefix, "", Notation::Usual, None),
        ("OPER", Prefix, "", Notation::Usual, None),
        ("O", Prefix, "", Notation::Usual, Some((Outside, "_"))),
        ("", Prefix, "", Notation::Usual, None),
        ("M-X", Prefix, "-", Notation::Bmes, Some((Inside, "X"))),
        ("X-W", Suffix, "-", Notation::Bmes, Some((Single, "X"))),
        ("S", Prefix, "-", Notation::Bmes, Some((Single, "_"))),
        ("I-X", Prefix, "-", Notation::Bmes, None),
        ("L-X", Prefix, "-", Notation::Bilou, Some((End, "X"))),
        ("E-X", Prefix, "-", Notation::Bilou, None),
    ] {
        assert_eq!(read(label, style, delimiter, notation), expected, "{label:?} {delimiter:?}");
    }
}

#[test]
fn strict_reading() {
    for (label, style, expected) in [
        ("O", Prefix, Some((Outside, "_"))),
        ("O", Suffix, Some((Outside, "_"))),
        ("B", Suffix, Some((Begin, "_"))),
        ("B-PER", Prefix, Some((Begin, "PER"))),
        ("S-geo-loc", Prefix, Some((Single, "geo-loc"))),
        ("B--X", Prefix, Some((Begin, "-X"))),
        ("E-人名", Prefix, Some((End, "人名"))),
        ("机构-名-I", Suffix, Some((Inside, "机构-名"))),
        ("PER-B", Prefix, None),
        ("B-PER", Suffix, None),
        ("B-", Prefix, None),
        ("-B", Suffix, None),
        ("", Prefix, None),
        ("O-X", Prefix, None),
        ("BPER", Prefix, None),
        ("PLACE", Prefix, None),
        ("b-PER", Prefix, None),
        ("o", Prefix, None),
        ("U-PER", Prefix, None),
    ] {
        assert_eq!(read(label, style, Strict, Mode::Lenient), expected, "{label:?} {style:?}");
    }
}

#[test]
fn seqeval_reading() {
    for (label, style, expected) in [
        ("B-geo-loc", Prefix, Some((Begin, "geo-loc"))),
        ("BPER", Prefix, Some((Begin, "PER"))),
        ("Bgeo-loc", Prefix, Some((Begin, "loc"))),
        ("B--X", Prefix, Some((Begin, "-X"))),
        ("B-X-", Prefix, Some((Begin, "X-"))),
        ("B-", Prefix, Some((Begin, "_"))),
        ("PER", Prefix, Some((Other, "ER"))),
        ("ORG", Prefix, Some((Outside, "RG"))),
        ("B—PER", Prefix, Some((Begin, "—PER"))),
        ("о", Prefix, Some((Other, "_"))),
        (".", Prefix, Some((Dot, "_"))),
        ("geo-loc-B", Suffix, Some((Begin, "geo-loc"))),
        ("PERB", Suffix, Some((Begin, "PER"))),
        ("geo-locB", Suffix, Some((Begin, "geo"))),
        ("X--B", Suffix, Some((Begin, "X-"))),
        ("-B", Suffix, Some((Begin, "_"))),
        ("", Prefix, None),
    ] {
        assert_eq!(read(label, style, Reference, Mode::Lenient), expected, "{label:?} {style:?}");
    }
}

#[test]
fn conlleval_reading() {
    for (label, style, reading, expected) in [
        ("B-geo-loc", Prefix, Reference, (Begin, "geo-loc")),
        ("B--X", Prefix, Reference, (Begin, "-X")),
        ("BPER", Prefix, Reference, (Other, "")),
        ("B", Prefix, Reference, (Begin, "")),
        ("B-", Prefix, Reference, (Begin, "")),
        ("B-0", Prefix, Reference, (Begin, "")),
        ("B-00", Prefix, Reference, (Begin, "00")),
        ("B-_", Prefix, Reference, (Begin, "_")),
        ("-X", Prefix, Reference, (Other, "X")),
        ("S-X", Prefix, Reference, (Other, "X")),
        ("BX-X", Prefix, Reference, (Other, "X")),
        ("[-X", Prefix, Reference, (Single, "X")),
        ("]", Prefix, Reference, (Single, "")),
        (".-X", Prefix, Reference, (Dot, "X")),
        ("O-X", Prefix, Reference, (Outside, "X")),
        ("", Prefix, Reference, (Other, "")),
        ("geo-loc-B", Suffix, Reference, (Begin, "geo-loc")),
        ("0-E", Suffix, Reference, (End, "")),
        ("S-X", Prefix, Strict, (Other, "X")),
        ("X-E", Suffix, Strict, (End, "X")),
        ("B", Prefix, Strict, (Begin, "_")),
        ("B-0", Prefix, Strict, (Begin, "0")),
    ] {
        let found = read(label, style, reading, Mode::Conlleval);
        assert_eq!(found, Some(expected), "{label:?} {style:?} {reading:?}");
    }
    for label in ["U-X", "[-X", ".", "O-X", "BPER", ""] {
        assert_eq!(read(label, Prefix, Strict, Mode::Conlleval), None, "{label:?}");
    }
}

#[test]
fn readings_under_a_scheme() {
    for (label, style, reading, scheme, expected) in [
        ("U-PER", Prefix, Strict, Bilou, Some((Single, "PER"))),
        ("PER-L", Suffix, Strict, Bilou, Some((End, "PER"))),
        ("L", Prefix, Strict, Bilou, Some((End, "_"))),
        ("O", Suffix, Strict, Ioe1, Some((Outside, "_"))),
        ("S-PER", Prefix, Strict, Bilou, None),
        ("U-PER", Prefix, Strict, Iobes, None),
        ("E-PER", Prefix, Strict, Iob2, None),
        ("B", Prefix, Strict, Ioe2, None),
        ("O-PER", Prefix, Strict, Iob2, None),
        ("B--X-", Prefix, Reference, Iob2, Some((Begin, "X"))),
        ("Bgeo-loc", Prefix, Reference, Iob1, Some((Begin, "geo-loc"))),
        ("-X--E", Suffix, Reference, Ioe2, Some((End, "X"))),
        ("B--", Prefix, Reference, Iob2, Some((Begin, "_"))),
        ("O-X", Prefix, Reference, Iob2, Some((Outside, "X"))),
        ("M-X", Prefix, Reference, Iobes, None),
        (".", Prefix, Reference, Iobes, None),
        ("E-X", Prefix, Reference, Bilou, None),
        ("", Prefix, Reference, Iob2, None),
    ] {
        let mode = Mode::Strict(scheme);
        assert_eq!(read(label, style, reading, mode), expected, "{label:?} {style:?} {mode}");
    }
}
