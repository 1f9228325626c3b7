"""Environments: what the libraries' own checkers ask, and that an episode is the run that it says it is."""

from __future__ import annotations

import json
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import paceline
from paceline import _engine
from paceline.envs import REWARDS, PacelineAECEnv, PacelineEnv, PacelineVectorEnv, Scenario
from paceline.envs.rewards import reward_of, rewards

LOOPS = ("agent", "orca", "deepcc", "aurora")
STILL: dict[str, Any] = {"traces": [12.0], "base_rtt_ms": 40.0, "limit_bdp": 2.0, "duration_s": 5.0}


def play(env: PacelineEnv, policy: Any, seed: int = 1) -> tuple[list[float], dict[str, Any]]:
    observation, _ = env.reset(seed=seed)
    worth: list[float] = []
    while True:
        observation, reward, _, over, info = env.step(policy(observation))
        worth.append(reward)
        if over:
            return worth, info


@pytest.mark.parametrize("loop", LOOPS)
def test_gymnasium_finds_nothing_wrong(loop: str) -> None:
    env = gymnasium.make("Paceline-v1", loop=loop, duration_s=3)
    with warnings.catch_warnings():
        # That what is seen has no bounds is so.
        warnings.filterwarnings("ignore", message=".*Box observation space.*")
        check_env(env.unwrapped, skip_render_check=True)


def test_pettingzoo_finds_nothing_wrong() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(PacelineAECEnv(agents=3, duration_s=3.0), num_cycles=300)
        seed_test(lambda: PacelineAECEnv(agents=2, duration_s=3.0), num_cycles=50)


@pytest.mark.parametrize("loop", LOOPS)
def test_the_same_seed_is_the_same_episode_and_another_one_is_not(loop: str) -> None:
    env = PacelineEnv(loop=loop, duration_s=3.0)
    first, info = play(env, lambda seen: np.tanh(seen[:1]))
    again, once_more = play(env, lambda seen: np.tanh(seen[:1]))
    assert first == again and info == once_more
    other, _ = play(env, lambda seen: np.tanh(seen[:1]), seed=2)
    assert other != first


def test_an_episode_is_the_run_that_its_manifest_makes() -> None:
    """Orca with its window left alone is the same packets whether somebody decides so or nobody is asked."""
    env = PacelineEnv(loop="orca", **STILL)
    _, info = play(env, lambda _: np.zeros(1))
    lab = _engine.Lab()
    manifest = json.loads(env.manifest)
    # A network whose action is always 0 looks as often, and decides the same.
    weights = {
        "format": "paceline-weights",
        "version": 1,
        "name": "nothing",
        "algorithm": "orca",
        "inputs": ["dt_s"],
        "layers": [{"activation": "linear", "weights": [[0]], "bias": [0]}],
    }
    lab.keep_weights("0" * 64, json.dumps(weights).encode())
    manifest["flows"][0]["cca"]["params"] |= {"policy": "network", "weights": "0" * 64}
    run = lab.run(json.dumps(manifest))
    assert {key: value for key, value in run.summary.items()} == info["summary"]


def test_a_scenario_without_chance_is_the_planners_manifest() -> None:
    """What an episode runs is what a spec of the same means: but for seed, start and parameters, which a draw has its own of."""
    spec = {
        "traces": [{"rate_mbps": 48}],
        "ccas": [{"id": "deepcc"}],
        "buffers": [{"bdp": 1.3}],
        "base_rtt_ms": [33],
        "loss": [0.01],
        "duration_s": 7,
    }
    planned = json.loads(paceline.plan(spec).runs[0]["manifest"])
    drawn = json.loads(
        Scenario("deepcc", traces=[48.0], base_rtt_ms=33.0, limit_bdp=1.3, loss=0.01, duration_s=7.0).draw(
            np.random.default_rng(0)
        )
    )
    drawn["seed"] = planned["seed"]
    drawn["flows"][0]["start_s"] = planned["flows"][0]["start_s"]
    assert drawn == planned


def test_many_at_once_are_each_the_same_as_alone() -> None:
    policy = 0.3
    many = PacelineVectorEnv(5, loop="orca", threads=2, **STILL)
    many.reset(seed=10)
    streams: list[list[float]] = [[] for _ in range(5)]
    finished = np.zeros(5, dtype=bool)
    while not finished.all():
        _, worth, _, over, info = many.step(np.full((5, 1), policy))
        for at in np.flatnonzero(~finished):
            streams[at].append(float(worth[at]))
        finished |= over
        if over.any():
            assert list(info["_summary"]) == list(over)
    for at, stream in enumerate(streams):
        alone = PacelineVectorEnv(1, loop="orca", threads=1, **STILL)
        alone.reset(seed=10 + at)
        for expected in stream:
            _, worth, _, _, _ = alone.step(np.full((1, 1), policy))
            assert float(worth[0]) == expected


