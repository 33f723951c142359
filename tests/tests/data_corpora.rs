//! The numbers of each corpus' SOURCE.md, counted in its files as they are.

#[path = "common/score.rs"]
mod score;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chunkeval::data::{Batching, Format, Padded, ReadSentences, Sentence, Vocab};
use chunkeval::{Mode, Result, TagStyle};
use score::score;

/// Name and number, separated by commas.
type Numbers = &'static str;

struct Corpus {
    folder: &'static str,
    format: &'static str,
    style: TagStyle,
    splits: &'static [Split],
    /// Gold tags over all splits, where the source counts them.
    tags: Option<Numbers>,
}

struct Split {
    path: &'static str,
    sentences: usize,
    tokens: usize,
    entities: u64,
    types: Option<Numbers>,
}

const CORPORA: &[Corpus] = &[
    Corpus {
        folder: "waybill-zh",
        format: "waybill",
        style: TagStyle::Suffix,
        splits: &[
            Split {
                path: "train.txt",
                sentences: 1600,
                tokens: 55249,
                entities: 9556,
                types: Some("A1 1598, A2 1588, A3 1573, A4 1597, P 1600, T 1600"),
            },
            Split {
                path: "dev.txt",
                sentences: 200,
                tokens: 6776,
                entities: 1189,
                types: Some("A1 198, A2 198, A3 194, A4 199, P 200, T 200"),
            },
            Split {
                path: "test.txt",
                sentences: 200,
                tokens: 6893,
                entities: 1190,
                types: Some("A1 198, A2 196, A3 197, A4 199, P 200, T 200"),
            },
        ],
        tags: Some(
            "A1-B 1994, A1-I 4901, A2-B 1982, A2-I 5031, A3-B 1964, A3-I 4401, A4-B 1995, \
             A4-I 18900, P-B 2000, P-I 3750, T-B 2000, T-I 20000",
        ),
    },
    Corpus {
        folder: "wnut17-en",
        format: "wnut17",
        style: TagStyle::Prefix,
        splits: &[
            Split {
                path: "train.conll",
                sentences: 3394,
                tokens: 62730,
                entities: 1975,
                types: Some(
                    "corporation 221, creative-work 140, group 264, location 548, person 660, \
                     product 142",
                ),
            },
            Split {
                path: "dev.conll",
                sentences: 1009,
                tokens: 15733,
                entities: 836,
                types: Some(
                    "corporation 34, creative-work 105, group 39, location 74, person 470, \
                     product 114",
                ),
            },
            Split {
                path: "test.conll",
                sentences: 1287,
                tokens: 23394,
                entities: 1079,
                types: Some(
                    "corporation 66, creative-work 142, group 165, location 150, person 429, \
                     product 127",
                ),
            },
        ],
        tags: Some(
            "B-corporation 321, B-creative-work 387, B-group 468, B-location 772, B-person 1559, \
             B-product 383, I-corporation 80, I-creative-work 557, I-group 245, I-location 372, \
             I-person 583, I-product 423, O 95707",
        ),
    },
    Corpus {
        folder: "uner-zh-gsdsimp",
        format: "uner",
        style: TagStyle::Prefix,
        splits: &[
            Split {
                path: "train.iob2",
                sentences: 3997,
                tokens: 98616,
                entities: 6118,
                types: Some("LOC 2858, ORG 1112, PER 2148"),
            },
            Split {
                path: "dev.iob2",
                sentences: 500,
                tokens: 12663,
                entities: 753,
                types: Some("LOC 375, ORG 133, PER 245"),
            },
            Split {
                path: "test.iob2",
                sentences: 500,
                tokens: 12012,
                entities: 763,
                types: Some("LOC 429, ORG 129, PER 205"),
            },
        ],
        tags: Some(
            "B-LOC 3662, B-ORG 1374, B-PER 2598, I-LOC 3123, I-ORG 2194, I-PER 1768, O 108572",
        ),
    },
    Corpus {
        folder: "ncbi-disease-iobes",
        format: "ncbi",
        style: TagStyle::Prefix,
        splits: &[
            Split {
                path: "train.tsv",
                sentences: 5424,
                tokens: 135701,
                entities: 5134,
                types: Some("Disease 5134"),
            },
            Split {
                path: "devel.tsv",
                sentences: 923,
                tokens: 23969,
                entities: 787,
                types: Some("Disease 787"),
            },
            Split {
                path: "test.tsv",
                sentences: 940,
                tokens: 24497,
                entities: 960,
                types: Some("Disease 960"),
            },
        ],
        tags: Some("B-Disease 3917, E-Disease 3917, I-Disease 4375, O 168994, S-Disease 2964"),
    },
    Corpus {
        folder: "snips-nlu",
        format: "snips",
        style: TagStyle::Prefix,
        splits: &[
            Split {
                path: "train",
                sentences: 13084,
                tokens: 117700,
                entities: 33958,
                types: Some(
                    "album 167, artist 1804, best_rating 1007, city 1304, \
                     condition_description 426, condition_temperature 453, country 812, \
                     cuisine 197, current_location 259, entity_name 561, facility 157, genre 139, \
                     geographic_poi 280, location_name 566, movie_name 765, movie_type 666, \
                     music_item 1577, object_location_type 450, object_name 2789, \
                     object_part_of_series_type 298, object_select 942, object_type 3023, \
                     party_size_description 307, party_size_number 975, playlist 1963, \
                     playlist_owner 1043, poi 135, rating_unit 1081, rating_value 1877, \
                     restaurant_name 324, restaurant_type 1299, served_dish 258, service 738, \
                     sort 518, spatial_relation 1153, state 953, timeRange 1879, track 202, \
                     year 611",
                ),
            },
            Split { path: "dev", sentences: 700, tokens: 6384, entities: 1794, types: None },
            Split { path: "test", sentences: 700, tokens: 6354, entities: 1790, types: None },
        ],
        tags: None,
    },
    Corpus {
        folder: "conlleval-sample",
        format: "conlleval:predicted=none",
        style: TagStyle::Prefix,
        splits: &[Split {
            path: "ground_truth.txt",
            sentences: 40,
            tokens: 961,
            entities: 459,
            types: None,
        }],
        tags: None,
    },
    Corpus {
        folder: "conlleval-sample",
        format: "conlleval:predicted=none",
        style: TagStyle::Suffix,
        splits: &[Split {
            path: "ground_truth_inv.txt",
            sentences: 40,
            tokens: 961,
            entities: 459,
            types: None,
        }],
        tags: None,
    },
];

