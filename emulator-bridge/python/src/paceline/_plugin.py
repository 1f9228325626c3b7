"""Controllers of Python as the engine knows algorithms: tables of functions (``native/plugin/paceline_plugin.h``).

The engine calls from the threads of runs; an exception that leaves a controller ends its run and is told by whoever made that run.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import os
import struct
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence, Set
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from dataclasses import dataclass
from numbers import Real
from typing import Any

from . import events
from .errors import Cancelled

_CONTROL = struct.Struct("=2qd5qdq")
CONTROL_FIELDS = (
    "cwnd_bytes", "ssthresh_bytes", "pacing_bps", "send_quantum_bytes", "hold_until_ns", "next_tick_ns", "tag",
    "limits_itself", "media_bps", "phase",
)  # fmt: skip

PACING = ("window", "own", "none")
ECN = ("none", "classic", "l4s")
NEEDS = {"paced_start": 1, "prr": 2, "acked_packets": 4, "receiver_timestamps": 8}
TYPES = ("number", "integer", "boolean", "choice")


class _Param(Structure):
    _fields_ = [
        ("name", c_char_p), ("label", c_char_p), ("unit", c_char_p), ("help", c_char_p), ("type", c_int32),
        ("initial", c_double), ("min", c_double), ("max", c_double), ("choices", POINTER(c_char_p)),
        ("choice_count", c_size_t),
    ]  # fmt: skip


class _Internal(Structure):
    _fields_ = [
        ("name", c_char_p), ("label", c_char_p), ("unit", c_char_p), ("states", POINTER(c_char_p)),
        ("state_count", c_size_t),
    ]  # fmt: skip


_CREATE = CFUNCTYPE(c_void_p, c_void_p, c_void_p, POINTER(c_double), c_void_p)
_DESTROY = CFUNCTYPE(None, c_void_p)
_PACKETS = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p)
_EVENT = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)
_MOMENT = CFUNCTYPE(None, c_void_p, c_int64, c_void_p)
_INTERNALS = CFUNCTYPE(None, c_void_p, POINTER(c_double))


class Algorithm(Structure):
    """``paceline_algorithm``."""

    _fields_ = [
        ("id", c_char_p), ("label", c_char_p), ("family", c_char_p), ("summary", c_char_p), ("source", c_char_p),
        ("pacing", c_int32), ("ecn", c_int32), ("needs", c_uint32), ("params", POINTER(_Param)),
        ("param_count", c_size_t), ("internals", POINTER(_Internal)), ("internal_count", c_size_t),
        ("phases", POINTER(c_char_p)), ("phase_count", c_size_t), ("context", c_void_p), ("create", _CREATE),
        ("destroy", _DESTROY), ("on_ack", _PACKETS), ("on_loss", _PACKETS), ("on_timeout", _EVENT),
        ("on_sent", _EVENT), ("on_tick", _MOMENT), ("on_idle_restart", _MOMENT), ("read_internals", _INTERNALS),
    ]  # fmt: skip


@dataclass(frozen=True)
class Declared:
    """What a class of controllers says of itself, checked."""

    id: str
    label: str
    summary: str
    source: str
    kind: type
    params: Mapping[str, Mapping[str, Any]]
    internals: Mapping[str, Mapping[str, Any]]
    phases: Sequence[str]
    needs: Mapping[str, Any]


class Failure(Exception):
    """Why a controller ended its run, in a clause."""


class Inside(threading.local):
    """Of the run that this thread makes."""

    failure: tuple[Declared, BaseException] | None = None
    cancelled: ctypes.c_int | None = None


inside = Inside()


def sentence_of(declared: Declared, error: BaseException) -> str:
    """What went wrong and where, as one sentence."""
    what = str(error) if isinstance(error, Failure) else "".join(traceback.format_exception_only(error)).strip()
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if frame.filename != __file__]
    if not theirs:
        return f"{declared.label}: {what}"
    # Reports are passed on: where the file lies is for the exception from which this is raised.
    name, line, file = theirs[-1].name, theirs[-1].lineno, os.path.basename(theirs[-1].filename)
    return f"{declared.label}: {what} ({name}, line {line} of {file})"


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise Failure(f"{what} is {type(value).__name__}, not a number")
    number = float(value)
    if math.isnan(number):
        raise Failure(f"{what} is NaN")
    return number


def _whole(value: Any, what: str) -> int:
    """Rounded down; below 0 it is refused by the engine, and beyond 64 bits it is endless."""
    number = _number(value, what)
    return events.NEVER if number >= 2.0**63 else -1 if number < 0 else math.floor(number)


def _ns(value: Any, what: str) -> int:
    ns = _number(value, what) * 1e6
    return events.NEVER if ns >= 2.0**63 else -1 if ns < 0 else math.floor(ns + 0.5)


class Flow:
    """One flow's controller, and what it says."""

    __slots__ = ("broken", "controller", "declared", "phases")

    def __init__(self, declared: Declared) -> None:
        self.declared = declared
        self.controller: Any = None
        self.broken = False
        self.phases = {word: place for place, word in enumerate(declared.phases)}

    def control(self) -> bytes:
        """``paceline_control``."""
        says = self.controller
        try:
            window = says.cwnd_bytes
        except AttributeError:
            raise Failure("cwnd_bytes was never set") from None
        phase = getattr(says, "phase", None)
        if phase is not None and phase not in self.phases:
            raise Failure(f"{phase!r} is none of its phases")
        return _CONTROL.pack(
            _whole(window, "cwnd_bytes"),
            _whole(getattr(says, "ssthresh_bytes", math.inf), "ssthresh_bytes"),
            _number(getattr(says, "pacing_mbps", 0), "pacing_mbps") * 1e6,
            _whole(getattr(says, "send_quantum_bytes", 0), "send_quantum_bytes"),
            _ns(getattr(says, "hold_until_ms", 0), "hold_until_ms"),
            _ns(getattr(says, "next_tick_ms", math.inf), "next_tick_ms"),
            _whole(getattr(says, "tag", 0), "tag"),
            1 if getattr(says, "limits_itself", False) else 0,
            _number(getattr(says, "media_mbps", 0), "media_mbps") * 1e6,
            -1 if phase is None else self.phases[phase],
        )

    def fail(self, error: BaseException) -> None:
        """The run ends: no window is what the engine ends it for."""
        self.broken = True
        if inside.failure is None:
            inside.failure = (self.declared, error)


