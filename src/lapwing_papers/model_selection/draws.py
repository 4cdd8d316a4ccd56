"""Random draws of kernels and of numbers of components, for a random search."""

import numpy as np
from scipy.stats import loguniform
from sklearn.utils import check_random_state

from lapwing.kernels import RBF, Cosine, Kernel, Linear


class KernelDraws:
    """A kernel of MT's search space: linear, cosine, or RBF with γ = 1/2σ² drawn log-uniformly.

    Parameters
    ----------
    kinds : tuple of {"linear", "cosine", "rbf"}
        Drawn with equal chances.
    gamma : tuple of two floats
        The range of γ.

    References
    ----------
    MT §IV.B, eqs. 10 and 11.

    Examples
    --------
    >>> from lapwing_papers.model_selection import KernelDraws
    >>> KernelDraws(("cosine",)).rvs(random_state=0)
    Cosine()
    """

    def __init__(self, kinds=("linear", "cosine", "rbf"), gamma=(1e-5, 20.0)):
        unknown = set(kinds) - {"linear", "cosine", "rbf"}
        if unknown or not kinds:
            raise ValueError(f"kinds={kinds!r} must be some of 'linear', 'cosine', 'rbf'.")
        if not 0 < gamma[0] < gamma[1] < np.inf:
            raise ValueError(f"gamma={gamma!r} must be two numbers, 0 < low < high.")
        self.kinds = tuple(kinds)
        self.gamma = gamma

    def rvs(self, size=None, random_state=None) -> Kernel:
        """One kernel; ``size`` is there for scipy's interface only."""
        rng = check_random_state(random_state)
        kind = self.kinds[rng.randint(len(self.kinds))]
        width = loguniform(*self.gamma).rvs(random_state=rng)  # drawn always: equal streams
        if kind == "rbf":
            return RBF(sigma=float(1.0 / np.sqrt(2.0 * width)))
        return Linear() if kind == "linear" else Cosine()


class LogIntegers:
    """Integers between low and high, log-uniformly: 1–10 as often as 10–100.

    Parameters
    ----------
    low, high : int
        1 ≤ low ≤ high, both included.

    Examples
    --------
    >>> from lapwing_papers.model_selection import LogIntegers
    >>> LogIntegers(3, 3).rvs(random_state=0)
    3
    """

    def __init__(self, low: int, high: int):
        if not 1 <= low <= high:
            raise ValueError(f"low={low}, high={high}: expected 1 <= low <= high.")
        self.low, self.high = int(low), int(high)

    def rvs(self, size=None, random_state=None) -> int:
        """One integer; ``size`` is there for scipy's interface only."""
        drawn = loguniform(self.low, self.high + 1).rvs(random_state=random_state)
        return min(self.high, int(drawn))
