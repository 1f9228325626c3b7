"""Opens what others made: a bundle, or an experiment of a server."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

from .client import Client
from .errors import PacelineError
from .results import Result
from .running import _ask
from .series import Series
from .traces import Trace

_MIB = 2**20
_MOST_BYTES = 256 * _MIB
"""Of all files of a bundle together, unpacked: read, they take many times as much. What is larger is for a server."""
_MOST_RATIO = 200
"""Packed text becomes so many times as much at most, from some bytes on: what grows more is a bomb."""
_RATIO_FROM = 16 * _MIB
_MOST_FILES = 2100
_KINDS = re.compile(
    r"(paceline-bundle|spec|sha256|figures)\.json|README\.md|report\.html|summary\.csv|(manifests|runs)\.ndjson"
    r"|traces/[0-9a-f]{64}\.trace|weights/[0-9a-f]{64}\.json|algorithms/[0-9a-f]{64}\.ts"
)
_READ = re.compile(r"(paceline-bundle|spec)\.json|(manifests|runs)\.ndjson|traces/.*|weights/.*")
"""All else is for people, or is made anew here."""
_ADDRESS = re.compile(r"(?P<server>https?://[^/?#]+)/e/(?P<id>[a-z2-7]{20})(?P<query>\?[^#]*)?(#.*)?")


def open(source: str | os.PathLike[str], *, token: str | None = None) -> Result:
    """The result that a bundle (``.paceline.zip``) holds, or that stands at an experiment's address (``http://…/e/…``).

    Nothing of a bundle is believed but its numbers: each file must be one that bundles have and be what its hash says, each run one
    that its spec means and its manifest is; what is shown of it is made here. The token goes to a server only where ``token`` or the
    address has it.
    """
    found = _ADDRESS.fullmatch(os.fspath(source))
    if found is not None:
        return Client(found["server"] + (found["query"] or ""), token=token, own_token=False).experiment(found["id"])
    if not Path(source).is_file():
        raise PacelineError(f"{os.fspath(source)!r} is neither a bundle nor the address of an experiment")
    return _bundled(Path(source))


def _read(path: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if len(entries) > _MOST_FILES:
            raise PacelineError(f"{path.name} has {len(entries)} files, more than any bundle")
        unpacked = sum(entry.file_size for entry in entries)
        if unpacked > _MOST_BYTES or (unpacked > _RATIO_FROM and unpacked > _MOST_RATIO * path.stat().st_size):
            raise PacelineError(f"{path.name} would become larger than any bundle that is read here")
        for entry in entries:
            if _KINDS.fullmatch(entry.filename) is None:
                raise PacelineError(f"{path.name}: a bundle has no file {entry.filename!r}")
            if entry.filename in files:
                raise PacelineError(f"{path.name}: {entry.filename} is there twice")
            # Not more than it says of itself: what says less is a bomb.
            with archive.open(entry) as file:
                text = file.read(entry.file_size + 1)
            if len(text) != entry.file_size:
                raise PacelineError(f"{path.name}: {entry.filename} is not as long as it says")
            files[entry.filename] = text
    return files


def _checked(path: Path) -> dict[str, bytes]:
    """Those that are read, each as its hash says."""
    try:
        files = _read(path)
        hashes = json.loads(files["sha256.json"])
    except KeyError:
        raise PacelineError(f"{path.name} is no whole bundle: it has no sha256.json") from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError) as error:
        raise PacelineError(f"{path.name} is no bundle: {error}") from None
    for name, text in files.items():
        if name != "sha256.json" and (
            not isinstance(hashes, dict) or hashes.get(name) != hashlib.sha256(text).hexdigest()
        ):
            raise PacelineError(f"{path.name}: {name} was changed")
    return {name: text for name, text in files.items() if _READ.fullmatch(name) is not None}


def _bundled(path: Path) -> Result:
    files = _checked(path)
    try:
        head = json.loads(files["paceline-bundle.json"])
        spec = json.loads(files["spec.json"])
        runs = [json.loads(line) for line in files["runs.ndjson"].splitlines()]
        manifests = [json.loads(line) for line in files.get("manifests.ndjson", b"").splitlines()]
        return _result(path, files, head, spec, runs, {entry["run"]: entry["manifest"] for entry in manifests})
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise PacelineError(f"{path.name} is no whole bundle: {error!r}") from None


def _result(
    path: Path, files: dict[str, bytes], head: Any, spec: Any, runs: list[Any], manifests: dict[str, Any]
) -> Result:
    traces: dict[str, Trace] = {}
    names = {trace["id"]: trace["name"] for trace in head["traces"]}
    with tempfile.TemporaryDirectory(prefix="paceline-") as folder:
        for name, text in files.items():
            if not name.startswith("traces/"):
                continue
            file = Path(folder) / Path(name).name
            file.write_bytes(text)
            trace = Trace.load(file, name=names.get(file.stem))
            if trace.id != file.stem:
                raise PacelineError(f"{path.name}: {name} is not what its name says")
            traces[trace.id] = trace
    weights = {Path(name).stem: text for name, text in files.items() if name.startswith("weights/")}
    if head.get("algorithms"):
        raise PacelineError(f"{path.name} has own algorithms, which a server reads: bring it there, and see Client")
    places = [{key: run[key] for key in ("run", "cell", "role", "repetition")} for run in runs]
    told = [{"run": run, "manifest": manifest} for run, manifest in manifests.items()]
    planned = _ask("bundle", traces, weights, spec=spec, runs=places, manifests=told)
    refs = [
        {
            "id": run["run"],
            **{key: run[key] for key in ("cell", "role", "repetition", "state", "reason", "summary")},
            "time_s": (run["summary"] or {}).get("duration_s", 0),
        }
        for run in runs
    ]
    made = {"spec": planned["spec"], "cells": planned["cells"], "runs": refs}
    if head["engine_version"] is not None:
        made["engine_version"] = head["engine_version"]
    said = _ask("result", traces, weights, **made)

    def series(_: str) -> Series:
        raise PacelineError(
            "a bundle carries no samples: run its spec, and they are the same bytes with the same engine"
        )

    def report() -> str:
        return (
            files["report.html"].decode()
            if "report.html" in files
            else str(_ask("report", traces, weights, **made)["html"])
        )

    return Result(
        json.loads(said["summary"]),
        table=said["table"],
        answers=said["answers"],
        manifests=manifests,
        series=series,
        report=report,
    )
