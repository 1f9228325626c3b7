"""What the transport tells a controller (:func:`paceline.controller`), as it is in ``native/plugin/paceline_plugin.h``.

Times are milliseconds since the run began, sizes are bytes on the wire, rates are Mbps. ``None``: not known. The names are those of
algorithms that are written in the page (docs/own-algorithms.md).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from ctypes import string_at
from typing import Any, Literal, NamedTuple

Transport = Literal["tcp", "quic", "quic-grow-underutilised"]
Recovery = Literal["none", "entered", "in", "timeout", "exited", "undone"]
"""Where the flow stands in loss recovery. ``entered``: this acknowledgement revealed the first loss of an episode; ``in``: it goes on;
``timeout``: what was outstanding at a retransmission timeout is being repaired, windows may grow (RFC 5681 section 3.1); ``exited``: the
episode is over; ``undone``: it was proven spurious."""


class Setup(NamedTuple):
    """Of what a controller is made, when its flow begins."""

    params: Mapping[str, Any]
    """Values of the parameters, by name."""
    now_ms: float
    mss_bytes: int
    initial_window_packets: int
    transport: Transport
    """``quic``: windows do not grow while they do not limit (RFC 9002 section 7.8)."""
    handshake_rtt_ms: float | None
    """What the connection's opening took."""
    seed: int
    """Of the flow's own randomness: ``random.Random(setup.seed)``."""


class AckedPacket(NamedTuple):
    """One packet newly acknowledged."""

    number: int
    """Transmission number: grows by one per transmission, never reused."""
    bytes: int
    sent_ms: float
    rtt_ms: float
    one_way_ms: float | None
    """Receiver's timestamp less ``sent_ms``; only with ``needs={"receiver_timestamps": True}``."""
    delivered_at_send_bytes: int
    """What the connection had delivered when it was sent."""
    tag: int
    """The controller's ``tag`` when it was sent."""
    retransmission: bool


class LostPacket(NamedTuple):
    """One packet declared lost."""

    number: int
    bytes: int
    sent_ms: float
    tag: int
    inflight_at_send_bytes: int
    """In flight when it was sent, itself included."""
    delivered_at_send_bytes: int
    lost_at_send_bytes: int
    app_limited: bool


class Ack(NamedTuple):
    """An acknowledgement, after the transport has updated its counters."""

    now_ms: float
    acked_bytes: int
    """Newly acknowledged, cumulatively and selectively."""
    acked_packets: int
    rtt_ms: float | None
    """Of the most recently sent packet newly acknowledged; None if ambiguous."""
    one_way_ms: float | None
    """The forward part of it, on two clocks whose offset is unknown but constant."""
    srtt_ms: float
    rttvar_ms: float
    min_rtt_ms: float
    """Least of the connection's life."""
    newest_number: int
    """Transmission number of the newest packet acknowledged."""
    next_number: int
    """Of the next transmission: a round that starts now ends when it is acknowledged."""
    rate_mbps: float | None
    """Delivery-rate sample (draft-ietf-ccwg-bbr section 4.1); None: nothing newly delivered, or the interval was shorter than min_rtt."""
    rate_interval_ms: float | None
    rate_delivered_bytes: int
    """Delivered over that interval."""
    rate_prior_delivered_bytes: int
    """What the connection had delivered when the sampled packet was sent."""
    rate_inflight_bytes: int
    """In flight then, itself included."""
    rate_lost_bytes: int
    """Lost since then."""
    rate_app_limited: bool
    """The sample began while the application, not the window, was the limit."""
    delivered_bytes: int
    """Total of the connection, this acknowledgement included."""
    lost_bytes: int
    inflight_before_bytes: int
    inflight_bytes: int
    lost_packets: int
    """Declared lost by this acknowledgement."""
    window_limited: bool
    """The window was what held the sender back: only then may it grow (RFC 9002 section 7.8)."""
    delayed: bool
    """The receiver held this acknowledgement back (delayed-ACK timer)."""
    ce_packets: int
    """Newly reported congestion-experienced marks."""
    recovery: Recovery
    next_send_ms: float | None
    """When the pacer releases the next packet."""
    packets: tuple[AckedPacket, ...] = ()
    """One by one what was acknowledged; only with ``needs={"acked_packets": True}``."""


class Loss(NamedTuple):
    """Packets declared lost."""

    now_ms: float
    lost_bytes: int
    lost_packets: int
    """0: marks that the flow answers as losses."""
    new_episode: bool
    """First loss of an episode: the classic place to reduce."""
    inflight_before_bytes: int
    inflight_bytes: int
    total_delivered_bytes: int
    total_lost_bytes: int
    packets: tuple[LostPacket, ...] = ()


class Timeout(NamedTuple):
    """A retransmission timeout; in QUIC persistent congestion."""

    now_ms: float
    inflight_before_bytes: int
    inflight_bytes: int
    delivered_bytes: int
    lost_bytes: int
    repeated: bool
    """ssthresh was already reduced for this data: it is not reduced again."""


class Sent(NamedTuple):
    """One packet that leaves."""

    now_ms: float
    number: int
    bytes: int
    retransmission: bool
    app_limited: bool
    inflight_before_bytes: int
    inflight_bytes: int


TRANSPORTS: tuple[Transport, ...] = ("tcp", "quic", "quic-grow-underutilised")
RECOVERIES: tuple[Recovery, ...] = ("none", "entered", "in", "timeout", "exited", "undone")
UNKNOWN = -(2**63)
NEVER = 2**63 - 1


