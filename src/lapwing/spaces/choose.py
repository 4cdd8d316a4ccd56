"""The choice of a space: turns the parameter ``space=`` into a :class:`Space`."""

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from ..exceptions import MemoryLimitWarning, ScaleWarning, warn
from ..kernels import Kernel
from ..linalg.exact import system_bytes
from ..linalg.memory import available_bytes, readable, require_bytes
from ..linalg.psd import check_psd
from ..parameters.arguments import is_auto
from .base import Space
from .blockwise import Blockwise
from .exact import Exact
from .features import Features
from .graph_values import GraphValues, check_kernel
from .landmarks import Landmarks
from .systems import FEW_COEFFICIENTS
from .vectorized import FORM_LIMIT

EXACT_UP_TO = 8_000
"""The most points for which "auto" factors the Gram matrix. Beyond, the space "graph" is faster and
as accurate. Where regularizer and γ_A are "auto", the search takes the graph at every size
(decision 0151)."""


def choose_space(space, kernel: Kernel, X, smooth: bool = False, labeled=()) -> Space:
    """The space for a built kernel over the rows of X, by name, by a rule, or automatically.

    A rule is any object with a method ``build(kernel, X)`` that returns a :class:`Space`, such as
    ``Landmarks(m)``. The name ``"landmarks"`` stands for ``Landmarks()``, and ``"graph"`` for
    ``GraphValues()``. The first line of this table that applies decides for ``"auto"``. M is the
    penalty over the points.

    ==============================  =============================================
    problem                         ``"auto"``
    ==============================  =============================================
    a Gram matrix is given          ``exact``
    explicit features, n > 4,000    ``linear``: the primal, X as it is (CSR too);
                                    not above 8,000 rows and 4,000 columns with M
    n ≤ 8,000, memory for the       ``exact``
    Gram matrix and one factor
    M joins the points              ``graph``: values on the points, sparse, and
                                    an ambient function that learns from them
    no M, at most 4,000 labeled     ``blockwise``: without M only the kernel's
    rows                            sections at the labeled rows enter the minimizer
    memory for the Gram matrix      ``exact``
    and one factor
    otherwise                       ``blockwise``, with a warning: K is recomputed
                                    for every product
    ==============================  =============================================

    The table holds for given settings. Where the regularizer and γ_A are "auto", the search chooses
    ``graph`` at every size (:func:`lapwing.selection.select`).

    The space ``exact`` needs 8n² bytes for K and 12n² bytes (24n² below n = 1,000) for the factor.
    This sum is compared with the available memory before anything is allocated.

    Parameters
    ----------
    space : str or rule
        "auto", "exact", "blockwise", "linear", "graph", "landmarks", or a rule.
    kernel : Kernel
        Built.
    X : array or CSR matrix of shape (n, d)
        The training points.
    smooth : bool
        Whether a penalty M joins the points, and the caller can use ``out_of_sample`` of the space
        for new points. Without both, values on the points mean nothing elsewhere.
    labeled : integer array, optional
        The rows that the loss sees, where there is no M over the other rows.
    """
    check_space(space)
    if not isinstance(space, str):
        return space.build(kernel, X)
    if space == "auto" and _few_of_many(kernel, X, labeled):
        return Blockwise(kernel, X)
    return RULES[_automatic(kernel, X, smooth) if space == "auto" else space](kernel, X)


def check_space(space) -> None:
    """Raise ValueError where :func:`choose_space` does not know ``space``."""
    builds = callable(getattr(space, "build", None)) and not isinstance(space, type)
    if not (space in (*RULES, "auto") if isinstance(space, str) else builds):
        raise ValueError(
            f"space={space!r} is unknown: give one of {('auto', *RULES)}, Landmarks(m), or any "
            "rule with build(kernel, X)."
        )


def _blockwise(kernel: Kernel, X) -> Blockwise:
    check_kernel(kernel, X)
    return Blockwise(kernel, X)


def exact_bytes(n: int) -> int:
    """Bytes that an exact fit of n points needs at its peak."""
    return 8 * n * n + system_bytes(n)


def _automatic(kernel: Kernel, X, smooth: bool) -> str:
    n = X.shape[0]
    if kernel.precomputed:
        return "exact"
    primal = 2 * n > EXACT_UP_TO and _primal(kernel, X)  # from half as many: two products, no K
    if primal and not (smooth and on_graph("auto", kernel, X, n)):
        return "linear"
    available = available_bytes()
    fits = exact_bytes(n) <= available
    if smooth and (n > EXACT_UP_TO or not fits):
        return "graph"
    if fits:
        if n > FORM_LIMIT:
            warn(
                f"An exact fit of {n} points takes minutes or more: its time grows with n³. "
                "space='landmarks' does not, and is less accurate with few labels; space='graph', "
                "where it is known, takes values on the graph itself.",
                ScaleWarning,
            )
        return "exact"
    warn(
        f"The Gram matrix of {n} points and its factor need {readable(exact_bytes(n))}, but "
        f"{readable(available)} is available: every product recomputes K in blocks, which is "
        "slow. Fewer rows, or kernel='linear', would be faster.",
        MemoryLimitWarning,
    )
    return "blockwise"


