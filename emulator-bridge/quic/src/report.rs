//! The sender's telemetry: one row per sample, events, and its part of the run's summary.
use crate::cca::{Algorithm, Watched};
use crate::columns;
use crate::failure::Failure;
use crate::lateness::Verdict;
use crate::meter::{Happening, Meter};
use crate::options::Client;
use crate::sampling::{mbps, Growth};
use crate::summary::{RunSummary, SenderSummary};
use crate::system;
use crate::telemetry::{Column, StreamInfo, Telemetry};
use crate::wire::Wire;
use quinn_proto::{Connection, ConnectionStats};
use std::time::Duration;

/// quinn paces a window over 4/5 of the smoothed RTT.
const QUINN_PACING: f64 = 1.25;

pub struct Reporter<'a> {
    options: &'a Client,
    telemetry: &'a mut Telemetry,
    wire: Wire,
    internals: usize,
    stats: ConnectionStats,
    sent: Growth,
    lost: Growth,
    /// When the run began.
    cpu_s: f64,
}

impl<'a> Reporter<'a> {
    pub fn start(
        options: &'a Client,
        wire: Wire,
        example: &Algorithm,
        telemetry: &'a mut Telemetry,
    ) -> Result<Self, Failure> {
        let mut all: Vec<Column> = columns::SENDER_COLUMNS.iter().map(Column::from).collect();
        if let Algorithm::Ours(cca) = example {
            all.extend(cca.internals());
        }
        let internals = all.len() - columns::SENDER_COLUMNS.len();
        let common = &options.common;
        let stream = StreamInfo {
            number: columns::FIRST_SENDER_STREAM + columns::STREAMS_PER_FLOW * common.flow,
            kind: "sender",
            flow: common.flow,
            cca: options.choice.id.clone(),
            columns: all,
        };
        telemetry.hello(crate::cca::engine_version(), stream, common.duration_s, common.sample_ms)?;
        Ok(Self {
            options,
            telemetry,
            wire,
            internals,
            stats: ConnectionStats::default(),
            sent: Growth::default(),
            lost: Growth::default(),
            cpu_s: system::cpu_seconds(),
        })
    }

    pub fn event(&mut self, time_s: f64, event: &str, detail: &str, value: Option<u64>) -> Result<(), Failure> {
        self.telemetry.event(time_s, self.options.common.flow, event, detail, value)
    }

    pub fn happening(&mut self, time_s: f64, happening: &Happening) -> Result<(), Failure> {
        match happening {
            Happening::Episode { lost_packets } => self.event(time_s, "loss_episode", "", Some(*lost_packets)),
            Happening::Recovered { lost_packets } => self.event(time_s, "recovered", "", Some(*lost_packets)),
            Happening::PersistentCongestion => self.event(time_s, "rto", "persistent congestion", None),
            Happening::Phase(name) => self.event(time_s, "phase", name, None),
        }
    }

    /// Keeps what the connection counted; it may be gone when the summary is written.
    pub fn remember(&mut self, connection: &Connection) {
        self.stats = connection.stats();
    }

    pub fn sample(
        &mut self,
        time_s: f64,
        interval_s: f64,
        connection: Option<&Connection>,
        cca: Option<&Watched>,
    ) -> Result<(), Failure> {
        let mut row = columns::SenderRow::default();
        let mut internals = vec![f32::NAN; self.internals];
        row.cwnd_bytes = f32::NAN;
        row.pacing_mbps = f32::NAN;
        row.delivery_rate_mbps = f32::NAN;
        row.srtt_ms = f32::NAN;
        row.latest_rtt_ms = f32::NAN;
        row.min_rtt_ms = f32::NAN;
        // quinn keeps its RTT's variance, and so its probe timeout, to itself.
        row.rto_ms = f32::NAN;
        if let (Some(connection), Some(cca)) = (connection, cca) {
            self.remember(connection);
            let wire = self.wire;
            let window = cca.window();
            let srtt = connection.rtt();
            cca.with(|algorithm, meter| {
                row.cwnd_bytes = wire.scaled(window) as f32;
                row.inflight_bytes = wire.scaled(meter.inflight) as f32;
                row.app_limited = if meter.app_limited { 1.0 } else { 0.0 };
                row.latest_rtt_ms = milliseconds(meter.latest_rtt);
                row.min_rtt_ms = milliseconds(meter.min_rtt);
                if meter.latest_rtt.is_some() {
                    row.srtt_ms = milliseconds(Some(srtt));
                    row.pacing_mbps = (wire.scaled(window) as f64 * 8e-6 / srtt.as_secs_f64() * QUINN_PACING) as f32;
                }
                if let Algorithm::Ours(ours) = algorithm {
                    let view = ours.look();
                    if ours.paces_itself() {
                        row.pacing_mbps = known_mbps(view.pacing_bps);
                    }
                    row.delivery_rate_mbps = known_mbps(view.delivery_bps);
                    ours.values(&mut internals);
                }
            });
        }
        row.sent_mbps = mbps(self.sent.of(self.sent_bytes()), interval_s);
        // QUIC sends the data of every packet that it has lost again, in new packets.
        row.lost_packets = self.lost.of(self.stats.path.lost_packets) as f32;
        row.retransmitted_packets = row.lost_packets;
        let mut values = row.values().to_vec();
        values.append(&mut internals);
        self.telemetry.row(time_s, &values)
    }

    fn sent_bytes(&self) -> u64 {
        self.wire.bytes(self.stats.udp_tx.bytes, self.stats.udp_tx.datagrams)
    }

    fn sender(&self, meter: &Meter) -> SenderSummary {
        let (stats, base_rtt_ms) = (&self.stats, self.options.base_rtt_ms);
        let rtt = meter.rtts.stats();
        SenderSummary {
            flow: self.options.common.flow.into(),
            cca: self.options.choice.id.clone(),
            sent_packets: stats.udp_tx.datagrams,
            sent_bytes: self.sent_bytes() as i64,
            delivered_packets: meter.acked_packets,
            lost_packets: stats.path.lost_packets,
            spurious_packets: None,
            retransmitted_packets: Some(stats.path.lost_packets),
            inflight_packets: meter.inflight.div_ceil(self.wire.payload()),
            loss_episodes: Some(meter.loss_episodes),
            timeouts: Some(meter.timeouts),
            delay_inflation: rtt.mean_ms.filter(|_| base_rtt_ms > 0.0).map(|mean| mean / base_rtt_ms),
            rtt,
            messages: None,
            cpu_s: Some(system::cpu_seconds() - self.cpu_s),
        }
    }

    pub fn finish(mut self, cca: Option<&Watched>, verdict: Verdict) -> Result<(), Failure> {
        for (event, detail, value) in verdict.events() {
            self.event(self.options.common.duration_s, event, detail, value)?;
        }
        let (duration_s, base_rtt_ms) = (self.options.common.duration_s, self.options.base_rtt_ms);
        let sender = match cca {
            None => self.sender(&Meter::new()),
            Some(cca) => cca.with(|_, meter| self.sender(meter)),
        };
        self.telemetry.conclude(&RunSummary {
            duration_s,
            base_rtt_ms,
            senders: vec![sender],
            lateness: Some(verdict.summary),
            ..RunSummary::default()
        })
    }
}

fn milliseconds(duration: Option<Duration>) -> f32 {
    duration.map_or(f32::NAN, |duration| (duration.as_secs_f64() * 1e3) as f32)
}

fn known_mbps(bps: f64) -> f32 {
    if bps > 0.0 {
        (bps / 1e6) as f32
    } else {
        f32::NAN
    }
}
