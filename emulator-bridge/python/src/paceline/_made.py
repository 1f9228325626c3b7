"""Where the parts lie that are not Python."""

from __future__ import annotations

from pathlib import Path

from .errors import PacelineError

FOLDER = Path(__file__).parent / "made"


def made(name: str) -> Path:
    """A file that the wheel brings along."""
    path = FOLDER / name
    if not path.exists():
        raise PacelineError(
            f"this installation lacks {name}: install a wheel of Paceline, which `npm run python` makes"
        )
    return path
