"""Find the last step of a pipeline and the data that it was fitted on."""

from sklearn.pipeline import Pipeline

from ..types import Estimator, MatrixLike


def last_step(estimator: Estimator, X: MatrixLike = None) -> tuple[Estimator, MatrixLike]:
    """The last estimator of a fitted pipeline, and X transformed by the earlier steps.

    Other estimators and their X are returned unchanged.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from lapwing import LapRLSClassifier
    >>> X, y = np.array([[0.0], [2.0]]), np.array([0, 1])
    >>> model = make_pipeline(StandardScaler(), LapRLSClassifier()).fit(X, y)
    >>> last_step(model, X)[1]
    array([[-1.],
           [ 1.]])
    """
    if not isinstance(estimator, Pipeline):
        return estimator, X
    before = estimator[:-1]
    return estimator[-1], X if X is None or not len(before) else before.transform(X)
