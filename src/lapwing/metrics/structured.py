"""Losses and scorers for structured outputs, and the macro averages of SO's tables."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import make_scorer, precision_score, recall_score

from ..outputs import Ring, Structure, Tree
from ..types import TargetLike

__all__ = [
    "macro_precision_recall_f1",
    "mean_output_loss",
    "ring_loss",
    "structured_loss",
    "structured_scorer",
    "tree_loss",
    "zero_one_loss",
]


def zero_one_loss(
    y_true: TargetLike, y_pred: TargetLike, *, sample_weight: TargetLike = None
) -> float:
    """The (weighted) share of rows with y ≠ ŷ. A set of labels counts as one output.

    Examples
    --------
    >>> zero_one_loss([0, 1, 2, 2], [0, 1, 1, 2])
    0.25
    """
    truth, answer = _alike(y_true, y_pred)
    wrong = truth != answer
    wrong = wrong.reshape(len(wrong), -1).any(axis=1)
    return mean_output_loss(wrong.astype(float), sample_weight)


def structured_loss(
    y_true: TargetLike, y_pred: TargetLike, output: Structure, *, sample_weight: TargetLike = None
) -> float:
    """The (weighted) mean of Δ(y, ŷ), the cost of predicting ŷ for y.

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n,), or (n, k) for sets of labels
        The outputs and their predictions.
    output : Structure
        The structure that defines Δ.

    Examples
    --------
    >>> from lapwing.outputs import Ordinal
    >>> structured_loss([0, 3], [1, 0], Ordinal(4))
    2.0
    """
    truth, answer = _alike(y_true, y_pred)
    outputs = output.build(np.concatenate([truth, answer]))
    losses = outputs.loss(_rows(outputs, truth, "y_true"), _rows(outputs, answer, "y_pred"))
    return mean_output_loss(losses, sample_weight)


def ring_loss(
    y_true: TargetLike,
    y_pred: TargetLike,
    n: int,
    *,
    half: bool = False,
    sample_weight: TargetLike = None,
) -> float:
    """The mean path length along a ring of n outputs, or half of it (the scale of SO's tables).

    Examples
    --------
    >>> ring_loss([0, 0], [9, 5], 10)
    3.0
    """
    ring = Ring(n, loss="half" if half else "path")
    return structured_loss(y_true, y_pred, ring, sample_weight=sample_weight)


def tree_loss(
    y_true: TargetLike,
    y_pred: TargetLike,
    parents: Any,
    *,
    outputs: str = "leaves",
    sample_weight: TargetLike = None,
) -> float:
    """Half the mean path length in a tree, given as for :class:`~lapwing.outputs.Tree`.

    Examples
    --------
    >>> tree_loss(["a.b", "a.b"], ["a.c", "d"], ["a.b", "a.c", "d"])
    1.25
    """
    return structured_loss(y_true, y_pred, Tree(parents, outputs), sample_weight=sample_weight)


def structured_scorer(output: Structure) -> Callable:
    """−Δ as a scorer for model selection: ``GridSearchCV(scoring=structured_scorer(Ring(10)))``.

    Test folds must hold only labeled rows (:class:`lapwing.model_selection.LabeledKFold`).

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from lapwing.outputs import Ring
    >>> model = DummyClassifier().fit([[0.0]] * 3, [0, 0, 1])  # it always answers 0
    >>> float(structured_scorer(Ring(4))(model, [[0.0]] * 2, [0, 2]))
    -1.0
    """
    return make_scorer(structured_loss, greater_is_better=False, output=output)


def macro_precision_recall_f1(
    y_true: TargetLike, y_pred: TargetLike, labels: TargetLike = None
) -> tuple[float, float, float]:
    """Macro precision P, macro recall R, and F1 = 2PR/(P + R) of these two.

    SO computes F1 this way in each repetition. It is not the mean of the classes' F1.

    Examples
    --------
    >>> macro_precision_recall_f1([0, 0, 1, 1], [0, 1, 1, 1])
    (0.8333333333333333, 0.75, 0.7894736842105263)
    """
    common = {"labels": labels, "average": "macro", "zero_division": 0}
    P = float(precision_score(y_true, y_pred, **common))
    R = float(recall_score(y_true, y_pred, **common))
    return P, R, 2.0 * P * R / (P + R) if P + R > 0 else 0.0


def mean_output_loss(losses: np.ndarray, sample_weight: TargetLike = None) -> float:
    """The weighted mean Σ w_i Δ_i / Σ w_i."""
    if len(losses) == 0:
        raise ValueError("A mean loss needs at least one row.")
    return float(np.average(losses, weights=sample_weight))


def _alike(y_true: TargetLike, y_pred: TargetLike) -> tuple[np.ndarray, np.ndarray]:
    """Both as arrays of the same shape, one output per row. Nothing is broadcast."""
    truth, answer = np.asarray(y_true), np.asarray(y_pred)
    if truth.shape != answer.shape or truth.ndim == 0:
        raise ValueError(
            f"y_true has shape {truth.shape} and y_pred {answer.shape}: give one output per row "
            "in both, in the same form."
        )
    return truth, answer


def _rows(outputs: Any, y: TargetLike, name: str) -> np.ndarray:
    """The indicator rows of a fully labeled y."""
    y = np.asarray(y)
    if not outputs.listed:
        if y.ndim != 2 or y.shape[1] != outputs.n_features:
            raise ValueError(f"{name} must have {outputs.n_features} columns, got shape {y.shape}.")
        return (y > 0).astype(float)
    return outputs.indicator(outputs.positions(y, name))
