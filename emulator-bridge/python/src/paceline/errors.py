"""What can be wrong."""

from __future__ import annotations


class PacelineError(Exception):
    """Something that Paceline says itself, in a sentence."""


class SpecError(PacelineError):
    """A spec that cannot be run. ``faults``: each with its place (``where``) and what is wrong there (``detail``)."""

    def __init__(self, message: str, faults: list[dict[str, str]] | None = None) -> None:
        super().__init__(message)
        self.faults = faults or []


class Cancelled(PacelineError):
    """A run that was ended before its time."""
