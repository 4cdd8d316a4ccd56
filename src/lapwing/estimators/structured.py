"""Structured outputs with the joint kernel (SO)."""

from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length

from ..confidence import check_promise
from ..confidence.bound import Bound
from ..metrics.structured import mean_output_loss
from ..outputs import Flat, LabelSets
from ..parameters.arguments import with_parameters
from ..parameters.checks import check_count
from ..targets import encode_outputs, indicator_rows, with_missing
from .classifier import Classifier
from .parameters import SolverParameters
from .recipes import StructuredRecipe
from .recipes.joint import is_joint
from .scores import labeled_weights


@with_parameters(SolverParameters)
class StructuredLapSVC(Classifier):
    """Manifold regularization for structured outputs: f(x, y) is the score of an output y at a row
    x.

    It minimizes over f

        (1/l) Σ ξ_i + γ_A‖f‖² + (γ_I/n²) ⟨f, L f⟩

    subject to

        f(x_i, y_i) − f(x_i, y) ≥ 1 − ξ_i/Δ(y_i, y)   for all y ≠ y_i   (slack re-scaling), or
        f(x_i, y_i) − f(x_i, y) ≥ Δ(y_i, y) − ξ_i                       (margin re-scaling).

    f is a function in the space of the joint kernel K^X ⊗ K^Y. Δ(y_i, y) is the cost of predicting
    y for y_i, so a near miss costs less than a far one. ξ_i is the slack of row i. L is the penalty
    on the joint graph, through which the unlabeled rows shape f. The problem is solved on the
    labeled rows with the deformed joint kernel. Cutting planes solve it to a certified duality gap.
    There is no intercept.

    Parameters
    ----------
    kernel : str, Kernel, callable, JointKernel or "auto", default="auto"
        The kernel K^X of the rows. With ``"precomputed"``, X is the Gram matrix. A
        :class:`~lapwing.outputs.JointKernel` replaces the whole product K^X ⊗ K^Y.
    output : Structure, optional
        The structure of the outputs: ``Flat()``, ``Ring(n)``, ``Tree(parents)``, ``Grid(r, c)``,
        ``Ordinal(n)``, ``OutputStructure(kernel, loss, affinity)`` or ``LabelSets(k)``. None is
        ``Flat()`` (Crammer–Singer).
    rescaling : {"slack", "margin"}, default="slack"
        The constraint, as above.
    regularizer : Regularizer, PSD matrix over rows or over pairs, None or "auto", default="auto"
        The matrix M^X over the rows, which gives L = M^X ⊗ I. With an output affinity it must be a
        ``Laplacian``. Its degree and normalization are then those of the joint graph D^X⊗D^Y −
        A^X⊗A^Y. A matrix of order n|Y| (row-major: row, then output) is the joint L. For
        ``LabelSets`` the joint operator is M^X ⊗ (K^Y)⁺. None means no penalty on the graph.
    gamma_A, gamma_I : float or str, default="auto"
        The weights, as in every estimator. "rule" scales γ_A with the mean diagonal of K^X ⊗ K^Y.
        Parameters at "auto" are chosen by leave-one-out with the squared loss on the output vectors
        λ(y), judged by Δ of the decoded outputs. ``selection_`` holds the choice and its reason.
    space : {"auto", "exact", "blockwise", "linear", "landmarks", "graph"} or rule, default="auto"
        The set of functions in which the scalar functions F_j are searched
        (:func:`lapwing.spaces.choose_space`). ``Landmarks(m)`` and ``GraphValues()`` also work.
        "auto" is values on the graph if ``regularizer`` and ``gamma_A`` are "auto", and above 8,000
        rows if one of them is given. A JointKernel needs "auto" or "exact".
    solver : {"auto", "n-slack", "1-slack"} or Solver, default="auto"
        "n-slack" has one slack per row. "1-slack" has one slack for all rows. "auto" is "1-slack"
        from 1,500 labeled rows.
    tol : float, default=1e-6
        Upper bound on the relative duality gap.
    max_iter : int, optional
        Maximum number of rounds of cutting planes. None is 1000.
    warm_start : bool, default=False
        True keeps parts for the next fit. It keeps the Gram matrix and the graph if X, the kernel
        and the regularizer are the same. It keeps the factors if the weights γ are also the same;
        the labels may change. It keeps the active outputs if the labels are the same. Parameters at
        "auto" are chosen again when the number of labels has grown by half.
    random_state : int, RandomState or None, default=None
        Seed. Above 2,000 rows it draws the subset of rows that sets the median kernel width. None
        is a fixed seed.
    verbose : int, default=0
        1 shows the progress on stderr.
    unlabeled : "auto" or a marker, default="auto"
        The marker of an unlabeled row of y. With "auto", None, NaN and pd.NA always mean unlabeled.
        −1 means unlabeled if y holds integers, unless −1 is an output.

    Attributes
    ----------
    classes_ : array
        The outputs of the structure in order, with or without a label. For LabelSets, the labels 0
        … k−1.
    outputs_ : Outputs
        The built structure.
    coef_ : array of shape (n, q)
        The coefficients: F(x) = Σ_j k(x_j, x) coef_j, and f(x, y) = ⟨λ(y), F(x)⟩. λ(y), (q,), is
        the vector of the output y.
    solution_ : CutSolution
        The solver's result, with the certificate, the slacks ξ_i and the active outputs.
    support_, support_outputs_, dual_coef_ : arrays of shape (m,), or None
        The working set of SO (9): rows i, binding outputs ȳ ≠ y_i (as y writes them), and
        multipliers μ_iȳ ≥ 0 with Σ_ȳ μ_iȳ ≤ 1/l. F at the labeled rows is ½ K̃ Σ μ_iȳ s(λ(y_i) −
        λ(ȳ)), with s = Δ(y_i, ȳ) for slack and 1 for margin re-scaling. None if all rows share one
        slack, or if every label is a problem of its own.
    transduction_ : array
        The predicted outputs of the training rows.
    selection_ : Selection or None
        The values chosen for "auto", and the reason.
    unreached_ : boolean array of shape (n,)
        The rows in a component of the graph without a label.

    References
    ----------
    Hu, Kwok (SO), *Manifold Regularization for Structured Outputs via the Joint Kernel*, (6)–(18).

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.estimators import StructuredLapSVC
    >>> from lapwing.kernels import RBF
    >>> from lapwing.outputs import Ring
    >>> angle = np.linspace(0, 2 * np.pi, 80, endpoint=False)
    >>> X = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> hour = np.arange(80) // 10
    >>> y = np.where(np.arange(80) % 10 == 5, hour, -1)  # one label in ten
    >>> model = StructuredLapSVC(kernel=RBF(0.5), output=Ring(8)).fit(X, y)
    >>> bool(np.mean(model.transduction_ == hour) > 0.8)
    True
    """

    recipe = StructuredRecipe()
    fit_intercept = False  # the structured problem has none (SO eq. 6)

    kernel: Any = "auto"
    output: Any = None
    rescaling: Any = "slack"
    regularizer: Any = "auto"
    gamma_A: Any = "auto"
    gamma_I: Any = "auto"
    space: Any = "auto"
    tol: Any = 1e-6
    warm_start: Any = False

    def _read(self, y, sample_weight):
        structure = Flat() if self.output is None else self.output
        y = with_missing(y, self.unlabeled)
        return encode_outputs(structure, y, sample_weight, is_joint(self.kernel))

    def decision_function(self, X):
        """The scores f(x, y) of all outputs, (n, n_outputs).

        For two outputs it is f(x, y_1) − f(x, y_0), (n,). For LabelSets it is F(x), (n, k): label j
        is predicted if its column is positive.
        """
        return super().decision_function(X)

    def predict_ranking(self, X, n_best=None):
        """The outputs from best to worst, (n, n_best), or (n, n_best, k) for LabelSets."""
        if n_best is not None:
            check_count("n_best", n_best)
        return self._code.written.write_ranking(self.outputs_.rank(self._readout(X), n_best))

    def score(self, X, y, sample_weight=None):
        """−(mean Δ(y, predict(x))) over the labeled rows of y. Greater is better; 0 is perfect."""
        check_consistent_length(X, y)
        prediction = self._readout(X)
        y = with_missing(y, self.unlabeled)
        Y, seen = indicator_rows(self.outputs_, self._code.written, y)
        weight = labeled_weights(seen, sample_weight)
        losses = self.outputs_.loss(Y[seen], self.outputs_.decode(prediction[seen]))
        return -mean_output_loss(losses, weight)

    def _bound(self, delta, n_candidates) -> Bound:
        if not self._code.exclusive:  # sets of labels are read label by label
            return super()._bound(delta, n_candidates)
        check_promise(delta, n_candidates)
        why = "the outputs are decoded together, and the theorem reads one function at a time"
        return Bound(np.inf, (*self._broken_conditions(), why))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = isinstance(self.output, LabelSets)
        return tags
