"""Algorithms in Python: the same as a plug-in of C++, told all that a plug-in is told, and never more than their own run broken."""

from __future__ import annotations

import csv
import ctypes
import json
import math
import os
import re
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import cli
import numpy as np
import pytest

import paceline
from paceline import _engine, _plugin, events
from paceline.envs import PacelineVectorEnv

LINK: dict[str, Any] = {"traces": [{"rate_mbps": 12}], "duration_s": 3}


def aimd(id: str, label: str = "AIMD (example)") -> type:
    """The rule of examples/cca-plugin/aimd.cc."""

    @paceline.controller(
        id,
        label=label,
        params={
            "increase": {"label": "Increase", "unit": "packets", "default": 1, "min": 0.1, "max": 10},
            "decrease": {"label": "Decrease factor", "default": 0.5, "min": 0.1, "max": 0.95},
        },
        internals={"ssthresh_packets": {"label": "ssthresh", "unit": "packets"}},
        phases=["slow start", "avoidance"],
    )
    class Aimd:
        def __init__(self, setup: events.Setup) -> None:
            self.mss, self.params = setup.mss_bytes, setup.params
            self.cwnd_bytes: float = setup.mss_bytes * setup.initial_window_packets
            self.ssthresh_bytes = math.inf

        @property
        def phase(self) -> str:
            return "slow start" if self.cwnd_bytes < self.ssthresh_bytes else "avoidance"

        @property
        def ssthresh_packets(self) -> float | None:
            return None if math.isinf(self.ssthresh_bytes) else self.ssthresh_bytes / self.mss

        def on_ack(self, ack: events.Ack) -> None:
            if not ack.window_limited or ack.recovery not in ("none", "timeout"):
                return
            slow_start = self.cwnd_bytes < self.ssthresh_bytes
            step = self.params["increase"] * self.mss * ack.acked_bytes / self.cwnd_bytes
            self.cwnd_bytes += ack.acked_bytes if slow_start else step

        def on_loss(self, loss: events.Loss) -> None:
            if loss.new_episode:
                self.cwnd_bytes = self.ssthresh_bytes = max(2 * self.mss, self.cwnd_bytes * self.params["decrease"])

        def on_timeout(self, timeout: events.Timeout) -> None:
            if not timeout.repeated:
                self.ssthresh_bytes = max(2 * self.mss, timeout.inflight_before_bytes * self.params["decrease"])
            self.cwnd_bytes = self.mss

    return Aimd


class Fixed:
    """Ten packets; what else a test wants of it."""

    def __init__(self, setup: events.Setup) -> None:
        self.setup = setup
        self.cwnd_bytes: Any = 10 * setup.mss_bytes

    def on_ack(self, ack: events.Ack) -> None:
        pass


def one_run(kind: type, **words: Any) -> paceline.results.RunResult:
    return paceline.run({**LINK, "ccas": [kind], **words}).runs[0]


def test_is_to_the_last_figure_the_plug_in_of_the_same_rule(root: Path, tmp_path: Path) -> None:
    example = root / "examples" / "cca-plugin"
    for words in (["-S", str(example), "-B", str(tmp_path / "made")], ["--build", str(tmp_path / "made")]):
        subprocess.run(["cmake", *words], check=True, capture_output=True, timeout=120)
    params = {"increase": 1.7, "decrease": 0.6}
    spec = {
        "traces": [{"trace": "Cellular walk, LTE-like"}, {"rate_mbps": 30}],
        "loss": [0, 0.002],
        "buffers": [{"bdp": 1}],
        "duration_s": 20,
        "full_scores": False,
    }
    theirs = {**spec, "ccas": [{"id": "example-aimd", "params": params}]}
    plugin = str(tmp_path / "made" / "aimd.so")
    summary = cli.summary(root, theirs, tmp_path, "--cca-plugin", plugin)
    aimd("example-aimd")
    ours = paceline.run({**spec, "ccas": [{"id": "example-aimd", "params": params}]})
    assert len(ours.runs) == len(summary["runs"]) == 4
    rows = 0
    for mine, run in zip(ours.runs, summary["runs"], strict=True):
        assert mine.summary == run["summary"]
        series = mine.series()
        with (tmp_path / "out" / "series" / f"{run['id']}.csv").open() as file:
            for at, row in enumerate(csv.DictReader(file)):
                rows += 1
                for name, column in series.items():
                    if name not in series.states:
                        assert row[name] == "" if np.isnan(column[at]) else column.dtype.type(row[name]) == column[at]
    assert rows > 4000


