"""The command line, beside which the package is held."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from paceline._planner import find_node


def run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [find_node(), str(root / "bin" / "paceline.mjs"), *words],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )


def summary(root: Path, spec: Any, folder: Path, *words: str) -> Any:
    file = folder / "spec.json"
    file.write_text(json.dumps(spec))
    run(root, "run", str(file), "--out", str(folder / "out"), *words)
    return json.loads((folder / "out" / "summary.json").read_text())
