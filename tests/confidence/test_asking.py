"""``next_to_label`` with costs, rows that cannot be asked, and a class of interest."""

import numpy as np
import pytest

from lapwing import LapRLSClassifier, LapRLSRegressor
from lapwing.datasets import load_digits

X, Y, TRUTH = load_digits(random_state=0)
X, Y, TRUTH = X[:400], np.where(np.arange(400) < 40, TRUTH[:400], -1), TRUTH[:400]
GIVEN = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": "rule", "gamma_I": "rule"}
MODEL = LapRLSClassifier(**GIVEN).fit(X, Y)
REAL = LapRLSRegressor(**GIVEN).fit(X, np.where(Y < 0, np.nan, TRUTH))


@pytest.mark.parametrize("model", [MODEL, REAL], ids=["classes", "numbers"])
def test_only_rows_that_may_be_asked_are(model):
    askable = np.arange(400) % 3 == 0
    asked = model.next_to_label(5, askable=askable)
    assert len(set(asked)) == 5
    assert askable[asked].all()
    assert (Y[asked] < 0).all()


@pytest.mark.parametrize("model", [MODEL, REAL], ids=["classes", "numbers"])
def test_equal_costs_change_nothing_and_dear_rows_wait(model):
    plain = model.next_to_label(3)
    assert model.next_to_label(3, costs=np.full(400, 7.0)).tolist() == plain.tolist()
    dear = np.ones(400)
    dear[plain] = 1e6
    assert not set(model.next_to_label(3, costs=dear)) & set(plain)


def test_a_class_of_interest_is_asked_about():
    """The probability of the class is nearer to one half at the rows asked about it."""
    p = MODEL.predict_proba(X)
    open_to = []
    for c in range(10):
        asked = MODEL.next_to_label(3, of_interest=c)
        open_to.append(np.minimum(p[asked, c], 1 - p[asked, c]).mean())
        assert (Y[asked] < 0).all()
    rest = np.minimum(p, 1 - p)[Y < 0].mean()
    assert np.mean(open_to) > 2 * rest


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"costs": np.zeros(400)}, "positive numbers"),
        ({"costs": np.ones(3)}, "got shape"),
        ({"askable": np.arange(400)}, "True and False"),
        ({"askable": np.arange(400) < 40}, "hold more rows"),
        ({"of_interest": 77}, "none of the classes"),
        ({"of_interest": 1, "criterion": "variance"}, "variances know no classes"),
    ],
)
def test_wrong_options_get_one_sentence(options, message):
    with pytest.raises(ValueError, match=message):
        MODEL.next_to_label(1, **options)
