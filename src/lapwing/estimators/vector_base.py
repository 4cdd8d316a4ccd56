"""What the vector-valued estimators share: output kernels, sums of kernels, M_in ⊗ M_out."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..kernels import get_kernel
from ..linalg.psd import check_psd
from ..linalg.simultaneous import commute, simultaneous_eigenbasis
from ..operators import Operator, TensorOperator
from ..outputs import OutputKernel
from ..parameters.arguments import is_auto, parameters
from ..regularizers import joint_operator
from ..selection import Axis
from ..spaces import CoregionalizedOutputs, KernelSum, Space, WithFreeFunctions
from ..targets import Targets
from .base import DEFAULTS, ManifoldModel, vanishes
from .choice import choose_axes, common_scale, holds_rows
from .documentation import COMMON, SOLVING
from .joint import check_joint, is_joint, joint_space
from .parameters import EquationParams, SolverParams
from .parts_to_try import INTRINSIC, ambient_axis, kernel_axis, output_axis, regularizer_axis

PARAMETERS = (
    """\
output_kernel : None, array of shape (q, q), OutputGraph, Structure or "auto", default="auto"
    Q of the matrix-valued kernel k·Q: None is the identity (independent outputs), a symmetric
    PSD matrix, :class:`lapwing.outputs.OutputGraph` for γ_O L_out^† + (1 − γ_O) I, or an output
    structure such as ``Tree(parents)`` for its kernel, one output per column; "auto" is None, or
    an OutputGraph where leave-one-out tells so. With a list of kernels, a list of as many output
    kernels: K = Σ_r k_r Q_r. ``kernel=JointKernel(f)`` is any matrix-valued kernel K(x, z), and
    leaves this at None.
output_regularizer : None or array of shape (q, q), default=None
    M_out of the intrinsic penalty ⟨f, (M ⊗ M_out) f⟩, symmetric PSD; None is the identity. A
    ``regularizer`` of order n·q is M over the pairs (row, output) itself, row-major.
"""
    + COMMON
    + """
fit_intercept : bool or "auto", default="auto"
    An unpenalized constant for each output that only the loss sees.

    What is "auto" begins at the rule (kernel="rbf", regularizer="laplacian", an intercept,
    output_kernel None) and leaves it where leave-one-out of whole rows tells so clearly; for
    classes it is chosen as in :class:`lapwing.LapRLSClassifier`.
