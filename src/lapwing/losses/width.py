"""Losses with a width in the unit of the targets, and its value for "auto"."""

from typing import Any, ClassVar

import numpy as np

from ..parameters.arguments import is_auto
from .base import Loss


class WithWidth(Loss):
    """The abstract base class of losses with a width: a number, one per column, or ``"auto"``.

    Attributes
    ----------
    width : str
        The parameter's name.
    share : float
        ``"auto"`` is ``share`` times the scale of the observed targets of each column.
    """

    width: ClassVar[str]
    share: ClassVar[float]

    def build(self, Y: np.ndarray, observed: np.ndarray) -> Loss:
        if not is_auto(getattr(self, self.width)):
            return self
        return type(self)(**{self.width: widths(self.share, Y, observed)})

    def at(self, outputs: Any, rows: Any = slice(None)) -> Loss:
        given = getattr(self, self.width)
        if np.ndim(given) == 0:
            return self
        return type(self)(**{self.width: of_outputs(given, outputs, rows)})

    @property
    def _width(self):
        given = getattr(self, self.width)
        if is_auto(given):
            raise ValueError(
                f"{type(self).__name__}({self.width}='auto') has no width before "
                "build(Y, observed)."
            )
        return given if np.ndim(given) else float(given)


def of_outputs(given: np.ndarray, outputs: Any, rows: Any) -> float | np.ndarray:
    """The number of one column, its numbers at ``rows``, or those of P entries, (P, 1)."""
    if np.ndim(outputs):
        return given[outputs][:, None]
    found = given[..., min(outputs, np.shape(given)[-1] - 1)]  # entries have one column
    return found[rows] if np.ndim(found) else float(found)


def target_scale(y: np.ndarray) -> float:
    """1.4826 · median |y − median y|, the spread of the targets y, shape (n,). It is never 0.

    For normally distributed targets it estimates the standard deviation. A few outliers do not
    change it much. The formula gives 0 if more than half of the targets are equal. The result is
    then the first positive number of: the standard deviation of y, |median y|, and 1.

    Examples
    --------
    >>> import numpy as np
    >>> bool(target_scale(np.array([1.0, 2.0, 3.0, 4.0, 1e6])) < 2)
    True
    """
    middle = float(np.median(y))
    candidates = (1.4826 * float(np.median(np.abs(y - middle))), float(np.std(y)), abs(middle))
    return next((scale for scale in candidates if scale > 0), 1.0)


def widths(share: float, Y: np.ndarray, observed: np.ndarray) -> float | np.ndarray:
    """``share`` times the scale of each column's observed targets: a number, or an array (t,)."""
    seen = np.broadcast_to(observed, Y.shape)
    found = [share * target_scale(Y[seen[:, j], j]) for j in range(Y.shape[1])]
    return found[0] if len(found) == 1 else np.array(found)
