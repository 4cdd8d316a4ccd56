"""The kernel of several views, eq. 6 of MV."""

from typing import Any

from ..operators import PSDOperator, ViewCoupling
from ..parameters.checks import is_number
from ..regularizers import get_regularizer
from ..spaces import Views, space_everywhere
from ..types import MatrixLike
from ..views import (
    BuiltViews,
    SplitRows,
    View,
    ViewParams,
    as_views,
    build_views,
    coupling_operator,
    given_coupling,
    refuse_added_points,
)
from ..views.spec import per_view, view_weights
from .base import CloudKernel, PointCloudKernel
from .deformed import resolve_kernel


class MultiViewKernel(ViewParams, PointCloudKernel):
    """k̃(z, x) = Σ_j a_j²/γ_j k^j(z, x) − λ k_xᵀ A G⁻¹ (I + λ M G⁻¹ 𝒦)⁻¹ M G⁻¹ A k_z.

    It is the kernel of the sums φ = Σ_j a_j f^j over m views, where f^j is the function of view j.
    The norm ‖φ‖² is the minimum of Σ_j γ_j‖f^j‖² + λ⟨f, M f⟩ over all f^j with that sum. f stacks
    the values of f^1 … f^m at the n rows of the point cloud, view by view. A and G are the diagonal
    matrices of a_j and γ_j. 𝒦 has the Gram matrices of the views as diagonal blocks. "Notes"
    describes the computation.

    The weights γ_j are part of the kernel. On l labeled rows, ``KernelRidge(alpha=l)`` is therefore
    co-regularized least squares, and ``SVC(C=1/(2l))`` is the co-regularized SVM.

    Parameters
    ----------
    views : list of tuples (name, kernel, columns[, regularizer[, scaler]]), optional
        The views, as in ``ColumnTransformer``. None is one RBF view of all columns. The regularizer
        R_j of a view adds ⟨f^j, R_j f^j⟩ to ⟨f, M f⟩. A row without a view is NaN in all its
        columns.
    view_weights : float or array of shape (m,), optional
        The weights a_j. None is 1/m.
    gammas : float or array of shape (m,), default=1.0
        γ_j > 0.
    lam : float ≥ 0, default=1.0
        The weight λ.
    regularizer : optional
        M. None or ``Disagreement()`` is the pairwise disagreement of views. M may also be a PSD
        matrix (mn × mn, view by view, dense or sparse) or ``Factored(V)``. With one view it may be
        any regularizer.
    space : {"auto", "exact", "landmarks", "linear", "blockwise"} or Landmarks, default="auto"
        The space of each f^j. "auto" uses Gram matrices up to 8,000 rows. With more rows it uses
        1,000 landmarks in each view, for up to four views.

    Notes
    -----
    For two views and disagreement the system is I + λ(K¹/γ₁ + K²/γ₂), which needs one Cholesky
    factor of order n. m ≥ 3 views need m + 1 factors (through the consensus of the views). The
    regularizer of a view first deforms the kernel of that view. A matrix M of rank r needs a system
    of order r. A sparse M needs a system over its nonzero rows.

    The paper's M_c has I on the diagonal and −I elsewhere. For m ≥ 3 it is not PSD. Pairwise
    disagreement has (m − 1) I on the diagonal. The kernel of Bayesian co-training with noises σ_j
    is this kernel with a_j ∝ σ_j⁻² (with sum 1) and ``Disagreement(precisions=σ⁻²)``, plus (Σ
    σ_j⁻²)⁻¹ I.

    References
    ----------
    Rosenberg, Sindhwani, Bartlett, Niyogi 2009 (MV), Theorem 1, eqs. 4–6.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.svm import SVC
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 60)
    >>> X = rng.standard_normal((120, 4)) + 3.0 * y[:, None]  # two views of two columns
    >>> views = [("left", "rbf", [0, 1]), ("right", "rbf", [2, 3])]
    >>> kernel = MultiViewKernel(views, gammas=1e-2).fit(X)
    >>> labeled = [0, 1, 60, 61]
    >>> model = SVC(kernel=kernel, C=1 / (2 * 4)).fit(X[labeled], y[labeled])
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    takes_missing = True

    def __init__(
        self,
        views: Any = None,
        view_weights: Any = None,
        gammas: float = 1.0,
        lam: float = 1.0,
        regularizer: Any = None,
        space: Any = "auto",
    ) -> None:
        self.views = views
        self.view_weights = view_weights
        self.gammas = gammas
        self.lam = lam
        self.regularizer = regularizer
        self.space = space

    def _build(self, X: MatrixLike, names: Any):
        if not is_number(self.lam) or self.lam < 0:
            raise ValueError(f"lam must be a finite number ≥ 0, got {self.lam!r}.")
        views, built, space = view_space(self, X, names)
        given = given_coupling(self.regularizer, views, space.points.n)
        operator = _operator(given, views, space.points)
        return CloudKernel(space.deformed(operator, 1.0, float(self.lam)), built.split)


def view_space(kernel: Any, X: MatrixLike, names: Any) -> tuple[list[View], BuiltViews, Views]:
    """The views of a point-cloud kernel, the views built on the cloud, and their function space."""
    views = as_views(kernel.views)
    m = len(views)
    a = view_weights(kernel.view_weights, m)
    gammas = per_view(kernel.gammas, m, "gammas", 1.0, positive=True)
    for view in views:
        resolve_kernel(view.kernel)
    refuse_added_points(views)
    built, cloud = build_views(views, X, names)
    pairs = zip(built.kernels, cloud.blocks, strict=True)
    spaces = [space_everywhere(kernel.space, own, block, m) for own, block in pairs]
    return views, built, Views(spaces, cloud, a, gammas)


def _operator(given, views: list[View], cloud: SplitRows) -> PSDOperator:
    """M over the stacked values of the views. Rows without a view have no value there."""
    if given.joins_views:
        pairs = zip((view.regularizer for view in views), cloud.blocks, strict=True)
        own = [None if R is None else get_regularizer(R).build(block) for R, block in pairs]
        return ViewCoupling(given.build(cloud), own)
    return coupling_operator(given, cloud)
