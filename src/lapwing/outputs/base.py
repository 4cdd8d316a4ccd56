"""The base classes of output structures: features λ(y), a loss Δ(y, ȳ), and the search for ȳ."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal

import numpy as np

from ..parameters.spelling import NamedParameters
from ..types import MatrixLike, TargetLike

Rescaling = Literal["slack", "margin"]


class Outputs(ABC):
    """A built structure. The score of output y at x is f(x, y) = ⟨λ(y), f(x)⟩ with f(x) ∈ R^q.

    λ(y) is the feature vector of the output y. If the outputs can be listed, f(x) holds the scores
    of all outputs, and λ(y) = e_y is a unit vector. If an output is a set of k labels, λ(y) ∈ {−1,
    1}^k.

    An output is written as an indicator row of length q, and m outputs as a matrix (m, q). A row is
    one-hot if the outputs are listed. It holds 0 or 1 for each label if an output is a set. A
    structure with too many outputs to list implements :meth:`separate`, :meth:`decode` and
    :meth:`rank`. No other code of the library loops over all outputs.

    Attributes
    ----------
    listed : bool
        Whether the outputs can be listed (:class:`~lapwing.outputs.Enumerated`).
    n_features : int
        q, the length of f(x) and of an indicator row.
    classes : array
        The outputs in order, or the labels if an output is a set of labels.
    mean_square : float
        The mean of K^Y(y, y), the scale of the output kernel K^Y.
    kernel, affinity : array of shape (q, q) or None
        The output kernel K^Y and the output affinity A^Y, if the outputs are listed.
    directions : (V, σ) or None
        K^Y = V diag(σ) Vᵀ, if the outputs are listed. V also diagonalizes A^Y if the two commute.
    """

    listed = False
    n_features: int
    classes: np.ndarray
    mean_square: float
    kernel: np.ndarray | None = None
    affinity: np.ndarray | None = None
    directions: tuple[np.ndarray, np.ndarray] | None = None

    def without_kernel(self) -> Outputs:
        """The same outputs for a joint kernel. A joint kernel is defined on pairs (x, y)."""
        raise TypeError("A JointKernel needs outputs that can be listed, not LabelSets.")

    @abstractmethod
    def features(self, Y: np.ndarray) -> np.ndarray:
        """λ(y) of each indicator row, (m, q)."""

    @abstractmethod
    def loss(self, Y: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """Δ(y_i, z_i) of paired rows, (m,)."""

    @abstractmethod
    def separate(
        self, F: np.ndarray, Y: np.ndarray, rescaling: Rescaling
    ) -> tuple[np.ndarray, np.ndarray]:
        """Find the most violating output of each row, and its violation ξ_i ≥ 0.

        ``"slack"`` maximizes Δ(y_i, y) (1 − f(x_i, y_i) + f(x_i, y)) over y, as in SO (2) and (6).
        ``"margin"`` maximizes Δ(y_i, y) − f(x_i, y_i) + f(x_i, y). y = y_i gives 0.

        Returns
        -------
        Z : array of shape (m, q), indicator rows
        xi : array of shape (m,)
        """

    def margin_of_flips(self) -> float | None:
        """m, if the margin re-scaled loss is Σ_j max(0, m − 2 (2y_j − 1) F_j). Otherwise None."""
        return None

    @abstractmethod
    def decode(self, F: np.ndarray) -> np.ndarray:
        """argmax over y of f(x, y), as indicator rows, (m, q)."""

    @abstractmethod
    def rank(self, F: np.ndarray, n_best: int | None) -> np.ndarray:
        """The outputs in the coding of the user, best first, (m, n_best, …)."""

    @abstractmethod
    def worst_loss(self, Y: np.ndarray) -> np.ndarray:
        """max over y of Δ(y_i, y), shape (m,). This is the violation of f = 0."""


class OutputKernel(NamedParameters, ABC):
    """The configuration of a relation between outputs. ``matrix`` computes their kernel."""

    @abstractmethod
    def matrix(self, Y: np.ndarray, observed: np.ndarray | None = None) -> np.ndarray:
        """The kernel Q between outputs, (q, q), symmetric PSD, for targets of shape (n, q)."""


class Structure(OutputKernel):
    """The configuration of an output space. ``build`` returns :class:`Outputs`."""

    reads_labels = False
    """Whether ``build`` needs the labels."""

    def matrix(self, Y: MatrixLike, observed: TargetLike = None) -> np.ndarray:
        """K^Y between the outputs of the structure. Each output is one column of Y."""
        kernel = self.build(np.arange(Y.shape[1])).kernel
        if kernel is None:
            raise TypeError(
                f"{self!r} has too many outputs for a kernel matrix between them: give None, a "
                "matrix between the labels, or OutputGraph()."
            )
        return kernel

    @abstractmethod
    def build(self, observed: np.ndarray | None = None) -> Outputs:
        """Return the built outputs. Only :class:`Flat` reads the ``observed`` labels."""

    @abstractmethod
    def layout(self) -> Layout:
        """The positions of its nodes in a drawing, and the edges between them."""


class Layout:
    """A drawing: nodes with positions and names, and edges between them.

    Parameters
    ----------
    positions : array of shape (m, 2)
    names : list of m strings
    edges : array of shape (e, 2)
        Pairs of node indices.
    weights : array of shape (e,), optional
        The thickness of each edge. The default is 1.
    """

    def __init__(self, positions: MatrixLike, names: Any, edges: Any, weights: Any = 1.0) -> None:
        self.positions = np.asarray(positions, dtype=float).reshape(-1, 2)
        self.names = [str(name) for name in names]
        self.edges = np.asarray(edges, dtype=int).reshape(-1, 2)
        self.weights = np.ones(len(self.edges)) * weights


def circle(m: int) -> np.ndarray:
    """m positions on the unit circle, clockwise from the top, (m, 2)."""
    angle = 2.0 * np.pi * np.arange(m) / max(m, 1)
    return np.column_stack([np.sin(angle), np.cos(angle)])


def as_labels(names: list[Any]) -> np.ndarray:
    """An array of strings or integers. Other names become objects."""
    labels = np.empty(len(names), dtype=object)
    labels[:] = names
    if all(isinstance(name, str) for name in names):
        return labels.astype(str)
    if all(isinstance(name, (int, np.integer)) for name in names):
        return labels.astype(int)
    return labels


def class_names(classes: TargetLike, n: int) -> np.ndarray:
    """The names of n outputs: the given ones after a check, or 0 … n−1."""
    if classes is None:
        return np.arange(n)
    names = list(classes)
    if len(names) != n or len(set(names)) != n:
        raise ValueError(f"classes must be {n} different labels, one per output; got {names!r}.")
    return as_labels(names)


def output_affinity(affinity: MatrixLike, q: int) -> np.ndarray | None:
    """Check the matrix A^Y and return it. None stays None."""
    if affinity is None:
        return None
    A = square_matrix(affinity, "The output affinity", q)
    if np.any(A < 0) or not np.allclose(A, A.T, rtol=1e-10, atol=0):
        raise ValueError("The output affinity must be symmetric and non-negative.")
    return A


def square_matrix(matrix: MatrixLike, name: str, q: int) -> np.ndarray:
    """Check that a matrix is finite and of shape (q, q), and return it."""
    try:
        matrix = np.asarray(matrix, dtype=float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} is {matrix!r}; expected a matrix of shape ({q}, {q}).") from error
    if matrix.shape != (q, q):
        raise ValueError(f"{name} has shape {matrix.shape}; {q} outputs ask for {(q, q)}.")
    if not np.isfinite(matrix).all():
        raise ValueError(f"{name} contains NaN or infinite entries; it must be finite.")
    return matrix
