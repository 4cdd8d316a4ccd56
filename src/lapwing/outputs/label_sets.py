"""Subsets of k labels. The 2^k outputs are never listed."""

from __future__ import annotations

import heapq

import numpy as np

from ..parameters.checks import check_count
from ..types import MatrixLike, TargetLike
from .base import Layout, Outputs, Rescaling, Structure, circle
from .given import OutputStructure

MAX_LISTED = 12


class LabelSets(Structure):
    """λ(y) = 2y − 1 ∈ {−1, 1}^k for outputs y ⊂ {1 … k}. Δ is the Hamming loss |y △ ȳ|/k.

    The score f(x, y) = Σ_j (2y_j − 1) F_j(x) is linear in y, so each label is searched separately.
    The penalty over the graph is L^X ⊗ (K^Y)⁺. The deformed kernel is then still a product K̃^X ⊗
    K^Y, and no array of size 2^k is formed.

    Parameters
    ----------
    n_labels : int
        The number k of labels.

    Examples
    --------
    >>> from lapwing.outputs import LabelSets
    >>> LabelSets(100).build().n_features
    100
    """

    def __init__(self, n_labels: int = 2) -> None:
        self.n_labels = n_labels

    def build(self, observed: TargetLike = None) -> Subsets:
        return Subsets(check_count("n_labels of LabelSets", self.n_labels))

    def listed(self) -> OutputStructure:
        """All 2^k outputs as a list, for small k. Bit j of the index is label j."""
        if check_count("n_labels of LabelSets", self.n_labels) > MAX_LISTED:
            limit = f"at most {MAX_LISTED} labels can be listed"
            raise ValueError(f"2^{self.n_labels} outputs are too many to list: {limit}.")
        Y = self.members()
        signs = 2.0 * Y - 1.0
        return OutputStructure(signs @ signs.T, np.abs(Y[:, None] - Y[None]).mean(axis=2))

    def members(self) -> np.ndarray:
        """The indicator rows of all subsets in the order of :meth:`listed`, (2^k, k)."""
        return ((np.arange(2**self.n_labels)[:, None] >> np.arange(self.n_labels)) & 1).astype(
            float
        )

    def layout(self) -> Layout:
        return Layout(circle(self.n_labels), range(self.n_labels), [])


class Subsets(Outputs):
    """The built subsets of k labels. An indicator row is the set itself."""

    def __init__(self, k: int) -> None:
        self.n_features = k
        self.classes = np.arange(k)
        self.mean_square = float(k)

    def features(self, Y: MatrixLike) -> MatrixLike:
        return 2.0 * Y - 1.0

    def loss(self, Y: MatrixLike, Z: MatrixLike) -> np.ndarray:
        return np.abs(Y - Z).mean(axis=1)

    def separate(self, F: MatrixLike, Y: MatrixLike, rescaling: Rescaling):
        # Flipping label j changes f(x, ·) by gain_j. The gains of several flips add up.
        gain = -2.0 * (2.0 * Y - 1.0) * F
        k = self.n_features
        if rescaling == "margin":
            flip = gain + 1.0 / k > 0
            return np.abs(Y - flip), np.where(flip, gain + 1.0 / k, 0.0).sum(axis=1)
        # Of all sets with h flips, the one with the h largest gains is best: k + 1 candidates.
        order = np.argsort(-gain, axis=1, kind="stable")
        total = np.cumsum(np.take_along_axis(gain, order, axis=1), axis=1)
        violation = np.arange(1, k + 1) / k * (1.0 + total)
        h = violation.argmax(axis=1)
        xi = violation[np.arange(len(Y)), h]
        count = np.where(xi > 0, h + 1, 0)
        flip = np.zeros_like(gain, dtype=bool)
        np.put_along_axis(flip, order, np.arange(k) < count[:, None], axis=1)
        return np.abs(Y - flip), np.maximum(xi, 0.0)

    def margin_of_flips(self):
        # The Hamming loss and f(x, ·) are sums over labels, and so is their maximum.
        return 1.0 / self.n_features

    def worst_loss(self, Y: MatrixLike) -> np.ndarray:
        return np.ones(len(Y))

    def decode(self, F: MatrixLike) -> np.ndarray:
        return (F > 0).astype(float)

    def rank(self, F: MatrixLike, n_best):
        n_best = self._n_best(n_best)
        best = self.decode(F)
        flips = np.stack([cheapest_subsets(2.0 * np.abs(row), n_best) for row in F])
        return np.abs(best[:, None, :] - flips).astype(int)

    def _n_best(self, n_best: int | None) -> int:
        if n_best is None:
            if self.n_features > MAX_LISTED:
                raise ValueError(f"Say how many of the 2^{self.n_features} sets to rank: n_best.")
            return 2**self.n_features
        return min(n_best, 2 ** min(self.n_features, 62))


def cheapest_subsets(cost: np.ndarray, n_best: int) -> np.ndarray:
    """The indicator rows of the ``n_best`` subsets with the smallest total ``cost`` ≥ 0, in order.

    The costs are sorted. Every subset with largest member j has two children: "also take j+1" and
    "take j+1 instead of j". No child is cheaper. A heap therefore yields the subsets in order.
    """
    k = len(cost)
    order = np.argsort(cost, kind="stable")
    c = cost[order]
    rows = np.zeros((n_best, k))
    heap: list[tuple[float, tuple[int, ...]]] = [(float(c[0]), (0,))]
    for row in rows[1:]:
        total, members = heapq.heappop(heap)
        row[order[list(members)]] = 1.0
        j = members[-1] + 1
        if j < k:
            heapq.heappush(heap, (total + float(c[j]), (*members, j)))
            heapq.heappush(heap, (total + float(c[j] - c[j - 1]), (*members[:-1], j)))
    return rows
