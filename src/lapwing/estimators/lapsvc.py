"""Laplacian support vector machines (MR §4.4)."""

from __future__ import annotations

from ..losses import Hinge, SquaredHinge
from .base import CLASSIFIER_PARAMETERS, Classifier, document

LOSSES = {"hinge": Hinge, "squared_hinge": SquaredHinge}


@document(CLASSIFIER_PARAMETERS)
class LapSVC(Classifier):
    """LapSVM: the support vector machine that is smooth along the data.

    Minimises, for each class against the rest (once for two classes),

        (1/l) Σ_labelled V(y_i, f(x_i) + b) + γ_A ‖f‖²_K + (γ_I/n²) ⟨f, M f⟩

    with V = max(0, 1 − yf), through the dual on the l labelled points (libsvm), or V =
    max(0, 1 − yf)², by Newton's method. At γ_I = 0 it is ``SVC(C=1/(2 γ_A l))``.

    Parameters
    ----------
    loss : {"hinge", "squared_hinge"}, default="hinge"
        V.
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, *Manifold Regularization*, JMLR 7, §4.4, eqs. 10–12.
    Melacci, Belkin 2011, *Laplacian SVMs trained in the primal*, JMLR 12 (squared hinge).

    Examples
    --------
    >>> from lapwing import LapSVC
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.graphs import KNN
    >>> from lapwing.kernels import RBF
    >>> from lapwing.regularizers import Laplacian
    >>> X, y, truth = make_two_moons(200, labels_per_class=1, random_state=0)
    >>> model = LapSVC(kernel=RBF("local"), regularizer=Laplacian(KNN())).fit(X, y)
    >>> bool((model.transduction_ == truth).all())
    True
    """

    def __init__(
        self,
        *,
        loss="hinge",
        kernel="auto",
        regularizer="auto",
        gamma_A="auto",
        gamma_I="auto",
        fit_intercept="auto",
        space="auto",
        solver="auto",
        tol=None,
        max_iter=None,
        random_state=None,
        verbose=0,
        unlabelled="auto",
        class_weight=None,
        class_prior=None,
    ):
        super().__init__(
            kernel=kernel,
            regularizer=regularizer,
            gamma_A=gamma_A,
            gamma_I=gamma_I,
            fit_intercept=fit_intercept,
            space=space,
            solver=solver,
            tol=tol,
            max_iter=max_iter,
            random_state=random_state,
            verbose=verbose,
            unlabelled=unlabelled,
            class_weight=class_weight,
            class_prior=class_prior,
        )
        self.loss = loss

    def _loss(self):
        if self.loss not in LOSSES:
            raise ValueError(
                f"loss={self.loss!r} is not a support vector machine's: give one of "
                f"{tuple(LOSSES)}, or use ManifoldClassifier for any other loss."
            )
        return LOSSES[self.loss]()
