//! What the application has to send: without end, or at a rate. As everywhere, a rate is that of the packets on the wire.
use crate::failure::{bad, Failure};
use crate::wire::MTU;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SourceKind {
    Bulk,
    Rate { mbps: f64 },
}

impl SourceKind {
    pub fn parse(text: &str) -> Result<Self, Failure> {
        if text == "bulk" {
            return Ok(Self::Bulk);
        }
        match text.strip_prefix("rate:").and_then(|mbps| mbps.parse::<f64>().ok()) {
            Some(mbps) if mbps.is_finite() && mbps > 0.0 => Ok(Self::Rate { mbps }),
            _ => bad(format!("--source: {text} is neither bulk nor rate:MBPS")),
        }
    }
}

/// Gives whole packets' worth of data, as they come due.
pub struct Source {
    kind: SourceKind,
    started: Instant,
    /// Data in a full packet.
    portion: u64,
    taken: u64,
}

impl Source {
    pub fn new(kind: SourceKind, started: Instant, portion: u64) -> Self {
        Self { kind, started, portion, taken: 0 }
    }

    /// Bytes that may be handed over by now.
    pub fn ready(&self, now: Instant) -> u64 {
        match self.kind {
            SourceKind::Bulk => u64::MAX,
            SourceKind::Rate { mbps } => {
                let packets = packets_per_second(mbps) * now.saturating_duration_since(self.started).as_secs_f64();
                (packets as u64 * self.portion).saturating_sub(self.taken)
            }
        }
    }

    pub fn took(&mut self, bytes: u64) {
        self.taken += bytes;
    }

    /// When there will be another packet's worth. None while there is one, and for a source that always has one.
    pub fn next(&self, now: Instant) -> Option<Instant> {
        let SourceKind::Rate { mbps } = self.kind else {
            return None;
        };
        if self.ready(now) > 0 {
            return None;
        }
        let packets = self.taken / self.portion + 1;
        // A nanosecond later, so that rounding does not make it a moment too early.
        let after = Duration::from_secs_f64(packets as f64 / packets_per_second(mbps)) + Duration::from_nanos(1);
        Some(self.started + after)
    }
}

fn packets_per_second(mbps: f64) -> f64 {
    mbps * 125_000.0 / MTU as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_comes_in_whole_packets_and_on_time() {
        let start = Instant::now();
        let mut source = Source::new(SourceKind::Rate { mbps: 12.0 }, start, 1000);
        assert_eq!(source.ready(start), 0);
        let next = source.next(start).unwrap();
        assert!((next - start).as_secs_f64() - 0.001 < 1e-5);
        assert_eq!(source.ready(next), 1000);
        source.took(1000);
        assert_eq!(source.ready(start + Duration::from_micros(5500)), 4000);
        assert!(source.next(start + Duration::from_micros(5500)).is_none());
    }

    #[test]
    fn sources_are_named_as_people_write_them() {
        assert_eq!(SourceKind::parse("bulk").ok(), Some(SourceKind::Bulk));
        assert_eq!(SourceKind::parse("rate:2.5").ok(), Some(SourceKind::Rate { mbps: 2.5 }));
        for wrong in ["", "rate", "rate:", "rate:0", "rate:-1", "rate:nan", "fast"] {
            assert!(SourceKind::parse(wrong).is_err(), "{wrong}");
        }
    }
}
