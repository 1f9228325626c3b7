//! A UDP socket that never waits: segmentation offload and ECN marks by quinn-udp.
use crate::failure::{because, Failure};
use bytes::BytesMut;
use quinn_proto::{EcnCodepoint, Transmit};
use quinn_udp::{RecvMeta, UdpSocketState, BATCH_SIZE};
use std::io::{ErrorKind, IoSliceMut};
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::os::fd::{AsRawFd, RawFd};

const BUFFER_BYTES: usize = 4 << 20;
/// The largest datagram that offload on the receiving side makes of several.
const LARGEST_BYTES: usize = 1 << 16;

pub struct Received {
    pub from: SocketAddr,
    pub to: Option<IpAddr>,
    pub ecn: Option<EcnCodepoint>,
    pub data: BytesMut,
}

pub struct Socket {
    socket: UdpSocket,
    state: UdpSocketState,
    ecn: bool,
    /// What the kernel had no room for yet.
    waiting: Option<(Transmit, Vec<u8>)>,
    passed: u64,
    refused: u64,
    refusal: String,
    buffer: Vec<u8>,
}

impl Socket {
    pub fn bind(address: SocketAddr, ecn: bool) -> Result<Self, Failure> {
        let what = format!("{address}");
        let socket = UdpSocket::bind(address).map_err(because(&what))?;
        let state = UdpSocketState::new((&socket).into()).map_err(because(&what))?;
        enlarge(socket.as_raw_fd());
        Ok(Self {
            socket,
            state,
            ecn,
            waiting: None,
            passed: 0,
            refused: 0,
            refusal: String::new(),
            buffer: vec![0; BATCH_SIZE * LARGEST_BYTES],
        })
    }

    pub fn port(&self) -> u16 {
        self.socket.local_addr().map_or(0, |address| address.port())
    }

    pub fn fd(&self) -> RawFd {
        self.socket.as_raw_fd()
    }

    /// Packets that one call may send.
    pub fn segments(&self) -> usize {
        self.state.max_gso_segments()
    }

    /// The kernel has no room: nothing more may be sent before flush() has worked.
    pub fn blocked(&self) -> bool {
        self.waiting.is_some()
    }

    pub fn flush(&mut self) {
        if let Some((transmit, data)) = self.waiting.take() {
            self.send(transmit, &data);
        }
    }

    pub fn send(&mut self, transmit: Transmit, data: &[u8]) {
        let datagram = quinn_udp::Transmit {
            destination: transmit.destination,
            ecn: transmit.ecn.filter(|_| self.ecn).and_then(|mark| quinn_udp::EcnCodepoint::from_bits(mark as u8)),
            contents: &data[..transmit.size],
            segment_size: transmit.segment_size,
            src_ip: transmit.src_ip,
        };
        let datagrams = transmit.size.div_ceil(transmit.segment_size.unwrap_or(transmit.size).max(1)) as u64;
        match self.state.try_send((&self.socket).into(), &datagram) {
            Ok(()) => self.passed += datagrams,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                self.waiting = Some((transmit, datagram.contents.to_vec()));
            }
            Err(error) => {
                self.passed += datagrams;
                self.refused += datagrams;
                self.refusal = error.to_string();
            }
        }
    }

    /// What has arrived, at most a batch; true: there may be more.
    pub fn receive(&mut self, mut take: impl FnMut(Received)) -> bool {
        let mut metas = [RecvMeta::default(); BATCH_SIZE];
        let mut parts = self.buffer.chunks_exact_mut(LARGEST_BYTES);
        let mut slices: [IoSliceMut<'_>; BATCH_SIZE] =
            std::array::from_fn(|_| IoSliceMut::new(parts.next().unwrap_or_default()));
        let Ok(count) = self.state.recv((&self.socket).into(), &mut slices, &mut metas) else {
            return false;
        };
        for (meta, slice) in metas.iter().zip(&slices).take(count) {
            for data in slice[..meta.len].chunks(meta.stride.max(1)) {
                self.passed += 1;
                take(Received {
                    from: meta.addr,
                    to: meta.dst_ip,
                    ecn: meta.ecn.and_then(|mark| EcnCodepoint::from_bits(mark as u8)),
                    data: BytesMut::from(data),
                });
            }
        }
        count == BATCH_SIZE
    }

    /// Datagrams that were sent (or refused) and received here.
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// Datagrams that were lost here: refused on their way out, or dropped because nobody read them in time. As a `guest` the second
    /// are not ours to count: whoever made the network counts all that its kernel drops there.
    pub fn losses(&self, guest: bool) -> u64 {
        if self.refused > 0 {
            eprintln!("paceline-quic: {} sends were refused, the last: {}", self.refused, self.refusal);
        }
        self.refused + if guest { 0 } else { crate::system::dropped_at(self.port()) }
    }
}

/// As large as we may: root beyond the system's limit.
fn enlarge(fd: RawFd) {
    for (forced, plain) in [(libc::SO_SNDBUFFORCE, libc::SO_SNDBUF), (libc::SO_RCVBUFFORCE, libc::SO_RCVBUF)] {
        let bytes = BUFFER_BYTES as libc::c_int;
        let set = |option| {
            // SAFETY: `bytes` is an int that lives through the call.
            unsafe {
                libc::setsockopt(
                    fd,
                    libc::SOL_SOCKET,
                    option,
                    (&bytes as *const libc::c_int).cast(),
                    size_of::<libc::c_int>() as libc::socklen_t,
                )
            }
        };
        if set(forced) != 0 {
            set(plain);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_read_in_time_is_counted_once() {
        let socket = Socket::bind("127.0.0.1:0".parse().unwrap(), false).ok().unwrap();
        let sender = UdpSocket::bind("127.0.0.1:0").unwrap();
        for _ in 0..20_000 {
            let _ = sender.send_to(&[0; 1000], ("127.0.0.1", socket.port()));
        }
        assert!(socket.losses(false) > 0);
        assert_eq!(socket.losses(true), 0);
    }
}
