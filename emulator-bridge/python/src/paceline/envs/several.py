"""Several flows that share a link, an agent each (PettingZoo)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from .. import _engine
from .episodes import Episodes, History
from .rewards import reward_of, rewards
from .scenario import Scenario, asked_scenario


class PacelineAECEnv(AECEnv):  # type: ignore[misc]
    """Flows ``flow_0`` … of one scenario, each with an agent; whose period ends decides.

    Their periods do not end together, so that it is one after the other (AEC). What is seen and done is said of
    :class:`PacelineEnv`; rewards are each flow's own. All end with the run.
    """

    metadata = {"name": "paceline_v1", "render_modes": [], "is_parallelizable": False}

    def __init__(
        self,
        scenario: Scenario | None = None,
        *,
        reward: str | Mapping[str, float] = "default",
        history: int | None = None,
        render_mode: str | None = None,
        **words: Any,
    ) -> None:
        super().__init__()
        self.scenario = asked_scenario(scenario, {"agents": 2, **words} if scenario is None else words, render_mode)
        self.render_mode = None
        self.possible_agents = [f"flow_{i}" for i in range(self.scenario.agents)]
        self._episodes = Episodes(self.scenario, 1, 1, history)
        self._history = History(self.scenario.agents, self._episodes.history, self._episodes.width)
        self._weights = reward_of(reward, self.scenario.loop)
        shape = self._history.values.shape[1:]
        self._seen_space = {
            agent: gymnasium.spaces.Box(-np.inf, np.inf, shape, np.float32) for agent in self.possible_agents
        }
        self._done_space = {agent: gymnasium.spaces.Box(-1, 1, (1,), np.float32) for agent in self.possible_agents}
        self._rng = np.random.default_rng()
        self.manifest: str | None = None
        self.agent_selection: str = self.possible_agents[0]

    def observation_space(self, agent: str) -> gymnasium.spaces.Box:
        """Of one agent; all have the same."""
        return self._seen_space[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Box:
        """Of one agent; all have the same."""
        return self._done_space[agent]

    def observe(self, agent: str) -> np.ndarray:
        """What it was shown last."""
        return self._history.of(self.possible_agents.index(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Draws a new episode. ``options={"manifest": …}`` begins that one."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.manifest = self._episodes.first(self._rng, (options or {}).get("manifest"))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._history.clear(slice(None))
        self._turn()

    def step(self, action: np.ndarray | None) -> None:
        """The one whose turn it is decides, and the run goes on to whose is next."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._episodes.step(np.asarray(action, dtype=np.float64).reshape(1))
        if self._episodes.decisions["flow"][0] == _engine.OVER:
            self.truncations = dict.fromkeys(self.agents, True)
            self.infos = {agent: self._episodes.info(0) for agent in self.agents}
            self.agent_selection = self.agents[0]
        else:
            self._turn()
            self.rewards[self.agent_selection] = float(rewards(self._episodes.decisions, self._weights)[0])
        self._accumulate_rewards()

    def _turn(self) -> None:
        flow = int(self._episodes.decisions["flow"][0])
        self.agent_selection = self.possible_agents[flow]
        self._history.add(np.array([flow]), self._episodes.seen)
        self.infos[self.agent_selection] = self._episodes.info(0)
