"""Rewards as data: what a period is worth, as a sum of what happened in it, each with a weight."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..errors import PacelineError

TERMS = {
    "own": "what the loop itself says: Orca's and DeepCC's reward, Aurora's of its paper; `agent` has none",
    "throughput_mbps": "acknowledged, of the period",
    "throughput_packets": "the same in packets of 1500 bytes a second",
    "utilisation": "acknowledged, as a share of what the link could have carried in that time; may be above 1 where a queue empties",
    "rtt_s": "mean RTT",
    "queueing_s": "mean RTT less the least so far",
    "inflation": "mean RTT as multiples of the least so far, less 1",
    "loss": "lost, as a share of what was lost or acknowledged",
    "one": "1, each decision",
}
"""What may have a weight."""

REWARDS: Mapping[str, Mapping[str, float]] = {
    "default": {"utilisation": 1, "inflation": -0.25, "loss": -1},
    "own": {"own": 1},
    # Jay et al., ICML 2019, section 4.1
    "aurora": {"throughput_packets": 10, "rtt_s": -1000, "loss": -2000},
}
"""Some that have a name."""


def reward_of(reward: str | Mapping[str, float], loop: str) -> Mapping[str, float]:
    """Its weights. Raises PacelineError where a name or a term is not known."""
    if isinstance(reward, str):
        if reward not in REWARDS:
            raise PacelineError(f"no reward is called {reward!r}; there are {', '.join(REWARDS)}")
        reward = REWARDS[reward]
    unknown = [term for term in reward if term not in TERMS]
    if unknown:
        raise PacelineError(f"a reward has no term {', '.join(unknown)}; there are {', '.join(TERMS)}")
    if "own" in reward and loop == "agent":
        raise PacelineError("the loop `agent` has no reward of its own: name terms, or `default`")
    return {term: float(weight) for term, weight in reward.items()}


def rewards(decisions: np.ndarray, weights: Mapping[str, float]) -> np.ndarray:
    """Of each decision ((n,) of DECISION_DTYPE) what the period before it was worth: (n,) float64; 0 where an episode is over."""
    total = np.zeros(len(decisions))
    with np.errstate(divide="ignore", invalid="ignore"):
        for term, weight in weights.items():
            total += weight * _term(decisions, term)
    # NaN where an episode is over: nothing is known of it.
    total[~np.isfinite(total)] = 0.0
    return total


def _bps(decisions: np.ndarray) -> np.ndarray:
    return np.asarray(8 * decisions["acked_bytes"] / decisions["lasted"])


def _term(decisions: np.ndarray, term: str) -> np.ndarray:
    match term:
        case "own":
            value = decisions["reward"]
        case "throughput_mbps":
            value = _bps(decisions) / 1e6
        case "throughput_packets":
            value = _bps(decisions) / 12_000
        case "utilisation":
            # A link that carries nothing is used as well as can be.
            capacity = decisions["capacity_bps"]
            value = np.where(capacity > 0, _bps(decisions) / capacity, 1.0)
        case "rtt_s":
            value = decisions["mean_rtt"]
        case "queueing_s":
            value = decisions["mean_rtt"] - decisions["least_rtt"]
        case "inflation":
            value = decisions["mean_rtt"] / decisions["least_rtt"] - 1
        case "loss":
            value = decisions["lost_bytes"] / (decisions["lost_bytes"] + decisions["acked_bytes"])
        case _:
            value = np.where(decisions["flow"] < 0, 0.0, 1.0)
    return np.asarray(value, dtype=np.float64)
