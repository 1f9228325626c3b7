//! QUIC counts UDP payloads (RFC 9002 appendix A); we count what is on the wire, IP headers included, as for every other flow.
use std::net::SocketAddr;

/// A full packet on the wire.
pub const MTU: u64 = 1500;

#[derive(Clone, Copy)]
pub struct Wire {
    /// IP and UDP headers of each datagram.
    header: u64,
}

impl Wire {
    pub fn to(peer: SocketAddr) -> Self {
        Self { header: if peer.is_ipv4() { 20 + 8 } else { 40 + 8 } }
    }

    /// The largest UDP payload.
    pub fn payload(self) -> u64 {
        MTU - self.header
    }

    /// Bytes on the wire of `datagrams` with so much payload together.
    pub fn bytes(self, payload: u64, datagrams: u64) -> u64 {
        payload + datagrams * self.header
    }

    /// A window or an amount in flight, which are made of full packets.
    pub fn scaled(self, payload: u64) -> u64 {
        (u128::from(payload) * u128::from(MTU) / u128::from(self.payload())) as u64
    }

    /// And back.
    pub fn payload_of(self, wire: u64) -> u64 {
        (u128::from(wire) * u128::from(self.payload()) / u128::from(MTU)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_packets_convert_exactly() {
        let wire = Wire::to("127.0.0.1:1".parse().unwrap());
        assert_eq!(wire.payload(), 1472);
        assert_eq!(wire.scaled(10 * 1472), 15000);
        assert_eq!(wire.payload_of(15000), 10 * 1472);
        assert_eq!(wire.bytes(3 * 1472, 3), 4500);
        assert_eq!(Wire::to("[::1]:1".parse().unwrap()).payload(), 1452);
    }
}
