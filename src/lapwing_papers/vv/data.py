"""The two data sets of VV with the settings of its §6."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lapwing.graphs import KNN, Graph
from lapwing.kernels import RBF, Kernel, Linear
from lapwing.regularizers import Laplacian, Regularizer

from ..datasets import load_rcv1_subset, load_scene


@dataclass(frozen=True)
class Task:
    """A data set, what VV prints for it, and the γ's that it does not print.

    γ_I is in the paper's scale, without 1/N². ``chosen`` is (γ_A, γ_I, γ_O) of VVMR in Table 1,
    one for all draws; LapRLS is the same at γ_O = 0, vector-valued RLS at γ_I = 0. ``also`` are
    further rows of the table.
    """

    n_train: int
    n_labeled: int
    kernel: Kernel
    graph: Graph
    regularizer: Regularizer
    output_neighbors: int
    gamma_A: tuple[float, ...]
    gamma_I: tuple[float, ...]
    gamma_O: tuple[float, ...]
    chosen: tuple[float, float, float]
    also: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)

    @property
    def methods(self) -> dict[str, tuple[float, float, float]]:
        """Rows of Table 1 as (γ_A, γ_I, γ_O)."""
        gamma_A, gamma_I, gamma_O = self.chosen
        return {
            "RLS": (gamma_A, 0.0, 0.0),
            "VV-RLS": (gamma_A, 0.0, gamma_O),
            "LapRLS": (gamma_A, gamma_I, 0.0),
            "VVMR": (gamma_A, gamma_I, gamma_O),
            **self.also,
        }


SCENE = Task(
    1204, 100, RBF(4.3), KNN(5), Laplacian(KNN(5)), 2,
    gamma_A=(1e-4,),
    gamma_I=(0.0, 1e-3, 3e-3, 0.01, 0.03, 0.1),
    gamma_O=tuple(round(0.1 * i, 1) for i in range(11)),
    chosen=(1e-4, 0.01, 1.0),
)  # fmt: skip

_NEWS = KNN(50, weight="binary", metric="cosine")
RCV1 = Task(
    3000, 50, Linear(), _NEWS, Laplacian(_NEWS, degree=5), 20,
    gamma_A=(1.0, 1e-4, 1e-6),
    gamma_I=(0.0, 0.01, 0.1, 1.0),
    gamma_O=(0.0, 0.25, 0.5, 1.0),
    chosen=(1e-6, 0.1, 0.25),
)  # fmt: skip

TASKS = {"Scene": SCENE, "RCV1": RCV1}

SMALL = "VVMR, γ_A = 1e-6"
_ALL_EDGES, _ALL_NEWS = KNN(5, hubs="keep"), replace(_NEWS, hubs="keep")
PRINTED = {
    "Scene": replace(SCENE, graph=_ALL_EDGES, regularizer=Laplacian(_ALL_EDGES)),
    "RCV1": replace(
        RCV1, graph=_ALL_NEWS, regularizer=Laplacian(_ALL_NEWS, degree=5),
        gamma_A=(1.0, 1e-6), gamma_I=(0.0, 0.01, 0.03, 0.1),
        gamma_O=(0.0, 0.25, 0.5, 0.75, 1.0), chosen=(1.0, 0.1, 1.0),
        also={SMALL: (1e-6, 0.1, 1.0)},
    ),
}  # fmt: skip
"""Without intercepts, at the printed γ_A, every neighbor joined; γ_I and γ_O are the ends of the
ranges of Fig. 1."""


def load(name: str, data_home) -> tuple[Any, np.ndarray]:
    """X and Y; of RCV1 the 2,900 most frequent words and the 25 most frequent topics."""
    if name == "Scene":
        scene = load_scene(data_home)
        return scene.X, scene.Y
    rcv1 = load_rcv1_subset(data_home)
    words = _most_frequent(np.asarray((rcv1.X > 0).sum(axis=0)).ravel(), 2900)
    return rcv1.X[:, words], rcv1.Y[:, _most_frequent(rcv1.Y.sum(axis=0), 25)]


def _most_frequent(counts: np.ndarray, n: int) -> np.ndarray:
    return np.sort(np.argsort(-counts, kind="stable")[:n])
