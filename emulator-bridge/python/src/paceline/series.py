"""A run's samples over time, a column each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._engine import Run

Column = np.ndarray


class Series(Mapping[str, Column]):
    """Columns by name, as the exports call them (docs/exports.md): ``link_capacity_mbps``, ``sender0_cwnd_bytes`` …

    ``time_s`` is (rows,) float64, all others (rows,) float32, NaN where nothing was measured. Those of a run of this process are views of
    the engine's memory: nothing is copied, and nothing can be written. ``states`` names what the numbers of some columns mean.
    """

    def __init__(self, time_s: Column, columns: Mapping[str, Column], states: Mapping[str, tuple[str, ...]]) -> None:
        self._columns: dict[str, Column] = {"time_s": time_s, **columns}
        self.states = states

    @property
    def time_s(self) -> Column:
        """When, in seconds of the run."""
        return self._columns["time_s"]

    def __getitem__(self, name: str) -> Column:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"no column {name!r}; there are {', '.join(self._columns)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<Series: {len(self.time_s)} rows of {len(self)} columns>"

    def to_pandas(self) -> pandas.DataFrame:
        """As a DataFrame of pandas."""
        import pandas

        return pandas.DataFrame(dict(self._columns), copy=False)

    def to_polars(self) -> polars.DataFrame:
        """As a DataFrame of polars."""
        import polars

        return polars.DataFrame(dict(self._columns))

    def to_arrow(self) -> pyarrow.Table:
        """As a table of Arrow."""
        import pyarrow

        # Arrow wants values beside each other.
        return pyarrow.table({name: np.ascontiguousarray(column) for name, column in self._columns.items()})


def _prefix(stream: Mapping[str, Any]) -> str:
    kind = stream["kind"]
    if kind == "link":
        return "link" if stream["direction"] == "forward" else "reverse"
    if kind == "element":
        return f"{stream['direction']}{stream['place']}_{stream['element'].replace('-', '_')}"
    return f"{kind}{stream['flow']}"


def series_of(run: Run) -> Series:
    """Of a run of this process. In virtual time all streams are sampled at once."""
    time_s: Column = np.empty(0)
    columns: dict[str, Column] = {}
    states: dict[str, tuple[str, ...]] = {}
    for stream in run.hello["streams"]:
        times, values = run.series(stream["stream"])
        if len(times) > len(time_s):
            time_s = times
        for at, column in enumerate(c for c in stream["columns"] if c["name"] != "time_s"):
            name = f"{_prefix(stream)}_{column['name']}"
            columns[name] = values[:, at]
            if column.get("states"):
                states[name] = tuple(column["states"])
    return Series(time_s, columns, states)


def series_from_rows(names: list[str], rows: list[list[Any]]) -> Series:
    """Of the JSON that a server writes, where states stand by name."""
    columns: dict[str, Column] = {}
    states: dict[str, tuple[str, ...]] = {}
    for at, name in enumerate(names):
        values = [row[at] for row in rows]
        if any(isinstance(value, str) for value in values):
            words = sorted({value for value in values if isinstance(value, str)})
            states[name] = tuple(words)
            values = [words.index(value) if isinstance(value, str) else value for value in values]
        kind = np.float64 if name == "time_s" else np.float32
        columns[name] = np.array([np.nan if value is None else value for value in values], dtype=kind)
    return Series(columns.pop("time_s"), columns, states)


SeriesOf = Callable[[str], Series]