def test_its_fields_are_those_of_the_header(root: Path) -> None:
    header = (root / "emulator-bridge" / "native" / "plugin" / "paceline_plugin.h").read_text("utf-8")
    bare = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)

    def fields(name: str) -> list[tuple[str, str]]:
        body = re.search(rf"struct {name} \{{(.*?)\}};", bare, re.DOTALL)
        assert body is not None, name
        return re.findall(r"(u?int64_t|double) (\w+);", body[1])

    for name, ours in events.LAYOUTS.items():
        assert tuple(field for _, field in fields(name)) == ours, name
        assert {field for kind, field in fields(name) if kind == "double"} == {
            field for field in ours if field.endswith("_bps")
        }
    assert tuple(field for _, field in fields("paceline_control")) == _plugin.CONTROL_FIELDS
    table = re.search(r"struct paceline_algorithm \{(.*?)\n\};", bare, re.DOTALL)
    assert table is not None
    flat = re.sub(r"\([^()]*\);", ";", re.sub(r"\(\*(\w+)\)", r"\1", table[1]))
    declared = re.findall(r"(\w+);", flat)
    assert declared == [name for name, *_ in _plugin.Algorithm._fields_]


def test_what_is_not_known_is_none() -> None:
    layout = events.LAYOUTS["paceline_ack"]
    fields: dict[str, float] = dict.fromkeys(layout, 0)
    fields.update(now_ns=1_500_000, rtt_ns=events.UNKNOWN, next_send_ns=events.NEVER, rate_bps=8e6, recovery=3)

    def read(**more: float) -> events.Ack:
        values = {**fields, **more}
        text = b"".join(struct.pack("=d" if name.endswith("_bps") else "=q", values[name]) for name in layout)
        memory = ctypes.create_string_buffer(text)
        return events.ack_at(ctypes.addressof(memory), None, 0)

    ack = read()
    assert (ack.now_ms, ack.rtt_ms, ack.next_send_ms, ack.recovery) == (1.5, None, math.inf, "timeout")
    assert ack.rate_mbps is None and read(rate_valid=1).rate_mbps == 8
    assert ack.packets == () and ack.window_limited is False and read(window_limited=1).window_limited is True


def test_is_told_all_that_happens(tmp_path: Path) -> None:
    told: dict[str, list[Any]] = {"setup": [], "ack": [], "loss": [], "timeout": [], "sent": [], "tick": []}

    @paceline.controller(
        "test-told",
        needs={"acked_packets": True, "receiver_timestamps": True},
        params={
            "many": {"type": "integer", "default": 3, "min": 1, "max": 9},
            "really": {"type": "boolean", "default": True},
            "which": {"type": "choice", "choices": ["this", "that"]},
        },
    )
    class Told(Fixed):
        def __init__(self, setup: events.Setup) -> None:
            super().__init__(setup)
            told["setup"].append(setup)
            self.cwnd_bytes = 80 * setup.mss_bytes
            self.next_tick_ms = 500.0
            self.tag = 0

        def on_ack(self, ack: events.Ack) -> None:
            told["ack"].append(ack)

        def on_loss(self, loss: events.Loss) -> None:
            told["loss"].append(loss)

        def on_timeout(self, timeout: events.Timeout) -> None:
            told["timeout"].append(timeout)

        def on_sent(self, sent: events.Sent) -> None:
            told["sent"].append(sent)
            self.tag = sent.number + 1

        def on_tick(self, now_ms: float) -> None:
            told["tick"].append(now_ms)
            self.next_tick_ms = now_ms + 500

    # The link is off for a while, so that the flow times out.
    counts = [1] * 1000 + [0] * 1500 + [1] * 1500
    file = tmp_path / "x.mahi"
    file.write_text("".join(f"{ms + 1}\n" * count for ms, count in enumerate(counts)))
    trace = paceline.Trace.load(file)
    spec = {"traces": [trace], "ccas": [{"id": "test-told", "params": {"which": "that"}}], "buffers": [{"bdp": 1}]}
    run = paceline.run({**spec, "duration_s": 4, "base_rtt_ms": [40]}).runs[0]
    (setup,) = told["setup"]
    assert setup.params == {"many": 3, "really": True, "which": "that"}
    assert setup.transport == "tcp" and setup.mss_bytes > 1000 and setup.seed > 0
    assert setup.handshake_rtt_ms is None or setup.handshake_rtt_ms >= 40
    assert run.summary is not None
    sender = run.summary["senders"][0]
    assert len(told["sent"]) == sender["sent_packets"]
    assert sum(sent.retransmission for sent in told["sent"]) == sender["retransmitted_packets"] > 0
    assert sum(ack.acked_bytes for ack in told["ack"]) == told["ack"][-1].delivered_bytes
    packets = [packet for ack in told["ack"] for packet in ack.packets]
    assert sum(packet.bytes for packet in packets) == told["ack"][-1].delivered_bytes
    # The tag that a packet carries is what was answered when the one before it had left.
    assert all(packet.tag == packet.number for packet in packets)
    assert all(0 < packet.one_way_ms < packet.rtt_ms for packet in packets if not packet.retransmission)
    rtts = [ack.rtt_ms for ack in told["ack"] if ack.rtt_ms is not None]
    assert 40 <= min(rtts) and min(rtts) == told["ack"][-1].min_rtt_ms
    assert 11 < max(ack.rate_mbps or 0 for ack in told["ack"][100:]) < 13
    lost = sum(loss.lost_packets for loss in told["loss"])
    assert lost == sum(len(loss.packets) for loss in told["loss"]) > 0
    assert any(loss.new_episode for loss in told["loss"])
    assert told["timeout"] and told["timeout"][0].inflight_before_bytes > 0
    assert {ack.recovery for ack in told["ack"]} >= {"none", "entered", "in", "exited", "undone"}
    assert told["tick"] == [500, 1000, 1500, 2000, 2500, 3000, 3500, 4000]
    with pytest.raises(AttributeError):
        told["ack"][0].acked_bytes = 1


