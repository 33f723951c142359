//! Events as TensorBoard reads them.

use chunkeval_core::{Error, Result};
use protobuf::Message;
use tensorboard_proto::event::{Event, SessionLog, SessionLog_SessionStatus};
use tensorboard_proto::summary::{
    Summary, Summary_Value, SummaryMetadata, SummaryMetadata_PluginData,
};
use tensorboard_proto::tensor::TensorProto;
use tensorboard_proto::tensor_shape::TensorShapeProto;
use tensorboard_proto::types::DataType;

/// The first event of a file. Without it TensorBoard does not look for session starts.
pub(crate) fn file_version(wall_time: f64) -> Event {
    let mut event = Event::new();
    event.set_wall_time(wall_time);
    event.set_file_version("brain.Event:2".to_owned());
    event
}

/// The event from whose step on TensorBoard drops what earlier files said.
pub(crate) fn session_start(wall_time: f64, step: i64) -> Event {
    let mut log = SessionLog::new();
    log.set_status(SessionLog_SessionStatus::START);
    let mut event = Event::new();
    event.set_wall_time(wall_time);
    event.set_step(step);
    event.set_session_log(log);
    event
}

/// A value of a plugin: a tensor, and whose it is.
pub(crate) fn plugin_value(
    wall_time: f64,
    step: i64,
    tag: &str,
    plugin: &str,
    content: Vec<u8>,
    tensor: TensorProto,
) -> Event {
    let mut data = SummaryMetadata_PluginData::new();
    data.set_plugin_name(plugin.to_owned());
    data.set_content(content);
    let mut metadata = SummaryMetadata::new();
    metadata.set_plugin_data(data);
    let mut value = Summary_Value::new();
    value.set_tag(tag.to_owned());
    value.set_metadata(metadata);
    value.set_tensor(tensor);
    let mut summary = Summary::new();
    summary.mut_value().push(value);
    let mut event = Event::new();
    event.set_wall_time(wall_time);
    event.set_step(step);
    event.set_summary(summary);
    event
}

/// A string without dimensions: TensorBoard puts a text with dimensions into a table.
pub(crate) fn string_tensor(bytes: Vec<u8>) -> TensorProto {
    let mut tensor = TensorProto::new();
    tensor.set_dtype(DataType::DT_STRING);
    tensor.set_tensor_shape(TensorShapeProto::new());
    tensor.mut_string_val().push(bytes);
    tensor
}

/// A scalar event that is filled again and again, so that a point costs no allocation.
#[derive(Debug)]
pub(crate) struct ScalarEvent(Event);

impl ScalarEvent {
    pub(crate) fn new() -> Self {
        let mut event = Event::new();
        event.mut_summary().mut_value().push(Summary_Value::new());
        Self(event)
    }

    pub(crate) fn fill(&mut self, wall_time: f64, step: i64, tag: &str, value: f32) -> &Event {
        self.0.set_wall_time(wall_time);
        self.0.set_step(step);
        for slot in self.0.mut_summary().mut_value().iter_mut() {
            let name = slot.mut_tag();
            name.clear();
            name.push_str(tag);
            slot.set_simple_value(value);
        }
        &self.0
    }
}

/// A step as the file stores it.
pub(crate) fn step(step: u64) -> Result<i64> {
    i64::try_from(step)
        .map_err(|_| Error::config("step", format!("{step} is more than TensorBoard's 63 bits")))
}

/// A value as the file stores it, rounded once. NaN and infinities stay what they are.
pub(crate) fn value(tag: &str, value: f64) -> Result<f32> {
    let rounded = value as f32;
    if rounded.is_infinite() && value.is_finite() {
        return Err(Error::config(
            "value",
            format!("{value:e} of {tag:?} is finite, and infinite as the 32-bit float of a scalar"),
        ));
    }
    Ok(rounded)
}

/// The bytes of a message, at the end of `bytes`.
pub(crate) fn encode(message: &dyn Message, bytes: &mut Vec<u8>) -> Result<()> {
    message.write_to_vec(bytes).map_err(|source| Error::backend("encoding an event", source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_rounded_once() {
        assert_eq!(value("a", 0.1).unwrap(), 0.1_f32);
        assert_eq!(value("a", 1.0 + 2.0_f64.powi(-24)).unwrap(), 1.0); // tie to even
        assert_eq!(value("a", 1e-300).unwrap(), 0.0);
        assert_eq!(value("a", f64::INFINITY).unwrap(), f32::INFINITY);
        assert_eq!(value("a", f64::NEG_INFINITY).unwrap(), f32::NEG_INFINITY);
        assert!(value("a", f64::NAN).unwrap().is_nan());
        assert_eq!(value("a", f64::from(f32::MAX)).unwrap(), f32::MAX);
        assert!(value("dev/loss", -1e39).unwrap_err().to_string().contains("\"dev/loss\""));
    }

    #[test]
    fn steps_have_63_bits() {
        assert_eq!(step(i64::MAX as u64).unwrap(), i64::MAX);
        assert!(step(i64::MAX as u64 + 1).is_err());
    }

    #[test]
    fn a_filled_event_forgets_the_one_before() {
        let mut event = ScalarEvent::new();
        event.fill(1.0, 7, "a long tag", 0.5);
        let mut again = Vec::new();
        encode(event.fill(2.0, 300, "r", 0.25), &mut again).unwrap();
        let mut fresh = Vec::new();
        encode(ScalarEvent::new().fill(2.0, 300, "r", 0.25), &mut fresh).unwrap();
        assert_eq!(again, fresh);
    }
}
