"""VV's competitors, each tuned on the labeled rows alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from lapwing.graphs import Given
from lapwing.metrics import macro_auc

from ..baselines import SMSE2, ConstrainedNMF, KCCAClassifier
from .data import Task

RIDGES = (0.0, *(10.0**k for k in range(-3, 4)))
SMOOTHNESS = (0.1, 1.0, 10.0, 100.0)
FOLDS = 5


def competitors(task: Task, X, quick: bool = False) -> dict[str, list[Callable]]:
    """method ↦ settings, each a function (X, Y with NaN) → scores at all rows of this X."""
    step = 3 if quick else 1
    graph = Given(task.graph.build(X).W)  # once for all settings and folds

    def kcca(ridge):
        model = KCCAClassifier(kernel=task.kernel, ridge=ridge)
        return lambda X, Y: model.fit(X, Y).decision_function(X)

    def smse2(mu, nu):
        model = SMSE2(graph=graph, mu=mu, nu=nu)
        return lambda X, Y: model.fit(X, Y).scores_

    def cnmf(max_iter):
        model = ConstrainedNMF(kernel=task.kernel, max_iter=max_iter)
        return lambda X, Y: model.fit(X, Y).scores_

    return {
        "KCCA": [kcca(r) for r in RIDGES[::step]],
        "SMSE2": [smse2(m, v) for m, v in product(SMOOTHNESS[::step], (0.1, 1.0))],
        "CNMF": [cnmf(100)],
    }


def tuned(settings: list[Callable], X, Y: np.ndarray, seed: int) -> np.ndarray:
    """Scores of the setting with the best AUC in cross-validation over the labeled rows.

    The labels of a fold are hidden; its rows stay, as all unlabeled rows do.
    """
    if len(settings) == 1:
        return settings[0](X, Y)
    rows = np.random.default_rng(seed).permutation(np.flatnonzero(~np.isnan(Y).any(axis=1)))
    areas = np.zeros(len(settings))
    for fold in np.array_split(rows, FOLDS):
        hidden = Y.copy()
        hidden[fold] = np.nan
        for i, scores in enumerate(settings):
            areas[i] += np.nan_to_num(macro_auc(Y[fold], scores(X, hidden)[fold]), nan=0.5)
    return settings[int(np.argmax(areas))](X, Y)
