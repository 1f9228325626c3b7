"""Paceline: a laboratory for congestion control over cellular links.

>>> import paceline
>>> result = paceline.run({"traces": [{"trace": "City drive, 5G"}], "ccas": [{"id": "cubic"}, {"id": "bbr"}]})
>>> result.to_pandas()
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from ._engine import engine_version, listing
from .bundles import open
from .client import Client
from .controllers import controller
from .errors import Cancelled, PacelineError, SpecError
from .results import Result, RunResult, Table
from .running import Planned, plan, run
from .series import Series
from .traces import Trace, library, shipped

try:
    __version__ = version("paceline")
except PackageNotFoundError:  # a checkout that was not installed
    __version__ = "0"

__all__ = [
    "Cancelled",
    "Client",
    "PacelineError",
    "Planned",
    "Result",
    "RunResult",
    "Series",
    "SpecError",
    "Table",
    "Trace",
    "controller",
    "engine_version",
    "library",
    "listing",
    "open",
    "plan",
    "run",
    "shipped",
]
