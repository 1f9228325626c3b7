"""Whether a training has improved anything: what decisions are worth before and after it, over the same episodes, which nobody explores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .judge import sign_flip_p
from .plan import Plan
from .practice import Practice, Scale

EPISODES = 96
_SEED = 1_000_003  # links are drawn anew from the plan's scenarios


@dataclass(frozen=True)
class Improvement:
    """Mean reward of a decision, each an episode's; ``p`` as in the judge's verdict."""

    before: np.ndarray
    after: np.ndarray
    p: float

    @property
    def is_one(self) -> bool:
        """With significance, at 5 %."""
        return bool(self.after.mean() > self.before.mean() and self.p < 0.05)


def act(layers: Sequence[tuple[np.ndarray, np.ndarray]], seen: np.ndarray) -> np.ndarray:
    """What the actor says of each row: (n, 1)."""
    for weights, bias in layers:
        seen = np.tanh(seen @ np.asarray(weights).T + bias)
    return seen


def worth_of(
    plan: Plan, layers: Sequence[tuple[np.ndarray, np.ndarray]], scale: Scale, *, threads: int, episodes: int = EPISODES
) -> np.ndarray:
    """Mean reward of a decision in each of so many episodes, from the beginning to the end of each."""
    practice = Practice(plan, episodes, threads, seed=plan.seed + _SEED)
    seen = scale.of(practice.reset())
    worth, decisions = np.zeros(practice.count), np.zeros(practice.count)
    going = np.ones(practice.count, dtype=bool)
    while going.any():
        raw, rewards, over = practice.step(act(layers, seen))
        worth[going] += rewards[going]
        decisions[going] += 1
        going &= ~over
        seen = scale.of(raw)
    return np.asarray(worth / decisions)


def improvement(
    plan: Plan,
    before: Sequence[tuple[np.ndarray, np.ndarray]],
    after: Sequence[tuple[np.ndarray, np.ndarray]],
    scale: Scale,
    *,
    threads: int,
    episodes: int = EPISODES,
) -> Improvement:
    """Of one actor over another, their episodes' differences tested by throwing their signs anew."""
    one, other = (worth_of(plan, layers, scale, threads=threads, episodes=episodes) for layers in (before, after))
    return Improvement(one, other, sign_flip_p(other - one))
