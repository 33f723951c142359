//! A whole page: its bytes, its numbers, and that it is what it says it is.
#![allow(clippy::unwrap_used, clippy::panic)]

use chunkeval_core::{Chunk, ChunkCounts, Protocol, ZeroDivision};
use chunkeval_html::{
    Confusion, Example, Examples, Finding, Group, Groups, Health, Joined, Page, Scores,
};
use proptest::prelude::*;
use roxmltree::{Document, Node, ParsingOptions};

mod sample;

/// The page as XML: a stricter reader than any browser.
fn parse(html: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(html, options).unwrap_or_else(|e| panic!("{e}\n{html}"))
}

/// The texts of an element and of all below it.
fn text(node: Node<'_, '_>) -> String {
    node.descendants().filter_map(|n| n.text().filter(|_| n.is_text())).collect()
}

fn all<'a>(document: &'a Document<'_>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.has_tag_name(name))
}

/// The cells of the row that begins with a name.
fn row(document: &Document<'_>, name: &str) -> Vec<String> {
    let mut rows = all(document, "tr")
        .map(|row| row.children().filter(Node::is_element).map(text).collect::<Vec<String>>());
    rows.find(|row| row.first().is_some_and(|first| first == name)).unwrap()
}

#[test]
fn the_page_is_the_one_that_was_looked_at() {
    let version = format!("chunkeval {}", env!("CARGO_PKG_VERSION"));
    let signature = format!("chunkeval:{}|", env!("CARGO_PKG_VERSION"));
    let html = sample::page().to_string();
    let html = html.replace(&version, "chunkeval 0.1.0").replace(&signature, "chunkeval:0.1.0|");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sample/page.html");
    if std::env::var_os("CHUNKEVAL_UPDATE").is_some() {
        std::fs::write(path, &html).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    assert!(html == expected, "run with CHUNKEVAL_UPDATE=1, look at the page and commit it");
}

#[test]
fn it_is_one_file_that_loads_and_runs_nothing() {
    let html = sample::page().to_string();
    let document = parse(&html);
    for name in ["script", "link", "img", "iframe", "object", "form", "a", "base"] {
        assert_eq!(all(&document, name).count(), 0, "{name}");
    }
    assert!(!html.contains("url(") && !html.contains("@import") && !html.contains("://"));
    let handlers = document.descendants().flat_map(|node| node.attributes());
    assert!(handlers.filter(|a| a.name().starts_with("on")).count() == 0);
    let policy =
        all(&document, "meta").find_map(|m| m.attribute("http-equiv").and(m.attribute("content")));
    assert_eq!(policy, Some("default-src 'none'; style-src 'unsafe-inline'"));
}

#[test]
fn it_can_be_read_without_seeing_it() {
    let html = sample::page().to_string();
    let document = parse(&html);
    assert_eq!(all(&document, "html").next().unwrap().attribute("lang"), Some("en"));
    for table in all(&document, "table") {
        assert!(table.children().any(|child| child.has_tag_name("caption")));
    }
    for head in all(&document, "th") {
        assert!(head.attribute("scope").is_some());
        assert!(!text(head).is_empty());
    }
    for svg in all(&document, "svg") {
        assert_eq!(svg.attribute("role"), Some("img"));
        assert!(!svg.attribute("aria-label").unwrap().is_empty());
    }
    let ids: Vec<&str> = document.descendants().filter_map(|n| n.attribute("id")).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(ids.len(), unique.len());
    for section in all(&document, "section") {
        assert!(ids.contains(&section.attribute("aria-labelledby").unwrap()));
    }
}

#[test]
fn its_numbers_are_those_of_the_report() {
    let html = sample::page().to_string();
    let document = parse(&html);
    // 36 gold chunks, 36 predicted ones, 28 of them right.
    let micro = row(&document, "micro");
    assert_eq!(micro[5..], ["36", "36", "28"]);
    assert!(micro[1].starts_with("0.7778")); // 2 · 28 / (36 + 36)
    let work = row(&document, "WORK");
    assert_eq!(work[1], "0.0000 no spread*");
    assert_eq!(work[5..], ["2", "2", "0"]);
    let missed = row(&document, "missed a gold chunk; no predicted chunk is left that overlaps it");
    assert_eq!(missed[1..3], ["2", "5.6 %"]);
    let bar = all(&document, "svg")
        .find(|svg| svg.attribute("aria-label").unwrap().starts_with("F1 of micro"));
    let bar = bar.unwrap();
    assert!(bar.attribute("aria-label").unwrap().starts_with("F1 of micro: 0.7778, interval 0."));
    let fill = bar.children().find(|n| n.attribute("class") == Some("fill")).unwrap();
    assert_eq!(fill.attribute("width"), Some("93.3")); // of 120
    let signature = "chunkeval:0.1.0|mode:lenient|style:prefix|reading:strict|average:micro+macro+weighted|zero:0";
    let signature = signature.replace("0.1.0", env!("CARGO_PKG_VERSION"));
    assert_eq!(all(&document, "code").filter(|code| text(*code) == signature).count(), 2);
}

#[test]
fn groups_are_drawn_to_scale() {
    let counts = |gold, predicted, correct| ChunkCounts { gold, predicted, correct };
    let groups = Groups::new("F1 by length", "tokens", "sentences")
        .with(Group::new("1–9", 3, counts(4, 4, 3)))
        .with(Group::new("10–", 1, ChunkCounts::default()));
    let html = Page::new("p").with(groups).to_string();
    let document = parse(&html);
    let heights: Vec<_> = all(&document, "rect").map(|r| r.attribute("height").unwrap()).collect();
    assert_eq!(heights, ["90.0", "0.0"]); // 0.75 of 120, and undefined
    assert_eq!(row(&document, "1–9"), ["1–9", "3", "0.7500", "0.7500", "0.7500", "4"]);
    assert_eq!(row(&document, "10–")[2], "–");
    // Empty ends are left out, and what is empty between others is not.
    let none = |name| Group::new(name, 0, ChunkCounts::default());
    let one = |name| Group::new(name, 1, counts(1, 1, 1));
    let groups = Groups::new("F1 by length", "tokens", "sentences");
    let groups = groups.with(none("a")).with(one("b")).with(none("c")).with(one("d"));
    let html = Page::new("p").with(groups.with(none("e"))).to_string();
    let document = parse(&html);
    let names: Vec<_> = all(&document, "th").map(text).collect();
    assert_eq!(names[6..], ["b", "c", "d"]);
    assert!(html.contains("Groups without sentences at either end are left out."));
}

#[test]
fn only_what_is_right_is_green() {
    let pairs = [("A", "A", 4), ("A", "B", 1), ("B", "B", 2), ("C", "C", 3)];
    let pairs = pairs.map(|(gold, predicted, n)| (Some(gold), Some(predicted), n));
    let heat = |right: [(&'static str, u64); 2]| {
        let map = Confusion::of(pairs, right, "Equal and near entities are pairs.");
        Page::new("p").with(map).to_string()
    };
    let html = heat([("A", 3), ("C", 3)]);
    let document = parse(&html);
    let cell = |row: usize, column: usize| {
        let rows: Vec<_> = all(&document, "tr").collect();
        let cells: Vec<_> = rows[row].children().filter(Node::is_element).collect();
        (cells[column].attribute("class").unwrap().to_owned(), text(cells[column]))
    };
    let of = |class: &str, count: &str| (class.to_owned(), count.to_owned());
    assert_eq!(cell(1, 1), of("heat part", "4 3 right"));
    assert_eq!(cell(1, 2), of("heat wrong", "1"));
    assert_eq!(cell(2, 2), of("heat near", "2 0 right"));
    assert_eq!(cell(3, 3), of("heat right", "3"));
    assert_eq!(cell(3, 1), of("heat zero", "0"));
    assert!(
        html.contains("--share:75%")
            && html.contains("4 of 5 gold A predicted as A, 3 of them right")
    );
    assert!(html.contains("yellow: of the right type"));
    assert!(!heat([("A", 4), ("B", 2)]).contains("--share:75%"));
}

#[test]
fn chunks_are_marked_in_the_text() {
    let html = sample::page().to_string();
    let document = parse(&html);
    let lines: Vec<(String, Vec<(String, &str)>)> = all(&document, "p")
        .filter(|p| p.attribute("dir") == Some("auto"))
        .map(|p| {
            let marks = p.children().filter(|n| n.has_tag_name("mark"));
            (text(p), marks.map(|m| (text(m), m.attribute("class").unwrap())).collect())
        })
        .collect();
    let chinese = lines.iter().find(|line| line.0.starts_with("他在")).unwrap();
    assert_eq!(chinese.0, "他在北京大学ORG✗工作。");
    assert_eq!(chinese.1, [("北京大学ORG✗".to_owned(), "wrong")]);
    let arabic: Vec<_> = lines.iter().filter(|line| line.0.starts_with("ولد")).collect();
    assert_eq!(arabic.len(), 2);
    assert_eq!(arabic[1].1, [("طهPER✗".to_owned(), "wrong"), ("المنياLOC✓".to_owned(), "right")]);
    assert!(html.contains("7 of 9 sentences with errors are shown."));
}

#[test]
fn names_are_text_and_nothing_else() {
    let counts = ChunkCounts { gold: 1, predicted: 1, correct: 0 };
    let name = "<script>alert('x')</script>";
    let chunk = Chunk { start: 0, end: 1, entity_type: name };
    let page = Page::new(name)
        .with(Scores::of_counts(counts, [(name, counts)], ZeroDivision::Zero))
        .with(Examples::new([Example::new(name, [name], &[chunk], &[])]))
        .with(Protocol::default().with(name, name));
    let html = page.to_string();
    assert!(!html.contains("<script"));
    let document = parse(&html);
    assert_eq!(text(all(&document, "h1").next().unwrap()), name);
    assert_eq!(row(&document, name)[5..], ["1", "1", "0"]);
}

#[test]
fn what_is_undefined_is_a_dash() {
    let nothing = ChunkCounts::default();
    let missed = ChunkCounts { gold: 1, ..nothing };
    let scores =
        Scores::of_counts(missed, [("X", missed), ("Y", nothing)], ZeroDivision::Undefined);
    let html = Page::new("p").with(scores.digits(2)).to_string();
    let document = parse(&html);
    assert_eq!(row(&document, "X")[1..5], ["0.00", "", "–", "0.00"]);
    assert!(!html.contains(">Y<"));
    assert!(parse(&Page::new("empty").to_string()).root().has_children());
}

#[test]
fn more_ids_than_shown_are_counted() {
    let ids = (0..30).map(|i| format!("id{i}"));
    let health = Health::new("h", 100).finding(Finding::new("odd", 25).ids(ids));
    let html = Page::new("p").with(health).to_string();
    let document = parse(&html);
    let cells = row(&document, "odd");
    assert_eq!(cells[1..3], ["25", "25.0 %"]);
    assert!(cells[4].ends_with(", id19 and 5 more"), "{}", cells[4]);
}

proptest! {
    #[test]
    fn any_text_makes_a_well_formed_page(
        words in prop::collection::vec(any::<String>(), 1..6),
        spans in prop::collection::vec((0usize..8, 0usize..8, 0usize..6), 0..6),
        gold in 0u64..50, predicted in 0u64..50,
    ) {
        let word = |i: usize| words[i % words.len()].as_str();
        let chunk = |&(start, length, t): &(usize, usize, usize)| Chunk {
            start, end: start + length, entity_type: word(t),
        };
        let chunks: Vec<Chunk<'_>> = spans.iter().map(chunk).collect();
        let (gold_chunks, predicted_chunks) = chunks.split_at(chunks.len() / 2);
        let counts = ChunkCounts { gold, predicted, correct: gold.min(predicted) / 2 };
        let example = Example::new(word(0), &words, gold_chunks, predicted_chunks);
        let page = Page::new(word(0))
            .with(Scores::of_counts(counts, [(word(1), counts)], ZeroDivision::Undefined).titled(word(2)))
            .with(Groups::new(word(3), word(4), word(5)).with(Group::new(word(0), gold, counts)))
            .with(Examples::new([example.clone(), example.joined(Joined::Closely)]))
            .with(Health::new(word(1), gold).finding(Finding::new(word(2), predicted).ids(&words)))
            .with(Protocol::default().with(word(3), word(4)));
        let html = page.to_string();
        let document = parse(&html);
        prop_assert_eq!(all(&document, "section").count(), 5);
        prop_assert_eq!(all(&document, "script").count(), 0);
        prop_assert_eq!(html, page.to_string());
    }
}

/// A thousand chunks that lie in each other: the page has some of them, and says of how many.
#[test]
fn deep_nests_are_cut_off() {
    let nest = |step: usize| -> Vec<Chunk<'static>> {
        let chunk = |start| Chunk { start, end: 2000 - start, entity_type: "X" };
        (0..1000).step_by(step).map(chunk).collect()
    };
    let tokens = ["a"; 2000];
    let example = Example::new("f:1", tokens, &nest(1), &nest(2)).errors(["a nest"]);
    let html = Page::new("A model").with(Examples::new([example])).to_string();
    let document = parse(&html);
    let lines = all(&document, "div").filter(|div| div.attribute("class") == Some("line"));
    assert_eq!(lines.count(), 2 * 8);
    assert_eq!(all(&document, "mark").filter(|m| m.attribute("class") == Some("wrong")).count(), 5);
    for told in ["gold: 992 more overlap", "predicted: 492 more overlap", "a nest"] {
        assert!(text(document.root_element()).contains(told), "{told}");
    }
}

#[test]
fn what_has_no_place_is_told_in_words() {
    let characters = "Ada is here. ".repeat(9);
    let gold = [Chunk { start: 0, end: 3, entity_type: "PER" }];
    let tokens: Vec<String> = characters.chars().map(String::from).collect();
    let example = Example::new("f:1", tokens, &gold, &gold)
        .joined(Joined::Closely)
        .errors(["LOC “Oslo”: spurious, not in the text"]);
    let health = Health::new("Health", 1).finding(Finding::new("clean", 1)).note("clean: as it is");
    let html = Page::new("A model").with(Examples::new([example])).with(health).to_string();
    let document = parse(&html);
    assert!(text(document.root_element()).contains("LOC “Oslo”: spurious, not in the text"));
    assert!(html.contains("shortened from 117 characters"));
    assert!(all(&document, "p").any(|p| text(p) == "clean: as it is"));
}
