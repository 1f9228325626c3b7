//! What is measured about a flow at its sender, whichever algorithm it has.
use crate::histogram::DelayHistogram;
use std::time::{Duration, Instant};

/// A rare thing, for the run's events.
pub enum Happening {
    Episode { lost_packets: u64 },
    Recovered { lost_packets: u64 },
    PersistentCongestion,
    Phase(&'static str),
}

pub struct Meter {
    /// UDP payload; what QUIC calls bytes in flight.
    pub inflight: u64,
    pub acked_packets: u64,
    pub rtts: DelayHistogram,
    pub latest_rtt: Option<Duration>,
    pub min_rtt: Option<Duration>,
    pub loss_episodes: u64,
    pub timeouts: u64,
    pub app_limited: bool,
    pub happenings: Vec<(Instant, Happening)>,
    recovery_start: Option<Instant>,
    in_episode: bool,
    episode_lost: u64,
    phase: &'static str,
    newest_acked: Option<Instant>,
    batch_packets: u64,
    batch_newest: Option<Instant>,
}

impl Meter {
    pub fn new() -> Self {
        Self {
            inflight: 0,
            acked_packets: 0,
            rtts: DelayHistogram::new(),
            latest_rtt: None,
            min_rtt: None,
            loss_episodes: 0,
            timeouts: 0,
            app_limited: false,
            happenings: Vec::new(),
            recovery_start: None,
            in_episode: false,
            episode_lost: 0,
            phase: "",
            newest_acked: None,
            batch_packets: 0,
            batch_newest: None,
        }
    }

    pub fn acked(&mut self, sent: Instant) {
        self.acked_packets += 1;
        self.batch_packets += 1;
        self.batch_newest = self.batch_newest.max(Some(sent));
    }

    /// The acknowledgement is complete: one RTT sample, of the most recently sent packet that it newly acknowledges.
    pub fn acks_end(&mut self, now: Instant, inflight: u64) {
        self.inflight = inflight;
        let (packets, newest) = (self.batch_packets, self.batch_newest);
        self.batch_packets = 0;
        self.batch_newest = None;
        let Some(newest) = newest else { return };
        // Packets of one batch have one time: each of their acknowledgements is a sample.
        if self.newest_acked.is_none_or(|before| newest >= before) {
            self.newest_acked = Some(newest);
            let rtt = now.saturating_duration_since(newest);
            self.latest_rtt = Some(rtt);
            self.min_rtt = Some(self.min_rtt.map_or(rtt, |least| least.min(rtt)));
            self.rtts.add(rtt, packets);
        }
        if self.in_episode && self.recovery_start.is_some_and(|start| newest > start) {
            self.in_episode = false;
            self.happenings.push((now, Happening::Recovered { lost_packets: self.episode_lost }));
        }
    }

    /// Loss episodes as RFC 9002 section 7.3.2 counts them.
    pub fn lost(&mut self, now: Instant, newest_sent: Instant, bytes: u64, packets: u64, persistent: bool) {
        self.inflight = self.inflight.saturating_sub(bytes);
        if self.recovery_start.is_none_or(|start| newest_sent > start) {
            self.recovery_start = Some(now);
            self.in_episode = true;
            self.episode_lost = 0;
            self.loss_episodes += 1;
            self.happenings.push((now, Happening::Episode { lost_packets: packets }));
        }
        self.episode_lost += packets;
        if persistent {
            self.timeouts += 1;
            self.happenings.push((now, Happening::PersistentCongestion));
        }
    }

    pub fn phase(&mut self, now: Instant, phase: &'static str) {
        if phase == self.phase {
            return;
        }
        self.phase = phase;
        self.happenings.push((now, Happening::Phase(phase)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_of_one_flight_are_one_episode() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut meter = Meter::new();
        meter.inflight = 10_000;
        meter.lost(at(50), at(10), 2000, 2, false);
        meter.lost(at(60), at(20), 1000, 1, false);
        assert_eq!((meter.loss_episodes, meter.inflight), (1, 7000));
        meter.acked(at(55));
        meter.acks_end(at(105), 6000);
        meter.lost(at(110), at(56), 1000, 1, true);
        assert_eq!((meter.loss_episodes, meter.timeouts), (2, 1));
        assert!(matches!(meter.happenings[1].1, Happening::Recovered { lost_packets: 3 }));
    }

    #[test]
    fn an_rtt_sample_needs_a_packet_no_older_than_any_before() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut meter = Meter::new();
        meter.acked(at(5));
        meter.acked(at(10));
        meter.acks_end(at(50), 0);
        assert_eq!(meter.latest_rtt, Some(Duration::from_millis(40)));
        meter.acked(at(10));
        meter.acks_end(at(51), 0);
        assert_eq!(meter.latest_rtt, Some(Duration::from_millis(41)));
        meter.acked(at(1));
        meter.acks_end(at(90), 0);
        assert_eq!(meter.latest_rtt, Some(Duration::from_millis(41)));
        assert_eq!(meter.rtts.stats().count, 3);
    }
}
