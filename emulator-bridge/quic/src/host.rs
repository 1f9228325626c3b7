//! One end: a socket, quinn's endpoint and its connections, driven by calls with the time. No call waits.
use crate::failure::Failure;
use crate::socket::Socket;
use quinn_proto::{
    ClientConfig, Connection, ConnectionHandle, DatagramEvent, Endpoint, EndpointConfig, ServerConfig, Transmit,
};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

pub struct Host {
    pub socket: Socket,
    endpoint: Endpoint,
    pub connections: HashMap<ConnectionHandle, Connection>,
    answer: Vec<u8>,
    /// Datagrams and bytes of UDP payload that connections received which are gone now.
    retired: (u64, u64),
}

impl Host {
    pub fn new(socket: Socket, server: Option<ServerConfig>) -> Self {
        let endpoint = Endpoint::new(Arc::new(EndpointConfig::default()), server.map(Arc::new), false, None);
        Self { socket, endpoint, connections: HashMap::new(), answer: Vec::new(), retired: (0, 0) }
    }

    pub fn connect(&mut self, now: Instant, config: ClientConfig, to: SocketAddr) -> Result<ConnectionHandle, Failure> {
        let (handle, connection) = self
            .endpoint
            .connect(now, config, to, crate::tls::SERVER_NAME)
            .map_err(|error| Failure::BadInput(format!("--connect {to}: {error}")))?;
        self.connections.insert(handle, connection);
        Ok(handle)
    }

    /// Hands what has arrived to the connections; `after` is called once per datagram.
    pub fn receive(&mut self, mut after: impl FnMut(Instant)) {
        let mut arrived = Vec::new();
        while self.socket.receive(|datagram| arrived.push(datagram)) {}
        for datagram in arrived {
            let now = Instant::now();
            let event =
                self.endpoint.handle(now, datagram.from, datagram.to, datagram.ecn, datagram.data, &mut self.answer);
            match event {
                Some(DatagramEvent::ConnectionEvent(handle, event)) => {
                    if let Some(connection) = self.connections.get_mut(&handle) {
                        connection.handle_event(event);
                        after(now);
                    }
                }
                Some(DatagramEvent::NewConnection(incoming)) => {
                    match self.endpoint.accept(incoming, now, &mut self.answer, None) {
                        Ok((handle, connection)) => {
                            self.connections.insert(handle, connection);
                        }
                        Err(refusal) => self.reply(refusal.response),
                    }
                }
                Some(DatagramEvent::Response(transmit)) => self.reply(Some(transmit)),
                None => {}
            }
            self.answer.clear();
        }
        self.settle_endpoint();
    }

    fn reply(&mut self, transmit: Option<Transmit>) {
        if let Some(transmit) = transmit {
            self.socket.send(transmit, &self.answer);
        }
    }

    /// Timers that are due; `after` is called once per connection that had one.
    pub fn timers(&mut self, now: Instant, mut after: impl FnMut(Instant)) {
        for connection in self.connections.values_mut() {
            if connection.poll_timeout().is_some_and(|due| due <= now) {
                connection.handle_timeout(now);
                after(now);
            }
        }
        self.settle_endpoint();
    }

    /// Connections and endpoint tell each other of identifiers.
    fn settle_endpoint(&mut self) {
        for (handle, connection) in &mut self.connections {
            while let Some(event) = connection.poll_endpoint_events() {
                if let Some(answer) = self.endpoint.handle_event(*handle, event) {
                    connection.handle_event(answer);
                }
            }
        }
        self.connections.retain(|_, connection| {
            let drained = connection.is_drained();
            if drained {
                let received = connection.stats().udp_rx;
                self.retired.0 += received.datagrams;
                self.retired.1 += received.bytes;
            }
            !drained
        });
    }

    pub fn next_timer(&mut self) -> Option<Instant> {
        self.connections.values_mut().filter_map(Connection::poll_timeout).min()
    }

    /// Datagrams and bytes of UDP payload that arrived for connections.
    pub fn received(&self) -> (u64, u64) {
        self.connections.values().fold(self.retired, |(datagrams, bytes), connection| {
            let stats = connection.stats().udp_rx;
            (datagrams + stats.datagrams, bytes + stats.bytes)
        })
    }
}
