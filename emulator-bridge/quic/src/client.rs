//! The sending end: one connection, one stream.
use crate::cca::Watched;
use crate::clock::RunClock;
use crate::failure::{because, Failure};
use crate::go::Conductor;
use crate::host::Host;
use crate::lateness::Lateness;
use crate::options::Client;
use crate::report::Reporter;
use crate::sampling::SampleTimes;
use crate::socket::Socket;
use crate::source::Source;
use crate::telemetry::Telemetry;
use crate::wire::Wire;
use crate::{system, tls, transport};
use bytes::Bytes;
use quinn_proto::{Connection, ConnectionHandle, Dir, Event, StreamId, VarInt};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Handed to quinn again and again; what it says does not matter.
static NOTHING: [u8; 1 << 16] = [0; 1 << 16];
/// Beyond two windows, so much data waits in quinn: it shall never be quinn's buffer that is the limit.
const AHEAD_BYTES: u64 = 4 << 20;
const LITTLE_AHEAD_BYTES: u64 = 32 << 10;
/// Packets per call into quinn; what quinn's own driver uses.
const LARGEST_BATCH: usize = 10;
/// An algorithm that paces itself sends at most this much at once.
const OWN_BATCH: Duration = Duration::from_micros(200);
/// Calls into quinn before arrivals are looked at again.
const TURNS: usize = 8;
/// On a full link the first packets may be lost like any others, and are sent again after 1, 3 and 7 seconds; who gets no answer for so
/// long talks to nobody.
const PATIENCE_S: f64 = 5.0;
/// Of a full packet's payload quinn itself takes at most this much, or leaves it empty: header, frame, seal, and its caution about their
/// sizes. One byte too many would follow in a packet of its own.
const OVERHEAD_BYTES: u64 = 48;

struct Flow {
    handle: ConnectionHandle,
    cca: Arc<Watched>,
    /// The application begins when the connection is made.
    stream: Option<(StreamId, Source)>,
}

struct Run<'a> {
    options: &'a Client,
    clock: RunClock,
    wire: Wire,
    host: Host,
    flow: Option<Flow>,
    report: Reporter<'a>,
    lateness: Lateness,
    buffer: Vec<u8>,
    /// quinn was last given this time to send at; the next must be later, because packets are told apart by it.
    sent_at: Instant,
    connected: bool,
    stopped: bool,
}

pub fn run(options: &Client, telemetry: &mut Telemetry) -> Result<(), Failure> {
    let wire = Wire::to(options.connect);
    let any: SocketAddr = if options.connect.is_ipv4() { ([0, 0, 0, 0], 0).into() } else { ([0u16; 8], 0).into() };
    // Refused now rather than in the middle of the run.
    let example = options.choice.make(0, Instant::now(), wire).map_err(Failure::BadInput)?;
    let socket = Socket::bind(options.bind.unwrap_or(any), options.common.ecn)?;
    telemetry.ready("sender", socket.port())?;
    let (conductor, clock) = if options.common.now { Conductor::none() } else { Conductor::wait()? };
    let report = Reporter::start(options, wire, &example, telemetry)?;
    let run = Run {
        options,
        clock,
        wire,
        host: Host::new(socket, None),
        flow: None,
        report,
        lateness: Lateness::new(),
        buffer: Vec::with_capacity(1 << 16),
        sent_at: Instant::now(),
        connected: false,
        stopped: false,
    };
    run.until_the_end(conductor)
}

