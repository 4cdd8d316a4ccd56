"""Macro AUC: scikit-learn's where that is defined, and defined where that is not."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from lapwing.metrics import label_auc, macro_auc

rng = np.random.default_rng(0)
Y = (rng.random((50, 4)) < 0.3).astype(int)
S = rng.standard_normal((50, 4)).round(1)  # with ties


def test_agrees_with_scikit_learn_label_by_label():
    expected = [roc_auc_score(Y[:, j], S[:, j]) for j in range(4)]
    np.testing.assert_allclose(label_auc(Y, S), expected)
    np.testing.assert_allclose(label_auc(2 * Y - 1, S), expected)
    np.testing.assert_allclose(macro_auc(Y, S), np.mean(expected))
    np.testing.assert_allclose(macro_auc(Y[:, 0], S[:, 0]), expected[0])


def test_a_label_without_positives_or_negatives_does_not_count():
    silent = Y.copy()
    silent[:, 1], silent[:, 2] = 0, 1
    areas = label_auc(silent, S)
    assert np.isnan(areas[[1, 2]]).all()
    np.testing.assert_allclose(macro_auc(silent, S), areas[[0, 3]].mean())
    assert np.isnan(macro_auc(np.zeros((5, 2)), S[:5, :2]))


def test_unknown_entries_do_not_count():
    known = Y.astype(float)
    known[:20, 0] = np.nan
    np.testing.assert_allclose(label_auc(known, S)[0], roc_auc_score(Y[20:, 0], S[20:, 0]))


def test_only_the_order_of_the_scores_matters():
    np.testing.assert_allclose(macro_auc(Y, np.exp(S)), macro_auc(Y, S))
    np.testing.assert_allclose(macro_auc(Y, -S), 1 - macro_auc(Y, S))


@pytest.mark.parametrize(
    ("truth", "score", "text"),
    [(Y, S[:, :2], "one score"), (Y + 1, S, "0 and 1"), (Y, np.where(S > 0, S, np.nan), "NaN")],
)
def test_bad_input_is_named(truth, score, text):
    with pytest.raises(ValueError, match=text):
        macro_auc(truth, score)
