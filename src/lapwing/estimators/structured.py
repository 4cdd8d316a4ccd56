"""Structured outputs through the joint kernel (SO)."""

from typing import Any

import numpy as np

from ..losses import StructuredHinge
from ..operators import ZeroOperator
from ..outputs import Flat, Structure
from ..parameters.arguments import parameters
from ..parameters.checks import check_option
from ..regularizers import Regularizer, joint_operator
from ..selection import Axis
from ..selection.judges import output_judge
from ..spaces import CoregionalizedOutputs, Space
from ..targets import encode_outputs, with_missing
from .base import vanishes
from .choice import choose_axes, common_scale, holds_rows
from .joint import check_joint, is_joint, joint_space
from .parameters import SolverParams
from .parts_to_try import INTRINSIC, ambient_axis, kernel_axis, regularizer_axis
from .reuse import Kept, content_key
from .structured_answers import StructuredClassifier


@parameters
class StructuredLapSVC(SolverParams, StructuredClassifier):
    """Manifold regularization for structured outputs: f(x, y) scores every pair, and

        min over f:  (1/l) Σ ξ_i + γ_A‖f‖² + (γ_I/n²) ⟨f, L f⟩,
        f(x_i, y_i) − f(x_i, y) ≥ 1 − ξ_i/Δ(y_i, y)   for all y ≠ y_i   (slack re-scaling), or
        f(x_i, y_i) − f(x_i, y) ≥ Δ(y_i, y) − ξ_i                       (margin re-scaling),

    over the joint kernel K^X ⊗ K^Y. A near miss costs less than a far one, and unlabeled points
    shape f through the joint graph. The problem is solved on the labeled rows with the deformed
    joint kernel, by cutting planes, to a certified duality gap. There is no intercept.

    Parameters
    ----------
    kernel : str, Kernel, callable, JointKernel or "auto", default="auto"
        K^X; ``"precomputed"`` takes X as the Gram matrix. A :class:`~lapwing.outputs.JointKernel`
        takes the place of the whole product K^X ⊗ K^Y.
    output : Structure, optional
        ``Flat()`` (the default None: Crammer–Singer), ``Ring(n)``, ``Tree(parents)``,
        ``Grid(r, c)``, ``Ordinal(n)``, ``OutputStructure(kernel, loss, affinity)`` or
        ``LabelSets(k)``.
    rescaling : {"slack", "margin"}, default="slack"
    regularizer : Regularizer, PSD matrix over rows or over pairs, None or "auto", default="auto"
        M^X, giving L = M^X ⊗ I; with an output affinity it must be a ``Laplacian``, and its
        degree and normalization are those of the joint graph D^X⊗D^Y − A^X⊗A^Y. A matrix of
        order n|Y| (row-major: row, then output) is the joint L itself. For ``LabelSets`` the
        joint operator is M^X ⊗ (K^Y)⁺. None is ``Laplacian(KNN(), degree=2)``.
    gamma_A, gamma_I : float or str, default="auto"
        As in every estimator; "rule" scales γ_A with the mean diagonal of K^X ⊗ K^Y. What is
        "auto" is the rule ("rbf", None) unless leave-one-out of the squared loss on λ(y), judged
        by Δ of what it decodes, tells otherwise (``selection_``).
    space : {"auto", "exact", "blockwise", "linear", "landmarks", "graph"} or rule, default="auto"
        Where the scalar functions F_j are searched (:func:`lapwing.spaces.choose_space`), also
        ``Landmarks(m)`` or ``GraphValues()``; "auto" is values on the graph above 8,000 rows. A
        JointKernel is exact: "auto" or "exact".
    solver : {"auto", "n-slack", "1-slack"} or Solver, default="auto"
    tol : float, default=1e-6
        Bound on the relative duality gap.
    max_iter : int, optional
        Rounds of cutting planes; None is 1000.
    warm_start : bool, default=False
        Keep what the next fit can use: the Gram matrix and the graph where X, the kernel and the
        regularizer are the same, the factors where the γ's are too (the labels may change), and
        the active outputs where the labels are the same.
    random_state : int, RandomState or None, default=None
        Draws the rows behind the median width where there are more than 2,000; None is a fixed
        seed.
    verbose : int, default=0
        1 shows the progress on stderr.
    unlabeled : "auto" or a marker, default="auto"
        What marks an unlabeled row of y; "auto" is −1 among integers, unless −1 is an output, and
        always None/NaN/pd.NA.

    Attributes
    ----------
    classes_ : array
        The structure's outputs in order, labeled or not; for LabelSets the labels 0 … k−1.
    outputs_ : Outputs
        The built structure.
    coef_ : array of shape (n, q)
        F(x) = Σ_j k(x_j, x) coef_j, and f(x, y) = ⟨λ(y), F(x)⟩.
    solution_ : CutSolution
        With the certificate, the slacks ξ_i and the active outputs.
    support_, support_outputs_, dual_coef_ : arrays of shape (m,), or None
        The working set of SO (9): rows i, outputs ȳ ≠ y_i that bind there (as y writes them), and
        multipliers μ_iȳ ≥ 0 with Σ_ȳ μ_iȳ ≤ 1/l, so that F at the labeled rows is
        ½ K̃ Σ μ_iȳ s(λ(y_i) − λ(ȳ)), s = Δ(y_i, ȳ) for slack and 1 for margin re-scaling. None
        where one slack is shared by all rows, or every label is a problem of its own.
    transduction_ : array
        The outputs of the training rows.
    selection_ : Selection or None
        What "auto" became, and why.
    unreached_ : boolean array of shape (n,)

    References
    ----------
    Hu, Kwok, *Manifold Regularization for Structured Outputs via the Joint Kernel*, (6)–(18).

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

    def _check_parameters(self):
        super()._check_parameters()
        if self.output is not None and not isinstance(self.output, Structure):
            raise TypeError(
                f"output={self.output!r} must be an output structure such as Flat(), Ring(10), "
                "Tree(parents) or OutputStructure(kernel, loss), or None."
            )
        check_option("rescaling", self.rescaling, ("slack", "margin"))
        if is_joint(self.kernel):
            check_joint(self.space, self.regularizer)
        if self.solver in ("direct", "cg", "newton", "dual", "agd", "early_stopping"):
            raise ValueError(
                f"solver={self.solver!r} does not take the structured hinge: give 'auto', "
                "'n-slack' or '1-slack'."
            )

    def _encode(self, y, sample_weight):
        structure = Flat() if self.output is None else self.output
        self.outputs_, targets, self._coding = encode_outputs(
            structure, with_missing(y, self.unlabeled), sample_weight
        )
        if is_joint(self.kernel):
            self.outputs_ = self.outputs_.without_kernel()
        self.classes_ = self.outputs_.classes
        return targets

    def _loss(self):
        return StructuredHinge(self.outputs_, self.rescaling)

    def _build_kernel(self, X):
        return self.kernel if is_joint(self.kernel) else super()._build_kernel(X)

    def _select(self, X, targets, weights, n_rows=None):
        """By Δ of what is decoded without each label, and how far λ(y) is missed."""
        scaled = common_scale(self, ("gamma_A", "gamma_I"))
        axes = [Axis("gamma_I", INTRINSIC), ambient_axis(scaled), kernel_axis(self.space)]
        if self.outputs_.affinity is None:
            axes.append(regularizer_axis())
        return choose_axes(
            self,
            X,
            targets,
            weights,
            axes,
            scaled,
            self._judge,
            whole=holds_rows(self.regularizer),
            as_targets=self.outputs_.features,
        )

    def _judge(self, few, at):
        """An output with a single label tells little when that is left out, and is not asked."""
        codes = few.codes[at]
        listed = few.classes is not None
        telling = np.bincount(codes)[codes] > 1 if listed else np.ones(len(at), dtype=bool)
        return output_judge(few.Y[at], self.outputs_, telling)

    def _probe(self, settings):
        other = super()._probe(settings)
        other.warm_start, other._kept = False, Kept()
        return other

    def _objective(self, X, targets, weights):
        self._kept = self.__dict__.get("_kept", Kept()).renewed(*self._keys(X, targets))
        return super()._objective(X, targets, weights)

    def _keys(self, X, targets) -> tuple[str | None, str | None]:
        """What the Gram matrix and the operator depend on, and what the active outputs do too."""
        if not self.warm_start:
            return None, None
        seed = self.random_state if isinstance(self.random_state, int) else None
        regularizer = self._part("regularizer")
        named = (self._part("kernel"), regularizer, self.output, self.space)
        reads = getattr(regularizer, "reads_labels", False)
        reads = reads or self._without_manifold or getattr(regularizer, "adds_points", False)
        codes = targets.codes if reads else None
        parts = content_key(X, *named, seed, targets.classes, codes, self._without_manifold)
        return parts, content_key(targets.Y, targets.observed, self.rescaling)

    @property
    def _without_manifold(self) -> bool:
        return vanishes(self._part("gamma_I"))

    def _space(self, X, targets) -> Space:
        if self._kept.space is None:
            joint = is_joint(self.kernel)
            self._kept.space = (
                joint_space(self.kernel_, X, self.outputs_.n_features)
                if joint
                else self._product_space(X, targets)
            )
        return self._kept.space

    def _product_space(self, X, targets) -> Space:
        inputs = self._cached(
            lambda: self._space_over(self.space, self.kernel_, X, targets, fit_intercept=False),
            "space",
            self.kernel_,
            self._without_manifold,
        )
        directions = self.outputs_.directions
        return inputs if directions is None else CoregionalizedOutputs(inputs, *directions)

    def _diagonal(self, X):
        """k((x, y), (x, y)), averaged over y in a product kernel, over the pairs in a joint one."""
        if is_joint(self.kernel):
            return np.diagonal(self._kept.space.pair_gram)
        return super()._diagonal(X) * self.outputs_.mean_square

    def _operator(self, X, codes, gamma_I):
        if vanishes(gamma_I):
            return ZeroOperator(X.shape[0])
        if self._kept.operator is None:
            q, affinity = self.outputs_.n_features, self.outputs_.affinity
            own = self._part("regularizer")
            given = self._in_codes(own) if isinstance(own, Regularizer) else own
            self._kept.operator = self._cached(
                lambda: joint_operator(given, self._points(X), codes, q, affinity), "rows", own
            )
        return self._kept.operator

    def _solve(self, objective):
        self._kept.lend_factors(objective)
        super()._solve(objective)

    def _store_support(self, objective) -> None:
        self.support_ = self.support_outputs_ = self.dual_coef_ = None
        found = getattr(self.solution_, "working_set", None)
        if found is None or found.multiplier is None:
            return
        binds = found.multiplier > 1e-9 * objective.w.max()
        self.support_ = objective.rows[found.row[binds]]
        self.support_outputs_ = self._coding.write(found.output[binds])
        self.dual_coef_ = found.multiplier[binds]

    def _solver_options(self):
        return {"start": self._kept.working_set}

    def _store(self, objective, targets, operator):
        super()._store(objective, targets, operator)
        self.coef_ = self.solution_.coef
        self._store_support(objective)
        if self.warm_start:
            self._kept.working_set = getattr(self.solution_, "working_set", None)
        else:
            del self._kept
