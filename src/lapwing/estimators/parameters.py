"""The parameters that several estimators share. Each default and description stands here once.

A group is not a base class. :func:`lapwing.parameters.arguments.with_parameters` gives an estimator
the parameters of the groups it names, and their descriptions. If two groups define the same
parameter, the later group counts.
"""

from typing import Any

from ..parameters.arguments import first


class EquationParameters:
    """The parts of the equation. ``fit`` chooses every part that is left at "auto".

    Parameters
    ----------
    kernel : str, Kernel, callable or "auto", default="auto"
        The kernel k(x, z) says how similar two rows are; f is a function in its space. Give a name
        ("rbf", "laplacian", "matern", "polynomial", "linear", "cosine"), a
        :class:`lapwing.kernels.Kernel`, or a callable on two matrices. With "precomputed", X is the
        (n, n) Gram matrix K of the training rows in ``fit``, and the matrix k(new rows, training
        rows) in ``predict``. A neighbor graph then uses the distances d² = k_ii + k_jj − 2 k_ij.
    regularizer : Regularizer, matrix, "laplacian", None or "auto", default="auto"
        The matrix M, (n, n), of the penalty ⟨f, M f⟩, which makes f smooth along the data. Give a
        :class:`lapwing.regularizers.Regularizer`, a symmetric positive semidefinite (PSD) matrix
        over the rows (dense or sparse), or "laplacian", which means ``Laplacian(KNN(), degree=2)``.
        None means no such penalty: the fit is then supervised.
    gamma_A : float or str, default="auto"
        Weight γ_A of ‖f‖²_K, the squared norm of f in the kernel's space. Give a number, "rule", or
        a multiple of the rule such as "0.1*rule". "rule" is 1e-6 · mean k(x, x).
    gamma_I : float or str, default="auto"
        Weight γ_I of ⟨f, M f⟩/n². Give a number, "rule", or a multiple of the rule. "rule" is
        1e-3 · n²; if ‖M‖ is above 4, it is divided by ‖M‖/4. With 0 no graph is built.

        ``kernel``, ``regularizer``, ``gamma_A``, ``gamma_I`` and ``fit_intercept`` may each be
        "auto". ``fit`` then chooses them by leave-one-out on the labeled rows
        (:func:`lapwing.selection.select`). ``selection_`` holds the choice and its reason. A chosen
        graph can have small components without a label; each of them is joined with the nearest
        point (:class:`lapwing.graphs.Joined`). A nested grid such as
        ``regularizer__graph__n_neighbors`` needs an explicit part, for example
        ``regularizer=Laplacian(KNN())``.
    fit_intercept : bool or "auto", default="auto"
        True adds a constant b to f in the loss. No penalty applies to b (Belkin, Niyogi, Sindhwani
        2006, §4.4). False is eq. 8 of that paper without a change. The normalized Laplacian has the
        null vector √degree. An intercept together with it can fit few labels by the degrees of
        their rows, so "auto" uses none there, except for real targets.
    space : str, Landmarks, GraphValues or rule, default="auto"
        The set of functions f to search. "exact" holds the Gram matrix in memory. "graph" takes the
        values of f at the rows as unknowns. The graph then predicts the training rows. A function
        on landmarks learns these predictions and predicts new rows; ``extension_error_`` is their
        difference. "landmarks" is a reduced set of basis functions. "linear" is the set of linear
        functions. "blockwise" recomputes the Gram matrix in blocks. "auto" is "graph" if
        ``regularizer`` and ``gamma_A`` are "auto". If one of them is given, it is "exact" up to
        8,000 rows and "graph" above. A custom rule needs a method ``build(kernel, X)`` that returns
        a Space (:func:`lapwing.spaces.choose_space`).

    Attributes
    ----------
    coef_ : array of shape (m, t)
        The m coefficients of f in its space. There is one column per class or target, and a single
        column for two classes.
    gamma_A_, gamma_I_ : float
        The weights as numbers.
    regularizer_ : PSDOperator
        The matrix M, built from the rows. ``regularizer_.graph`` is its graph.
    kernel_ : Kernel
        The kernel with its width as a number.
    """

    kernel: Any = "auto"
    regularizer: Any = "auto"
    gamma_A: Any = "auto"
    gamma_I: Any = "auto"
    fit_intercept: Any = "auto"
    space: Any = "auto"


