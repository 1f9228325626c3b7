//! One of our CCAs: a safe coat over the C interface. All sizes are bytes on the wire.
use super::abi;
use crate::telemetry::Column;
use std::ffi::{c_char, c_int, CStr, CString};

pub struct Ours {
    handle: *mut abi::Handle,
}

// SAFETY: a controller holds no reference to the thread that made it; callers take turns behind a mutex.
unsafe impl Send for Ours {}

pub struct View {
    pub window: i64,
    pub ssthresh: i64,
    pub pacing_bps: f64,
    pub delivery_bps: f64,
    pub phase: &'static str,
}

impl Ours {
    pub fn new(id: &str, params: &[(String, String)], now_ns: i64, mss: u64, seed: u64) -> Result<Self, String> {
        let c = |text: &str| CString::new(text).map_err(|_| format!("{text:?} holds a zero"));
        let texts = params.iter().map(|(name, value)| Ok((c(name)?, c(value)?))).collect::<Result<Vec<_>, String>>()?;
        let list: Vec<_> =
            texts.iter().map(|(name, value)| abi::Param { name: name.as_ptr(), value: value.as_ptr() }).collect();
        let environment = abi::Environment { now_ns, mss_bytes: mss as i64, seed };
        let mut error = [0u8; 512];
        // SAFETY: every pointer is to something that lives through the call; `error` is as large as is said.
        let handle = unsafe {
            abi::paceline_cca_create(
                c(id)?.as_ptr(),
                list.as_ptr(),
                list.len(),
                &environment,
                error.as_mut_ptr().cast(),
                error.len(),
            )
        };
        if handle.is_null() {
            let sentence = CStr::from_bytes_until_nul(&error).unwrap_or_default();
            return Err(sentence.to_string_lossy().into_owned());
        }
        Ok(Self { handle })
    }

    // SAFETY, of all below: `handle` is valid as long as `self` is, and `&mut self` keeps calls one at a time.

    pub fn sent(&mut self, now_ns: i64, bytes: u64, packets: u64) {
        unsafe { abi::paceline_cca_sent(self.handle, now_ns, bytes as i64, packets as u32) }
    }

    pub fn paused(&mut self, nothing_to_send: bool) {
        unsafe { abi::paceline_cca_paused(self.handle, c_int::from(nothing_to_send)) }
    }

    pub fn acked(&mut self, sent_ns: i64, bytes: u64) {
        unsafe { abi::paceline_cca_acked(self.handle, sent_ns, bytes as i64) }
    }

    pub fn lost(&mut self, newest_sent_ns: i64, bytes: u64, persistent: bool) {
        unsafe { abi::paceline_cca_lost(self.handle, newest_sent_ns, bytes as i64, c_int::from(persistent)) }
    }

    pub fn settle(&mut self, now_ns: i64, inflight: u64, window_limited: bool) {
        unsafe { abi::paceline_cca_settle(self.handle, now_ns, inflight as i64, c_int::from(window_limited)) }
    }

    /// Its own timer, if it has one.
    pub fn next_tick(&self) -> Option<i64> {
        known(unsafe { abi::paceline_cca_next_tick(self.handle) })
    }

    pub fn tick(&mut self, now_ns: i64) {
        unsafe { abi::paceline_cca_tick(self.handle, now_ns) }
    }

    pub fn paces_itself(&self) -> bool {
        unsafe { abi::paceline_cca_pacing(self.handle) == abi::PACING_OWN }
    }

    /// When the next packet may leave; none: not before something happens.
    pub fn release(&self, now_ns: i64) -> Option<i64> {
        known(unsafe { abi::paceline_cca_release(self.handle, now_ns) })
    }

    pub fn look(&self) -> View {
        let mut view = abi::View {
            window_bytes: 0,
            ssthresh_bytes: 0,
            pacing_bps: 0.0,
            delivery_bps: 0.0,
            app_limited: 0,
            phase: std::ptr::null(),
        };
        unsafe { abi::paceline_cca_look(self.handle, &mut view) };
        View {
            window: view.window_bytes,
            ssthresh: view.ssthresh_bytes,
            pacing_bps: view.pacing_bps,
            delivery_bps: view.delivery_bps,
            phase: text(view.phase),
        }
    }

