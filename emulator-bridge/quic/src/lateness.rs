//! How well this end kept up: how late it woke, and what was lost at its socket, where nothing is modelled. The bounds are those
//! of docs/realtime.md.
use crate::histogram::DelayHistogram;
use serde_json::{json, Value};
use std::time::{Duration, Instant};

const LATE: Duration = Duration::from_millis(1);
/// One in a hundred of fewer wake-ups says nothing.
const TELLING_WAKEUPS: u64 = 100;

pub struct Lateness {
    wakeups: DelayHistogram,
}

pub struct Verdict {
    /// LatenessSummary of protocol/summary.ts.
    pub summary: Value,
    /// What made it an overrun, in words; empty if it is none.
    pub overrun: String,
}

impl Lateness {
    pub fn new() -> Self {
        Self { wakeups: DelayHistogram::new() }
    }

    /// Something was due, and is handled now. Waking up earlier, because something has come, does not count.
    pub fn woke(&mut self, due: Instant) {
        if let Some(late) = Instant::now().checked_duration_since(due) {
            self.wakeups.add(late, 1);
        }
    }

    /// `losses`: datagrams that this end's socket refused or dropped.
    pub fn verdict(&self, losses: u64) -> Verdict {
        let us = |ms: Option<f64>| ms.unwrap_or(0.0) * 1e3;
        let p99_us = us(self.wakeups.percentile_ms(0.99));
        let overrun = if losses > 0 {
            format!("packets lost outside the modelled queue and loss: {losses}")
        } else if self.wakeups.count() >= TELLING_WAKEUPS && p99_us > LATE.as_secs_f64() * 1e6 {
            format!("1 % of the wake-ups came more than {:.3} ms late", p99_us / 1e3)
        } else {
            String::new()
        };
        let summary = json!({
            "wakeups": self.wakeups.count(),
            "p50_us": us(self.wakeups.percentile_ms(0.5)),
            "p99_us": p99_us,
            "max_us": us(self.wakeups.max_ms()),
            "late_opportunities": 0,
            "unmodelled_losses": losses,
            "overrun": !overrun.is_empty(),
        });
        Verdict { summary, overrun }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_at_the_socket_is_an_overrun_and_a_late_wake_up_is_not() {
        let mut lateness = Lateness::new();
        lateness.woke(Instant::now() - Duration::from_millis(50));
        lateness.woke(Instant::now() + Duration::from_millis(50));
        let kept_up = lateness.verdict(0);
        assert_eq!((kept_up.summary["wakeups"].as_u64(), kept_up.overrun.as_str()), (Some(1), ""));
        assert!(lateness.verdict(3).overrun.ends_with("loss: 3"));
        for _ in 0..TELLING_WAKEUPS {
            lateness.woke(Instant::now() - Duration::from_millis(2));
        }
        assert!(lateness.verdict(0).overrun.starts_with("1 % of the wake-ups"));
    }
}
