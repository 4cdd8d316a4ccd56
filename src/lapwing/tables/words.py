"""Numbers as people write them."""


def number(value: float) -> str:
    """Four digits, from ten thousand on with commas.

    Examples
    --------
    >>> [number(v) for v in (0.0, 0.123456, 26953.2, 1e20, 0.000012)]
    ['0', '0.1235', '26,950', '1e+20', '1.2e-05']
    """
    return cell(float(f"{value:.4g}"))


def cell(value: float) -> str:
    """A number of a table: as :func:`number`, but large ones with all digits before the point.

    Examples
    --------
    >>> cell(26953.2)
    '26,953'
    """
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:.4g}"
