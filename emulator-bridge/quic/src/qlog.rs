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
    /// Beyond the limit it says that it ends, and does.
    pub fn create(path: &Path, limit_bytes: u64) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(1 << 16, File::create(path)?);
        let (lines, received) = sync_channel::<Vec<u8>>(WAITING_LINES);
        let thread = std::thread::spawn(move || {
            let mut room = limit_bytes;
            for line in received {
                let record = mended(&line);
                match room.checked_sub(record.len() as u64) {
                    Some(left) => room = left,
                    None => {
                        file.write_all(&last_words(&record, limit_bytes))?;
                        break;
                    }
                }
                file.write_all(&record)?;
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
            // A thread that is gone has reached the limit, or will say at the end what went wrong.
            self.lines = self.lines.take().filter(|lines| lines.send(line).is_ok());
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

/// At the time of the record that did not fit.
fn last_words(record: &[u8], limit_bytes: u64) -> Vec<u8> {
    let event: Value = serde_json::from_slice(&record[1..]).unwrap_or_default();
    let message = format!("the log ends here: its limit of {} MB is reached", limit_bytes / 1_000_000);
    let last = json!({"time": event["time"], "name": "loglevel:info", "data": {"message": message}});
    [&[RECORD_SEPARATOR], last.to_string().as_bytes(), b"\n"].concat()
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
    fn a_log_ends_at_its_limit_and_says_so() {
        let path = std::env::temp_dir().join(format!("paceline-qlog-{}.sqlog", std::process::id()));
        let mut file = QlogFile::create(&path, 1000).unwrap();
        for time in 0..1000 {
            let event = json!({"time": time, "name": "recovery:packet_lost", "data": {}});
            file.write_all(format!("\u{1e}{event}\n").as_bytes()).unwrap();
        }
        drop(file);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(&line[1..]).unwrap()).collect();
        assert!(text.len() > 900 && text.len() < 1200, "{}", text.len());
        assert_eq!(records[records.len() - 1]["name"], "loglevel:info");
        assert_eq!(records[records.len() - 1]["time"], records.len() - 1);
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