_flows: dict[int, Flow] = {}
_states = itertools.count(1)


def _answer(flow: Flow, control: int, call: Callable[[], None]) -> None:
    """Calls the controller and hands on what it says; a window of 0 ends the run."""
    try:
        cancelled = inside.cancelled
        if cancelled is not None and cancelled.value != 0:
            raise Cancelled("cancelled")
        if not flow.broken:
            call()
            ctypes.memmove(control, flow.control(), _CONTROL.size)
            return
    except BaseException as error:
        flow.fail(error)
    c_int64.from_address(control).value = 0


class Ended(BaseException):
    """In a controller that did not come back, which seldom catches this."""


def interrupt(threads: Set[int]) -> None:
    """Ends controllers that do not come back, in runs of these threads that were cancelled."""
    for ident, frame in sys._current_frames().items():
        if ident in threads and any(at.f_code is _answer.__code__ for at, _ in traceback.walk_stack(frame)):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(Ended))


def _hears(kind: Any, name: str, read: Callable[..., Any]) -> Any:
    """A function of the table: what the engine hands over, read, is for the controller's method of this name."""

    def called(state: int, *words: Any) -> None:
        flow = _flows[state]
        *told, control = words
        _answer(flow, control, lambda: getattr(flow.controller, name)(read(*told)))

    return kind(called)


def _forget(state: int) -> None:
    _flows.pop(state, None)


