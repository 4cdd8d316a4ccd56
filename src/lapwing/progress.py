"""Progress messages for a waiting user."""

import sys
import time


class Counter:
    """The current stage of the work on stderr: ``LapRLS  iteration 12  certificate 3e-05``.

    On a terminal, one line is rewritten at each update. In a log file, each message is a line of
    its own, and the time between two messages grows.

    Parameters
    ----------
    label : str
        The first word of each line.
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
        """Write a line that stays: a new stage of the work, or its end."""
        self._write(text, last=True)

    def _write(self, text: str, last: bool) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\033[K{self.label}  {text}" + ("\n" if last else ""))
        else:
            sys.stderr.write(f"{self.label}  {text}\n")
        sys.stderr.flush()


class Bar:
    """The finished share of a known amount, and the time left: ``[#####.....] 5/10  about 3 min``.

    On a terminal, one line is rewritten. Elsewhere, each tenth of the amount writes one line, so a
    log stays readable.

    Parameters
    ----------
    label : str
        The first word of the line.
    total : int
        The number of steps or bytes.
    unit : float, default=1
        The counts are divided by this: 1e6 prints megabytes.
    """

    WIDTH = 24

    def __init__(self, label: str, total: int, unit: float = 1):
        self.label, self.total, self.unit = label, total, unit
        self.done = 0
        self._start = time.monotonic()
        self._printed = -1

    def step(self, amount: int = 1) -> None:
        """Add to the finished amount."""
        self.done += amount
        terminal = sys.stderr.isatty()
        tenth = 10 * self.done // max(self.total, 1)
        if terminal or tenth > self._printed:
            self._printed = tenth
            sys.stderr.write(f"\r{self.text()} " if terminal else f"{self.text()}\n")
            sys.stderr.flush()

    def text(self) -> str:
        """The current line."""
        filled = self.WIDTH * self.done // max(self.total, 1)
        bar = "#" * filled + "." * (self.WIDTH - filled)
        counts = f"{self.done / self.unit:.3g}/{self.total / self.unit:.3g}"
        return f"{self.label}  [{bar}] {counts}  {self.time_left()}"

    def time_left(self) -> str:
        """The time left at the average pace so far."""
        seconds = time.monotonic() - self._start
        if self.done >= self.total:
            return f"done in {duration(seconds)}     "
        if self.done == 0:
            return "time left unknown"
        return f"about {duration(seconds / self.done * (self.total - self.done))} left"

    def close(self) -> None:
        """End the line."""
        if sys.stderr.isatty():
            sys.stderr.write("\n")


def duration(seconds: float) -> str:
    """Seconds in a readable unit.

    Examples
    --------
    >>> duration(42), duration(150), duration(9000)
    ('42 s', '2.5 min', '2.5 h')
    """
    for limit, unit, name in ((90, 1, "s"), (5400, 60, "min")):
        if seconds < limit:
            return f"{seconds / unit:.{0 if unit == 1 else 1}f} {name}"
    return f"{seconds / 3600:.1f} h"
