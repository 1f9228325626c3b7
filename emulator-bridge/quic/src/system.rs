//! What the operating system is asked for directly.
use std::os::fd::RawFd;
use std::time::Instant;

const NICE: libc::c_int = -10;

/// Ends with the parent, wakes up when asked to, not 50 µs later, and goes before ordinary processes where that is permitted: as
/// the other programs of real-time runs do (native/drivers/realtime/priority.cc).
pub fn prepare_process() {
    // SAFETY: these only set attributes of this thread, and read one structure of ours.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::prctl(libc::PR_SET_TIMERSLACK, 1);
        let lowest = libc::sched_param { sched_priority: libc::sched_get_priority_min(libc::SCHED_RR) };
        if libc::sched_setscheduler(0, libc::SCHED_RR | libc::SCHED_RESET_ON_FORK, &lowest) != 0 {
            libc::setpriority(libc::PRIO_PROCESS, 0, NICE);
        }
    }
}

/// Processor time of this process so far, all of its threads.
pub fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes one structure of ours.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Datagrams that the kernel dropped because the buffer of the socket on this port was full, from its own counters.
pub fn dropped_at(port: u16) -> u64 {
    let tables =
        ["/proc/self/net/udp", "/proc/self/net/udp6"].map(|path| std::fs::read_to_string(path).unwrap_or_default());
    tables.iter().flat_map(|table| table.lines()).filter_map(|line| drops_of(line, port)).sum()
}

/// The last column, if the second is this port's address.
fn drops_of(line: &str, port: u16) -> Option<u64> {
    let mut words = line.split_whitespace();
    let local = words.nth(1)?.rsplit_once(':')?.1;
    (u16::from_str_radix(local, 16) == Ok(port)).then(|| words.last()?.parse().ok()).flatten()
}

/// Sleeps until `until`, or until `fd` can be read (or, if `writable`, written), or until `other` has something to say.
/// True: `other` has.
pub fn wait(fd: RawFd, writable: bool, other: Option<RawFd>, until: Instant) -> bool {
    let events = if writable { libc::POLLIN | libc::POLLOUT } else { libc::POLLIN };
    let mut fds = [
        libc::pollfd { fd, events, revents: 0 },
        libc::pollfd { fd: other.unwrap_or(-1), events: libc::POLLIN, revents: 0 },
    ];
    let left = until.saturating_duration_since(Instant::now());
    let timeout = libc::timespec {
        tv_sec: left.as_secs().min(3600) as libc::time_t,
        tv_nsec: left.subsec_nanos() as libc::c_long,
    };
    // SAFETY: `fds` is an array of two, and lives through the call.
    unsafe { libc::ppoll(fds.as_mut_ptr(), 2, &timeout, std::ptr::null()) };
    fds[1].revents != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_are_read_from_the_line_of_the_port() {
        let line = "  123: 0100007F:1151 00000000:0000 07 00000000:00000000 00:00000000 00000000 0 0 77 2 00000000 42";
        assert_eq!(drops_of(line, 0x1151), Some(42));
        assert_eq!(drops_of(line, 0x1152), None);
        assert_eq!(drops_of("   sl  local_address rem_address   st tx_queue rx_queue drops", 5), None);
    }

    #[test]
    fn a_full_buffer_shows() {
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        assert_eq!(dropped_at(address.port()), 0);
        let sender = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        for _ in 0..20_000 {
            let _ = sender.send_to(&[0; 1000], address);
        }
        assert!(dropped_at(address.port()) > 0);
    }
}
