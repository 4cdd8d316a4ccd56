"""Several views: MV's kernel (6)."""

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
from ..views.spec import per_view
from .base import CloudKernel, PointCloudKernel
from .deformed import resolve_kernel


class MultiViewKernel(ViewParams, PointCloudKernel):
    """k̃(z, x) = Σ_j a_j²/γ_j k^j(z, x) − λ k_xᵀ A G⁻¹ (I + λ M G⁻¹ 𝒦)⁻¹ M G⁻¹ A k_z,

    the kernel of the sums φ = Σ_j a_j f^j with ‖φ‖² = min Σ_j γ_j‖f^j‖² + λ⟨f, M f⟩ over all f^j
    with that sum. Here f stacks the values of f^1 … f^m at the point cloud, view by view; A and G
    are the diagonal matrices of a_j and γ_j, and 𝒦 has the Gram matrices of the views as blocks.
    "Notes" says how it is computed.

    The weights γ_j are part of the kernel. On l labeled rows ``KernelRidge(alpha=l)`` is therefore
    co-regularized least squares, and ``SVC(C=1/(2l))`` the co-regularized SVM.

    Parameters
    ----------
    views : list of tuples (name, kernel, columns[, regularizer[, scaler]]), optional
        As in ``ColumnTransformer``; None is one RBF view of all columns. A view's regularizer
        R_j adds ⟨f^j, R_j f^j⟩ to ⟨f, M f⟩. A row that is NaN in all columns of a view lacks it.
    view_weights : float or array of shape (m,), optional
        a; None is 1/m.
    gammas : float or array of shape (m,), default=1.0
        γ_j > 0.
    lam : float ≥ 0, default=1.0
        λ.
    regularizer : optional
        M: None or ``Disagreement()`` is pairwise disagreement; a PSD matrix (mn × mn, view by
        view, dense or sparse); ``Factored(V)``; with one view, any regularizer.
    space : {"auto", "exact", "landmarks", "linear", "blockwise"} or Landmarks, default="auto"
        Where each f^j is searched: "auto" holds Gram matrices up to 8,000 rows, and takes 1,000
        landmarks in each of up to four views above.

    Notes
    -----
    Two views cost one Cholesky factor of order n, since for disagreement the system is
    I + λ(K¹/γ₁ + K²/γ₂); m ≥ 3 views cost m + 1 of them (through the views' consensus). A view's
    own regularizer deforms its own kernel first. A matrix M of rank r costs a system of order
    r, a sparse one a system over the rows it touches.

    For m ≥ 3 the paper's M_c, I on the diagonal and −I off it, is not PSD: pairwise disagreement
    has (m − 1) I there. The kernel of Bayesian co-training with noises σ_j is this one with
    a_j ∝ σ_j⁻² (summing to 1) and ``Disagreement(precisions=σ⁻²)``, plus (Σ σ_j⁻²)⁻¹ I.

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
    """The views of a point-cloud kernel, what they found on the cloud, and its functions there."""
    views = as_views(kernel.views)
    m = len(views)
    a = per_view(kernel.view_weights, m, "view_weights", 1.0 / m)
    gammas = per_view(kernel.gammas, m, "gammas", 1.0, positive=True)
    for view in views:
        resolve_kernel(view.kernel)
    refuse_added_points(views)
    built, cloud = build_views(views, X, names)
    pairs = zip(built.kernels, cloud.blocks, strict=True)
    spaces = [space_everywhere(kernel.space, own, block, m) for own, block in pairs]
    return views, built, Views(spaces, cloud, a, gammas)


def _operator(given, views: list[View], cloud: SplitRows) -> PSDOperator:
    """M over the views' stacked values; what is absent has no value there."""
    if given.joins_views:
        pairs = zip((view.regularizer for view in views), cloud.blocks, strict=True)
        own = [None if R is None else get_regularizer(R).build(block) for R, block in pairs]
        return ViewCoupling(given.build(cloud), own)
    return coupling_operator(given, cloud)
