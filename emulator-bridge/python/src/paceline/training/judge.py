"""A trained agent against the algorithm that it has to beat, over traces that it has never seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from os import PathLike
from typing import Any

import numpy as np

from .. import run
from ..errors import PacelineError
from ..traces import Trace
from .plan import Plan, traces_of

Row = Mapping[str, Any]  # of Result.table

_MOST_EXACT = 16  # traces whose signs are all tried; of more, so many at random
_DRAWS = 100_000


@dataclass(frozen=True)
class Verdict:
    """Of a metric, higher is better: the means of both over the traces, and how sure it is which is better.

    ``p``: that differences as large or larger come from chance, their signs thrown anew (exact, two-sided, a trace a pair).
    ``interval``: 95 % of the mean difference, traces resampled.
    """

    metric: str
    agent: float
    other: float
    difference: float
    interval: tuple[float, float]
    p: float
    traces: Mapping[str, tuple[float, float]]
    details: Mapping[str, tuple[float, float]]
    losses: Mapping[str, tuple[float, float]]  # the metric by the share that the links lose at random


def judge(plan: Plan, network: str | PathLike[str]) -> Verdict:
    """Runs both over the plan's held-out traces. ``network``: a weights file, or the name of a policy of the loop."""
    judging = plan.judging
    agent = {"policy": "network", "weights": str(network)} if str(network).endswith(".json") else {"policy": network}
    result = run(
        {
            **judging["spec"],
            "traces": [_asked(trace) for named in judging["traces"] for trace in traces_of(named)],
            "ccas": [{"id": plan.loop, "params": {**plan.params, **agent}}, judging["against"]],
        },
        samples=False,
    )
    metric = METRICS[judging["metric"]]
    rows = [(row["trace"], row["cca"] == plan.loop, row) for row in result.table]
    failed = [row["reason"] for _, _, row in rows if row["state"] != "done"]
    if failed:
        raise PacelineError(f"{len(failed)} runs failed: {failed[0]}")
    names = sorted({name for name, _, _ in rows})

    def means(figure: Callable[[Row], float], agent: bool, loss: float | None = None) -> np.ndarray:
        return np.array(
            [
                np.mean(
                    [
                        figure(row)
                        for of, is_agent, row in rows
                        if of == name and is_agent == agent and (loss is None or row["loss_probability"] == loss)
                    ]
                )
                for name in names
            ]
        )

    agents, others = means(metric, True), means(metric, False)
    return Verdict(
        metric=judging["metric"],
        agent=float(agents.mean()),
        other=float(others.mean()),
        difference=float((agents - others).mean()),
        interval=_interval(agents - others),
        p=sign_flip_p(agents - others),
        traces=dict(zip(names, zip(agents.tolist(), others.tolist(), strict=True), strict=True)),
        details={name: (float(means(of, True).mean()), float(means(of, False).mean())) for name, of in DETAILS.items()},
        losses={
            f"{loss:g}": (float(means(metric, True, loss).mean()), float(means(metric, False, loss).mean()))
            for loss in sorted({row["loss_probability"] for _, _, row in rows})
        },
    )


def _asked(trace: Any) -> Any:
    return trace if isinstance(trace, Trace) else {"rate_mbps": trace}


def sign_flip_p(differences: np.ndarray) -> float:
    """Two-sided p of the mean of paired differences, if each sign was as likely as the other."""
    n = len(differences)
    seen = abs(differences.mean()) - 1e-15
    if n <= _MOST_EXACT:
        signs = np.array(list(product((-1, 1), repeat=n)))
        return float((abs((signs * differences).mean(axis=1)) >= seen).mean())
    signs = np.random.default_rng(0).choice((-1, 1), size=(_DRAWS, n))
    return float((1 + (abs((signs * differences).mean(axis=1)) >= seen).sum()) / (1 + _DRAWS))


def _interval(differences: np.ndarray) -> tuple[float, float]:
    rng = np.random.default_rng(0)
    means = rng.choice(differences, size=(10_000, len(differences))).mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def _orca(row: Row) -> float:
    """Orca's reward of the run as a whole: throughput less five times what was lost, as a share of what the link could carry, less where
    the mean RTT is more than a quarter above the path's (SIGCOMM 2020, section 4; docs/cca/orca.md)."""
    lost = row["utilisation"] * row["loss_share"] / (1 - row["loss_share"])
    return float((row["utilisation"] - 5 * lost) * min(1.0, 1.25 * row["base_rtt_ms"] / row["rtt_mean_ms"]))


def _power(row: Row) -> float:
    """Throughput as a share of the capacity, over the mean RTT as a multiple of the path's."""
    return float(row["utilisation"] * row["base_rtt_ms"] / row["rtt_mean_ms"])


def _deepcc(row: Row) -> float:
    """The sign of DeepCC's reward, and its throughput: what was carried of the capacity, negative where the mean RTT was above the 50 ms
    of the target (JSAC 2021; docs/cca/deepcc.md)."""
    return float(row["utilisation"] if row["rtt_mean_ms"] <= 50 else -row["utilisation"])


def _aurora(row: Row) -> float:
    """Aurora's reward (ICML 2019, section 4.1: 10 · packets a second - 1000 · RTT in seconds - 2000 · share lost) of the run as a
    whole, as if its link had carried 300 packets a second, the middle of what the authors trained on; as a share of what that would
    be worth."""
    return float(row["utilisation"] - (1000 * row["rtt_mean_ms"] * 1e-3 + 2000 * row["loss_share"]) / 3000)


METRICS: Mapping[str, Callable[[Row], float]] = {
    "orca": _orca,
    "deepcc": _deepcc,
    "aurora": _aurora,
    "power": _power,
}
DETAILS: Mapping[str, Callable[[Row], float]] = {
    "utilisation": lambda row: float(row["utilisation"]),
    "mean queueing delay, ms": lambda row: float(row["queueing_mean_ms"]),
    "p95 of it, ms": lambda row: float(row["queueing_p95_ms"]),
    "lost share": lambda row: float(row["loss_share"]),
}
