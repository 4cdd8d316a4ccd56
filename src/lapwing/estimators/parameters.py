"""The parameters that estimators share, each written once: groups of names and defaults."""

from typing import Any

EQUATION: dict[str, Any] = {
    "kernel": "auto",
    "regularizer": "auto",
    "gamma_A": "auto",
    "gamma_I": "auto",
    "fit_intercept": "auto",
    "space": "auto",
}
"""The parts of the equation, all chosen where nothing is said."""

SOLVER: dict[str, Any] = {
    "solver": "auto",
    "tol": None,
    "max_iter": None,
    "random_state": None,
    "verbose": 0,
    "unlabeled": "auto",
}
"""How the equation is solved, and what marks an unlabeled row."""

WARM: dict[str, Any] = {"warm_start": False}
"""Labels that come and go on the same points."""

CLASSES: dict[str, Any] = {"class_weight": None, "class_prior": None}
"""Classes of very unequal size."""
