"""Telling a waiting person how far the work is."""

from __future__ import annotations

import sys
import time


class Counter:
    """What is being done, on stderr: ``LapRLS  iteration 12  certificate 3e-05``.

    On a terminal one line is rewritten as the iterations go; in a log file every message is a
    line of its own, and they come ever more seldom.

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
            self._write(f"iteration {iteration}  certificate {optimality:.1e}", last=False)
            if not sys.stderr.isatty():
                self.every *= 2.0

    def say(self, text: str) -> None:
        """A line that stays: a new stage of the work, or its end."""
        self._write(text, last=True)

    def _write(self, text: str, last: bool) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\033[K{self.label}  {text}" + ("\n" if last else ""))
        else:
            sys.stderr.write(f"{self.label}  {text}\n")
        sys.stderr.flush()
