"""Actor and critics for skrl: dense layers, hyperbolic tangents within and at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import flax.linen as nn
import gymnasium
import jax
import jax.numpy as jnp
from skrl.models.jax import DeterministicMixin, Model

_SMALL = 1e-2  # of the last layer's first weights: an actor begins near doing nothing


class _Dense(DeterministicMixin, Model):  # type: ignore[misc]
    def __init__(
        self, observation_space: Any = None, state_space: Any = None, action_space: Any = None, **more: Any
    ) -> None:
        more.pop("device", None)
        Model.__init__(
            self, observation_space=observation_space, state_space=state_space, action_space=action_space, **more
        )
        DeterministicMixin.__init__(self)


class _Actor(_Dense):
    hidden: ClassVar[tuple[int, ...]] = ()

    @nn.compact  # type: ignore[untyped-decorator]
    def __call__(self, inputs: dict[str, jax.Array], role: str) -> tuple[jax.Array, dict[str, Any]]:
        x = inputs["observations"]
        for units in self.hidden:
            x = nn.tanh(nn.Dense(units)(x))
        return nn.tanh(nn.Dense(1, kernel_init=nn.initializers.uniform(_SMALL))(x)), {}


class _Critic(_Dense):
    hidden: ClassVar[tuple[int, ...]] = ()

    @nn.compact  # type: ignore[untyped-decorator]
    def __call__(self, inputs: dict[str, jax.Array], role: str) -> tuple[jax.Array, dict[str, Any]]:
        x = jnp.concatenate([inputs["observations"], inputs["taken_actions"]], axis=-1)
        for units in self.hidden:
            x = nn.relu(nn.Dense(units)(x))
        return nn.Dense(1)(x), {}


def actor(hidden: Sequence[int], seen: gymnasium.Space[Any], actions: gymnasium.Space[Any]) -> Model:
    """From what is seen to an action from -1 to 1."""
    return _made(_Actor, hidden, seen, actions)


def critic(hidden: Sequence[int], seen: gymnasium.Space[Any], actions: gymnasium.Space[Any]) -> Model:
    """What an action is worth in the end."""
    return _made(_Critic, hidden, seen, actions)


def _made(kind: type[_Dense], hidden: Sequence[int], seen: Any, actions: Any) -> Model:
    # The sizes belong to a class of their own: flax copies a module by its fields alone, and writes an __init__ where there is none.
    sized = type(kind.__name__, (kind,), {"hidden": tuple(hidden), "__init__": _Dense.__init__})
    return sized(observation_space=seen, action_space=actions)