def _ms(ns: int) -> float | None:
    return None if ns == UNKNOWN else math.inf if ns == NEVER else ns / 1e6


def _as_it_is(value: Any) -> Any:
    return value


_KINDS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "count": ("q", _as_it_is),
    "flag": ("q", bool),
    "ms": ("q", _ms),
    "mbps": ("d", lambda bps: bps / 1e6),
    "recovery": ("q", lambda place: RECOVERIES[place]),
}

# The header's structures: fields in their order, eight bytes each. What is not named here is a count.
LAYOUTS: Mapping[str, tuple[str, ...]] = {
    "paceline_setup": (
        "now_ns", "mss_bytes", "initial_window_packets", "transport", "handshake_rtt_ns", "seed",
    ),
    "paceline_ack": (
        "now_ns", "acked_bytes", "acked_packets", "rtt_ns", "one_way_ns", "srtt_ns", "rttvar_ns", "min_rtt_ns",
        "newest_number", "next_number", "rate_valid", "rate_bps", "rate_interval_ns", "rate_delivered_bytes",
        "rate_prior_delivered_bytes", "rate_inflight_bytes", "rate_lost_bytes", "rate_app_limited", "delivered_bytes",
        "lost_bytes", "inflight_before_bytes", "inflight_bytes", "lost_packets", "window_limited", "delayed",
        "ce_packets", "recovery", "next_send_ns",
    ),
    "paceline_loss": (
        "now_ns", "lost_bytes", "lost_packets", "new_episode", "inflight_before_bytes", "inflight_bytes",
        "total_delivered_bytes", "total_lost_bytes",
    ),
    "paceline_timeout": (
        "now_ns", "inflight_before_bytes", "inflight_bytes", "delivered_bytes", "lost_bytes", "repeated",
    ),
    "paceline_sent": (
        "now_ns", "number", "bytes", "retransmission", "app_limited", "inflight_before_bytes", "inflight_bytes",
    ),
    "paceline_acked_packet": (
        "number", "bytes", "sent_ns", "rtt_ns", "one_way_ns", "delivered_at_send_bytes", "tag", "retransmission",
    ),
    "paceline_lost_packet": (
        "number", "bytes", "sent_ns", "tag", "inflight_at_send_bytes", "delivered_at_send_bytes",
        "lost_at_send_bytes", "app_limited",
    ),
}  # fmt: skip
_FLAGS = {
    "rate_valid", "rate_app_limited", "window_limited", "delayed", "new_episode", "repeated", "retransmission",
    "app_limited",
}  # fmt: skip


def _kind_of(field: str) -> str:
    if field.endswith("_ns"):
        return "ms"
    if field.endswith("_bps"):
        return "mbps"
    if field == "recovery":
        return "recovery"
    return "flag" if field in _FLAGS else "count"


class Reader:
    """Copies a structure of the header out of the engine's memory."""

    def __init__(self, structure: str) -> None:
        kinds = [_KINDS[_kind_of(field)] for field in LAYOUTS[structure]]
        self._struct = struct.Struct("=" + "".join(letter for letter, _ in kinds))
        self._read = [read for _, read in kinds]

    def one(self, address: int) -> list[Any]:
        """The fields of the structure there."""
        return self._values(self._struct.unpack(string_at(address, self._struct.size)))

    def many(self, address: int | None, count: int) -> list[list[Any]]:
        """Of ``count`` structures, one after the other."""
        if count == 0 or address is None:
            return []
        return [
            self._values(values) for values in self._struct.iter_unpack(string_at(address, count * self._struct.size))
        ]

    def _values(self, values: tuple[Any, ...]) -> list[Any]:
        return [read(value) for read, value in zip(self._read, values, strict=True)]


_SETUP, _ACK, _LOSS = Reader("paceline_setup"), Reader("paceline_ack"), Reader("paceline_loss")
_TIMEOUT, _SENT = Reader("paceline_timeout"), Reader("paceline_sent")
_ACKED, _LOST = Reader("paceline_acked_packet"), Reader("paceline_lost_packet")
_RATE_VALID = LAYOUTS["paceline_ack"].index("rate_valid")


def setup_at(address: int, params: Mapping[str, Any]) -> Setup:
    """A ``paceline_setup``."""
    now_ms, mss, window, transport, handshake, seed = _SETUP.one(address)
    return Setup(params, now_ms, mss, window, TRANSPORTS[transport], handshake, seed % 2**64)


def ack_at(address: int, packets: int | None, count: int) -> Ack:
    """A ``paceline_ack`` with its packets."""
    fields = _ACK.one(address)
    if not fields.pop(_RATE_VALID):
        fields[_RATE_VALID] = None  # the rate, which stood behind it
    return Ack._make([*fields, tuple(AckedPacket(*packet) for packet in _ACKED.many(packets, count))])


def loss_at(address: int, packets: int | None, count: int) -> Loss:
    """A ``paceline_loss`` with its packets."""
    return Loss._make([*_LOSS.one(address), tuple(LostPacket(*packet) for packet in _LOST.many(packets, count))])


def moment(now_ns: int) -> float:
    """A time, in ms."""
    return now_ns / 1e6


def timeout_at(address: int) -> Timeout:
    """A ``paceline_timeout``."""
    return Timeout(*_TIMEOUT.one(address))


def sent_at(address: int) -> Sent:
    """A ``paceline_sent``."""
    return Sent(*_SENT.one(address))
