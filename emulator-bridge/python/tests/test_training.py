"""What of a training needs no learning: plans, practice, files, the judge; and that what is shipped is what they say."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paceline
from paceline import _engine
from paceline._made import made
from paceline.training import judge, plan_names, plan_of
from paceline.training.card import card
from paceline.training.export import text_of, weights_file
from paceline.training.improvement import act, improvement
from paceline.training.judge import sign_flip_p
from paceline.training.plan import traces_of
from paceline.training.practice import Practice, Scale

PLANS = plan_names()
TOLD = {"decisions": 1000, "minutes": 1.0}


def shipped(root: Path, name: str) -> Path:
    return root / "emulator-bridge" / "native" / "weights" / name


def small(name: str, **judging: Any) -> Any:
    plan = plan_of(name)
    return dataclasses.replace(plan, judging={**plan.judging, **judging})


def origin(named: Any) -> str:
    """What a trace of a plan is made of: a recipe, whether by its own name or as the shipped trace's, else what it is called."""
    if isinstance(named, dict):
        return str(named["recipe"])
    for file in made("recipes").glob("*.json"):
        if json.loads(file.read_text("utf-8"))["name"] == named:
            return file.stem
    return str(named)


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_is_of_a_loop_and_judged_on_what_it_has_not_practised(name: str) -> None:
    plan = plan_of(name)
    assert set(plan.inputs) <= set(_engine.loops()[plan.loop])
    practised = [trace for words in plan.scenarios for trace in words["traces"]]
    held_out = plan.judging["traces"]
    assert not {origin(trace) for trace in practised} & {origin(trace) for trace in held_out}
    assert all(len(traces_of(trace)) == 1 for trace in held_out)
    assert len({origin(trace) for trace in held_out}) >= 6  # fewer could not come out significant by their signs


@pytest.mark.parametrize("name", PLANS)
def test_what_is_shipped_is_of_the_plan_and_better_over_held_out_traces(name: str, root: Path) -> None:
    training = json.loads(shipped(root, f"{name}.training.json").read_text("utf-8"))
    assert training["plan"] == json.loads(json.dumps(dataclasses.asdict(plan_of(name))))
    assert training["verdict"]["difference"] > 0
    assert training["verdict"]["p"] < 0.05
    assert shipped(root, f"{name}.md").read_text("utf-8") == card(training)
    assert shipped(root, f"{name}.weights.json").stat().st_size < 1_000_000


def test_practice_begins_its_episodes_alike_and_scales_what_it_shows() -> None:
    plan = dataclasses.replace(
        plan_of("orca"), scenarios=[{"traces": [12], "base_rtt_ms": [20, 40], "duration_s": 0.5}] * 2
    )
    both = [Practice(plan, 5, threads, seed=3) for threads in (1, 2)]
    assert both[0].count == 6  # three of each scenario
    seen = [practice.reset() for practice in both]
    assert np.array_equal(*seen)
    looks, overs = [], np.zeros(6, dtype=int)
    for _ in range(60):
        (one, worth, over), (other, *_) = (practice.step(np.full((6, 1), 0.1)) for practice in both)
        assert np.array_equal(one, other)
        assert np.isfinite(worth).all()
        looks.append(one)
        overs += over
    assert (overs >= 1).all()  # all have begun anew meanwhile
    scale = Scale(np.concatenate(looks), len(plan.inputs))
    scaled = scale.of(np.concatenate(looks))[:, -len(plan.inputs) :]
    assert np.abs(scaled.mean(axis=0)).max() < 0.1
    assert scaled.std(axis=0).max() == pytest.approx(1, abs=0.05)


def test_a_file_of_weights_is_what_the_engine_reads_and_runs(tmp_path: Path) -> None:
    """An actor that always says the same, as a file: the run is the one of an episode in which somebody says just that."""
    plan = plan_of("orca")
    width = len(plan.inputs) * plan.history
    before_tanh = 0.25  # which six bits say exactly
    layers = [
        (np.zeros((4, width)), np.zeros(4)),
        (np.zeros((1, 4)), np.array([before_tanh])),
    ]
    scale = Scale(np.random.default_rng(0).normal(size=(50, width)), len(plan.inputs))
    file = tmp_path / "still.weights.json"
    file.write_text(text_of(weights_file(plan, layers, scale, "a note")), encoding="utf-8")
    spec = {
        "traces": [{"rate_mbps": 12}],
        "buffers": [{"bdp": 2}],
        "base_rtt_ms": [40],
        "duration_s": 4,
        "repetitions": 1,
    }
    ccas = [{"id": "orca", "params": {"policy": "network", "weights": str(file)}}]
    run = paceline.run({**spec, "ccas": ccas}).runs[0]
    series = run.series()
    actions = np.asarray(series[next(name for name in series if name.endswith("action"))])
    said = actions[np.isfinite(actions)]
    assert len(said) > 10
    assert said[said != 0] == pytest.approx(np.tanh(before_tanh), abs=1e-6)


