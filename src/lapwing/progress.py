"""Telling a waiting person how far the work is."""

from __future__ import annotations

import sys
import time


class Counter:
    """One line on stderr, rewritten as the work goes: ``LapRLS  iteration 12  certificate 3e-05``.

    Parameters
    ----------
    label : str
    every : float, default=0.2
        Seconds between two updates.
    """

    def __init__(self, label: str, every: float = 0.2):
        self.label = label
        self.every = every
        self._last = 0.0

    def __call__(self, iteration: int, optimality: float) -> None:
        now = time.monotonic()
        if now - self._last >= self.every:
            self._last = now
            self._write(f"\r{self.label}  iteration {iteration}  certificate {optimality:.1e}   ")

    def close(self, text: str) -> None:
        """Replace the line by a last one."""
        self._write(f"\r{self.label}  {text}\n")

    @staticmethod
    def _write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
