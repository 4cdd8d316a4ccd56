"""The deformed joint kernel of structured outputs, for any method with a joint kernel."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from ..kernels.magnitude import checked_build
from ..outputs import Flat, Structure
from ..parameters.checks import check_weight
from ..regularizers import get_regularizer, joint_operator
from ..regularizers.base import stacked
from ..spaces import CoregionalizedOutputs, space_everywhere
from ..types import MatrixLike, TargetLike
from .deformed import resolve_kernel


class DeformedJointKernel(BaseEstimator):
    """k̃((x, y), (z, ȳ)), the joint kernel K^X ⊗ K^Y with ratio · ⟨f, L f⟩ added to its norm.

    K^X is the kernel of rows, K^Y the kernel of outputs, and L the Laplacian of the joint graph.
    Let K^Y = Σ_j σ_j v_j v_jᵀ and L = Σ_j N_j ⊗ v_j v_jᵀ with the same vectors v_j. The kernel is
    then Σ_j σ_j k̃_j(x, z) v_j(y) v_j(ȳ). Here k̃_j is the deformed kernel with the penalty N_j and
    with ratio · σ_j in place of ratio. No matrix of order n|Y| is factored.
    ``JointKernel(DeformedJointKernel(…).fit(X))`` in :class:`~lapwing.estimators.StructuredLapSVC`
    with gamma_I = 0 gives the same model as K^X, K^Y and L with gamma_I = ratio · gamma_A · n².

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        K^X.
    output : Structure, default=Flat(2)
        It gives K^Y and the affinity of the joint graph.
    regularizer : Regularizer or PSD matrix over the rows, optional
        "laplacian" is ``Laplacian(KNN(), degree=2)``.
    ratio : float ≥ 0, default=1.0
        The weight of ⟨f, L f⟩ relative to ‖f‖².
    space : {"auto", "exact", "landmarks", "linear", "blockwise"} or Landmarks, default="auto"
        As in :class:`lapwing.DeformedKernel`.

    References
    ----------
    Hu, Kwok (SO), eq. 16.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.outputs import Ring
    >>> from lapwing.pointcloud import DeformedJointKernel
    >>> X = np.random.default_rng(0).standard_normal((20, 2))
    >>> DeformedJointKernel(output=Ring(4)).fit(X)(X[:3]).shape
    (3, 4, 3, 4)
    """

    def __init__(
        self,
        kernel: Any = "rbf",
        output: Any = None,
        regularizer: Any = "laplacian",
        ratio: float = 1.0,
        space: Any = "auto",
    ) -> None:
        self.kernel = kernel
        self.output = output
        self.regularizer = regularizer
        self.ratio = ratio
        self.space = space

    def fit(self, X: MatrixLike, y: TargetLike = None) -> Self:
        """Set the point cloud: all rows of X, labeled and unlabeled."""
        output = self.output or Flat(2)
        if not isinstance(output, Structure):
            raise TypeError(f"output={output!r} must be an output structure such as Ring(10).")
        check_weight("ratio", self.ratio)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        outputs = output.build()
        if not outputs.directions:
            raise TypeError(f"{output!r} has too many outputs for a joint kernel over the pairs.")
        regularizer = get_regularizer(self.regularizer)
        points = stacked([X, regularizer.extra_points(X)])
        inputs = space_everywhere(self.space, checked_build(resolve_kernel(self.kernel), X), points)
        operator = joint_operator(self.regularizer, X, None, outputs.n_features, outputs.affinity)
        if not operator.along(outputs.directions[0]):
            raise TypeError(
                "The joint operator does not separate along the output kernel: give an affinity "
                "that commutes with it, or none."
            )
        deformed = CoregionalizedOutputs(inputs, *outputs.directions).deformed(
            operator, 1.0, float(self.ratio)
        )
        every = np.arange(len(outputs.directions[0]))
        self.parts_ = [(part, B.between(every, every)) for part, B in deformed.components]
        return self

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        """k̃ between all pairs (x, y), shape (n, q, m, q)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        if Z is not None:
            Z = validate_data(self, Z, accept_sparse="csr", dtype=np.float64, reset=False)
        return sum(
            np.einsum("ij,ab->iajb", deformed.cross(X, Z), outputs)
            for deformed, outputs in self.parts_
        )
