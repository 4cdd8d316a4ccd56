"""The effect of unlabeled points on bounds (MV): Rademacher complexity and Theorem 2."""

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_array

from .._scikit_learn import count_rows
from ..confidence.bound import Bound
from ..graphs.row_keys import row_keys
from ..parameters.checks import check_weight
from ..types import MatrixLike
from .base import PointCloudKernel


def rademacher_complexity(kernel: Any, X: MatrixLike, radius: float = 1.0) -> float:
    """(r/ℓ) √(tr K̃), an upper bound on the empirical Rademacher complexity of {‖φ‖ ≤ r}.

    Parameters
    ----------
    kernel : PointCloudKernel, fitted; or any kernel with ``diag`` or ``diagonal``
    X : array or CSR matrix of shape (ℓ, d)
        The labeled points.
    radius : float > 0
        r. The class of functions must not depend on the labels. Take r² = sup_y V(0, y), because
        the minimizer of (4) has ‖φ‖² ≤ R̂(0) ≤ sup_y V(0, y). It is 1 for the hinge loss and for
        the squared loss with targets ±1.

    References
    ----------
    Rosenberg, Sindhwani, Bartlett, Niyogi 2009 (MV), "Rademacher Complexity and Generalization
    Bounds".

    Examples
    --------
    >>> from lapwing.kernels import RBF
    >>> rademacher_complexity(RBF(1.0), np.zeros((4, 2)))
    0.5
    """
    check_weight("radius", radius, positive=True)
    return float(radius) / count_rows(X) * float(np.sqrt(_diagonal(kernel, X).sum()))


def generalization_bound(
    kernel: Any,
    X: MatrixLike,
    *,
    radius: float = 1.0,
    lipschitz: float = 1.0,
    loss_range: tuple[float, float] = (0.0, 1.0),
    delta: float = 0.05,
    selected: bool = False,
    free_intercept: bool = False,
) -> Bound:
    """sup |R̂(f) − R(f)| ≤ 2 L (r/ℓ) √(tr K̃) + (b − a) √(2 log(3/δ)/ℓ), with probability 1 − δ.

    R is the risk, R̂ the empirical risk on ℓ labeled points, and the supremum is over all ‖f‖ ≤ r
    in the space of the kernel. The theorem needs a class of functions that is fixed before the
    labeled points are drawn. The point cloud must therefore consist of unlabeled rows only. The
    minimizer f̂ of R̂ over the class has the estimation error R(f̂) − inf R. It is at most twice
    the bound.

    Parameters
    ----------
    kernel : PointCloudKernel, fitted on unlabeled points only
    X : array or CSR matrix of shape (ℓ, d)
        The labeled points.
    radius : float > 0
        r. The minimizer is in the class if r² = sup_y V(0, y).
    lipschitz : float > 0
        L, the Lipschitz constant of V(·, y) for every y.
    loss_range : (float, float)
        The range [a, b] of V. The default is that of the ramp loss min(1, max(0, 1 − y f)), which
        lies between the 0-1 loss and the hinge loss.
    delta : float in (0, 1)
        The bound holds with probability 1 − δ.
    selected : bool
        Whether the labels were used to choose γ or λ. The class is then not fixed beforehand.
    free_intercept : bool
        Whether the function has an intercept without penalty. It is then not in the class.

    Returns
    -------
    Bound
        A float with three attributes. ``valid`` says whether the theorem applies. ``reasons`` lists
        why not (a labeled point in the cloud, γ chosen by labels, a free intercept). ``vacuous``
        says whether the bound is at least b − a.

    References
    ----------
    Rosenberg, Sindhwani, Bartlett, Niyogi 2009 (MV), Theorem 2. The last term is McDiarmid's
    inequality for three events of probability δ/3.
    Replacing one labeled point changes the supremum by at most (b − a)/ℓ. It changes the empirical
    Rademacher complexity R̂_ℓ by at most (b − a)/(2ℓ). The supremum and 2 R̂_ℓ therefore each add
    (b − a) √(log(3/δ)/(2ℓ)).
    """
    check_weight("radius", radius, positive=True)
    check_weight("lipschitz", lipschitz, positive=True)
    low, high = loss_range
    if not low < high:
        raise ValueError(f"loss_range must be (a, b) with a < b, got {loss_range!r}.")
    if not 0.0 < delta < 1.0:
        raise ValueError(f"delta must lie strictly between 0 and 1, got {delta!r}.")
    reasons = _shared_points(kernel.cloud_, X) if isinstance(kernel, PointCloudKernel) else []
    if selected:
        reasons.append("the labels chose the γ's, so that the class was not fixed before them")
    if free_intercept:
        reasons.append("a constant that nothing penalizes is in no ball ‖f‖ ≤ r")
    confidence = (high - low) * np.sqrt(2.0 * np.log(3.0 / delta) / count_rows(X))
    value = float(2.0 * lipschitz * rademacher_complexity(kernel, X, radius) + confidence)
    return Bound(value, reasons, trivial=high - low)


