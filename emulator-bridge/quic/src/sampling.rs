//! Rows of samples at fixed times of the run: every period, and at the end.

pub struct SampleTimes {
    period_s: f64,
    end_s: f64,
    taken: u64,
    last_s: f64,
    done: bool,
}

impl SampleTimes {
    pub fn new(period_s: f64, end_s: f64) -> Self {
        Self { period_s, end_s, taken: 0, last_s: 0.0, done: false }
    }

    pub fn next_s(&self) -> f64 {
        ((self.taken + 1) as f64 * self.period_s).min(self.end_s)
    }

    /// The end of the interval that is over at `now_s`, and its length; none while none is.
    pub fn due(&mut self, now_s: f64) -> Option<(f64, f64)> {
        let time = self.next_s();
        if self.done || time > now_s {
            return None;
        }
        let interval = time - self.last_s;
        self.done = time >= self.end_s;
        self.taken += 1;
        self.last_s = time;
        Some((time, interval))
    }
}

/// Growth of a running total since the last time it was asked.
#[derive(Default)]
pub struct Growth(u64);

impl Growth {
    pub fn of(&mut self, total: u64) -> u64 {
        let grown = total.saturating_sub(self.0);
        self.0 = total;
        grown
    }
}

pub fn mbps(bytes: u64, seconds: f64) -> f32 {
    (bytes as f64 * 8e-6 / seconds) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_period_and_the_end() {
        let mut times = SampleTimes::new(0.25, 0.6);
        assert!(times.due(0.2).is_none());
        assert_eq!(times.due(0.6), Some((0.25, 0.25)));
        assert_eq!(times.due(0.6), Some((0.5, 0.25)));
        assert!((times.due(0.6).unwrap().1 - 0.1).abs() < 1e-9);
        assert!(times.due(9.0).is_none());
    }
}
