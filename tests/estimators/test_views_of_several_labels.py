"""CoRLS and CoMR with several labels in a row: each label is the model of its own."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lapwing import CoMRClassifier, CoRLSClassifier
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian

rng = np.random.default_rng(0)
N = 50
X = rng.standard_normal((N, 4))
TRUTH = np.column_stack([X[:, 0] + X[:, 2] > 0, X[:, 1] + X[:, 3] > 0, X[:, 0] > X[:, 3]])
LABELS = np.where((np.arange(N) < 20)[:, None], TRUTH, np.nan)
VIEWS = [("left", RBF(1.5), [0, 1]), ("right", RBF(1.5), [2, 3], Laplacian())]
GIVEN = {"gamma_A": 1e-2, "gamma_C": 50.0, "gamma_I": 1.0, "fit_intercept": True}


@pytest.mark.parametrize("Model", [CoRLSClassifier, CoMRClassifier])
@pytest.mark.parametrize("loss", ["squared", "logistic", "hinge"])
def test_each_label_is_the_model_of_its_own(Model, loss):
    model = Model(VIEWS, loss=loss, tol=1e-9, **GIVEN).fit(X, LABELS)
    assert model.predict(X).shape == (N, 3) and model.classes_.tolist() == [0, 1, 2]
    assert_array_equal(model.predict(X), model.transduction_)
    for j in range(3):
        y = np.where(np.isnan(LABELS[:, j]), -1, LABELS[:, j]).astype(int)
        alone = Model(VIEWS, loss=loss, tol=1e-9, **GIVEN).fit(X, y)
        assert_allclose(model.decision_function(X)[:, j], alone.decision_function(X), atol=1e-4)
        assert_array_equal(model.predict(X)[:, j], alone.predict(X))
    assert hasattr(model, "predict_proba") == (loss == "logistic")
    if loss == "logistic":
        assert_array_equal(model.predict_proba(X) > 0.5, model.predict(X) == 1)
    whole = (model.predict(X[20:]) == TRUTH[20:]).all(axis=1).mean()
    assert model.score(X[20:], TRUTH[20:].astype(float)) == whole
    assert {k: v.shape for k, v in model.predict_views(X).items()} == {
        "left": (N, 3), "right": (N, 3),
    }  # fmt: skip


def test_entries_views_and_codings_may_be_missing():
    y = 2 * LABELS - 1
    y[3, 1] = np.nan
    A = X.copy()
    A[5, :2] = np.nan
    A[30, 2:] = np.nan
    model = CoRLSClassifier(VIEWS, **GIVEN).fit(A, y)
    assert set(np.unique(model.predict(A))) == {-1, 1}
    assert (model.predict(A)[:20] == y[:20])[~np.isnan(y[:20])].mean() > 0.7
    assert model.predict_views(A)["left"][5, 0] is None
    chosen = CoRLSClassifier(VIEWS).fit(X, LABELS)
    assert chosen.selection_ is not None and (chosen.predict(X) == TRUTH)[:20].mean() > 0.7
    with pytest.raises(ValueError, match="exclude each other"):
        CoRLSClassifier(VIEWS, class_weight="balanced").fit(X, LABELS)
    assert len(model.next_to_label(2)) == 2
