"""SSSL ⊂ LapS3L ⊂ LSMR: semi-supervised regression of many targets (MT)."""

from typing import Any

from ..parameters.arguments import with_parameters
from .parameters import SolverParameters
from .recipes import EigenRecipe
from .regressor import Regressor


class EigenParameters:
    """The eigenvectors of the kernel as features.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="auto"
        The kernel of the Gram matrix K, (n, n). The eigenvectors of K are the features. Give a name
        ("rbf", "linear", "cosine", …), a :class:`lapwing.kernels.Kernel`, a callable on two
        matrices, or "precomputed". "auto" is "rbf", or another kernel if leave-one-out of whole
        rows favors it. The other parameters treat "auto" the same way. ``selection_`` holds the
        choice and its reason.
    n_components : int, "rule", "c*rule" or "auto", default="auto"
        The number s of eigenvectors of K, at most n. "rule" is a tenth of the labeled rows, and at
        least 10. With fewer than 20 labeled rows it is half of them. "2*rule" is twice as many.
    feature_map : {"KU", "whitened"}, default="KU"
        The features: "KU" is U Σ (the paper's K U), "whitened" is U Σ^½. U holds the eigenvectors
        and Σ the eigenvalues. Training and prediction use the same features. Both choices predict
        the same if there is no label coupling and the minimizer is unique.
    fit_intercept : bool, default=True
        True adds a constant per target without a penalty. False is the paper's model, for centered
        targets.
    rank_tol : float, default=1e-11
        Eigenvalues of K up to this share of the largest one count as zero.
    solver : {"auto", "direct", "agd", "cg"} or Solver, default="auto"
        "direct" is exact, and "auto" chooses it. "agd" is the paper's accelerated gradient method
        with step 1/C. "cg" is conjugate gradients.
    tol : float or None, default=None
        Upper bound on the certificate ‖∇(W)‖/‖∇(0)‖. None is 1e-8. A fit that misses it gives a
        ConvergenceWarning.

    Attributes
    ----------
    coef_ : array of shape (s, t)
        The matrix W, one column per target.
    eigenvalues_ : array of shape (s,)
        The eigenvalues of K in use, in falling order.
    n_components_ : int
        The number s, without the eigenvalues that count as zero.
    label_laplacian_ : array of shape (t, t)
        The matrix L_m; 0 if the estimator has none.
    gamma_I_, gamma_M_ : float
        The weights as numbers.
    regularizer_ : PSDOperator
        The matrix M, built from the rows. ``regularizer_.graph`` is its graph.
    kernel_ : Kernel
        The kernel with its width as a number.
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
        The matrix M, (n, n), over the rows. "auto" is ``Laplacian(KNN(), degree=2)``. None means no
        penalty. The paper uses ``Laplacian(KNN(), normalized=False)``.
    gamma_I : float or str, default="auto"
        Weight γ_I of ⟨f, M f⟩/n². The paper's λ_s is l γ_I/n². "rule" is 1e-3 · n²; if ‖M‖ is above
        4, it is divided by ‖M‖/4.
    """

    regularizer: Any = "auto"
    gamma_I: Any = "auto"


class EigenRegressor(Regressor):
    """Least squares on the leading eigenvectors of the kernel; abstract."""

    recipe = EigenRecipe()
    loss = "squared"
    space = "auto"  # the eigenvectors are the space


@with_parameters(SolverParameters, EigenParameters)
class SSSLRegressor(EigenRegressor):
    """SSSL: least squares on the s leading eigenvectors of the kernel over all rows.

    It minimizes (1/l)‖X_l W − Y_l‖²_F over W of shape (s, t). X = KU, (n, s), holds the features of
    labeled and unlabeled rows. X_l and Y_l are the features and targets of the l labeled rows. If s
    exceeds the number of labeled rows or the rank of K, the minimizer of least norm is taken.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Ji, Yang, Lin, Jin, Han 2012, *A Simple Algorithm for Semi-supervised Learning with Improved
    Generalization Error Bound*; Kraus, Benabdeslem, Canitia (MT), *Laplacian-based Semi-supervised
    Multi-Label Regression*, §II.

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
    """LapS3L: SSSL with predictions that are smooth along a graph of all rows.

    It minimizes (1/l)‖X_l W − Y_l‖²_F + (γ_I/n²) tr(Wᵀ Xᵀ M X W) over W of shape (s, t). X, (n, s),
    holds the features of all rows. X_l and Y_l are the features and targets of the l labeled rows.
    At ``gamma_I=0`` it is :class:`SSSLRegressor`.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Kraus, Benkabou, Benabdeslem, Cherqui 2018, *An Improved Laplacian Semi-supervised Regression*;
    Kraus, Benabdeslem, Canitia (MT), *Laplacian-based Semi-supervised Multi-Label Regression*, §II.

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
    """LSMR: LapS3L with similar coefficients for related targets.

    It minimizes, over W of shape (s, t),

        (1/l)‖X_l W − Y_l‖²_F + (γ_I/n²) tr(Wᵀ Xᵀ M X W) + γ_M tr(W L_m Wᵀ).

    X, (n, s), holds the features of all rows. X_l and Y_l are the features and targets of the l
    labeled rows. L_m, (t, t), is the Laplacian of a graph between the targets. This is the paper's
    eq. 2 divided by l, with λ_s = l γ_I/n² and λ_m = l γ_M. The minimizer solves a symmetric
    Sylvester equation, exactly and fast. At ``gamma_M=0`` it is :class:`LapS3LRegressor`. At
    ``gamma_I=gamma_M=0`` it is :class:`SSSLRegressor`.

    Parameters
    ----------
    {parameters}
    gamma_M : float or str, default="auto"
        Weight γ_M of tr(W L_m Wᵀ). The paper's λ_m is l γ_M. "rule" is 1e-3 times the mean square
        of the features, so it does not depend on the kernel's scale.
    label_graph : "correlation", array of shape (t, t), Graph or OutputGraph, default="correlation"
        The weights A, (t, t), between the targets, with L_m = D − A for the degrees D.
        "correlation" takes the absolute correlations over the labeled rows. A Graph such as
        ``KNN(2)`` joins the columns of y by their distances over these rows. ``Given(A)`` is the
        array A. An ``OutputGraph(…)`` gives its graph, and gamma_M is its weight. Combinations of
        targets in the null space of L_m have no such penalty.

    Attributes
    ----------
    {attributes}

    References
    ----------
    Kraus, Benabdeslem, Canitia (MT), *Laplacian-based Semi-supervised Multi-Label Regression*, eqs.
    2–8 and Algorithm 1. Its eqs. 4 and 5 equal twice the traces of eq. 3; the traces are meant.

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
