"""The norm of another kernel's space as intrinsic penalty."""

from collections.abc import Callable

from scipy.linalg import LinAlgError

from ..graphs.base import has_coordinates
from ..kernels import Kernel, get_kernel
from ..kernels.magnitude import checked_build
from ..linalg.memory import require_bytes
from ..operators import KernelNormOperator, PSDOperator
from ..parameters.checks import is_positive
from ..types import MatrixLike, TargetLike
from .base import Regularizer


class KernelNorm(Regularizer):
    """M = (K + εI)⁻¹, where K is the Gram matrix of a second kernel. ⟨f, M f⟩ ≈ ‖f‖² in its space.

    A Gaussian narrower than the estimator's kernel approximates the heat kernel of the manifold.
    With the estimator's own kernel the result is regularized least squares at γ_A + γ_I/n².

    Parameters
    ----------
    kernel : Kernel, name, or callable on two matrices
        The second kernel.
    jitter : float > 0
        ε is ``jitter`` times the mean diagonal of K. Then K + εI is invertible also if K is
        singular, as with duplicated rows or wide kernels.

    Notes
    -----
    ``build`` computes one dense Cholesky factor. That takes n² memory and n³/3 multiplications. A
    loaded model computes it again.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, Remark 4 and Proposition 6.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.kernels import Linear
    >>> KernelNorm(Linear()).build(2.0 * np.eye(2)).toarray().round(6)
    array([[0.25, 0.  ],
           [0.  , 0.25]])
    """

    costly = True

    def __init__(self, kernel: Kernel | str | Callable, jitter: float = 1e-10) -> None:
        self.kernel = kernel
        self.jitter = jitter

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        kernel = get_kernel(self.kernel)
        if not has_coordinates(X):
            raise TypeError("KernelNorm needs points to apply its kernel to, got Distances.")
        if not is_positive(self.jitter):
            raise ValueError(f"jitter must be a finite number > 0, got {self.jitter!r}.")
        require_bytes(
            16 * X.shape[0] ** 2,
            f"The kernel's norm over {X.shape[0]} points",
            "Use Heat() or Laplacian(), whose matrices are sparse.",
        )
        operator = KernelNormOperator(checked_build(kernel, X), X, self.jitter)
        try:
            _ = operator.factor
            return operator
        except LinAlgError:
            raise ValueError(
                f"The Gram matrix of {self.kernel!r} is not positive definite even with "
                f"jitter = {self.jitter:g} of its mean diagonal: raise jitter, sharpen the "
                f"kernel, or check that it is positive semi-definite."
            ) from None
