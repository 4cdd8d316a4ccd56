"""The parameters and attributes of SSSL, LapS3L and LSMR, described once."""

from .documentation import BUILT, FITTED, UNTIL

KERNEL = """\
kernel : str, Kernel or callable, default="auto"
    The kernel whose eigenvectors are the features: "auto" is "rbf" unless leave-one-out of whole
    rows tells otherwise (``selection_``), as for every other "auto" here; or a name ("rbf",
    "linear", "cosine", …), a :class:`lapwing.kernels.Kernel`, a callable on two matrices, or
    "precomputed"."""

COMPONENTS = """
n_components : int, "rule" or "auto", default="auto"
    s, how many eigenvectors of K to use, clipped to n; "rule" is a tenth of the labeled rows,
    at least 10 (or half of them where fewer than 20 are labeled).
feature_map : {"KU", "whitened"}, default="KU"
    Features U Σ (the paper's K U) or U Σ^½, in training and prediction alike. Without label
    coupling and with a unique minimizer, both predict the same."""

INTRINSIC = """
regularizer : Regularizer, matrix, None or "auto", default="auto"
    M over the rows: None and "auto" are ``Laplacian(KNN(), degree=2)``; the paper's is
    ``Laplacian(KNN(), normalized=False)``.
gamma_I : float or str, default="auto"
    Weight of ⟨f, M f⟩/n²; the paper's λ_s is l γ_I/n². "rule" is 1e-3 · n²,
    divided by ‖M‖/4 where that is above 1."""

LABELS = """
gamma_M : float or str, default="auto"
    Weight of tr(W L_m Wᵀ); the paper's λ_m is l γ_M. "rule" is 1e-3 times the mean square of
    the features, which makes it independent of the kernel's scale.
label_graph : "correlation", array of shape (t, t), Graph or OutputGraph, default="correlation"
    Weights between the targets; "correlation" is the modulus of the correlations over the
    labeled rows, a Graph such as ``KNN(2)`` joins the columns of y by their distances over these
    rows, ``Given(W)`` is the array W; of ``OutputGraph(…)`` the graph is taken, and gamma_M
    is its weight here. L_m = D − W; combinations of targets that L_m does not see are left
    free."""

REST = (
    """
fit_intercept : bool, default=True
    An unpenalized constant per target; False is the paper to the letter, for centered targets.
solver : {"auto", "direct", "agd", "cg"} or Solver, default="auto"
    "direct", the automatic choice, is exact; "agd" is the paper's accelerated gradient with
    step 1/C; "cg" conjugate gradients.
rank_tol : float, default=1e-11
    Eigenvalues of K up to this share of the largest count as zero.
tol : float or None, default=None
    Bound on the certificate ‖∇(W)‖/‖∇(0)‖; None is 1e-8. A fit that misses it says so."""
    + UNTIL
)

ATTRIBUTES = (
    """\
coef_ : array of shape (s, t)
    W, one column per target.
eigenvalues_ : array of shape (s,)
    The eigenvalues of K in use, falling.
n_components_ : int
    s, after eigenvalues that count as zero were dropped.
label_laplacian_ : array of shape (t, t)
    L_m; 0 where the estimator has none.
gamma_I_, gamma_M_ : float"""
    + BUILT
    + FITTED
)
