"""One repetition on one data set: tune each method on the labelled rows, score on the others."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from ...estimators import SSSLRegressor
from ...exceptions import UnreachedWarning
from ...metrics import armse
from ...model_selection import LocalLSMRSearch
from .data import Split
from .methods import searches


def run(split: Split, n_iter: int, folds: int, seed: int) -> dict:
    """aRMSE on the test part per method, SSSL's setting and the draws of the local search.

    Returns
    -------
    dict
        ``armse``: method → float; ``kernel``, ``components``: SSSL's; ``local``: array of
        (λ_s, λ_m, aRMSE relative to the tuned SSSL) per draw, all from cross-validation.
    """
    n, t = split.y.shape
    l = split.n_labelled
    record: dict = {"armse": {}}
    with warnings.catch_warnings():
        # Outlying draws are ill-conditioned and isolated rows occur; neither decides anything.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", UnreachedWarning)
        for name, search in searches(n, l, t, n_iter, folds, seed).items():
            model = search.fit(split.X, split.y)
            record["armse"][name] = _score(model, split)
            if isinstance(model, LocalLSMRSearch):
                record |= _local(model, n, l)
                record["armse"]["SSSL"] = _score(_tuned_sssl(model, split), split)
    return record


def _score(model, split: Split) -> float:
    return armse(split.y_test, model.predict(split.X_test))


def _tuned_sssl(search: LocalLSMRSearch, split: Split) -> SSSLRegressor:
    model = clone(search.sssl_search_.estimator).set_params(**search.sssl_search_.best_params_)
    return model.fit(split.X, split.y)


def _local(search: LocalLSMRSearch, n: int, l: int) -> dict:
    results = search.cv_results_
    lam_s = np.array([p["gamma_I"] for p in results["params"]]) * l / n**2
    lam_m = np.array([p["gamma_M"] for p in results["params"]]) * l
    relative = results["mean_test_score"] / search.reference_score_
    best = search.sssl_search_.best_params_
    return {
        "kernel": repr(best["kernel"]),
        "components": int(best["n_components"]),
        "local": np.column_stack([lam_s, lam_m, relative]),
    }
