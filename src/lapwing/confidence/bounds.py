"""Bounds on the errors of a classifier at the unlabeled rows."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2

from ..problem import Problem
from ..spaces import Element
from ..spaces.deformation import PlainDeformation
from .bound import Bound

C0 = float(np.sqrt(32.0 * (1.0 + np.log(4.0)) / 3.0))
"""The constant of El-Yaniv & Pechyony's bound."""

PROBES = 64
"""Number of random functions that estimate tr K̃ of many rows. At 5,000 rows they take the time of
a fit; all rows took twenty times that. Half as many would enlarge √tr K̃ by a half instead of a
third.
"""

EVERY, DIRECTIONS = 256, 999
"""The number of rows up to which tr K̃ is exact, and up to which 64 directions are taken out
exactly, so that random functions estimate only the rest. At 1,000 rows the exact trace took the
time of six fits. Where γ_A is small, the rest is a few per cent of the trace.
"""


@dataclass(frozen=True)
class ErrorEstimate:
    """A bound and an estimate of the error at the unlabeled rows.

    Attributes
    ----------
    bound : Bound
        The transductive Rademacher bound, with ``valid``, ``reasons`` and ``vacuous``.
    leave_one_out : float
        The estimate: the error at labels that neither the fit nor its settings used.
    interval : (float, float)
        The 95 % interval of this error (:mod:`.errors`).
    """

    bound: Bound
    leave_one_out: float
    interval: tuple[float, float]

    @property
    def standard_error(self) -> float:
        """A quarter of the interval's width."""
        return (self.interval[1] - self.interval[0]) / 4.0

    def __str__(self) -> str:
        low, high = self.interval
        told = f"leave-one-out {self.leave_one_out:.3f} (95 %: {low:.3f} to {high:.3f})"
        if np.isinf(self.bound):
            return f"{told}; {'; '.join(self.bound.reasons)}"
        return f"{told}; bound {self.bound}"


def transductive_bound(
    objective: Problem,
    coef: np.ndarray,
    *,
    y: np.ndarray | None = None,
    delta: float = 0.05,
    n_candidates: int = 1,
    margin: float = 1.0,
    reasons=(),
) -> Bound:
    """The transductive Rademacher bound on the error at the unlabeled rows:

        L_u(f) ≤ L̂_m^γ(f) + (r/γ)√(2 tr K̃/(mu)) + c₀Q√min(m, u) + √(S Q log(1/δ)/2).

    It holds with probability 1 − δ over the choice of the m labeled rows among all m + u rows. L_u
    is the 0-1 error at the u unlabeled rows, and L̂^γ the ramp loss at the labeled rows.
    Q = 1/m + 1/u and S = (m + u)/((m + u − ½)(1 − 1/(2 max(m, u)))).

    K̃ depends on all rows but on no label, so {‖f‖_K̃ ≤ r} is a fixed class of functions. The
    constant b counts as a function of norm ``|b|`` (K̃ + 1), also if the fit did not penalize it. r
    is the smallest of 1, √2, 2, … that holds f. δ is shared out over these values, over the
    candidates of a search and over the classes, whose errors add up.

    Above 256 rows, 64 random functions estimate tr K̃. Their margin holds with probability 1 − δ/10.
    Up to 999 rows they estimate only what 64 directions with large K̃ leave. For related outputs,
    K̃ = Σ_p K̃_p ⊗ B_pB_pᵀ: output j has the trace Σ_p tr K̃_p (B_pB_pᵀ)_jj and the norm of all
    outputs.

    Parameters
    ----------
    objective : Problem
        The problem of a classifier, with ±1 targets in one column or one column per class.
    coef : array
        The coefficients of the minimizer.
    y : array of shape (m, t), optional
        The ±1 targets, if the targets of the problem have another code.
    delta : float in (0, 1)
        δ.
    n_candidates : int
        The number of settings among which the labels chose, fixed beforehand.
    margin : float > 0
        γ, the margin of the ramp loss.
    reasons : sequence of str
        Conditions that the caller knows are not met.

    References
    ----------
    El-Yaniv, Pechyony 2009, *Transductive Rademacher complexity and its applications*, JAIR 35,
    Corollary 1 and §6.2.
    """
    check_promise(delta, n_candidates)
    n, m, t = objective.n_rows, len(objective.rows), objective.n_columns
    u = n - m
    if u == 0:
        raise ValueError("Every row is labeled: there is no error at unlabeled rows to bound.")
    e = objective.space.element(coef)
    delta, risk = (0.9 * delta, 0.1 * delta) if n > EVERY else (delta, 0.0)
    found = _traces(objective, risk)
    if found is None:
        on_graph = objective.space.out_of_sample is not None
        why = "of values on the graph" if on_graph else "for each output on its own"
        return Bound(np.inf, (*reasons, f"no bound: the trace of K̃ is not known {why}"))
    traces, related = found
    size, b = function_norms(objective, e)
    # the norm of one related output is at most that of all together
    size = np.full(t, size.sum()) if related else size
    traces = np.broadcast_to(traces, (t,)) + (n if b is not None else 0.0)
    norm = np.sqrt(size + (0.0 if b is None else (b**2).sum(axis=0)))
    f = e.readout[objective.rows]
    y = objective.y if y is None else y
    ramp = np.clip(1.0 - y * f / margin, 0.0, 1.0).mean(axis=0)
    total = 0.0
    for j in range(t):
        k = max(0, int(np.ceil(2.0 * np.log2(max(norm[j], 1e-300)))))
        share = delta / (n_candidates * t * (k + 1) * (k + 2))
        complexity = 2.0 ** (k / 2) / margin * np.sqrt(2.0 * traces[j] / (m * u))
        total += ramp[j] + complexity + transductive_slack(m, u, share)
    return Bound(float(total), tuple(reasons))


