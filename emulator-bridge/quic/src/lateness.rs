//! How well this end kept up: how late it woke, and what was lost at its socket, where nothing is modelled. The bounds are those
//! of docs/realtime.md.
use crate::histogram::DelayHistogram;
use crate::summary::LatenessSummary;
use std::time::{Duration, Instant};

const LATE: Duration = Duration::from_millis(1);
const LOSS_SHARE_ALLOWED: f64 = 1e-4;
/// One in a hundred of fewer wake-ups says nothing.
const TELLING_WAKEUPS: u64 = 100;

pub struct Lateness {
    wakeups: DelayHistogram,
}

pub struct Verdict {
    pub summary: LatenessSummary,
    /// What made it an overrun, in words; empty if it is none.
    overrun: String,
    losses: u64,
}

impl Verdict {
    /// What happened, as the events that tell it: name, detail, value.
    pub fn events(&self) -> impl Iterator<Item = (&'static str, &str, Option<u64>)> {
        let lost = (self.losses > 0).then_some(("unmodelled_loss", "", Some(self.losses)));
        let overrun = (!self.overrun.is_empty()).then_some(("overrun", self.overrun.as_str(), None));
        lost.into_iter().chain(overrun)
    }
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

    /// `losses`: datagrams that this end's socket refused or dropped, of so many that it sent and received.
    pub fn verdict(&self, losses: u64, datagrams: u64) -> Verdict {
        let us = |ms: Option<f64>| ms.unwrap_or(0.0) * 1e3;
        let wakeups = self.wakeups.stats();
        let p99_us = us(wakeups.p99_ms);
        let overrun = if losses as f64 > LOSS_SHARE_ALLOWED * datagrams as f64 {
            format!("packets lost outside the modelled queue and loss: {losses} of {datagrams}")
        } else if wakeups.count >= TELLING_WAKEUPS && p99_us > LATE.as_secs_f64() * 1e6 {
            format!("1 % of the wake-ups came more than {:.3} ms late", p99_us / 1e3)
        } else {
            String::new()
        };
        let summary = LatenessSummary {
            wakeups: wakeups.count,
            p50_us: us(wakeups.p50_ms),
            p99_us,
            max_us: us(wakeups.max_ms),
            unmodelled_losses: losses,
            overrun: !overrun.is_empty(),
            ..LatenessSummary::default()
        };
        Verdict { summary, overrun, losses }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_losses_at_the_socket_are_an_overrun_and_few_or_a_late_wake_up_are_not() {
        let mut lateness = Lateness::new();
        lateness.woke(Instant::now() - Duration::from_millis(50));
        lateness.woke(Instant::now() + Duration::from_millis(50));
        let kept_up = lateness.verdict(0, 10);
        assert_eq!((kept_up.summary.wakeups, kept_up.overrun.as_str()), (1, ""));
        let few = lateness.verdict(3, 30_000);
        assert!(few.overrun.is_empty());
        assert_eq!(few.events().collect::<Vec<_>>(), [("unmodelled_loss", "", Some(3))]);
        let many = lateness.verdict(3, 29_999);
        assert!(many.overrun.ends_with("loss: 3 of 29999"));
        assert_eq!(many.events().count(), 2);
        for _ in 0..TELLING_WAKEUPS {
            lateness.woke(Instant::now() - Duration::from_millis(2));
        }
        assert!(lateness.verdict(0, 10).overrun.starts_with("1 % of the wake-ups"));
    }
}
