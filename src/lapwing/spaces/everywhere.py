"""Spaces whose functions answer for new points by themselves, at any number of rows."""

from ..kernels import Kernel
from ..parameters.arguments import is_auto
from . import choose
from .base import Space
from .landmarks import Landmarks
from .systems import FEW_COEFFICIENTS

MOST_LANDMARKS = 1_000
"""Of each view; of many views fewer, so that the normal equations of all can be factored."""


def space_everywhere(space, kernel: Kernel, X, n_views: int = 1) -> Space:
    """The space for views and point-cloud kernels: never values on the points alone.

    ``"auto"`` is that of :func:`lapwing.spaces.choose_space`, and above 8,000 rows, where the
    kernel has no explicit features, ``Landmarks``: 1,000 of them, or 4,000 shared by all views.

    Parameters
    ----------
    space : str or rule
        "auto", "exact", "blockwise", "landmarks", "linear", or any rule with ``build(kernel, X)``.
    kernel : Kernel
        Built.
    X : array or CSR matrix of shape (n, d)
    n_views : int
    """
    refuse_graph(space)
    large = X.shape[0] > choose.EXACT_UP_TO and not kernel.precomputed
    if is_auto(space) and large and kernel.features(X[:1]) is None:
        space = Landmarks(min(MOST_LANDMARKS, FEW_COEFFICIENTS // n_views))
    return choose.choose_space(space, kernel, X, fit_intercept=False)


def refuse_graph(space) -> None:
    """An error where the functions asked for live on the points alone."""
    if choose.asks_for_graph(space):
        raise ValueError(
            f"space={space!r} has values on the given rows only, and these functions answer for "
            "new points: use 'auto', 'exact', 'blockwise', 'landmarks' or 'linear'."
        )
