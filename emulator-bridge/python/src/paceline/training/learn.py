"""TD3 by skrl on JAX, over the episodes of a plan."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import jax
import numpy as np
import skrl
from skrl.agents.jax.td3 import TD3, TD3_CFG
from skrl.resources.noises.jax import GaussianNoise

from .memory import Memory
from .models import actor, critic
from .plan import Plan
from .practice import Practice, Scale

CRITIC = (128, 128)
_CRITICS = ("critic_1", "critic_2", "target_critic_1", "target_critic_2")
_POINTS = 50  # of the curve
_BEFORE_LEARNING = 100  # steps
_FIRST_NOISE = 0.3


@dataclass
class Learned:
    """An actor's layers, now and before it had learned anything, the scale of its inputs, and how the training went: (steps, mean
    reward of a decision)."""

    layers: list[tuple[np.ndarray, np.ndarray]]
    begun: list[tuple[np.ndarray, np.ndarray]]
    scale: Scale
    curve: list[tuple[int, float]] = field(default_factory=list)
    decisions: int = 0
    seconds: float = 0.0


def learn(plan: Plan, *, threads: int, minutes: float | None, say: Callable[[str], None]) -> Learned:
    """Trains as the plan says, or until ``minutes`` are over. The same plan without ``minutes`` gives the same agent on one machine."""
    how = plan.learning
    practice = Practice(plan, int(how["episodes"]), threads, seed=plan.seed)
    seen, scale = _warmed(practice, plan)
    agent = _agent(plan, practice)
    steps, begun = int(how["steps"]), time.monotonic()
    result = Learned(layers=[], begun=layers_of(agent.policy.state_dict.params), scale=scale)
    every = max(1, steps // _POINTS)
    worth_sum, worth_count = 0.0, 0
    over = np.zeros(practice.count, dtype=bool)
    noise = np.random.default_rng(plan.seed + 1)
    for step in range(steps):
        chosen = np.asarray(agent.act(seen, None, timestep=step, timesteps=steps)[0])
        actions = np.clip(chosen + noise.normal(0, _noise(how, step), chosen.shape), -1, 1).astype(np.float32)
        raw, worth, now_over = practice.step(actions)
        after = scale.of(raw)
        bounded = np.clip(worth * how["reward_scale"], how["least_reward"], how.get("most_reward", np.inf))
        _record(agent, (seen, actions, bounded, after), anew=over, step=step, steps=steps)
        agent.post_interaction(timestep=step, timesteps=steps)
        worth_sum += float(worth[~over].sum())
        worth_count += int((~over).sum())
        seen, over = after, now_over
        result.decisions += practice.count
        if (step + 1) % every == 0:
            result.curve.append((step + 1, worth_sum / max(worth_count, 1)))
            say(
                f"{step + 1} of {steps} steps, {time.monotonic() - begun:.0f} s: a decision is worth {result.curve[-1][1]:.4f}"
            )
            worth_sum, worth_count = 0.0, 0
        if minutes is not None and time.monotonic() - begun > 60 * minutes:
            break
    result.layers = layers_of(agent.policy.state_dict.params)
    result.seconds = time.monotonic() - begun
    return result


def _noise(how: Mapping[str, float], step: int) -> float:
    """Deviation of what explores."""
    if step < how["critics_first"]:
        return _FIRST_NOISE
    gone = step / how["steps"]
    return how["noise"] + (how["least_noise"] - how["noise"]) * min(1.0, 1.25 * gone)


def _warmed(practice: Practice, plan: Plan) -> tuple[np.ndarray, Scale]:
    """What random actions show: the scale of the inputs."""
    rng = np.random.default_rng(plan.seed)
    seen = practice.reset()
    looks = []
    for _ in range(int(plan.learning["warm_up"])):
        seen, _, _ = practice.step(np.clip(rng.normal(0, 0.3, (practice.count, 1)), -1, 1))
        looks.append(seen)
    scale = Scale(np.concatenate(looks), practice.width)
    return scale.of(seen), scale


class _CriticsFirst(TD3):  # type: ignore[misc]
    """An actor that follows critics who know nothing yet ends at -1 or 1, and stays there long."""

    actor_from = 0

    def update(self, *, timestep: int, timesteps: int) -> None:
        before = self.policy.state_dict
        super().update(timestep=timestep, timesteps=timesteps)
        if timestep < self.actor_from:
            self.policy.state_dict = before


def _agent(plan: Plan, practice: Practice) -> TD3:
    how = plan.learning
    skrl.config.jax.key = jax.random.PRNGKey(plan.seed)
    space = gymnasium.spaces.Box(-np.inf, np.inf, (practice.width * plan.history,), np.float32)
    actions = gymnasium.spaces.Box(-1, 1, (1,), np.float32)
    models: dict[str, Any] = {
        **{name: actor(plan.hidden, space, actions) for name in ("policy", "target_policy")},
        **{name: critic(CRITIC, space, actions) for name in _CRITICS},
    }
    for role, model in models.items():
        model.init_state_dict(role=role)
    agent = _CriticsFirst(
        models=models,
        memory=Memory(int(how["memory"]), plan.seed),
        observation_space=space,
        action_space=actions,
        cfg=TD3_CFG(
            gradient_steps=int(how["updates"]),
            batch_size=int(how["batch"]),
            discount_factor=how["discount"],
            polyak=how["polyak"],
            learning_rate=(how["actor_rate"], how["critic_rate"]),
            learning_starts=_BEFORE_LEARNING,
            policy_delay=int(how["policy_delay"]),
            smooth_regularization_noise=GaussianNoise,
            smooth_regularization_noise_kwargs={"mean": 0.0, "std": 0.1},
            smooth_regularization_clip=0.2,
            experiment={"write_interval": 0, "checkpoint_interval": 0},
        ),
    )
    agent.actor_from = int(how["critics_first"])
    agent.init()
    agent.enable_training_mode(True)
    return agent


def _record(agent: TD3, transition: tuple[np.ndarray, ...], *, anew: np.ndarray, step: int, steps: int) -> None:
    """Keeps what happened. An episode that begins anew with this step had no transition: another's is kept once more."""
    if anew.all():
        return
    rows = np.arange(len(anew))
    rows[anew] = np.resize(np.flatnonzero(~anew), int(anew.sum()))
    seen, actions, worth, after = (column[rows] for column in transition)
    never = np.zeros((len(rows), 1), dtype=np.int8)
    agent.record_transition(
        observations=seen,
        states=None,
        actions=actions,
        rewards=worth.astype(np.float32)[:, None],
        next_observations=after,
        next_states=None,
        terminated=never,
        truncated=never,
        infos={},
        timestep=step,
        timesteps=steps,
    )


def layers_of(params: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights (one row a unit) and biases of each layer, the first one first."""
    dense = params["params"]
    return [
        (np.asarray(dense[f"Dense_{at}"]["kernel"]).T, np.asarray(dense[f"Dense_{at}"]["bias"]))
        for at in range(len(dense))
    ]
