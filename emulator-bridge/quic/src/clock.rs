//! The run's clock: nanoseconds since its time 0, which is a moment of CLOCK_MONOTONIC.
use std::time::{Duration, Instant};

#[derive(Clone, Copy)]
pub struct RunClock {
    zero: Instant,
}

impl RunClock {
    /// Time 0 is `start_ns` of CLOCK_MONOTONIC, on which `Instant` runs, too.
    pub fn starting_at(start_ns: i64) -> Self {
        let now = Instant::now();
        let ahead = start_ns - monotonic_ns();
        let zero = if ahead >= 0 {
            now + Duration::from_nanos(ahead.unsigned_abs())
        } else {
            now.checked_sub(Duration::from_nanos(ahead.unsigned_abs())).unwrap_or(now)
        };
        Self { zero }
    }

    pub fn starting_now() -> Self {
        Self { zero: Instant::now() }
    }

    pub fn ns(&self, moment: Instant) -> i64 {
        match moment.checked_duration_since(self.zero) {
            Some(after) => after.as_nanos() as i64,
            None => -(self.zero.duration_since(moment).as_nanos() as i64),
        }
    }

    pub fn at(&self, ns: i64) -> Instant {
        self.zero + Duration::from_nanos(ns.max(0).unsigned_abs())
    }

    pub fn at_seconds(&self, seconds: f64) -> Instant {
        self.zero + Duration::from_secs_f64(seconds)
    }
}

fn monotonic_ns() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a timespec of ours.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_in_the_past_or_future_is_the_same_clock() {
        let ahead = RunClock::starting_at(monotonic_ns() + 1_000_000_000);
        let behind = RunClock::starting_at(monotonic_ns() - 1_000_000_000);
        let now = Instant::now();
        assert!((ahead.ns(now) + 1_000_000_000).abs() < 100_000_000);
        assert!((behind.ns(now) - 1_000_000_000).abs() < 100_000_000);
        assert_eq!(behind.ns(behind.at(123_456)), 123_456);
    }
}