def test_the_transport_does_what_it_says() -> None:
    @paceline.controller(
        "test-says",
        needs={"pacing": "own"},
        phases=["slow", "fast"],
        internals={"mood": {"label": "Mood", "states": ["calm", "wild"]}, "step": {"label": "Step"}},
    )
    class Says(Fixed):
        def __init__(self, setup: events.Setup) -> None:
            super().__init__(setup)
            self.cwnd_bytes = math.inf
            self.pacing_mbps = np.float64(3)
            self.phase, self.mood, self.step = "slow", "calm", None
            self.next_tick_ms = 1000
            self.hold_until_ms = 0.0

        def on_tick(self, now_ms: float) -> None:
            if now_ms == 1000:
                self.pacing_mbps, self.phase, self.mood, self.step = np.float64(6), "fast", "wild", 7
                self.next_tick_ms = 2000
            else:
                self.hold_until_ms = 2500

    run = one_run(Says)
    series = run.series()

    def mbps(start: float, end: float) -> float:
        return float(series["sender0_sent_mbps"][(series.time_s > start) & (series.time_s <= end)].mean())

    assert mbps(0.1, 1) == pytest.approx(3, rel=0.02)
    assert mbps(1, 2) == pytest.approx(6, rel=0.02)
    assert mbps(2.05, 2.45) == 0
    assert mbps(2.6, 3) == pytest.approx(6, rel=0.05)
    mood, step = series["sender0_mood"], series["sender0_step"]
    assert series.states["sender0_mood"] == ("calm", "wild")
    assert mood[50] == 0 and mood[-1] == 1 and np.isnan(step[50]) and step[-1] == 7


BROKEN: list[tuple[str, Any, str]] = [
    ("zero", 0, "window of 0"),
    ("below", -5, "window of -1"),
    ("nan", math.nan, "cwnd_bytes is NaN"),
    ("text", "many", "cwnd_bytes is str, not a number"),
    ("truth", True, "cwnd_bytes is bool, not a number"),
]


@pytest.mark.parametrize(("name", "window", "why"), BROKEN)
def test_a_window_that_is_none_ends_its_run_with_a_sentence(name: str, window: Any, why: str) -> None:
    @paceline.controller(f"test-window-{name}", label="Broken")
    class Broken(Fixed):
        def on_ack(self, ack: events.Ack) -> None:
            if ack.now_ms > 1000:
                self.cwnd_bytes = window

    result = paceline.run({**LINK, "ccas": [Broken, {"id": "cubic"}]})
    assert [run.state for run in result.runs] == ["failed", "done"]
    reason = result.runs[0].reason
    assert reason is not None and reason.startswith("Broken: ") and why in reason


