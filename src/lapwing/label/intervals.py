"""Exact intervals for a share of errors."""

from scipy.stats import beta


def exact_interval(wrong: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Clopper and Pearson's interval for wrong of n: it covers with at least ``level``.

    References
    ----------
    Clopper, Pearson 1934, *The use of confidence or fiducial limits illustrated in the case of the
    binomial*.

    Examples
    --------
    >>> low, high = exact_interval(0, 20)
    >>> low, round(high, 3)
    (0.0, 0.168)
    """
    if n <= 0:
        return 0.0, 1.0
    tail = (1.0 - level) / 2
    low = 0.0 if wrong == 0 else float(beta.ppf(tail, wrong, n - wrong + 1))
    high = 1.0 if wrong == n else float(beta.ppf(1.0 - tail, wrong + 1, n - wrong))
    return low, high
