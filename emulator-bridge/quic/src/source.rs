//! What the application has to send: without end, at a rate, or in spells. As everywhere, a rate is that of the packets on the wire.
use crate::failure::{bad, Failure};
use crate::wire::MTU;
use std::ffi::{c_char, c_int, CStr};
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
    /// None: as much as the flow takes.
    fn mbps(self) -> Option<f64> {
        match self {
            Self::Bulk => None,
            Self::Rate { mbps } => Some(mbps),
            Self::OnOff { mbps, .. } => mbps,
        }
    }

    pub fn parse(text: &str) -> Result<Self, Failure> {
        let known = match text.split_once(':') {
            None if text == "bulk" => Some(Self::Bulk),
            Some(("rate", mbps)) => positive(mbps).map(|mbps| Self::Rate { mbps }),
            Some(("on-off", words)) => Self::on_off(words),
            _ => None,
        };
        match known {
            // Refused now rather than in the middle of the run.
            Some(kind) => Application::new(kind, 0).map(|_| kind),
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

#[repr(C)]
struct Handle {
    _private: [u8; 0],
}

#[repr(C)]
struct Plan {
    rate_bps: f64,
    packet_bytes: i64,
    on_s: f64,
    off_s: f64,
    exponential: c_int,
    seed: u64,
}

extern "C" {
    fn paceline_source_create(plan: *const Plan, start_ns: i64, error: *mut c_char, error_size: usize) -> *mut Handle;
    fn paceline_source_destroy(source: *mut Handle);
    fn paceline_source_take(source: *mut Handle, now_ns: i64, most: u32) -> u32;
    fn paceline_source_next(source: *const Handle) -> i64;
}

/// The engine's application, through its C interface (native/c_abi/paceline_source.h).
struct Application {
    handle: *mut Handle,
}

// SAFETY, of all below: `handle` is valid as long as `self` is, and `&mut self` keeps calls one at a time.
impl Application {
    fn new(kind: SourceKind, seed: u64) -> Result<Self, Failure> {
        let (on_s, off_s, exponential) = match kind {
            SourceKind::OnOff { on_s, off_s, exponential, .. } => (on_s, off_s, exponential),
            _ => (0.0, 0.0, false),
        };
        let rate_bps = kind.mbps().map_or(0.0, |mbps| mbps * 1e6);
        let plan =
            Plan { rate_bps, packet_bytes: MTU as i64, on_s, off_s, exponential: c_int::from(exponential), seed };
        let mut error = [0u8; 256];
        let handle = unsafe { paceline_source_create(&plan, 0, error.as_mut_ptr().cast(), error.len()) };
        if handle.is_null() {
            let sentence = CStr::from_bytes_until_nul(&error).unwrap_or_default();
            return bad(format!("--source: {}", sentence.to_string_lossy()));
        }
        Ok(Self { handle })
    }

    fn take(&mut self, now_ns: i64, most: u32) -> u32 {
        unsafe { paceline_source_take(self.handle, now_ns, most) }
    }

    /// None: never.
    fn next(&self) -> Option<u64> {
        let next = unsafe { paceline_source_next(self.handle) };
        (next < i64::MAX).then_some(next.unsigned_abs())
    }
}

impl Drop for Application {
    fn drop(&mut self) {
        unsafe { paceline_source_destroy(self.handle) }
    }
}

/// Gives whole packets' worth of data, as they come due.
pub struct Source {
    kind: SourceKind,
    application: Application,
    started: Instant,
    /// Data in a full packet.
    portion: u64,
    /// Of what was written at a rate, not yet taken.
    waiting: u64,
}

impl Source {
    pub fn new(kind: SourceKind, started: Instant, portion: u64, seed: u64) -> Result<Self, Failure> {
        Ok(Self { kind, application: Application::new(kind, seed)?, started, portion, waiting: 0 })
    }

    /// It may stop writing at any time, so little may wait in the connection.
    pub fn stops(&self) -> bool {
        matches!(self.kind, SourceKind::OnOff { mbps: None, .. })
    }

    /// Bytes that may be handed over by now.
    pub fn ready(&mut self, now: Instant) -> u64 {
        let now_ns = i64::try_from(now.saturating_duration_since(self.started).as_nanos()).unwrap_or(i64::MAX);
        if self.kind.mbps().is_none() {
            return if self.application.take(now_ns, 1) > 0 { u64::MAX } else { 0 };
        }
        self.waiting += u64::from(self.application.take(now_ns, u32::MAX)) * self.portion;
        self.waiting
    }

    pub fn took(&mut self, bytes: u64) {
        self.waiting = self.waiting.saturating_sub(bytes);
    }

    /// When there will be another packet's worth, or a spell is over. None while there is one, and for a source that always has one.
    pub fn next(&mut self, now: Instant) -> Option<Instant> {
        if self.ready(now) > 0 && !self.stops() {
            return None;
        }
        self.application.next().map(|ns| self.started + Duration::from_nanos(ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_comes_in_whole_packets_and_on_time() {
        let start = Instant::now();
        let mut source = Source::new(SourceKind::Rate { mbps: 12.0 }, start, 1000, 1).unwrap();
        assert_eq!(source.ready(start), 0);
        let next = source.next(start).unwrap();
        assert!((next - start).as_secs_f64() - 0.001 < 1e-5);
        assert_eq!(source.ready(next), 1000);
        source.took(1000);
        assert_eq!(source.ready(start + Duration::from_micros(5500)), 4000);
        assert!(source.next(start + Duration::from_micros(5500)).is_none());
    }

    /// The figures are those of the sources that this program once had of its own.
    #[test]
    fn what_is_not_taken_at_once_waits_and_nothing_is_written_twice() {
        let start = Instant::now();
        let mut source = Source::new(SourceKind::Rate { mbps: 7.3 }, start, 1000, 1).unwrap();
        let mut taken = 0;
        let packets = (1..=10).map(|i| {
            let now = start + Duration::from_micros(i * i * 12_345);
            while source.ready(now) > 0 {
                let part = source.ready(now).min(700);
                source.took(part);
                taken += part;
            }
            taken / 1000
        });
        assert_eq!(packets.collect::<Vec<_>>(), [7, 30, 67, 120, 187, 270, 367, 480, 608, 750]);
    }

    #[test]
    fn spells_at_a_rate_write_while_they_last() {
        let start = Instant::now();
        let kind = SourceKind::OnOff { on_s: 0.5, off_s: 1.5, exponential: false, mbps: Some(12.0) };
        let mut source = Source::new(kind, start, 1000, 1).unwrap();
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
        let mut source = Source::new(kind, start, 1000, 1).unwrap();
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
            "rate:1e9",
            "on-off:1e-9,1,fixed",
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