class SolverParameters:
    """The solver of the equation, and the marker of unlabeled rows.

    Parameters
    ----------
    solver : {"auto", "direct", "cg", "newton", "dual", "agd", "early_stopping", "n-slack", \
    "1-slack"} or Solver, default="auto"
        The algorithm. :func:`lapwing.solvers.choose_solver` has the table that "auto" follows.
        "early_stopping" stops when the predictions at the rows no longer change.
        ``solution_.optimality`` then says how far the minimum still is.
    tol : float or None, default=None
        Upper bound on the certificate ``solution_.optimality``, the relative size of the gradient
        or of the duality gap. A fit that misses it gives a ConvergenceWarning. None is 1e-8, and
        1e-6 for losses with a kink such as the hinge. With ``space="graph"`` above 2,000 rows None
        is 1e-3, because the predictions no longer change below it. There it is less if γ_I/n² is
        below the weight of a label, and 1e-7 for related outputs.
    max_iter : int or None, default=None
        Maximum number of iterations of the solver. None is the solver's own limit.
    random_state : int, RandomState or None, default=None
        Seed. Above 2,000 rows it draws the subset of rows that sets the median kernel width. None
        is a fixed seed, so two fits give the same result.
    verbose : int, default=0
        1 shows the progress on stderr.
    unlabeled : "auto" or a marker, default="auto"
        The marker of an unlabeled row or entry of y. With "auto", None, NaN and pd.NA always mean
        unlabeled. −1 means unlabeled if y holds integers, unless y holds only −1 and 1. An explicit
        marker, such as −1, avoids any doubt: a cross-validation fold that lost a class cannot turn
        −1 into a class. With None, −1 is a class.
    """

    solver: Any = "auto"
    tol: Any = None
    max_iter: Any = None
    random_state: Any = None
    verbose: Any = 0
    unlabeled: Any = "auto"


class WarmParameters:
    """Several fits on the same rows with different labels.

    Parameters
    ----------
    warm_start : bool, default=False
        True makes the next ``fit`` on the same X fast. X is recognized by its contents. Labels may
        be added, removed or changed. The next fit keeps the graph, the kernel, the factor and one
        column of the deformed kernel K̃ for each label, and solves an l × l system for the l
        labeled rows. The result equals a fresh fit. Parameters at "auto" are chosen again when the
        number of labels has grown by half. The kept parts stay in memory and are never saved.
    """

    warm_start: Any = False


class ClassParameters:
    """Classes of very unequal size.

    Parameters
    ----------
    class_weight : "balanced", dict or None, default=None
        Weights of the classes in the loss. They multiply ``sample_weight``. "balanced" is l/(q l_c)
        for l labels, q classes and l_c labels of class c, so every class counts the same.
    class_prior : None, "labeled", dict or array of shape (n_classes,), default=None
        The known share of each class among all rows. The fit adds one number per class to the
        scores, so that this share of the training rows is predicted as that class (class mass
        normalization, Zhu, Ghahramani, Lafferty 2003). "labeled" takes the shares among the labeled
        rows. None changes no score.
    """

    class_weight: Any = None
    class_prior: Any = None


