"""What came of an experiment: the same numbers as the page, the command line and a server have, by the same code."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import PacelineError
from .series import Series, SeriesOf

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


@dataclass(frozen=True)
class RunResult:
    """One run of an experiment. ``summary`` is ``None`` where it has no result; ``reason`` says why."""

    id: str
    cell: str
    role: str
    repetition: int
    state: str
    reason: str | None
    summary: Mapping[str, Any] | None
    manifest: Mapping[str, Any]
    _series: SeriesOf

    def series(self) -> Series:
        """Its samples. Raises PacelineError where none are kept."""
        return self._series(self.id)

    def __repr__(self) -> str:
        return f"<Run {self.id}: {self.cell}, {self.role}, repetition {self.repetition}, {self.state}>"


@dataclass(frozen=True)
class Table:
    """Rows by columns: of runs one each, of cells one each."""

    columns: Mapping[str, Sequence[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        names = list(self.columns)
        for values in zip(*self.columns.values(), strict=True):
            yield dict(zip(names, values, strict=True))

    def __getitem__(self, name: str) -> Sequence[Any]:
        return self.columns[name]

    def to_pandas(self) -> pandas.DataFrame:
        """As a DataFrame of pandas."""
        import pandas

        return pandas.DataFrame(dict(self.columns))

    def to_polars(self) -> polars.DataFrame:
        """As a DataFrame of polars."""
        import polars

        return polars.DataFrame(dict(self.columns))

    def to_arrow(self) -> pyarrow.Table:
        """As a table of Arrow."""
        import pyarrow

        return pyarrow.table(dict(self.columns))


class Result:
    """An experiment with all its runs and what is derived of them.

    ``data`` is the whole of it, as ``summary.json`` of the command line and ``export?format=json`` of a server have it (docs/exports.md).
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        *,
        table: Sequence[Mapping[str, Any]],
        answers: Sequence[Mapping[str, Any]],
        manifests: Mapping[str, Mapping[str, Any]],
        series: SeriesOf,
        report: Callable[[], str],
    ) -> None:
        self.data = data
        self._report = report
        self._table = table
        self.answers = answers
        """In sentences: for each application and network, which algorithm, and how surely."""
        self._manifests = manifests
        self._series = series

    def __repr__(self) -> str:
        return f"<Result {self.id}: {self.name}, {len(self.cells)} cells, {len(self.runs)} runs>"

    @property
    def id(self) -> str:
        """The experiment's: the same spec and engine have the same everywhere."""
        return str(self.data["id"])

    @property
    def name(self) -> str:
        """As the spec has it."""
        return str(self.data["name"])

    @property
    def spec(self) -> Mapping[str, Any]:
        """With all defaults, traces by content."""
        return dict(self.data["spec"])

    @property
    def engine_version(self) -> str:
        """Of the engine that made the runs."""
        return str(self.data["engine_version"])

    @property
    def cells(self) -> Sequence[Mapping[str, Any]]:
        """The places of the matrix."""
        return list(self.data["cells"])

    @cached_property
    def runs(self) -> list[RunResult]:
        """All runs, in the order of the matrix."""
        return [
            RunResult(
                id=run["id"],
                cell=run["cell"],
                role=run["role"],
                repetition=run["repetition"],
                state=run["state"],
                reason=run["reason"],
                summary=run["summary"],
                manifest=self._manifests.get(run["id"], {}),
                _series=self._series,
            )
            for run in self.data["runs"]
        ]

    def run(self, *, repetition: int = 0, role: str = "solo", **where: Any) -> RunResult:
        """The one run that ``where`` names: by ``cca``, ``trace``, ``base_rtt_ms``, ``queue``, ``loss`` or ``buffer``."""
        found = [
            run
            for run in self.runs
            if run.role == role and run.repetition == repetition and _is(self._cell(run.cell), where)
        ]
        if len(found) != 1:
            raise PacelineError(f"{len(found)} runs are {where or 'solo'}: name one")
        return found[0]

    def _cell(self, key: str) -> Mapping[str, Any]:
        return next(cell for cell in self.cells if cell["key"] == key)

    @property
    def derived(self) -> Mapping[str, Any]:
        """Table, frontiers, scores, stability, harm, crossings, queueing: docs/exports.md says what each is."""
        return dict(self.data["derived"])

    @property
    def frontiers(self) -> Sequence[Mapping[str, Any]]:
        """Throughput over mean queueing delay, a plane for each condition."""
        return list(self.derived["frontiers"])

    @property
    def scores(self) -> Sequence[Mapping[str, Any]]:
        """Of each scenario, with ranks and ties."""
        return list(self.derived["scores"])

    @property
    def harm(self) -> Mapping[str, Any]:
        """Who harms the baseline by how much."""
        return dict(self.derived["harm"])

    @cached_property
    def table(self) -> Table:
        """A row per run with its place in the matrix and its figures, as ``summary.csv`` has them."""
        return Table({column["name"]: column["values"] for column in self._table})

    def to_pandas(self) -> pandas.DataFrame:
        """A row per run, as a DataFrame of pandas."""
        return self.table.to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """A row per run, as a DataFrame of polars."""
        return self.table.to_polars()

    def to_arrow(self) -> pyarrow.Table:
        """A row per run, as a table of Arrow."""
        return self.table.to_arrow()

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """All of it as one file of HTML to read anywhere: sentences, figures as SVG, tables, methods, sources (docs/exports.md).

        With ``path`` it is written there, too. A notebook shows it for the result itself.
        """
        html = self._report()
        if path is not None:
            Path(path).write_text(html, encoding="utf-8")
        return html

    def _repr_html_(self) -> str:
        # In a frame of its own, whose rules are not the notebook's; nothing in it runs, and nothing is fetched.
        frame = 'style="width:100%;height:720px;border:1px solid #8884;border-radius:6px" sandbox=""'
        return f'<iframe {frame} title="{escape(self.name)}" srcdoc="{escape(self.report())}"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes ``data`` as JSON."""
        Path(path).write_text(json.dumps(self.data), encoding="utf-8")


def _is(cell: Mapping[str, Any], where: Mapping[str, Any]) -> bool:
    at = {
        "cca": cell["cca"]["id"],
        "trace": cell["trace_name"],
        "base_rtt_ms": cell["base_rtt_ms"],
        "loss": cell["loss"],
        "buffer": cell["buffer"],
        "queue": (cell.get("queue") or {}).get("id"),
    }
    unknown = set(where) - set(at)
    if unknown:
        raise PacelineError(f"a run is not named by {', '.join(sorted(unknown))}, but by {', '.join(at)}")
    return all(
        at[name] == value or (name == "base_rtt_ms" and np.isclose(at[name], value)) for name, value in where.items()
    )
