"""The bound of a theorem, with the conditions of the theorem."""

from collections.abc import Sequence


class Bound(float):
    """A bound, whether it holds, and whether it says anything.

    It is a float, so it can be plotted and compared. An invalid or vacuous bound keeps its value.

    Parameters
    ----------
    value : float
        The bound.
    reasons : sequence of str
        The conditions of the theorem that are not met.
    trivial : float
        A value that always holds, such as an error of 1.

    Attributes
    ----------
    valid, vacuous : bool
        ``valid``: all conditions are met. ``vacuous``: the bound is not below the trivial value.
    reasons : tuple of str
        The conditions that are not met.

    Examples
    --------
    >>> b = Bound(1.7, ["the γ's were chosen by the labels"])
    >>> b.valid, b.vacuous
    (False, True)
    >>> print(b)
    1.700 (vacuous: 1 holds anyway; not valid: the γ's were chosen by the labels)
    """

    def __new__(cls, value: float, reasons: Sequence[str] = (), trivial: float = 1.0):
        return super().__new__(cls, value)

    def __init__(self, value: float, reasons: Sequence[str] = (), trivial: float = 1.0):
        self.reasons = tuple(reasons)
        self.trivial = trivial

    def __getnewargs__(self):
        return float(self), self.reasons, self.trivial

    @property
    def valid(self) -> bool:
        return not self.reasons

    @property
    def vacuous(self) -> bool:
        return float(self) >= self.trivial

    def __str__(self) -> str:
        notes = [f"vacuous: {self.trivial:g} holds anyway"] if self.vacuous else []
        notes += ["not valid: " + "; ".join(self.reasons)] if self.reasons else []
        return f"{float(self):.3f}" + (f" ({'; '.join(notes)})" if notes else "")
