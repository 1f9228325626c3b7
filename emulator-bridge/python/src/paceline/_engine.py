"""The engine, by its C interface (``emulator-bridge/native/embed/paceline_lab.h``).

All calls leave the interpreter's lock to others while they work.
"""

from __future__ import annotations

import ctypes
import json
import weakref
from ctypes import (
    POINTER,
    Structure,
    byref,
    c_char_p,
    c_double,
    c_float,
    c_int,
    c_int32,
    c_size_t,
    c_uint16,
    c_uint32,
    c_void_p,
)
from functools import lru_cache
from typing import Any

import numpy as np

from ._made import made
from ._plugin import Algorithm, inside, sentence_of
from .errors import Cancelled, PacelineError

_VERSION = 2
_ROOM = 4096


class Decision(Structure):
    """``paceline_decision``: where an episode stands."""

    _fields_ = [
        ("flow", c_int32),
        ("inputs", c_int32),
        *((name, c_double) for name in (
            "now", "lasted", "acked_bytes", "lost_bytes", "rtt_samples", "mean_rtt", "capacity_bps", "reward",
            "srtt", "least_rtt", "cwnd_bytes", "inflight_bytes",
        )),
    ]  # fmt: skip


DECISION_DTYPE = np.dtype([(name, "i4" if name in ("flow", "inputs") else "f8") for name, *_ in Decision._fields_])
OVER = -1
FAILED = -2


class _Series(Structure):
    _fields_ = [("rows", c_size_t), ("columns", c_size_t), ("times", c_void_p), ("values", c_void_p)]


_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "paceline_lab_version": (c_uint32, []),
    "paceline_lab_engine_version": (c_char_p, []),
    "paceline_lab_listing": (c_char_p, []),
    "paceline_lab_algorithm": (c_int, [POINTER(Algorithm), c_char_p, c_char_p, c_size_t]),
    "paceline_lab_create": (c_void_p, []),
    "paceline_lab_destroy": (None, [c_void_p]),
    "paceline_lab_trace": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t, c_char_p, c_size_t]),
    "paceline_lab_weights": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t, c_char_p, c_size_t]),
    "paceline_run_create": (c_void_p, [c_void_p, c_char_p, c_size_t, c_int, POINTER(c_int), c_char_p, c_size_t]),
    "paceline_run_destroy": (None, [c_void_p]),
    "paceline_run_hello": (c_char_p, [c_void_p]),
    "paceline_run_summary": (c_char_p, [c_void_p]),
    "paceline_run_events": (c_char_p, [c_void_p]),
    "paceline_run_series": (c_int, [c_void_p, c_uint16, POINTER(_Series)]),
    "paceline_loop_id": (c_char_p, [c_size_t]),
    "paceline_loop_input": (c_char_p, [c_size_t, c_size_t]),
    "paceline_episode_create": (
        c_void_p,
        [c_void_p, c_char_p, c_size_t, POINTER(c_uint32), c_size_t, c_char_p, c_size_t],
    ),
    "paceline_episode_destroy": (None, [c_void_p]),
    "paceline_episode_summary": (c_char_p, [c_void_p]),
    "paceline_episode_error": (c_char_p, [c_void_p]),
    "paceline_crew_create": (c_void_p, [c_size_t]),
    "paceline_crew_destroy": (None, [c_void_p]),
    "paceline_crew_step": (
        None,
        [c_void_p, POINTER(c_void_p), c_void_p, c_size_t, c_void_p, c_void_p, c_size_t],
    ),
}


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """The shared library, its functions declared."""
    loaded = ctypes.CDLL(str(made("libpaceline.so")))
    for name, (answer, words) in _SIGNATURES.items():
        function = getattr(loaded, name)
        function.restype = answer
        function.argtypes = words
    version = loaded.paceline_lab_version()
    if version != _VERSION:
        raise PacelineError(f"the engine speaks version {version} of its interface, this package version {_VERSION}")
    return loaded


@lru_cache(maxsize=1)
def listing() -> dict[str, Any]:
    """Algorithms, queue disciplines and path elements with their parameters."""
    found: dict[str, Any] = json.loads(library().paceline_lab_listing())
    return found


def add_algorithm(table: Algorithm, revision: str) -> None:
    """One more algorithm, or another in the place of one that was added. The table must last as long as the library."""
    error = ctypes.create_string_buffer(_ROOM)
    if library().paceline_lab_algorithm(byref(table), revision.encode(), error, _ROOM) != 0:
        raise PacelineError(error.value.decode(errors="replace"))
    listing.cache_clear()


def engine_version() -> str:
    """Which engine this is, such as ``0.1.0+0123456789ab``: runs of the same version and manifest are the same bytes."""
    return str(library().paceline_lab_engine_version().decode())


@lru_cache(maxsize=1)
def loops() -> dict[str, tuple[str, ...]]:
    """The algorithms in whose loops somebody outside can decide, each with the values that it shows."""
    lib = library()
    lib.paceline_lab_listing()  # by which those that exist for that alone are known

    def all_of(get: Any) -> list[str]:
        found: list[str] = []
        while (text := get(len(found))) is not None:
            found.append(text.decode())
        return found

    return {
        name: tuple(all_of(lambda i, at=at: lib.paceline_loop_input(at, i)))
        for at, name in enumerate(all_of(lib.paceline_loop_id))
    }


