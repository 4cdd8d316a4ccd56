"""Classes of very unequal size: their weights in the loss, and their shares of the predictions."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax
from sklearn.utils.class_weight import compute_class_weight

from ..targets import both_columns, column_offsets

STEEPNESS = 8.0
"""Slope of the softmax over the classes, per standard deviation of the scores."""


def class_weights(class_weight, codes: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """One weight per row, (n,), from "balanced" or {class: weight}; 1 for unlabeled rows.

    Examples
    --------
    >>> class_weights("balanced", np.array([0, 0, 0, 1, -1]), np.array(["a", "b"]))
    array([0.66666667, 0.66666667, 0.66666667, 2.        , 1.        ])
    """
    if isinstance(class_weight, str) and class_weight == "balanced":
        every = np.arange(len(classes))
        per_class = compute_class_weight("balanced", classes=every, y=codes[codes >= 0])
    elif isinstance(class_weight, dict):
        per_class = _by_class(class_weight, classes, 1.0, "class_weight")
    else:
        raise ValueError(f"class_weight={class_weight!r} must be 'balanced', a dict or None.")
    return np.where(codes >= 0, per_class[codes], 1.0)


def class_shares(class_prior, classes: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The share of each class among all rows, (q,). The shares are positive and sum to one."""
    if isinstance(class_prior, str) and class_prior == "labeled":
        counts = np.bincount(codes, minlength=len(classes)).astype(float)
        return counts / counts.sum()
    if isinstance(class_prior, dict):
        prior = _by_class(class_prior, classes, np.nan, "class_prior")
    else:
        prior = np.asarray(class_prior, dtype=float if np.ndim(class_prior) == 1 else None)
    if prior.shape != (len(classes),) or not (prior > 0).all():
        raise ValueError(
            f"class_prior={class_prior!r} must be None, 'labeled', or one positive share for each "
            f"of the {len(classes)} classes {classes.tolist()[:10]}."
        )
    if abs(prior.sum() - 1.0) > 1e-6:
        raise ValueError(f"class_prior={class_prior!r} must sum to 1, it sums to {prior.sum()}.")
    return prior


def mass_offsets(scores: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """The offsets δ with mean softmax(a(s + δ)) = prior, for scores s, (n, q), or (n, 1) for two.

    a is eight divided by the standard deviation of the scores between rows. It is steep enough that
    the mean of the softmax is the share of the predictions. δ minimizes mean
    logsumexp(a(s + δ)) − prior·(a δ).

    References
    ----------
    Zhu, Ghahramani, Lafferty 2003, *Semi-supervised learning using Gaussian fields and harmonic
    functions*, §4: class mass normalization, here additive.

    Examples
    --------
    >>> s = np.linspace(-1, 1, 101)[:, None]
    >>> float(np.mean(s + mass_offsets(s, np.array([0.8, 0.2])) > 0).round(1))
    0.2
    """
    both = both_columns(scores)
    centered = both - both.mean(axis=1, keepdims=True)
    spread = float(np.std(centered - centered.mean(axis=0)))  # without the level common to all rows
    if not spread:
        return column_offsets(np.zeros(len(prior)), scores.shape[1])
    steep = STEEPNESS / spread * centered

    def excess(shift: np.ndarray) -> tuple[float, np.ndarray]:
        mass = softmax(steep + shift, axis=1).mean(axis=0)
        return float(logsumexp(steep + shift, axis=1).mean() - prior @ shift), mass - prior

    shift = minimize(excess, np.log(prior), jac=True, method="BFGS", tol=1e-8).x
    return column_offsets(shift * spread / STEEPNESS, scores.shape[1])


def _by_class(given: dict, classes: np.ndarray, default: float, name: str) -> np.ndarray:
    unknown = set(given) - set(classes.tolist())
    if unknown:
        raise ValueError(f"{name} names {sorted(map(str, unknown))}, which no labeled row has.")
    values = np.array([given.get(c, default) for c in classes.tolist()], dtype=float)
    if (values < 0).any():
        raise ValueError(f"{name}={given!r} must hold numbers >= 0.")
    return values
