"""Whole grids of regularization parameters at little more than the cost of one fit."""

from collections.abc import Iterator, Sequence

from ..estimators.base import ManifoldModel
from .points import PathPoint, Prepared, checked_grids, points_of

__all__ = ["PathPoint", "path"]


def path(
    estimator: ManifoldModel,
    X,
    y,
    *,
    gamma_I: Sequence[float] | None = None,
    gamma_A: Sequence[float] | None = None,
    gamma_O: Sequence[float] | None = None,
    gamma_C: Sequence[float] | None = None,
    gamma_M: Sequence[float] | None = None,
    n_components: Sequence[int] | None = None,
    sample_weight=None,
    X_new=None,
) -> Iterator[PathPoint]:
    """Fit any estimator for every (γ_I, γ_A) of a grid, and what else its equation has.

    That is γ_O for vector-valued estimators, γ_C (MV's λ) for views, γ_M (MT's λ_m) and the
    number of eigenvectors for SSSL, LapS3L and LSMR.

    Kernels, graphs and targets are built once, what is "auto" is chosen once, and each point starts
    from the one before it: over K̃ on the labeled rows, where that has a factor, from its dual
    β = −½ w V′; structured models from the active outputs. The hinge's dual over the labeled rows
    is solved by libsvm, which takes no start.

    Vector-valued estimators with the squared loss, and the same rows observed in every output, have
    one reduction per γ_I for all γ_A and γ_O: (γ_A I + σ_i(γ_O) CᵀGC) z_i = σ_i Cᵀr_i, where
    K = C Cᵀ and G depends on neither. These points are not refined any further, as ``fit`` does:
    ``PathPoint.optimality()`` is their certificate.

    Parameters
    ----------
    estimator : any estimator of the equation
        Not fitted and not changed; its own parameter holds where there is no grid.
    X, y, sample_weight
        As for ``fit``.
    gamma_I, gamma_A, gamma_O, gamma_C, gamma_M : sequences of float, optional
        γ_O needs ``output_kernel`` to be None, "auto" or an :class:`~lapwing.outputs.OutputGraph`.
    n_components : sequence of int, optional
    X_new : array of shape (m, d), optional
        Points to predict along the way.

    Yields
    ------
    PathPoint
        γ_I outermost, then γ_O, γ_C, γ_M and n_components, γ_A innermost.

    Examples
    --------
    >>> import lapwing
    >>> from lapwing.datasets import make_two_moons
    >>> X, y, truth = make_two_moons(80, labels_per_class=3, random_state=0)
    >>> points = lapwing.path(lapwing.LapSVC(kernel="rbf"), X, y, gamma_I=[0.0, 1.0, 10.0])
    >>> [p.gamma_I for p in points]
    [0.0, 1.0, 10.0]
    """
    given = {
        "gamma_I": gamma_I,
        "gamma_O": gamma_O,
        "gamma_C": gamma_C,
        "gamma_M": gamma_M,
        "n_components": n_components,
        "gamma_A": gamma_A,
    }
    grids = checked_grids(estimator, {k: grid for k, grid in given.items() if grid is not None})
    return points_of(Prepared.of(estimator, X, y, sample_weight, grids, X_new), grids)
