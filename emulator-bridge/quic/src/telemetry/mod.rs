//! Telemetry on its way out (protocol/frames.ts, docs/telemetry.md). Rows and messages are encoded at once and written by a
//! thread of their own, so that a slow reader never delays a packet.
mod format;

pub use format::Format;

use crate::columns;
use crate::failure::Failure;
use crate::summary::RunSummary;
use format::Encoder;
use serde_json::{json, Value};
use std::io::Write;
use std::sync::mpsc::{sync_channel, SyncSender, TrySendError};
use std::thread::JoinHandle;

/// Blocks that may wait for the reader: at one per 100 ms, many minutes.
const WAITING_BLOCKS: usize = 1 << 14;
/// Live viewers want to see something several times a second.
const BLOCK_MS: f64 = 100.0;
/// Some algorithms change their phase every round trip: a run lists the first ones only, and says so.
const LISTED_PHASES: usize = 2000;

/// One f32 column of a stream.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: &'static str,
    pub unit: &'static str,
    pub label: &'static str,
    pub states: Vec<&'static str>,
}

impl From<&columns::Column> for Column {
    fn from(column: &columns::Column) -> Self {
        Self { name: column.name, unit: column.unit, label: column.label, states: Vec::new() }
    }
}

/// The one stream that this process writes.
pub struct StreamInfo {
    pub number: u16,
    pub kind: &'static str,
    pub flow: u16,
    pub cca: String,
    pub columns: Vec<Column>,
}

pub struct Telemetry {
    encoder: Encoder,
    out: SyncSender<Vec<u8>>,
    writer: JoinHandle<std::io::Result<()>>,
    stream: Option<StreamInfo>,
    block_rows: usize,
    rows: Vec<f32>,
    times: Vec<f64>,
    row_number: u32,
    phases: usize,
}

impl Telemetry {
    pub fn new(format: Format) -> Self {
        let (out, blocks) = sync_channel::<Vec<u8>>(WAITING_BLOCKS);
        let writer = std::thread::spawn(move || {
            let mut stdout = std::io::stdout().lock();
            for block in blocks {
                stdout.write_all(&block)?;
                stdout.flush()?;
            }
            Ok(())
        });
        Self {
            encoder: Encoder::new(format),
            out,
            writer,
            stream: None,
            block_rows: 1,
            rows: Vec::new(),
            times: Vec::new(),
            row_number: 0,
            phases: 0,
        }
    }

    pub fn ready(&mut self, role: &str, port: u16) -> Result<(), Failure> {
        self.control(&json!({"type": "ready", "role": role, "port": port}))
    }

    pub fn hello(
        &mut self,
        engine_version: &str,
        stream: StreamInfo,
        duration_s: f64,
        period_ms: f64,
    ) -> Result<(), Failure> {
        let time = columns::TIME_COLUMN;
        let mut list = vec![json!({"name": time.name, "type": "f64", "unit": time.unit, "label": time.label})];
        for column in &stream.columns {
            let mut entry = json!({"name": column.name, "type": "f32", "unit": column.unit, "label": column.label});
            if !column.states.is_empty() {
                entry["states"] = json!(column.states);
            }
            list.push(entry);
        }
        let info = json!({
            "stream": stream.number, "kind": stream.kind, "flow": stream.flow, "cca": stream.cca, "columns": list,
        });
        self.stream = Some(stream);
        self.block_rows = (BLOCK_MS / period_ms).clamp(1.0, 256.0) as usize;
        self.control(&json!({
            "type": "hello",
            "protocol": columns::PROTOCOL_VERSION,
            "engine_version": engine_version,
            "clock": "monotonic",
            "duration_s": duration_s,
            "period_ms": period_ms,
            "streams": [info],
        }))
    }

    pub fn greeted(&self) -> bool {
        self.stream.is_some()
    }

    /// One value per column.
    pub fn row(&mut self, time_s: f64, values: &[f32]) -> Result<(), Failure> {
        self.times.push(time_s);
        self.rows.extend_from_slice(values);
        if self.times.len() < self.block_rows {
            return Ok(());
        }
        self.flush_rows()
    }

    /// `value` as in protocol/control.ts, RunEvent.
    pub fn event(
        &mut self,
        time_s: f64,
        flow: u16,
        event: &str,
        detail: &str,
        value: Option<u64>,
    ) -> Result<(), Failure> {
        let mut detail = detail;
        if event == "phase" {
            self.phases += 1;
            match self.phases {
                n if n <= LISTED_PHASES => {}
                n if n == LISTED_PHASES + 1 => detail = "further phase changes of this run are not listed",
                _ => return Ok(()),
            }
        }
        let mut message = json!({"type": "event", "time_s": time_s, "flow": flow, "event": event});
        if !detail.is_empty() {
            message["detail"] = json!(detail);
        }
        if let Some(value) = value {
            message["value"] = json!(value);
        }
        let bytes = self.encoder.control(&message);
        self.send(bytes)
    }

    /// Any other control frame; rows that wait are written before it.
    pub fn control(&mut self, message: &Value) -> Result<(), Failure> {
        self.flush_rows()?;
        let bytes = self.encoder.control(message);
        self.send(bytes)
    }

    /// The last words of a run that went well.
    pub fn conclude(&mut self, summary: &RunSummary) -> Result<(), Failure> {
        let mut message = summary.json();
        message["type"] = json!("summary");
        self.control(&message)?;
        self.control(&json!({"type": "end", "time_s": summary.duration_s}))
    }

    /// Waits until everything is written.
    pub fn finish(self) -> Result<(), Failure> {
        drop(self.out);
        match self.writer.join() {
            Ok(Ok(())) => Ok(()),
            _ => Err(Failure::Failed(READER_GONE.into())),
        }
    }

    fn flush_rows(&mut self) -> Result<(), Failure> {
        let (Some(stream), Some(last)) = (&self.stream, self.times.last().copied()) else {
            return Ok(());
        };
        let mut bytes = self.encoder.rows(stream, self.row_number, &self.times, &self.rows);
        bytes.extend(self.encoder.control(&json!({"type": "progress", "time_s": last})));
        self.row_number += self.times.len() as u32;
        self.times.clear();
        self.rows.clear();
        self.send(bytes)
    }

    fn send(&self, bytes: Vec<u8>) -> Result<(), Failure> {
        self.out.try_send(bytes).map_err(|error| {
            Failure::Failed(match error {
                TrySendError::Full(_) => "the telemetry's reader is too far behind".into(),
                TrySendError::Disconnected(_) => READER_GONE.into(),
            })
        })
    }
}

const READER_GONE: &str = "the telemetry cannot be written: its reader is gone or the disk is full";
