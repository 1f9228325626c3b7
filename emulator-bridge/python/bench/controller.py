"""Acknowledgements a second of a controller in Python, beside NewReno of the engine over the same link.

python controller.py [--seconds S]
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import paceline
from paceline import events


@paceline.controller("bench-window", label="A window")
class Window:
    """Adds to its window and halves it: what an algorithm cannot do without."""

    def __init__(self, setup: events.Setup) -> None:
        self.mss = setup.mss_bytes
        self.cwnd_bytes: float = setup.initial_window_packets * self.mss

    def on_ack(self, ack: events.Ack) -> None:
        """Grows by a packet a round trip."""
        if ack.window_limited:
            self.cwnd_bytes += self.mss * ack.acked_bytes / self.cwnd_bytes

    def on_loss(self, loss: events.Loss) -> None:
        """Halves."""
        if loss.new_episode:
            self.cwnd_bytes = max(2 * self.mss, self.cwnd_bytes / 2)


def acks_per_s(cca: Any, seconds: float) -> float:
    """On one core, an acknowledgement for every second packet."""
    link = {"traces": [{"rate_mbps": 48}], "base_rtt_ms": [20], "buffers": [{"bdp": 1}], "duration_s": seconds}
    planned = paceline.plan({**link, "ccas": [cca]})
    begun = time.perf_counter()
    (run,) = paceline.run(planned, samples=False, workers=1).runs
    lasted = time.perf_counter() - begun
    assert run.summary is not None
    return float(run.summary["senders"][0]["sent_packets"]) / 2 / lasted


def main() -> None:
    """Measures and prints."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seconds", type=float, default=120)
    seconds = words.parse_args().seconds
    ours, engines = acks_per_s(Window, seconds), acks_per_s({"id": "newreno"}, 10 * seconds)
    print(f"Python {ours:,.0f}/s, engine {engines:,.0f}/s: {ours / engines:.1%}")


if __name__ == "__main__":
    main()
