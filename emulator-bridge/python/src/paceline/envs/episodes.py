"""Episodes side by side, with the arrays that they write to."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .. import _engine
from ..errors import PacelineError
from .scenario import Scenario

MOST_TRIES = 20
"""So many episodes may be over before anybody had to decide: the link carried nothing all the time."""

HISTORY = {"aurora": 10}
"""How many looks an observation has; 1 where nothing is said."""


TOLD = tuple(name for name in (_engine.DECISION_DTYPE.names or ()) if name not in ("flow", "inputs"))
"""What ``info`` has of a decision."""


class Episodes:
    """``count`` episodes of a scenario at once."""

    def __init__(self, scenario: Scenario, count: int, threads: int, history: int | None) -> None:
        self.scenario = scenario
        self.inputs = _engine.loops()[scenario.loop]
        self.width = len(self.inputs)
        self.history = HISTORY.get(scenario.loop, 1) if history is None else history
        if not 1 <= self.history <= 1000:
            raise PacelineError(f"history: {history} is not from 1 to 1000")
        self.count = count
        self.decisions = np.zeros(count, dtype=_engine.DECISION_DTYPE)
        self.seen = np.zeros((count, self.width), dtype=np.float32)
        self.episodes: list[_engine.Episode | None] = [None] * count
        self._lab = scenario.lab()
        self._crew = _engine.Crew(threads)
        self._handles = (ctypes.c_void_p * count)()
        self._agents = list(range(scenario.agents))

    def begin(self, at: int, manifest: str) -> None:
        """A new episode in this place; the next step takes it to its first decision."""
        episode = _engine.Episode(self._lab, manifest, self._agents)
        self.episodes[at] = episode
        self._handles[at] = episode.handle

    def step(self, actions: np.ndarray) -> None:
        """All go on to their next decisions: (count,) float64."""
        bounded = np.maximum(np.minimum(actions, 1.0), -1.0).astype(np.float64)
        self._crew.step(self._handles, bounded, self.decisions, self.seen)
        flows = self.decisions["flow"]
        if flows.min() == _engine.FAILED:
            at = int(flows.argmin())
            episode = self.episodes[at]
            raise PacelineError(f"the episode has failed: {episode.error if episode is not None else 'it is gone'}")

    def first(self, rng: np.random.Generator, manifest: str | None = None) -> str:
        """Of one episode alone: begins it and goes to its first decision. Gives its manifest."""
        for _ in range(MOST_TRIES):
            drawn = self.scenario.draw(rng) if manifest is None else manifest
            self.begin(0, drawn)
            self.step(np.zeros(1))
            if self.decisions["flow"][0] != _engine.OVER:
                return drawn
            if manifest is not None:
                break
        raise PacelineError(
            "nobody had to decide anything in this scenario: its links carry nothing, or it is too short"
        )

    def adopt(self, at: int, other: Episodes) -> None:
        """In this place, the one episode of ``other`` with what it has come to."""
        episode = other.episodes[0]
        assert episode is not None
        self.episodes[at] = episode
        self._handles[at] = episode.handle
        self.decisions[at] = other.decisions[0]
        self.seen[at] = other.seen[0]

    def info(self, at: int) -> dict[str, Any]:
        """What a decision stands on, in numbers; at the end, what the run came to."""
        decision = self.decisions[at]
        if decision["flow"] == _engine.OVER:
            episode = self.episodes[at]
            return {"summary": None if episode is None else episode.summary}
        told = {name: float(decision[name]) for name in TOLD}
        # What nobody knows is left out: a reward of a loop that has none.
        return {name: value for name, value in told.items() if not np.isnan(value)}


class History:
    """The latest looks of each episode, the newest last; zeros before the first."""

    def __init__(self, count: int, history: int, width: int) -> None:
        self._width = width
        self.values = np.zeros((count, history * width), dtype=np.float32)

    def clear(self, which: np.ndarray | slice | int) -> None:
        """Forgets what was before."""
        self.values[which] = 0

    def of(self, at: int) -> np.ndarray:
        """What this one has seen, for somebody to keep."""
        return np.array(self.values[at])

    def add(self, which: np.ndarray | slice, seen: np.ndarray) -> None:
        """One more look of each of ``which`` (indices): (len(which), width)."""
        if self.values.shape[1] > self._width:
            self.values[which, : -self._width] = self.values[which, self._width :]
        self.values[which, -self._width :] = seen
