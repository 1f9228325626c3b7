//! The line that starts a run, and the end of standard input, which stops it (docs/realtime.md).
use crate::clock::RunClock;
use crate::failure::{bad, because, Failure};
use std::os::fd::RawFd;

const STDIN: RawFd = libc::STDIN_FILENO;
const LONGEST: usize = 1 << 16;

/// Where the word to stop comes from.
#[derive(Clone, Copy)]
pub struct Conductor {
    fd: Option<RawFd>,
}

impl Conductor {
    /// Waits for `go`.
    pub fn wait() -> Result<(Self, RunClock), Failure> {
        let clock = parse(&read_line()?)?;
        Ok((Self { fd: Some(STDIN) }, clock))
    }

    /// Starts at once and listens to nobody.
    pub fn none() -> (Self, RunClock) {
        (Self { fd: None }, RunClock::starting_now())
    }

    pub fn fd(self) -> Option<RawFd> {
        self.fd
    }

    /// To be called when `fd` has something to say: is it the end?
    pub fn ended(self) -> bool {
        let Some(fd) = self.fd else { return false };
        let mut bytes = [0u8; 4096];
        // SAFETY: reads at most as many bytes as there is room for.
        unsafe { libc::read(fd, bytes.as_mut_ptr().cast(), bytes.len()) == 0 }
    }
}

/// Byte by byte: what follows the line belongs to nobody, but its end must be noticed later.
fn read_line() -> Result<String, Failure> {
    let mut line = Vec::new();
    while line.len() < LONGEST {
        let mut byte = 0u8;
        // SAFETY: reads one byte into one byte.
        match unsafe { libc::read(STDIN, (&mut byte as *mut u8).cast(), 1) } {
            1 if byte == b'\n' => return Ok(String::from_utf8_lossy(&line).into_owned()),
            1 => line.push(byte),
            0 => return Err(Failure::Failed("stopped before the start: standard input ended".into())),
            _ if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
            _ => return Err(because("standard input")(std::io::Error::last_os_error())),
        }
    }
    bad("the go line is too long")
}

fn parse(line: &str) -> Result<RunClock, Failure> {
    let go: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
    if go["type"] != "go" {
        return bad("the go line is wrong: it is not {\"type\":\"go\",...}");
    }
    match go["start_ns"].as_i64().filter(|ns| *ns >= 0) {
        Some(ns) => Ok(RunClock::starting_at(ns)),
        None => bad("the go line is wrong: start_ns is not a time of CLOCK_MONOTONIC"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_not_a_start() {
        for line in
            ["", "go", "{}", r#"{"type":"go"}"#, r#"{"type":"go","start_ns":-1}"#, r#"{"type":"stop","start_ns":1}"#]
        {
            assert!(parse(line).is_err(), "{line}");
        }
        assert!(parse(r#"{"type":"go","start_ns":5,"ports":{"emulator":1,"senders":[],"receivers":[]}}"#).is_ok());
    }
}
