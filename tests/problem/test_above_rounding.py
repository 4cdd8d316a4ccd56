"""A small gradient is no certificate where the last digits of the coefficients decide J."""

from dataclasses import replace

import numpy as np
import pytest

from lapwing import ManifoldClassifier
from lapwing.problem import Status, above_rounding

rng = np.random.default_rng(0)
X = rng.standard_normal((40, 5))
Y = rng.integers(0, 2, 40)
# Of 40 coefficients of a linear kernel in 5 dimensions, 35 directions are the function 0.
NOTHING = np.linalg.svd(X.T)[2][5:].T @ rng.standard_normal((35, 1))


@pytest.fixture
def model():
    model = ManifoldClassifier(
        kernel="linear",
        loss="squared",
        gamma_A=1e-3,
        gamma_I=0.0,
        space="exact",
        fit_intercept=False,
    ).fit(X, Y)
    terms = tuple(term._replace(weight=1e-14) for term in model.objective_.terms if term.is_norm)
    model.objective_ = replace(model.objective_, terms=terms)
    return model


@pytest.mark.parametrize(
    "size, status", [(0.0, Status.CONVERGED), (1e3, Status.CONVERGED), (1e17, Status.STALLED)]
)
def test_what_is_left_of_huge_terms_is_not_called_converged(model, size, status):
    found = replace(
        model.solution_, coef=model.solution_.coef + size * NOTHING, status=Status.CONVERGED
    )
    assert above_rounding(model.objective_, found).status is status
