//! Hyper-parameters and the outcome of a run, for the HParams page.

use std::collections::BTreeMap;

use chunkeval_core::{Error, Result};
use protobuf::Message;
use protobuf::well_known_types::Value;
use tensorboard_proto::api::{DataType as HParamType, Experiment, HParamInfo, MetricInfo, Status};
use tensorboard_proto::event::Event;
use tensorboard_proto::plugin_hparams::{HParamsPluginData, SessionEndInfo, SessionStartInfo};
use tensorboard_proto::tensor::TensorProto;
use tensorboard_proto::tensor_shape::{TensorShapeProto, TensorShapeProto_Dim};
use tensorboard_proto::types::DataType;

use crate::event;

/// One hyper-parameter's value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum HParam {
    /// A number, finite.
    Number(f64),
    /// A name.
    Text(String),
    /// On or off.
    Flag(bool),
}

/// The hyper-parameters of a run, by name.
///
/// ```
/// use chunkeval_tensorboard::{HParam, HParams};
///
/// let hparams = HParams::new()
///     .with("learning_rate", 1e-3)
///     .with("hidden", 128_usize)
///     .with("encoder", "BiGRU")
///     .with("crf", true)
///     .with("seed", u64::MAX); // no f64: kept as text, digit by digit
/// assert_eq!(hparams.get("hidden"), Some(&HParam::Number(128.0)));
/// assert_eq!(hparams.get("seed"), Some(&HParam::Text("18446744073709551615".into())));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HParams(BTreeMap<String, HParam>);

impl HParams {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets one. A second value under a name takes the place of the first.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<HParam>) -> Self {
        self.0.insert(name.into(), value.into());
        self
    }

    /// The value under a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&HParam> {
        self.0.get(name)
    }

    fn check(&self) -> Result<()> {
        for (name, value) in &self.0 {
            if name.trim().is_empty() || name.chars().any(char::is_control) {
                return Err(Error::config("hparams", format!("{name:?} is not a name")));
            }
            if let HParam::Number(number) = value
                && !number.is_finite()
            {
                return Err(Error::config("hparams", format!("{name:?} is {number}, not finite")));
            }
        }
        Ok(())
    }
}

