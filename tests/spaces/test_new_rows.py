"""New rows are answered as the graph answers its own: landmarks are farther apart than rows."""

import numpy as np
import pytest
from sklearn.datasets import make_swiss_roll
from sklearn.metrics import r2_score
from sklearn.preprocessing import StandardScaler

from lapwing import LapRLSRegressor
from lapwing.kernels import RBF, LaplacianKernel, Linear, OnColumns, Transformed
from lapwing.kernels.widths import local_distance


def test_unseen_rows_of_a_roll_are_answered_as_the_others():
    X, truth = make_swiss_roll(6000, noise=0.3, random_state=3)
    y = np.full(5000, np.nan)
    y[:100] = truth[:100]
    model = LapRLSRegressor().fit(X[:5000], y)
    assert r2_score(truth[100:5000], model.transduction_[100:]) > 0.99
    # with the width of all 5,000 rows between 1,000 landmarks it is 0.77
    assert r2_score(truth[5000:], model.predict(X[5000:])) > 0.98
    assert model.extension_error_ < 0.1


ROWS = np.random.default_rng(0).normal(size=(400, 3))
FEW = ROWS[:40]


@pytest.mark.parametrize("kernel", [RBF("local"), RBF(), RBF("local") * Linear()])
def test_widths_by_a_rule_are_found_among_other_rows(kernel):
    assert repr(kernel.build(ROWS).resized(FEW)) == repr(kernel.build(FEW))


def test_a_given_width_stays():
    assert RBF(0.7).build(ROWS).resized(FEW).sigma == 0.7
    assert Linear().build(ROWS).resized(FEW)(FEW).shape == (40, 40)


def test_parts_are_resized_where_they_look():
    seen = Transformed(2.0 * LaplacianKernel("local"), StandardScaler()).build(ROWS)
    expected = local_distance(seen.transformer.transform(FEW), "manhattan")
    assert seen.resized(FEW).kernel.kernel.sigma == pytest.approx(expected)
    columns = OnColumns(RBF("local"), [0, 2]).build(ROWS).resized(FEW)
    assert columns.kernel.sigma == pytest.approx(local_distance(FEW[:, [0, 2]]))