class ViewParameters:
    """Several views of the same rows. A view is a set of columns with its own kernel.

    Parameters
    ----------
    views : list of tuples (name, kernel, columns[, regularizer[, scaler]]), optional
        One tuple per view, as in ``ColumnTransformer``: its name, its kernel (a name, a Kernel, a
        callable or "precomputed"), its columns, and optionally its own regularizer and its own
        transformer. None is one RBF view of all columns. A row lacks a view if all its columns in
        that view are NaN. A grid search can set ``<view>__kernel__sigma``,
        ``<view>__regularizer__graph__n_neighbors``, ….
    view_weights : float or array of shape (m,), optional
        The weights a_j of the prediction Σ_j a_j f^j. f^j is the function of view j. None is 1/m
        for m views. If a row lacks views, its other views share their weight.
    gammas : float or array of shape (m,), optional
        Relative weights: γ_j = gamma_A · gammas[j] is the weight of ‖f^j‖². None is 1 if
        ``gamma_A`` is a number. If ``gamma_A`` is by rule or "auto", None is the scale of each
        kernel, so that γ_j = 1e-6 · mean k^j(x, x).
    gamma_A : float or str, default="auto"
        Weight of Σ_j gammas[j] ‖f^j‖². "rule" is 1e-6 · the mean of k^j(x, x) over rows and views.
    gamma_C : float or str, default="auto"
        Weight γ_C of the disagreement between the views, divided by n². In CoRLS "rule" is 10
        n² · the mean of γ_j / mean k^j(x, x), divided by the number of pairs of views. In CoMR
        "rule" is gamma_I, or 10 n² · that mean if gamma_I is 0.
    gamma_I : float or str, default="auto"
        Weight γ_I of the views' own penalties, divided by n². "rule" is 1e-3 · n².

        ``gamma_A``, ``gamma_C``, ``gamma_I`` and ``fit_intercept`` may each be "auto": the rule, or
        another value if leave-one-out over the labeled rows favors it. A weight may also be a
        number, "rule", or a multiple of the rule such as "0.1*rule". ``selection_`` holds the
        choice and its reason.
    fit_intercept : bool or "auto", default="auto"
        True adds a constant b to the prediction in the loss. No penalty applies to b.
    output_kernel : None, array of shape (q, q), OutputGraph, Structure or "auto", default=None
        The matrix Q of the views' matrix-valued kernels k^j·Q. Q has one row and one column for
        each label, class or target, as in :class:`lapwing.VectorValuedClassifier`. None means
        independent outputs.
    output_regularizer : None or array of shape (q, q), default=None
        A PSD matrix M_out between the outputs. The views' own penalties (gamma_I) are then R_j ⊗
        M_out instead of R_j ⊗ I. The disagreement of the views is still measured output by output.
    space : {"auto", "exact", "landmarks", "linear", "blockwise"} or Landmarks, default="auto"
        The set of functions in which each f^j is searched. "auto" holds the Gram matrices up to
        8,000 rows. Above, it uses ``Landmarks``, with 1,000 in each of up to four views. Linear
        kernels use linear functions.

    Attributes
    ----------
    views_ : BuiltViews
        The names, columns, fitted scalers and kernels of the views. The kernels have their widths
        as numbers.
    coef_ : array of shape (Σ_j n_j, t)
        The coefficients of f^1 … f^m, stacked.
    output_kernel_ : array of shape (t, t)
        The matrix Q, built.
    regularizer_ : PSDOperator
        The matrix that couples the stacked values of the views.
    gamma_A_, gamma_C_, gamma_I_ : float
        The weights as numbers.
    gammas_ : array of shape (m,)
        The relative weights as numbers.
    disagreement_ : float
        Σ_{j<k} ‖f^j − f^k‖² over the training rows and outputs, divided by their number.
    """

    views: Any = first(None)
    loss: Any = "squared"
    view_weights: Any = None
    gammas: Any = None
    gamma_A: Any = "auto"
    gamma_C: Any = "auto"
    gamma_I: Any = "auto"
    fit_intercept: Any = "auto"
    output_kernel: Any = None
    output_regularizer: Any = None
    space: Any = "auto"
