"""A number that a theorem promises, with what the theorem asks for."""

from collections.abc import Sequence


class Bound(float):
    """A bound, whether it holds, and whether it says anything.

    A float, so that it can be drawn and compared; invalid or vacuous bounds keep their value.

    Parameters
    ----------
    value : float
    reasons : sequence of str
        Conditions of the theorem that are not met.
    trivial : float
        What holds anyway, such as an error of 1.

    Attributes
    ----------
    valid, vacuous : bool
    reasons : tuple of str

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
