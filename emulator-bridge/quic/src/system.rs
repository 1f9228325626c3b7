//! What the operating system is asked for directly.
use std::os::fd::RawFd;
use std::time::Instant;

/// Ends with the parent, and wakes up when asked to, not 50 µs later.
pub fn prepare_process() {
    // SAFETY: these only set attributes of this process.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::prctl(libc::PR_SET_TIMERSLACK, 1);
    }
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