def test_an_exception_ends_its_run_and_says_where() -> None:
    @paceline.controller("test-raises", label="Raises", internals={"depth": {"label": "Depth"}}, phases=["known"])
    class Raises(Fixed):
        at = "on_ack"

        def __init__(self, setup: events.Setup) -> None:
            super().__init__(setup)
            if self.at == "__init__":
                raise ValueError("no beginning")
            if self.at == "unset":
                del self.cwnd_bytes

        def on_ack(self, ack: events.Ack) -> None:
            if self.at == "on_ack":
                1 / 0  # noqa: B018
            if self.at == "phase":
                self.phase = "strange"

        @property
        def depth(self) -> Any:
            return {}["gone"] if self.at == "depth" else None

    def reason(at: str) -> str:
        Raises.at = at
        return str(one_run(Raises).reason)

    line = next(i for i, text in enumerate(Path(__file__).read_text().split("\n"), 1) if "1 / 0" in text)
    assert (
        reason("on_ack")
        == f"Raises: ZeroDivisionError: division by zero (on_ack, line {line} of {Path(__file__).name})"
    )
    assert reason("__init__").startswith("Raises: ValueError: no beginning (__init__, line ")
    assert reason("depth").startswith("Raises: KeyError: 'gone' (depth, line ")
    assert reason("unset") == "Raises: cwnd_bytes was never set"
    assert reason("phase") == "Raises: 'strange' is none of its phases"
    Raises.at = "nowhere"
    assert one_run(Raises).state == "done"
    assert _plugin._flows == {}


def test_is_known_by_its_text() -> None:
    spec = {**LINK, "ccas": [{"id": "test-text"}]}

    def defined(body: str) -> str:
        scope: dict[str, Any] = {"paceline": paceline}
        text = f"""
@paceline.controller("test-text")
class Text:
    def __init__(self, setup): self.cwnd_bytes = {body} * setup.mss_bytes
    def on_ack(self, ack): pass
"""
        exec(compile(text, "<cell>", "exec"), scope)
        return str(paceline.plan(spec).runs[0]["id"])

    ten, five = defined("10"), defined("5")
    assert ten != five
    assert defined("10") == ten
    look = [cca["identity"] for cca in paceline.listing()["ccas"] if cca["id"] == "test-text"]
    assert len(look) == 1
    planned = paceline.plan(spec)
    assert paceline.run(planned).runs[0].state == "done"
    defined("5")
    assert "is another one now" in str(paceline.run(planned).runs[0].reason)


NOT_DECLARED: list[tuple[dict[str, Any], str]] = [
    ({"id": "cubic"}, 'there is a CCA "cubic" already'),
    ({"id": "aurora"}, 'there is a CCA "aurora" already'),
    ({"id": "Not An Id"}, "lower-case"),
    ({"id": "test-x", "label": 7}, "label is int, not a text"),
    ({"id": "test-x", "label": ""}, "has no label"),
    ({"id": "test-x", "label": "a\0b"}, "label has a zero"),
    ({"id": "test-x", "params": {"Wide": {"default": 1, "min": 0, "max": 2}}}, "not in snake_case"),
    ({"id": "test-x", "params": {"wide": {"default": 3, "min": 0, "max": 2}}}, "outside of its range"),
    (
        {"id": "test-x", "params": {"wide": {"default": "3", "min": 0, "max": 2}}},
        "params.wide.default must be a number",
    ),
    ({"id": "test-x", "params": {"wide": {"default": 3, "minimum": 0}}}, "params.wide has no minimum"),
    ({"id": "test-x", "params": {"wide": {"type": "integer", "default": 1.5, "min": 0, "max": 2}}}, "a whole number"),
    ({"id": "test-x", "params": {"wide": {"type": "choice"}}}, "wide has no choices"),
    ({"id": "test-x", "params": {"wide": {"type": "size"}}}, "params.wide.type must be one of"),
    ({"id": "test-x", "internals": {"a": {"states": "word"}}}, "internals.a.states must be a list"),
    ({"id": "test-x", "phases": "word"}, "phases must be a list"),
    ({"id": "test-x", "needs": {"pacing": "mine"}}, "needs['pacing'] must be one of window, own, none"),
    ({"id": "test-x", "needs": {"prr": "no"}}, "needs['prr'] must be one of False, True"),
    ({"id": "test-x", "needs": {"speed": True}}, "needs has no speed"),
]


