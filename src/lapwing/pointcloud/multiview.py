"""Several views: MV's kernel (6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..kernels import FunctionKernel
from ..linalg.numbers import is_number
from ..linalg.psd import check_symmetric
from ..linalg.resolvents import NoPenalty, Resolvent
from ..regularizers import Disagreement, Factored, Matrix, Regularizer, get_regularizer
from ..regularizers.operators import PSDOperator
from ..spaces.coregularized import coupling_resolvent
from ..views import BuiltViews, SplitRows, View, ViewParams, as_views, build_views
from ..views.spec import per_view
from .base import CloudKernel, PointCloudKernel
from .deformed import own_resolvent, resolve_kernel
from .given import factored_resolvent, matrix_resolvent


class MultiViewKernel(ViewParams, PointCloudKernel):
    """k̃(z, x) = Σ_j a_j²/γ_j k^j(z, x) − λ k_xᵀ A G⁻¹ (I + λ M G⁻¹ 𝒦)⁻¹ M G⁻¹ A k_z,

    the kernel of {Σ_j a_j f^j} with ‖φ‖² = min Σ_j γ_j‖f^j‖² + λ⟨f, M f⟩ over all f with that
    sum, f being the values of f^1 … f^m at the point cloud, stacked view by view. The formula is
    never evaluated as written: see "Notes".

    The γ_j are inside: problem (4) is (1) at γ = 1 over the new space, so on l labelled rows
    co-regularised least squares is ``KernelRidge(alpha=l)``, the machine ``SVC(C=1/(2l))``.

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
    MV Theorem 1, eqs. 4–6.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.svm import SVC
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 60)
    >>> X = rng.standard_normal((120, 4)) + 3.0 * y[:, None]  # two views of two columns
    >>> views = [("left", "rbf", [0, 1]), ("right", "rbf", [2, 3])]
    >>> kernel = MultiViewKernel(views, gammas=1e-2).fit(X)
    >>> labelled = [0, 1, 60, 61]
    >>> machine = SVC(kernel=kernel, C=1 / (2 * 4)).fit(X[labelled], y[labelled])
    >>> bool(machine.score(X, y) > 0.95)
    True
    """

    _accept_nan = True

    def __init__(self, views=None, view_weights=None, gammas=1.0, lam=1.0, regularizer=None):
        self.views = views
        self.view_weights = view_weights
        self.gammas = gammas
        self.lam = lam
        self.regularizer = regularizer

    def _build(self, X, names):
        views = as_views(self.views)
        m = len(views)
        a = per_view(self.view_weights, m, "view_weights", 1.0 / m)
        gammas = per_view(self.gammas, m, "gammas", 1.0, positive=True)
        if not is_number(self.lam) or self.lam < 0:
            raise ValueError(f"lam must be a finite number ≥ 0, got {self.lam!r}.")
        for view in views:
            resolve_kernel(view.kernel)
        built, cloud = build_views(views, X, names)
        given = _given_penalty(self.regularizer, views, cloud)
        B = []
        for j, gamma in enumerate(gammas):
            K = built.gram(j, cloud)
            if gamma != 1.0:
                # in place, unless a callable may have handed out an array of its own
                K = np.divide(
                    K, gamma, out=None if isinstance(built.kernels[j], FunctionKernel) else K
                )
            B.append(K)
        resolvent = _resolvent(given, views, cloud, B, float(self.lam))
        return MultiViewCloud(built, cloud, a, gammas, resolvent)


@dataclass(frozen=True)
class MultiViewCloud(CloudKernel):
    """Built views, their cloud, and the resolvent of λM there."""

    views: BuiltViews
    cloud: SplitRows
    a: np.ndarray
    gammas: np.ndarray
    resolvent: Resolvent

    def points(self, X) -> SplitRows:
        return self.views.split(X)

    def prior(self, X, Z=None):
        other, Z = Z, X if Z is None else Z
        left, right = X.readout_weights(self.a), Z.readout_weights(self.a)
        out = np.zeros((X.n, Z.n))
        for j, gamma in enumerate(self.gammas):
            K = self.views.cross(j, X, other)
            r, c = X.rows[j], Z.rows[j]
            K = (left[r, j, None] / gamma) * K * right[c, j]
            if K.shape == out.shape:
                out += K
            else:
                out[np.ix_(r, c)] += K
        return out

    def prior_diagonal(self, X):
        weights, out = X.readout_weights(self.a), np.zeros(X.n)
        for j, gamma in enumerate(self.gammas):
            r = X.rows[j]
            out[r] += weights[r, j] ** 2 / gamma * self.views.kernels[j].diagonal(X.blocks[j])
        return out

    def sections(self, X):
        weights, parts = X.readout_weights(self.a), []
        for j, gamma in enumerate(self.gammas):
            r = X.rows[j]
            K = self.views.cross(j, self.cloud, X) * (weights[r, j] / gamma)
            if len(r) < X.n:
                whole = np.zeros((K.shape[0], X.n))
                whole[:, r] = K
                K = whole
            parts.append(K)
        return np.vstack(parts)


def _given_penalty(regularizer, views: list[View], cloud: SplitRows) -> Regularizer:
    """The regularizer meant, checked as far as is cheap."""
    m = len(views)
    if regularizer is None:
        return Disagreement()
    found = get_regularizer(regularizer)
    if isinstance(found, Disagreement):
        return found
    if any(view.regularizer is not None for view in views):
        raise ValueError(
            "Give either a regularizer M over all views or a regularizer in each view, not both: "
            "add the views' blocks to M."
        )
    if m > 1 and not isinstance(found, Matrix | Factored):
        raise TypeError(
            f"With {m} views, regularizer must be None, Disagreement(), Factored(V) or a PSD "
            f"matrix over all views' values; {type(found).__name__} belongs to one view: give it "
            "as the view's fourth entry."
        )
    size = m * cloud.n
    if isinstance(found, Matrix | Factored):
        order = (found.V if isinstance(found, Factored) else found.M).shape[0]
        if order != size:
            raise ValueError(
                f"regularizer has {order} rows, expected m·n = {m}·{cloud.n} = {size}: one for "
                "each view's value at each point of the cloud, view by view."
            )
    return found


def _resolvent(
    given: Regularizer, views: list[View], cloud: SplitRows, B: list[np.ndarray], lam: float
) -> Resolvent:
    if lam == 0:
        return NoPenalty(sum(len(block) for block in B))
    if isinstance(given, Disagreement):
        own = [_own(view, block) for view, block in zip(views, cloud.blocks, strict=True)]
        applies = [None if operator is None else operator.apply for operator in own]
        return coupling_resolvent(given.build(cloud), applies, B, lam)
    at = np.concatenate([j * cloud.n + rows for j, rows in enumerate(cloud.rows)])
    everything = np.zeros((len(views) * cloud.n, 1))  # as many points as M has rows
    if isinstance(given, Factored):
        return factored_resolvent(given.build(everything).V[at], B, lam)
    if isinstance(given, Matrix):
        # a dense matrix is checked by its factorisation, a sparse one by Matrix.build
        M = given.build(everything).M if sp.issparse(given.M) else check_symmetric(given.M)
        return matrix_resolvent(M if cloud.complete else M[at][:, at], B, lam)
    return own_resolvent(B[0], given.build(cloud.blocks[0]), lam)


def _own(view: View, block) -> PSDOperator | None:
    return None if view.regularizer is None else get_regularizer(view.regularizer).build(block)
