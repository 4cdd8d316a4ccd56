"""Vector-valued functions: output kernels, sums of kernels, M_in ⊗ M_out (VV)."""

from dataclasses import replace
from typing import Any

import numpy as np

from ...confidence import METHODS
from ...kernels import get_kernel
from ...linalg.psd import check_psd
from ...linalg.simultaneous import commute, simultaneous_eigenbasis
from ...operators import Operator, TensorOperator
from ...outputs import OutputKernel
from ...regularizers.joint import matrix_order
from ...spaces import CoregionalizedOutputs, KernelSum, Space
from ...targets import Targets
from ..settings import Settings
from .base import Data, Functions, Recipe, with_intercept
from .joint import check_joint, is_joint, joint_functions


class VectorRecipe(Recipe):
    """f: X → R^q in the space of K(x, z) = Σ_r k_r(x, z) Q_r."""

    def check(self, p):
        kernel, Q = p.given("kernel"), p.given("output_kernel")
        if p.has("probability") and p.probability not in (False, True, *METHODS):
            raise ValueError(
                f"probability={p.probability!r}; expected False, True, 'sigmoid' or 'isotonic'."
            )
        check_joint(p)
        if is_joint(kernel) and not unrelated(p):
            raise ValueError(
                "kernel is a JointKernel, which says how outputs are related: leave "
                "output_kernel at None, or give a kernel on rows."
            )
        several = is_several(kernel)
        if several and not (is_several(Q) and len(kernel) == len(Q) > 0):
            raise ValueError(
                f"kernel is a list of {len(kernel)}; output_kernel must then be a list of as "
                f"many output kernels, got {Q!r}."
            )
        if not several and is_several(Q):
            raise TypeError(
                "output_kernel is a list, but kernel is not: give a list of kernels for "
                "K = Σ_r k_r Q_r, or one matrix as an array."
            )
        if several and any(get_kernel(k).precomputed for k in kernel):
            raise ValueError(
                "kernel is a list with a precomputed kernel, but X can be the Gram matrix of one "
                "kernel only: give kernels on points."
            )
        if several and p.space not in ("auto", "exact", "blockwise"):
            raise ValueError(
                f"space={p.space!r} has no sums of kernels: use 'exact' or 'blockwise'."
            )

    def check_targets(self, p, targets):
        output_kernels(p, targets)
        check_output_regularizer(p, targets)

    def functions(self, p, data):
        points, targets = data.points, data.targets
        if is_joint(p.kernel):
            joint = joint_functions(p, points, targets.Y.shape[1])
            return replace(joint, fitted={**joint.fitted, "output_kernel_": None})
        several = is_several(p.kernel)
        typed = list(p.kernel) if several else [p.kernel]
        kernels = [points.kernel(kernel, p.random_state) for kernel in typed]
        points.say(f"functions over {points.n} points")
        rule = "exact" if several and p.space == "auto" else p.space
        scalar = [points.space(p, kernel, targets, rule) for kernel in kernels]

        def build() -> tuple[Space, list[np.ndarray]]:
            Q = output_kernels(p, targets)
            if several:
                return KernelSum(list(zip(scalar, Q, strict=True))), Q
            return related(p, scalar[0], Q[0]), Q

        read = targets.Y.tobytes(), targets.observed.tobytes()
        own = p.output_kernel, p.output_regularizer
        core, Q = points.shelf.once(build, "outputs", scalar, own, read)
        built: dict[str, Any] = {
            "kernel_": kernels if several else kernels[0],
            "output_kernel_": Q if several else Q[0],
        }
        return Functions(
            with_intercept(p, points, core), lambda: sum(map(points.mean_square, kernels)), built
        )

    def operator(self, p, data, functions):
        kernel = functions.fitted["kernel_"]
        kernel = kernel[0] if is_several(kernel) else kernel
        rows = data.points.operator(p, kernel, data.targets, q=data.targets.Y.shape[1])
        return over_outputs(p, rows)

    def choices(self, p, data):
        """The choices, with output kernels if the targets are not classes."""
        related = not data.targets.n_classes and data.targets.Y.shape[1] > 1
        own = () if coupled(p) else ("kernel", *(("output_kernel",) if related else ()))
        return replace(
            super().choices(p, data),
            axes=("gamma_I", "gamma_A", "fit_intercept", *own),
            on_rows=unrelated(p) and not coupled(p) and by_rows(p, data),
        )


def coupled(p: Settings) -> bool:
    """Whether there are several kernels, or one kernel on pairs."""
    return is_several(p.given("kernel")) or is_joint(p.given("kernel"))


def is_several(part) -> bool:
    """Whether a parameter is a list of parts."""
    return isinstance(part, list | tuple)


def unrelated(p: Settings) -> bool:
    """Whether no output kernel was given."""
    return p.given("output_kernel") is None or p.is_open("output_kernel")


def by_rows(p: Settings, data: Data) -> bool:
    """Whether the regularizer is over rows only."""
    order = matrix_order(p.given("regularizer"))
    return p.given("output_regularizer") is None and order in (None, data.points.n)


def over_outputs(p: Settings, M: Operator) -> Operator:
    """M ⊗ M_out, if M_out is given."""
    if p.output_regularizer is None or not M.coupling:
        return M
    if M.n_outputs > 1:
        raise ValueError(
            "The regularizer is over pairs (row, output) already: leave output_regularizer at None."
        )
    return TensorOperator(M, check_psd(p.output_regularizer, "output_regularizer"))


def output_kernels(p: Settings, targets: Targets) -> list[np.ndarray]:
    """The matrix Q_r of each kernel."""
    own = p.output_kernel
    return [build_output_kernel(given, targets) for given in (own if is_several(own) else [own])]


def related(p: Settings, scalar: Space, Q: np.ndarray) -> CoregionalizedOutputs:
    """Outputs related by Q. If M_out commutes with Q, they share their directions."""
    if p.output_regularizer is None or not commute(Q, np.asarray(p.output_regularizer)):
        return CoregionalizedOutputs.by_kernel(scalar, Q)
    sigma, V = simultaneous_eigenbasis(Q, np.asarray(p.output_regularizer))
    return CoregionalizedOutputs(scalar, V, np.maximum(sigma, 0.0))


def check_output_regularizer(p: Settings, targets: Targets) -> bool:
    """Whether M_out is given. It must then have a row and a column for each output."""
    if p.output_regularizer is None:
        return False
    _checked("output_regularizer", p.output_regularizer, targets.Y.shape[1])
    return True


def build_output_kernel(output_kernel, targets: Targets) -> np.ndarray:
    """Q, (q, q), from None, an OutputGraph, an output structure, or a symmetric PSD matrix."""
    q = targets.Y.shape[1]
    if output_kernel is None:
        return np.eye(q)
    if isinstance(output_kernel, OutputKernel):
        return _checked("output_kernel", output_kernel.matrix(targets.Y, targets.observed), q)
    if isinstance(output_kernel, str | type) or np.ndim(output_kernel) != 2:
        raise TypeError(
            f"output_kernel is {output_kernel!r}; expected None, a symmetric PSD matrix of shape "
            f"({q}, {q}), an OutputGraph, or an output structure."
        )
    Q = check_psd(np.asarray(output_kernel, dtype=np.float64), "output_kernel")
    return _checked("output_kernel", Q, q)


def _checked(name: str, Q: np.ndarray, q: int) -> np.ndarray:
    if np.shape(Q) != (q, q):
        raise ValueError(
            f"{name} has shape {np.shape(Q)}; expected ({q}, {q}), one row and column for each "
            "output."
        )
    return Q
