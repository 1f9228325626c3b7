"""Experiments in this process: planned as a server plans them, run on all cores, derived by the server's own analysis."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from . import _engine
from ._made import made
from ._planner import planner
from ._plugin import interrupt
from .controllers import id_of
from .errors import Cancelled, PacelineError
from .results import Result
from .series import Series, series_of
from .traces import Trace, shipped

_GRACE_S = 1  # in which a run ends by itself
_PATIENCE_S = 5

Spec = Mapping[str, Any]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Planned:
    """An experiment that was not run yet."""

    spec: Mapping[str, Any]
    cells: Sequence[Mapping[str, Any]]
    runs: Sequence[Mapping[str, Any]]
    """Each with ``id``, ``cell``, ``role``, ``repetition`` and its ``manifest`` as text."""
    traces: Mapping[str, Trace]
    """By content hash: those of the spec's own."""
    weights: Mapping[str, bytes]

    def __len__(self) -> int:
        return len(self.runs)


class _Brought:
    """What a spec brings along in place of names: traces and weights."""

    def __init__(self) -> None:
        self.traces: dict[str, Trace] = {}
        self.weights: dict[str, bytes] = {}

    def spec(self, given: Any) -> Any:
        """The spec with content hashes in place of what it brings."""
        if isinstance(given, Trace):
            return {"trace": self._trace(given)}
        own = id_of(given)
        if own is not None:
            return {"id": own}
        if isinstance(given, Mapping):
            found = {key: self.spec(value) for key, value in given.items()}
            if id_of(given.get("id")) is not None:
                found["id"] = id_of(given["id"])
            named = given.get("trace")
            if isinstance(named, Trace):
                found["trace"] = self._trace(named)
            elif isinstance(named, (str, os.PathLike)) and _is_file(named):
                found["trace"] = self._trace(Trace.load(named))
            weights = given.get("weights")
            if isinstance(weights, (str, os.PathLike)) and _is_file(weights):
                text = Path(weights).read_bytes()
                found["weights"] = hashlib.sha256(text).hexdigest()
                self.weights[found["weights"]] = text
            return found
        if isinstance(given, (list, tuple)):
            return [self.spec(value) for value in given]
        return given

    def _trace(self, trace: Trace) -> str:
        self.traces[trace.id] = trace
        return trace.id


def _is_file(name: str | os.PathLike[str]) -> bool:
    """A name of the library is no file, whatever lies here; a path is written as one."""
    text = os.fspath(name)
    return isinstance(name, os.PathLike) or (("/" in text or Path(text).suffix != "") and Path(text).is_file())


def _told(traces: Iterable[Trace], folder: Path) -> list[dict[str, Any]]:
    told = []
    for trace in traces:
        file = folder / f"{trace.id}.trace"
        file.write_bytes(trace.text)
        told.append({"name": trace.name, "file": str(file), "info": dict(trace.info), "spark": list(trace.spark)})
    return told


def _weights_told(weights: Mapping[str, bytes]) -> list[dict[str, Any]]:
    return [
        {"id": sha256, "created_at": "1970-01-01T00:00:00.000Z", "info": _weights_info(text)}
        for sha256, text in weights.items()
    ]


@lru_cache(maxsize=64)
def _weights_info(text: bytes) -> Any:
    with tempfile.NamedTemporaryFile(prefix="paceline-", suffix=".json") as file:
        file.write(text)
        file.flush()
        words = [str(made("paceline-weights")), "--file", file.name]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PacelineError(done.stderr.strip())
    return json.loads(done.stdout)


def _ask(what: str, traces: Mapping[str, Trace], weights: Mapping[str, bytes], **words: Any) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="paceline-") as folder:
        told = _told(traces.values(), Path(folder))
        return planner().ask(what, traces=told, weights=_weights_told(weights), **words)


def plan(spec: Spec | str | os.PathLike[str]) -> Planned:
    """What a spec means: its matrix, and for each run its manifest. Raises SpecError, naming each place that is wrong.

    ``spec`` is a dict or a JSON file, as ``paceline run`` takes it (docs/cli.md). A trace is a name of the library, a content hash, a
    path, or a ``Trace``; weights are a path; an algorithm may be the class of a :func:`paceline.controller`.
    """
    given = json.loads(Path(spec).read_text()) if isinstance(spec, (str, os.PathLike)) else spec
    brought = _Brought()
    asked = brought.spec(given)
    said = _ask("plan", brought.traces, brought.weights, spec=asked)
    return Planned(said["spec"], said["cells"], said["runs"], brought.traces, brought.weights)


def run(
    spec: Spec | str | os.PathLike[str] | Planned,
    *,
    samples: bool = True,
    workers: int | None = None,
    progress: bool | Progress = False,
) -> Result:
    """Runs an experiment in this process, on all cores; no server is needed. Ctrl-C ends it at once.

    ``spec``: as for :func:`plan`. ``samples=False`` keeps what the runs come to, and no series. ``workers``: threads, else one for each
    core. ``progress``: a bar (by tqdm where it is installed), or a function of how many runs are done and how many there are.
    """
    planned = spec if isinstance(spec, Planned) else plan(spec)
    lab = _lab_for(planned)
    distinct = {entry["id"]: entry["manifest"] for entry in planned.runs}
    made = _make(lab, distinct, samples=samples, workers=workers, told=_teller(progress, len(distinct)))
    return _result(planned, made, samples=samples)


