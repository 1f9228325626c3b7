"""The memory of transitions, in place: skrl's own for JAX copies all of it with each step."""

from __future__ import annotations

from typing import Any

import numpy as np


class Memory:
    """What skrl's agents ask of a memory: ``create_tensor``, ``add_samples``, ``sample``."""

    def __init__(self, size: int, seed: int) -> None:
        self.size = size
        self._rng = np.random.default_rng(seed)
        self._kept: dict[str, np.ndarray] = {}
        self._next = 0
        self._count = 0

    def create_tensor(self, name: str, *, size: Any, dtype: Any = None, keep_dimensions: bool = True) -> bool:
        """A column of the memory; of nothing, none."""
        if size is None:
            return False
        width = size if isinstance(size, int) else int(np.prod(size.shape))
        self._kept[name] = np.zeros((self.size, width), dtype=dtype)
        return True

    def add_samples(self, **columns: Any) -> None:
        """One row an episode; the oldest are forgotten."""
        count = len(columns["observations"])
        at = (self._next + np.arange(count)) % self.size
        for name, kept in self._kept.items():
            kept[at] = np.asarray(columns[name]).reshape(count, -1)
        self._next = (self._next + count) % self.size
        self._count = min(self._count + count, self.size)

    def sample(self, names: list[str], *, batch_size: int, mini_batches: int = 1, **_: Any) -> list[list[Any]]:
        """Some of them, each as likely as any other."""
        rows = self._rng.integers(self._count, size=batch_size)
        return [[self._kept[name][rows] if name in self._kept else None for name in names]]

    def __len__(self) -> int:
        return self._count
