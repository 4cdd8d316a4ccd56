"""An output structure given by its matrices."""

from typing import Any

import numpy as np

from ..linalg.psd import check_psd
from ..types import MatrixLike, TargetLike
from .base import Layout, Structure, circle, class_names, output_affinity, square_matrix
from .enumerated import Enumerated


class OutputStructure(Structure):
    """K^Y, Δ and A^Y as matrices over the outputs.

    Parameters
    ----------
    kernel : array of shape (q, q)
        K^Y, symmetric PSD. It may be singular.
    loss : array of shape (q, q)
        Δ(y, ȳ) ≥ 0 for true y (row) and predicted ȳ (column), zero on the diagonal. It need not be
        symmetric.
    affinity : array of shape (q, q), optional
        A^Y ≥ 0, symmetric. It is the output factor of the joint graph D^X⊗D^Y − A^X⊗A^Y. None is
        the identity: L = L^X ⊗ I keeps the outputs apart. A^Y = K^Y would mix them and increase
        errors.
    classes : sequence of q labels, optional
        The names of the outputs in y, in order. None means 0 … q−1.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.outputs import OutputStructure
    >>> cost = np.array([[0.0, 5.0], [1.0, 0.0]])  # to predict 1 for a true 0 costs 5
    >>> OutputStructure(np.eye(2), cost).build().classes
    array([0, 1])
    """

    def __init__(
        self, kernel: Any, loss: Any, affinity: MatrixLike = None, classes: TargetLike = None
    ) -> None:
        self.kernel = kernel
        self.loss = loss
        self.affinity = affinity
        self.classes = classes

    def build(self, observed: TargetLike = None) -> Enumerated:
        kernel = np.asarray(check_psd(self.kernel, "The output kernel"), dtype=float)
        loss = _loss_matrix(self.loss, len(kernel))
        affinity = output_affinity(self.affinity, len(kernel))
        return Enumerated(kernel, loss, affinity, class_names(self.classes, len(kernel)))

    def layout(self) -> Layout:
        kernel = np.asarray(self.kernel if self.affinity is None else self.affinity, dtype=float)
        strength = np.triu(np.abs(kernel), 1)
        edges = np.argwhere(strength > 0)
        weights = strength[strength > 0] / max(strength.max(initial=0.0), 1e-300)
        return Layout(circle(len(kernel)), range(len(kernel)), edges, weights)


def _loss_matrix(loss: Any, q: int) -> np.ndarray:
    loss = square_matrix(loss, "The output loss", q)
    if np.any(loss < 0) or np.any(np.diagonal(loss) != 0):
        raise ValueError(
            "The output loss must be non-negative with a zero diagonal: Δ(y, y) = 0 and no "
            "confusion is rewarded."
        )
    if q > 1 and not loss.any():
        raise ValueError("The output loss is zero everywhere: no confusion costs anything.")
    return loss
