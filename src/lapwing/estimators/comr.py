"""Manifold co-regularization: an ambient and an intrinsic function that keep close (MV)."""

from hashlib import blake2b
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from ..operators import IntrinsicCoupling, MatrixOperator, ScaledOperator, SumOperator
from ..parameters.arguments import parameters
from ..parameters.checks import check_weight, is_number
from ..spaces import WithIntrinsic
from ..views import as_views
from .documentation import CLASSES, document
from .multiview import COUPLING_RULE, VIEW_ATTRIBUTES, VIEW_PARAMETERS, MultiViewModel
from .parameters import ClassWeightParams
from .regressor import Regressor
from .several_labels import SeveralLabels

INTRINSIC_PARAMETERS = """\
a_I : float, default=0.0
    Weight of the intrinsic functions in the readout Σ_j a_j ((1 − a_I) f^j + a_I g^j). With 0
    (inductive) any x can be predicted; otherwise (transductive; ½ in MV's experiments) only the
    training rows, and other rows are an error. Where several training rows are equal, a single
    one of them is predicted the mean of their values.
ridge : float, default=0.0
    Added to the diagonal of each M_j. MV needs one where M_j is singular; here g^j is
    eliminated without an inverse of M_j, so that 0 is exact as long as gamma_C > 0."""

PARAMETERS = INTRINSIC_PARAMETERS + "\n" + VIEW_PARAMETERS.replace("{coupling}", "gamma_I")


@parameters
class CoMR(MultiViewModel):
    """Beside each f^j an intrinsic g^j over the training rows, tied to it and smooth there."""

    a_I: Any = 0.0
    ridge: Any = 0.0

    def _check_parameters(self):
        super()._check_parameters()
        if not is_number(self.a_I):
            raise ValueError(f"a_I={self.a_I!r} must be a finite number.")
        check_weight("ridge", self.ridge)
        if self.a_I != 0 and self.gamma_C == 0:
            raise ValueError(
                "With gamma_C=0 nothing ties the intrinsic functions to the data, so a_I must be "
                f"0, got {self.a_I!r}."
            )

    def _coupling(self, points, codes):
        intrinsic = []
        for j, view in enumerate(as_views(self.views)):
            M = self._own_penalty(j, view.regularizer, points, codes)
            if self.ridge:
                eye = MatrixOperator(sp.csr_array(sp.eye_array(M.n)), M.graph)
                M = SumOperator([M, ScaledOperator(eye, self.gamma_I_ * self.ridge)])
            intrinsic.append(M)
        return IntrinsicCoupling(self._disagreement(points), self.gamma_C_, intrinsic)

    def _over(self, views):
        return WithIntrinsic(views, float(self.a_I))

    def _beside(self):
        return self.a_I != 0

    def _smooth(self, views):
        return True

    def _coupled(self, views):
        return True

    def _coupling_rule(self, n, ambient):
        return self.gamma_I_ or COUPLING_RULE * ambient * n**2

    def _objective(self, X, targets, weights):
        self._rows = _row_keys(X) if self.a_I != 0 else None
        return super()._objective(X, targets, weights)

    def _store(self, objective, targets, operator):
        super()._store(objective, targets, operator)
        self.coef_ = self._ambient_coef
        stacked = self.solution_.coef[self._views.n_coef :][: self._views.n_points]
        self.intrinsic_ = {
            name: stacked[at]
            for name, at in zip(self.views_.names, self._views.value_slices, strict=True)
        }

    def _readout(self, X):
        check_is_fitted(self)
        if self._rows is None:
            return super()._readout(X)
        found = _same_rows(self._rows, _row_keys(self._validated(X, reset=False)))
        lacking = [i for i, rows in enumerate(found) if not rows]
        if lacking:
            raise ValueError(
                f"{len(lacking)} of the {len(found)} rows are not training rows (row "
                f"{lacking[0]} first). With a_I={self.a_I!r} the prediction is "
                "defined at the training rows only, where the intrinsic functions live. Use "
                "a_I=0 to predict everywhere, or predict_views(X) for the ambient functions."
            )
        space = self.objective_.space
        readout = space.element(self.solution_.coef).readout
        return np.array([readout[rows].mean(axis=0) for rows in found]) + self._offset


