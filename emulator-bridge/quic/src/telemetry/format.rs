//! Frames for programs, one JSON object a line for people.
use super::StreamInfo;
use crate::columns;
use crate::failure::{bad, Failure};
use serde_json::{json, Map, Value};

#[derive(Clone, Copy, PartialEq)]
pub enum Format {
    Frames,
    Ndjson,
}

impl Format {
    pub fn parse(text: &str) -> Result<Self, Failure> {
        match text {
            "frames" => Ok(Self::Frames),
            "ndjson" => Ok(Self::Ndjson),
            _ => bad(format!("--format: {text} is neither frames nor ndjson")),
        }
    }
}

pub struct Encoder {
    format: Format,
    controls: u32,
}

impl Encoder {
    pub fn new(format: Format) -> Self {
        Self { format, controls: 0 }
    }

    pub fn control(&mut self, message: &Value) -> Vec<u8> {
        let text = message.to_string().into_bytes();
        if self.format == Format::Ndjson {
            return [text, b"\n".to_vec()].concat();
        }
        let head = header(text.len(), columns::CONTROL_FRAME, 0, self.controls, 0);
        self.controls += 1;
        [head, text].concat()
    }

    /// `values`: row after row; a frame holds column after column.
    pub fn rows(&self, stream: &StreamInfo, first: u32, times: &[f64], values: &[f32]) -> Vec<u8> {
        let width = stream.columns.len();
        if self.format == Format::Ndjson {
            let rows = times.iter().zip(values.chunks_exact(width));
            return rows.flat_map(|(time, row)| line(stream, *time, row)).collect();
        }
        let payload = times.len() * (size_of::<f64>() + width * size_of::<f32>());
        let mut bytes = header(payload, columns::SAMPLES_FRAME, stream.number, first, times.len() as u32);
        times.iter().for_each(|time| bytes.extend(time.to_le_bytes()));
        for column in 0..width {
            values.iter().skip(column).step_by(width).for_each(|value| bytes.extend(value.to_le_bytes()));
        }
        bytes
    }
}

fn line(stream: &StreamInfo, time: f64, row: &[f32]) -> Vec<u8> {
    let mut object = Map::new();
    object.insert("type".into(), json!("sample"));
    object.insert("stream".into(), json!(stream.number));
    object.insert("time_s".into(), json!(time));
    for (column, value) in stream.columns.iter().zip(row) {
        // Through its shortest text, so that a float does not show the digits of a double; unknown values become null.
        let shown = value.is_finite().then(|| value.to_string().parse::<f64>().unwrap_or(f64::from(*value)));
        object.insert(column.name.into(), json!(shown));
    }
    format!("{}\n", Value::Object(object)).into_bytes()
}

fn header(payload: usize, kind: u8, stream: u16, sequence: u32, rows: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(columns::FRAME_HEADER_BYTES + payload);
    bytes.extend((payload as u32).to_le_bytes());
    bytes.extend([kind, columns::PROTOCOL_VERSION]);
    bytes.extend(stream.to_le_bytes());
    bytes.extend(sequence.to_le_bytes());
    bytes.extend(rows.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::Column;
    use super::*;

    fn stream() -> StreamInfo {
        let column = |name| Column { name, unit: "", label: "", states: Vec::new() };
        StreamInfo { number: 16, kind: "sender", flow: 0, cca: String::new(), columns: vec![column("a"), column("b")] }
    }

    #[test]
    fn a_frame_holds_the_columns_one_after_the_other() {
        let frame = Encoder::new(Format::Frames).rows(&stream(), 7, &[0.5, 1.0], &[1.0, 2.0, 3.0, f32::NAN]);
        assert_eq!(frame[..16], [32, 0, 0, 0, 2, 1, 16, 0, 7, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(frame.len(), 16 + 32);
        let float = |at: usize| f32::from_le_bytes(frame[at..at + 4].try_into().unwrap());
        assert_eq!((float(32), float(36), float(40)), (1.0, 3.0, 2.0));
        assert!(float(44).is_nan());
    }

    #[test]
    fn lines_show_unknown_values_as_null_and_floats_as_written() {
        let text = Encoder::new(Format::Ndjson).rows(&stream(), 0, &[0.01], &[0.1, f32::NAN]);
        let row: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(row["a"], 0.1);
        assert!(row["b"].is_null());
    }

    #[test]
    fn control_frames_are_numbered() {
        let mut encoder = Encoder::new(Format::Frames);
        encoder.control(&json!({"type": "a"}));
        let second = encoder.control(&json!({"type": "b"}));
        assert_eq!(second[4..12], [1, 1, 0, 0, 1, 0, 0, 0]);
    }
}
