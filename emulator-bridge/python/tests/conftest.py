"""What the tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import paceline

ROOT = Path(__file__).parents[3]

SPEC = {
    "name": "A small matrix",
    "traces": [{"trace": "Cellular walk, LTE-like"}, {"rate_mbps": 12}],
    "ccas": [{"id": "cubic"}, {"id": "bbr"}],
    "buffers": [{"bdp": 1}, {"bdp": 5}],
    "repetitions": 3,
    "duration_s": 10,
    "full_scores": True,
}


@pytest.fixture(scope="session")
def result() -> paceline.Result:
    return paceline.run(SPEC)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository, whose command line is held against the package."""
    return Path(os.environ.get("PACELINE_ROOT", ROOT))
