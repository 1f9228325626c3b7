//! What the application has to send: without end, at a rate, or in spells. As everywhere, a rate is that of the packets on the wire.
use crate::failure::{bad, Failure};
use crate::spells::Spells;
use crate::wire::MTU;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SourceKind {
    Bulk,
    Rate { mbps: f64 },
    OnOff { on_s: f64, off_s: f64, exponential: bool, mbps: Option<f64> },
}

fn positive(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0)
}

impl SourceKind {
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let known = match text.split_once(':') {
            None if text == "bulk" => Some(Self::Bulk),
            Some(("rate", mbps)) => positive(mbps).map(|mbps| Self::Rate { mbps }),
            Some(("on-off", words)) => Self::on_off(words),
            _ => None,
        };
        match known {
            Some(kind) => Ok(kind),
            None => bad(format!(
                "--source: {text} is neither bulk, rate:MBPS nor on-off:ON_S,OFF_S,fixed|exponential[,MBPS]"
            )),
        }
    }

    fn on_off(words: &str) -> Option<Self> {
        let words: Vec<&str> = words.split(',').collect();
        let (on_s, off_s) = (positive(words.first()?)?, positive(words.get(1)?)?);
        let exponential = match *words.get(2)? {
            "fixed" => false,
            "exponential" => true,
            _ => return None,
        };
        let mbps = match words.get(3) {
            None => None,
            Some(mbps) => Some(positive(mbps)?),
        };
        (words.len() <= 4).then_some(Self::OnOff { on_s, off_s, exponential, mbps })
    }
}

/// Gives whole packets' worth of data, as they come due.
pub struct Source {
    kind: SourceKind,
    started: Instant,
    /// Data in a full packet.
    portion: u64,
    taken: u64,
    spells: Option<Spells>,
}

impl Source {
    pub fn new(kind: SourceKind, started: Instant, portion: u64, seed: u64) -> Self {
        let spells = match kind {
            SourceKind::OnOff { on_s, off_s, exponential, .. } => Some(Spells::new(on_s, off_s, exponential, seed)),
            _ => None,
        };
        Self { kind, started, portion, taken: 0, spells }
    }

    /// It may stop writing at any time, so little may wait in the connection.
    pub fn stops(&self) -> bool {
        matches!(self.kind, SourceKind::OnOff { mbps: None, .. })
    }

    fn mbps(&self) -> Option<f64> {
        match self.kind {
            SourceKind::Bulk => None,
            SourceKind::Rate { mbps } => Some(mbps),
            SourceKind::OnOff { mbps, .. } => mbps,
        }
    }

    /// Bytes that may be handed over by now.
    pub fn ready(&mut self, now: Instant) -> u64 {
        let running = now.saturating_duration_since(self.started).as_secs_f64();
        let writing = match &mut self.spells {
            None => running,
            Some(spells) => spells.written(running),
        };
        match self.mbps() {
            Some(mbps) => {
                let packets = packets_per_second(mbps) * writing;
                (packets as u64 * self.portion).saturating_sub(self.taken)
            }
            None if self.spells.as_ref().is_some_and(|spells| !spells.on()) => 0,
            None => u64::MAX,
        }
    }

    pub fn took(&mut self, bytes: u64) {
        self.taken += bytes;
    }

    /// When there will be another packet's worth, or a spell is over. None while there is one, and for a source that always has one.
    pub fn next(&mut self, now: Instant) -> Option<Instant> {
        if self.ready(now) > 0 && !self.stops() {
            return None;
        }
        // A nanosecond later, so that rounding does not make it a moment too early.
        let at = |seconds: f64| self.started + Duration::from_secs_f64(seconds) + Duration::from_nanos(1);
        let due_s = self.mbps().map(|mbps| (self.taken / self.portion + 1) as f64 / packets_per_second(mbps));
        match (&self.spells, due_s) {
            (None, None) => None,
            (None, Some(due_s)) => Some(at(due_s)),
            (Some(spells), due_s) => {
                Some(at(due_s.and_then(|due_s| spells.when_written(due_s)).unwrap_or(spells.end())))
            }
        }
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
        let mut source = Source::new(SourceKind::Rate { mbps: 12.0 }, start, 1000, 1);
        assert_eq!(source.ready(start), 0);
        let next = source.next(start).unwrap();
        assert!((next - start).as_secs_f64() - 0.001 < 1e-5);
        assert_eq!(source.ready(next), 1000);
        source.took(1000);
        assert_eq!(source.ready(start + Duration::from_micros(5500)), 4000);
        assert!(source.next(start + Duration::from_micros(5500)).is_none());
    }

    #[test]
    fn spells_at_a_rate_write_while_they_last() {
        let start = Instant::now();
        let kind = SourceKind::OnOff { on_s: 0.5, off_s: 1.5, exponential: false, mbps: Some(12.0) };
        let mut source = Source::new(kind, start, 1000, 1);
        let mut now = start;
        let mut packets = 0;
        while now < start + Duration::from_secs(20) {
            let ready = source.ready(now);
            packets += ready / 1000;
            source.took(ready);
            let next = source.next(now).unwrap();
            assert!(next > now);
            now = next;
        }
        assert!((4995..=5005).contains(&packets), "{packets}");
    }

    #[test]
    fn without_a_rate_a_spell_takes_all_and_its_end_is_told() {
        let start = Instant::now();
        let kind = SourceKind::OnOff { on_s: 0.5, off_s: 1.5, exponential: false, mbps: None };
        let mut source = Source::new(kind, start, 1000, 1);
        assert!(source.stops());
        assert_eq!(source.ready(start), u64::MAX);
        let end = source.next(start).unwrap();
        assert!((end - start).as_secs_f64() - 0.5 < 1e-5);
        assert_eq!(source.ready(end), 0);
        assert_eq!(source.ready(start + Duration::from_millis(2100)), u64::MAX);
    }

    #[test]
    fn sources_are_named_as_people_write_them() {
        assert_eq!(SourceKind::parse("bulk").ok(), Some(SourceKind::Bulk));
        assert_eq!(SourceKind::parse("rate:2.5").ok(), Some(SourceKind::Rate { mbps: 2.5 }));
        let on_off = |exponential, mbps| SourceKind::OnOff { on_s: 0.5, off_s: 2.0, exponential, mbps };
        assert_eq!(SourceKind::parse("on-off:0.5,2,fixed").ok(), Some(on_off(false, None)));
        assert_eq!(SourceKind::parse("on-off:0.5,2,exponential,20").ok(), Some(on_off(true, Some(20.0))));
        for wrong in [
            "",
            "rate",
            "rate:",
            "rate:0",
            "rate:-1",
            "rate:nan",
            "fast",
            "on-off:1",
            "on-off:1,0,fixed",
            "on-off:1,1",
            "on-off:1,1,often",
            "on-off:1,1,fixed,0",
            "on-off:1,1,fixed,1,1",
        ] {
            assert!(SourceKind::parse(wrong).is_err(), "{wrong}");
        }
    }
}
