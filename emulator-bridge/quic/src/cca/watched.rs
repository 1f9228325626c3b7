//! The controller that quinn calls: it measures, applies the window rule, and asks one of our algorithms or one of quinn's.
use super::ours::Ours;
use super::window_rule::{Usage, WindowRule};
use super::Choice;
use crate::clock::RunClock;
use crate::meter::Meter;
use crate::wire::{Wire, MTU};
use quinn_proto::congestion::{Controller, ControllerFactory, ControllerMetrics};
use quinn_proto::RttEstimator;
use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// quinn also reports packets that hold nothing but acknowledgements, which are never in flight. A flow's data is never so
/// small: the source hands over whole packets.
const ACKNOWLEDGEMENTS_ONLY: u64 = 100;

/// What a rate above any window stands for: quinn does not pace windows beyond 4 GiB.
const NO_WINDOW: u64 = 1 << 40;

pub enum Algorithm {
    Ours(Ours),
    Quinn { controller: Box<dyn Controller>, by_window: bool },
}

/// A packet's acknowledgement, until all of its batch are known.
struct Acked {
    sent: Instant,
    bytes: u64,
    app_limited: bool,
    rtt: RttEstimator,
}

struct State {
    algorithm: Algorithm,
    rule: WindowRule,
    meter: Meter,
    clock: RunClock,
    wire: Wire,
    acked: Vec<Acked>,
    /// For our algorithms: did anything since the last settle() find the window limiting?
    window_limited: bool,
    reported: bool,
    srtt: std::time::Duration,
}

/// Shared between quinn's connection, which owns the controller, and the loop around it.
pub struct Watched {
    window_asked: AtomicU64,
    state: Mutex<State>,
}