space : {"auto", "exact", "blockwise", "linear", "landmarks"}, Landmarks or rule, default="auto"
    Where the scalar functions are searched (:func:`lapwing.spaces.choose_space`); "exact" or
    "blockwise" for a list of kernels."""
    + SOLVING
)


@parameters
class VectorValued(SolverParams, EquationParams, ManifoldModel):
    """f: X → R^q in the space of K(x, z) = Σ_r k_r(x, z) Q_r; abstract.

    Attributes
    ----------
    output_kernel_ : array of shape (q, q), or a list of them
    """

    loss: Any = "squared"
    output_kernel: Any = "auto"
    output_regularizer: Any = None

    def _check_parameters(self):
        super()._check_parameters()
        if is_joint(self.kernel):
            self._check_joint()
        several = isinstance(self.kernel, list | tuple)
        if several and not (
            isinstance(self.output_kernel, list | tuple)
            and len(self.kernel) == len(self.output_kernel) > 0
        ):
            raise ValueError(
                f"kernel is a list of {len(self.kernel)}; output_kernel must then be a list of as "
                f"many output kernels, got {self.output_kernel!r}."
            )
        if not several and isinstance(self.output_kernel, list | tuple):
            raise TypeError(
                "output_kernel is a list, but kernel is not: give a list of kernels for "
                "K = Σ_r k_r Q_r, or one matrix as an array."
            )
        if several and any(get_kernel(k).precomputed for k in self.kernel):
            raise ValueError(
                "kernel is a list with a precomputed kernel, but X can be the Gram matrix of one "
                "kernel only: give kernels on points."
            )
        if several and self.space not in ("auto", "exact", "blockwise"):
            raise ValueError(
                f"space={self.space!r} has no sums of kernels: use 'exact' or 'blockwise'."
            )

    def _check_joint(self) -> None:
        check_joint(self.space, self.regularizer)
        if not (self.output_kernel is None or is_auto(self.output_kernel)):
            raise ValueError(
                "kernel is a JointKernel, which says how outputs are related: leave output_kernel "
                "at None, or give a kernel on rows."
            )

    def _validate(self, X, y, sample_weight):
        X, targets, weights = super()._validate(X, y, sample_weight)
        self._check_outputs(targets)
        return X, targets, weights

    def _check_outputs(self, targets: Targets) -> None:
        """Errors of what is over the outputs, before any graph or Gram matrix."""
        self._n_outputs = targets.Y.shape[1]
        self._chosen = DEFAULTS
        self._output_kernels(targets)
        self._check_output_regularizer(targets)

    def _select(self, X, targets, weights, n_rows=None):
        """As single outputs where these are classes; else from the rule, output kernels too."""
        alone = is_auto(self.output_kernel) or self.output_kernel is None
        several = isinstance(self.kernel, list | tuple) or is_joint(self.kernel)
        if targets.classes is not None and alone and not several and self._by_rows(X):
            return super()._select(X, targets, weights, n_rows)
        scaled = common_scale(self, ("gamma_A", "gamma_I"))
        axes = [Axis("gamma_I", INTRINSIC), ambient_axis(scaled)]
        if not several:
            axes += [kernel_axis(self.space), regularizer_axis()]
        axes.append(Axis("fit_intercept", (True, False), weight=False))
        if targets.classes is None and targets.Y.shape[1] > 1 and not several:
            axes.append(output_axis())
        whole = holds_rows(self.regularizer)
        return choose_axes(self, X, targets, weights, axes, scaled, whole=whole)

    def _by_rows(self, X) -> bool:
        """Whether the regularizer is over rows alone."""
        pairs = isinstance(self.regularizer, np.ndarray) or sp.issparse(self.regularizer)
        return self.output_regularizer is None and not (
            pairs and self.regularizer.shape[0] != X.shape[0]
        )

    def _build_kernel(self, X):
        if isinstance(self.kernel, list | tuple):
            return [get_kernel(k).build(X, self.random_state) for k in self.kernel]
        return self.kernel if is_joint(self.kernel) else super()._build_kernel(X)

    def _diagonal(self, X):
        if isinstance(self.kernel_, list):
            return np.sum([k.diagonal(X) for k in self.kernel_], axis=0)
        if is_joint(self.kernel_):
            return np.diagonal(self._pairs.pair_gram)
        return super()._diagonal(X)

    def _operator(self, X, codes, gamma_I):
        if vanishes(gamma_I):
            return super()._operator(X, codes, gamma_I)
        own, q = self._part("regularizer"), self._n_outputs
        rows = self._cached(lambda: joint_operator(own, self._points(X), codes, q), "rows", own)
        return self._with_outputs(rows)

    def _with_outputs(self, rows: Operator) -> Operator:
        """M over the pairs, from M over the rows: M ⊗ M_out."""
        if self.output_regularizer is None or not rows.coupling:
            return rows
        if rows.n_outputs > 1:
            raise ValueError(
                "The regularizer is over pairs (row, output) already: leave output_regularizer "
                "at None."
            )
        return TensorOperator(rows, check_psd(self.output_regularizer, "output_regularizer"))

    def _space(self, X, targets: Targets) -> Space:
        if is_joint(self.kernel_):
            return self._joint_space(X)
        kernels = self.kernel_ if isinstance(self.kernel_, list) else [self.kernel_]
        space = "exact" if len(kernels) > 1 and self.space == "auto" else self.space
        scalar = self._cached(
            lambda: [self._space_over(space, k, X, targets, fit_intercept=False) for k in kernels],
            "space",
            *kernels,
            vanishes(self._part("gamma_I")),
        )
        return self._space_of(scalar, targets)

    def _joint_space(self, X) -> Space:
        """The functions of a matrix-valued kernel K(x, z) of any kind (VV eq. 15)."""
        kernel, q = self.kernel_, self._n_outputs
        self._pairs = self._cached(lambda: joint_space(kernel, X, q), "space", kernel)
        self.output_kernel_: Any = None
        return WithFreeFunctions(self._pairs) if self._part("fit_intercept") else self._pairs

    def _space_of(self, scalar: list[Space], targets: Targets) -> Space:
        """The functions of all outputs, over the scalar ones of each kernel."""
        self._scalar, Q = scalar, self._output_kernels(targets)
        self.output_kernel_ = Q if isinstance(self.kernel_, list) else Q[0]
        return self._vector_space(Q)

    def _output_kernels(self, targets: Targets) -> list[np.ndarray]:
        own = self._part("output_kernel")
        given = own if isinstance(own, list | tuple) else [own]
        return [build_output_kernel(g, targets) for g in given]

    def _vector_space(self, Q: list[np.ndarray]) -> Space:
        """The matrix-valued space over the scalar ones, for another Q too."""
        if len(Q) > 1:
            core: Space = KernelSum(list(zip(self._scalar, Q, strict=True)))
        else:
            core = self._related(Q[0])
        return WithFreeFunctions(core) if self._part("fit_intercept") else core

    def _related(self, Q: np.ndarray) -> CoregionalizedOutputs:
        """Along directions that M_out shares, where it commutes with Q."""
        M_out = None if self.output_regularizer is None else np.asarray(self.output_regularizer)
        if M_out is None or not commute(Q, M_out):
            return CoregionalizedOutputs.by_kernel(self._scalar[0], Q)
        sigma, V = simultaneous_eigenbasis(Q, M_out)
        return CoregionalizedOutputs(self._scalar[0], V, np.maximum(sigma, 0.0))

    def _check_output_regularizer(self, targets: Targets) -> None:
        shape, q = np.shape(self.output_regularizer), targets.Y.shape[1]
        if self.output_regularizer is not None and shape != (q, q):
            raise ValueError(
                f"output_regularizer has shape {shape}; expected ({q}, {q}), one row and column "
                "for each output."
            )


def build_output_kernel(output_kernel, targets: Targets) -> np.ndarray:
    """Q, (q, q), from None, an OutputGraph, an output structure, or a symmetric PSD matrix."""
    q = targets.Y.shape[1]
    if output_kernel is None:
        return np.eye(q)
    if isinstance(output_kernel, OutputKernel):
        return _checked(output_kernel.matrix(targets.Y, targets.observed), q)
    if isinstance(output_kernel, str | type) or np.ndim(output_kernel) != 2:
        raise TypeError(
            f"output_kernel is {output_kernel!r}; expected None, a symmetric PSD matrix of shape "
            f"({q}, {q}), an OutputGraph, or an output structure."
        )
    return _checked(check_psd(np.asarray(output_kernel, dtype=np.float64), "output_kernel"), q)


def _checked(Q: np.ndarray, q: int) -> np.ndarray:
    if Q.shape != (q, q):
        raise ValueError(
            f"output_kernel has shape {Q.shape}; expected ({q}, {q}), one row and column for each "
            "output."
        )
    return Q
