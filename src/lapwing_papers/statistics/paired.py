"""Two methods on the same draws: is the difference real?"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import ttest_rel


@dataclass(frozen=True)
class PairedResult:
    """a − b over pairs.

    Attributes
    ----------
    mean, error : float
        The mean difference and its standard error.
    pvalue : float
        Two-sided paired t-test; 1 where no pair differs, NaN for a single pair.
    wins, losses : int
        Pairs in which a is lower, and higher.
    """

    mean: float
    error: float
    pvalue: float
    wins: int
    losses: int


def paired_test(a, b) -> PairedResult:
    """Student's t-test of d = a − b: t = d̄ / (s_d/√n) on n − 1 degrees of freedom.

    Parameters
    ----------
    a, b : arrays of shape (n,)
        Values of two methods on the same n draws.

    Examples
    --------
    >>> from lapwing_papers.statistics import paired_test
    >>> result = paired_test([1.0, 2.0, 3.0, 4.0], [2.0, 3.5, 4.0, 5.5])
    >>> result.wins, result.losses, round(result.mean, 2), round(result.pvalue, 3)
    (4, 0, -1.25, 0.003)
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.shape != b.shape or a.ndim != 1 or not len(a):
        raise ValueError(f"a has shape {a.shape} and b {b.shape}; expected pairs, (n,) each.")
    d = a - b
    n = len(d)
    error = float(d.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan")
    if not d.any():
        p = 1.0
    elif n == 1:
        p = float("nan")
    else:
        # equal differences in every pair: no spread, the strongest evidence there is
        p = float(ttest_rel(a, b).pvalue) if np.ptp(d) > 0 else 0.0
    return PairedResult(float(d.mean()), error, p, int((d < 0).sum()), int((d > 0).sum()))
