"""Traces come in in every form, and go out again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import paceline
from paceline import Trace


def test_the_library_is_there() -> None:
    names = [trace.name for trace in paceline.library()]
    assert "3G HSPA+ city drive, recorded" in names and len(names) > 30


def test_counts_are_opportunities_by_the_millisecond() -> None:
    trace = paceline.shipped("Cellular walk, LTE-like")
    assert trace.counts.sum() == trace.info["opportunities"]
    assert len(trace.counts) == trace.info["period_ms"] + 1
    assert trace.counts.sum() * 1500 * 8 / trace.period_s / 1e6 == pytest.approx(trace.mean_mbps, abs=1e-3)


@pytest.mark.parametrize("form", ["ms-count", "mahimahi"])
def test_is_the_same_once_written_and_read(form: str, tmp_path: Path) -> None:
    trace = paceline.shipped("3G HSPA+ city drive, recorded")
    trace.save(tmp_path / "out.trace", form=form)
    assert Trace.load(tmp_path / "out.trace").id == trace.id


def test_a_csv_has_its_rates(tmp_path: Path) -> None:
    trace = paceline.shipped("Step between 12 and 48 Mbps")
    trace.save(tmp_path / "out.csv", form="csv", step_ms=100)
    rates = np.loadtxt(tmp_path / "out.csv", delimiter=",", skiprows=1)[:, 1]
    assert rates.mean() == pytest.approx(trace.mean_mbps, rel=0.01)


def test_a_recipe_makes_another_trace_for_each_seed_and_the_same_for_one() -> None:
    one = Trace.from_recipe("city-drive", seed=1, duration_s=20)
    assert Trace.from_recipe("city-drive", seed=1, duration_s=20).id == one.id
    assert Trace.from_recipe("city-drive", seed=2, duration_s=20).id != one.id
    assert one.period_s == pytest.approx(20, abs=0.1)


def test_an_edit_is_another_trace() -> None:
    trace = paceline.shipped("Constant, 48 Mbps")
    edited = trace.edit([{"op": "cut", "from_ms": 0, "to_ms": 10_000}, {"op": "scale", "factor": 0.5}])
    assert edited.period_s == pytest.approx(10) and edited.mean_mbps == pytest.approx(24, rel=0.01)


def test_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    bad = tmp_path / "bad.trace"
    bad.write_text("1\n2\nthree\n")
    with pytest.raises(paceline.PacelineError, match="line 3"):
        Trace.load(bad)
    with pytest.raises(paceline.PacelineError, match="no shipped trace"):
        paceline.shipped("nowhere")
    with pytest.raises(paceline.PacelineError):
        Trace.load(tmp_path / "absent")
