"""Frames: transforms of the points before the kernel and the graph use them.

=====================  ==========================================================================
None (unchanged)       the default, unless a few columns hold nearly all the variance
StandardScaler()       each column divided by its deviation; the default for such unequal columns;
                       not for counts of words
Normalizer()           rows of norm 1, as for texts; if the norms of the rows differ
PCA(10)                the leading components of all rows, labeled or not, for clusters in many
                       noisy columns; TruncatedSVD(10) for CSR rows; with more than 20 columns
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
"""The number of leading components. X must have more than twice as many columns."""

UNEQUAL = 0.1
"""Columns are unequal if the effective number of columns is below this share."""

WORDS = 0.05
"""Rows count as counts of words if the share of nonzero entries is below this number."""

SMALLEST = 1e-100
"""No transform if the largest entry of X is below this number or above its reciprocal."""

ALIKE = 1.5
"""Columns (or rows) count as equal if the ratio of their deviations (or norms) is at most this."""


@dataclass(frozen=True)
class Frame:
    """One transform of the points: a transformer, or None for the points themselves.

    Attributes
    ----------
    transformer : transformer or None
    plain : bool
        Whether the frame keeps the columns: unchanged or standardized.
    words : bool
        Whether the frame has components of counts of words. The graph looks along these. The
        function for new rows looks at the rows themselves: components fit the many words of the
        rows that determine them better than those of new rows (docs/choosing.md).
    """

    transformer: Any = None
    plain: bool = False
    words: bool = False

    def kernel(self, kernel: Kernel) -> Kernel:
        return TransformedKernel(kernel, self.transformer) if self.transformer else kernel

    def graph(self, graph: Graph) -> Graph:
        return TransformedGraph(graph, self.transformer) if self.transformer else graph


PLAIN = Frame(plain=True)


def frames(X) -> list[Frame]:
    """The frames to compare, the default first.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> [frame.transformer for frame in frames(X * [1.0, 1.0, 1e6])][:2]
    [StandardScaler(), None]
    """
    n, d = X.shape
    if not SMALLEST < largest_entry(X) < 1 / SMALLEST:
        return [PLAIN]  # squares would overflow or vanish; kernels and graphs handle that
    leading = COMPONENTS if min(n, d) > 2 * COMPONENTS else 0
    lengths = np.sqrt(squared_norms(X))
    rows = [Frame(Normalizer())] if d > 2 and _spread(lengths) > ALIKE and _long(lengths) else []
    if sp.issparse(X):
        svd = TruncatedSVD(leading, random_state=0)
        return [PLAIN, *rows, *([Frame(svd, words=few_entries(X))] * bool(leading))]
    components = [PCA(leading, random_state=0)] * bool(leading)
    others = [*rows, *(Frame(pca, words=few_entries(X)) for pca in components)]
    if d < 2 or few_entries(X):
        return [PLAIN, *others]  # standardized, a rare word would outweigh all others
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
    """Whether a few columns hold so much variance that the other columns hardly affect distances.

    True if one column has 98 % of the variance, or if (Σv)²/Σv² is below d/10. v holds the
    variances of the d columns, and (Σv)²/Σv² is the effective number of columns.

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
    """The ratio between the larger and the smaller of the positive sizes."""
    low, high = np.quantile(sizes[sizes > 0], [0.05, 0.95]) if sizes.any() else (1.0, 1.0)
    return float(high / low)
