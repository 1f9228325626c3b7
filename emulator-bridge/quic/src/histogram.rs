//! Distribution of delays: the engine's, through its C interface (native/c_abi/paceline_histogram.h).
use crate::summary::DelayStats;
use std::time::Duration;

#[repr(C)]
struct Handle {
    _private: [u8; 0],
}

#[repr(C)]
struct Delays {
    count: u64,
    mean_ms: f64,
    p50_ms: f64,
    p95_ms: f64,
    p99_ms: f64,
    max_ms: f64,
}

extern "C" {
    fn paceline_histogram_create() -> *mut Handle;
    fn paceline_histogram_destroy(histogram: *mut Handle);
    fn paceline_histogram_add(histogram: *mut Handle, delay_ns: i64, weight: u32);
    fn paceline_histogram_read(histogram: *const Handle, out: *mut Delays);
    fn paceline_histogram_spread(histogram: *const Handle, out: *mut f64, room: usize) -> usize;
}

pub struct DelayHistogram {
    handle: *mut Handle,
}

// SAFETY: a histogram holds no reference to the thread that made it; callers take turns behind a mutex.
unsafe impl Send for DelayHistogram {}

// SAFETY, of all below: `handle` is valid as long as `self` is, and `&mut self` keeps calls one at a time.
impl DelayHistogram {
    pub fn new() -> Self {
        let handle = unsafe { paceline_histogram_create() };
        assert!(!handle.is_null(), "no memory");
        Self { handle }
    }

    pub fn add(&mut self, delay: Duration, weight: u64) {
        let ns = i64::try_from(delay.as_nanos()).unwrap_or(i64::MAX);
        unsafe { paceline_histogram_add(self.handle, ns, u32::try_from(weight).unwrap_or(u32::MAX)) }
    }

    pub fn stats(&self) -> DelayStats {
        let mut all = Delays { count: 0, mean_ms: 0.0, p50_ms: 0.0, p95_ms: 0.0, p99_ms: 0.0, max_ms: 0.0 };
        unsafe { paceline_histogram_read(self.handle, &mut all) };
        let known = |ms: f64| (!ms.is_nan()).then_some(ms);
        DelayStats {
            count: all.count,
            mean_ms: known(all.mean_ms),
            p50_ms: known(all.p50_ms),
            p95_ms: known(all.p95_ms),
            p99_ms: known(all.p99_ms),
            max_ms: known(all.max_ms),
            spread: self.spread(),
        }
    }

    /// For where those of several flows are joined.
    fn spread(&self) -> Vec<f64> {
        let mut spread = vec![0.0; unsafe { paceline_histogram_spread(self.handle, std::ptr::null_mut(), 0) }];
        let found = unsafe { paceline_histogram_spread(self.handle, spread.as_mut_ptr(), spread.len()) };
        spread.truncate(found);
        spread
    }
}

impl Drop for DelayHistogram {
    fn drop(&mut self) {
        unsafe { paceline_histogram_destroy(self.handle) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_engines() {
        let mut histogram = DelayHistogram::new();
        for ms in 1..=100 {
            histogram.add(Duration::from_millis(ms), 1);
        }
        let stats = histogram.stats();
        assert_eq!((stats.count, stats.mean_ms, stats.max_ms), (100, Some(50.5), Some(100.0)));
        assert_eq!(stats.spread.len(), 200);
        assert_eq!(stats.spread[1], 1.0);
        for (found, expected) in [(stats.p50_ms, 50.0), (stats.p95_ms, 95.0), (stats.p99_ms, 99.0)] {
            let found = found.unwrap();
            assert!((found - expected).abs() < expected * 0.004, "{found}");
        }
    }

    #[test]
    fn nothing_measured_is_nothing() {
        let stats = DelayHistogram::new().stats();
        assert_eq!((stats.count, stats.mean_ms, stats.p50_ms, stats.max_ms), (0, None, None, None));
    }
}
