"""Fits for a whole grid of regularization weights, at little more than the cost of one fit."""

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
    """Fit an estimator for every (γ_I, γ_A) of a grid, and for grids of its other weights.

    The other weights are γ_O for vector-valued estimators, γ_C (MV's λ) for views, and γ_M (MT's
    λ_m) and the number of eigenvectors for SSSL, LapS3L and LSMR.

    Kernels, graphs and targets are built once. Parameters at "auto" are chosen once. Each point
    starts from the solution before it. If K̃ on the labeled rows has a factor, the start is its
    dual β = −½ w V′. Structured models start from the active outputs. The dual of the hinge is
    solved by libsvm, which takes no start.

    Vector-valued estimators with the squared loss, and the same rows observed in every output, need
    one reduction per γ_I for all γ_A and γ_O: (γ_A I + σ_i(γ_O) CᵀGC) z_i = σ_i Cᵀr_i. Here
    K = CCᵀ, and G depends on neither. ``fit`` refines its solution further; these points are not
    refined. ``PathPoint.optimality()`` is their certificate.

    Parameters
    ----------
    estimator : any estimator of the equation
        The estimator is cloned and not changed. Its own parameter holds if there is no grid for it.
    X, y, sample_weight
        As for ``fit``.
    gamma_I, gamma_A, gamma_O, gamma_C, gamma_M : sequences of float, optional
        The grids. γ_O needs ``output_kernel`` to be None, "auto" or an
        :class:`~lapwing.outputs.OutputGraph`.
    n_components : sequence of int, optional
        The grid of the number of eigenvectors.
    X_new : array of shape (m, d), optional
        New rows to predict at each point.

    Yields
    ------
    PathPoint
        γ_I is the outermost loop, then γ_O, γ_C, γ_M and n_components; γ_A is the innermost.

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
