"""A server of Paceline: the same results as in this process, made there."""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ._planner import planner
from .controllers import id_of
from .errors import PacelineError, SpecError
from .results import Result
from .running import Progress, Spec, _teller
from .series import Series, series_from_rows

_OVER = ("done", "failed", "cancelled")
# Of a content hash, which names a trace.
_HASH_DIGITS = 64
_WAIT_S = 0.2


class _NoDetours(urllib.request.HTTPRedirectHandler):
    """The token is for the server that was named, and for no other that it may name."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Client:
    """Speaks to a server (docs/api.md).

    ``token``: where it asks for one; else that of the address (``?token=…``), else ``$PACELINE_TOKEN``, unless ``own_token`` says that
    the address is a stranger's.
    """

    def __init__(self, url: str, *, token: str | None = None, timeout_s: float = 60, own_token: bool = True) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise PacelineError(f"{url!r} is no address of a server: http://127.0.0.1:8080")
        named = urllib.parse.parse_qs(parts.query).get("token", [None])[0]
        self.url = f"{parts.scheme}://{parts.netloc}"
        self._token = token or named or (os.environ.get("PACELINE_TOKEN") if own_token else None)
        self._timeout_s = timeout_s
        self._opener = urllib.request.build_opener(_NoDetours())

    def __repr__(self) -> str:
        return f"<Client of {self.url}>"

    def _ask(self, method: str, path: str, body: Any = None) -> bytes:
        if body is None:
            return self._send(method, path, None, {})
        return self._send(method, path, json.dumps(body).encode(), {"Content-Type": "application/json"})

    def _send(self, method: str, path: str, data: bytes | None, headers: Mapping[str, str]) -> bytes:
        said = {"Accept": "application/json", **headers}
        if self._token is not None:
            said["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(f"{self.url}/api/v1{path}", data=data, headers=said, method=method)
        try:
            with self._opener.open(request, timeout=self._timeout_s) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error.code, error.read(1_000_000)) from None
        except urllib.error.URLError as error:
            raise PacelineError(f"{self.url} cannot be reached: {error.reason}") from None
        except OSError as error:
            raise PacelineError(f"{self.url} does not answer: {error}") from None

    def _json(self, method: str, path: str, body: Any = None) -> Any:
        return json.loads(self._ask(method, path, body))

    def upload(self, path: str | os.PathLike[str], *, private: bool = False) -> str:
        """Brings a trace file there; gives its content hash, by which specs name it. ``private``: for you and the operators."""
        file = Path(path)
        edge = f"paceline-{os.urandom(12).hex()}"
        name = file.name.replace('"', "%22").replace("\r", " ").replace("\n", " ")
        head = (
            f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        body = head.encode() + file.read_bytes() + f"\r\n--{edge}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={edge}"}
        return str(json.loads(self._send("POST", f"/traces{_query(private)}", body, kind))["id"])

    def run(
        self, spec: Spec | str | os.PathLike[str], *, progress: bool | Progress = False, private: bool = False
    ) -> Result:
        """Runs an experiment there and waits for it. Ctrl-C stops waiting; there it goes on.

        ``private``: for you and the operators, until you :meth:`publish` it.
        """
        given = json.loads(Path(spec).read_text()) if isinstance(spec, (str, os.PathLike)) else dict(spec)
        begun = self._json("POST", f"/experiments{_query(private)}", _portable(given))
        told = _teller(progress, begun["runs_total"])
        while True:
            told(begun["runs_done"] + begun["runs_failed"], begun["runs_total"])
            if begun["state"] in _OVER:
                return self.experiment(begun["id"])
            time.sleep(_WAIT_S)
            begun = self._json("GET", f"/experiments/{begun['id']}?limit=1")

    def publish(self, id: str) -> None:
        """Lets all who may use the server see an experiment or a trace of yours that is private, for good."""
        kind = "traces" if len(id) == _HASH_DIGITS else "experiments"
        self._json("POST", f"/{kind}/{urllib.parse.quote(id, safe='')}/publish")

    def experiment(self, id: str) -> Result:
        """An experiment that is there."""
        safe = urllib.parse.quote(id, safe="")
        data = self._json("GET", f"/experiments/{safe}/export?format=json")
        table = planner().ask("table", experiment=data)["table"]
        answers = self._json("GET", f"/experiments/{safe}/answers")["answers"]

        def report() -> str:
            return self._ask("GET", f"/experiments/{safe}/report").decode()

        return Result(
            data, table=table, answers=answers, manifests=_Manifests(self), series=self._series, report=report
        )

    def experiments(self) -> list[Mapping[str, Any]]:
        """What is there, the newest first."""
        found: list[Mapping[str, Any]] = self._json("GET", "/experiments")["experiments"]
        return found

    def _series(self, run: str) -> Series:
        data = self._json("GET", f"/runs/{urllib.parse.quote(run, safe='')}/export?format=json")
        return series_from_rows([column["name"] for column in data["columns"]], data["rows"])


def _query(private: bool) -> str:
    return "?private=true" if private else ""


def _portable(given: Any) -> Any:
    """The spec, where it needs nothing of this process."""
    if id_of(given) is not None:
        raise PacelineError(
            f"{given.__name__} is a controller of this process, which a server does not have: paceline.run"
        )
    if isinstance(given, Mapping):
        return {key: _portable(value) for key, value in given.items()}
    return [_portable(value) for value in given] if isinstance(given, (list, tuple)) else given


class _Manifests(dict[str, Mapping[str, Any]]):
    """Asked for one by one, when somebody wants them."""

    def __init__(self, client: Client) -> None:
        super().__init__()
        self._client = client

    def get(self, id: str, default: Any = None) -> Any:
        return _Late(self._client, id)


class _Late(Mapping[str, Any]):
    def __init__(self, client: Client, id: str) -> None:
        self._client = client
        self._id = id
        self._read: Mapping[str, Any] | None = None

    def _all(self) -> Mapping[str, Any]:
        if self._read is None:
            self._read = self._client._json("GET", f"/runs/{self._id}")["manifest"]
        return self._read

    def __getitem__(self, name: str) -> Any:
        return self._all()[name]

    def __iter__(self) -> Any:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def _refusal(status: int, body: bytes) -> PacelineError:
    try:
        problem = json.loads(body)
        detail = str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return PacelineError(f"the server answers {status}")
    faults = problem.get("faults")
    if problem.get("code") == "SPEC_INVALID":
        return SpecError(detail, faults if isinstance(faults, list) else None)
    return PacelineError(f"{detail} ({problem.get('code', status)})")
