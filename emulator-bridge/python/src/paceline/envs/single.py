"""One flow, one agent: ``gymnasium.make("Paceline-v1")``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np

from .. import _engine
from ..errors import PacelineError
from .episodes import Episodes, History
from .rewards import reward_of, rewards
from .scenario import Scenario, asked_scenario

Observation = np.ndarray


@dataclass(frozen=True)
class Snapshot:
    """A moment of an episode: what it was made of, and what was decided until then."""

    manifest: str
    actions: tuple[float, ...]


class PacelineEnv(gymnasium.Env[np.ndarray, np.ndarray]):
    """A flow over a link, about which an agent decides period by period.

    The observation is what the loop shows (``paceline.envs.episodes.HISTORY`` looks of it, the newest last), the action one
    number from -1 to 1. An episode ends when its run does, which is a truncation. ``info`` has what the decision stands on
    (``paceline_decision``); at the end ``summary``, what the run came to.
    """

    metadata = {"render_modes": []}

    def __init__(
        self,
        scenario: Scenario | None = None,
        *,
        reward: str | Mapping[str, float] = "default",
        history: int | None = None,
        render_mode: str | None = None,
        **words: Any,
    ) -> None:
        self.scenario = asked_scenario(scenario, words, render_mode, most_agents=1)
        if render_mode is not None:
            raise PacelineError(
                "render_mode: nothing is drawn here; a run of the manifest is, by paceline.run or the page"
            )
        self.render_mode = None
        self._episodes = Episodes(self.scenario, 1, 1, history)
        self._history = History(1, self._episodes.history, self._episodes.width)
        self._weights = reward_of(reward, self.scenario.loop)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, self._history.values.shape[1:], np.float32)
        self.action_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)
        self._manifest: str | None = None
        self._actions: list[float] = []

    @property
    def manifest(self) -> str:
        """Of the episode that goes on: with it :func:`paceline.run`'s engine, a server and the page make the same run."""
        if self._manifest is None:
            raise PacelineError("no episode was begun: reset() does so")
        return self._manifest

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Draws a new episode. ``options={"manifest": …}`` begins that one."""
        super().reset(seed=seed)
        manifest = (options or {}).get("manifest")
        self._manifest = self._episodes.first(self.np_random, manifest)
        self._actions = []
        self._history.clear(0)
        return self._look(), self._episodes.info(0)

    def step(self, action: np.ndarray | float) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Decides, and goes on to the next decision."""
        if self._manifest is None or self._episodes.decisions["flow"][0] < 0:
            raise PacelineError("the episode is over, or none was begun: reset() begins one")
        value = float(np.asarray(action, dtype=np.float64).reshape(-1)[0])
        self._episodes.step(np.array([value]))
        self._actions.append(value)
        worth = float(rewards(self._episodes.decisions, self._weights)[0])
        over = bool(self._episodes.decisions["flow"][0] == _engine.OVER)
        return (self._history.of(0) if over else self._look()), worth, False, over, self._episodes.info(0)

    def snapshot(self) -> Snapshot:
        """This moment, to come back to."""
        return Snapshot(self.manifest, tuple(self._actions))

    def restore(self, snapshot: Snapshot) -> Observation:
        """Back to that moment, to the last bit. It is come to anew from the beginning, which takes as long as that took."""
        self._manifest = self._episodes.first(self.np_random, snapshot.manifest)
        self._actions = []
        self._history.clear(0)
        observation = self._look()
        for action in snapshot.actions:
            observation, *_ = self.step(action)
        return observation

    def _look(self) -> Observation:
        self._history.add(np.array([0]), self._episodes.seen)
        return self._history.of(0)
