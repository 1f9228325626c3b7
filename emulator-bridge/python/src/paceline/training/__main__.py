"""python -m paceline.training NAME: trains the agent of a plan, judges it over held-out traces, and writes what is shipped of it.

Writes the weights (NAME.weights.json), what they were made by and how it went (NAME.training.json), and a card of
both. What decides whether an agent is any good is not how it went but the comparison over traces that it has not seen.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._engine import engine_version
from .card import card
from .export import text_of, weights_file
from .improvement import improvement
from .judge import Verdict, judge
from .plan import Plan, plan_names, plan_of

if TYPE_CHECKING:
    from .learn import Learned

_LIBRARIES = ("skrl", "jax", "jaxlib", "flax", "optax", "numpy")


def main() -> int:
    """Trains, judges, writes. 3: the agent, or with ``--check`` the training, is not better with significance; nothing was written."""
    words = argparse.ArgumentParser(prog="python -m paceline.training", description=__doc__.split("\n", maxsplit=1)[0])
    words.add_argument("plan", choices=plan_names(), metavar="NAME", help=", ".join(plan_names()))
    words.add_argument("--out", type=Path, default=Path.cwd(), help="where the files go (here)")
    words.add_argument("--minutes", type=float, help="end the training after so long")
    words.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    words.add_argument(
        "--check", action="store_true", help="whether the training improves what decisions are worth; write nothing"
    )
    words.add_argument("--judge", type=Path, metavar="FILE", help="judge this weights file, train nothing")
    asked = words.parse_args()
    plan = plan_of(asked.plan)
    if asked.judge is not None:
        verdict = judge(plan, asked.judge)
        print(told(verdict, plan))
        return 0 if is_better(verdict) else 3
    return _train(plan, asked)


def is_better(verdict: Verdict) -> bool:
    """With significance, at 5 %."""
    return verdict.difference > 0 and verdict.p < 0.05


def told(verdict: Verdict, plan: Plan) -> str:
    """The verdict in a line."""
    low, high = verdict.interval
    return (
        f"{plan.loop} {verdict.agent:.3f}, {plan.judging['against']['id']} {verdict.other:.3f} ({verdict.metric}, "
        f"{len(verdict.traces)} held-out traces): {verdict.difference:+.3f}, 95 % {low:+.3f} to {high:+.3f}, p {verdict.p:.2g}"
    )


def _train(plan: Plan, asked: argparse.Namespace) -> int:
    from .learn import learn  # needs the extra of the package

    learned = learn(plan, threads=asked.threads, minutes=asked.minutes, say=lambda line: print(line, flush=True))
    if asked.check:
        change = improvement(plan, learned.begun, learned.layers, learned.scale, threads=asked.threads)
        print(
            f"A decision of {plan.loop} is worth {change.after.mean():.4f} after {learned.seconds / 60:.1f} minutes, "
            f"{change.before.mean():.4f} before, over {len(change.after)} episodes: p {change.p:.2g}"
        )
        return 0 if change.is_one else 3
    verdict = shipped(plan, learned, asked.out)
    print(told(verdict, plan))
    if is_better(verdict):
        return 0
    print("It is not better with significance: nothing was written.", file=sys.stderr)
    return 3


def shipped(plan: Plan, learned: Learned, out: Path) -> Verdict:
    """Judges what was learned, and writes the three files where it is better."""
    note = f"TD3 over {learned.decisions} decisions; how: {plan.name}.training.json"
    text = text_of(weights_file(plan, learned.layers, learned.scale, note))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{plan.name}.weights.json"
        file.write_text(text, encoding="utf-8")
        verdict = judge(plan, file)
    if not is_better(verdict):
        return verdict
    training: dict[str, Any] = {
        "plan": dataclasses.asdict(plan),
        "engine_version": engine_version(),
        "libraries": {name: metadata.version(name) for name in _LIBRARIES},
        "decisions": learned.decisions,
        "minutes": round(learned.seconds / 60, 1),
        "curve": [[step, round(worth, 5)] for step, worth in learned.curve],
        "verdict": rounded(dataclasses.asdict(verdict)),
    }
    out.mkdir(parents=True, exist_ok=True)
    for name, content in (
        (f"{plan.name}.weights.json", text),
        (f"{plan.name}.training.json", json.dumps(training, indent=1) + "\n"),
        (f"{plan.name}.md", card(training)),
    ):
        (out / name).write_text(content, encoding="utf-8")
    return verdict


def rounded(value: Any) -> Any:
    """To six digits, throughout."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {name: rounded(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(entry) for entry in value]
    return value


if __name__ == "__main__":
    sys.exit(main())