def test_an_episode_that_is_over_begins_anew_with_the_next_step() -> None:
    env = PacelineVectorEnv(3, loop="agent", history=2, **{**STILL, "duration_s": 1.0})
    env.reset(seed=0)
    ends = 0
    for _ in range(300):
        _, worth, terminated, over, _ = env.step(np.zeros((3, 1)))
        again, worth_then, *_ = env.step(np.ones((3, 1)))
        ends += int(over.sum())
        for at in np.flatnonzero(over):
            assert worth[at] == 0 and worth_then[at] == 0
            assert (again[at, :6] == 0).all(), "nothing was seen before the first look"
        assert not terminated.any()
    assert ends > 5


def test_a_moment_is_come_back_to() -> None:
    env = PacelineEnv(loop="agent", **STILL)
    env.reset(seed=3)
    for _ in range(40):
        env.step(np.array([0.1]))
    moment = env.snapshot()
    ahead = [env.step(np.array([-0.2]))[:2] for _ in range(20)]
    env.restore(moment)
    for seen, worth in ahead:
        now_seen, now_worth, *_ = env.step(np.array([-0.2]))
        np.testing.assert_array_equal(now_seen, seen)
        assert now_worth == worth
    assert env.snapshot().manifest == moment.manifest


def test_what_is_done_shows_in_the_run() -> None:
    """Who keeps the window at what the path holds has the link and no queue; who lets it grow has the queue."""
    env = PacelineEnv(loop="agent", **{**STILL, "limit_bdp": 5.0, "duration_s": 20.0})
    _, careful = play(env, lambda seen: np.array([0.2 if seen[1] < 0.1 else -0.2]))
    _, greedy = play(env, lambda seen: np.array([1.0]))
    link = lambda info: info["summary"]["links"][0]  # noqa: E731
    assert link(careful)["utilisation"] > 0.85 and link(greedy)["utilisation"] > 0.85
    delay = lambda info: info["summary"]["receivers"][0]["owd"]["mean_ms"]  # noqa: E731
    assert delay(careful) < 40 < delay(greedy)


def test_competitors_share_the_link() -> None:
    scenario = Scenario("orca", competitors=["cubic", "bbr"], most_competitors=3, duration_s=5.0)
    counts = [len(json.loads(scenario.draw(np.random.default_rng(seed)))["flows"]) for seed in range(60)]
    assert set(counts) == {1, 2, 3, 4}
    env = PacelineEnv(scenario)
    _, info = play(env, lambda _: np.zeros(1))
    assert len(info["summary"]["senders"]) >= 1


def test_a_reward_is_what_its_weights_say() -> None:
    decision = np.zeros(2, dtype=_engine.DECISION_DTYPE)
    decision[0] = (0, 6, 1.0, 0.02, 15_000, 1_500, 10, 0.05, 12e6, 7.0, 0.05, 0.04, 30_000, 15_000)
    decision[1]["flow"] = -1
    worth = lambda reward: rewards(decision, reward_of(reward, "orca"))  # noqa: E731
    assert worth({"throughput_mbps": 1})[0] == pytest.approx(6)
    assert worth({"utilisation": 2})[0] == pytest.approx(1)
    assert worth({"inflation": 1})[0] == pytest.approx(0.25)
    assert worth({"loss": 1})[0] == pytest.approx(1 / 11)
    assert worth("own")[0] == 7
    assert worth("aurora")[0] == pytest.approx(10 * 500 - 1000 * 0.05 - 2000 / 11)
    for reward in (*REWARDS, {"one": 3.0}):
        assert worth(reward)[1] == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ({"loop": "cubic"}, "no loop 'cubic'"),
        ({"traces": []}, "needs one"),
        ({"traces": ["nowhere"]}, "no shipped trace"),
        ({"traces": [-1.0]}, "traces"),
        ({"base_rtt_ms": (50.0, 10.0)}, "base_rtt_ms"),
        ({"loss": float("nan")}, "loss"),
        ({"params": {"nothing": 1}, "loop": "orca"}, "no parameter nothing"),
        ({"competitors": ["optimal"]}, "no algorithm optimal"),
        ({"reward": "gold"}, "no reward"),
        ({"reward": {"gold": 1}}, "no term gold"),
        ({"reward": "own"}, "no reward of its own"),
        ({"history": 0}, "history"),
        ({"agents": 2}, "PacelineAECEnv"),
        ({"agents": 0, "competitors": ["cubic"]}, "less than 1"),
        ({"render_mode": "human"}, "nothing is drawn"),
    ],
)
def test_says_what_is_wrong(words: dict[str, Any], why: str) -> None:
    with pytest.raises(paceline.PacelineError, match=why):
        PacelineEnv(**words).reset(seed=0)


def test_an_action_that_is_no_number_is_refused() -> None:
    env = PacelineEnv(**STILL)
    env.reset(seed=0)
    with pytest.raises(paceline.PacelineError, match="finite"):
        env.step(np.array([np.nan]))
    with pytest.raises(paceline.PacelineError, match="over"):
        env.step(np.array([0.0]))