def _ending(owner: object, end: Any, handle: int) -> None:
    """Frees ``handle`` with its owner. Not when the interpreter ends: what looks at its memory may outlive all finalizers."""
    weakref.finalize(owner, end, handle).atexit = False


class Run:
    """A run that is over: what it says, and its series as views of the engine's own memory."""

    def __init__(self, handle: int) -> None:
        lib = library()
        self._handle = handle
        _ending(self, lib.paceline_run_destroy, handle)
        self.hello: dict[str, Any] = json.loads(lib.paceline_run_hello(handle))
        self.summary: dict[str, Any] = json.loads(lib.paceline_run_summary(handle))
        self.events: list[dict[str, Any]] = json.loads(lib.paceline_run_events(handle))

    def series(self, stream: int) -> tuple[np.ndarray, np.ndarray]:
        """Times (s) and values, a row each; nothing is copied, and they may be kept longer than the run."""
        found = _Series()
        if library().paceline_run_series(self._handle, stream, byref(found)) != 0:
            return np.empty(0), np.empty((0, 0), dtype=np.float32)
        times = self._view(found.times, c_double, found.rows)
        values = self._view(found.values, c_float, found.rows * found.columns)
        return times, values.reshape(found.rows, found.columns)

    def _view(self, address: int, kind: Any, count: int) -> np.ndarray:
        memory = (kind * count).from_address(address)
        memory.run = self  # the engine's memory lasts as long as this
        view = np.frombuffer(memory, dtype=kind)
        view.flags.writeable = False
        return view


class Lab:
    """What manifests name by hash, and the runs that are made of them."""

    def __init__(self) -> None:
        lib = library()
        self.handle = lib.paceline_lab_create()
        if not self.handle:
            raise MemoryError("no memory for a lab")
        _ending(self, lib.paceline_lab_destroy, self.handle)
        self._kept: set[str] = set()

    def keep_trace(self, sha256: str, text: bytes) -> None:
        """Hands a trace in, in its stored form."""
        self._keep(library().paceline_lab_trace, sha256, text)

    def keep_weights(self, sha256: str, text: bytes) -> None:
        """Hands a weights file in."""
        self._keep(library().paceline_lab_weights, sha256, text)

    def knows(self, sha256: str) -> bool:
        """Whether it was handed in."""
        return sha256 in self._kept

    def _keep(self, take: Any, sha256: str, text: bytes) -> None:
        if len(sha256) != 64:
            raise ValueError(f"{sha256!r} is no content hash")
        error = ctypes.create_string_buffer(_ROOM)
        if take(self.handle, sha256.encode(), text, len(text), error, _ROOM) != 0:
            raise PacelineError(error.value.decode(errors="replace"))
        self._kept.add(sha256)

    def run(self, manifest: str, *, samples: bool = True, cancelled: c_int | None = None) -> Run:
        """Makes a run from beginning to end. ``cancelled``: it ends soon after this is not zero."""
        error = ctypes.create_string_buffer(_ROOM)
        text = manifest.encode()
        flag = c_int(0) if cancelled is None else cancelled
        inside.failure, inside.cancelled = None, flag
        handle = library().paceline_run_create(self.handle, text, len(text), int(samples), byref(flag), error, _ROOM)
        failure, inside.failure = inside.failure, None
        made = Run(handle) if handle else None
        if failure is not None and flag.value == 0:
            raise PacelineError(sentence_of(*failure)) from failure[1]
        if made is None:
            why = error.value.decode(errors="replace")
            raise Cancelled(why) if flag.value != 0 else PacelineError(why)
        return made


class Episode:
    """A run that stops at every decision about some of its flows."""

    def __init__(self, lab: Lab, manifest: str, agents: list[int]) -> None:
        lib = library()
        error = ctypes.create_string_buffer(_ROOM)
        text = manifest.encode()
        flows = (c_uint32 * len(agents))(*agents)
        self._lab = lab  # whose traces it reads
        self.handle = lib.paceline_episode_create(lab.handle, text, len(text), flows, len(agents), error, _ROOM)
        if not self.handle:
            raise PacelineError(error.value.decode(errors="replace"))
        _ending(self, lib.paceline_episode_destroy, self.handle)

    @property
    def summary(self) -> dict[str, Any] | None:
        """What the run came to, once it is over."""
        text = library().paceline_episode_summary(self.handle)
        return None if text is None else json.loads(text)

    @property
    def error(self) -> str | None:
        """Why it has failed."""
        text = library().paceline_episode_error(self.handle)
        return None if text is None else text.decode(errors="replace")


class Crew:
    """Threads among which a step of many episodes is shared."""

    def __init__(self, threads: int) -> None:
        lib = library()
        self._handle = lib.paceline_crew_create(threads)
        if not self._handle:
            raise PacelineError(f"there cannot be {threads} threads")
        _ending(self, lib.paceline_crew_destroy, self._handle)

    def step(
        self, episodes: ctypes.Array[c_void_p], actions: np.ndarray, decisions: np.ndarray, seen: np.ndarray
    ) -> None:
        """Each of ``episodes`` (handles) goes on to its next decision.

        ``actions``: (n,) float64. Written are ``decisions``: (n,) of DECISION_DTYPE, and ``seen``: (n, width) float32.
        """
        library().paceline_crew_step(
            self._handle,
            episodes,
            actions.ctypes.data,
            len(episodes),
            decisions.ctypes.data,
            seen.ctypes.data,
            seen.shape[1],
        )
