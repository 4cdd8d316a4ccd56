"""Warnings are given or kept without touching the filters of the process."""

import threading
import warnings

import numpy as np
import pytest

from lapwing import LapRLSClassifier
from lapwing.exceptions import GraphWarning, unsaid, warn
from lapwing_papers.baselines import LassoRegressor

X = np.random.default_rng(0).standard_normal((40, 3))
Y = np.where(np.arange(40) < 20, (X[:, 0] > 0).astype(int), -1)


@pytest.mark.parametrize(
    "fit",
    [
        lambda: LapRLSClassifier().fit(X, Y),
        lambda: LassoRegressor(max_iter=1, tol=1e-12).fit(X, X[:, 0]),
    ],
    ids=["selection", "baseline"],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_fits_in_threads_leave_the_filters_alone(fit):
    before = [(action, category) for action, _, category, *_ in warnings.filters]
    threads = [threading.Thread(target=lambda: [fit() for _ in range(2)]) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(action, category) for action, _, category, *_ in warnings.filters] == before


def test_what_is_said_later_is_unsaid_in_this_thread_alone():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with unsaid():
            warn("hubs", GraphWarning)
            heard = []
            other = threading.Thread(target=lambda: heard.append(_raises()))
            other.start()
            other.join()
        assert heard == [True]
        with pytest.raises(GraphWarning):
            warn("hubs", GraphWarning)


def _raises() -> bool:
    try:
        warn("hubs", GraphWarning)
    except GraphWarning:
        return True
    return False
