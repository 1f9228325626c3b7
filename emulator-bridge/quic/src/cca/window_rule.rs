//! Is the window what holds the sender back? RFC 9002 section 7.8 forbids growth when it is not.
//!
//! quinn's own flag means "nothing was left to send", which an application that is slower than the path clears every time it
//! writes. Here the bytes in flight decide, with quic-go's slack: half the window in slow start, three packets otherwise. A
//! sender that has had something to send for a whole round trip is held back by window or pacer, whatever is in flight.
use std::time::{Duration, Instant};

const SLACK_PACKETS: u64 = 3;

pub struct WindowRule {
    /// Off: the window also grows while it is not used (the "modified QUIC" of the mmWave paper).
    on: bool,
    packet: u64,
    idle: Option<Instant>,
}

/// The sender at one acknowledgement, before that is taken out of what is in flight.
pub struct Usage {
    pub now: Instant,
    pub inflight: u64,
    pub window: u64,
    pub slow_start: bool,
    pub srtt: Duration,
}

impl WindowRule {
    pub fn new(on: bool, packet: u64) -> Self {
        Self { on, packet, idle: None }
    }

    /// The application had nothing to send.
    pub fn nothing_to_send(&mut self, now: Instant) {
        self.idle = Some(now);
    }

    pub fn limited(&self, usage: &Usage) -> bool {
        let busy = self.idle.is_none_or(|idle| usage.now.saturating_duration_since(idle) > usage.srtt);
        !self.on
            || busy
            || usage.inflight + SLACK_PACKETS * self.packet >= usage.window
            || (usage.slow_start && usage.inflight > usage.window / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(now: Instant, inflight: u64, window: u64, slow_start: bool) -> Usage {
        Usage { now, inflight, window, slow_start, srtt: Duration::from_millis(40) }
    }

    #[test]
    fn a_sender_that_runs_dry_is_judged_by_what_is_in_flight() {
        let now = Instant::now();
        let mut rule = WindowRule::new(true, 1000);
        rule.nothing_to_send(now);
        assert!(!rule.limited(&usage(now, 50_000, 100_000, false)));
        assert!(rule.limited(&usage(now, 97_000, 100_000, false)));
        assert!(!rule.limited(&usage(now, 50_000, 100_000, true)));
        assert!(rule.limited(&usage(now, 50_001, 100_000, true)));
    }

    #[test]
    fn a_sender_that_always_has_data_is_never_under_utilised() {
        let now = Instant::now();
        let mut rule = WindowRule::new(true, 1000);
        assert!(rule.limited(&usage(now, 10_000, 100_000, false)));
        rule.nothing_to_send(now);
        assert!(rule.limited(&usage(now + Duration::from_millis(41), 10_000, 100_000, false)));
    }

    #[test]
    fn switched_off_it_always_lets_the_window_grow() {
        let now = Instant::now();
        let mut rule = WindowRule::new(false, 1000);
        rule.nothing_to_send(now);
        assert!(rule.limited(&usage(now, 0, 100_000, false)));
    }
}
