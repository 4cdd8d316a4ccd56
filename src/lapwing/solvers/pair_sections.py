"""Sections of a deformed joint kernel by conjugate gradients, Kronecker factors one by one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..linalg.gram_system import GramSystem
from ..regularizers import PSDOperator
from ..regularizers.joint import PairOperator
from ..spaces import Element, Exact, Space
from ..spaces.pairs import Pairs
from .krylov import conjugate_gradient
from .labelled import PairGram

BATCH = 64
CG_TOL, CG_ITERATIONS = 1e-10, 5000


class FlatOperator(PSDOperator):
    """An operator on (n, q) as one on columns of length n q."""

    def __init__(self, operator: PSDOperator, q: int):
        self.operator = operator
        self.q = q
        self.n = operator.n * q

    def apply(self, F):
        columns = [self.operator.apply(f.reshape(-1, self.q)).reshape(-1) for f in F.T]
        return np.stack(columns, axis=1)


def by_batches(pairs: Pairs, rows: np.ndarray, sections: Callable) -> PairGram:
    """K̃ from the sections of all pairs (row, feature), some at a time."""
    q, n_pairs = pairs.q, pairs.n_points
    at = pair_rows(rows, q)
    gram = np.empty((len(at), len(at)))
    for start in range(0, len(at), BATCH):
        batch = slice(start, start + BATCH)
        gram[:, batch] = pairs.evaluate(sections(units(at[batch], n_pairs)))[at]

    def lifted(G: np.ndarray) -> np.ndarray:
        unit = np.zeros((n_pairs, 1))
        unit[at, 0] = G.ravel()
        return sections(unit).reshape(-1, q)

    return PairGram(four_indices(gram, q), lifted)


def preconditioner(space: Space, operator: PairOperator, ratio: float) -> Callable | None:
    """r ↦ P⁻¹ r for P = I + ratio N K, N the nearby operator that decouples: one LU per column."""
    if operator.nearby is None or not isinstance(space, Exact):
        return None
    R, nearby = operator.nearby
    systems = [GramSystem(space.gram, N.apply, 1.0, ratio) for N in nearby]

    def precondition(r: np.ndarray) -> np.ndarray:
        rotated = np.einsum("ijt,jk->kit", r.reshape(space.n_points, len(R), -1), R)
        solved = np.stack([s.solve(part) for s, part in zip(systems, rotated, strict=True)])
        return np.einsum("kit,jk->ijt", solved, R).reshape(r.shape)

    return precondition


def preconditioned(
    pairs: Pairs, operator: PSDOperator, ratio: float, unit: np.ndarray, precondition: Callable
) -> np.ndarray:
    """(I + ratio M K)⁻¹ unit by conjugate gradients in K's inner product, preconditioned by P."""
    x, r = np.zeros_like(unit), unit.copy()
    z = precondition(r)
    p, rz = z, _dot(r, pairs.evaluate(z))
    goal = CG_TOL**2 * rz
    for _ in range(CG_ITERATIONS):
        Kp = pairs.evaluate(p)
        Ap = p + ratio * operator.apply(Kp)
        step = _safe(rz, _dot(Ap, Kp))
        x += step * p
        r -= step * Ap
        z = precondition(r)
        rz_new = _dot(r, pairs.evaluate(z))
        if np.all(rz_new <= goal):
            break
        p = z + _safe(rz_new, rz) * p
        rz = rz_new
    return x


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("it,it->t", a, b)


def _safe(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)


def sections_by_cg(
    space: Space, operator: PSDOperator, ratio: float, unit: np.ndarray
) -> np.ndarray:
    """(I + Φ* ratio M Φ)⁻¹ represent(unit) by conjugate gradients in the space's metric."""
    nothing = np.zeros_like(unit)
    rhs = space.element(space.represent(nothing, unit))
    if not ratio:
        return rhs.coef

    def apply(v: Element) -> Element:
        pulled = space.represent(ratio * operator.apply(v.values), nothing)
        return space.element(v.coef + pulled)

    tol = CG_TOL * space.norm(rhs)
    return conjugate_gradient(space, apply, rhs, tol=tol, max_iter=CG_ITERATIONS).x.coef


def units(at: np.ndarray, n: int) -> np.ndarray:
    unit = np.zeros((n, len(at)))
    unit[at, np.arange(len(at))] = 1.0
    return unit


def pair_rows(rows: np.ndarray, q: int) -> np.ndarray:
    """The indices of all pairs (row, feature), row-major."""
    return (rows[:, None] * q + np.arange(q)).ravel()


def four_indices(gram: np.ndarray, q: int) -> np.ndarray:
    l = len(gram) // q
    return (0.5 * (gram + gram.T)).reshape(l, q, l, q)
