"""Experiments in this process are those of the command line, to the last bit."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path
from typing import Any

import cli
import numpy as np
import pytest
from conftest import SPEC

import paceline


@pytest.fixture(scope="module")
def by_cli(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    bundle, report = folder / "all.paceline.zip", folder / "report.html"
    cli.summary(root, SPEC, folder, "--bundle", str(bundle), "--report", str(report))
    return folder


def test_is_what_the_command_line_writes(result: paceline.Result, by_cli: Path) -> None:
    theirs = json.loads((by_cli / "out" / "summary.json").read_text())
    ours = dict(result.data)
    for side in (ours, theirs):
        del side["created_at"]
    assert ours == theirs


def test_has_the_same_row_for_each_run(result: paceline.Result, by_cli: Path) -> None:
    with (by_cli / "out" / "summary.csv").open() as file:
        theirs = list(csv.DictReader(file))
    ours = list(result.table)
    assert len(ours) == len(theirs) > 20
    for mine, row in zip(ours, theirs, strict=True):
        assert list(mine) == list(row)
        for name, value in mine.items():
            if isinstance(value, bool):
                assert row[name] == str(value).lower()
            elif isinstance(value, (int, float)):
                assert float(row[name]) == value
            else:
                assert row[name] == (value or "")


def test_series_are_the_same_floats(result: paceline.Result, by_cli: Path) -> None:
    run = result.run(cca="bbr", trace="Cellular walk, LTE-like", buffer={"bdp": 1}, repetition=1)
    series = run.series()
    with (by_cli / "out" / "series" / f"{run.id}.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(series.time_s) == len(rows) == 1000
    assert [name for name in rows[0] if name in series] == list(series)
    for name, column in series.items():
        for at in range(0, len(rows), 7):
            text = rows[at][name]
            if text == "":
                assert np.isnan(column[at]), name
            elif name in series.states:
                assert series.states[name][int(column[at])] == text
            else:
                assert column.dtype.type(text) == column[at], name


def test_series_are_views_that_outlive_the_result() -> None:
    result = paceline.run({**SPEC, "repetitions": 1, "full_scores": False, "ccas": [{"id": "cubic"}]})
    column = result.runs[0].series()["sender0_cwnd_bytes"]
    copy = column.copy()
    del result
    paceline.run({**SPEC, "repetitions": 1, "full_scores": False, "ccas": [{"id": "bbr"}]})
    assert not column.flags.owndata and not column.flags.writeable
    np.testing.assert_array_equal(column, copy)


def test_a_bundle_opens_to_the_same(result: paceline.Result, by_cli: Path) -> None:
    opened = paceline.open(by_cli / "all.paceline.zip")
    assert opened.id == result.id
    assert json.loads(json.dumps(opened.derived)) == json.loads(json.dumps(result.derived))
    assert [run.summary for run in opened.runs] == [run.summary for run in result.runs]
    assert opened.runs[0].manifest["duration_s"] == 10
    with pytest.raises(paceline.PacelineError, match="carries no samples"):
        opened.runs[0].series()


def _changed(bundle: Path, path: Path, change: Any) -> Path:
    """Another bundle, whose hashes are right."""
    with zipfile.ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    hashes = {name: hashlib.sha256(text).hexdigest() for name, text in files.items() if name != "sha256.json"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {**files, "sha256.json": json.dumps(hashes).encode()}.items():
            archive.writestr(name, text)
    return path


def test_a_bundle_is_not_believed(by_cli: Path, tmp_path: Path) -> None:
    def first_line(name: str, old: bytes, new: bytes) -> Any:
        def change(files: dict[str, bytes]) -> None:
            assert old in files[name]
            files[name] = files[name].replace(old, new, 1)

        return change

    def open_changed(change: Any) -> paceline.Result:
        return paceline.open(_changed(by_cli / "all.paceline.zip", tmp_path / "changed.paceline.zip", change))

    with pytest.raises(paceline.PacelineError, match="not what its manifest says"):
        open_changed(first_line("manifests.ndjson", b'"duration_s":10', b'"duration_s":11'))
    with pytest.raises(paceline.PacelineError, match="no such run"):
        open_changed(first_line("runs.ndjson", b'"repetition":0', b'"repetition":9'))
    with pytest.raises(paceline.PacelineError, match="no whole bundle"):
        open_changed(lambda files: files.update({"runs.ndjson": b"[[[\n"}))

    def strangers_page(files: dict[str, bytes]) -> None:
        files["report.html"] = b"<script>alert(1)</script>"

    assert "alert(1)" not in open_changed(strangers_page).report()


def test_frames_of_pandas_polars_and_arrow_say_the_same(result: paceline.Result) -> None:
    pandas, polars, arrow = result.to_pandas(), result.to_polars(), result.to_arrow()
    assert len(pandas) == polars.height == arrow.num_rows == len(result.runs)
    for name in ("utilisation", "queueing_p95_ms"):
        np.testing.assert_array_equal(pandas[name].to_numpy(), polars[name].to_numpy())
        np.testing.assert_array_equal(pandas[name].to_numpy(), arrow[name].to_numpy(zero_copy_only=False))
    series = result.runs[0].series()
    assert series.to_polars()["link_queue_bytes"].sum() == pytest.approx(series["link_queue_bytes"].sum())
    assert series.to_pandas().shape == (len(series.time_s), len(series))
    assert series.to_arrow().num_rows == len(series.time_s)


def test_the_report_is_the_command_lines(result: paceline.Result, by_cli: Path, tmp_path: Path) -> None:
    theirs = (by_cli / "report.html").read_text()
    ours = result.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == ours

    def without_time(html: str) -> str:
        return re.sub(r"20\d\d-\d\d-\d\dT\d\d(%3A|:)\d\d(%3A|:)\d\d\.\d{3}Z", "then", html)

    assert without_time(ours) == without_time(theirs)
    assert ours.count("<svg") > 3
    assert 'srcdoc="&lt;!doctype html' in result._repr_html_().lower()


def test_names_what_is_wrong_and_where() -> None:
    with pytest.raises(paceline.SpecError) as told:
        paceline.run({**SPEC, "traces": [{"trace": "nowhere"}], "ccas": [{"id": "cubik"}]})
    assert [fault["where"] for fault in told.value.faults] == ["traces.0.trace", "ccas.0.id"]
    with pytest.raises(paceline.SpecError) as told:
        paceline.plan({"traces": "all", "ccas": [{"id": "cubic"}]})
    assert told.value.faults[0]["where"] == "traces"
    with pytest.raises(paceline.PacelineError, match="real time"):
        paceline.run({**SPEC, "engine": "realtime"})
    with pytest.raises(paceline.PacelineError, match="name one"):
        paceline.run({**SPEC, "repetitions": 1, "full_scores": False}).run(cca="cubic")


def test_runs_over_what_the_spec_brings(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("time_s,rate_mbps\n" + "".join(f"{i / 10},{8 + 4 * (i % 2)}\n" for i in range(200)))
    trace = paceline.Trace.load(file)
    by_path = paceline.run({"traces": [{"trace": str(file)}], "ccas": [{"id": "cubic"}], "duration_s": 5})
    by_object = paceline.run({"traces": [trace], "ccas": [{"id": "cubic"}], "duration_s": 5})
    assert by_path.runs[0].id == by_object.runs[0].id
    assert by_object.cells[0]["trace_name"] == "mine.csv"
    assert 7 < by_object.runs[0].summary["links"][0]["capacity_mean_mbps"] < 13


def test_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    paceline.run({**SPEC, "repetitions": 1}, progress=lambda done, of: told.append((done, of)))
    assert told[0][0] == 0 and told[-1][0] == told[-1][1] == told[0][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)


ENDLESS = """
import paceline, sys
planned = paceline.plan({"traces": [{"rate_mbps": 1000}], "ccas": [{"id": "cubic"}, {"id": "bbr"}], "duration_s": 80000})
print("begun", flush=True)
try:
    paceline.run(planned, samples=False)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    print(len(paceline.run({"traces": [{"rate_mbps": 1}], "ccas": [{"id": "cubic"}], "duration_s": 1}).runs))
"""


def test_ctrl_c_ends_it_at_once_and_another_can_be_run() -> None:
    with subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None and child.stdout.readline() == "begun\n"
            time.sleep(0.5)
            begun = time.monotonic()
            os.kill(child.pid, signal.SIGINT)
            assert child.stdout.readline() == "interrupted\n"
            assert time.monotonic() - begun < 5
            assert child.stdout.readline() == "1\n"
            assert child.wait(30) == 0
        finally:
            child.kill()


def test_others_go_on_while_it_runs() -> None:
    """The interpreter's lock is free: another thread counts while the engine works."""
    planned = paceline.plan({"traces": [{"rate_mbps": 100}], "ccas": [{"id": "cubic"}], "duration_s": 100})
    counted, done = 0, threading.Event()

    def run() -> None:
        paceline.run(planned, samples=False, workers=1)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.wait(0.001):
        counted += 1
    thread.join()
    assert counted > 20
