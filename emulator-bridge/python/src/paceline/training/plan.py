"""What a training is made of, as data: ``plans/NAME.json`` beside this file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from ..envs import Scenario
from ..errors import PacelineError
from ..traces import Trace, shipped


@dataclass(frozen=True)
class Plan:
    """One training: of whose loop the agent is, what it sees, where it learns, for which reward, and how.

    ``inputs``: of the loop's, those that the network sees, ``history`` looks of them. ``hidden``: units of the actor's layers.
    ``learning``: of TD3 (Fujimoto, van Hoof, Meger, ICML 2018): ``steps`` of ``episodes`` at once, ``updates`` a step of ``batch``
    samples each, ``discount``, the two learning rates, ``polyak``, ``policy_delay``, ``critics_first`` steps before the actor begins
    to learn, exploration from ``noise`` down to ``least_noise``, a ``memory`` of so many samples, and ``warm_up`` steps of random
    actions before; rewards are multiplied by ``reward_scale`` and lie between ``least_reward`` and ``most_reward`` (none: no end).
    ``scenarios``: words of :class:`paceline.envs.Scenario`, over which the episodes are spread evenly; a trace in them is a rate, a
    range of rates, a shipped one's name, or ``{"recipe": NAME, "seeds": [...], "duration_s": S}``, its rates
    multiplied by ``scale``: an agent's inputs are shares, and slow links are quicker to practise on.
    ``judging``: the held-out ``traces``, the rest of the ``spec``, the ``metric`` and ``against`` whom.
    """

    name: str
    loop: str
    params: Mapping[str, Any]
    inputs: Sequence[str]
    history: int
    hidden: Sequence[int]
    reward: str | Mapping[str, float]
    scenarios: Sequence[Mapping[str, Any]]
    learning: Mapping[str, float]
    judging: Mapping[str, Any]
    seed: int

    def drawn(self) -> list[Scenario]:
        """The scenarios, with their traces made."""
        return [scenario_of(words, self.loop, self.params) for words in self.scenarios]


def scenario_of(words: Mapping[str, Any], loop: str, params: Mapping[str, Any]) -> Scenario:
    """A scenario as a plan says it."""
    ranges: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in words.items()}
    ranges["traces"] = [trace for named in words["traces"] for trace in traces_of(named)]
    return Scenario(loop=loop, params=params, **ranges)


def traces_of(named: Any) -> list[Any]:
    """What one entry of a list of traces stands for."""
    if isinstance(named, str):
        return [shipped(named)]
    if isinstance(named, list):
        return [tuple(named)]
    if not isinstance(named, Mapping):
        return [named]
    made = [Trace.from_recipe(named["recipe"], seed=seed, duration_s=named["duration_s"]) for seed in named["seeds"]]
    factor = named.get("scale")
    if factor is None:
        return made
    return [
        trace.edit([{"op": "scale", "factor": factor}], name=f"{trace.name}, {factor:g} of its rate") for trace in made
    ]


def plan_names() -> list[str]:
    """Of what is here."""
    folder = resources.files(__package__) / "plans"
    return sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json"))


def plan_of(name: str) -> Plan:
    """The plan of this name. Raises PacelineError where there is none."""
    if name not in plan_names():
        raise PacelineError(f"there is no training of {name!r}; there are {', '.join(plan_names())}")
    return Plan(name=name, **json.loads((resources.files(__package__) / "plans" / f"{name}.json").read_text("utf-8")))
