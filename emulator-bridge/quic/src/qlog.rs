//! quinn's qlog on its way into the file. quinn 0.11 writes RTTs in seconds and lengths into headers, where schema 0.3
//! (draft-ietf-quic-qlog-main-schema, which qvis reads) has milliseconds and `raw`; it also leaves out who is writing. A
//! thread of its own mends that, so that the data path only hands over lines.
use serde_json::{json, Value};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::mpsc::{sync_channel, SyncSender};
use std::thread::JoinHandle;

/// Lines that may wait for the thread before the sender waits for it: the log is complete or it is worth nothing.
const WAITING_LINES: usize = 1 << 16;
const RECORD_SEPARATOR: u8 = 0x1e;
const RTTS: [&str; 4] = ["min_rtt", "smoothed_rtt", "latest_rtt", "rtt_variance"];

pub struct QlogFile {
    line: Vec<u8>,
    lines: Option<SyncSender<Vec<u8>>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl QlogFile {
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(1 << 16, File::create(path)?);
        let (lines, received) = sync_channel::<Vec<u8>>(WAITING_LINES);
        let thread = std::thread::spawn(move || {
            for line in received {
                file.write_all(&mended(&line))?;
            }
            file.flush()
        });
        Ok(Self { line: Vec::new(), lines: Some(lines), thread: Some(thread) })
    }
}

impl Write for QlogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if bytes.last() == Some(&b'\n') {
            let line = std::mem::take(&mut self.line);
            let sent = self.lines.as_ref().is_some_and(|lines| lines.send(line).is_ok());
            return if sent { Ok(bytes.len()) } else { Err(io::ErrorKind::BrokenPipe.into()) };
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for QlogFile {
    fn drop(&mut self) {
        self.lines = None;
        if let Some(Ok(Err(error))) = self.thread.take().map(JoinHandle::join) {
            eprintln!("paceline-quic: --qlog: {error}");
        }
    }
}

fn mended(line: &[u8]) -> Vec<u8> {
    let text = line.strip_prefix(&[RECORD_SEPARATOR]).unwrap_or(line);
    let Ok(mut record) = serde_json::from_slice::<Value>(text) else {
        return line.to_vec();
    };
    if record.get("qlog_version").is_some() {
        record["trace"]["vantage_point"] = json!({"name": "paceline-quic", "type": "client"});
        record["trace"]["common_fields"] =
            json!({"protocol_type": ["QUIC"], "reference_time": 0, "time_format": "relative"});
    } else {
        record.as_object_mut().map(|event| event.remove("group_id"));
        let data = &mut record["data"];
        for name in RTTS {
            if let Some(seconds) = data.get(name).and_then(Value::as_f64) {
                data[name] = json!((seconds * 1e9).round() / 1e6);
            }
        }
        if let Some(length) = data.get_mut("header").and_then(|header| header.as_object_mut()?.remove("length")) {
            data["raw"] = json!({"length": length});
        }
    }
    [&[RECORD_SEPARATOR], record.to_string().as_bytes(), b"\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mend(record: Value) -> Value {
        let line = mended(format!("\u{1e}{record}\n").as_bytes());
        assert_eq!((line[0], line[line.len() - 1]), (RECORD_SEPARATOR, b'\n'));
        serde_json::from_slice(&line[1..]).unwrap()
    }

    #[test]
    fn rtts_are_milliseconds() {
        let event = json!({"time": 3.5, "name": "recovery:metrics_updated", "group_id": "ab",
                           "data": {"smoothed_rtt": 0.04, "congestion_window": 14720}});
        let mended = mend(event);
        assert_eq!(mended["data"], json!({"smoothed_rtt": 40.0, "congestion_window": 14720}));
        assert_eq!(mended["time"], 3.5);
        assert!(mended.get("group_id").is_none());
    }

    #[test]
    fn lengths_are_raw_and_the_header_says_who_wrote_it() {
        let sent = json!({"time": 1.0, "name": "transport:packet_sent",
                          "data": {"header": {"packet_type": "1RTT", "packet_number": 7, "length": 1472}}});
        let mended = mend(sent);
        assert_eq!(mended["data"]["raw"]["length"], 1472);
        assert_eq!(mended["data"]["header"], json!({"packet_type": "1RTT", "packet_number": 7}));
        let first = mend(json!({"qlog_version": "0.3", "trace": {"vantage_point": {"type": "unknown"}}}));
        assert_eq!(first["trace"]["vantage_point"]["type"], "client");
    }
}