const SNIPS_INTENTS: &[(&str, Numbers)] = &[
    (
        "train",
        "AddToPlaylist 1818, BookRestaurant 1881, GetWeather 1896, PlayMusic 1914, RateBook 1876, \
         SearchCreativeWork 1847, SearchScreeningEvent 1852",
    ),
    (
        "dev",
        "AddToPlaylist 100, BookRestaurant 100, GetWeather 100, PlayMusic 100, RateBook 100, \
         SearchCreativeWork 100, SearchScreeningEvent 100",
    ),
    (
        "test",
        "AddToPlaylist 124, BookRestaurant 92, GetWeather 104, PlayMusic 86, RateBook 80, \
         SearchCreativeWork 107, SearchScreeningEvent 107",
    ),
];

fn numbers(text: &str) -> BTreeMap<String, u64> {
    let pair = |text: &str| {
        let (name, number) = text.rsplit_once(' ').unwrap();
        (name.to_owned(), number.parse().unwrap())
    };
    text.split(", ").map(pair).collect()
}

/// The folder of one corpus, or a line that says that it is not there.
fn corpus(folder: &str) -> Option<PathBuf> {
    let path = chunkeval_tests::corpora()?.join(folder);
    if !path.is_dir() {
        let missing = format!("{} is not there", path.display());
        match std::env::var_os("CHUNKEVAL_DATA") {
            Some(_) => chunkeval_tests::say!("SKIPPED: {missing}"), // a set of others' choice
            None => chunkeval_tests::skip(&missing),
        }
        return None;
    }
    Some(path)
}

fn read(format: &str, path: &Path) -> Vec<Sentence> {
    let format: Format = format.parse().unwrap();
    format.open(path).unwrap().collect::<Result<_>>().unwrap()
}

#[test]
fn every_corpus_has_the_counts_of_its_source() {
    let mut files = 0;
    for Corpus { folder, format, style, splits, tags } in CORPORA {
        let Some(folder) = corpus(folder) else { continue };
        let mut all_tags = BTreeMap::new();
        for split in *splits {
            let path = folder.join(split.path);
            let sentences = read(format, &path);
            let report = score(&sentences, *style, Mode::Lenient);
            let name = path.display();
            let tokens: usize = sentences.iter().map(Sentence::len).sum();
            assert_eq!(sentences.len(), split.sentences, "sentences of {name}");
            assert_eq!(tokens, split.tokens, "tokens of {name}");
            assert_eq!(report.overall.counts.gold, split.entities, "entities of {name}");
            if let Some(types) = split.types {
                let per_type = report.per_type.iter();
                let per_type = per_type.map(|t| (t.entity_type.clone(), t.scores.counts.gold));
                assert_eq!(per_type.collect::<BTreeMap<_, _>>(), numbers(types), "{name}");
            }
            for tag in sentences.iter().flat_map(|s| s.gold().iter()) {
                *all_tags.entry(tag.to_owned()).or_insert(0) += 1;
            }
            files += 1;
        }
        if let Some(tags) = tags {
            assert_eq!(all_tags, numbers(tags), "tags of {}", folder.display());
        }
    }
    chunkeval_tests::say!("counted {files} label files");
}

#[test]
fn the_intents_of_snips_are_its_sources() {
    let Some(folder) = corpus("snips-nlu") else { return };
    for (split, expected) in SNIPS_INTENTS {
        let mut found = BTreeMap::new();
        for sentence in read("snips", &folder.join(split)) {
            *found.entry(sentence.label().unwrap().to_owned()).or_insert(0) += 1;
        }
        assert_eq!(found, numbers(expected), "{split}");
    }
}

