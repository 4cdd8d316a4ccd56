"""The parameters that estimators share, each written once: dataclass fields that add up."""

from collections.abc import Callable
from typing import Any

from ..parameters.arguments import is_auto, parameters

SPELLED = {"kernel": "kernel=RBF()", "regularizer": "regularizer=Laplacian(KNN())"}


@parameters
class EquationParams:
    """The parts of the equation, all chosen where nothing is said."""

    kernel: Any = "auto"
    regularizer: Any = "auto"
    gamma_A: Any = "auto"
    gamma_I: Any = "auto"
    fit_intercept: Any = "auto"
    space: Any = "auto"


@parameters
class SolverParams:
    """How the equation is solved, and what marks an unlabeled row."""

    solver: Any = "auto"
    tol: Any = None
    max_iter: Any = None
    random_state: Any = None
    verbose: Any = 0
    unlabeled: Any = "auto"


@parameters
class WarmStartParams:
    """Labels that come and go on the same points."""

    _warms = True

    warm_start: Any = False


@parameters
class ClassWeightParams:
    """ClassWeightParams of very unequal size."""

    class_weight: Any = None
    class_prior: Any = None


class NestedParts:
    """``set_params(kernel__sigma=…)`` also where the kernel is still a name; a mixin."""

    _resolve_kernel: Callable[[], Any]
    _resolve_regularizer: Callable[[], Any]

    def set_params(self, **params):
        """Set parameters as in scikit-learn.

        ``kernel__sigma`` and ``regularizer__graph__n_neighbors`` work also where the parameter is
        still a name or None: the part it stands for then takes its place.
        """
        meant = {"kernel": self._resolve_kernel, "regularizer": self._resolve_regularizer}
        for key in params:
            name, nested, inner = key.partition("__")
            if not nested or name not in meant or name in params:
                continue
            part = getattr(self, name, None)
            if is_auto(part):
                raise ValueError(
                    f"{key} cannot be set: {name}='auto' is chosen by fit and has no parameter "
                    f"{inner!r}. Spell the part out first, such as {SPELLED[name]}."
                )
            if part is None or isinstance(part, str):
                setattr(self, name, meant[name]())
        return super().set_params(**params)  # type: ignore[misc]
