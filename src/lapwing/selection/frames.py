"""Ways to look at the points before kernel and graph measure them.

=====================  ==========================================================================
as they are            the default, unless a few columns hold nearly all the variance
StandardScaler()       every column in its own unit; the default where columns are that unequal;
                       not for counts of words
Normalizer()           directions only, as for words; where rows differ in length
PCA(10)                the leading components, which all rows tell, labeled or not: clusters in
                       many noisy columns; TruncatedSVD(10) of CSR rows; more than 20 columns
StandardScaler, PCA    both
=====================  ==========================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler

from ..graphs import Graph, dominating_column
from ..graphs import Transformed as TransformedGraph
from ..kernels import Kernel
from ..kernels import Transformed as TransformedKernel
from ..linalg.points import largest_entry, squared_norms

COMPONENTS = 10
"""Leading components looked at, of more than twice as many columns."""

UNEQUAL = 0.1
"""Share of the columns that count, below which columns are unequal."""

WORDS = 0.05
"""Share of entries that are not zero below which rows are taken for counts of words."""

SMALLEST = 1e-100
"""Size of the largest entry below which, and above whose reciprocal, points stay as they are."""

ALIKE = 1.5
"""Ratio of the columns' deviations, or of the rows' lengths, up to which all count as equal."""


@dataclass(frozen=True)
class Frame:
    """One way to look at the points: a transformer, or None for the points as they are.

    Attributes
    ----------
    transformer : transformer or None
    plain : bool
        Whether it is one of the two ways any model looks at its columns: as they are, or in
        units of their own.
    """

    transformer: Any = None
    plain: bool = False

    def kernel(self, kernel: Kernel) -> Kernel:
        return TransformedKernel(kernel, self.transformer) if self.transformer else kernel

    def graph(self, graph: Graph) -> Graph:
        return TransformedGraph(graph, self.transformer) if self.transformer else graph


PLAIN = Frame(plain=True)


def frames(X) -> list[Frame]:
    """The ways to try, the default first.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> [frame.transformer for frame in frames(X * [1.0, 1.0, 1e6])][:2]
    [StandardScaler(), None]
    """
    n, d = X.shape
    if not SMALLEST < largest_entry(X) < 1 / SMALLEST:
        return [PLAIN]  # squares would overflow or vanish; kernels and graphs have their own ways
    leading = COMPONENTS if min(n, d) > 2 * COMPONENTS else 0
    lengths = np.sqrt(squared_norms(X))
    rows = [Frame(Normalizer())] if d > 2 and _spread(lengths) > ALIKE and _long(lengths) else []
    if sp.issparse(X):
        return [PLAIN, *rows, *([Frame(TruncatedSVD(leading, random_state=0))] * bool(leading))]
    components = [PCA(leading, random_state=0)] * bool(leading)
    others = [*rows, *map(Frame, components)]
    if d < 2 or few_entries(X):
        return [PLAIN, *others]  # in units of its own a rare word would outweigh all others
    first = [PLAIN]
    if _spread(X.std(axis=0)) > ALIKE:
        others += [Frame(make_pipeline(StandardScaler(), pca)) for pca in components]
        scaled = Frame(StandardScaler(), plain=True)
        first = [scaled, PLAIN] if unequal(X) else [PLAIN, scaled]
    return [*first, *others]


def few_entries(X) -> bool:
    """Whether nearly all entries are zero, as in counts of words."""
    entries = X.data if sp.issparse(X) else X  # X != 0 would sort the caller's indices in place
    return X.shape[1] > 1 and np.count_nonzero(entries) < WORDS * X.shape[0] * X.shape[1]


def unequal(X: np.ndarray) -> bool:
    """Whether so few columns hold the variance that distances do not see the others.

    One column with 98 % of it, or (Σv)²/Σv², the number of columns that count, below d/10.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(50, 30))
    >>> unequal(X), unequal(X * np.where(np.arange(30) < 2, 100.0, 1.0))
    (False, True)
    """
    if dominating_column(X) is not None:
        return True
    v = X.var(axis=0)
    v = v / (v.max(initial=0.0) or 1.0)
    return bool(v.any() and v.sum() ** 2 / (v**2).sum() < UNEQUAL * len(v))


def _long(lengths: np.ndarray) -> bool:
    """Whether no row is so short that Normalizer takes it for a row of zeros."""
    return bool(lengths[lengths > 0].min(initial=np.inf) > 10 * np.finfo(float).eps)


def _spread(sizes: np.ndarray) -> float:
    """How far apart the larger and the smaller ones are, as a ratio; zeros do not count."""
    low, high = np.quantile(sizes[sizes > 0], [0.05, 0.95]) if sizes.any() else (1.0, 1.0)
    return float(high / low)
