"""What both experiments of MV share: kernels that hold the unlabeled data, and CoMR beside MR."""

from __future__ import annotations

import numpy as np

from lapwing import CoMRClassifier, LapRLSClassifier

COMR = ("MR", "CoMR, automatic coupling", "CoMR, λ = 10 γ_A")


def least_squares(K: np.ndarray, labeled: np.ndarray, y: np.ndarray) -> np.ndarray:
    """MV (4) with squares in the space of K, at γ = 1, with an intercept: values at all rows.

    The kernel holds all unlabeled data, so each draw is a problem of the labeled rows alone.

    Parameters
    ----------
    K : array of shape (n, n)
        k̃ over all rows.
    labeled : array of row numbers
    y : array of shape (n,)
        Only the labeled entries are read.
    """
    model = LapRLSClassifier(
        kernel="precomputed", regularizer=None, gamma_A=1.0, gamma_I=0.0, fit_intercept=True
    )
    model.fit(K[np.ix_(labeled, labeled)], y[labeled])
    return model.decision_function(K[:, labeled])


def single_view(n: int, kernel, regularizer, gamma_A: float, smoothness: float) -> dict:
    """MR and CoMR at a = ½ on one view; ``smoothness`` is γ_I/n²."""
    view = [("view", kernel, slice(None), regularizer)]
    common = {"gamma_A": gamma_A, "gamma_I": smoothness * n**2, "fit_intercept": True}
    return {
        COMR[0]: LapRLSClassifier(kernel=kernel, regularizer=regularizer, **common),
        COMR[1]: CoMRClassifier(view, a_I=0.5, gamma_C=smoothness * n**2, **common),
        COMR[2]: CoMRClassifier(view, a_I=0.5, gamma_C=10 * gamma_A * n**2, **common),
    }