#[test]
fn the_dictionaries_of_waybill_are_its_sources() {
    let Some(folder) = corpus("waybill-zh") else { return };
    let tags = Vocab::load_dictionary(folder.join("tag.dic")).unwrap();
    assert_eq!((tags.rows(), tags.len(), tags.id("O")), (13, 13, Some(12)));
    let words = Vocab::load_dictionary(folder.join("word.dic")).unwrap();
    assert_eq!((words.rows(), words.len()), (20941, 20940));
    assert_eq!((words.text(20939), words.id("OOV")), (None, Some(20940)));

    let mut lengths = Vec::new();
    for split in ["train.txt", "dev.txt", "test.txt"] {
        for sentence in read("waybill", &folder.join(split)) {
            words.require(split, sentence.tokens().iter()).unwrap();
            tags.require(split, sentence.gold().iter()).unwrap();
            lengths.push(sentence.len());
        }
    }
    assert_eq!((lengths.iter().min(), lengths.iter().max()), (Some(&14), Some(&63)));
}

#[test]
fn the_labels_of_every_split_are_those_of_train() {
    for Corpus { folder, format, splits, .. } in CORPORA.iter().filter(|c| c.splits.len() > 1) {
        let Some(folder) = corpus(folder) else { continue };
        let mut labels = Vocab::builder();
        for (i, split) in splits.iter().enumerate() {
            let sentences = read(format, &folder.join(split.path));
            let tags = || sentences.iter().flat_map(|s| s.gold().iter());
            if i == 0 {
                labels.extend(tags());
            } else {
                labels.clone().build().unwrap().require(split.path, tags()).unwrap();
            }
        }
    }
}

#[test]
fn every_text_stands_where_its_position_says() {
    for Corpus { folder, format, splits, .. } in CORPORA {
        let Some(folder) = corpus(folder) else { continue };
        for split in *splits {
            let path = folder.join(split.path);
            let format: Format = format.parse().unwrap();
            let mut reader = format.open(&path).unwrap();
            // Parallel files hold tokens and tags apart: the tags are in the file that is named.
            let apart = matches!(format, Format::Parallel(_));
            let text = std::fs::read_to_string(reader.path()).unwrap();
            let lines: Vec<&str> = text.split('\n').collect();
            let mut sentence = Sentence::new();
            while reader.read_into(&mut sentence).unwrap() {
                let columns = [sentence.gold(), sentence.tokens()];
                for cells in columns.into_iter().take(if apart { 1 } else { 2 }) {
                    let at = cells.position(cells.len() - 1).unwrap();
                    let last = cells.get(cells.len() - 1).unwrap();
                    let line = lines[at.line as usize - 1];
                    let rest: String = line.chars().skip(at.column as usize - 1).collect();
                    assert!(rest.starts_with(last), "{}:{at:?}: {last:?}", path.display());
                }
            }
        }
    }
}

#[test]
fn batches_take_every_sentence_once_with_little_padding() {
    for Corpus { folder, format, splits, .. } in CORPORA {
        let Some(folder) = corpus(folder) else { continue };
        let sentences = read(format, &folder.join(splits[0].path));
        let lengths: Vec<usize> = sentences.iter().map(Sentence::len).collect();
        let rows: Vec<_> = lengths.iter().map(|&n| vec![1_u8; n]).collect();
        let batching = Batching::new(32).unwrap().seed(1);
        let share = |batches: &[Vec<usize>]| {
            let mut seen = vec![0; lengths.len()];
            let (mut cells, mut tokens) = (0, 0);
            for batch in batches {
                batch.iter().for_each(|&i| seen[i] += 1);
                let mut padded = Padded::new();
                padded.fill(&rows, batch, 0).unwrap();
                cells += padded.values().len();
                tokens += padded.values().iter().filter(|&&v| v == 1).count();
            }
            assert!(seen.iter().all(|&times| times == 1));
            assert_eq!(tokens, lengths.iter().sum::<usize>());
            1.0 - tokens as f64 / cells as f64
        };
        let as_they_come: Vec<usize> = (0..lengths.len()).collect();
        let unsorted: Vec<_> = as_they_come.chunks(32).map(<[usize]>::to_vec).collect();
        let (none, sorted) = (share(&unsorted), share(&batching.by_length(&lengths).unwrap()));
        let pools = share(&batching.shuffled(&lengths, 1).unwrap());
        chunkeval_tests::say!(
            "{}: padding {:.1} % unsorted, {:.1} % in pools, {:.1} % sorted",
            folder.display(),
            100.0 * none,
            100.0 * pools,
            100.0 * sorted
        );
        // The sample of 40 sentences has two batches: nothing to choose from.
        if lengths.len() > 1000 {
            assert!(sorted < 0.03 && pools < 0.08, "{}", folder.display());
        }
    }
}
