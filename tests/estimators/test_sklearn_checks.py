"""Every estimator passes scikit-learn's own checks.

The only expected failures are the two sample-weight equivalences: they repeat and drop rows,
which changes the graph and n. Clustering and embedding take no weights and have none.
"""

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

import lapwing
from lapwing.estimators.base import ManifoldModel
from problems import BY_RULE

# the checks label few rows of separate clusters, on purpose
pytestmark = pytest.mark.filterwarnings("ignore::lapwing.exceptions.UnreachedWarning")

ESTIMATORS = [
    part()
    for n in lapwing.__all__
    if isinstance(part := getattr(lapwing, n), type) and issubclass(part, BaseEstimator)
]

DUPLICATED_ROWS = "repeated or removed rows change the graph and n"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": DUPLICATED_ROWS,
    "check_sample_weight_equivalence_on_sparse_data": DUPLICATED_ROWS,
}


def expected_failures(estimator):
    return EXPECTED if isinstance(estimator, ManifoldModel) else {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn(estimator, check):
    check(estimator)


# Without an intercept the equation reads differently; the rest of the frame must not notice.
# The search is the same one as above, and is left out.
@parametrize_with_checks(
    [lapwing.LapRLSClassifier(**BY_RULE | {"fit_intercept": False})],
    expected_failed_checks=expected_failures,
)
def test_without_intercept(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_constructor_only_stores(estimator):
    for name, value in estimator.get_params(deep=False).items():
        assert getattr(estimator, name) is value
