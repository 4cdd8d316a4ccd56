"""A line on stderr that says what is being done."""

import sys
import time


class Steps:
    """``[3/24] LapSVC, draw 1 of 5   4 s``: rewritten on a terminal; elsewhere nothing is said.

    Parameters
    ----------
    total : int
        The number of steps to come.
    """

    def __init__(self, total: int):
        self.total = total
        self.done = 0
        self._start = time.monotonic()

    def __call__(self, text: str) -> None:
        """Say that the next step begins."""
        self.done += 1
        seconds = time.monotonic() - self._start
        self._write(f"[{self.done}/{self.total}] {text}", f"{seconds:.0f} s")

    def close(self) -> None:
        """Say how long everything took."""
        seconds = time.monotonic() - self._start
        self._write(f"{self.done} steps done in {seconds:.1f} s", "")
        if sys.stderr.isatty():
            sys.stderr.write("\n")

    @staticmethod
    def _write(text: str, time_text: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{text:<60} {time_text:>6}")
            sys.stderr.flush()
