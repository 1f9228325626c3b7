"""Recovery from losses, transmission by transmission: this machine's kernel beside our sender.

Random scripts say what becomes of the first three transmissions of each segment: lost, late, or neither. A kernel's TCP in one network
namespace sends to that of another over two TUN devices, between which this program does what the script says; ours does the same in
virtual time (bench/recovery.cc). Needs root, and makes and removes two namespaces of its own.
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import heapq
import itertools
import os
import random
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

MSS = 1448
FIRST_PORT = 5000
MOST_SCRIPTS = 64
SILENCE_S = 6.0  # what is still sent later is left out
TUNSETIFF, IFF_TUN_NO_PI = 0x400454CA, 0x1001
CLONE_NEWNET = 0x40000000
TCP_CONGESTION = 13
# A kernel's timers tick every 4 ms and are late by up to an eighth of their length, and this program is not a link.
NEAR_MS = 15.0
# What is taken for too late, at the application and on the path together: nineteen of twenty must be sooner.
LATE_MS = 3.0

Transmissions = list[tuple[float, int]]  # ms since the connection opened, segment


@dataclass
class Script:
    one_way_ms: float
    spacing_ms: float
    packets: int
    fates: dict[tuple[int, int], float]  # (segment, copy): ms later; below 0: lost
    base: int | None = None  # the kernel's first sequence number
    copies: dict[int, int] = field(default_factory=dict)
    began: float = 0.0
    sent: list[tuple[float, int]] = field(default_factory=list)

    @staticmethod
    def drawn(seed: int) -> Script:
        draw = random.Random(seed)
        packets = draw.choice([20, 30, 40])
        one_way, spacing = draw.choice([20, 50, 100]), draw.choice([4, 8, 15])
        lost, late = draw.choice([0.03, 0.1, 0.25]), draw.choice([0, 0, 0.05, 0.15])
        fates: dict[tuple[int, int], float] = {}
        for segment, copy in itertools.product(range(10, packets), range(3)):
            if draw.random() < (lost if copy == 0 else 0.3):
                fates[segment, copy] = -1.0
            elif draw.random() < late:
                fates[segment, copy] = draw.choice([7, 13, 30, 60, 150]) + 3 * draw.random()
        return Script(one_way, spacing, packets, fates)

    def text(self) -> str:
        lines = [f"{self.one_way_ms} {self.spacing_ms} {self.packets}"]
        lines += [f"{segment} {copy} {ms}" for (segment, copy), ms in self.fates.items()]
        return "\n".join(lines) + "\n"


class Path:
    """Takes packets from one TUN device to the other, when their time has come."""

    def __init__(self, scripts: list[Script]) -> None:
        self.scripts = scripts
        self.due: list[tuple[float, int, int, bytes]] = []
        self.news = threading.Condition()
        self.order = itertools.count()
        self.late: list[float] = []  # seconds

    def start(self, sender: int, receiver: int) -> None:
        for work in (
            self.deliver,
            lambda: self.take(sender, receiver, True),
            lambda: self.take(receiver, sender, False),
        ):
            threading.Thread(target=work, daemon=True).start()

    def deliver(self) -> None:
        be_prompt()
        while True:
            with self.news:
                while not self.due or self.due[0][0] > time.monotonic():
                    self.news.wait(max(3e-4, self.due[0][0] - time.monotonic()) if self.due else None)
                due, _, device, packet = heapq.heappop(self.due)
                self.late.append(time.monotonic() - due)
            try:
                os.write(device, packet)
            except OSError:
                return

    def take(self, source: int, target: int, forward: bool) -> None:
        be_prompt()
        while True:
            try:
                packet = os.read(source, 1 << 16)
            except OSError:  # the namespaces are gone
                return
            now = time.monotonic()
            later = self.fate(packet, forward, now)
            if later is None:
                continue
            with self.news:
                heapq.heappush(self.due, (now + later, next(self.order), target, packet))
                self.news.notify()

    def fate(self, packet: bytes, forward: bool, now: float) -> float | None:
        if packet[0] >> 4 != 4 or packet[9] != socket.IPPROTO_TCP:
            return None
        tcp = packet[(packet[0] & 15) * 4 :]
        from_port, to_port, sequence, _, offset, flags = struct.unpack("!HHIIBB", tcp[:14])
        script = self.scripts[(to_port if forward else from_port) - FIRST_PORT]
        later = script.one_way_ms / 1e3
        if not forward:
            return later
        if flags & 2:
            script.base = sequence + 1
        if len(tcp) == (offset >> 4) * 4 or script.base is None:
            return later
        segment = ((sequence - script.base) & 0xFFFFFFFF) // MSS
        copy = script.copies.get(segment, 0)
        script.copies[segment] = copy + 1
        script.sent.append((1e3 * (now - script.began), segment))
        extra = script.fates.get((segment, copy), 0.0)
        return None if extra < 0 else later + extra / 1e3


def be_prompt() -> None:
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
    except OSError:
        pass


def shell(command: str) -> None:
    subprocess.run(command, shell=True, check=True)


class Namespaces:
    """Two, joined by TUN devices of ours."""

    def __init__(self) -> None:
        self.names = [f"paceline-rec-{os.getpid()}-{end}" for end in "ab"]
        self.devices: list[int] = []

    def __enter__(self) -> Namespaces:
        try:
            for end in range(2):
                self.make(end)
        except BaseException:
            self.__exit__()
            raise
        return self

    def make(self, end: int) -> None:
        name, device = self.names[end], f"plrec{end}"
        shell(f"ip netns add {name}")
        tun = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH", device.encode(), IFF_TUN_NO_PI))
        self.devices.append(tun)
        quick = "quickack 1" if end else ""
        shell(
            f"ip link set {device} netns {name} && ip -n {name} addr add 10.178.0.{end + 1}/24 dev {device} && "
            f"ip -n {name} link set {device} up mtu 1500 && ip -n {name} link set lo up && "
            f"ip -n {name} route change 10.178.0.0/24 dev {device} src 10.178.0.{end + 1} {quick} && "
            f"ip netns exec {name} sysctl -qw net.ipv4.tcp_no_metrics_save=1"
        )

    def __exit__(self, *_: object) -> None:
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False, stderr=subprocess.DEVNULL)

    def socket(self, end: int) -> socket.socket:
        """A thread of its own enters the namespace, and ends."""
        made: list[socket.socket] = []

        def make() -> None:
            with open(f"/run/netns/{self.names[end]}", "rb") as namespace:
                if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET) != 0:
                    raise OSError(ctypes.get_errno(), "setns")
            made.append(socket.socket())

        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        return made[0]


def send(namespaces: Namespaces, index: int, script: Script, kernel_cca: str, late: list[float]) -> None:
    be_prompt()
    listener = namespaces.socket(1)
    listener.bind(("10.178.0.2", FIRST_PORT + index))
    listener.listen()

    def read_all() -> None:
        accepted, _ = listener.accept()
        while accepted.recv(1 << 16):
            pass

    threading.Thread(target=read_all, daemon=True).start()
    out = namespaces.socket(0)
    out.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    out.setsockopt(socket.IPPROTO_TCP, TCP_CONGESTION, kernel_cca.encode())
    out.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
    out.connect(("10.178.0.2", FIRST_PORT + index))
    script.began = time.monotonic()
    for i in range(script.packets):
        due = script.began + (i + 1) * script.spacing_ms / 1e3
        time.sleep(max(0.0, due - time.monotonic()))
        late.append(time.monotonic() - due)
        out.sendall(bytes(MSS))
    time.sleep(SILENCE_S)


def over_kernel(scripts: list[Script], kernel_cca: str) -> tuple[list[Transmissions], float]:
    """What was sent, and the 95th percentile of how late this program was, ms."""
    with Namespaces() as namespaces:
        path = Path(scripts)
        path.start(*namespaces.devices)
        threads = [
            threading.Thread(target=send, args=(namespaces, i, script, kernel_cca, path.late))
            for i, script in enumerate(scripts)
        ]
        for thread in threads:
            thread.start()
            time.sleep(0.013)
        for thread in threads:
            thread.join()
    return [script.sent for script in scripts], 1e3 * statistics.quantiles(path.late, n=20)[-1]


def over_ours(script: Script, program: str, cca: str) -> Transmissions:
    done = subprocess.run([program, cca], input=script.text(), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{cca}: {done.stderr.strip()}")
    return [(float(ms), int(segment)) for ms, segment in (line.split() for line in done.stdout.splitlines())]


def by_copy(sent: Transmissions) -> dict[tuple[int, int], float]:
    copies: dict[int, int] = {}
    out: dict[tuple[int, int], float] = {}
    for ms, segment in sent:
        out[segment, copies.get(segment, 0)] = ms
        copies[segment] = copies.get(segment, 0) + 1
    return out


def shown(sent: Transmissions, script: Script, around_ms: float) -> str:
    copies: dict[int, int] = {}
    out = []
    for ms, segment in sent:
        copy = copies.get(segment, 0)
        copies[segment] = copy + 1
        fate = script.fates.get((segment, copy), 0.0)
        end = "" if fate == 0 else "×" if fate < 0 else f"+{fate:.0f}"
        if abs(ms - around_ms) < 5 * script.one_way_ms + 50:
            out.append(f"{ms:.0f}:{segment}{chr(39) * copy}{end}")
    return " ".join(out)


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--program", required=True, help="paceline-bench-recovery")
    ask.add_argument("--scripts", type=int, default=16)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--kernel", default="reno", help="the kernel's algorithm")
    ask.add_argument("--ours", default="newreno", help="ours")
    ask.add_argument("--verbose", action="store_true", help="what was sent around the first difference")
    asked = ask.parse_args()
    if not 1 <= asked.scripts <= MOST_SCRIPTS:
        ask.error(f"--scripts: 1 to {MOST_SCRIPTS}, all at once")
    if os.geteuid() != 0 or not os.path.exists("/dev/net/tun"):
        print("needs root and /dev/net/tun", file=sys.stderr)
        return 2
    try:
        socket.socket().setsockopt(socket.IPPROTO_TCP, TCP_CONGESTION, asked.kernel.encode())
    except OSError as error:
        sys.exit(f"this kernel's TCP has no {asked.kernel}: {error}")
    scripts = [Script.drawn(asked.seed * 1000 + i) for i in range(asked.scripts)]
    same, all_sent, alike = 0, 0, 0
    apart: list[float] = []
    own = [over_ours(script, asked.program, asked.ours) for script in scripts]
    over, late_ms = over_kernel(scripts, asked.kernel)
    for i, (script, kernel) in enumerate(zip(scripts, over)):
        ours = own[i]
        if not kernel:
            sys.exit(f"script {i}: the kernel sent nothing")
        a, b = by_copy(ours), by_copy(kernel)
        different = []
        for key in a.keys() | b.keys():
            if key in a and key in b:
                apart.append(abs(a[key] - b[key]))
            if key not in a or key not in b or abs(a[key] - b[key]) > NEAR_MS:
                different.append((min(a.get(key, 1e9), b.get(key, 1e9)), key))
        all_sent += len(a.keys() | b.keys())
        same += len(a.keys() | b.keys()) - len(different)
        alike += not different
        if different and asked.verbose:
            ms, (segment, copy) = min(different)
            print(f"script {i}: segment {segment}, copy {copy}, at {ms:.0f} ms")
            print(f"  ours    {shown(ours, script, ms)}\n  kernel  {shown(kernel, script, ms)}")
    print(
        f"{100 * same / all_sent:.1f} % of {all_sent} transmissions at the same time (within {NEAR_MS:.0f} ms; "
        f"median {statistics.median(apart):.1f} ms apart); {alike} of {len(scripts)} scripts alike throughout"
    )
    if late_ms > LATE_MS:
        print(
            f"This machine was late by {late_ms:.1f} ms (95th percentile): its kernel met other times than the script's. "
            "Let it alone, and run again."
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
