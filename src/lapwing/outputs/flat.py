"""Outputs without structure: the Crammer–Singer model."""

import numpy as np

from ..parameters.checks import check_count
from ..types import TargetLike
from .base import Layout, Structure, circle
from .enumerated import Enumerated


class Flat(Structure):
    """K^Y = I and Δ(y, ȳ) = 1[y ≠ ȳ]. This is the multi-class model of Crammer and Singer.

    With unlabeled rows it is their model with the deformed input kernel (SO IV-C).

    Parameters
    ----------
    n : int, optional
        The number of outputs. They are called 0 … n−1. None takes the labels that occur in y.

    Examples
    --------
    >>> from lapwing.outputs import Flat
    >>> Flat(3).build().loss_matrix
    array([[0., 1., 1.],
           [1., 0., 1.],
           [1., 1., 0.]])
    """

    def __init__(self, n: int | None = None) -> None:
        self.n = n

    @property
    def reads_labels(self) -> bool:  # type: ignore[override]
        return self.n is None

    def build(self, observed: TargetLike = None) -> Enumerated:
        if not self.reads_labels:
            classes = np.arange(check_count("n of Flat", self.n))
        elif observed is None:
            raise ValueError("Flat() takes its outputs from the labels: give labels, or Flat(n).")
        else:
            classes = np.unique(observed)
        q = len(classes)
        return Enumerated(np.eye(q), 1.0 - np.eye(q), None, classes)

    def layout(self) -> Layout:
        m = self.n or 0
        return Layout(circle(m), range(m), [])
