//! Distribution of delays, as core/histogram.hh keeps it: exact count, mean and maximum; percentiles from buckets that are
//! at most 1/128 wide.
use serde_json::{json, Value};
use std::time::Duration;

const STEPS: u64 = 128;

pub struct DelayHistogram {
    buckets: Vec<u64>,
    count: u64,
    sum_ns: u128,
    max_ns: u64,
}

impl DelayHistogram {
    pub fn new() -> Self {
        Self { buckets: vec![0; bucket_of(u64::MAX) + 1], count: 0, sum_ns: 0, max_ns: 0 }
    }

    pub fn add(&mut self, delay: Duration, weight: u64) {
        let ns = delay.as_nanos() as u64;
        self.buckets[bucket_of(ns)] += weight;
        self.count += weight;
        self.sum_ns += u128::from(ns) * u128::from(weight);
        self.max_ns = self.max_ns.max(ns);
    }

    pub fn mean_ms(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum_ns as f64 / self.count as f64 / 1e6)
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn max_ms(&self) -> Option<f64> {
        (self.count > 0).then(|| self.max_ns as f64 / 1e6)
    }

    /// Nearest rank; the middle of the bucket, but never beyond the maximum.
    pub fn percentile_ms(&self, share: f64) -> Option<f64> {
        let rank = ((share * self.count as f64).ceil() as u64).max(1);
        let mut seen = 0;
        let bucket = self.buckets.iter().position(|n| {
            seen += n;
            seen >= rank
        })?;
        Some(middle_of(bucket).min(self.max_ns as f64) / 1e6)
    }

    /// DelayStats of protocol/summary.ts.
    pub fn summary(&self) -> Value {
        json!({
            "count": self.count,
            "mean_ms": self.mean_ms(),
            "p50_ms": self.percentile_ms(0.50),
            "p95_ms": self.percentile_ms(0.95),
            "p99_ms": self.percentile_ms(0.99),
            "max_ms": self.max_ms(),
        })
    }
}

fn bucket_of(ns: u64) -> usize {
    if ns < 2 * STEPS {
        return ns as usize;
    }
    let shift = ns.ilog2() - STEPS.ilog2();
    (u64::from(shift) * STEPS + (ns >> shift)) as usize
}

fn middle_of(bucket: usize) -> f64 {
    let bucket = bucket as u64;
    if bucket < 2 * STEPS {
        return bucket as f64;
    }
    let shift = bucket / STEPS - 1;
    let low = (bucket - shift * STEPS) << shift;
    low as f64 + ((1u64 << shift) - 1) as f64 / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_lies_within_its_bucket() {
        for ns in [0, 1, 255, 256, 257, 511, 512, 1_000_003, 40_123_456, u64::MAX / 3] {
            let middle = middle_of(bucket_of(ns));
            assert!((middle - ns as f64).abs() <= ns as f64 / 256.0 + 0.5, "{ns}: {middle}");
        }
    }

    #[test]
    fn percentiles_are_nearest_rank() {
        let mut histogram = DelayHistogram::new();
        for ms in 1..=100 {
            histogram.add(Duration::from_millis(ms), 1);
        }
        let summary = histogram.summary();
        assert_eq!(summary["count"], 100);
        assert_eq!(summary["mean_ms"], 50.5);
        assert_eq!(summary["max_ms"], 100.0);
        for (name, expected) in [("p50_ms", 50.0), ("p95_ms", 95.0), ("p99_ms", 99.0)] {
            let found = summary[name].as_f64().unwrap();
            assert!((found - expected).abs() < expected * 0.004, "{name}: {found}");
        }
    }

    #[test]
    fn nothing_measured_is_null() {
        let summary = DelayHistogram::new().summary();
        assert!(summary["mean_ms"].is_null() && summary["p50_ms"].is_null() && summary["max_ms"].is_null());
    }
}
