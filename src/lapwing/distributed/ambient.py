"""The function for new rows over blocks: features on the workers, an m × m factor in the caller."""

import numpy as np
import scipy.linalg

from ..linalg.blocks import some_rows
from ..spaces.landmarks import Landmarks
from ..spaces.out_of_sample import (
    MOST_ROWS,
    OF_CLASSES,
    RIDGE,
    OutOfSample,
    check_answers,
    far_reaching,
    ridge_factor,
)
from .computed import computed
from .rows import Rows, summed


def learn(
    kernel, X: Rows, landmarks: Landmarks, answers: np.ndarray, known: np.ndarray, classes=False
):
    """The function for new rows, and its values at the rows without an answer, as in memory."""
    check_answers(answers)
    if landmarks.choice != "uniform":
        raise ValueError(
            f"Landmarks(choice={landmarks.choice!r}) looks at rows in memory; over a Dask array "
            "use choice='uniform'."
        )
    phi = far_reaching(kernel, landmarks.chosen(kernel, X))
    rows, others = np.flatnonzero(known), np.flatnonzero(~known)
    some = some_rows(len(rows), MOST_ROWS)
    at = X.local(rows[some])
    parts = np.split(answers[some], np.cumsum([len(part) for part in at])[:-1])

    def sums(block, places, part):
        Z = phi.at(block[places])
        return Z.T @ Z, Z.T @ part

    gram, right = computed(summed(X.each(sums, at, parts)))[0]
    factor = ridge_factor(np.array(gram, order="F"), OF_CLASSES if classes else RIDGE)
    view = OutOfSample(phi, scipy.linalg.cho_solve(factor, right))
    values = X.each(lambda block, places: view(block[places]), X.local(others))
    return view, np.vstack(computed(*values))