def complexity_reduction(kernel: Any, X: MatrixLike, lam: float | None = None):
    """tr K̃(0) − tr K̃(λ) = Σ_i b_iᵀ T(λ) b_i over the labeled points, the effect of the cloud.

    For two views and disagreement this is Σ_i ρ²(a₁ k¹_i/γ₁, a₂ k²_i/γ₂) with
    ρ²(s, t) = λ (s − t)ᵀ (I + λ (K¹/γ₁ + K²/γ₂))⁻¹ (s − t). The paper's Δ(λ) has no weights a. It
    is four times this number at a = ½. The complexity is (r/ℓ) √(tr K̃(0) − this number).

    Parameters
    ----------
    kernel : PointCloudKernel, fitted
    X : array or CSR matrix of shape (ℓ, d)
        The labeled points.
    lam : float or array, optional
        λ, or the ratio of a DeformedKernel. None is the value of the kernel.

    Returns
    -------
    float, or array of the shape of ``lam``

    References
    ----------
    Rosenberg, Sindhwani, Bartlett, Niyogi 2009 (MV), "Unlabeled Data Improves the Bound";
    Rosenberg & Bartlett 2007.
    """
    if not isinstance(kernel, PointCloudKernel):
        raise TypeError(
            f"Only a kernel with a point cloud has a complexity to reduce, got {kernel!r}."
        )
    if lam is None:
        return _fall(kernel, X)
    lams = np.asarray(lam, dtype=float)
    falls = [_fall(with_strength(kernel, float(value)), X) for value in lams.ravel()]
    return falls[0] if lams.ndim == 0 else np.reshape(falls, lams.shape)


def with_strength(kernel: PointCloudKernel, lam: float) -> PointCloudKernel:
    """The same kernel on the same cloud with another λ (or ratio)."""
    name = "lam" if "lam" in kernel.get_params(deep=False) else "ratio"
    return clone(kernel).set_params(**{name: lam})


def _fall(kernel: PointCloudKernel, X: MatrixLike) -> float:
    return float(kernel.fall(X).sum())


def _diagonal(kernel: Any, X: MatrixLike) -> np.ndarray:
    return kernel.diag(X) if hasattr(kernel, "diag") else kernel.diagonal(_array(X))


def _shared_points(cloud, X: MatrixLike) -> list[str]:
    X = _array(X)  # in single precision: float32 and float64 points compare equal
    keys, known = (row_keys(part.astype(np.float32)) for part in (X, cloud))
    shared = np.flatnonzero(np.isin(keys, known))
    if not len(shared):
        return []
    return [
        f"{len(shared)} of the {X.shape[0]} labeled points (row {shared[0]} first) are in the "
        "point cloud, which must be independent of the labeled points: fit the kernel on "
        "unlabeled rows only"
    ]


def _array(X: MatrixLike):
    """Lists and data frames as arrays. A row without a view holds NaN."""
    return check_array(X, accept_sparse="csr", dtype=np.float64, ensure_all_finite="allow-nan")
