"""The parameters that estimators share, each with its default and its description once.

A group is no base class: :func:`lapwing.parameters.arguments.with_parameters` gives an estimator
the parameters of the groups it names, and their descriptions. A later group has the last word."""

from typing import Any

from ..parameters.arguments import first


class EquationParameters:
    """The parts of the equation, all chosen where nothing is said.

    Parameters
    ----------
    kernel : str, Kernel, callable or "auto", default="auto"
        The ambient kernel K: a name ("rbf", "laplacian", "matern", "polynomial", "linear",
        "cosine"), a :class:`lapwing.kernels.Kernel`, a callable on two matrices, or
        "precomputed": X is then the Gram matrix of the training rows, and to predict, k(new rows,
        training rows); a neighbor graph then uses d² = k_ii + k_jj − 2 k_ij.
    regularizer : Regularizer, matrix, "laplacian", None or "auto", default="auto"
        M: a :class:`lapwing.regularizers.Regularizer`, a symmetric PSD matrix over the rows (dense
        or sparse), or "laplacian" for ``Laplacian(KNN(), degree=2)``. None is no penalty on the
        graph: the fit is supervised.
    gamma_A : float or str, default="auto"
        Weight of ‖f‖²_K: a number, "rule" (1e-6 · mean k(x, x)), or a multiple of it, "0.1*rule".
    gamma_I : float or str, default="auto"
        Weight of ⟨f, M f⟩/n²: a number, "rule" (1e-3 · n², divided by ‖M‖/4 where that is above 1),
        or a multiple of it. With 0 no graph is built.

        Each of these, and ``fit_intercept``, may be "auto": chosen by leave-one-out on the labeled
        rows (:func:`lapwing.selection.select`; what, and why, is in ``selection_``). Small
        components of a chosen graph that have no label are joined with the nearest point
        (:class:`lapwing.graphs.Joined`). A nested grid such as ``regularizer__graph__n_neighbors``
        needs the part spelled out.
    fit_intercept : bool or "auto", default="auto"
        An unpenalized constant b that only the loss sees (MR §4.4); False is eq. 8 to the letter.
        With the normalized Laplacian, whose null vector is √degree, an intercept lets few labels be
        fitted by the degree of their vertex; "auto" has none there, but for real targets.
    space : str, Landmarks, GraphValues or rule, default="auto"
        Which functions are searched. "exact" holds the Gram matrix. "graph" takes the values at the
        points themselves: the graph answers for the training rows, and a function on landmarks that
        learned from these answers for new rows (``extension_error_``). "landmarks" is a reduced set
        of basis functions, "linear" are linear functions in the primal, "blockwise" recomputes the
        Gram matrix in blocks. "auto" is "graph" above 500 rows where ``regularizer`` and
        ``gamma_A`` are "auto", and above 8,000 where one of them is given; below it is "exact". Any
        rule with ``build(kernel, X)`` that returns a Space works too
        (:func:`lapwing.spaces.choose_space`).

    Attributes
    ----------
    coef_ : array of shape (m, t)
        Coefficients of f in its space, one column per class (one for two classes) or target.
    gamma_A_, gamma_I_ : float
    regularizer_ : PSDOperator
        M, built; ``regularizer_.graph`` is its graph.
    kernel_ : Kernel
        With its width as a number.
    """

    kernel: Any = "auto"
    regularizer: Any = "auto"
    gamma_A: Any = "auto"
    gamma_I: Any = "auto"
    fit_intercept: Any = "auto"
    space: Any = "auto"


class SolverParameters:
    """How the equation is solved, and what marks an unlabeled row.

    Parameters
    ----------
    solver : {"auto", "direct", "cg", "newton", "dual", "agd", "early_stopping", "n-slack", \
"1-slack"} or Solver, default="auto"
        :func:`lapwing.solvers.choose_solver` holds the table. "early_stopping" stops when the
        answers at the points no longer change; ``solution_.optimality`` says how far the minimum
        is.
    tol : float or None, default=None
        Bound on the certificate ``solution_.optimality``; None is 1e-8, 1e-6 for losses with a
        kink, and 1e-3 in ``space="graph"`` above 2,000 rows, where the answers no longer change
        (less where γ_I/n² is below the weight of a label). A fit that misses it says so with a
        ConvergenceWarning.
    max_iter : int or None, default=None
        Limit on the solver's iterations; None is the solver's own.
    random_state : int, RandomState or None, default=None
        Draws the rows behind the median width where there are more than 2,000; None is a fixed
        seed, so that fits repeat.
    verbose : int, default=0
        1 shows the progress on stderr.
    unlabeled : "auto" or a marker, default="auto"
        What marks an unlabeled row or entry of y. "auto" is −1 among integers, unless y holds only
        −1 and 1, and always None/NaN/pd.NA. A marker says it once and for all, so that a fold of a
        cross-validation that lost a class cannot turn −1 into one; None makes −1 a class.
    """

    solver: Any = "auto"
    tol: Any = None
    max_iter: Any = None
    random_state: Any = None
    verbose: Any = 0
    unlabeled: Any = "auto"