def _same_rows(known: list[str], keys: list[str]) -> list[list[int]]:
    """The training rows that each row is, by their keys; none where it is no training row."""
    if keys == known:  # all of them, in order: rows that are equal keep their own values
        return [[i] for i in range(len(keys))]
    at: dict[str, list[int]] = {}
    for i, key in enumerate(known):
        at.setdefault(key, []).append(i)
    return [at.get(key, []) for key in keys]


def _row_keys(X) -> list[str]:
    """A hash of the entries of each row that are not zero: the same for dense and CSR rows."""
    X = sp.csr_array(X, copy=True)
    X.eliminate_zeros()
    X.sort_indices()
    X.data[np.isnan(X.data)] = np.nan  # a missing view has one NaN only
    columns = X.indices.astype(np.int64)
    ends = zip(X.indptr[:-1], X.indptr[1:], strict=True)
    return [
        blake2b(columns[i:j].tobytes() + X.data[i:j].tobytes(), digest_size=16).hexdigest()
        for i, j in ends
    ]


@document(PARAMETERS + CLASSES, VIEW_ATTRIBUTES)
@parameters
class CoMRClassifier(ClassWeightParams, CoMR, SeveralLabels):
    """Manifold co-regularization: smoothness in space and along the data asked of two functions.

    Minimizes, for each class against the rest (once for two classes),

        (1/l) Σ_labeled V(y_i, φ(x_i) + b) + Σ_j γ_j ‖f^j‖² + (γ_I/n²) Σ_j ⟨g^j, M_j g^j⟩
            + (γ_C/n²) (Σ_j ‖f^j − g^j‖² + Σ_{j<k} ‖f^j − f^k‖²),

    φ = Σ_j a_j ((1 − a_I) f^j + a_I g^j), where g^j is any vector of values at the training
    rows. One view is MV's CoMR; several have an intrinsic function each, tied to their own
    ambient one. With a_I = 0, eliminating g^j leaves manifold regularization by
    M_j (I + (γ_I/γ_C) M_j)⁻¹ (MV prints γ_I/2λ): γ_C → ∞ is LapRLS, γ_C → 0 is plain RLS.

    Parameters
    ----------
    loss : {"squared", "hinge", "squared_hinge", "logistic"} or Loss, default="squared"
    {parameters}

    Attributes
    ----------
    {attributes}
    intrinsic_ : dict of arrays of shape (n_j, t)
        The values of g^j, by the name of the view.

    References
    ----------
    MV, "Manifold Co-Regularization"; Sindhwani & Rosenberg 2008, *An RKHS for multi-view
    learning and manifold co-regularization*.

    Examples
    --------
    >>> from lapwing import CoMRClassifier
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.kernels import RBF
    >>> X, y, truth = make_two_moons(200, labels_per_class=3, random_state=0)
    >>> views = [("x", RBF(0.35), slice(None))]
    >>> inductive = CoMRClassifier(views).fit(X, y)
    >>> bool((inductive.predict(X) == truth).mean() > 0.95)
    True
    >>> transductive = CoMRClassifier(views, a_I=0.5).fit(X, y)
    >>> transductive.predict([[0.0, 0.0]])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: 1 of the 1 rows are not training rows ...
    """


@document(PARAMETERS, VIEW_ATTRIBUTES)
@parameters
class CoMRRegressor(CoMR, Regressor):
    """Manifold co-regularization for real targets; the objective of :class:`CoMRClassifier`.

    Rows, or single entries, of y that are NaN are unlabeled.

    Parameters
    ----------
    loss : {"squared", "huber", "epsilon_insensitive"} or Loss, default="squared"
    {parameters}

    Attributes
    ----------
    {attributes}
    intrinsic_ : dict of arrays of shape (n_j, t)
        The values of g^j, by the name of the view.

    References
    ----------
    MV, "Manifold Co-Regularization".

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import CoMRRegressor
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.full(60, np.nan)
    >>> y[::6] = np.sin(X[::6, 0])
    >>> model = CoMRRegressor().fit(X, y)
    >>> bool(np.abs(model.transduction_ - np.sin(X[:, 0])).max() < 0.2)
    True
    """