def _read_internals(state: int, values: Any) -> None:
    flow = _flows[state]
    try:
        if not flow.broken:
            for place, (name, internal) in enumerate(flow.declared.internals.items()):
                values[place] = _internal(getattr(flow.controller, name, None), name, internal["states"])
    except BaseException as error:
        flow.fail(error)


def _internal(value: Any, name: str, states: Sequence[str]) -> float:
    if value is None:
        return math.nan
    if not states:
        return float(value) if isinstance(value, Real) else _number(value, name)
    if value not in states:
        raise Failure(f"{name} is {value!r}, which is none of its states")
    return states.index(value)


# The engine holds these for as long as the library is loaded.
_kept: list[Any] = []

_CALLS: Mapping[str, Any] = {
    "on_ack": _hears(_PACKETS, "on_ack", events.ack_at),
    "on_loss": _hears(_PACKETS, "on_loss", events.loss_at),
    "on_timeout": _hears(_EVENT, "on_timeout", events.timeout_at),
    "on_sent": _hears(_EVENT, "on_sent", events.sent_at),
    "on_tick": _hears(_MOMENT, "on_tick", events.moment),
    "on_idle_restart": _hears(_MOMENT, "on_idle_restart", events.moment),
}
_FORGET = _DESTROY(_forget)
_INTERNALS_OF = _INTERNALS(_read_internals)


def table_of(declared: Declared) -> Algorithm:
    """The algorithm as the engine has it; it is kept for ever."""
    count = len(declared.params)

    def create(context: int | None, setup: int, params: Any, control: int) -> int:
        flow, state = Flow(declared), next(_states)
        _flows[state] = flow

        def make() -> None:
            values = {name: _value(param, params[place]) for place, (name, param) in enumerate(declared.params.items())}
            flow.controller = declared.kind(events.setup_at(setup, values))

        _answer(flow, control, make)
        return state

    made = _CREATE(create)
    calls = {name: call for name, call in _CALLS.items() if callable(getattr(declared.kind, name, None))}
    # The header asks for what is unusual.
    needs = sum(bit for name, bit in NEEDS.items() if declared.needs[name] != (name == "prr"))
    table = Algorithm(
        id=declared.id.encode(),
        label=declared.label.encode(),
        family=b"own",
        summary=declared.summary.encode(),
        source=declared.source.encode(),
        pacing=PACING.index(declared.needs["pacing"]),
        ecn=ECN.index(declared.needs["ecn"]),
        needs=needs,
        params=(_Param * max(count, 1))(*(_param(name, param) for name, param in declared.params.items())),
        param_count=count,
        internals=(_Internal * max(len(declared.internals), 1))(
            *(
                _Internal(
                    name=name.encode(),
                    label=internal["label"].encode(),
                    unit=internal["unit"].encode(),
                    states=_words(internal["states"]),
                    state_count=len(internal["states"]),
                )
                for name, internal in declared.internals.items()
            )
        ),
        internal_count=len(declared.internals),
        phases=_words(declared.phases),
        phase_count=len(declared.phases),
        context=None,
        create=made,
        destroy=_FORGET,
        read_internals=_INTERNALS_OF if declared.internals else _INTERNALS(),
        **calls,
    )
    _kept.append((table, made))
    return table


def _words(words: Sequence[str]) -> Any:
    return (c_char_p * len(words))(*(word.encode() for word in words)) if words else None


def _param(name: str, param: Mapping[str, Any]) -> _Param:
    kind, initial = param["type"], param["default"]
    return _Param(
        name=name.encode(),
        label=param["label"].encode(),
        unit=param["unit"].encode(),
        help=param["help"].encode(),
        type=TYPES.index(kind),
        initial=0 if kind == "choice" else float(initial),
        min=0 if param["min"] is None else param["min"],
        max=1 if param["max"] is None else param["max"],
        choices=_words(param["choices"]),
        choice_count=len(param["choices"]),
    )


def _value(param: Mapping[str, Any], value: float) -> Any:
    match param["type"]:
        case "boolean":
            return value != 0
        case "choice":
            return param["choices"][int(value)]
        case "integer":
            return int(value)
    return value
