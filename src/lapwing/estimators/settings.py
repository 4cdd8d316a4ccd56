"""The parameters of an estimator for a fit: the given values, or the chosen ones."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from ..kernels import get_kernel
from ..parameters.arguments import AUTO, is_auto
from ..parameters.checks import is_number
from ..selection import multiple_of_rule, vanishes

DEFAULTS: dict[str, Any] = {
    "kernel": "rbf",
    "regularizer": "laplacian",
    "gamma_A": "rule",
    "gamma_I": "rule",
    "fit_intercept": True,
    "gamma_C": "rule",
    "gamma_M": "rule",
    "n_components": "rule",
    "output_kernel": None,
}
"""The values of "auto" without a search, for every estimator."""

SELECTED = ("kernel", "regularizer", "gamma_A", "gamma_I", "fit_intercept")
"""The parameters that :func:`lapwing.selection.select` chooses."""


class Settings:
    """``settings.gamma_I`` is the model's parameter, or the chosen value for "auto"; read only.

    A weight that the estimator does not have is 0. γ_I without a regularizer is also 0.

    Parameters
    ----------
    model : estimator
        The estimator.
    chosen : dict
        The values for "auto".
    """

    def __init__(self, model, chosen: Mapping[str, Any] = DEFAULTS):
        self.model = model
        self.chosen = chosen

    def __getattr__(self, name: str):
        if name == "gamma_I" and getattr(self.model, "regularizer", AUTO) is None:
            return 0.0
        absent = (0.0,) if name.startswith("gamma_") else ()
        value = getattr(self.model, name, *absent)
        return self.chosen.get(name, value) if is_auto(value) else value

    def has(self, name: str) -> bool:
        """Whether the estimator has a parameter of that name."""
        return name in self.model.get_params(deep=False)

    def given(self, name: str):
        """A parameter as the user gave it."""
        return getattr(self.model, name)

    def is_open(self, name: str) -> bool:
        """Whether a parameter is "auto"."""
        return is_auto(getattr(self.model, name, None))

    def trying(self, settings: Mapping[str, Any]) -> Settings:
        """The settings with these values for "auto"."""
        return Settings(self.model, {**self.chosen, **settings})

    def with_(self, **values: Any) -> Settings:
        """The settings with these values of the parameters. The model itself does not change."""
        model = copy.copy(self.model)
        vars(model).update(values)
        return Settings(model, self.chosen)

    @property
    def smooth(self) -> bool:
        """Whether γ_I is not 0. Only this property decides it."""
        return not vanishes(self.gamma_I)

    @property
    def precomputed(self) -> bool:
        """Whether X is a Gram matrix."""
        try:
            return get_kernel(self.kernel).precomputed
        except (AttributeError, TypeError, ValueError):  # the error comes when the kernel is built
            return False


def check_gamma(name: str, value) -> None:
    """An error if a weight is neither a number ≥ 0 nor "auto", "rule" or a multiple of the rule."""
    if isinstance(value, str):
        known = is_auto(value) or multiple_of_rule(value) >= 0
    else:
        known = is_number(value) and value >= 0
    if not known:
        raise ValueError(
            f"{name}={value!r} must be a finite number >= 0, 'auto', 'rule', or a multiple "
            "such as '0.1*rule'."
        )
    if name == "gamma_A" and vanishes(value):
        raise ValueError("gamma_A=0 must be positive: the limit is a small number like 1e-9.")
