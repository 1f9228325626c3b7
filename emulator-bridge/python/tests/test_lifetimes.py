"""What outlives what: views the interpreter, children their parents, questions the planner."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import paceline
from paceline import _planner

# Long enough that its memory goes back to the system at once.
AT_EXIT = """
import atexit
kept = []
atexit.register(lambda: print(sum(float(column.sum()) for column in kept) > 0))
import paceline
spec = {"traces": [{"rate_mbps": 12}], "ccas": [{"id": "cubic"}], "duration_s": 200}
kept.append(paceline.run(spec).runs[0].series()["link_capacity_mbps"])
"""

FORKED = """
import os, sys
import numpy as np
import paceline
from paceline.envs import PacelineVectorEnv
spec = {"traces": [{"rate_mbps": 12}], "ccas": [{"id": "cubic"}], "duration_s": 1}
many = PacelineVectorEnv(3, threads=3, duration_s=2.0, traces=[12.0])
many.reset(seed=0)
first = paceline.run(spec).id
child = os.fork()
if child == 0:
    seen, *_ = many.step(np.zeros((3, 1)))
    assert seen.shape == (3, 6)
    assert paceline.run(spec).id == first
    sys.exit(7)
seen, *_ = many.step(np.zeros((3, 1)))
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status))
"""


def _run(text: str) -> subprocess.CompletedProcess[str]:
    # A process of several threads that forks is warned of, and this one means it.
    words = [sys.executable, "-W", "ignore", "-c", text]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


def test_a_column_is_there_when_the_interpreter_ends() -> None:
    done = _run(AT_EXIT)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_a_child_steps_and_ends_without_the_threads_of_its_parent() -> None:
    done = _run(FORKED)
    assert (done.returncode, done.stdout) == (0, "7\n"), done.stderr


def test_the_planner_ends_with_its_process() -> None:
    done = _run("import paceline\nprint(paceline._planner.planner()._process.pid, paceline.plan.__name__)")
    pid = int(done.stdout.split()[0])
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("Node goes on")


def test_all_that_wait_are_told_when_the_planner_dies_and_the_next_is_answered() -> None:
    asked = _planner.planner()
    told: list[BaseException] = []

    def ask() -> None:
        try:
            asked.ask("plan", spec={})
        except BaseException as error:
            told.append(error)

    os.kill(asked._process.pid, signal.SIGSTOP)
    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    os.kill(asked._process.pid, signal.SIGKILL)
    for thread in threads:
        thread.join(10)
    assert [type(error) for error in told] == [paceline.PacelineError] * 3
    assert len(paceline.plan({"traces": [{"rate_mbps": 12}], "ccas": [{"id": "cubic"}]})) == 1
