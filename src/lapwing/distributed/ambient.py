"""The ambient view over blocks: features on the workers, an m × m factor with the caller."""

import dask
import numpy as np
from sklearn.utils import check_random_state

from ..linalg.blocks import some_rows
from ..spaces.ambient_view import MOST_ROWS, AmbientView, ridge_solution, statistics
from ..spaces.landmark_choice import CHOICES
from ..spaces.landmarks import LandmarkMap, Landmarks
from .computed import computed
from .rows import Rows, summed


class BlockView(AmbientView):
    """As :class:`~lapwing.spaces.ambient_view.AmbientView`, its sums taken over blocks."""

    def __init__(self, kernel, X: Rows, landmarks: Landmarks, answers: np.ndarray):
        own = LandmarkMap(kernel, X.take(_chosen(kernel, X, landmarks)))
        rows = np.arange(X.shape[0])[some_rows(X.shape[0], MOST_ROWS)]
        phi = dask.delayed(own)
        parts = [answers[block] for block in X.slices()]
        tasks = X.each(_statistics, per_block=([phi] * len(parts), parts, X.local(rows)))
        gram, right = computed(summed(tasks))[0]
        self._keep(own, ridge_solution(np.array(gram, order="F"), right))


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
    return statistics(phi, block, answers, rows)