def test_signs_that_could_as_well_be_others_say_how_sure_a_difference_is() -> None:
    assert sign_flip_p(np.ones(5)) == pytest.approx(2 / 32)
    assert sign_flip_p(np.array([1.0, -1.0])) == 1.0
    # 3 + 2 + 1 only if all agree, once each way
    assert sign_flip_p(np.array([3.0, 2.0, 1.0])) == pytest.approx(2 / 8)
    rng = np.random.default_rng(0)
    rejected = np.mean([sign_flip_p(rng.normal(size=8)) < 0.05 for _ in range(400)])
    assert 0.02 < rejected < 0.08


def test_the_judge_finds_nothing_between_what_is_the_same_and_something_where_there_is() -> None:
    spec = {"base_rtt_ms": [40], "buffers": [{"bdp": 4}], "duration_s": 5, "repetitions": 1}
    plan = small("orca", traces=[6, 8, 12, 16, 20, 24], spec=spec)
    same = judge(dataclasses.replace(plan, params={"pacing": "cubic"}), "neutral")
    assert same.difference == 0
    assert same.p == 1.0
    rule = judge(plan, "rule")  # which keeps the queue short on links that do not change
    assert rule.difference > 0.1
    assert rule.p == pytest.approx(2 / 64)
    assert set(rule.traces) == {f"{rate} Mbps" for rate in (6, 8, 12, 16, 20, 24)}


def test_the_judge_says_what_the_verdict_is_with_and_without_random_losses() -> None:
    spec = {
        "base_rtt_ms": [40],
        "buffers": [{"bdp": 2}],
        "loss": [0, 0.02],
        "duration_s": 5,
        "repetitions": 1,
    }
    plan = small("orca", metric="aurora", traces=[8, 12], spec=spec, against={"id": "bbr"})
    verdict = judge(plan, "neutral")  # Cubic, which takes each loss for a full queue
    assert list(verdict.losses) == ["0", "0.02"]
    assert verdict.losses["0"][0] == pytest.approx(verdict.losses["0"][1], abs=0.1)
    assert verdict.losses["0.02"][0] < verdict.losses["0.02"][1] - 0.3
    for agent in (0, 1):
        both = verdict.agent if agent == 0 else verdict.other
        assert np.mean([one[agent] for one in verdict.losses.values()]) == pytest.approx(both)
    told = card({**TOLD, "plan": dataclasses.asdict(plan), "verdict": dataclasses.asdict(verdict)})
    assert "links that lose 2 % at random" in told
    assert "On links that lose 2 % at random it is worse than bbr in the mean" in told


def test_plans_that_are_not_there_are_told() -> None:
    with pytest.raises(paceline.PacelineError, match="there is no training of 'nobody'; there are"):
        plan_of("nobody")


def test_says_whether_one_actor_is_better_than_another_over_the_same_episodes() -> None:
    plan = dataclasses.replace(
        plan_of("orca"), scenarios=[{"traces": [(6, 24)], "base_rtt_ms": [20, 40], "duration_s": 2}]
    )
    width = len(plan.inputs) * plan.history
    scale = Scale(np.random.default_rng(0).normal(size=(50, width)), len(plan.inputs))

    def always(before_tanh: float) -> list[tuple[np.ndarray, np.ndarray]]:
        return [(np.zeros((1, width)), np.array([before_tanh]))]

    assert act(always(0.5), np.ones((3, width))) == pytest.approx(np.full((3, 1), np.tanh(0.5)))
    small, usual = always(-0.5), always(0.0)  # Cubic's window by 0.53, and as it is
    better = improvement(plan, small, usual, scale, threads=2, episodes=12)
    again = improvement(plan, small, usual, scale, threads=1, episodes=12)
    assert np.array_equal(better.after, again.after) and better.is_one and better.p < 0.01
    assert not improvement(plan, usual, small, scale, threads=2, episodes=12).is_one
    same = improvement(plan, usual, usual, scale, threads=2, episodes=12)
    assert same.p == 1 and not same.is_one
