"""Traces: read in any form, made of recipes, edited, written."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ._made import made
from .errors import PacelineError

PACKET_BYTES = 1500
"""What a delivery opportunity carries."""


def _tool(*words: str, text: str | None = None) -> str:
    done = subprocess.run(
        [str(made("paceline-trace")), *words], input=text, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise PacelineError(done.stderr.strip() or f"paceline-trace ended with {done.returncode}")
    return done.stdout


@dataclass(frozen=True)
class Trace:
    """The capacity of a link over time, as delivery opportunities by the millisecond.

    ``text`` is its stored form, ``info`` its statistics; ``info["sha256"]`` is what runs know it by.
    """

    name: str
    text: bytes = field(repr=False)
    info: Mapping[str, Any] = field(repr=False)
    spark: Sequence[float] = field(repr=False, default=())

    @property
    def id(self) -> str:
        """Content hash."""
        return str(self.info["sha256"])

    @property
    def mean_mbps(self) -> float:
        """Mean capacity."""
        return float(self.info["mean_mbps"])

    @property
    def period_s(self) -> float:
        """After that it repeats."""
        return float(self.info["period_ms"]) / 1e3

    @property
    def counts(self) -> np.ndarray:
        """Opportunities of 1500 bytes by millisecond: (period + 1,) uint32; the last is that of the period itself."""
        rows = np.array(self.text.split(), dtype=np.int64).reshape(-1, 2)
        counts = np.zeros(rows[-1, 0] + 1, dtype=np.uint32)
        counts[rows[:, 0]] = rows[:, 1]
        return counts

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, name: str | None = None, format: str | None = None) -> Trace:
        """Reads a file in any of the forms that are known; it is told by its content, or by ``format``."""
        source = Path(path)
        chosen = () if format is None else ("--format", format)
        with tempfile.TemporaryDirectory(prefix="paceline-") as folder:
            said = json.loads(_tool("import", str(source), "--out-dir", folder, "--bins", "200", *chosen))
            return cls._said(said, Path(folder) / f"{said['info']['sha256']}.trace", name or source.name)

    @classmethod
    def from_recipe(
        cls,
        recipe: str | Mapping[str, Any],
        *,
        seed: int | None = None,
        duration_s: float | None = None,
        name: str | None = None,
    ) -> Trace:
        """Makes a synthetic trace of a recipe: one that is shipped, by name (``city-drive``), a file, or a dict."""
        words: list[str] = []
        if seed is not None:
            words += ["--seed", str(seed)]
        if duration_s is not None:
            words += ["--duration", f"{duration_s:g}"]
        with tempfile.TemporaryDirectory(prefix="paceline-") as folder:
            if isinstance(recipe, str):
                shipped = made("recipes") / f"{recipe}.json"
                file = shipped if os.sep not in recipe and shipped.exists() else Path(recipe)
                called = file.stem
            else:
                file = Path(folder) / "recipe.json"
                file.write_text(json.dumps(recipe))
                called = str(recipe.get("name", "recipe"))
            out = Path(folder) / "made.trace"
            _tool("make", str(file), "--out", str(out), *words)
            return cls.load(out, name=name or (called if seed is None else f"{called}, seed {seed}"))

    @classmethod
    def constant(cls, mbps: float) -> dict[str, float]:
        """A link of one rate, as specs have it; it needs no trace."""
        return {"rate_mbps": mbps}

    def edit(self, steps: Sequence[Mapping[str, Any]], *, name: str | None = None) -> Trace:
        """Another trace: this one cut, scaled, repeated … (docs/traces.md, *Editing*)."""
        with tempfile.TemporaryDirectory(prefix="paceline-") as folder:
            (Path(folder) / f"{self.id}.trace").write_bytes(self.text)
            asked = Path(folder) / "edit.json"
            asked.write_text(json.dumps({"schema": 1, "source": self.id, "steps": list(steps)}))
            out = Path(folder) / "edited.trace"
            _tool("edit", str(asked), "--traces", folder, "--out", str(out))
            return Trace.load(out, name=name or f"{self.name}, edited")

    def save(self, path: str | os.PathLike[str], *, form: str = "ms-count", step_ms: int | None = None) -> None:
        """Writes it: as ``ms-count`` (all of it), ``mahimahi``, ``csv`` (time_s, rate_mbps) or ``netem`` (a script)."""
        step = () if step_ms is None else ("--step-ms", str(step_ms))
        with tempfile.TemporaryDirectory(prefix="paceline-") as folder:
            file = Path(folder) / f"{self.id}.trace"
            # A short one could as well be seconds and Mbps.
            file.write_bytes(b"# ms count\n" + self.text)
            _tool("convert", str(file), "--to", form, "--out", str(Path(path)), "--name", self.name, *step)

    @classmethod
    def _said(cls, said: Mapping[str, Any], file: Path, name: str) -> Trace:
        return cls(name=name, text=file.read_bytes(), info=said["info"], spark=said["preview"]["mean_mbps"])


@lru_cache(maxsize=1)
def _index() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((made("traces") / "library.json").read_text())
    return found


def library() -> list[Trace]:
    """The shipped traces: recordings, and what the shipped recipes make."""
    return [shipped(entry["name"]) for entry in _index()]


@cache
def shipped(name: str) -> Trace:
    """One of the shipped traces, by its name."""
    for entry in _index():
        if name in (entry["name"], entry["info"]["sha256"], *entry["about"].get("formerly", ())):
            text = gzip.decompress((made("traces") / entry["file"]).read_bytes())
            return Trace(name=entry["name"], text=text, info=entry["info"], spark=entry["spark"])
    raise PacelineError(f"no shipped trace is called {name!r}; there are {', '.join(e['name'] for e in _index())}")
