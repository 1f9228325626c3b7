//! The receiving end: takes every connection and every stream, and throws away what it reads.
use crate::clock::RunClock;
use crate::columns;
use crate::failure::Failure;
use crate::go::Conductor;
use crate::host::Host;
use crate::lateness::Lateness;
use crate::options::Server;
use crate::sampling::{mbps, Growth, SampleTimes};
use crate::socket::Socket;
use crate::summary::{ReceiverSummary, RunSummary};
use crate::telemetry::{Column, StreamInfo, Telemetry};
use crate::wire::Wire;
use crate::{system, tls, transport};
use quinn_proto::{Connection, Dir, Event, StreamEvent, StreamId};
use std::sync::Arc;
use std::time::Instant;

/// Packets per call into quinn: acknowledgements, mostly.
const BATCH: usize = 10;

pub fn run(options: &Server, telemetry: &mut Telemetry) -> Result<(), Failure> {
    let wire = Wire::to(options.listen);
    let socket = Socket::bind(options.listen, options.common.ecn)?;
    let mut config = tls::server()?;
    config.transport_config(Arc::new(transport::transport(wire, options.common.gso, options.window)));
    telemetry.ready("receiver", socket.port())?;
    let (conductor, clock) = if options.common.now { Conductor::none() } else { Conductor::wait()? };
    let common = &options.common;
    let stream = StreamInfo {
        number: columns::FIRST_RECEIVER_STREAM + columns::STREAMS_PER_FLOW * common.flow,
        kind: "receiver",
        flow: common.flow,
        cca: "quic".into(),
        columns: columns::RECEIVER_COLUMNS.iter().map(Column::from).collect(),
    };
    telemetry.hello(crate::cca::engine_version(), stream, common.duration_s, common.sample_ms)?;
    Receiver {
        options,
        wire,
        host: Host::new(socket, Some(config)),
        received: Growth::default(),
        lateness: Lateness::new(),
        buffer: Vec::new(),
        cpu_s: system::cpu_seconds(),
    }
    .until_the_end(clock, conductor, telemetry)
}

struct Receiver<'a> {
    options: &'a Server,
    wire: Wire,
    host: Host,
    received: Growth,
    lateness: Lateness,
    buffer: Vec<u8>,
    /// When the run began.
    cpu_s: f64,
}

impl Receiver<'_> {
    fn until_the_end(mut self, clock: RunClock, conductor: Conductor, out: &mut Telemetry) -> Result<(), Failure> {
        let duration = self.options.common.duration_s;
        let end = clock.at_seconds(duration);
        let mut samples = SampleTimes::new(self.options.common.sample_ms / 1e3, duration);
        loop {
            self.host.receive(|_| {});
            self.host.timers(Instant::now(), |_| {});
            self.read_and_answer();
            let now = Instant::now();
            while let Some((time, interval)) = samples.due(clock.ns(now) as f64 / 1e9) {
                self.sample(time, interval, out)?;
            }
            if now >= end {
                return self.finish(out);
            }
            let until = clock.at_seconds(samples.next_s()).min(end);
            let until = self.host.next_timer().map_or(until, |timer| timer.min(until));
            let asleep = until > Instant::now();
            let spoken = system::wait(self.host.socket.fd(), self.host.socket.blocked(), conductor.fd(), until);
            if asleep {
                self.lateness.woke(until);
            }
            if spoken && conductor.ended() {
                return Err(Failure::Failed("stopped: standard input ended".into()));
            }
        }
    }

    fn read_and_answer(&mut self) {
        self.host.socket.flush();
        for connection in self.host.connections.values_mut() {
            while let Some(event) = connection.poll() {
                match event {
                    Event::Stream(StreamEvent::Opened { dir: Dir::Uni }) => {
                        while let Some(stream) = connection.streams().accept(Dir::Uni) {
                            discard(connection, stream);
                        }
                    }
                    Event::Stream(StreamEvent::Readable { id }) => discard(connection, id),
                    _ => {}
                }
            }
            while !self.host.socket.blocked() {
                self.buffer.clear();
                let Some(transmit) = connection.poll_transmit(Instant::now(), BATCH, &mut self.buffer) else {
                    break;
                };
                self.host.socket.send(transmit, &self.buffer);
            }
        }
    }

    /// Bytes on the wire: QUIC never sends a packet twice, so each that arrives does so for the first time.
    fn wire_bytes(&self) -> (u64, u64) {
        let (datagrams, payload) = self.host.received();
        (datagrams, self.wire.bytes(payload, datagrams))
    }

    fn sample(&mut self, time_s: f64, interval_s: f64, out: &mut Telemetry) -> Result<(), Failure> {
        let (_, bytes) = self.wire_bytes();
        let throughput_mbps = mbps(self.received.of(bytes), interval_s);
        // QUIC packets carry no time stamps.
        let row = columns::ReceiverRow { throughput_mbps, owd_mean_ms: f32::NAN, owd_max_ms: f32::NAN };
        out.row(time_s, &row.values())
    }

    fn finish(&mut self, out: &mut Telemetry) -> Result<(), Failure> {
        let (datagrams, bytes) = self.wire_bytes();
        let duration_s = self.options.common.duration_s;
        let verdict =
            self.lateness.verdict(self.host.socket.losses(self.options.common.guest), self.host.socket.passed());
        for (event, detail, value) in verdict.events() {
            out.event(duration_s, self.options.common.flow, event, detail, value)?;
        }
        let receiver = ReceiverSummary {
            flow: self.options.common.flow.into(),
            received_packets: datagrams,
            received_bytes: bytes as i64,
            throughput_mbps: f64::from(mbps(bytes, duration_s)),
            cpu_s: Some(system::cpu_seconds() - self.cpu_s),
            ..ReceiverSummary::default()
        };
        out.conclude(&RunSummary {
            duration_s,
            receivers: vec![receiver],
            lateness: Some(verdict.summary),
            ..RunSummary::default()
        })
    }
}

/// In whatever order it came, so that a hole holds nothing back.
fn discard(connection: &mut Connection, id: StreamId) {
    let mut stream = connection.recv_stream(id);
    let Ok(mut chunks) = stream.read(false) else { return };
    while let Ok(Some(_)) = chunks.next(usize::MAX) {}
    // Flow-control credit goes out with the next packet.
    let _ = chunks.finalize();
}
