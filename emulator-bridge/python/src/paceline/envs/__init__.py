"""Environments in which agents are trained: an episode is a run that stops at every decision about a flow.

``gymnasium.make("Paceline-v1", loop="orca")`` is one flow, ``PacelineVectorEnv`` many such episodes at once in threads of C++,
``PacelineAECEnv`` several flows that share a link (PettingZoo). docs/python.md says what each shows and takes.
"""

from __future__ import annotations

import gymnasium

from .rewards import REWARDS
from .scenario import Scenario
from .several import PacelineAECEnv
from .single import PacelineEnv, Snapshot
from .vector import PacelineVectorEnv

gymnasium.register(
    id="Paceline-v1",
    entry_point="paceline.envs.single:PacelineEnv",
    vector_entry_point="paceline.envs.vector:PacelineVectorEnv",
    # An episode ends with its run: no other limit is needed.
    max_episode_steps=None,
)

__all__ = ["REWARDS", "PacelineAECEnv", "PacelineEnv", "PacelineVectorEnv", "Scenario", "Snapshot"]
