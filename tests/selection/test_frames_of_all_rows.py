"""Components, units and widths that the search compares are those of the rows that the fit uses."""

import numpy as np
import pytest
import scipy.sparse as sp

from lapwing import LapRLSClassifier


def counts(n=3001, d=150, n_classes=5, seed=0):
    """Log counts with classes in a few columns; the leading components are partly noise."""
    rng = np.random.default_rng(seed)
    rates = np.exp(1.2 * rng.standard_normal(d) - 1.0)
    changed = rng.random((n_classes, d)) < 0.1
    profiles = rates * np.exp(rng.standard_normal((n_classes, d)) * changed)
    y = rng.integers(0, n_classes, n)
    return np.log1p(rng.poisson(profiles[y])).astype(float), y


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_one_more_row_does_not_change_what_labels_cost_without_a_graph(kind):
    """The search looks at 1,000 rows, and other ones if there is one more."""
    X, y = counts()
    told = np.where(np.arange(len(y)) < 25, y, -1)
    few, more = (
        LapRLSClassifier().fit(kind(X[:n]), told[:n]).selection_ for n in (len(y) - 1, len(y))
    )
    assert len(few.losses) == len(more.losses)
    alone = (few.gamma_I == 0) & (more.gamma_I == 0)
    np.testing.assert_allclose(
        few.losses[alone].mean(axis=1), more.losses[alone].mean(axis=1), atol=0.1
    )
