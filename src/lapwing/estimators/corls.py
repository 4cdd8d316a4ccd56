"""Co-regularized least squares, and other losses, over any number of views (MV)."""

from ..operators import ViewCoupling
from ..parameters.arguments import parameters
from ..views import as_views
from .documentation import CLASSES, document
from .multiview import COUPLING_RULE, VIEW_ATTRIBUTES, VIEW_PARAMETERS, MultiViewModel
from .parameters import ClassWeightParams
from .regressor import Regressor
from .several_labels import SeveralLabels

PARAMETERS = VIEW_PARAMETERS.replace(
    "{coupling}",
    "10 n² · the mean of γ_j / mean k^j(x, x), divided by\n    the number of pairs of views",
)


@parameters
class CoRLS(MultiViewModel):
    """Disagreement between views, and a penalty in each view that brings a regularizer."""

    def _coupling(self, points, codes):
        own = [
            None
            if view.regularizer is None or self.gamma_I_ == 0
            else self._own_penalty(j, view.regularizer, points, codes)
            for j, view in enumerate(as_views(self.views))
        ]
        return ViewCoupling(self._disagreement(points), own)

    def _over(self, views):
        return views

    def _smooth(self, views):
        return any(view.regularizer is not None for view in views)

    def _coupled(self, views):
        return len(views) > 1

    def _coupling_rule(self, n, ambient):
        m = len(self.views_)
        return COUPLING_RULE * ambient * n**2 / max(1, m * (m - 1) // 2)


@document(PARAMETERS + CLASSES, VIEW_ATTRIBUTES)
@parameters
class CoRLSClassifier(ClassWeightParams, CoRLS, SeveralLabels):
    """Co-regularized views: one function per view, pulled together on all rows.

    Minimizes, for each class against the rest (once for two classes),

        (1/l) Σ_labeled V(y_i, Σ_j a_j f^j(x_i) + b) + Σ_j γ_j ‖f^j‖²
            + (γ_C/n²) Σ_{j<k} Σ_i (f^j(x_i) − f^k(x_i))² + (γ_I/n²) Σ_j ⟨f^j, R_j f^j⟩,

    V = (y − f)² unless another loss is given, R_j the regularizer of view j where it has one.
    The views' coupling is eliminated by structure (:mod:`lapwing.linalg.resolvents`): two views
    cost one Cholesky factor of order n, m ≥ 3 views m + 1 of them; what remains is a problem of
    the order of the labeled rows. It is MV eq. 4 with γ_j = gamma_A · gammas[j], λ = gamma_C/n²
    and the pairwise disagreement that has (m − 1) I on its diagonal (the paper's I is not PSD
    for m ≥ 3); without intercept ``KernelRidge(alpha=l)`` and ``SVC(C=1/(2l))`` with
    :class:`lapwing.MultiViewKernel` give the same predictions.

    Parameters
    ----------
    loss : {"squared", "hinge", "squared_hinge", "logistic"} or Loss, default="squared"
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    MV eqs. 3 and 4; Sindhwani, Niyogi, Belkin 2005, *A co-regularization approach to
    semi-supervised learning with multiple views*; Brefeld et al. 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import CoRLSClassifier
    >>> rng = np.random.default_rng(0)
    >>> truth = np.repeat([0, 1], 100)
    >>> X = rng.standard_normal((200, 4)) + 3.0 * truth[:, None]
    >>> y = np.full(200, -1)
    >>> y[[0, 1, 100, 101]] = truth[[0, 1, 100, 101]]
    >>> views = [("left", "rbf", [0, 1]), ("right", "rbf", [2, 3])]
    >>> model = CoRLSClassifier(views).fit(X, y)
    >>> bool((model.transduction_ == truth).mean() > 0.95)
    True
    >>> sorted(model.predict_views(X[:3]))
    ['left', 'right']
    """


@document(PARAMETERS, VIEW_ATTRIBUTES)
@parameters
class CoRLSRegressor(CoRLS, Regressor):
    """Co-regularized views for real targets: one function per view, pulled together on all rows.

    Minimizes the objective of :class:`CoRLSClassifier` for each target; rows, or single
    entries, of y that are NaN are unlabeled.

    Parameters
    ----------
    loss : {"squared", "huber", "epsilon_insensitive"} or Loss, default="squared"
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    MV eqs. 3 and 4; Brefeld et al. 2006, *Efficient co-regularized least squares regression*.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import CoRLSRegressor
    >>> t = np.linspace(0, 3, 60)
    >>> X = np.column_stack([t, np.cos(t)])
    >>> y = np.full(60, np.nan)
    >>> y[::6] = np.sin(t[::6])
    >>> model = CoRLSRegressor([("t", "rbf", [0]), ("cos", "rbf", [1])]).fit(X, y)
    >>> bool(np.abs(model.transduction_ - np.sin(t)).max() < 0.1)
    True
    """
