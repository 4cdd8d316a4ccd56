"""What an output structure is: features λ(y), a loss Δ(y, ȳ), and the search for the worst ȳ."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal

import numpy as np

from ..parameters.spelling import NamedParameters
from ..types import MatrixLike, TargetLike

Rescaling = Literal["slack", "margin"]


class Outputs(ABC):
    """A built structure: the score of output y at x is f(x, y) = ⟨λ(y), f(x)⟩ with f(x) ∈ R^q.

    Where the outputs can be listed, f(x) holds the scores of all of them and λ(y) = e_y. Where an
    output is a set of k labels, λ(y) ∈ {−1, 1}^k.

    An output is written as an indicator row of length q, and m outputs as a matrix (m, q). The rows
    are one-hot where the outputs are listed, and the 0/1 row of the labels where an output is a
    set. A structure with too many outputs to list implements :meth:`separate`, :meth:`decode` and
    :meth:`rank`; nothing else in the library goes through all outputs.

    Attributes
    ----------
    listed : bool
        Whether the outputs can be listed (:class:`~lapwing.outputs.Enumerated`).
    n_features : int
        q, the length of F(x) and of an indicator row.
    classes : array
        The outputs in order, or the labels where an output is a set of them.
    mean_square : float
        The mean of K^Y(y, y): the scale of the output kernel.
    kernel, affinity : array of shape (q, q) or None
        K^Y and A^Y where the outputs are listed.
    directions : (V, σ) or None
        K^Y = V diag(σ) Vᵀ where the outputs are listed, A^Y diagonal along V where it commutes.
    """

    listed = False
    n_features: int
    classes: np.ndarray
    mean_square: float
    kernel: np.ndarray | None = None
    affinity: np.ndarray | None = None
    directions: tuple[np.ndarray, np.ndarray] | None = None

    def without_kernel(self) -> Outputs:
        """The same outputs for a joint kernel, which is over the pairs itself."""
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
        """The most violating output of each row, and its violation ξ_i ≥ 0.

        ``"slack"``: max over y of Δ(y_i, y) (1 − f(x_i, y_i) + f(x_i, y)), SO (2) and (6);
        ``"margin"``: max over y of Δ(y_i, y) − f(x_i, y_i) + f(x_i, y). y = y_i gives 0.

        Returns
        -------
        Z : array of shape (m, q), indicator rows
        xi : array of shape (m,)
        """

    def margin_of_flips(self) -> float | None:
        """m where V with margin re-scaling is Σ_j max(0, m − 2 (2y_j − 1) F_j); else None."""
        return None

    @abstractmethod
    def decode(self, F: np.ndarray) -> np.ndarray:
        """argmax over y of f(x, y), as indicator rows, (m, q)."""

    @abstractmethod
    def rank(self, F: np.ndarray, n_best: int | None) -> np.ndarray:
        """The outputs (as users write them) from the best down, (m, n_best, …)."""

    @abstractmethod
    def worst_loss(self, Y: np.ndarray) -> np.ndarray:
        """max over y of Δ(y_i, y), (m,): the violation of f = 0."""


class OutputKernel(NamedParameters, ABC):
    """Configuration of how outputs are related; ``matrix`` turns it into a kernel between them."""

    @abstractmethod
    def matrix(self, Y: np.ndarray, observed: np.ndarray | None = None) -> np.ndarray:
        """Q, (q, q), symmetric PSD, for targets of shape (n, q)."""


class Structure(OutputKernel):
    """Configuration of an output space; ``build`` turns it into :class:`Outputs`."""

    reads_labels = False
    """Whether ``build`` takes its outputs from the labels."""

    def matrix(self, Y: MatrixLike, observed: TargetLike = None) -> np.ndarray:
        """K^Y between the structure's outputs, one column of Y each."""
        kernel = self.build(np.arange(Y.shape[1])).kernel
        if kernel is None:
            raise TypeError(
                f"{self!r} has too many outputs for a kernel matrix between them: give None, a "
                "matrix between the labels, or OutputGraph()."
            )
        return kernel

    @abstractmethod
    def build(self, observed: np.ndarray | None = None) -> Outputs:
        """The built outputs; only :class:`Flat` reads the ``observed`` labels."""

    @abstractmethod
    def layout(self) -> Layout:
        """Where its nodes are drawn, and which of them are joined."""


class Layout:
    """A drawing: nodes with positions and names, and edges between them.

    Parameters
    ----------
    positions : array of shape (m, 2)
    names : list of m strings
    edges : array of shape (e, 2)
        Index pairs.
    weights : array of shape (e,), optional
        Thickness, 1 where not given.
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
    """Strings and integers as such, anything else as objects."""
    labels = np.empty(len(names), dtype=object)
    labels[:] = names
    if all(isinstance(name, str) for name in names):
        return labels.astype(str)
    if all(isinstance(name, (int, np.integer)) for name in names):
        return labels.astype(int)
    return labels


def class_names(classes: TargetLike, n: int) -> np.ndarray:
    """The names of n outputs, 0 … n−1 where none are given, or one clear error."""
    if classes is None:
        return np.arange(n)
    names = list(classes)
    if len(names) != n or len(set(names)) != n:
        raise ValueError(f"classes must be {n} different labels, one per output; got {names!r}.")
    return as_labels(names)


def output_affinity(affinity: MatrixLike, q: int) -> np.ndarray | None:
    """A^Y as a checked matrix; None stays None."""
    if affinity is None:
        return None
    A = square_matrix(affinity, "The output affinity", q)
    if np.any(A < 0) or not np.allclose(A, A.T, rtol=1e-10, atol=0):
        raise ValueError("The output affinity must be symmetric and non-negative.")
    return A


def square_matrix(matrix: MatrixLike, name: str, q: int) -> np.ndarray:
    """A finite matrix of shape (q, q), or one clear error."""
    try:
        matrix = np.asarray(matrix, dtype=float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} is {matrix!r}; expected a matrix of shape ({q}, {q}).") from error
    if matrix.shape != (q, q):
        raise ValueError(f"{name} has shape {matrix.shape}; {q} outputs ask for {(q, q)}.")
    if not np.isfinite(matrix).all():
        raise ValueError(f"{name} contains NaN or infinite entries; it must be finite.")
    return matrix
