"""The ambient view over blocks: features on the workers, an m × m factor with the caller."""

from functools import partial

import dask
import numpy as np
import scipy.linalg
from sklearn.utils import check_random_state

from ..linalg.blocks import some_rows
from ..spaces.landmarks import CHOICES, Landmarks
from ..spaces.out_of_sample import (
    MOST_ROWS,
    OutOfSample,
    check_answers,
    far_reaching,
    ridge_factor,
)
from .computed import computed
from .rows import Rows, summed


class BlockView(OutOfSample):
    """As :class:`~lapwing.spaces.out_of_sample.OutOfSample`, its sums taken over blocks."""

    def __init__(self, kernel, X: Rows, landmarks: Landmarks, answers: np.ndarray, rows):
        own = far_reaching(kernel, X.take(_chosen(kernel, X, landmarks)))
        some = some_rows(len(rows), MOST_ROWS)
        phi, at = dask.delayed(own), X.local(rows[some])
        parts = np.split(answers[some], np.cumsum([len(part) for part in at])[:-1])
        tasks = X.each(_statistics, per_block=([phi] * len(parts), parts, at))
        gram, right = computed(summed(tasks))[0]
        factor = ridge_factor(np.array(gram, order="F"))
        super().__init__(own, scipy.linalg.cho_solve(factor, right))


def learn(kernel, X: Rows, landmarks: Landmarks, answers: np.ndarray, known: np.ndarray):
    """The view, and its values at the rows that have no answer."""
    check_answers(answers)
    view = BlockView(kernel, X, landmarks, answers, np.flatnonzero(known))
    others = X.local(np.flatnonzero(~known))
    return view, np.vstack(computed(*X.each(partial(_values, view), per_block=(others,))))


def _values(view: OutOfSample, block, rows: np.ndarray) -> np.ndarray:
    return view(block[rows])


def _chosen(kernel, X: Rows, landmarks: Landmarks) -> np.ndarray:
    """Uniform rows, drawn as in memory; other choices look at the rows themselves."""
    m = landmarks.check(kernel, X.shape[0])
    if landmarks.choice != "uniform":
        raise ValueError(
            f"Landmarks(choice={landmarks.choice!r}) looks at rows in memory; over a Dask array "
            "use choice='uniform'."
        )
    random = check_random_state(landmarks.random_state)
    return np.sort(CHOICES["uniform"](kernel, X, m, random))


def _statistics(block, phi, answers, rows):
    """ZᵀZ and ZᵀA over some rows of a block, A the answers at these."""
    Z = phi.at(block[rows])
    return Z.T @ Z, Z.T @ answers
