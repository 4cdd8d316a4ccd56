"""Turn the parameter ``loss`` of an estimator into a loss."""

from ..parameters.arguments import from_name
from .base import Loss
from .epsilon_insensitive import EpsilonInsensitive
from .hinge import Hinge
from .huber import Huber
from .logistic import Logistic
from .squared import Squared
from .squared_hinge import SquaredHinge

_NAMES: dict[str, type[Loss]] = {
    "squared": Squared,
    "hinge": Hinge,
    "squared_hinge": SquaredHinge,
    "logistic": Logistic,
    "huber": Huber,
    "epsilon_insensitive": EpsilonInsensitive,
}


def get_loss(loss: str | Loss) -> Loss:
    """Return the loss with the given name and default parameters, or check and return a given loss.

    ======================  ==============================
    name                    V(y, f)
    ======================  ==============================
    "squared"               (y − f)²
    "hinge"                 max(0, 1 − y f)
    "squared_hinge"         max(0, 1 − y f)²
    "logistic"              log(1 + e^{−y f})
    "huber"                 ½ r² near, δ|r| − ½ δ² far
    "epsilon_insensitive"   max(0, |y − f| − ε)
    ======================  ==============================

    δ is the spread of the labeled targets. ε is a tenth of it.

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
    found = from_name(loss, "loss", Loss, _NAMES)
    found.check_parameters()
    return found


def loss_for(loss: str | Loss, task: str) -> Loss:
    """:func:`get_loss`, and an error if the loss is not for the task.

    ``task`` is "classification" or "regression".
    """
    chosen = get_loss(loss)
    if chosen.kind not in (task, "both"):
        raise ValueError(f"The loss {type(chosen).__name__} is for {chosen.kind}, not for {task}.")
    return chosen
