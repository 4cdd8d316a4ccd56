"""The parameters that every estimator has, described once."""

from ..parameters.arguments import documented

COMMON = """\
kernel : str, Kernel, callable or "auto", default="auto"
    The ambient kernel K: a name ("rbf", "laplacian", "matern", "polynomial", "linear",
    "cosine"), a :class:`lapwing.kernels.Kernel`, a callable on two matrices, or
    "precomputed": X is then the Gram matrix of the training rows, and to predict, k(new rows,
    training rows); a neighbor graph then uses d² = k_ii + k_jj − 2 k_ij.
regularizer : Regularizer, matrix, "laplacian", None or "auto", default="auto"
    M: a :class:`lapwing.regularizers.Regularizer`, a symmetric PSD matrix over the rows (dense
    or sparse), or "laplacian" for ``Laplacian(KNN(), degree=2)``. None is no penalty on the graph:
    the fit is supervised.
gamma_A : float or str, default="auto"
    Weight of ‖f‖²_K: a number, "rule" (1e-6 · mean k(x, x)), or a multiple of it, "0.1*rule".
gamma_I : float or str, default="auto"
    Weight of ⟨f, M f⟩/n²: a number, "rule" (1e-3 · n², divided by ‖M‖/4 where that is above 1), or
    a multiple of it. With 0 no graph is built."""

UNTIL = """
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
    cross-validation that lost a class cannot turn −1 into one; None makes −1 a class."""

SOLVING = (
    """
solver : {"auto", "direct", "cg", "newton", "dual", "agd", "early_stopping", "n-slack", \
"1-slack"} or Solver, default="auto"
    :func:`lapwing.solvers.choose_solver` holds the table. "early_stopping" stops when the answers
    at the points no longer change; ``solution_.optimality`` says how far the minimum is.
tol : float or None, default=None
    Bound on the certificate ``solution_.optimality``; None is 1e-8, 1e-6 for losses with a kink,
    and 1e-3 in ``space="graph"`` above 2,000 rows, where the answers no longer change. A fit that
    misses it says so with a ConvergenceWarning."""
    + UNTIL
)

PARAMETERS = (
    COMMON
    + """

    Each of these, and ``fit_intercept``, may be "auto": chosen by leave-one-out on the labeled
    rows (:func:`lapwing.selection.select`; what, and why, is in ``selection_``). Small components
    of a chosen graph that have no label are joined with the nearest point
    (:class:`lapwing.graphs.Joined`). A nested grid such as ``regularizer__graph__n_neighbors``
    needs the part spelled out.
fit_intercept : bool or "auto", default="auto"
    An unpenalized constant b that only the loss sees (MR §4.4); False is eq. 8 to the letter. With
    the normalized Laplacian, whose null vector is √degree, an intercept lets few labels be fitted
    by the degree of their vertex; "auto" begins with none there.
space : {"auto", "exact", "graph", "landmarks", "linear", "blockwise"}, Landmarks, GraphValues or \
rule, default="auto"
    Which functions are searched. "exact" holds the Gram matrix. "graph" takes the values at the
    points themselves: the graph answers for the training rows, and a function on landmarks that
    learned from these answers for new rows (``extension_error_``). "landmarks" is a reduced set of
    basis functions, "linear" are linear functions in the primal, "blockwise" recomputes the Gram
    matrix in blocks. "auto" is "graph" above 500 rows where ``regularizer`` and ``gamma_A`` are
    "auto", and above 8,000 where one of them is given; below it is "exact". Any rule with
    ``build(kernel, X)`` that returns a Space works too (:func:`lapwing.spaces.choose_space`).
warm_start : bool, default=False
    Labels come and go: ``fit`` again on the same X, recognized by its contents, with more, fewer or
    other labels keeps the graph, the kernel, the factor and one section of K̃ for each label, and
    solves l × l. The answer is that of a fresh fit. What is "auto" is chosen anew once labels
    have grown by half. Kept in memory, never saved."""
    + SOLVING
)

CLASSES = """
class_weight : "balanced", dict or None, default=None
    Weights of the classes in the loss, times ``sample_weight``; "balanced" is l/(q l_c), so that
    each class counts alike.
class_prior : None, "labeled", dict or array of shape (n_classes,), default=None
    The shares of the classes among all rows, where they are known: one number per class is added
    to its scores so that as much of the training rows falls to it (class mass normalization,
    Zhu, Ghahramani, Lafferty 2003); "labeled" are the shares among the labeled rows."""

CLASSIFIER_PARAMETERS = PARAMETERS + CLASSES

FITTED = """
intercept_ : array of shape (t,)
solution_ : Solution
    coef, status, n_iter, optimality (the certificate ‖∇‖/‖∇(0)‖ or relative duality gap) and
    its history.
selection_ : Selection or None
    What "auto" became: choice, reason, runner-up and all trials; None where nothing was to choose.
transduction_ : array of shape (n,) or (n, t)
    Predictions at the training rows. ``predict(X)`` at these rows gives the same.
extension_error_ : float
    In ``space="graph"``, how far the answers for new rows are from the graph's, at rows left out
    for that; 0 in other spaces.
leave_one_out_ : array of shape (n,) or (n, t)
    What the fit says of each labeled row once its label is taken away; NaN at other rows.
leave_one_out_error_ : float
    The error to expect at unlabeled rows, by labels that had no part in the fit nor in the choice
    of its settings; ``leave_one_out_interval_`` is its 95 % interval.
suspicious_labels_ : array of rows
    Labeled rows whose label is more likely wrong than right, the worst first;
    ``label_suspicion_``, (n,), says how likely.
labeled_, unreached_ : boolean arrays of shape (n,)
    Rows with a label; rows in a component of the graph without any.
n_iter_ : int"""

BUILT = """
regularizer_ : PSDOperator
    M, built; ``regularizer_.graph`` is its graph.
kernel_ : Kernel
    With its width as a number."""

FOUND_CLASSES = """
classes_ : array
    The classes (classifiers only)."""

ATTRIBUTES = (
    """\
coef_ : array of shape (m, t)
    Coefficients of f in its space, one column per class (one for two classes) or target.
gamma_A_, gamma_I_ : float"""
    + BUILT
    + FITTED
    + FOUND_CLASSES
)


def document(parameters: str, attributes: str = ATTRIBUTES):
    """Fill ``{parameters}`` and ``{attributes}`` of a class's docstring."""
    return documented(parameters=parameters, attributes=attributes)
