"""MR Fig. 1 and MV Fig. 1: drawings, redrawn from fits and from graph distances."""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import dijkstra

from lapwing import LapSVC
from lapwing.graphs import KNN
from lapwing.inspection import DecisionSurfaceDisplay
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian

LETTERS = "ABC"


def prior_beliefs(axes) -> None:
    """MR Fig. 1: two labels alone, and the same two among unlabeled points on two circles."""
    angle = np.linspace(0.0, 2.0 * np.pi, 80, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.vstack([circle, 2.5 * circle])
    y = np.full(len(X), -1)
    y[0], y[80] = 0, 1
    alone, both = axes[0]
    graph = Laplacian(KNN(6), normalized=False)
    svm = LapSVC(kernel=RBF(1.0), gamma_A=1e-3, gamma_I=0.0, regularizer=None, fit_intercept=True)
    lapsvm = LapSVC(kernel=RBF(1.0), gamma_A=1e-3, gamma_I=1e4, regularizer=graph,
                    fit_intercept=True)  # fmt: skip
    for ax, model, title in ((alone, svm, "labels alone"), (both, lapsvm, "and unlabeled points")):
        model.fit(X, y)
        DecisionSurfaceDisplay.from_estimator(model, X, y).plot(ax, title=title, legend=False)


def along_the_curve(axes) -> None:
    """MV Fig. 1: near in space, far along the curve; and on two curves."""
    t = np.linspace(0.35, 1.0, 120) * 3.2 * np.pi
    spiral = np.column_stack([t * np.cos(t), t * np.sin(t)])
    line = np.linspace(0.0, 3.0, 60)
    waves = np.vstack([np.column_stack([line, np.sin(line)]),
                       np.column_stack([line, np.sin(line) - 0.8])])  # fmt: skip
    _curve(axes[0, 0], spiral, (0, 46, 115), "(a) one curve")
    _curve(axes[0, 1], waves, (10, 45, 70), "(b) two curves")


def _curve(ax, X: np.ndarray, marked: tuple[int, ...], title: str) -> None:
    """Points, three of them named; how far A is from B and C, straight and along the graph."""
    W = KNN(2, weight="binary", hubs="keep").build(X).W.tocoo()
    i, j = W.coords
    W.data = np.linalg.norm(X[i] - X[j], axis=1)
    along = dijkstra(W.tocsr(), indices=marked[0])
    ax.scatter(*X.T, s=8, color="#666666")
    said = []
    for name, row in zip(LETTERS, marked, strict=True):
        ax.annotate(name, X[row], fontsize=13, xytext=(4, 4), textcoords="offset points")
        ax.scatter(*X[row], s=40, color="#d55e00")
        if row != marked[0]:
            straight = np.linalg.norm(X[row] - X[marked[0]])
            far = f"{along[row]:.1f}" if np.isfinite(along[row]) else "no path"
            said.append(f"A–{name}: {straight:.1f} straight, {far} along")
    ax.set(title=f"{title}\n" + "; ".join(said), aspect="equal")
    ax.title.set_fontsize(9)
