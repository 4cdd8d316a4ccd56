"""The parameters of an estimator as a fit reads them: as they were given, or chosen."""

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
"""What "auto" means where nothing is searched for, in every estimator."""

SELECTED = ("kernel", "regularizer", "gamma_A", "gamma_I", "fit_intercept")
"""What :func:`lapwing.selection.select` chooses."""


class Settings:
    """``settings.gamma_I`` is the model's parameter, or what stands for "auto"; read only.

    A weight that the estimator does not have is 0, and so is γ_I without a regularizer.

    Parameters
    ----------
    model : estimator
    chosen : dict
        What stands for "auto".
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
        """A parameter as it was typed."""
        return getattr(self.model, name)

    def is_open(self, name: str) -> bool:
        """Whether a parameter is left to be chosen."""
        return is_auto(getattr(self.model, name, None))

    def trying(self, settings: Mapping[str, Any]) -> Settings:
        """With these in place of "auto"."""
        return Settings(self.model, {**self.chosen, **settings})

    def with_(self, **values: Any) -> Settings:
        """With these in place of the parameters; the model keeps its own."""
        model = copy.copy(self.model)
        vars(model).update(values)
        return Settings(model, self.chosen)

    @property
    def smooth(self) -> bool:
        """Whether γ_I weighs anything: the one place where this is asked."""
        return not vanishes(self.gamma_I)

    @property
    def precomputed(self) -> bool:
        """Whether X is a Gram matrix."""
        try:
            return get_kernel(self.kernel).precomputed
        except (AttributeError, TypeError, ValueError):  # said where the kernel is built
            return False


def check_gamma(name: str, value) -> None:
    """An error where a weight is neither a number ≥ 0 nor a word that stands for one."""
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
