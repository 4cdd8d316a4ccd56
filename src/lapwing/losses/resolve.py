"""From what people type to a loss."""

from __future__ import annotations

from .base import Loss
from .epsilon_insensitive import EpsilonInsensitive
from .hinge import Hinge
from .huber import Huber
from .logistic import Logistic
from .squared import Squared
from .squared_hinge import SquaredHinge

__all__ = ["get_loss"]

_NAMES: dict[str, type[Loss]] = {
    "squared": Squared,
    "hinge": Hinge,
    "squared_hinge": SquaredHinge,
    "logistic": Logistic,
    "huber": Huber,
    "epsilon_insensitive": EpsilonInsensitive,
}


def get_loss(loss: str | Loss) -> Loss:
    """The loss of that name with its default parameters, or the given loss, checked.

    ======================  ==============================
    name                    V(y, f)
    ======================  ==============================
    "squared"               (y − f)²
    "hinge"                 max(0, 1 − y f)
    "squared_hinge"         max(0, 1 − y f)²
    "logistic"              log(1 + e^{−y f})
    "huber"                 ½ r² near, |r| − ½ far (δ = 1)
    "epsilon_insensitive"   max(0, |y − f| − 0.1)
    ======================  ==============================

    Parameters
    ----------
    loss : str or Loss

    Returns
    -------
    Loss

    Examples
    --------
    >>> get_loss("huber")
    Huber()
    """
    if isinstance(loss, Loss):
        loss.check_parameters()
        return loss
    names = ", ".join(repr(name) for name in _NAMES)
    if not isinstance(loss, str):
        hint = f"; write {loss.__name__}()" if isinstance(loss, type) else ""
        raise TypeError(f"loss must be one of {names}, or a Loss instance, got {loss!r}{hint}.")
    if loss not in _NAMES:
        raise ValueError(f"Unknown loss {loss!r}; expected one of {names}, or a Loss instance.")
    return _NAMES[loss]()