impl Watched {
    pub fn new(choice: &Choice, clock: RunClock, wire: Wire, now: Instant) -> Result<Arc<Self>, String> {
        let state = State {
            algorithm: choice.make(clock.ns(now), now, wire)?,
            rule: WindowRule::new(!choice.grow_underutilised, wire.payload()),
            meter: Meter::new(),
            clock,
            wire,
            acked: Vec::with_capacity(256),
            window_limited: false,
            reported: false,
            srtt: std::time::Duration::ZERO,
        };
        Ok(Arc::new(Self { window_asked: AtomicU64::new(0), state: Mutex::new(state) }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub fn factory(self: &Arc<Self>) -> Arc<dyn ControllerFactory + Send + Sync> {
        Arc::new(Factory(Arc::clone(self)))
    }

    /// How often quinn has looked at the window. It does so for every packet with data that it would like to send, so one
    /// that it did not ask for means that there was nothing to send.
    pub fn window_asked(&self) -> u64 {
        self.window_asked.load(Ordering::Relaxed)
    }

    /// Nothing more leaves for now.
    pub fn paused(&self, now: Instant, nothing_to_send: bool) {
        let mut state = self.state();
        state.meter.app_limited = nothing_to_send;
        if nothing_to_send {
            state.rule.nothing_to_send(now);
        }
        if let Algorithm::Ours(cca) = &mut state.algorithm {
            cca.paused(nothing_to_send);
        }
    }

    /// A datagram or a timer has been dealt with: our algorithm hears of its losses, then of its acknowledgements.
    pub fn settle(&self, now: Instant) {
        let mut guard = self.state();
        let state = &mut *guard;
        if !std::mem::take(&mut state.reported) {
            return;
        }
        let limited = std::mem::take(&mut state.window_limited);
        if let Algorithm::Ours(cca) = &mut state.algorithm {
            cca.settle(state.clock.ns(now), state.wire.scaled(state.meter.inflight), limited);
            state.meter.phase(now, cca.look().phase);
        }
    }

    /// When our algorithm lets the next packet leave: at once, later, or not before something happens.
    pub fn release(&self, now: Instant) -> Option<Instant> {
        let state = self.state();
        match &state.algorithm {
            Algorithm::Ours(cca) if cca.paces_itself() => {
                let at = cca.release(state.clock.ns(now))?;
                Some(state.clock.at(at).max(now))
            }
            _ => Some(now),
        }
    }

    /// The pace that our algorithm sets itself.
    pub fn own_pacing_bps(&self) -> Option<f64> {
        match &self.state().algorithm {
            Algorithm::Ours(cca) if cca.paces_itself() => Some(cca.look().pacing_bps),
            _ => None,
        }
    }

    pub fn next_tick(&self) -> Option<Instant> {
        let state = self.state();
        match &state.algorithm {
            Algorithm::Ours(cca) => cca.next_tick().map(|ns| state.clock.at(ns)),
            Algorithm::Quinn { .. } => None,
        }
    }

    pub fn tick(&self, now: Instant) {
        let mut guard = self.state();
        let state = &mut *guard;
        if let Algorithm::Ours(cca) = &mut state.algorithm {
            cca.tick(state.clock.ns(now));
            state.meter.phase(now, cca.look().phase);
        }
    }

    pub fn with<T>(&self, look: impl FnOnce(&Algorithm, &mut Meter) -> T) -> T {
        let mut guard = self.state();
        let state = &mut *guard;
        look(&state.algorithm, &mut state.meter)
    }

    /// UDP payload that may be in flight.
    pub fn window(&self) -> u64 {
        self.state().window()
    }
}

impl State {
    fn window(&self) -> u64 {
        match &self.algorithm {
            Algorithm::Quinn { controller, .. } => controller.window(),
            Algorithm::Ours(cca) => match cca.look().window {
                i64::MAX => NO_WINDOW,
                bytes => self.wire.payload_of(bytes.unsigned_abs()),
            },
        }
    }

    fn slow_start(&self) -> bool {
        match &self.algorithm {
            Algorithm::Quinn { controller, .. } => {
                controller.metrics().ssthresh.is_none_or(|t| controller.window() < t)
            }
            Algorithm::Ours(cca) => {
                let view = cca.look();
                view.window < view.ssthresh
            }
        }
    }

    fn end_acks(&mut self, now: Instant, inflight: u64, app_limited: bool, largest: Option<u64>) {
        let acked_bytes: u64 = self.acked.iter().map(|acked| acked.bytes).sum();
        let limited = self.rule.limited(&Usage {
            now,
            inflight: inflight + acked_bytes,
            window: self.window(),
            slow_start: self.slow_start(),
            srtt: self.srtt,
        });
        self.meter.acks_end(now, inflight);
        self.window_limited |= limited;
        match &mut self.algorithm {
            Algorithm::Ours(cca) => {
                for acked in self.acked.drain(..) {
                    cca.acked(self.clock.ns(acked.sent), self.wire.scaled(acked.bytes));
                }
            }
            Algorithm::Quinn { controller, by_window } => {
                for acked in self.acked.drain(..) {
                    let idle = if *by_window { !limited } else { acked.app_limited };
                    controller.on_ack(now, acked.sent, acked.bytes, idle, &acked.rtt);
                }
                controller.on_end_acks(now, inflight, app_limited, largest);
            }
        }
    }
}

struct Handle(Arc<Watched>);

struct Factory(Arc<Watched>);

impl ControllerFactory for Factory {
    fn build(self: Arc<Self>, _now: Instant, _current_mtu: u16) -> Box<dyn Controller> {
        Box::new(Handle(Arc::clone(&self.0)))
    }
}

impl Controller for Handle {
    fn on_sent(&mut self, now: Instant, bytes: u64, last_packet_number: u64) {
        let mut guard = self.0.state();
        let state = &mut *guard;
        if bytes > ACKNOWLEDGEMENTS_ONLY {
            state.meter.inflight += bytes;
        }
        match &mut state.algorithm {
            Algorithm::Quinn { controller, .. } => controller.on_sent(now, bytes, last_packet_number),
            Algorithm::Ours(cca) if bytes > ACKNOWLEDGEMENTS_ONLY => {
                let packets = bytes.div_ceil(state.wire.payload());
                let wire_bytes = state.wire.scaled(bytes).min(packets * MTU);
                cca.sent(state.clock.ns(now), wire_bytes, packets);
            }
            Algorithm::Ours(_) => {}
        }
    }

    fn on_ack(&mut self, _now: Instant, sent: Instant, bytes: u64, app_limited: bool, rtt: &RttEstimator) {
        let mut state = self.0.state();
        state.reported = true;
        state.srtt = rtt.get();
        state.meter.acked(sent);
        state.acked.push(Acked { sent, bytes, app_limited, rtt: *rtt });
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool, largest: Option<u64>) {
        self.0.state().end_acks(now, in_flight, app_limited, largest);
    }

    fn on_congestion_event(&mut self, now: Instant, sent: Instant, persistent: bool, lost_bytes: u64) {
        let mut guard = self.0.state();
        let state = &mut *guard;
        state.reported = true;
        let packets = lost_bytes.div_ceil(state.wire.payload());
        state.meter.lost(now, sent, lost_bytes, packets, persistent);
        match &mut state.algorithm {
            Algorithm::Quinn { controller, .. } => controller.on_congestion_event(now, sent, persistent, lost_bytes),
            Algorithm::Ours(cca) => cca.lost(state.clock.ns(sent), state.wire.scaled(lost_bytes), persistent),
        }
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        if let Algorithm::Quinn { controller, .. } = &mut self.0.state().algorithm {
            controller.on_mtu_update(new_mtu);
        }
    }

    /// quinn sends as long as less than this would be in flight, we mean as long as no more: a window of one packet lets one leave.
    fn window(&self) -> u64 {
        self.0.window_asked.fetch_add(1, Ordering::Relaxed);
        let state = self.0.state();
        state.window() + u64::from(matches!(state.algorithm, Algorithm::Ours(_)))
    }

    fn metrics(&self) -> ControllerMetrics {
        let state = self.0.state();
        match &state.algorithm {
            Algorithm::Quinn { controller, .. } => controller.metrics(),
            Algorithm::Ours(cca) => {
                let view = cca.look();
                let mut metrics = ControllerMetrics::default();
                metrics.congestion_window = state.window();
                metrics.ssthresh = u64::try_from(view.ssthresh)
                    .ok()
                    .filter(|bytes| *bytes < i64::MAX.unsigned_abs())
                    .map(|bytes| state.wire.payload_of(bytes));
                metrics.pacing_rate = (view.pacing_bps > 0.0).then_some(view.pacing_bps as u64);
                metrics
            }
        }
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(Handle(Arc::clone(&self.0)))
    }

    fn initial_window(&self) -> u64 {
        self.0.window()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