def check_promise(delta: float, n_candidates: int) -> None:
    """An error if the probability or the size of the search is out of range."""
    if not 0.0 < delta < 1.0:
        raise ValueError(f"delta must lie strictly between 0 and 1, got {delta!r}.")
    if not n_candidates >= 1:
        raise ValueError(f"n_candidates={n_candidates!r} must be at least 1.")


def transductive_slack(m: int, u: int, delta: float) -> float:
    """The term c₀Q√min(m, u) + √(S Q log(1/δ)/2) of the bound."""
    Q = 1.0 / m + 1.0 / u
    S = (m + u) / ((m + u - 0.5) * (1.0 - 1.0 / (2.0 * max(m, u))))
    return float(C0 * Q * np.sqrt(min(m, u)) + np.sqrt(0.5 * S * Q * np.log(1.0 / delta)))


def function_norms(objective: Problem, e: Element) -> tuple[np.ndarray, np.ndarray | None]:
    """‖f‖²_K̃ = γ_A‖f‖² + λ⟨f, Mf⟩ of each column, and b, (g, t), or None without constants."""
    size = np.maximum(objective.ambient(e), 0.0)
    if objective.lam:
        size = size + objective.lam * np.maximum(objective.operator.value(e.values), 0.0)
    size = np.broadcast_to(size, (objective.n_columns,))
    free = objective.space.free
    return size, e.coef[len(e.coef) - free.shape[1] :] if free.shape[1] else None


def _traces(objective: Problem, risk: float) -> tuple[np.ndarray, bool] | None:
    """tr K̃ of each output, (q,), and whether outputs are related; None if K̃ couples them."""
    components = objective.deformation.components
    if not components:
        return None
    total, related = np.zeros(1), False
    for part, mixing in components:
        shares, B = mixing.squares(1), mixing.directions(1)
        related |= B.shape[0] != B.shape[1] or not np.allclose(B, np.eye(len(B)))
        total = total + _trace(part, objective, risk) * shares
    return total, related


def _trace(part: PlainDeformation, objective: Problem, risk: float) -> float:
    """tr K̃_p, or with a given risk an upper bound of it. Without a graph it is tr K/γ_A.

    Among all PSD matrices A of one trace, Σ_j z_jᵀAz_j over normal z_j falls far below its mean
    most often if A has rank one. It is then tr A times a χ² variable (Székely, Bakirov 2003).
    For directions Q that do not depend on the z_j, tr K̃ is tr QᵀK̃Q plus the trace of the PSD rest.
    """
    k = part.space.covariance
    if not part.lam and k.held_by_rows:
        return float(k.diagonal(k.points).sum()) / part.gamma_A
    if not risk:
        kernel = part.gram(np.arange(objective.n_rows)).shared
        assert kernel is not None
        return float(np.trace(kernel))
    part.gram(objective.rows)  # the fit has made its factor
    n, draw, known = objective.n_rows, np.random.default_rng(0), 0.0
    Z = draw.standard_normal((n, PROBES))
    if n <= DIRECTIONS:
        Q = np.linalg.qr(part.system.solve(part.space.represent(0.0, Z)).readout)[0]
        known, Z = float(part.system.energies(Q).sum()), draw.standard_normal((n, PROBES))
        Z -= Q @ (Q.T @ Z)
    return known + float(part.system.energies(Z).sum() / chi2.ppf(risk, PROBES))
