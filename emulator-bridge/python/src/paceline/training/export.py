"""A trained actor as a weights file (docs/weights.md)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from .plan import Plan
from .practice import Scale

_BITS = 6  # of a weight: what a browser fetches of the engine has all of them


def _coarse(values: np.ndarray) -> Any:
    """To so many significant bits, which is said in decimals exactly."""
    if values.ndim > 1:
        return [_coarse(row) for row in values]
    mantissa, exponent = np.frexp(np.asarray(values, dtype=np.float64))
    return np.ldexp(np.round(mantissa * 2**_BITS) / 2**_BITS, exponent).tolist()


def _decimals(values: np.ndarray) -> list[float]:
    return [float(f"{float(value):.5g}") for value in values]


def weights_file(
    plan: Plan, layers: Sequence[tuple[np.ndarray, np.ndarray]], scale: Scale, note: str
) -> dict[str, Any]:
    """What the file says; ``layers`` as ``Learned`` has them."""
    return {
        "format": "paceline-weights",
        "version": 1,
        "name": f"{plan.loop}, trained here",
        "note": note,
        "algorithm": plan.loop,
        "inputs": list(plan.inputs),
        "history": plan.history,
        "normalise": {"subtract": _decimals(scale.subtract), "divide": _decimals(scale.divide)},
        "layers": [
            {"activation": "tanh", "weights": _coarse(weights), "bias": _coarse(bias)} for weights, bias in layers
        ],
        "bounds": {"least": -1, "most": 1},
    }


def text_of(file: dict[str, Any]) -> str:
    """The same file for the same network, to the byte: a layer's unit a line."""
    text = json.dumps(file, separators=(", ", ": "))
    return text.replace(', "layers": ', ',\n"layers": ').replace("], [", "],\n[").replace('"bias"', '\n"bias"') + "\n"
