"""Where an agent practises: episodes of several scenarios at once, what they show on one scale, and what was seen, kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..envs import PacelineVectorEnv, Scenario
from .plan import Plan

_LEAST_SPREAD = 1e-3


class Practice:
    """``count`` episodes, spread over the scenarios of a plan. All arrays have one row an episode."""

    def __init__(self, plan: Plan, count: int, threads: int, *, seed: int) -> None:
        scenarios = plan.drawn()
        share = -(-count // len(scenarios))
        self._envs = [_env(plan, scenario, share, threads) for scenario in scenarios]
        self.count = share * len(scenarios)
        self.width = len(plan.inputs)
        self._seeds = [seed + 10_000 * at for at in range(len(scenarios))]
        names = self._envs[0].inputs
        picks = [names.index(name) for name in plan.inputs]
        self._columns = np.concatenate([np.array(picks) + len(names) * look for look in range(plan.history)])

    def reset(self) -> np.ndarray:
        """Begins all of them anew: what is seen, (count, history * width)."""
        return self._picked([env.reset(seed=seed)[0] for env, seed in zip(self._envs, self._seeds, strict=True)])

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What is seen now, what the step was worth, and which episodes are over with it."""
        parts = np.split(actions, len(self._envs))
        told = [env.step(part) for env, part in zip(self._envs, parts, strict=True)]
        return (
            self._picked([one[0] for one in told]),
            np.concatenate([one[1] for one in told]),
            np.concatenate([one[3] for one in told]),
        )

    def _picked(self, seen: Sequence[np.ndarray]) -> np.ndarray:
        return np.asarray(np.concatenate(seen)[:, self._columns])


class _Env(PacelineVectorEnv):
    @property
    def inputs(self) -> list[str]:
        return list(self._episodes.inputs)


def _env(plan: Plan, scenario: Scenario, count: int, threads: int) -> _Env:
    return _Env(count, scenario, reward=plan.reward, history=plan.history, threads=threads)


class Scale:
    """Mean and deviation of each input, measured once and then fixed: the ``normalise`` of a weights file."""

    def __init__(self, seen: np.ndarray, width: int) -> None:
        newest = seen[:, -width:]
        self.subtract = np.round(newest.mean(axis=0), 4).astype(np.float32)
        self.divide = np.round(np.maximum(newest.std(axis=0), _LEAST_SPREAD), 4).astype(np.float32)
        self._looks = seen.shape[1] // width

    def of(self, seen: np.ndarray) -> np.ndarray:
        """(input - subtract) / divide, as the network in a run does it."""
        return np.asarray(
            (seen - np.tile(self.subtract, self._looks)) / np.tile(self.divide, self._looks), dtype=np.float32
        )