def _lab_for(planned: Planned) -> _engine.Lab:
    lab = _engine.Lab()
    for trace in planned.traces.values():
        lab.keep_trace(trace.id, trace.text)
    for sha256, text in planned.weights.items():
        lab.keep_weights(sha256, text)
    keep_traces_of(lab, (entry["manifest"] for entry in planned.runs))
    return lab


def keep_traces_of(lab: _engine.Lab, manifests: Iterable[str]) -> None:
    """Hands in the shipped traces that these runs name."""
    wanted = {hash for text in manifests for hash in _hashes(json.loads(text))}
    for sha256 in wanted:
        if not lab.knows(sha256):
            lab.keep_trace(sha256, shipped(sha256).text)


def _hashes(manifest: Any) -> Iterable[str]:
    """Of the traces that a manifest names."""
    if isinstance(manifest, Mapping):
        if manifest.get("kind") == "trace" and "sha256" in manifest:
            yield str(manifest["sha256"])
        for value in manifest.values():
            yield from _hashes(value)
    elif isinstance(manifest, list):
        for value in manifest:
            yield from _hashes(value)


def _make(
    lab: _engine.Lab, manifests: Mapping[str, str], *, samples: bool, workers: int | None, told: Progress
) -> dict[str, _engine.Run | PacelineError]:
    cancelled = ctypes.c_int(0)
    made: dict[str, _engine.Run | PacelineError] = {}
    asked: SimpleQueue[tuple[str, str]] = SimpleQueue()
    answered: SimpleQueue[tuple[str, _engine.Run | BaseException]] = SimpleQueue()
    for named in manifests.items():
        asked.put(named)

    crew = _Crew(cancelled)

    def work() -> None:
        with crew:
            while cancelled.value == 0:
                try:
                    id, text = asked.get_nowait()
                except Empty:
                    return
                try:
                    answered.put((id, lab.run(text, samples=samples, cancelled=cancelled)))
                except BaseException as error:
                    answered.put((id, error))

    # Ctrl-C comes anywhere: whatever has begun by then ends here.
    try:
        for _ in range(min(max(1, workers or len(os.sched_getaffinity(0))), len(manifests))):
            threading.Thread(target=work).start()
        told(0, len(manifests))
        while len(made) < len(manifests):
            id, answer = answered.get()
            if isinstance(answer, Cancelled) or not isinstance(answer, _engine.Run | PacelineError):
                raise answer
            made[id] = answer
            told(len(made), len(manifests))
    finally:
        crew.end()
    return made


class _Crew:
    """Threads at work. Python's own join takes one for ended when Ctrl-C interrupts the waiting (3.10 to 3.12)."""

    def __init__(self, cancelled: ctypes.c_int) -> None:
        self._cancelled = cancelled
        self._working: set[int] = set()
        self._left: SimpleQueue[None] = SimpleQueue()

    def __enter__(self) -> None:
        self._working.add(threading.get_ident())

    def __exit__(self, *_: object) -> None:
        self._working.discard(threading.get_ident())
        self._left.put(None)

    def end(self) -> None:
        """Returns when none is at work. Who presses Ctrl-C again meanwhile neither leaves any behind nor waits for ever."""
        impatient = time.monotonic() + _PATIENCE_S
        while True:
            try:
                self._cancelled.value = 1
                while working := self._working & sys._current_frames().keys():
                    try:
                        self._left.get(timeout=_GRACE_S)
                    except Empty:
                        interrupt(working)
                return
            except KeyboardInterrupt:
                if time.monotonic() > impatient:
                    raise


def _result(planned: Planned, made: Mapping[str, _engine.Run | PacelineError], *, samples: bool) -> Result:
    def ref(entry: Mapping[str, Any]) -> dict[str, Any]:
        run = made[entry["id"]]
        place = {key: entry[key] for key in ("id", "cell", "role", "repetition")}
        if isinstance(run, PacelineError):
            return {**place, "state": "failed", "reason": str(run), "time_s": 0, "summary": None}
        summary = {key: value for key, value in run.summary.items() if key != "type"}
        return {**place, "state": "done", "reason": None, "time_s": summary["duration_s"], "summary": summary}

    runs = [ref(entry) for entry in planned.runs]
    said = _ask("result", planned.traces, planned.weights, spec=planned.spec, cells=list(planned.cells), runs=runs)
    manifests = {entry["id"]: json.loads(entry["manifest"]) for entry in planned.runs}

    def series(id: str) -> Series:
        run = made[id]
        if isinstance(run, PacelineError):
            raise run
        if not samples:
            raise PacelineError("this experiment was run without samples")
        return series_of(run)

    data = json.loads(said["summary"])

    def report() -> str:
        words = {"spec": planned.spec, "cells": list(planned.cells), "runs": runs, "created_at": data["created_at"]}
        return str(_ask("report", planned.traces, planned.weights, **words)["html"])

    return Result(
        data,
        table=said["table"],
        answers=said["answers"],
        manifests=manifests,
        series=series,
        report=report,
    )


def _teller(progress: bool | Progress, total: int) -> Progress:
    if callable(progress):
        return progress
    if not progress:
        return lambda done, of: None
    try:
        from tqdm.auto import tqdm
    except ImportError:

        def plain(done: int, of: int) -> None:
            print(f"\r{done} of {of} runs", end="\n" if done == of else "", flush=True)

        return plain
    bar = tqdm(total=total, unit="run")

    def told(done: int, of: int) -> None:
        bar.update(done - bar.n)
        if done == of:
            bar.close()

    return told