impl Run<'_> {
    fn until_the_end(mut self, conductor: Conductor) -> Result<(), Failure> {
        let duration = self.options.common.duration_s;
        let end = self.clock.at_seconds(duration);
        let mut samples = SampleTimes::new(self.options.common.sample_ms / 1e3, duration);
        loop {
            let now = Instant::now();
            self.receive(now);
            self.events()?;
            let more = self.send();
            let now_s = self.clock.ns(Instant::now()) as f64 / 1e9;
            while let Some((time, interval)) = samples.due(now_s) {
                self.sample(time, interval)?;
            }
            if Instant::now() >= end {
                return self.finish();
            }
            let until = more.unwrap_or(end).min(self.clock.at_seconds(samples.next_s())).min(end);
            let until = self.next_event().map_or(until, |next| next.min(until));
            let asleep = until > Instant::now();
            let spoken = system::wait(self.host.socket.fd(), self.host.socket.blocked(), conductor.fd(), until);
            if asleep {
                self.lateness.woke(until);
            }
            if spoken && conductor.ended() {
                self.close(Instant::now());
                return Err(Failure::Failed("stopped: standard input ended".into()));
            }
        }
    }

    /// Arrivals, timers, and the flow's own start and stop.
    fn receive(&mut self, now: Instant) {
        if let Some(flow) = &self.flow {
            let cca = Arc::clone(&flow.cca);
            self.host.receive(|now| cca.settle(now));
            self.host.timers(now, |now| cca.settle(now));
            if cca.next_tick().is_some_and(|due| due <= now) {
                cca.tick(now);
            }
        }
    }

    fn start(&mut self, now: Instant) -> Result<Flow, Failure> {
        let cca = Watched::new(&self.options.choice, self.clock, self.wire, now).map_err(Failure::BadInput)?;
        let transport = transport::sender_transport(
            self.wire,
            self.options.common.gso,
            cca.factory(),
            self.options.qlog.as_ref(),
            &format!("Paceline: {} to {}", self.options.choice.id, self.options.connect),
            now,
        )?;
        let mut config = tls::client()?;
        config.transport_config(Arc::new(transport));
        let handle = self.host.connect(now, config, self.options.connect)?;
        Ok(Flow { handle, cca, stream: None })
    }

    fn events(&mut self) -> Result<(), Failure> {
        let now = Instant::now();
        if self.flow.is_none() && !self.stopped && now >= self.clock.at_seconds(self.options.start_s) {
            self.flow = Some(self.start(now)?);
            self.report.event(self.options.start_s, "flow_start", "", None)?;
        }
        if let Some(stop) = self.options.stop_s.filter(|stop| !self.stopped && now >= self.clock.at_seconds(*stop)) {
            self.close(now);
            self.report.event(stop, "flow_stop", "", None)?;
        }
        let Some(flow) = &mut self.flow else { return Ok(()) };
        let Some(connection) = self.host.connections.get_mut(&flow.handle) else {
            return Ok(());
        };
        while let Some(event) = connection.poll() {
            match event {
                Event::Connected => {
                    self.connected = true;
                    let portion = self.wire.payload() - OVERHEAD_BYTES;
                    let source = Source::new(self.options.source, now, portion, self.options.choice.seed)?;
                    flow.stream = connection.streams().open(Dir::Uni).map(|stream| (stream, source));
                }
                Event::ConnectionLost { reason } if !self.stopped => {
                    return Err(because(&format!("the connection to {}", self.options.connect))(reason));
                }
                _ => {}
            }
        }
        let happenings = flow.cca.with(|_, meter| std::mem::take(&mut meter.happenings));
        for (when, happening) in happenings {
            self.report.happening(self.clock.ns(when) as f64 / 1e9, &happening)?;
        }
        Ok(())
    }

    /// Lets leave what may leave. The time at which there is more to do, if that is known.
    fn send(&mut self) -> Option<Instant> {
        self.host.socket.flush();
        let flow = self.flow.as_mut()?;
        let connection = self.host.connections.get_mut(&flow.handle)?;
        let window = flow.cca.window();
        // Of an application that may stop at any time, little more may wait than what is in flight.
        let stops = flow.stream.as_ref().is_some_and(|(_, source)| source.stops());
        let ahead = if stops { LITTLE_AHEAD_BYTES } else { window.saturating_add(AHEAD_BYTES) };
        connection.set_send_window(window.saturating_add(ahead));
        for _ in 0..TURNS {
            if self.host.socket.blocked() {
                return None;
            }
            let now = Instant::now().max(self.sent_at + Duration::from_nanos(1));
            if let Some((stream, source)) = &mut flow.stream {
                hand_over(connection, *stream, source, now);
            }
            match flow.cca.release(now) {
                Some(release) if release <= now => {}
                later => {
                    flow.cca.paused(now, false);
                    return later;
                }
            }
            let asked = flow.cca.window_asked();
            self.sent_at = now;
            self.buffer.clear();
            let batch = batch(self.options.common.gso, &self.host.socket, flow.cca.own_pacing_bps());
            match connection.poll_transmit(now, batch, &mut self.buffer) {
                Some(transmit) => self.host.socket.send(transmit, &self.buffer),
                None => {
                    // During the handshake nothing is the application's fault: it has not been asked yet.
                    flow.cca.paused(now, self.connected && asked == flow.cca.window_asked());
                    return flow.stream.as_mut().and_then(|(_, source)| source.next(now));
                }
            }
        }
        Some(Instant::now())
    }

    fn next_event(&mut self) -> Option<Instant> {
        let start = self.clock.at_seconds(self.options.start_s);
        let timer = self.host.next_timer();
        let tick = self.flow.as_ref().and_then(|flow| flow.cca.next_tick());
        let start = (self.flow.is_none() && !self.stopped).then_some(start);
        let stop = self.options.stop_s.filter(|_| !self.stopped).map(|stop| self.clock.at_seconds(stop));
        [timer, tick, start, stop].into_iter().flatten().min()
    }

    fn sample(&mut self, time_s: f64, interval_s: f64) -> Result<(), Failure> {
        let flow = self.flow.as_ref().filter(|_| !self.stopped);
        let connection = flow.and_then(|flow| self.host.connections.get(&flow.handle));
        self.report.sample(time_s, interval_s, connection, flow.map(|flow| &*flow.cca))
    }

    fn close(&mut self, now: Instant) {
        self.stopped = true;
        let Some(flow) = &mut self.flow else { return };
        let Some(connection) = self.host.connections.get_mut(&flow.handle) else {
            return;
        };
        self.report.remember(connection);
        connection.close(now, VarInt::from_u32(0), Bytes::new());
        self.buffer.clear();
        let at = now.max(self.sent_at + Duration::from_nanos(1));
        if let Some(transmit) = connection.poll_transmit(at, 1, &mut self.buffer) {
            self.host.socket.send(transmit, &self.buffer);
        }
    }

    fn finish(mut self) -> Result<(), Failure> {
        if !self.stopped {
            self.close(Instant::now());
        }
        let stop_s = self.options.stop_s.unwrap_or(f64::INFINITY).min(self.options.common.duration_s);
        if self.flow.is_some() && !self.connected && stop_s - self.options.start_s >= PATIENCE_S {
            return Err(Failure::Failed(format!("no QUIC server answered at {}", self.options.connect)));
        }
        let verdict =
            self.lateness.verdict(self.host.socket.losses(self.options.common.guest), self.host.socket.passed());
        self.report.finish(self.flow.as_ref().map(|flow| &*flow.cca), verdict)
    }
}

/// What the application has by now goes to quinn, as far as it takes it.
fn hand_over(connection: &mut Connection, stream: StreamId, source: &mut Source, now: Instant) {
    let mut ready = source.ready(now);
    while ready > 0 {
        let portion = Bytes::from_static(&NOTHING[..NOTHING.len().min(ready as usize)]);
        let Ok(written) = connection.send_stream(stream).write_chunks(&mut [portion]) else {
            return;
        };
        source.took(written.bytes as u64);
        ready -= written.bytes as u64;
    }
}

/// Packets that quinn may make at once.
fn batch(gso: bool, socket: &Socket, own_pace_bps: Option<f64>) -> usize {
    let largest = if gso { socket.segments().min(LARGEST_BATCH) } else { 1 };
    let packets =
        own_pace_bps.map_or(largest, |bps| (bps * OWN_BATCH.as_secs_f64() / 8.0 / crate::wire::MTU as f64) as usize);
    packets.clamp(1, largest)
}
