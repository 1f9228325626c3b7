"""What episodes are made of: one link and its flows, drawn anew each time from what was named."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .. import _engine
from ..errors import PacelineError
from ..traces import Trace, shipped

Range = float | tuple[float, float]
"""A value, or the ends between which one is drawn."""

_MTU = 1500
_LEAST_LIMIT = 2 * _MTU
_MOST_RATE_MBPS = 100_000.0
DEFAULT_TRACES = (
    "Cellular walk, LTE-like",
    "LTE downlink from a car",
    "Markov link of three rates",
    "4G drive, 76 Mbps",
)


def _draw(rng: np.random.Generator, value: Range, *, log: bool = False) -> float:
    if not isinstance(value, tuple):
        return float(value)
    low, high = value
    if log:
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))
    return float(rng.uniform(low, high))


def _check(name: str, value: Range, least: float, most: float) -> None:
    ends = value if isinstance(value, tuple) else (value, value)
    if len(ends) != 2 or not all(np.isfinite(end) and least <= end <= most for end in ends) or ends[0] > ends[1]:
        raise PacelineError(
            f"{name}: {value!r} is neither a number from {least:g} to {most:g} nor two of them in order"
        )


@dataclass(frozen=True)
class Scenario:
    """Where episodes take place. Every range and list is drawn from anew at each reset; the same seed draws the same.

    ``traces``: names of shipped ones, ``Trace`` objects, or rates in Mbps (a number, or a range of them, log-uniform); each
    episode begins at a place of its own in its trace. ``limit_bdp``: the queue's limit in BDP of the trace's mean and
    ``base_rtt_ms``, log-uniform; ``None`` is without one. ``loss``: random, of data. ``loop``: in whose loop the agent decides,
    with ``params``. ``agents``: so many flows have one. ``competitors``: algorithms of which up to ``most_competitors`` are
    drawn, none among them too, and that start within the first half.
    """

    loop: str = "agent"
    traces: Sequence[str | Trace | float | tuple[float, float]] = DEFAULT_TRACES
    base_rtt_ms: Range = (10.0, 100.0)
    limit_bdp: Range | None = (0.5, 5.0)
    loss: Range = 0.0
    duration_s: float = 30.0
    params: Mapping[str, Any] = field(default_factory=dict)
    agents: int = 1
    competitors: Sequence[str] = ()
    most_competitors: int = 1

    def __post_init__(self) -> None:
        if self.loop not in _engine.loops():
            raise PacelineError(f"there is no loop {self.loop!r}; there are {', '.join(_engine.loops())}")
        if not self.traces:
            raise PacelineError("traces: a scenario needs one at least")
        _check("base_rtt_ms", self.base_rtt_ms, 0.1, 10_000)
        _check("loss", self.loss, 0, 0.9)
        _check("duration_s", self.duration_s, 0.1, 86_400)
        if self.limit_bdp is not None:
            _check("limit_bdp", self.limit_bdp, 1e-3, 1e6)
        for trace in self.traces:
            if isinstance(trace, (int, float, tuple)):
                _check("traces", trace, 1e-3, _MOST_RATE_MBPS)
        if self.agents < 1:
            raise PacelineError(f"agents: {self.agents} is less than 1")
        if self.agents + (self.most_competitors if self.competitors else 0) > 64:
            raise PacelineError("a link has from 1 to 64 flows")
        known = {cca["id"]: cca for cca in _engine.listing()["ccas"] if cca["kind"] == "sender"}
        unknown = [cca for cca in self.competitors if cca not in known]
        if unknown:
            raise PacelineError(f"competitors: there is no algorithm {', '.join(unknown)}")
        added = [cca for cca in self.competitors if "revision" in known[cca]]
        if added:
            raise PacelineError(
                f"competitors: {', '.join(added)} is a controller of this process, and runs in no episode"
            )
        _ = self._shelf

    @cached_property
    def _shelf(self) -> Sequence[Trace | Range]:
        return [shipped(trace) if isinstance(trace, str) else trace for trace in self.traces]

    @cached_property
    def _params(self) -> dict[str, Any]:
        cca = next(cca for cca in _engine.listing()["ccas"] if cca["id"] == self.loop)
        # As a manifest has them: all of them, but that nobody needs weights here.
        own = {spec["name"]: "" if spec["type"] == "weights" else spec["default"] for spec in cca["params"]}
        unknown = [name for name in self.params if name not in own]
        if unknown:
            raise PacelineError(f"params: {self.loop} has no parameter {', '.join(unknown)}; it has {', '.join(own)}")
        return {**own, **self.params}

    def lab(self) -> _engine.Lab:
        """With the traces that may be drawn."""
        lab = _engine.Lab()
        for trace in self._shelf:
            if isinstance(trace, Trace):
                lab.keep_trace(trace.id, trace.text)
        return lab

    def draw(self, rng: np.random.Generator) -> str:
        """The manifest of an episode (``RunManifest``, docs/schema), as text."""
        trace = self._shelf[int(rng.integers(len(self._shelf)))]
        if isinstance(trace, Trace):
            mean = trace.mean_mbps
            capacity: dict[str, Any] = {
                "kind": "trace",
                "sha256": trace.id,
                "name": trace.name,
                "offset_ms": int(rng.integers(int(trace.info["period_ms"]))),
            }
        else:
            mean = _draw(rng, trace, log=True)
            capacity = {"kind": "constant", "rate_mbps": mean}
        rtt = _draw(rng, self.base_rtt_ms)
        limit = None
        if self.limit_bdp is not None:
            limit = max(_LEAST_LIMIT, round(_draw(rng, self.limit_bdp, log=True) * mean * 1e3 / 8 * rtt))
        return self.manifest(
            capacity=capacity,
            base_rtt_ms=rtt,
            limit_bytes=limit,
            loss=_draw(rng, self.loss),
            seed=int(rng.integers(2**53)),
            competitors=self._competitors(rng),
        )

    def _competitors(self, rng: np.random.Generator) -> list[tuple[str, float]]:
        if not self.competitors:
            return []
        count = int(rng.integers(self.most_competitors + 1))
        chosen = rng.integers(len(self.competitors), size=count)
        return [(self.competitors[i], float(rng.uniform(0, self.duration_s / 2))) for i in chosen]

    def manifest(
        self,
        *,
        capacity: Mapping[str, Any],
        base_rtt_ms: float,
        limit_bytes: int | None,
        loss: float = 0.0,
        seed: int = 0,
        competitors: Sequence[tuple[str, float]] = (),
    ) -> str:
        """The same with nothing left to chance. ``competitors``: each with its start, in seconds."""
        queue: dict[str, Any] = {"id": "droptail", "limit_bytes": limit_bytes, "limit_packets": None, "params": {}}
        endless: dict[str, Any] = {"id": "droptail", "limit_bytes": None, "limit_packets": None, "params": {}}
        delay = base_rtt_ms / 2
        flows = [_flow(self.loop, self._params) for _ in range(self.agents)]
        flows += [_flow(cca, {}, start) for cca, start in competitors]
        return json.dumps(
            {
                "schema": 1,
                "engine": "virtual",
                "path": "memory",
                "engine_version": _engine.engine_version(),
                "duration_s": self.duration_s,
                "sample_period_ms": 10,
                "seed": seed,
                "repetition": 0,
                "forward": {"capacity": dict(capacity), "delay_ms": delay, "loss": loss, "queue": queue},
                "reverse": {"capacity": {"kind": "unlimited"}, "delay_ms": delay, "loss": 0, "queue": endless},
                "flows": flows,
            }
        )


def _flow(cca: str, params: Mapping[str, Any], start_s: float = 0) -> dict[str, Any]:
    return {
        "cca": {"id": cca, "params": dict(params)},
        "start_s": start_s,
        "stop_s": None,
        "extra_rtt_ms": 0,
        "transport": "tcp",
        "ack_every": 2,
        "ack": "linux",
        "window_limit_bytes": 6_291_456,
        "source": {"kind": "bulk"},
    }


def asked_scenario(
    given: Scenario | None, words: Mapping[str, Any], render_mode: str | None, *, most_agents: int = 64
) -> Scenario:
    """The one that an environment was given, or is told by words."""
    if render_mode is not None:
        raise PacelineError("render_mode: nothing is drawn here; a run of the manifest is, by paceline.run or the page")
    if given is not None and words:
        raise PacelineError(f"{', '.join(words)}: a scenario was given, and says so itself")
    scenario = Scenario(**words) if given is None else given
    if scenario.agents > most_agents:
        raise PacelineError("agents: several flows that are decided about are PacelineAECEnv's")
    return scenario