class WarmParameters:
    """Labels that come and go on the same points.

    Parameters
    ----------
    warm_start : bool, default=False
        Labels come and go: ``fit`` again on the same X, recognized by its contents, with more,
        fewer or other labels keeps the graph, the kernel, the factor and one section of K̃ for each
        label, and solves l × l. The answer is that of a fresh fit. What is "auto" is chosen anew
        once labels have grown by half. Kept in memory, never saved.
    """

    warm_start: Any = False


class ClassParameters:
    """Classes of very unequal size.

    Parameters
    ----------
    class_weight : "balanced", dict or None, default=None
        Weights of the classes in the loss, times ``sample_weight``; "balanced" is l/(q l_c), so
        that each class counts alike.
    class_prior : None, "labeled", dict or array of shape (n_classes,), default=None
        The shares of the classes among all rows, where they are known: one number per class is
        added to its scores so that as much of the training rows falls to it (class mass
        normalization, Zhu, Ghahramani, Lafferty 2003); "labeled" are the shares among the labeled
        rows.
    """

    class_weight: Any = None
    class_prior: Any = None


class ViewParameters:
    """Several views of the same rows.

    Parameters
    ----------
    views : list of tuples (name, kernel, columns[, regularizer[, scaler]]), optional
        As in ``ColumnTransformer``: which columns a view has, with a kernel (a name, a Kernel, a
        callable, "precomputed"), a regularizer and a transformer of its own. None is one RBF view
        of all columns. A row that is NaN in all columns of a view lacks it. Grid search reaches
        ``<view>__kernel__sigma``, ``<view>__regularizer__graph__n_neighbors``, ….
    view_weights : float or array of shape (m,), optional
        a_j of the readout Σ a_j f^j; None is 1/m. Where a row lacks views, the others share their
        weight.
    gammas : float or array of shape (m,), optional
        γ_j = gamma_A · gammas[j]. None is 1; with gamma_A by rule or "auto" it is the scale of each
        kernel, so that γ_j = 1e-6 · mean k^j(x, x).
    gamma_A : float or str, default="auto"
        Weight of Σ_j gammas[j] ‖f^j‖²; "rule" is 1e-6 · the mean of k^j(x, x) over rows and views.
    gamma_C : float or str, default="auto"
        Weight of the disagreement, divided by n²; "rule" is in CoRLS 10 n² · the mean of
        γ_j / mean k^j(x, x), divided by the number of pairs of views, and in CoMR gamma_I.
    gamma_I : float or str, default="auto"
        Weight of the views' own penalties, divided by n²; "rule" is 1e-3 · n².

        Each of these, and ``fit_intercept``, may be a number, "rule", a multiple of it such as
        "0.1*rule", or "auto": the rule, unless leave-one-out over the labeled rows tells otherwise
        (what, and why, is in ``selection_``).
    fit_intercept : bool or "auto", default="auto"
        An unpenalized constant b that only the loss sees.
    output_kernel : None, array of shape (q, q), OutputGraph, Structure or "auto", default=None
        Q of the matrix-valued kernels k^j·Q of the views, one row and column for each label, class
        or target: as in :class:`lapwing.VectorValuedClassifier`. None are independent outputs.
    output_regularizer : None or array of shape (q, q), default=None
        M_out of R_j ⊗ M_out, PSD, in place of the views' own penalties R_j ⊗ I (gamma_I); the views
        are pulled together output by output.
    space : {"auto", "exact", "landmarks", "linear", "blockwise"} or Landmarks, default="auto"
        Where each f^j is searched. "auto" holds the Gram matrices up to 8,000 rows and takes
        ``Landmarks`` above, 1,000 in each of up to four views; linear kernels stay in the primal.

    Attributes
    ----------
    views_ : BuiltViews
        Names, columns, fitted scalers and kernels with their widths as numbers.
    coef_ : array of shape (Σ_j n_j, t)
        Coefficients of f^1 … f^m, stacked.
    output_kernel_ : array of shape (t, t)
        Q, built.
    regularizer_ : PSDOperator
        The coupling of the views' stacked values.
    gamma_A_, gamma_C_, gamma_I_ : float
    gammas_ : array of shape (m,)
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