impl From<f64> for HParam {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<u32> for HParam {
    fn from(value: u32) -> Self {
        Self::Number(value.into())
    }
}

impl From<i32> for HParam {
    fn from(value: i32) -> Self {
        Self::Number(value.into())
    }
}

impl From<u64> for HParam {
    /// A number if it is one of the integers that `f64` counts without gaps, else its digits.
    fn from(value: u64) -> Self {
        const GAPLESS: u64 = 1 << f64::MANTISSA_DIGITS;
        if value <= GAPLESS { Self::Number(value as f64) } else { Self::Text(value.to_string()) }
    }
}

impl From<usize> for HParam {
    /// As from `u64`.
    fn from(value: usize) -> Self {
        // No platform has a wider usize.
        Self::from(value as u64)
    }
}

impl From<bool> for HParam {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl From<&str> for HParam {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for HParam {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

/// How a run ended, on the HParams page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It did what it was started for.
    Success,
    /// It did not.
    Failure,
}

impl Outcome {
    pub(crate) fn event(self, wall_time: f64) -> Result<Event> {
        let mut end = SessionEndInfo::new();
        end.set_end_time_secs(wall_time);
        end.set_status(match self {
            Self::Success => Status::STATUS_SUCCESS,
            Self::Failure => Status::STATUS_FAILURE,
        });
        let mut data = HParamsPluginData::new();
        data.set_session_end_info(end);
        plugin_event(wall_time, "_hparams_/session_end_info", &data)
    }
}

/// The events that say what the page's columns are and what this run's values are.
pub(crate) fn event(hparams: &HParams, metrics: &[String], wall_time: f64) -> Result<Event> {
    hparams.check()?;
    // One event, so that it is written whole or not at all.
    let mut event = experiment(hparams, metrics, wall_time)?;
    let session = session_start(hparams, wall_time)?.take_summary().take_value();
    event.mut_summary().mut_value().extend(session);
    Ok(event)
}

fn experiment(hparams: &HParams, metrics: &[String], wall_time: f64) -> Result<Event> {
    let mut experiment = Experiment::new();
    experiment.set_time_created_secs(wall_time);
    for (name, value) in &hparams.0 {
        let mut info = HParamInfo::new();
        info.set_name(name.clone());
        // No domain: TensorBoard would hide runs of the comparison whose values are not in it.
        info.set_field_type(match value {
            HParam::Number(_) => HParamType::DATA_TYPE_FLOAT64,
            HParam::Text(_) => HParamType::DATA_TYPE_STRING,
            HParam::Flag(_) => HParamType::DATA_TYPE_BOOL,
        });
        experiment.mut_hparam_infos().push(info);
    }
    for metric in metrics {
        let mut info = MetricInfo::new();
        info.mut_name().set_tag(metric.clone());
        experiment.mut_metric_infos().push(info);
    }
    let mut data = HParamsPluginData::new();
    data.set_experiment(experiment);
    plugin_event(wall_time, "_hparams_/experiment", &data)
}

fn session_start(hparams: &HParams, wall_time: f64) -> Result<Event> {
    // A map of the message is a hash map, written in any order. One message for each entry, end to
    // end, is the same message to a reader, and the same bytes in every run.
    let mut bytes = Vec::new();
    for (name, value) in &hparams.0 {
        let mut one = SessionStartInfo::new();
        one.mut_hparams().insert(name.clone(), protobuf_value(value));
        event::encode(&one, &mut bytes)?;
    }
    let mut rest = SessionStartInfo::new();
    rest.set_start_time_secs(wall_time);
    event::encode(&rest, &mut bytes)?;

    let mut data = HParamsPluginData::new();
    data.mut_unknown_fields().add_length_delimited(SESSION_START_INFO_FIELD, bytes);
    plugin_event(wall_time, "_hparams_/session_start_info", &data)
}

/// `session_start_info` in plugin_hparams.proto.
const SESSION_START_INFO_FIELD: u32 = 3;

fn protobuf_value(value: &HParam) -> Value {
    let mut out = Value::new();
    match value {
        HParam::Number(number) => out.set_number_value(*number),
        HParam::Text(text) => out.set_string_value(text.clone()),
        HParam::Flag(flag) => out.set_bool_value(*flag),
    }
    out
}

/// The plugin reads the metadata only; the value is an empty tensor, as TensorFlow writes it.
fn plugin_event(wall_time: f64, tag: &str, data: &HParamsPluginData) -> Result<Event> {
    let mut shape = TensorShapeProto::new();
    shape.mut_dim().push(TensorShapeProto_Dim::new());
    let mut empty = TensorProto::new();
    empty.set_dtype(DataType::DT_FLOAT);
    empty.set_tensor_shape(shape);
    let mut content = Vec::new();
    event::encode(data, &mut content)?;
    Ok(event::plugin_value(wall_time, 0, tag, "hparams", content, empty))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_keep_their_digits() {
        assert_eq!(HParam::from(1_u64 << 53), HParam::Number(9_007_199_254_740_992.0));
        assert_eq!(HParam::from((1_u64 << 53) + 1), HParam::Text("9007199254740993".into()));
    }

    #[test]
    fn what_the_page_cannot_show_is_an_error() {
        for (name, value) in [("", 1.0), (" ", 1.0), ("a\nb", 1.0), ("lr", f64::NAN)] {
            assert!(HParams::new().with(name, value).check().is_err(), "{name:?}");
        }
        HParams::new().with("学习率", 1e-3).check().unwrap();
    }

    #[test]
    fn the_same_hparams_are_the_same_bytes() {
        let hparams = (0..20).fold(HParams::new(), |h, i| h.with(format!("p{i}"), i));
        let bytes = || session_start(&hparams, 1.0).unwrap().write_to_bytes().unwrap();
        assert_eq!(bytes(), bytes());
    }
}
