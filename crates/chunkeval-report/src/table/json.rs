//! A table as one JSON object.

use std::io::{self, Write};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{Name, Row, Table};

pub(super) fn write(table: &Table<'_>, mut to: impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut to, table)?;
    to.write_all(b"\n")
}

/// `signature`, `types` (a list), `averages` (by name), `diagnostics`.
impl Serialize for Table<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let f_name = &*self.f_name();
        let (mut types, mut averages) = (Vec::new(), Averages(Vec::new()));
        for row in self.rows() {
            match row.name {
                Name::Type(name) => types.push(Scores { entity_type: Some(name), f_name, row }),
                Name::Average(average) => {
                    averages.0.push((average.name(), Scores { entity_type: None, f_name, row }));
                }
            }
        }
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("signature", &self.signature())?;
        map.serialize_entry("types", &types)?;
        map.serialize_entry("averages", &averages)?;
        map.serialize_entry("diagnostics", self.diagnostics())?;
        map.end()
    }
}

/// Averages in order.
struct Averages<'a>(Vec<(&'static str, Scores<'a>)>);

impl Serialize for Averages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, scores)| (name, scores)))
    }
}

/// The numbers of a row.
struct Scores<'a> {
    entity_type: Option<&'a str>,
    f_name: &'a str,
    row: Row<'a>,
}

impl Serialize for Scores<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { entity_type, f_name, row } = self;
        let mut map = serializer.serialize_map(None)?;
        if let Some(entity_type) = entity_type {
            map.serialize_entry("type", entity_type)?;
        }
        map.serialize_entry("precision", &row.precision)?;
        map.serialize_entry("recall", &row.recall)?;
        map.serialize_entry(f_name, &row.f_score)?;
        map.serialize_entry("support", &row.support)?;
        if let (Some(predicted), Some(correct)) = (row.predicted, row.correct) {
            map.serialize_entry("predicted", &predicted)?;
            map.serialize_entry("correct", &correct)?;
        }
        map.end()
    }
}
