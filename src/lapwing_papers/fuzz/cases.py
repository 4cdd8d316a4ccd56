"""A case: an estimator with its parts, data and labels, all from one seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import isfunction
from typing import Any

import numpy as np
import scipy.sparse as sp

from lapwing import estimators as lw
from lapwing.graphs import KNN, Complete, Radius
from lapwing.kernels import RBF, Cosine, FunctionKernel, LaplacianKernel, Linear, Matern, Polynomial
from lapwing.outputs import Flat, LabelSets, Ordinal, OutputGraph, Ring
from lapwing.regularizers import Heat, HessianEnergy, KernelNorm, Laplacian

Rng = np.random.Generator


@dataclass
class Case:
    """What is fitted: ``model.fit(X, y)``, y None for clusterings and embeddings."""

    seed: int
    model: Any
    X: Any
    y: Any
    weight: np.ndarray | None
    words: str

    def __str__(self) -> str:
        return f"seed {self.seed}: {' '.join(repr(self.model).split())} on {self.words}"


def pick(rng: Rng, *options):
    """One of the options; a function among them is called with ``rng``."""
    chosen = options[rng.integers(len(options))]
    return chosen(rng) if isfunction(chosen) else chosen


def draw(seed: int, sizes: tuple[int, ...] = (2, 3, 8, 20, 40, 60)) -> Case:
    """The case of that seed, with one of these numbers of rows."""
    rng = np.random.default_rng(seed)
    n, d = int(pick(rng, *sizes)), int(pick(rng, 1, 2, 3, 5, 30))
    X, words = _points(rng, n, d)
    family = FAMILIES[rng.integers(len(FAMILIES))]
    model, y = family(rng, X, n, d)
    X, kind = _container(rng, X, model)
    weight = pick(rng, None, None, rng.random(n), 1e-8 + 10.0 ** rng.integers(-6, 6, n))
    takes = isinstance(model, lw.LapRLSClassifier | lw.LapSVC | lw.ManifoldRegressor)
    return Case(seed, model, X, y, weight if takes else None, f"{words}, {n} × {d}, {kind}")


def _points(rng: Rng, n: int, d: int) -> tuple[np.ndarray, str]:
    X = rng.standard_normal((n, d))
    words = pick(
        rng, "normal", "normal", "normal", "twins", "large", "small", "far", "outlier", "constant",
        "zero rows", "grid", "line",
    )  # fmt: skip
    if words == "twins":
        X = X[rng.integers(0, max(1, n // 2), n)]
    elif words == "large":
        X *= 10.0 ** pick(rng, 3, 6, 8, 12, 60, 155)
    elif words == "small":
        X *= 10.0 ** -pick(rng, 3, 6, 8, 12, 60, 155)
    elif words == "far":
        X += 10.0 ** rng.integers(1, 7)
    elif words == "outlier":
        X[0] *= 10.0 ** pick(rng, 2, 4, 9, 12, 100)
    elif words == "constant":
        X[:, 0] = 1.0
    elif words == "zero rows":
        X[: n // 3] = 0.0
    elif words == "grid":
        X = np.round(X)
    elif words == "line":
        X = np.outer(X[:, 0], np.ones(d))
    return X, words


def _container(rng: Rng, X: np.ndarray, model) -> tuple[Any, str]:
    kind = pick(rng, "float64", "float64", "float64", "float32", "CSR", "list", "Fortran")
    if isinstance(getattr(model, "kernel", None), str) and model.kernel == "precomputed":
        G = X / (np.abs(X).max() or 1.0)
        return G @ G.T, "a Gram matrix"
    if kind == "float32" and np.abs(X).max() < 1e15:
        return X.astype(np.float32), kind
    if kind == "CSR":
        return sp.csr_array(X), kind
    if kind == "list":
        return X.tolist(), kind
    return (np.asfortranarray(X) if kind == "Fortran" else X), kind


def gamma(low: int, high: int, *others) -> Callable[[Rng], Any]:
    """A power of ten, or one of the others."""
    return lambda rng: pick(rng, *others, float(10.0 ** rng.integers(low, high)))


def graph(rng: Rng):
    return pick(
        rng,
        KNN(int(rng.integers(1, 12))),
        KNN(5, weight="binary"),
        KNN(5, weight="self-tuning"),
        KNN(3, symmetrize="mutual"),
        Radius(float(10.0 ** rng.integers(-1, 2))),
        Complete(),
    )


def regularizer(n: int) -> Callable[[Rng], Any]:
    def drawn(rng: Rng):
        A = rng.standard_normal((n, max(1, n // 2)))
        return pick(
            rng,
            None,
            None,
            Laplacian(graph(rng), normalized=bool(rng.integers(2)), degree=int(rng.integers(1, 4))),
            Heat(KNN(5), t=float(10.0 ** rng.integers(-2, 2))),
            HessianEnergy(n_components=1),
            KernelNorm(RBF("median")),
            A @ A.T,
            sp.csr_array(np.diag(rng.random(n))),
            Laplacian() + 0.5 * KernelNorm(LaplacianKernel()),
        )

    return drawn


def min_kernel(A, B) -> np.ndarray:
    """Σ_j min(|a_j|, |b_j|): a kernel that only its user knows."""
    A, B = (np.abs(P.toarray() if sp.issparse(P) else np.asarray(P)) for P in (A, B))
    return np.minimum(A[:, None], B[None]).sum(axis=2)


def kernel(rng: Rng):
    return pick(
        rng, "rbf", "rbf", "linear", RBF(float(10.0 ** rng.integers(-2, 3))), Linear(), Cosine(),
        Matern(), LaplacianKernel(), Polynomial(2), RBF() + Linear(), RBF() * Polynomial(3),
        FunctionKernel(min_kernel),
    )  # fmt: skip


def chosen(rng: Rng, n: int) -> dict[str, Any]:
    """The parameters of estimators that choose what is "auto": each one now and then, or all."""
    given = common(rng, n) | {"fit_intercept": bool(rng.integers(2))}
    share = pick(rng, 0.0, 0.0, 0.2, 0.2, 1.0)
    given |= {name: "auto" for name in given if rng.random() < share}
    return given


def common(rng: Rng, n: int) -> dict[str, Any]:
    """The parameters that every estimator with one kernel has."""
    return {
        "kernel": pick(rng, kernel),
        "regularizer": pick(rng, regularizer(n)),
        "gamma_A": pick(rng, gamma(-20, 9, "rule", "auto")),
        "gamma_I": pick(rng, gamma(-12, 13, "rule", "auto", 0.0)),
    }


def classes(rng: Rng, n: int, q: int) -> np.ndarray:
    """Labels of q classes at least once each where there is room, others unlabeled."""
    codes = rng.integers(0, q, n)
    codes[: min(n, q)] = np.arange(q)[: min(n, q)]
    share = pick(rng, 0.1, 0.5, 1.0)
    hidden = (rng.random(n) > share) & (np.arange(n) >= q)
    style = pick(rng, "integers", "words", "floats")
    if style == "integers":
        return np.where(hidden, -1, codes + (q == 2))  # with two classes, 1 and 2
    if style == "floats":
        return np.where(hidden, np.nan, codes.astype(float))
    words = np.array([f"class {code}" for code in codes], dtype=object)
    words[hidden] = None
    return words


def targets(rng: Rng, X: np.ndarray, t: int) -> np.ndarray:
    """Real targets with missing rows and entries, on any scale."""
    n = len(X)
    size = 10.0 ** pick(rng, 0, 0, 0, -3, 3, -8, 8, -100, 100)
    Y = size * (np.sin(3 * X[:, :1] / (np.abs(X).max() or 1)) + rng.standard_normal((n, t)))
    Y[(rng.random(n) > pick(rng, 0.2, 0.6, 1.0)) & (np.arange(n) > 1)] = np.nan
    if t > 1 and rng.random() < 0.4:
        Y[(rng.random(Y.shape) > 0.7) & (np.arange(n) > 1)[:, None]] = np.nan
    return Y if t > 1 else Y[:, 0]


def _single_classifier(rng: Rng, X, n: int, d: int):
    space = pick(rng, "auto", "auto", "exact", "blockwise", "landmarks", "graph", "linear")
    shared = chosen(rng, n) | {"space": space}
    if rng.random() < 0.1:
        shared |= {"kernel": "precomputed", "space": "auto"}
    y = classes(rng, n, int(rng.integers(2, 4)))
    model = pick(
        rng,
        lw.LapRLSClassifier(**shared, solver=pick(rng, "auto", "auto", "direct", "cg")),
        lw.LapSVC(**shared, loss=pick(rng, "hinge", "squared_hinge")),
        lw.LapLogisticClassifier(**shared),
        lw.ManifoldClassifier(**shared, loss=pick(rng, "hinge", "logistic", "squared")),
    )
    return model, y


def _single_regressor(rng: Rng, X, n: int, d: int):
    shared = chosen(rng, n) | {"space": pick(rng, "auto", "auto", "auto", "graph", "landmarks")}
    y = targets(rng, X, int(rng.integers(1, 4)))
    loss = pick(rng, "squared", "huber", "epsilon_insensitive")
    model = pick(rng, lw.LapRLSRegressor(**shared), lw.ManifoldRegressor(**shared, loss=loss))
    return model, y


def _vector_valued(rng: Rng, X, n: int, d: int):
    t = int(rng.integers(2, 4))
    A = rng.standard_normal((t, t))
    shared = common(rng, n) | {"output_kernel": pick(rng, None, A @ A.T, OutputGraph(0.5, 1))}
    if rng.integers(2):
        loss = pick(rng, "squared", "huber", "epsilon_insensitive")
        return lw.VectorValuedRegressor(**shared, loss=loss), targets(rng, X, t)
    y = np.sign(targets(rng, X, t))
    return lw.VectorValuedClassifier(**shared, loss=pick(rng, "squared", "hinge", "logistic")), y


def _structured(rng: Rng, X, n: int, d: int):
    output = pick(rng, None, Flat(4), Ring(4), Ring(5), Ordinal(4), LabelSets(3))
    shared = common(rng, n) | {"rescaling": pick(rng, "slack", "margin")}
    if isinstance(output, LabelSets):
        y = (rng.random((n, 3)) > 0.5).astype(float)
        y[(rng.random(n) > 0.5) & (np.arange(n) > 1)] = np.nan
        return lw.StructuredLapSVC(output=output, **shared), y
    y = np.where((rng.random(n) > 0.5) & (np.arange(n) > 1), -1, np.arange(n) % 3)
    return lw.StructuredLapSVC(output=output, **shared), y


def _several_views(rng: Rng, X, n: int, d: int):
    cut = max(1, d // 2)
    views = None if d < 2 else [("a", pick(rng, kernel), slice(0, cut)),
                                ("b", pick(rng, kernel), slice(cut, d))]  # fmt: skip
    shared = {
        "gamma_A": pick(rng, gamma(-9, 3, "auto", "auto")),
        "gamma_C": pick(rng, gamma(-6, 6, "auto", 0.0)),
    }
    if rng.integers(2):
        y, kinds = targets(rng, X, 1), (lw.CoRLSRegressor, lw.CoMRRegressor)
    else:
        y, kinds = classes(rng, n, 2), (lw.CoRLSClassifier, lw.CoMRClassifier)
    return kinds[rng.integers(2)](views, **shared), y


def _many_targets(rng: Rng, X, n: int, d: int):
    model = pick(rng, lw.SSSLRegressor(), lw.LapS3LRegressor(), lw.LSMRRegressor())
    return model.set_params(kernel=pick(rng, kernel)), targets(rng, X, int(rng.integers(2, 4)))


def _without_labels(rng: Rng, X, n: int, d: int):
    shared = common(rng, n) | {"gamma_I": pick(rng, gamma(-9, 8, "auto"))}
    model = pick(
        rng,
        lw.RegularizedSpectralClustering(int(rng.integers(1, 4)), **shared),
        lw.RegularizedLaplacianEigenmaps(int(rng.integers(1, 3)), **shared),
    )
    return model, None


FAMILIES = (
    _single_classifier,
    _single_classifier,
    _single_regressor,
    _vector_valued,
    _structured,
    _several_views,
    _many_targets,
    _without_labels,
)
