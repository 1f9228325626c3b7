"""The card of a trained agent, from what its training wrote down: nothing in it is typed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def card(training: Mapping[str, Any]) -> str:
    """Markdown."""
    plan, verdict = training["plan"], training["verdict"]
    other = plan["judging"]["against"]["id"]
    low, high = verdict["interval"]
    worse = {name: both for name, both in verdict["traces"].items() if both[0] < both[1]}
    losses = verdict.get("losses", {})
    return "\n".join(
        [
            f"# The agent of {plan['loop']}",
            "",
            f"Trained here by TD3 over {training['decisions']:,} decisions, for {_reward(plan['reward'])}. Made by "
            f"`npm run train -- {plan['name']}` in {training['minutes']} minutes, seed {plan['seed']}; plan, curve and versions: "
            f"`{plan['name']}.training.json`.",
            "",
            "## What it learned on",
            "",
            *[_scenario(scenario) for scenario in plan["scenarios"]],
            "",
            f"Inputs: {', '.join(plan['inputs'])}; {plan['history']} looks of them. Layers: {', '.join(map(str, plan['hidden']))}, 1.",
            "",
            f"## Against {other}, over traces that it has not seen",
            "",
            f"Metric: `{verdict['metric']}`, higher is better; means over {len(verdict['traces'])} traces. Difference "
            f"{verdict['difference']:+.3f} (95 %: {low:+.3f} to {high:+.3f}, traces resampled), p = {verdict['p']:.2g} (signs of the "
            "differences thrown anew, two-sided).",
            "",
            f"| trace | {plan['loop']} | {other} |",
            "|---|---|---|",
            *[f"| {name} | {both[0]:.3f} | {both[1]:.3f} |" for name, both in verdict["traces"].items()],
            f"| **all** | **{verdict['agent']:.3f}** | **{verdict['other']:.3f}** |",
            "",
            f"| mean | {plan['loop']} | {other} |",
            "|---|---|---|",
            *[f"| {name} | {both[0]:.4g} | {both[1]:.4g} |" for name, both in verdict["details"].items()],
            *[
                f"| {verdict['metric']}, links that lose {100 * float(loss):g} % at random | {both[0]:.4g} | {both[1]:.4g} |"
                for loss, both in losses.items()
                if len(losses) > 1
            ],
            "",
            "## Where it fails",
            "",
            f"Worse than {other} on {len(worse)} of {len(verdict['traces'])}: {', '.join(worse)}."
            if worse
            else f"On none of these traces it is worse than {other}.",
            *[
                f"On links that lose {100 * float(loss):g} % at random it is worse than {other} in the mean: "
                f"{both[0]:.3f}, not {both[1]:.3f}."
                for loss, both in losses.items()
                if len(losses) > 1 and both[0] < both[1]
            ],
            "It has learned alone on its link: what it does beside others was neither trained nor judged. Rates, round trips and limits "
            "outside of those above are new to it.",
            "",
        ]
    )


def _reward(reward: str | Mapping[str, float]) -> str:
    if isinstance(reward, str):
        return "the reward of the loop's paper"
    terms = " ".join(f"{'+' if weight > 0 else '-'} {abs(weight):g} · {term}" for term, weight in reward.items())
    return f"the reward of the loop's paper as a share ({terms.removeprefix('+ ')})"


def _scenario(words: Mapping[str, Any]) -> str:
    traces = ", ".join(_trace(trace) for trace in words["traces"])
    others = "; ".join(f"{name} {_range(value)}" for name, value in words.items() if name != "traces")
    return f"- {traces}; {others}"


def _trace(named: Any) -> str:
    if isinstance(named, Mapping):
        scale = f", {named['scale']:g} of its rate" if "scale" in named else ""
        return f"recipe {named['recipe']} (seeds {', '.join(map(str, named['seeds']))}{scale})"
    return named if isinstance(named, str) else f"{_range(named)} Mbps"


def _range(value: Any) -> str:
    return f"{value[0]} to {value[1]}" if isinstance(value, (list, tuple)) else str(value)
