"""What scikit-learn does not promise to keep, in one file: the only one to mend when it changes."""

import numpy as np
from sklearn.svm import _libsvm
from sklearn.utils import _safe_indexing as rows_of
from sklearn.utils.metaestimators import _safe_split as split_of
from sklearn.utils.validation import _check_feature_names as check_feature_names
from sklearn.utils.validation import _check_sample_weight as check_sample_weight
from sklearn.utils.validation import _get_feature_names as feature_names
from sklearn.utils.validation import _num_samples as count_rows

__all__ = [
    "check_feature_names",
    "check_sample_weight",
    "count_rows",
    "feature_names",
    "libsvm",
    "rows_of",
    "split_of",
]


def libsvm(
    K: np.ndarray,
    y: np.ndarray,
    C: float,
    weights: np.ndarray,
    width: float | None,
    tol: float,
    max_iter: int,
) -> tuple[np.ndarray, float, int]:
    """β, b and the number of iterations of a support vector machine with f = Kβ + b.

    libsvm itself: what ``SVC.fit`` does around it takes ten times as long as twenty points do, and
    it warns of a limit that is no news to the user, since another solver takes over.

    Parameters
    ----------
    K : array of shape (l, l), C-ordered
    y : array of shape (l,)
        ±1, or the targets of a tube.
    C : float
    weights : array of shape (l,)
        |β_i| ≤ C · weights_i.
    width : float, optional
        Half the width of the tube; None for classes.
    tol : float
    max_iter : int
    """
    tube = width is not None
    _libsvm.set_verbosity_wrap(0)  # a setting of the whole process, which SVC.fit changes
    support, _, _, coef, intercept, *_, n_iter = _libsvm.fit(
        K,
        y if tube else (y > 0).astype(np.float64),
        svm_type=3 if tube else 0,  # its numbers of ε-SVR and C-SVC
        kernel="precomputed",
        C=C,
        epsilon=width or 0.0,
        class_weight=np.zeros(0) if tube else np.ones(2),
        sample_weight=weights,
        tol=tol,
        max_iter=max_iter,
    )
    sign = 1.0 if tube else -1.0  # of two classes libsvm calls the first one positive
    beta = np.zeros(len(y))
    beta[support] = sign * coef[0]
    return beta, sign * float(intercept[0]), int(np.max(n_iter))
