"""One repetition and many: four machines, with and without manifold, structured and flat."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from ...estimators import StructuredLapSVC
from ...exceptions import UnreachedWarning
from ...metrics.structured import macro_precision_recall_f1
from ...outputs import Enumerated, Flat, Structure
from .data import Draw

MACHINES = (
    ("structured", "with"),
    ("structured", "without"),
    ("flat", "with"),
    ("flat", "without"),
)


@dataclass(frozen=True)
class Setting:
    """What is fixed before any label is looked at.

    Attributes
    ----------
    name : str
    output : Structure
        With outputs 0 … q−1.
    loss_name : str
        "tree" or "ring".
    kernel, regularizer : as in the estimator
    gamma_A, gamma_I : float
        In SO's scale, without 1/n².
    rescaling : str
    """

    name: str
    output: Structure
    loss_name: str
    kernel: object
    regularizer: object
    gamma_A: float = 5e-6
    gamma_I: float = 5e-5
    rescaling: str = "slack"


def repetition(setting: Setting, draw: Draw, counts) -> list[dict]:
    """All machines on one draw, for every number of labels per class: one record per measure."""
    outputs = setting.output.build()
    assert isinstance(outputs, Enumerated)
    records = []
    for machine, manifold in MACHINES:
        output = setting.output if machine == "structured" else Flat(len(outputs.classes))
        gamma_I = setting.gamma_I * len(draw.y_train) ** 2 if manifold == "with" else 0.0
        # The Gram matrix, the graph and the factors serve all numbers of labels.
        model = StructuredLapSVC(
            kernel=setting.kernel, output=output, regularizer=setting.regularizer,
            gamma_A=setting.gamma_A, gamma_I=gamma_I, rescaling=setting.rescaling,
            warm_start=True,
        )  # fmt: skip
        for count in counts:
            y = draw.labels(count)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UnreachedWarning)
                model.fit(draw.X_train, y)
            hidden = y == -1
            for rows, truth, found in (
                ("unlabelled", draw.y_train[hidden], model.transduction_[hidden]),
                ("unseen", draw.y_test, model.predict(draw.X_test)),
            ):
                cell = {
                    "machine": machine,
                    "manifold": manifold,
                    "labelled": count,
                    "rows": rows,
                }
                found_values = measures(outputs, setting.loss_name, truth, found)
                records += [{**cell, "metric": m, "value": v} for m, v in found_values.items()]
    return records


def measures(outputs: Enumerated, loss_name: str, truth, found) -> dict[str, float]:
    """0-1 and structured loss, macro precision, macro recall, and their F1."""
    P, R, F1 = macro_precision_recall_f1(truth, found, labels=outputs.classes)
    return {
        "zero_one": float(np.mean(truth != found)),
        loss_name: float(outputs.loss_matrix[truth, found].mean()),
        "precision": P,
        "recall": R,
        "f1": F1,
    }
