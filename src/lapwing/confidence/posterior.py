"""How sure a squared fit is: the Gaussian process of the deformed kernel."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..linalg.memory import require_bytes
from ..objective import Objective
from ..spaces.deformation import PlainDeformation
from .gaussian import Gaussian


@dataclass(frozen=True)
class _Direction:
    """Outputs along V, (q, r), all with the kernel ``scale`` · K̃_p and the labelled rows ``at``."""

    part: PlainDeformation = field(repr=False)
    scale: float
    V: np.ndarray
    at: np.ndarray
    gaussian: Gaussian = field(repr=False)
    coef: np.ndarray = field(repr=False)
    free: bool

    def sections(self, X) -> np.ndarray:
        """scale · K̃_p(x, x_i), (n, l)."""
        return self.scale * self.part.space.evaluate_at(X, self.coef)

    def prior(self, X) -> np.ndarray:
        return self.scale * self.part.diagonal(X)

    def ambient(self, X) -> np.ndarray:
        """scale · k(x, x)/γ_A: the variance before any point was seen."""
        return self.scale * self.part.space.prior_diagonal(X) / self.part.gamma_A


class Posterior:
    """f | y where f ~ GP(0, τ²K̃) and y_i = f(x_i) + b + noise of variance τ²/w_i.

    Its mean is the minimiser of the squared loss (both penalties are the norm of K̃), so that its
    variance is the fit's own account of what it does not know. The intercept has no prior, and
    counts. τ² is one number per output, that which makes the standardised leave-one-out residuals
    of variance 1: τ² = mean_i β_i²/(C⁻¹)_ii.

    Parameters
    ----------
    objective : Objective
        Over a space whose outputs decouple (LapRLS; related outputs observed
        row by row, or not related at all).

    References
    ----------
    MR eq. 8 read as a posterior mean; Rasmussen, Williams 2006, §2.7 (free functions), §5.4.2.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import LapRLSRegressor
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.where(np.arange(60) % 6 == 0, np.sin(X[:, 0]), np.nan)
    >>> model = LapRLSRegressor(kernel="rbf", gamma_A=1e-3, gamma_I=0.1).fit(X, y)
    >>> spread = Posterior(model.objective_).deviation(np.array([[3.0], [40.0]]))
    >>> bool(spread[1, 0] > spread[0, 0] > 0)
    True
    """

    def __init__(self, objective: Objective):
        self.y = objective.y
        self.w = objective.w
        self.weights = np.broadcast_to(objective.w, objective.y.shape)
        self.directions = self._directions(objective)
        self.tau2 = self._scales()

    def _directions(self, objective: Objective) -> list[_Direction]:
        deformation, rows, q = objective.deformation, objective.rows, objective.n_columns
        free = objective.space.free
        found = []
        for part, B in deformation.components:
            K = part.gram(rows).shared
            coef = self._lifted(part, rows)
            for scale, V in _groups(B, q):
                for at, w, own in self._observed(V, B is None):
                    E = None if free is None else free[rows[at]]
                    gaussian = Gaussian(scale * K[np.ix_(at, at)], w, E)
                    found.append(
                        _Direction(part, scale, own, at, gaussian, coef[:, at], E is not None)
                    )
        return found + self._rest(found, objective)

    def _rest(self, found: list[_Direction], objective: Objective) -> list[_Direction]:
        """Directions between outputs that carry no function: the free ones alone."""
        q, free = objective.n_columns, objective.space.free
        V = np.hstack([d.V for d in found]) if found else np.zeros((q, 0))
        if np.abs(V.T @ V - np.eye(V.shape[1])).max(initial=0.0) > 1e-8:
            raise TypeError(
                "These outputs do not decouple: predictive variances need an output kernel whose "
                "eigenvectors the penalty shares."
            )
        U, size, _ = np.linalg.svd(V)
        rest = U[:, int(np.sum(size > 1e-8)) :]
        if not rest.shape[1] or not found:
            return []
        part, at, E = found[0].part, np.arange(len(self.y)), None
        if free is not None:
            E = free[objective.rows]
        gaussian = Gaussian(np.zeros((len(at),) * 2), self.w[:, 0], E)
        coef = np.zeros((part.space.n_coef, len(at)))
        return [_Direction(part, 0.0, rest, at, gaussian, coef, E is not None)]

    def _observed(self, V: np.ndarray, apart: bool):
        """(rows, weights, V) of outputs observed together."""
        if self.w.shape[1] == 1:
            yield np.arange(len(self.y)), self.w[:, 0], V
            return
        if not (apart or _is_identity(V)):
            raise TypeError(
                "Entries of related targets are missing one by one: predictive variances need "
                "targets observed row by row, or output_kernel=None."
            )
        for j in range(self.y.shape[1]):
            at = np.flatnonzero(self.w[:, j])
            yield at, self.w[at, j], V[:, [j]]

    @staticmethod
    def _lifted(part: PlainDeformation, rows: np.ndarray) -> np.ndarray:
        n, l = part.n_rows, len(rows)
        require_bytes(
            8.0 * l * (n + part.space.n_coef),
            f"One function for each of {l} labelled points over {n} points",
            "Ask for variances with fewer labelled rows.",
        )
        unit = np.zeros((n, l))
        unit[rows, np.arange(l)] = 1.0
        return part.lift(unit)

    def _scales(self) -> np.ndarray:
        """τ² of each output, (q,)."""
        standard = self.standard_residuals()
        seen = ~np.isnan(standard)
        counts = np.maximum(seen.sum(axis=0), 1)
        return (np.where(seen, standard, 0.0) ** 2).sum(axis=0) / counts

    def _dual(self) -> tuple[np.ndarray, np.ndarray]:
        """β and the diagonal of G at each observed (row, output), (l, q)."""
        beta, diagonal = np.zeros(self.y.shape), np.zeros(self.y.shape)
        for d in self.directions:
            beta[d.at] += d.gaussian.G @ (self.y[d.at] @ d.V) @ d.V.T
            diagonal[d.at] += np.diagonal(d.gaussian.G)[:, None] * (d.V**2).sum(axis=1)
        return beta, diagonal

    def residuals(self) -> np.ndarray:
        """β_i/G_ii, (l, q): y_i minus what the others predict; NaN where not observed."""
        beta, diagonal = self._dual()
        known = (self.weights > 0) & (diagonal > 1e-14 * diagonal.max(initial=0.0))
        return np.divide(beta, diagonal, out=np.full(beta.shape, np.nan), where=known)

    def standard_residuals(self) -> np.ndarray:
        """β_i/√G_ii: leave-one-out residuals in units of their own deviation over τ, (l, q)."""
        _, diagonal = self._dual()
        return self.residuals() * np.sqrt(np.maximum(diagonal, 0.0))

    def variance(self, X) -> np.ndarray:
        """Of f + b at each row of X, (n, q), without the noise."""
        total = np.zeros((X.shape[0], self.y.shape[1]))
        h = np.ones((X.shape[0], 1))
        for d in self.directions:
            along = d.gaussian.variance(d.sections(X), d.prior(X), h if d.free else None)
            total += along[:, None] * (d.V**2).sum(axis=1)
        return total * self.tau2

    @property
    def noise(self) -> np.ndarray:
        """The variance of the noise at a row of average weight, (q,)."""
        return self.tau2 * _mean_inverse(self.weights)

    def deviation(self, X) -> np.ndarray:
        """The standard deviation of a new y at each row of X, (n, q), capped by the labels' own.

        √(variance + noise), and no more than the standard deviation of the labels (or of the
        noise, if that is larger): far from all points the prior alone speaks, and γ_A, which says
        how far it reaches, is chosen for its predictions and not for their spread.
        """
        spread = np.array([np.var(y[w > 0]) for y, w in zip(self.y.T, self.weights.T, strict=True)])
        ceiling = np.maximum(spread, self.noise)
        return np.sqrt(np.minimum(self.variance(X) + self.noise, ceiling))

    def novelty(self, X) -> np.ndarray:
        """How much of the prior variance points and labels leave at each row of X, (n,) in [0, 1].

        1 far from every point, 0 where everything is known: Σ (K̃(x, x) − k̃ᵀC⁻¹k̃)/Σ k(x, x)/γ_A
        over the outputs.
        """
        left, before = np.zeros(X.shape[0]), np.zeros(X.shape[0])
        for d in self.directions:
            r = d.V.shape[1]
            known = d.gaussian.explained(d.sections(X))
            left += r * np.maximum(d.prior(X) - known, 0.0)
            before += r * d.ambient(X)
        return np.divide(left, before, out=np.zeros_like(left), where=before > 0).clip(0.0, 1.0)


def _groups(B: np.ndarray | None, q: int) -> list[tuple[float, np.ndarray]]:
    """(|b|², unit directions) of the columns b of B, grouped by length."""
    if B is None:
        return [(1.0, np.eye(q))]
    size = np.round((B**2).sum(axis=0), 12)
    return [
        (float(s), B[:, size == s] / np.sqrt((B[:, size == s] ** 2).sum(axis=0)))
        for s in np.unique(size[size > 0])
    ]


def _is_identity(V: np.ndarray) -> bool:
    return (
        V.shape[0] == V.shape[1]
        and bool((np.abs(V) > 1e-12).sum() == len(V))
        and bool((np.diagonal(V) != 0).all())
    )


def _mean_inverse(weights: np.ndarray) -> np.ndarray:
    seen = weights > 0
    total = np.where(seen, 1.0 / np.where(seen, weights, 1.0), 0.0).sum(axis=0)
    return total / np.maximum(seen.sum(axis=0), 1)
