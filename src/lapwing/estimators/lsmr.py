"""SSSL ⊂ LapS3L ⊂ LSMR: semi-supervised regression of many targets (MT)."""

from typing import Any

from ..parameters.arguments import with_parameters
from .parameters import SolverParameters
from .recipes import EigenRecipe
from .regressor import Regressor


class EigenParameters:
    """Eigenvectors of the kernel as features.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="auto"
        The kernel whose eigenvectors are the features: "auto" is "rbf" unless leave-one-out of
        whole rows tells otherwise (``selection_``), as for every other "auto" here; or a name
        ("rbf", "linear", "cosine", …), a :class:`lapwing.kernels.Kernel`, a callable on two
        matrices, or "precomputed".
    n_components : int, "rule" or "auto", default="auto"
        s, how many eigenvectors of K to use, clipped to n; "rule" is a tenth of the labeled rows,
        at least 10 (or half of them where fewer than 20 are labeled).
    feature_map : {"KU", "whitened"}, default="KU"
        Features U Σ (the paper's K U) or U Σ^½, in training and prediction alike. Without label
        coupling and with a unique minimizer, both predict the same.
    fit_intercept : bool, default=True
        An unpenalized constant per target; False is the paper to the letter, for centered targets.
    rank_tol : float, default=1e-11
        Eigenvalues of K up to this share of the largest count as zero.
    solver : {"auto", "direct", "agd", "cg"} or Solver, default="auto"
        "direct", the automatic choice, is exact; "agd" is the paper's accelerated gradient with
        step 1/C; "cg" conjugate gradients.
    tol : float or None, default=None
        Bound on the certificate ‖∇(W)‖/‖∇(0)‖; None is 1e-8. A fit that misses it says so.

    Attributes
    ----------
    coef_ : array of shape (s, t)
        W, one column per target.
    eigenvalues_ : array of shape (s,)
        The eigenvalues of K in use, falling.
    n_components_ : int
        s, after eigenvalues that count as zero were dropped.
    label_laplacian_ : array of shape (t, t)
        L_m; 0 where the estimator has none.
    gamma_I_, gamma_M_ : float
    regularizer_ : PSDOperator
        M, built; ``regularizer_.graph`` is its graph.
    kernel_ : Kernel
        With its width as a number.
    """

    kernel: Any = "auto"
    n_components: Any = "auto"
    feature_map: Any = "KU"
    fit_intercept: Any = True
    rank_tol: Any = 1e-11


class SmoothParameters:
    """Predictions that are smooth along a graph.

    Parameters
    ----------
    regularizer : Regularizer, matrix, None or "auto", default="auto"
        M over the rows: "auto" is ``Laplacian(KNN(), degree=2)``, None is no penalty; the paper's
        is ``Laplacian(KNN(), normalized=False)``.
    gamma_I : float or str, default="auto"
        Weight of ⟨f, M f⟩/n²; the paper's λ_s is l γ_I/n². "rule" is 1e-3 · n², divided by ‖M‖/4
        where that is above 1.
    """

    regularizer: Any = "auto"
    gamma_I: Any = "auto"


class EigenRegressor(Regressor):
    """Least squares in the leading eigenvectors of the kernel; abstract."""

    recipe = EigenRecipe()
    loss = "squared"
    space = "auto"  # the eigenvectors are the space


@with_parameters(SolverParameters, EigenParameters)
class SSSLRegressor(EigenRegressor):
    """SSSL: least squares in the s leading eigenvectors of the kernel over all rows.

    Minimizes (1/l)‖X_l W − Y_l‖²_F over W of shape (s, t), with the features X = KU of labeled
    and unlabeled rows together and X_l those of the labeled ones. Where s exceeds the labeled
    rows or the rank of K, the minimizer of least norm is taken.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Ji, Yang, Lin, Jin, Han 2012, *A Simple Algorithm for Semi-supervised Learning with Improved
    Generalization Error Bound*; MT §II.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import SSSLRegressor
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.full((60, 2), np.nan)
    >>> y[::6] = np.column_stack([np.sin(X[::6, 0]), np.cos(X[::6, 0])])
    >>> model = SSSLRegressor(n_components=6).fit(X, y)
    >>> model.predict(X[:3]).shape
    (3, 2)
    """


@with_parameters(SolverParameters, EigenParameters, SmoothParameters)
class LapS3LRegressor(EigenRegressor):
    """LapS3L: SSSL whose predictions are smooth along a graph of all rows.

    Minimizes (1/l)‖X_l W − Y_l‖²_F + (γ_I/n²) tr(Wᵀ Xᵀ M X W). At ``gamma_I=0`` it is
    :class:`SSSLRegressor`.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Kraus, Benkabou, Benabdeslem, Cherqui 2018, *An Improved Laplacian Semi-supervised
    Regression*; MT §II.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import LapS3LRegressor
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.full(60, np.nan)
    >>> y[::6] = np.sin(X[::6, 0])
    >>> model = LapS3LRegressor(n_components=8).fit(X, y)
    >>> bool(np.abs(model.transduction_ - np.sin(X[:, 0])).max() < 0.2)
    True
    """


@with_parameters(SolverParameters, EigenParameters, SmoothParameters)
class LSMRRegressor(EigenRegressor):
    """LSMR: LapS3L whose models of related targets are alike.

    Minimizes, over W of shape (s, t),

        (1/l)‖X_l W − Y_l‖²_F + (γ_I/n²) tr(Wᵀ Xᵀ M X W) + γ_M tr(W L_m Wᵀ),

    which is the paper's eq. 2 divided by l at λ_s = l γ_I/n² and λ_m = l γ_M. The minimizer
    solves a symmetric Sylvester equation, exactly and fast. At ``gamma_M=0`` it is
    :class:`LapS3LRegressor`, at ``gamma_I=gamma_M=0`` :class:`SSSLRegressor`.

    Parameters
    ----------
    {parameters}
    gamma_M : float or str, default="auto"
        Weight of tr(W L_m Wᵀ); the paper's λ_m is l γ_M. "rule" is 1e-3 times the mean square of
        the features, which makes it independent of the kernel's scale.
    label_graph : "correlation", array of shape (t, t), Graph or OutputGraph, default="correlation"
        Weights between the targets; "correlation" is the modulus of the correlations over the
        labeled rows, a Graph such as ``KNN(2)`` joins the columns of y by their distances over
        these rows, ``Given(W)`` is the array W; of ``OutputGraph(…)`` the graph is taken, and
        gamma_M is its weight here. L_m = D − W; combinations of targets that L_m does not see are
        left free.

    Attributes
    ----------
    {attributes}

    References
    ----------
    Kraus, Benabdeslem, Canitia, *Laplacian-based Semi-supervised Multi-Label Regression*, eqs.
    2–8 and Algorithm 1. Its eqs. 4 and 5 equal twice the traces of eq. 3, which are meant.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import LSMRRegressor
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.full((60, 2), np.nan)
    >>> y[::6] = np.column_stack([np.sin(X[::6, 0]), np.sin(X[::6, 0]) + 1.0])
    >>> y[0, 1] = np.nan                      # single entries may be missing too
    >>> model = LSMRRegressor(n_components=8).fit(X, y)
    >>> bool(np.abs(model.transduction_[:, 0] - np.sin(X[:, 0])).max() < 0.2)
    True
    """

    gamma_M: Any = "auto"
    label_graph: Any = "correlation"
