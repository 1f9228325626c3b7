"""Many episodes at once, shared among threads of C++."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .. import _engine
from ..errors import PacelineError
from .episodes import TOLD, Episodes, History
from .rewards import reward_of, rewards
from .scenario import Scenario, asked_scenario

Info = dict[str, Any]


class PacelineVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """``num_envs`` episodes of a scenario, each with randomness of its own; the same seed gives the same, however many threads there are.

    What an episode is, is said of :class:`PacelineEnv`. One that is over begins anew with the step after (``AutoresetMode.NEXT_STEP``).
    ``info`` has the fields of ``paceline_decision`` as arrays and, where ``_summary`` says so, ``summary``.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        scenario: Scenario | None = None,
        *,
        reward: str | Mapping[str, float] = "default",
        history: int | None = None,
        threads: int | None = None,
        render_mode: str | None = None,
        **words: Any,
    ) -> None:
        if num_envs < 1:
            raise PacelineError(f"num_envs: {num_envs} is less than 1")
        self.scenario = asked_scenario(scenario, words, render_mode, most_agents=1)
        self.num_envs = num_envs
        self.render_mode = None
        self._episodes = Episodes(self.scenario, num_envs, threads or len(os.sched_getaffinity(0)), history)
        self._history = History(num_envs, self._episodes.history, self._episodes.width)
        self._weights = reward_of(reward, self.scenario.loop)
        self.single_observation_space = gymnasium.spaces.Box(
            -np.inf, np.inf, self._history.values.shape[1:], np.float32
        )
        self.single_action_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rngs: list[np.random.Generator] = []
        self._over = np.zeros(num_envs, dtype=bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, Info]:
        """Begins all of them anew. ``seed``: episode i has seed + i, or the i-th of a list."""
        if isinstance(seed, list):
            if len(seed) != self.num_envs:
                raise PacelineError(f"seed: {len(seed)} are not the {self.num_envs} that are needed")
            self._rngs = [np.random.default_rng(one) for one in seed]
        elif seed is not None:
            self._rngs = [np.random.default_rng(seed + i) for i in range(self.num_envs)]
        elif not self._rngs:
            self._rngs = [np.random.default_rng() for _ in range(self.num_envs)]
        everything = np.ones(self.num_envs, dtype=bool)
        self._begin(everything)
        self._episodes.step(np.zeros(self.num_envs))
        self._settle(everything)
        return self._history.values.copy(), self._info()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Info]:
        """Decides in each; those that were over begin anew, and their actions are not looked at."""
        if not self._rngs:
            raise PacelineError("no episode was begun: reset() does so")
        anew = self._over
        self._begin(anew)
        self._episodes.step(np.asarray(actions).reshape(self.num_envs))
        worth = rewards(self._episodes.decisions, self._weights)
        worth[anew] = 0.0
        self._settle(anew)
        never = np.zeros(self.num_envs, dtype=bool)
        return self._history.values.copy(), worth, never, self._over.copy(), self._info()

    def _begin(self, which: np.ndarray) -> None:
        for at in np.flatnonzero(which):
            self._episodes.begin(int(at), self.scenario.draw(self._rngs[at]))

    def _settle(self, anew: np.ndarray) -> None:
        """Takes in what was seen. Whatever was over before anybody had to decide is drawn again."""
        over = self._episodes.decisions["flow"] == _engine.OVER
        if anew.any():
            for at in np.flatnonzero(over & anew):
                alone = Episodes(self.scenario, 1, 1, self._episodes.history)
                alone.first(self._rngs[at])
                self._episodes.adopt(int(at), alone)
            over = self._episodes.decisions["flow"] == _engine.OVER
            self._history.clear(anew)
        if over.any():
            going = np.flatnonzero(~over)
            self._history.add(going, self._episodes.seen[going])
        else:
            self._history.add(slice(None), self._episodes.seen)
        self._over = over

    def _info(self) -> Info:
        decisions = self._episodes.decisions.copy()
        info: Info = {name: decisions[name] for name in TOLD}
        if self._over.any():
            info["summary"] = np.array(
                [self._episodes.info(at).get("summary") for at in range(self.num_envs)], dtype=object
            )
            info["_summary"] = self._over.copy()
        return info
