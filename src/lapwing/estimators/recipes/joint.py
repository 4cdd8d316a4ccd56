"""Kernels on pairs (row, output) that are not a product, for the estimators that take them."""

import numpy as np

from ...linalg.memory import require_bytes
from ...linalg.psd import check_psd
from ...outputs import JointKernel
from ...spaces import Joint
from ..points import Points, adds_points
from ..settings import Settings
from .base import Functions, with_intercept


def is_joint(kernel) -> bool:
    """Whether a kernel is on pairs (row, output) and not on rows."""
    return isinstance(kernel, JointKernel)


def check_joint(p: Settings) -> None:
    """An error for settings that do not go with a joint kernel: another space, or added points."""
    if not is_joint(p.kernel):
        return
    if not (isinstance(p.space, str) and p.space in ("auto", "exact")):
        raise ValueError(
            f"space={p.space!r} does not go with a JointKernel, whose Gram matrix over the "
            "pairs is formed: leave space='auto', or give a kernel on rows."
        )
    if adds_points(p.regularizer):
        raise ValueError(
            f"{p.regularizer!r} adds points to the rows, and a JointKernel is over the rows alone: "
            "give a kernel on rows, or a regularizer without Invariance."
        )


def joint_functions(p: Settings, points: Points, q: int) -> Functions:
    """The functions of a joint kernel over the rows and q outputs."""
    pairs = points.shelf.once(lambda: joint_space(p.kernel, points.X, q), "pairs", p.kernel)
    return Functions(
        with_intercept(p, points, pairs),
        lambda: float(np.mean(np.diagonal(pairs.pair_gram))),
        {"kernel_": p.kernel},
    )


def joint_space(kernel: JointKernel, X, q: int) -> Joint:
    """The functions of a joint kernel over the rows of X and q outputs. Its Gram matrix is in
    memory.
    """
    n = X.shape[0]
    require_bytes(
        8 * 4 * (n * q) ** 2,
        f"The joint kernel over {n} rows and {q} outputs",
        "Use a product kernel, which never forms this matrix, or fewer rows.",
    )
    gram = kernel(X, X)
    if gram.shape[1] != q:
        raise ValueError(f"The joint kernel gives {gram.shape[1]} outputs, but there are {q}.")
    gram = gram.reshape(n * q, n * q)
    return Joint(np.asarray(check_psd(gram, "The joint kernel")), kernel, X, q)
