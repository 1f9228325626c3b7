//! The C interface to our CCAs; native/c_abi/paceline_cca.h says what each of these means.
use std::ffi::{c_char, c_int};

#[repr(C)]
pub struct Handle {
    _private: [u8; 0],
}

#[repr(C)]
pub struct Param {
    pub name: *const c_char,
    pub value: *const c_char,
}

#[repr(C)]
pub struct Environment {
    pub now_ns: i64,
    pub mss_bytes: i64,
    pub seed: u64,
}

#[repr(C)]
pub struct Internal {
    pub name: *const c_char,
    pub label: *const c_char,
    pub unit: *const c_char,
    pub states: usize,
}

#[repr(C)]
pub struct View {
    pub window_bytes: i64,
    pub ssthresh_bytes: i64,
    pub pacing_bps: f64,
    pub delivery_bps: f64,
    pub app_limited: c_int,
    pub phase: *const c_char,
}

pub const PACING_OWN: c_int = 1;

extern "C" {
    pub fn paceline_engine_version() -> *const c_char;
    pub fn paceline_cca_id(index: usize) -> *const c_char;
    pub fn paceline_cca_create(
        id: *const c_char,
        params: *const Param,
        param_count: usize,
        environment: *const Environment,
        error: *mut c_char,
        error_size: usize,
    ) -> *mut Handle;
    pub fn paceline_cca_destroy(cca: *mut Handle);
    pub fn paceline_cca_sent(cca: *mut Handle, now_ns: i64, bytes: i64, packets: u32);
    pub fn paceline_cca_paused(cca: *mut Handle, nothing_to_send: c_int);
    pub fn paceline_cca_acked(cca: *mut Handle, sent_ns: i64, bytes: i64);
    pub fn paceline_cca_lost(cca: *mut Handle, newest_sent_ns: i64, bytes: i64, persistent: c_int);
    pub fn paceline_cca_settle(cca: *mut Handle, now_ns: i64, inflight_bytes: i64, window_limited: c_int);
    pub fn paceline_cca_next_tick(cca: *const Handle) -> i64;
    pub fn paceline_cca_tick(cca: *mut Handle, now_ns: i64);
    pub fn paceline_cca_pacing(cca: *const Handle) -> c_int;
    pub fn paceline_cca_release(cca: *const Handle, now_ns: i64) -> i64;
    pub fn paceline_cca_look(cca: *const Handle, view: *mut View);
    pub fn paceline_cca_internal_count(cca: *const Handle) -> usize;
    pub fn paceline_cca_describe_internal(cca: *const Handle, index: usize, out: *mut Internal);
    pub fn paceline_cca_state_name(cca: *const Handle, internal: usize, state: usize) -> *const c_char;
    pub fn paceline_cca_internals(cca: *const Handle, out: *mut f32);
}
