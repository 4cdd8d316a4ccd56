"""Ordinal regression as a family of its own: classes in order, one function, a threshold each.

    minimize (1/l) Σ_i Σ_k V(y_ik, f(x_i) + b_k) + γ_A ‖f‖² + (γ_I/n²) Σ_k ⟨f, M f⟩,

y_ik = 1 where the class of row i is above the k-th threshold, −1 where it is not (all-threshold
ordinal regression, Rennie and Srebro 2005). This file is what CONTRIBUTING shows.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lapwing.estimators.classifier import Classifier
from lapwing.estimators.parameters import EquationParameters, SolverParameters, WarmParameters
from lapwing.estimators.recipes import Functions, Recipe
from lapwing.estimators.recipes.base import with_intercept
from lapwing.estimators.recipes.choice import Choices
from lapwing.parameters.arguments import with_parameters
from lapwing.spaces import CoregionalizedOutputs
from lapwing.targets import encode_classes


@dataclass(frozen=True)
class Ranks:
    """How readouts become classes: as many steps up as thresholds are passed."""

    classes: np.ndarray
    exclusive = False

    def decode(self, readout):
        return self.classes[(readout > 0).sum(axis=1)]

    def scores(self, readout):
        return readout

    def answers(self, readout):
        return readout

    def signs(self, y):
        return None


class OrdinalRecipe(Recipe):
    """One function for all thresholds: the output kernel of ones, an intercept for each column."""

    def functions(self, p, data):
        points, q = data.points, data.targets.Y.shape[1]
        kernel = points.kernel(p.kernel, p.random_state)
        one = points.space(p, kernel, data.targets)
        shared = points.shelf.once(
            lambda: CoregionalizedOutputs.by_kernel(one, np.ones((q, q))), "thresholds", one, q
        )
        space = with_intercept(p, points, shared)
        return Functions(space, lambda: points.mean_square(kernel), {"kernel_": kernel})

    def choices(self, p, data):
        return Choices(("gamma_I", "gamma_A"), on_rows=False)  # the columns share one function


@with_parameters(EquationParameters, SolverParameters, WarmParameters)
class OrdinalClassifier(Classifier):
    """Classes in order; ``score`` is minus the mean number of steps that predictions are off."""

    recipe = OrdinalRecipe()
    loss: Any = "squared"
    fit_intercept: Any = True

    def _read(self, y, sample_weight):
        found = encode_classes(y, sample_weight, self.unlabeled)
        above = found.codes[:, None] > np.arange(len(found.classes) - 1)
        Y = np.where(found.observed, np.where(above, 1.0, -1.0), 0.0)
        return replace(found, Y=Y, classes=found.classes[:0], code=Ranks(found.classes))

    def score(self, X, y, sample_weight=None):
        steps = [np.searchsorted(self.classes_, part) for part in (self.predict(X), y)]
        return -float(np.average(np.abs(steps[0] - steps[1]), weights=sample_weight))
