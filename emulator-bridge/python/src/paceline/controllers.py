"""Algorithms in Python, for prototypes: slow, and in experiments beside all others (docs/python.md)."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any, TypeVar

from . import _engine
from ._plugin import ECN, NEEDS, PACING, TYPES, Declared, table_of
from .errors import PacelineError

_REVISION_DIGITS = 12
_ID = "__paceline_id__"
_NEEDS: Mapping[str, Any] = {
    "pacing": "window",
    "ecn": "none",
    **{name: name == "prr" for name in NEEDS},
}
_CHOICES = {"pacing": PACING, "ecn": ECN}

Kind = TypeVar("Kind", bound=type)


def controller(
    id: str,
    *,
    label: str | None = None,
    summary: str = "",
    source: str = "",
    params: Mapping[str, Mapping[str, Any]] | None = None,
    internals: Mapping[str, Mapping[str, Any]] | None = None,
    phases: Sequence[str] = (),
    needs: Mapping[str, Any] | None = None,
) -> Callable[[Kind], Kind]:
    """Makes a class an algorithm of this process: ``paceline.run`` has it under ``id``, which specs name (or the class itself).

    A controller is made for each flow: ``__init__(self, setup)`` (:class:`paceline.events.Setup`). The transport calls ``on_ack(self,
    ack)`` and, where they are there, ``on_loss(self, loss)``, ``on_timeout(self, timeout)``, ``on_sent(self, sent)``, ``on_tick(self,
    now_ms)``, ``on_idle_restart(self, now_ms)``, and after each call does what the attributes say:

    - ``cwnd_bytes``: must be set; more than 0, ``math.inf`` for rate control alone
    - ``ssthresh_bytes``: where proportional rate reduction lands
    - ``pacing_mbps``: with ``needs={"pacing": "own"}``; 0: as the window opens
    - ``send_quantum_bytes``: what leaves in one piece
    - ``hold_until_ms``: nothing leaves before
    - ``next_tick_ms``: when ``on_tick`` is called next
    - ``tag``: attached to each packet sent
    - ``limits_itself``: rate samples of what is in flight count as application-limited
    - ``media_mbps``: what a media encoder is told to produce
    - ``phase``: one of ``phases``, for the time line

    ``params``: by name, ``{"type": "number" | "integer", "label", "default", "min", "max", "unit", "help"}``, ``{"type": "boolean",
    "default", …}`` or ``{"type": "choice", "choices", …}`` (the first is the default). ``internals``: attributes that are sampled into
    the series, ``{"label", "unit"}``, or ``{"label", "states"}`` where the attribute is one of these words. ``needs``: ``pacing``
    (``window``, ``own``, ``none``), ``ecn`` (``none``, ``classic``, ``l4s``), ``paced_start``, ``prr`` (True by itself),
    ``acked_packets``, ``receiver_timestamps``.

    Runs are known by the class's text and this declaration: define it again with another text, and they are others. Raises PacelineError
    where the declaration is wrong, or the id is taken.
    """

    def declare(kind: Kind) -> Kind:
        declared = Declared(
            id=_text(id, "id"),
            label=_text(label if label is not None else kind.__name__, "label"),
            summary=_text(summary or inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[0], "summary"),
            source=_text(source, "source"),
            kind=kind,
            params={name: _param(name, given) for name, given in (params or {}).items()},
            internals={name: _internal(name, given) for name, given in (internals or {}).items()},
            phases=_texts(phases, "phases"),
            needs=_needs(needs or {}),
        )
        if not callable(getattr(kind, "on_ack", None)):
            raise PacelineError(f"{kind.__name__} has no on_ack")
        _engine.add_algorithm(table_of(declared), _revision(declared))
        setattr(kind, _ID, declared.id)
        return kind

    return declare


def id_of(given: Any) -> str | None:
    """Of a class that is a controller, its own; else None."""
    return vars(given).get(_ID) if isinstance(given, type) else None


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise PacelineError(f"{what} is {type(value).__name__}, not a text")
    if "\0" in value:
        raise PacelineError(f"{what} has a zero in it")
    return value


def _texts(value: Any, what: str) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise PacelineError(f"{what} must be a list of words")
    return tuple(_text(word, f"{what}[{place}]") for place, word in enumerate(value))


def _words_of(given: Any, what: str, usual: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise PacelineError(f"{what} must be a dict")
    strange = [str(name) for name in given if name not in usual]
    if strange:
        raise PacelineError(f"{what} has no {strange[0]}, only {', '.join(usual)}")
    return {**usual, **given}


def _param(name: str, given: Any) -> Mapping[str, Any]:
    what = f"params.{name}"
    usual = {"type": "number", "label": _text(name, what), "unit": "", "help": "", "default": None}
    param = _words_of(given, what, {**usual, "min": None, "max": None, "choices": ()})
    for key in ("label", "unit", "help"):
        _text(param[key], f"{what}.{key}")
    if param["type"] not in TYPES:
        raise PacelineError(f"{what}.type must be one of {', '.join(TYPES)}")
    param["choices"] = _texts(param["choices"], f"{what}.choices")
    if param["type"] in ("number", "integer"):
        whole = param["type"] == "integer"
        for key in ("default", "min", "max"):
            number = isinstance(param[key], (int, float)) and not isinstance(param[key], bool)
            if not number or (whole and param[key] != int(param[key])):
                raise PacelineError(f"{what}.{key} must be a {'whole ' if whole else ''}number")
    if param["type"] == "boolean" and not isinstance(param["default"], bool):
        raise PacelineError(f"{what}.default must be True or False")
    return param


def _internal(name: str, given: Any) -> Mapping[str, Any]:
    what = f"internals.{name}"
    internal = _words_of(given, what, {"label": _text(name, what), "unit": "", "states": ()})
    internal["states"] = _texts(internal["states"], f"{what}.states")
    for key in ("label", "unit"):
        _text(internal[key], f"{what}.{key}")
    return internal


def _needs(given: Mapping[str, Any]) -> Mapping[str, Any]:
    needs = _words_of(given, "needs", _NEEDS)
    for name, value in needs.items():
        choices = _CHOICES.get(name, (False, True))
        if value not in choices or isinstance(value, int) != (choices == (False, True)):
            raise PacelineError(f"needs[{name!r}] must be one of {', '.join(map(str, choices))}")
    return needs


def _revision(declared: Declared) -> str:
    """Of the class's text, that of its bases, and what it declares. What it uses besides is not in it."""
    said = {name: value for name, value in vars(declared).items() if name != "kind"}
    texts = [_text_of(kind) for kind in declared.kind.__mro__ if kind is not object]
    whole = json.dumps([said, texts], sort_keys=True, default=str)
    return hashlib.sha256(whole.encode()).hexdigest()[:_REVISION_DIGITS]


def _text_of(kind: type) -> list[Any]:
    """Its functions' texts and its constants; where a text cannot be had, what the interpreter made of it."""
    hidden = {"__dict__", "__weakref__", "__module__", "__doc__", "__firstlineno__", "__static_attributes__", _ID}
    return [[name, _member(member)] for name, member in sorted(vars(kind).items()) if name not in hidden]


def _member(member: Any) -> Any:
    if isinstance(member, (staticmethod, classmethod)):
        member = member.__func__
    if isinstance(member, property):
        return [_member(part) for part in (member.fget, member.fset) if part is not None]
    if isinstance(member, FunctionType):
        return _function(member)
    plain = (str, int, float, bool, type(None), tuple, list, dict, bytes, frozenset)
    return repr(member) if isinstance(member, plain) else type(member).__qualname__


def _function(function: FunctionType) -> Any:
    try:
        text: Any = inspect.getsource(function)
    except (OSError, TypeError):
        text = _code(function.__code__)
    return [text, repr(function.__defaults__), repr(function.__kwdefaults__)]


def _code(code: CodeType) -> Any:
    constants = [_code(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return [code.co_code.hex(), constants, code.co_names, code.co_varnames]