@pytest.mark.parametrize(("words", "why"), NOT_DECLARED, ids=[why for _, why in NOT_DECLARED])
def test_says_what_is_wrong_with_a_declaration(words: dict[str, Any], why: str) -> None:
    with pytest.raises(paceline.PacelineError) as told:
        paceline.controller(**words)(type("Some", (Fixed,), {}))
    assert why in str(told.value)
    assert all(cca["id"] != "test-x" for cca in _engine.listing()["ccas"])


def test_is_named_by_its_class_wherever_an_algorithm_is() -> None:
    kind = aimd("test-named")
    by_id = {"id": "test-named", "params": {"increase": 2}}
    flows = [{}, {"cca": {"id": "test-named"}, "start_s": 1}]
    planned = paceline.plan({**LINK, "ccas": [by_id], "flows": flows})
    same = paceline.plan({**LINK, "ccas": [{**by_id, "id": kind}], "flows": [{}, {"cca": kind, "start_s": 1}]})
    assert [run["id"] for run in same.runs] == [run["id"] for run in planned.runs]


def test_a_class_without_on_ack_is_none() -> None:
    with pytest.raises(paceline.PacelineError, match="Empty has no on_ack"):
        paceline.controller("test-x")(type("Empty", (), {}))


def test_is_for_this_process_and_for_whole_runs() -> None:
    kind = aimd("test-here")
    with pytest.raises(paceline.PacelineError, match="which a server does not have"):
        paceline.Client("http://127.0.0.1:9").run({**LINK, "ccas": [kind]})
    with pytest.raises(paceline.PacelineError, match="runs in no episode"):
        PacelineVectorEnv(1, traces=[12.0], duration_s=1.0, competitors=["test-here"])


def test_many_flows_in_many_threads_are_what_each_is_alone() -> None:
    kind = aimd("test-many")
    spec = {**LINK, "traces": [{"rate_mbps": rate} for rate in (5, 10, 20, 40)], "ccas": [kind], "repetitions": 3}
    alone, together = paceline.run(spec, workers=1), paceline.run(spec, workers=8)
    assert [run.summary for run in alone.runs] == [run.summary for run in together.runs]
    stop = threading.Event()

    def define() -> None:
        while not stop.is_set():
            aimd("test-other", label=str(time.monotonic()))

    thread = threading.Thread(target=define)
    thread.start()
    try:
        beside = paceline.run(spec)
    finally:
        stop.set()
        thread.join()
    assert [run.summary for run in beside.runs] == [run.summary for run in alone.runs]


ENDLESS = """
import os, paceline, signal

@paceline.controller("endless")
class Endless:
    def __init__(self, setup):
        self.cwnd_bytes = 10 * setup.mss_bytes
        if FIRST:
            os.kill(os.getpid(), signal.SIGINT)
            self.never()
    def on_ack(self, ack):
        if ack.now_ms > 500:
            os.write(1, b"begun\\n")  # at once: print writes the line's end by itself, and another thread gets between
            self.never()
    def never(self):
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass

link = {"traces": [{"rate_mbps": 10}, {"rate_mbps": 20}], "duration_s": 2}
try:
    paceline.run({**link, "ccas": [Endless], "repetitions": 50 if FIRST else 1}, workers=8)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    print([run.state for run in paceline.run({**link, "ccas": [{"id": "cubic"}]}).runs])
"""


@pytest.mark.parametrize("interrupts", [1, 2])
def test_ctrl_c_ends_one_that_never_comes_back(interrupts: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", f"FIRST = False\n{ENDLESS}"], stdout=subprocess.PIPE, text=True
    ) as child:
        try:
            assert child.stdout is not None and child.stdout.readline() == "begun\n"
            for _ in range(interrupts):
                os.kill(child.pid, signal.SIGINT)
                time.sleep(0.1)
            assert_interrupted(child.communicate(timeout=30)[0])
            assert child.returncode == 0
        finally:
            child.kill()


def test_ctrl_c_while_the_first_runs_begin_ends_all_that_has_begun() -> None:
    child = subprocess.run(
        [sys.executable, "-c", f"FIRST = True\n{ENDLESS}"], stdout=subprocess.PIPE, text=True, timeout=30
    )
    assert_interrupted(child.stdout)


def assert_interrupted(text: str) -> None:
    lines = [line for line in text.splitlines() if line != "begun"]
    assert lines[0] == "interrupted"
    assert json.loads(lines[1].replace("'", '"')) == ["done", "done"]
