"""Random semi-supervised problems: any kernel, Laplacian, degree, class count, label order."""

from dataclasses import dataclass, field

import numpy as np

from lapwing.graphs import KNN, Complete
from lapwing.kernels import RBF, Cosine, LaplacianKernel, Linear, Matern, Polynomial
from lapwing.regularizers import Laplacian

KERNELS = [
    RBF(1.5),
    RBF(),
    LaplacianKernel(2.0),
    Matern(1.5),
    Polynomial(2),
    Polynomial(3, coef0=0.5, scale=0.3),
    Linear(),
    Cosine(),
    0.5 * RBF(1.0) + Linear(),
    RBF(2.0) * Polynomial(2),
]
GRAPHS = [
    KNN(n_neighbors=5),
    KNN(n_neighbors=4, weight="binary", symmetrize="mutual"),
    KNN(n_neighbors=6, weight="cosine"),
    Complete(weight="heat"),
]


@dataclass
class Problem:
    """Points, kernel and regularizer with their dense matrices, labels with markers."""

    seed: int
    n_classes: int = 2
    n: int = field(init=False)

    def __post_init__(self):
        rng = np.random.default_rng(self.seed)
        self.n = int(rng.integers(30, 61))
        self.truth = rng.integers(0, self.n_classes, self.n)
        self.truth[: self.n_classes] = np.arange(self.n_classes)
        centers = rng.normal(scale=1.5, size=(self.n_classes, 3))
        self.X = centers[self.truth] + rng.normal(size=(self.n, 3))
        self.new = rng.normal(scale=1.5, size=(7, 3))
        keep = rng.permutation(self.n)[: self.n // 3]
        self.labeled = np.zeros(self.n, dtype=bool)
        self.labeled[keep] = self.labeled[: self.n_classes] = True
        order = rng.permutation(self.n)
        self.X, self.truth, self.labeled = self.X[order], self.truth[order], self.labeled[order]
        self.y = np.where(self.labeled, self.truth, -1)
        self.target = np.where(self.labeled, self.X[:, 0] + rng.normal(size=self.n), np.nan)
        self.weight = rng.uniform(0.2, 3.0, self.n)
        self.kernel = KERNELS[self.seed % len(KERNELS)]
        self.regularizer = Laplacian(
            GRAPHS[self.seed % len(GRAPHS)],
            normalized=bool(rng.integers(2)),
            degree=int(rng.integers(1, 4)),
        )
        self.gamma_A = float(10 ** rng.uniform(-3, -1))
        strength = float(10 ** rng.uniform(-2, 1))  # of the intrinsic term's largest eigenvalue
        self.gamma_I = strength * self.n**2 / np.linalg.norm(self.M, 2)

    @property
    def built(self):
        return self.kernel.build(self.X)

    @property
    def K(self):
        return self.built(self.X)

    @property
    def M(self):
        """s L^p from the weights alone."""
        W = self.regularizer.graph.build(self.X).W.toarray()
        d = W.sum(axis=1)
        L = np.diag(d) - W
        if self.regularizer.normalized:
            s = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)
            L = s[:, None] * L * s
        return np.linalg.matrix_power(L, self.regularizer.degree)

    @property
    def signs(self):
        """±1 per class where labeled, (n, n_classes), or (n, 1) for two classes."""
        Y = np.where(self.truth[:, None] == np.arange(self.n_classes), 1.0, -1.0)
        Y = Y[:, 1:] if self.n_classes == 2 else Y
        return np.where(self.labeled[:, None], Y, 0.0)

    def weights(self, given=None):
        w = np.where(self.labeled, 1.0 if given is None else given, 0.0)
        return w / w.sum()

    @property
    def settings(self):
        return {
            "kernel": self.kernel,
            "regularizer": self.regularizer,
            "gamma_A": self.gamma_A,
            "gamma_I": self.gamma_I,
        }


BY_RULE = {
    "kernel": "rbf",
    "regularizer": "laplacian",
    "gamma_A": "rule",
    "gamma_I": "rule",
    "fit_intercept": True,
}
"""Everything by rule: for tests of other things than the automatic choice."""

OUTPUTS_BY_RULE = {**BY_RULE, "output_kernel": None}
"""The same for vector-valued estimators."""

VIEWS_BY_RULE = {
    "gamma_A": "rule",
    "gamma_I": "rule",
    "gamma_C": "rule",
    "fit_intercept": True,
}
"""The same for several views."""

TARGETS_BY_RULE = {"kernel": "rbf", "n_components": "rule"}
"""The same for SSSL; LapS3L and LSMR have γ_I and γ_M too."""
