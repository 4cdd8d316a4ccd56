"""The parameters and attributes of the estimators over views, described once."""

from typing import Any

from .documentation import FITTED, FOUND_CLASSES, SOLVING

VIEWS: dict[str, Any] = {
    "views": None,
    "loss": "squared",
    "view_weights": None,
    "gammas": None,
    "gamma_A": "auto",
    "gamma_C": "auto",
    "gamma_I": "auto",
    "fit_intercept": "auto",
    "output_kernel": None,
    "output_regularizer": None,
    "space": "auto",
}
"""What they all have."""

VIEW_PARAMETERS = (
    """\
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
    Weight of the disagreement, divided by n²; "rule" is {coupling}.
gamma_I : float or str, default="auto"
    Weight of the views' own penalties, divided by n²; "rule" is 1e-3 · n².

    Each of these, and ``fit_intercept``, may be a number, "rule", a multiple of it such as
    "0.1*rule", or "auto": the rule, unless leave-one-out over the labeled rows tells otherwise
    (what, and why, is in ``selection_``).
fit_intercept : bool or "auto", default="auto"
    An unpenalized constant b that only the loss sees.
output_kernel : None, array of shape (q, q), OutputGraph, Structure or "auto", default=None
    Q of the matrix-valued kernels k^j·Q of the views, one row and column for each label, class or
    target: as in :class:`lapwing.VectorValuedClassifier`. None are independent outputs.
output_regularizer : None or array of shape (q, q), default=None
    M_out of R_j ⊗ M_out, PSD, in place of the views' own penalties R_j ⊗ I (gamma_I); the views
    are pulled together output by output.
space : {"auto", "exact", "landmarks", "linear", "blockwise"} or Landmarks, default="auto"
    Where each f^j is searched. "auto" holds the Gram matrices up to 8,000 rows and takes
    ``Landmarks`` above, 1,000 in each of up to four views; linear kernels stay in the primal."""
    + SOLVING
)

VIEW_ATTRIBUTES = (
    """\
views_ : BuiltViews
    Names, columns, fitted scalers and kernels with their widths as numbers.
coef_ : array of shape (Σ_j n_j, t)
    Coefficients of f^1 … f^m, stacked.
output_kernel_ : array of shape (t, t) or None
    Q, built.
regularizer_ : PSDOperator
    The coupling of the views' stacked values.
gamma_A_, gamma_C_, gamma_I_ : float
gammas_ : array of shape (m,)
disagreement_ : float
    Σ_{j<k} ‖f^j − f^k‖² over the training rows and outputs, divided by their number."""
    + FITTED
    + FOUND_CLASSES
)