def asks_for_graph(space) -> bool:
    """Whether ``space`` is "graph" or a :class:`GraphValues`."""
    return isinstance(space, GraphValues) or (isinstance(space, str) and space == "graph")


def on_graph(space, kernel: Kernel, X, n: int, most: int | None = None) -> bool:
    """Whether values on the points are taken because n points are too many for an exact fit.

    ``most`` is the size of the largest exact fit; None is 8,000. With 0 there is no exact fit.

    Examples
    --------
    >>> from lapwing.kernels import RBF
    >>> X = np.zeros((90, 2))
    >>> on_graph("auto", RBF(), X, 9000), on_graph("auto", RBF(), X, 90)
    (True, False)
    """
    asked = isinstance(space, str) and space in ("auto", "graph")
    large = n > (EXACT_UP_TO if most is None else most) and not kernel.precomputed
    return asked and large and not (_primal(kernel, X) and X.shape[1] <= FEW_COEFFICIENTS)


def _few_of_many(kernel: Kernel, X, labeled: np.ndarray) -> bool:
    large = X.shape[0] > EXACT_UP_TO and 0 < len(labeled) <= FEW_COEFFICIENTS
    return large and not kernel.precomputed and not _primal(kernel, X)


def _primal(kernel: Kernel, X) -> bool:
    """Whether the kernel has explicit features, and no more of them than X has columns."""
    features = kernel.features(X[:1])
    return features is not None and features.shape[1] <= X.shape[1]


def _linear(kernel: Kernel, X) -> Features:
    features = kernel.features(X)
    if features is None:
        raise ValueError(
            f"space='linear' needs kernel='linear', or another with explicit features, not "
            f"{kernel!r}. Use space='auto' or 'exact'."
        )
    return Features(sp.csr_array(features) if sp.issparse(features) else features, kernel.features)


def _exact(kernel: Kernel, X) -> Exact:
    n = X.shape[0]
    require_bytes(
        exact_bytes(n) - (8 * n * n if kernel.precomputed else 0),
        f"An exact fit of {n} points",
        "Use space='blockwise' (slow, little memory), a linear kernel, or fewer rows.",
    )
    gram = kernel(X)
    if kernel.user_given:
        # check_psd sees K in its own precision: rounding to float32 makes eigenvalues negative
        gram = check_psd(gram, "The kernel's Gram matrix")
    return Exact(gram.astype(np.float64, copy=False), kernel, X)


def space_everywhere(space, kernel: Kernel, X, n_views: int = 1) -> Space:
    """The space for views and point-cloud kernels: functions of all points, never "graph".

    ``"auto"`` is that of :func:`lapwing.spaces.choose_space`, with one exception. Above 8,000 rows,
    where the kernel has no explicit features, it is ``Landmarks``: 1,000 of them, or 4,000 shared
    by all views where that is fewer.

    Parameters
    ----------
    space : str or rule
        "auto", "exact", "blockwise", "landmarks", "linear", or any rule with ``build(kernel, X)``.
    kernel : Kernel
        Built.
    X : array or CSR matrix of shape (n, d)
        The training points.
    n_views : int
        The number of views that share the landmarks.
    """
    refuse_graph(space)
    large = X.shape[0] > EXACT_UP_TO and not kernel.precomputed
    if is_auto(space) and large and not _primal(kernel, X):
        # few enough to factor the normal equations of all views
        space = Landmarks(min(Landmarks().n_components, FEW_COEFFICIENTS // n_views))
    return choose_space(space, kernel, X)


def refuse_graph(space) -> None:
    """Raise ValueError where ``space`` has values at the training points only."""
    if asks_for_graph(space):
        raise ValueError(
            f"space={space!r} has values on the given rows only, and these functions answer for "
            "new points: use 'auto', 'exact', 'blockwise', 'landmarks' or 'linear'."
        )


RULES: dict[str, Callable[[Kernel, object], Space]] = {
    "exact": _exact,
    "blockwise": _blockwise,
    "linear": _linear,
    "graph": lambda kernel, X: GraphValues().build(kernel, X),
    "landmarks": lambda kernel, X: Landmarks().build(kernel, X),
}
