"""Manifold co-regularization as a kernel on the point cloud (MV)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..operators import MatrixOperator, ScaledOperator, SumOperator, combined
from ..parameters.checks import check_weight, is_number, is_positive
from ..regularizers import get_regularizer
from ..spaces import Deformation, LabeledKernel, WithIntrinsic
from ..types import MatrixLike
from ..views import ViewParams, given_coupling, intrinsic_coupling, intrinsic_penalties
from ..views.same_rows import Known, averages, recognizable
from .base import CloudKernel, PointCloudKernel
from .multiview import view_space


class CoMRKernel(ViewParams, PointCloudKernel):
    """The kernel of φ = Σ_j a_j ((1 − a_I) f^j + a_I g^j) with ‖φ‖² the least value of

        Σ_j γ_j ‖f^j‖² + γ_I Σ_j ⟨g^j, M_j g^j⟩ + λ (Σ_j ‖f^j − g^j‖² + Σ_{j<k} ‖f^j − f^k‖²)

    over all f^j in the views' spaces and all values g^j at the rows of the cloud that sum to φ.
    f^j is the function of view j. g^j holds the values of a second, smooth function.

    With this kernel on l labeled rows, ``KernelRidge(alpha=l)`` and ``SVC(C=1/(2l))`` are manifold
    co-regularization (CoMR). They equal :class:`lapwing.CoMRClassifier` with
    gamma_A · gammas = γ, gamma_I = γ_I n² and gamma_C = λ n², without intercept.

    With a_I ≠ 0, φ is defined only at the rows of the cloud, and other rows are an error. With a_I
    = 0 the kernel is defined everywhere, as ``DeformedKernel`` with ``Relaxed`` is.

    Parameters
    ----------
    views : list of tuples (name, kernel, columns[, regularizer[, scaler]]), optional
        As in :class:`lapwing.MultiViewKernel`. None is one RBF view of all columns. M_j is the
        regularizer of the view. If a view has none, it is ``Laplacian(KNN(), degree=2)``.
    a_I : float, default=0.5
        The share of the smooth functions g^j in φ.
    view_weights : float or array of shape (m,), optional
        The weights a_j. None is 1/m.
    gammas : float or array of shape (m,), default=1.0
        γ_j > 0.
    gamma_I : float ≥ 0, default=1.0
        The weight γ_I of the smoothness of g^j.
    lam : float > 0, default=1.0
        The weight λ.
    ridge : float ≥ 0, default=0.0
        A number added to the diagonal of each M_j. M_j is never inverted, so 0 works.
    coupling : None, Disagreement, Factored or PSD matrix of order 2·m·n, default=None
        M over (f^1 … f^m, g^1 … g^m). It replaces the term with the weight λ in the formula, as in
        :class:`lapwing.CoMRClassifier`.
    space : {"auto", "exact", "landmarks", "linear", "blockwise"} or Landmarks, default="auto"
        The space of each f^j. "auto" uses Gram matrices up to 8,000 rows. With more rows it uses
        1,000 landmarks in each view, for up to four views.

    References
    ----------
    Rosenberg, Sindhwani, Bartlett, Niyogi 2009 (MV), "Manifold Co-Regularization".

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.kernels import RBF
    >>> X, y, truth = make_two_moons(200, labels_per_class=3, random_state=0)
    >>> kernel = CoMRKernel([("all", RBF(0.35), slice(None))], gammas=1e-4, lam=1e3).fit(X)
    >>> model = SVC(kernel=kernel, C=1e4).fit(X[y >= 0], y[y >= 0])
    >>> float(model.score(X, truth))
    1.0
    """

    takes_missing = True

    def __init__(
        self,
        views: Any = None,
        a_I: float = 0.5,
        view_weights: Any = None,
        gammas: float = 1.0,
        gamma_I: float = 1.0,
        lam: float = 1.0,
        ridge: float = 0.0,
        coupling: Any = None,
        space: Any = "auto",
    ) -> None:
        self.views = views
        self.a_I = a_I
        self.view_weights = view_weights
        self.gammas = gammas
        self.gamma_I = gamma_I
        self.lam = lam
        self.ridge = ridge
        self.coupling = coupling
        self.space = space

    def _build(self, X: MatrixLike, names: Any):
        self._check_numbers()
        views, built, ambient = view_space(self, X, names)
        cloud = ambient.points
        given = given_coupling(self.coupling, views, cloud.n, "coupling", intrinsic=True)
        space = WithIntrinsic(ambient, float(self.a_I))
        lam, M = combined(
            [
                (float(self.lam), intrinsic_coupling(given, cloud)),
                (float(self.gamma_I), intrinsic_penalties(cloud, self._intrinsic(views, cloud))),
            ]
        )
        deformation = space.deformed(M, 1.0, lam)
        if not self.a_I:
            return CloudKernel(deformation, built.split)
        return CloudKernel(OnCloud(deformation), _reader(recognizable(X), self.a_I))

    def _intrinsic(self, views, cloud):
        """M_j + ridge I over the rows of each view."""
        found = []
        for view, block in zip(views, cloud.blocks, strict=True):
            own = "laplacian" if view.regularizer is None else view.regularizer
            M = get_regularizer(own).build(block)
            if self.ridge:
                eye = MatrixOperator(sp.csr_array(sp.eye_array(M.n)), M.graph)
                M = SumOperator([M, ScaledOperator(eye, float(self.ridge))])
            found.append(M)
        return found

    def _check_numbers(self) -> None:
        if not is_number(self.a_I):
            raise ValueError(f"a_I={self.a_I!r} must be a finite number.")
        check_weight("gamma_I", self.gamma_I)
        check_weight("ridge", self.ridge)
        if not is_positive(self.lam):
            raise ValueError(
                f"lam={self.lam!r} must be a positive number: it ties the intrinsic functions to "
                "the ambient ones."
            )


class OnCloud(Deformation):
    """S_X K̃ S_Zᵀ, the kernel between rows of the cloud. S averages values at the cloud."""

    def __init__(self, deformation: Deformation) -> None:
        self.inner = deformation
        self.factored = deformation.factored
        self.n_rows, self.free = deformation.n_rows, deformation.free

    def solve(self, R: np.ndarray) -> np.ndarray:
        return self.inner.solve(R)

    def gram(self, rows: Any) -> LabeledKernel:
        return self.inner.gram(rows)

    def cross(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        Z = X if Z is None else Z
        rows = np.union1d(X.indices, Z.indices)
        K = self.inner.gram(rows).shared
        return X[:, rows] @ (Z[:, rows] @ K).T

    def diagonal(self, X: MatrixLike) -> np.ndarray:
        return np.einsum("ij,ij->i", self._pulled(X), X[:, np.unique(X.indices)].toarray())

    def _pulled(self, X: MatrixLike) -> np.ndarray:
        rows = np.unique(X.indices)
        return X[:, rows] @ self.inner.gram(rows).shared

    def taken_diagonal(self, X: MatrixLike) -> np.ndarray:
        raise TypeError(
            "With a_I ≠ 0 there is no kernel before the cloud to compare with: the intrinsic "
            "functions live on the cloud. Use a_I=0."
        )


def _reader(known: Known, a_I: float) -> Callable:
    remedy = (
        f"With a_I={a_I!r} the kernel is defined on the cloud it was fitted on, where the "
        "intrinsic functions live. Use a_I=0 for a kernel on all points."
    )
    return lambda X: averages(known, X, remedy)
