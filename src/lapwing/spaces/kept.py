"""K̃ that is kept while labels are added and removed: one factor, and one section per label."""

from __future__ import annotations

from functools import partial, singledispatch

import numpy as np

from ..linalg.quadratic_form import QuadraticForm
from ..operators import Operator
from .base import Space
from .deformation import Deformation, PlainDeformation
from .exact import DIGITS, DenseEngine, Exact
from .galerkin import GLANCE, Galerkin
from .graph_values import GraphValuesSpace
from .point_systems import EARLY_STOPPED, PointDeformation
from .sections import SectionSystem
from .with_free_functions import WithFreeFunctions


def kept_deformation(
    space: Space, operator: Operator, gamma_A: float, lam: float, rows, precise: bool | None = False
) -> Deformation | None:
    """K̃ of a space, whose attribute ``kept`` stores sections; None where a space has no such K̃.

    Parameters
    ----------
    space : Space
    operator : Operator
        M.
    gamma_A, lam : float
        γ_A and λ, the weights of ‖f‖² and of M.
    rows : integer array of shape (l,)
        The labeled rows. Their sections are computed at once.
    precise : bool or None
        True: all digits, also for values on many points, which otherwise stop earlier. None: errors
        of a few per cent are accepted.
    """
    found = _keeping(space, operator, gamma_A, lam, precise) if lam else None
    if found is not None:
        found.kept.gram(np.asarray(rows))
    return found


@singledispatch
def _keeping(space: Space, operator, gamma_A, lam, precise) -> Deformation | None:
    return None


@_keeping.register
def _(space: Exact, operator, gamma_A, lam, precise):
    # None: unrefined sections, as the error of a float32 factor enters K̃ squared. Otherwise the
    # sections are so accurate that a mixture needs no further step (n = 8000: certificate 3e-9).
    tols = (GLANCE, DIGITS[1]) if precise is None else (6e-7, 6e-7)
    form = QuadraticForm(operator, lam)
    make = partial(DenseEngine, space.gram, form, gamma_A, tols, make=space.factored)
    known = Galerkin(make, space.n_points)
    system = SectionSystem(space, known, known.solve)
    found = PlainDeformation(space, operator, gamma_A, lam, system)
    found.kept = known
    return found


@_keeping.register
def _(space: GraphValuesSpace, operator, gamma_A, lam, precise):
    space.keep_features()
    # sections so accurate that a mixture of them seldom needs a further step
    tols = DIGITS if precise else (EARLY_STOPPED, 3.0 * EARLY_STOPPED)
    tols = (GLANCE, GLANCE) if precise is None else tols
    return PointDeformation(space, operator, gamma_A, lam, tols)


@_keeping.register
def _(space: WithFreeFunctions, operator, gamma_A, lam, precise):
    found = _keeping(space.space, operator, gamma_A, lam, precise)
    return found and found.with_free(space.functions)
