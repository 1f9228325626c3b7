"""Decisions a second over a 48 Mbps link with one every 20 ms, beside the engine alone over the same link.

python decisions.py [--envs N] [--threads N] [--seconds S]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

import numpy as np

import paceline
from paceline.envs import PacelineVectorEnv

LINK = {"traces": [48.0], "base_rtt_ms": 20.0, "limit_bdp": 1.0, "duration_s": 60.0}


def decisions_per_s(
    loop: str, envs: int, threads: int, seconds: float, policy: Callable[[np.ndarray], np.ndarray]
) -> float:
    """While all flows use the whole link."""
    many = PacelineVectorEnv(envs, loop=loop, threads=threads, **LINK)
    seen, _ = many.reset(seed=0)
    for _ in range(100):  # they have begun
        seen, *_ = many.step(policy(seen))
    steps = 0
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        seen, *_ = many.step(policy(seen))
        steps += 1
    return steps * envs / (time.perf_counter() - begun)


def engine_decisions_per_s(threads: int) -> float:
    """What the engine alone, deciding nothing, would make of its packets: 80 of them in 20 ms."""
    planned = paceline.plan(
        {
            "traces": [{"rate_mbps": 48}],
            "ccas": [{"id": "cubic"}],
            "buffers": [{"bdp": 1}],
            "base_rtt_ms": [20],
            "duration_s": 300,
            "repetitions": 4 * threads,
        }
    )
    begun = time.perf_counter()
    result = paceline.run(planned, samples=False, workers=threads)
    lasted = time.perf_counter() - begun
    return (
        sum(run.summary["senders"][0]["sent_packets"] for run in result.runs if run.summary is not None) / 80 / lasted
    )


def main() -> None:
    """Measures and prints."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--envs", type=int, default=128)
    words.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    words.add_argument("--seconds", type=float, default=5)
    asked = words.parse_args()
    alone = engine_decisions_per_s(asked.threads)
    print(f"engine alone: as many packets as {alone:,.0f} decisions a second, on {asked.threads} threads")
    still = np.zeros((asked.envs, 1))
    to_the_delay = {"orca": lambda _: still, "agent": lambda seen: np.where(seen[:, 1:2] < 0.3, 0.2, -0.2)}
    for loop, policy in to_the_delay.items():
        rate = decisions_per_s(loop, asked.envs, asked.threads, asked.seconds, policy)
        print(f"{loop}: {rate:,.0f} decisions a second in {asked.envs} episodes, {rate / alone:.0%} of that")


if __name__ == "__main__":
    main()
