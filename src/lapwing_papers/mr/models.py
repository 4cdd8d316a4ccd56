"""The models of MR's tables, with γ's in the paper's units."""

from __future__ import annotations

import time

from lapwing import LapRLSClassifier, LapSVC

from ..baselines import TSVC
from ..expected import Printed

SWITCHING = "TSVM, switching"
SLOWER = 10.0
"""How much slower MR says TSVM is, at least."""
METHODS = ("SVM", "TSVM", SWITCHING, "LapSVM", "RLS", "LapRLS")
AGAINST = {"TSVM": "SVM", SWITCHING: "SVM", "LapSVM": "SVM", "LapRLS": "RLS"}


def make_models(
    n: int,
    l: int,
    *,
    kernel,
    regularizer,
    inductive: float,
    ambient: float,
    intrinsic: float,
    fit_intercept: bool = True,
    hinge: tuple[float, float, float] | None = None,
) -> dict:
    """SVM, LapSVM, RLS and LapRLS.

    Parameters
    ----------
    n, l : int
        All rows, and labeled ones.
    kernel, regularizer : as in the estimators
    inductive, ambient, intrinsic : float
        γl of the supervised models, γ_A l and γ_I l/(u + l)² of the others.
    fit_intercept : bool
    hinge : tuple, optional
        The same three for the support vector machines, where they differ.
    """

    def pair(model, gammas):
        gamma, gamma_A, gamma_I = gammas
        common = {"kernel": kernel, "fit_intercept": fit_intercept}
        plain = model(**common, regularizer=None, gamma_A=gamma / l, gamma_I=0.0)
        smooth = model(
            **common, regularizer=regularizer, gamma_A=gamma_A / l, gamma_I=gamma_I / l * n**2
        )
        return plain, smooth

    squares = (inductive, ambient, intrinsic)
    svm, lapsvm = pair(LapSVC, hinge or squares)
    rls, laprls = pair(LapRLSClassifier, squares)
    return {"SVM": svm, "LapSVM": lapsvm, "RLS": rls, "LapRLS": laprls}


def tsvm(
    l: int, *, kernel, inductive: float, n_components: int = 100, n_restarts=2, seed=0
) -> TSVC:
    """The transductive model at the supervised model's γ."""
    return TSVC(
        kernel=kernel, gamma_A=inductive / l, n_components=n_components, n_restarts=n_restarts,
        random_state=seed,
    )  # fmt: skip


def switching(l: int, u: int, *, kernel, inductive: float) -> TSVC:
    """The paper's transductive model: Joachims' label switching, one pair of labels at a time.

    An unlabeled row counts as much as a labeled one (C* = C, the default of SVM-light).
    """
    return TSVC(
        kernel=kernel, gamma_A=inductive / l, method="switching", n_switches=1,
        unlabeled_weight=u / l,
    )  # fmt: skip


def timed(model, X, y) -> float:
    """Fit, and the CPU seconds of it."""
    start = time.process_time()
    model.fit(X, y)
    return time.process_time() - start


def beside_switching(printed: dict[tuple[str, str], Printed]) -> dict[tuple[str, str], Printed]:
    """The printed numbers of TSVM beside those of label switching too."""
    return printed | {(SWITCHING, c): cell for (r, c), cell in printed.items() if r == "TSVM"}
