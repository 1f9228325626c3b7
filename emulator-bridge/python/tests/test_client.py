"""A server gives the same results as this process."""

from __future__ import annotations

import http.server
import json
import re
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import SPEC

import paceline
from paceline._planner import find_node

TOKEN = "a-token-of-some-length"


@pytest.fixture(scope="module")
def server(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("server")
    token = folder / "token"
    token.write_text(TOKEN)
    words = ["serve", "--port", "0", "--data-dir", str(folder / "data"), "--token-file", str(token)]
    command = [find_node(), str(root / "bin" / "paceline.mjs"), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as child:
        try:
            address = None
            assert child.stdout is not None
            for line in child.stdout:
                found = re.search(r"http://127\.0\.0\.1:\d+", line)
                if found:
                    address = found[0]
                    break
            assert address is not None, "the server has not begun"
            yield address
        finally:
            child.terminate()
            child.wait(30)


@pytest.fixture(scope="module")
def client(server: str) -> paceline.Client:
    return paceline.Client(server, token=TOKEN)


def test_is_what_this_process_makes(result: paceline.Result, client: paceline.Client) -> None:
    there = client.run(SPEC)
    assert there.id == result.id
    assert json.loads(json.dumps(there.derived)) == json.loads(json.dumps(result.derived))
    assert [run.summary for run in there.runs] == [run.summary for run in result.runs]
    assert list(there.answers) == list(result.answers)
    ours, theirs = result.to_pandas(), there.to_pandas()
    for name in ("utilisation", "queueing_p95_ms", "jain"):
        np.testing.assert_array_equal(ours[name].to_numpy(), theirs[name].to_numpy())
    assert there.runs[0].manifest == result.runs[0].manifest

    here, far = result.runs[3].series(), there.runs[3].series()
    assert list(here) == list(far)
    np.testing.assert_array_equal(here["link_queue_bytes"], far["link_queue_bytes"])

    opened = paceline.open(f"{client.url}/e/{there.id}", token=TOKEN)
    assert opened.data == there.data
    assert there.id in [experiment["id"] for experiment in client.experiments()]


def test_brings_a_trace_there(client: paceline.Client, tmp_path: Path) -> None:
    file = tmp_path / "mine.trace"
    paceline.shipped("Constant, 48 Mbps").edit([{"op": "cut", "from_ms": 0, "to_ms": 3000}]).save(file)
    trace = client.upload(file)
    assert trace == paceline.Trace.load(file).id
    assert client.run({"traces": [{"trace": trace}], "ccas": [{"id": "cubic"}], "duration_s": 2}).cells


def test_keeps_private_what_is_said_to_be(client: paceline.Client, tmp_path: Path) -> None:
    file = tmp_path / "secret.trace"
    paceline.shipped("Constant, 48 Mbps").edit([{"op": "cut", "from_ms": 0, "to_ms": 4000}]).save(file)
    trace = client.upload(file, private=True)
    spec = {"traces": [{"rate_mbps": 12}], "ccas": [{"id": "cubic"}], "duration_s": 2}
    shown, hidden = client.run(spec), client.run(spec, private=True)
    over_it = client.run({**spec, "traces": [{"trace": trace}]})
    assert shown.id != hidden.id
    assert [run.id for run in shown.runs] == [run.id for run in hidden.runs]

    def private() -> set[str]:
        return {experiment["id"] for experiment in client.experiments() if experiment.get("private", False)}

    assert private() == {hidden.id, over_it.id}
    with pytest.raises(paceline.PacelineError, match="STILL_PRIVATE"):
        client.publish(over_it.id)
    for id in (trace, over_it.id, hidden.id):
        client.publish(id)
    assert private() == set()


def test_says_what_the_server_says(client: paceline.Client, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(paceline.SpecError) as told:
        client.run({**SPEC, "ccas": [{"id": "cubik"}]})
    assert told.value.faults[0]["where"] == "ccas.0.id"
    monkeypatch.delenv("PACELINE_TOKEN", raising=False)
    with pytest.raises(paceline.PacelineError, match="TOKEN_REQUIRED"):
        paceline.Client(server).experiments()
    with pytest.raises(paceline.PacelineError, match="cannot be reached"):
        paceline.Client("http://127.0.0.1:1").experiments()
    with pytest.raises(paceline.PacelineError, match="cannot be reached"):
        paceline.Client("http://127.0.0.1:1").upload(__file__)
    with pytest.raises(paceline.PacelineError, match="no address"):
        paceline.Client("file:///etc/passwd")


def _zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"../../evil": b"x"}, "no file"),
        ({"spec.json": b"{}"}, "no sha256.json"),
        ({"report.html": b"0" * 2 * 2**20}, "larger than any"),
        ({f"traces/{i:064x}.trace": b"" for i in range(2101)}, "more than any"),
    ],
)
def test_refuses_what_is_no_bundle(
    files: dict[str, bytes], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paceline.bundles._MOST_BYTES", 2**20)
    with pytest.raises(paceline.PacelineError, match=why):
        paceline.open(_zip(tmp_path / "bad.paceline.zip", files))


def test_a_token_of_ones_own_is_told_to_no_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str | None] = []

    class Stranger(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.headers["Authorization"])
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    monkeypatch.setenv("PACELINE_TOKEN", "a-secret-of-my-own-server")
    with http.server.HTTPServer(("127.0.0.1", 0), Stranger) as stranger:
        thread = threading.Thread(target=stranger.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{stranger.server_port}/e/{'a' * 20}"
        for url in (address, f"{address}?token=for-the-stranger"):
            with pytest.raises(paceline.PacelineError):
                paceline.open(url)
        stranger.shutdown()
        thread.join()
    assert heard == [None, "Bearer for-the-stranger"]


def test_refuses_what_was_changed(tmp_path: Path) -> None:
    head = {"traces": [], "engine_version": None}
    files = {"paceline-bundle.json": json.dumps(head).encode(), "spec.json": b"{}", "runs.ndjson": b""}
    with pytest.raises(paceline.PacelineError, match="was changed"):
        paceline.open(_zip(tmp_path / "bad.paceline.zip", {**files, "sha256.json": b"{}"}))
    plain = tmp_path / "plain.zip"
    plain.write_bytes(b"no zip at all")
    with pytest.raises(paceline.PacelineError, match="no bundle"):
        paceline.open(plain)
    with pytest.raises(paceline.PacelineError, match="neither"):
        paceline.open("http://example.org/")