    pub fn internals(&self) -> Vec<Column> {
        let count = unsafe { abi::paceline_cca_internal_count(self.handle) };
        (0..count)
            .map(|index| {
                let mut found = abi::Internal {
                    name: std::ptr::null(),
                    label: std::ptr::null(),
                    unit: std::ptr::null(),
                    states: 0,
                };
                unsafe { abi::paceline_cca_describe_internal(self.handle, index, &mut found) };
                let state = |i| text(unsafe { abi::paceline_cca_state_name(self.handle, index, i) });
                Column {
                    name: text(found.name),
                    unit: text(found.unit),
                    label: text(found.label),
                    states: (0..found.states).map(state).collect(),
                }
            })
            .collect()
    }

    /// One value per description.
    pub fn values(&self, out: &mut [f32]) {
        assert_eq!(out.len(), unsafe { abi::paceline_cca_internal_count(self.handle) });
        unsafe { abi::paceline_cca_internals(self.handle, out.as_mut_ptr()) }
    }
}

impl Drop for Ours {
    fn drop(&mut self) {
        unsafe { abi::paceline_cca_destroy(self.handle) }
    }
}

pub fn engine_version() -> &'static str {
    text(unsafe { abi::paceline_engine_version() })
}

/// The ids of those that can run over QUIC.
pub fn ids() -> Vec<&'static str> {
    (0..).map(|index| unsafe { abi::paceline_cca_id(index) }).take_while(|id| !id.is_null()).map(text).collect()
}

fn known(ns: i64) -> Option<i64> {
    (ns != i64::MAX).then_some(ns)
}

/// The interface's texts live as long as the program.
fn text(pointer: *const c_char) -> &'static str {
    unsafe { CStr::from_ptr(pointer) }.to_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubic_doubles_in_slow_start_and_keeps_seven_tenths_at_a_loss() {
        let mut cubic = Ours::new("cubic", &[("hystart".into(), "off".into())], 0, 1500, 1).ok().unwrap();
        assert_eq!(cubic.look().window, 15_000);
        for packet in 1..=10 {
            cubic.sent(packet, 1500, 1);
        }
        for packet in 1..=10 {
            cubic.acked(packet, 1500);
        }
        cubic.settle(50_000_000, 0, true);
        assert_eq!(cubic.look().window, 30_000);
        cubic.sent(60_000_000, 3000, 2);
        cubic.lost(60_000_000, 1500, false);
        cubic.settle(110_000_000, 1500, true);
        assert_eq!(cubic.look().window, 21_000);
        assert_eq!(cubic.look().phase, "recovery");
    }

    #[test]
    fn every_algorithm_that_is_listed_can_be_made() {
        let ids = ids();
        assert!(ids.contains(&"cubic") && ids.contains(&"newreno") && ids.contains(&"bbr"), "{ids:?}");
        for id in ids {
            let cca = Ours::new(id, &[], 0, 1500, 1).unwrap_or_else(|why| panic!("{id}: {why}"));
            assert!(cca.look().window > 0, "{id}");
            let mut values = vec![0.0; cca.internals().len()];
            cca.values(&mut values);
        }
    }

    #[test]
    fn what_cannot_be_made_is_explained() {
        let refusal = |id: &str, params: &[(&str, &str)]| {
            let params: Vec<_> = params.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
            Ours::new(id, &params, 0, 1500, 1).err().unwrap_or_default()
        };
        assert_eq!(refusal("gauss", &[]), "there is no CCA gauss");
        assert_eq!(refusal("cubic", &[("speed", "1")]), "parameter speed is not known");
        assert!(refusal("cubic", &[("beta", "7")]).contains("outside 0.5 to 0.9"));
        assert!(refusal("oracle", &[]).contains("not a sender"));
    }
}
