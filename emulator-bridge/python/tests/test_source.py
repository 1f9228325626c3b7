"""The package's own text: its form, its types, and what its README says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
NOTEBOOKS = "../../examples/notebooks"
PAGES = ["README.md", "../../docs/python.md", f"{NOTEBOOKS}/frontier.ipynb", f"{NOTEBOOKS}/usable-trace.ipynb"]


@pytest.mark.parametrize(
    "words",
    [
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--no-cache", "--check", "."],
        ["mypy", "--cache-dir=/dev/null"],
    ],
    ids=["ruff", "format", "mypy"],
)
def test_is_as_it_should_be(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *words], cwd=PACKAGE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES)
def test_what_the_pages_show_runs(page: str, tmp_path: Path) -> None:
    """Each block of Python, one after the other as a reader would."""
    text = (PACKAGE / page).read_text()
    if page.endswith(".ipynb"):
        blocks = ["".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    else:
        blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert blocks
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", "\n".join(blocks)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
