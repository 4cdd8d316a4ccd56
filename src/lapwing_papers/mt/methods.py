"""The ten methods of MT Table IV with the spaces their settings are drawn from."""

from __future__ import annotations

from scipy.stats import loguniform, randint

from lapwing import LSMRRegressor
from lapwing.graphs import KNN
from lapwing.metrics import armse_scorer
from lapwing.model_selection import LabeledKFold, SharedSearchCV
from lapwing.regularizers import Laplacian

from ..baselines import (
    ClusteredRegressor,
    DirtyModelRegressor,
    GraphRegularizedRegressor,
    GroupLassoRegressor,
    LassoRegressor,
    LeastSquaresRegressor,
    TraceNormRegressor,
)
from ..model_selection import KernelDraws, LocalLSMRSearch, LogIntegers

METHODS = ("LSMR", "Local LSMR", "SSSL", "CMTL", "DM", "JFS", "LSQ", "MTL", "SGR", "TNR")
LAMBDAS = (1e-6, 10.0)
ALPHAS = (1e-4, 10.0)
STOP = {"tol": 1e-3, "max_iter": 300}


def lsmr() -> LSMRRegressor:
    """Algorithm 1: features KU, L = D − M over a heat-weighted neighbor graph."""
    return LSMRRegressor(feature_map="KU", regularizer=Laplacian(KNN(10), normalized=False))


def lsmr_search(components, n: int, l: int, n_iter: int, cv, seed: int) -> SharedSearchCV:
    """Kernel, s, λ_s and λ_m at once, s from the distribution given."""
    low, high = LAMBDAS
    space = {
        "kernel": KernelDraws(),
        "n_components": components,
        "gamma_I": loguniform(low * n**2 / l, high * n**2 / l),
        "gamma_M": loguniform(low / l, high / l),
    }
    return SharedSearchCV(
        lsmr(), space, n_iter=n_iter, scoring=armse_scorer, cv=cv, random_state=seed
    )


def searches(n: int, l: int, t: int, n_iter: int, folds: int, seed: int) -> dict:
    """A search per method on the same folds of labeled rows; SSSL is Local LSMR's first stage."""
    cv = LabeledKFold(folds, random_state=seed)
    weight = loguniform(*ALPHAS)

    def search(model, space):
        return SharedSearchCV(
            model, space, n_iter=n_iter, scoring=armse_scorer, cv=cv, random_state=seed
        )

    return {
        "LSMR": lsmr_search(LogIntegers(1, n), n, l, n_iter, cv, seed),
        "Local LSMR": LocalLSMRSearch(
            lsmr(), n_iter=n_iter, lambdas=LAMBDAS, cv=cv, random_state=seed
        ),
        "CMTL": search(
            ClusteredRegressor(**STOP),
            {"n_clusters": randint(1, t + 1), "alpha": weight, "beta": weight},
        ),
        "DM": search(DirtyModelRegressor(**STOP), {"alpha_shared": weight, "alpha_own": weight}),
        "JFS": search(GroupLassoRegressor(**STOP), {"alpha": weight}),
        "LSQ": LeastSquaresRegressor(),
        "MTL": search(LassoRegressor(**STOP), {"alpha": weight}),
        "SGR": search(GraphRegularizedRegressor(), {"alpha": weight}),
        "TNR": search(TraceNormRegressor(**STOP), {"alpha": weight}),
    }
