"""Checks for your own kernel, graph, regularizer, loss, output structure, space or solver.

=======================  ==========================================
``check_kernel``         symmetric, PSD, algebra, dense = CSR
``check_graph``          weights, Laplacians, permutations
``check_regularizer``    PSD, linear, equivariant
``check_operator``       the same for a built operator
``check_loss``           convex, gradients, conjugates
``check_outputs``        losses, separation oracles, structured hinge
``check_space``          adjoint, metric, prediction
``check_deformation``    K̃ agrees with its definition
``check_solver``         certificate, status, the true minimizer
=======================  ==========================================
"""

from .deformations import check_deformation
from .graphs import check_graph
from .kernels import check_kernel
from .losses import check_loss
from .outputs import check_outputs
from .regularizers import check_operator, check_regularizer
from .solvers import check_solver
from .spaces import check_space

__all__ = [
    "check_deformation",
    "check_graph",
    "check_kernel",
    "check_loss",
    "check_operator",
    "check_outputs",
    "check_regularizer",
    "check_solver",
    "check_space",
]
