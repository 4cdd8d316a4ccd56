"""Joachims' label switching: a transductive support vector machine with the hinge."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from sklearn.svm import SVC

FIRST = 1e-5
"""Of the final weight: what the unlabeled rows count at first, doubled until it is whole."""

MOST_SWITCHES = 1_000  # rounds at one weight; each lowers the objective


@dataclass(frozen=True)
class SwitchingProblem:
    """J(f, z) = γ_A‖f‖² + (1/l) Σ_l h(y f) + Σ_u c_i h(z f), h(m) = max(0, 1 − m), z ∈ {−1, 1}^u.

    The number of positive z is fixed; f = Ka + b.

    Attributes
    ----------
    K : array of shape (n, n)
    target : array of shape (n,)
        +1, −1, and 0 where unlabeled.
    gamma_A, weight : float
        γ_A and c: an unlabeled row counts c/u at the end.
    share : float
        Of positives among the unlabeled rows.
    tol : float
        Of libsvm.
    """

    K: np.ndarray = field(repr=False)
    target: np.ndarray = field(repr=False)
    gamma_A: float
    weight: float
    share: float
    tol: float = 1e-3

    @property
    def free(self) -> np.ndarray:
        return self.target == 0

    @property
    def n_positive(self) -> int:
        """How many unlabeled rows are to be positive: at least one, and not all."""
        u = int(self.free.sum())
        return int(np.clip(round(self.share * u), min(1, u), max(u - 1, 0)))

    def row_weights(self, z: np.ndarray, plus: float, minus: float) -> np.ndarray:
        """What h counts at each row, c₊ or c₋ at an unlabeled one."""
        weights = np.empty(len(self.target))
        weights[~self.free] = 1.0 / (~self.free).sum()
        weights[self.free] = np.where(z > 0, plus, minus)
        return weights

    def solve(self, z: np.ndarray, plus: float, minus: float) -> tuple[np.ndarray, float]:
        """a and b of the least J for these labels: a support vector machine."""
        y, weights = self.target.copy(), self.row_weights(z, plus, minus)
        y[self.free] = z
        rows = np.flatnonzero(weights > 0)
        model = SVC(kernel="precomputed", C=1.0, tol=self.tol, cache_size=500)
        model.fit(
            self.K[np.ix_(rows, rows)], y[rows], sample_weight=weights[rows] / (2.0 * self.gamma_A)
        )
        a = np.zeros(len(y))
        a[rows[model.support_]] = model.dual_coef_[0]
        return a, float(model.intercept_[0])

    def values(self, a: np.ndarray, b: float) -> np.ndarray:
        """f at all rows."""
        return self.K @ a + b

    def value(self, a: np.ndarray, b: float, z: np.ndarray) -> float:
        """J at the final weights."""
        f = self.values(a, b)
        each = self.weight / max(1, int(self.free.sum()))
        y = self.target.copy()
        y[self.free] = z
        slack = np.maximum(0.0, 1.0 - y * f)
        return float(self.gamma_A * a @ (f - b) + self.row_weights(z, each, each) @ slack)


def switch(
    problem: SwitchingProblem, n_switches: int | None
) -> tuple[np.ndarray, float, np.ndarray]:
    """f and z from which no pair of labels can be switched to lower J with f fixed.

    The first z are the highest scores of the model that knows the labeled rows alone. The weight of
    unlabeled rows begins at 1e-5 of the final one, with c₊/c₋ = u₋/u₊, and doubles. At each weight
    a positive and a negative row whose slacks are positive and add up to more than 2 exchange
    their labels, as long as there are any.

    Parameters
    ----------
    problem : SwitchingProblem
    n_switches : int or None
        Pairs between two fits: 1 is Joachims'; None exchanges all that qualify, largest slacks
        first (Sindhwani & Keerthi 2006), with the same end: J falls with each of them.
    """
    u, final = int(problem.free.sum()), 0.0
    z = np.full(u, -1.0)
    if u:
        final = problem.weight / u
        a, b = problem.solve(z, 0.0, 0.0)
        order = np.argsort(-problem.values(a, b)[problem.free], kind="stable")
        z[order[: problem.n_positive]] = 1.0
    if not final:
        return *problem.solve(z, 0.0, 0.0), z
    ratio = problem.n_positive / max(1, u - problem.n_positive)
    minus, plus = FIRST * final, FIRST * final / max(ratio, 1e-12)
    while True:
        plus, minus = min(plus, final), min(minus, final)
        a, b, z = _settled(problem, z, plus, minus, n_switches)
        if plus >= final and minus >= final:
            return a, b, z
        plus, minus = 2.0 * plus, 2.0 * minus


def _settled(problem: SwitchingProblem, z, plus: float, minus: float, n_switches: int | None):
    """f and z at one weight, once no pair is left to switch."""
    for _ in range(MOST_SWITCHES):
        a, b = problem.solve(z, plus, minus)
        slack = np.maximum(0.0, 1.0 - z * problem.values(a, b)[problem.free])
        pairs = _pairs(z, slack, n_switches, plus, minus)
        if not len(pairs):
            break
        z = z.copy()
        z[pairs] *= -1.0
    return a, b, z


def _pairs(z, slack, n_switches: int | None, plus: float, minus: float) -> np.ndarray:
    """The unlabeled rows to relabel, one positive for each negative.

    Switching rows p (positive, slack s) and m (negative, slack t) with f fixed changes the loss by
    c₋ (2 − s)₊ + c₊ (2 − t)₊ − c₊ s − c₋ t; at c₊ = c₋ it falls where s + t > 2.
    """
    up, down = (np.flatnonzero(side & (slack > 0)) for side in (z > 0, z < 0))
    up, down = up[np.argsort(-slack[up])], down[np.argsort(-slack[down])]
    count = min(len(up), len(down))
    s, t = slack[up[:count]], slack[down[:count]]
    after = minus * np.maximum(0.0, 2.0 - s) + plus * np.maximum(0.0, 2.0 - t)
    better = (s + t > 2.0) & (after < (plus * s + minus * t) * (1.0 - 1e-9))
    most = count if n_switches is None else n_switches
    good = np.flatnonzero(better)[:most]
    return np.concatenate([up[good], down[good]])
