"""(γ I + G K) c = r for r on few rows that G holds: a Cholesky factor, and few CG steps."""

from typing import Any

import numpy as np
import scipy.linalg
from scipy.linalg import lapack

from .block_cg import LITTLE, mixtures, solve_block
from .columns import norms, products, units
from .memory import require_bytes
from .product import FEW, combined, inner, product, solved
from .quadratic_form import QuadraticForm
from .symmetric_forms import choose_symmetric_form

TARGET = 8e-11  # relative residual that conjugate gradients stop at
ENOUGH = 1e-10  # true one that is as good
ACCEPT = 1e-8  # and what it may be where rounding stops it, as it would stop float64 factors
ROUGH = 1e-6  # residual of sections, whose error enters what is read off them squared
SURE = 2e-9  # what more steps may change in K̃, relative to its eigenvalues
SLOW = 1e-2  # part of what a step has gained that the next one is taken to gain, at least
WORTH = 1e-6  # share of all gains from which on it is worth asking how sure K̃ is
SHARE = 20  # steps of so many columns as a 20th of the points cost what float64 does
STEPS = 16  # conjugate gradient steps until the true residual is looked at
ROUNDS = 4
TRUE = 0.3  # part of a residual by which it may be mistaken
HOPELESS = 0.03  # what a round must gain, or float64 is the shorter way


class ShiftedSystem:
    """A = γ I + (diag(v) + λM) K with v > 0 at the labeled rows, by a symmetric positive S.

    Half the operations of an LU factor in float32, which is half of one in float64. The factor
    of S is not refined with but preconditions conjugate gradients, so that a few eigenvalues it
    has missed cost a few steps. These cost 4n² operations a column each, and with many columns a
    float64 factor, which needs none, is the shorter way.

    Parameters
    ----------
    K : array of shape (n, n)
        Symmetric PSD.
    form : QuadraticForm
        v and λM, nothing taken off.
    gamma : float > 0
    columns : int
        How many right-hand sides there will be.
    """

    def __init__(self, K: np.ndarray, form: QuadraticForm, gamma: float, columns: int = 1):
        self.K = K
        self.form = form
        self.gamma = gamma
        frame = choose_symmetric_form(form)
        self._factor: np.ndarray | None = None
        if frame is not None:
            self.frame = frame
            self.dtype: Any = self._precision(columns)
            self._factor = self._factored()

    @property
    def sound(self) -> bool:
        """Whether there is an S, and float32 has left it positive."""
        return self._factor is not None

    def solve(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """c and K c; None where float32 is not enough.

        An R at other rows than those with weights is answered to few digits only, as a correction
        needs: c = (R − Bᵀz)/γ with S z = B K R.
        """
        rows = np.flatnonzero(R.any(axis=1))
        if 0 < len(rows) < R.shape[1]:  # a column for each of them will do
            each = self.solve(units(rows, len(R)))
            if each is None:
                return None
            c = combined(each[0], R[rows])
            return c, product(self.K, c)  # a mixture of values is not the mixture's, to rounding
        s = self.frame.right(R)
        found = self.dual(self.frame.gather(product(self.K, R)) if s is None else s)
        if found is None or s is not None:
            return found and found[:2]
        c = (R - found[0]) / self.gamma
        f = product(self.K, c)
        rest = R - self.gamma * c - self.form.apply(f)
        return (c, f) if _worst(rest, _scales(R)) < HOPELESS else None

    def dual(
        self, s: np.ndarray, tol: float = TARGET, enough: float = ENOUGH, start=None, wanted=None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
        """c = spread(z), K c, z with S z = s, and s − S z; None where float32 is not enough.

        Parameters
        ----------
        s : array of shape (N, t)
        tol, enough : float
            Relative residual to stop at; true one beyond which nothing more is tried.
        start : array of shape (N, t), optional
            z to start from; it becomes z.
        wanted : callable, optional
            After a step (what it has gained of sᵀz, s − S z, c, K c) ↦ the mixtures of columns to
            go on with, none to end, as of :func:`.solve_block`.
        """
        scale, best, done = _scales(s), np.inf, False
        z, rest, c, f = self._begin(s, start)
        if _worst(rest, scale) <= enough:
            return c, f, z, rest

        def watched(gain, left, _, more_c, more_f) -> np.ndarray:
            nonlocal done
            assert wanted is not None
            mixed = wanted(gain, left, c + more_c, f + more_f)
            done = not mixed.shape[1]
            return mixed

        watch = None if wanted is None else watched
        for _ in range(ROUNDS):
            goal = np.minimum(tol * scale / _scales(rest), 0.5)
            more = solve_block(self._apply, rest, goal, STEPS, self._precondition, watch)
            for total, part in zip((z, c, f), (more[0], *more[2:]), strict=True):
                total += part
            rest = s - self.frame.apply(self.gamma, z, c, f)
            if not done and self._drifted(s, z, rest, scale):
                f = product(self.K, c)
                rest = s - self.frame.apply(self.gamma, z, c, f)
            left = _worst(rest, scale)
            slow = not left < HOPELESS * min(best, 1.0)
            if done or left <= enough or (slow and left <= ACCEPT):  # rounding allows no more
                return c, f, z, rest
            if slow:
                return None
            best = left
        return None

    def _drifted(self, s, z, rest, scale: np.ndarray) -> bool:
        """Whether s − S z, from values summed over the steps, is not that of the summed z.

        Of few columns it is taken to be. Of many one mixture is looked at: what all of them miss
        does not cancel in it.
        """
        if len(scale) <= FEW:
            return True
        mix = np.random.default_rng(0).standard_normal((len(scale), 1)) / scale[:, None]
        claimed = combined(rest, mix)
        true = combined(s, mix) - self._apply(combined(z, mix))[0]
        return not norms(true - claimed)[0] <= TRUE * norms(claimed)[0]

    def _apply(self, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """S Z, c = spread(Z) and K c."""
        c = self.frame.spread(Z)
        f = product(self.K, c)
        return self.frame.apply(self.gamma, Z, c, f), c, f

    def _precondition(self, R: np.ndarray) -> np.ndarray:
        scale = float(norms(R).max(initial=0.0)) or 1.0
        small = np.empty(R.shape, dtype=self.dtype, order="F")
        np.divide(R, scale, out=small, casting="same_kind")
        assert self._factor is not None
        x = solved(self._factor, small)
        return np.multiply(x, scale, dtype=np.float64, order="C")

    def _precision(self, columns: int) -> Any:
        """float64 where it spares more work on so many columns than its factor costs.

        A step with float32 leaves of an error about what rounding is to the least eigenvalue.
        """
        rounding = 0.3 * np.sqrt(len(self.K)) * np.finfo(np.float32).eps
        with np.errstate(all="ignore"):
            left = rounding * self.frame.stretch(self.K, self.gamma)
        steps = max(np.log(TARGET) / np.log(min(max(left, TARGET), 0.1)), 2.0)
        return np.float64 if columns * (steps - 1.0) * SHARE > len(self.K) else np.float32

    def _begin(self, s: np.ndarray, start: np.ndarray | None) -> tuple[np.ndarray, ...]:
        """z to start from, s − S z, c and K c."""
        if start is not None:
            applied, c, f = self._apply(start)
            return start, s - applied, c, f
        if self.dtype == np.float64:
            z = self._precondition(s)
            z /= norms(z).max(initial=0.0) or 1.0
            applied, c, f = self._apply(z)
            energy = float(products(z, applied).sum())
            size = float(products(z, s).sum()) / (energy or 1.0)  # S is factored up to a factor
            if np.isfinite(size):
                return size * z, s - size * applied, size * c, size * f
        zero = np.zeros((2, len(self.K), s.shape[1]))
        return np.zeros_like(s), s, *zero

    def _factored(self) -> np.ndarray | None:
        n, frame = len(self.K) + len(self.frame.rows), self.frame
        require_bytes(
            self.dtype().itemsize * n * n,
            f"The factor of a system of order {n}",
            "Use space='blockwise' (slow, little memory), a linear kernel, or fewer rows.",
        )
        S = frame.assemble(self.K, self.gamma, self.dtype)
        # Cholesky's own errors, relative to the diagonal, may have either sign
        S.flat[:: len(S) + 1] *= self.dtype(1.0 + 0.25 * np.sqrt(n) * np.finfo(self.dtype).eps)
        (potrf,) = lapack.get_lapack_funcs(("potrf",), (S,))
        factor, info = potrf(S.T, lower=0, clean=0, overwrite_a=1)
        return factor if info == 0 else None


class UnshiftedKernel:
    """K̃ = Φ (γ I + λΦ*MΦ)⁻¹ Φ* at some rows: weights v lent to them, and taken back on l × l.

    Without labels nothing holds the smoothest functions, K̃ has entries of 1/γ, and float32 fails.
    With v, A = γ I + (v + λM) K is well conditioned. With C ≈ A⁻¹E, E the rows' unit vectors, and
    what is missing ρ = E − A C, A being self-adjoint in K's metric,

        S = EᵀKC + (KC)ᵀρ,    K̃ = (S⁻¹ − v)⁻¹,    K̃R = A⁻¹(R + v f),  f = K̃R at the rows,

    S is wrong by squares only: γ times what conjugate gradients have still to gain, and a square of
    the residual, which the form adds where it knows it
    (:meth:`.SymmetricForm.squares`). The steps end where that cannot change K̃. Nothing large is
    subtracted from anything large.

    Parameters
    ----------
    K, gamma : as of :class:`ShiftedSystem`
    form : QuadraticForm
        λM alone.
    rows : integer array of shape (l,)
    """

    def __init__(self, K: np.ndarray, form: QuadraticForm, gamma: float, rows: np.ndarray):
        v = np.zeros(len(K))
        self.v = v[rows] = 1.0 / max(len(rows), 1)
        self.rows = rows
        self.system = ShiftedSystem(K, QuadraticForm(form.operator, form.lam, v), gamma)
        self.kernel: np.ndarray | None = None
        if not self.system.sound:
            return
        s = self.system.frame.right(units(rows, len(K)))
        assert s is not None
        self._last = self._total = 0.0
        found = self.system.dual(s, ROUGH, 3.0 * ROUGH, wanted=self._wanted)
        if found is not None:
            C, F, self._Z, rest = found
            self.kernel = self._kernel(self._read(C, F, rest))

    def _read(self, C: np.ndarray, F: np.ndarray, rest: np.ndarray) -> np.ndarray:
        """S from C ≈ A⁻¹E, F = K C and what is left of the frame's right-hand sides."""
        rho = -self.system.gamma * C - self.system.form.apply(F)
        rho[self.rows, np.arange(len(self.rows))] += 1.0
        return F[self.rows] + inner(F, rho) + self.system.frame.squares(rest)[0]

    def _kernel(self, S: np.ndarray) -> np.ndarray:
        most = float(np.trace(self.system.K[np.ix_(self.rows, self.rows)])) / self.system.gamma
        # no eigenvalue beyond K's own, over γ
        return unshifted(S, self.v, 1.0 / (1.0 + self.v * most))

    def _wanted(self, gain: np.ndarray, rest, C, F) -> np.ndarray:
        """The mixtures of sections, (l, r), that more steps would change K̃ by.

        Were Δ taken off S, K̃ would lose (1 + v k)² qᵀΔq of an eigenvalue k with eigenvector q.
        Steps gain less and less, the part of the last one that it was of the one before, or so; and
        of a mixture no more than the squares of what is left of it.
        """
        size, last = float(np.trace(gain)), self._last
        self._last, self._total = size, self._total + size
        part = max(SLOW, min(size / last, 1.0)) if last else 1.0
        if not size * part <= WORTH * self._total:
            return np.eye(len(gain))
        known, guess = self.system.frame.squares(rest)
        missing = part * self.system.gamma * gain + guess
        k, Q = scipy.linalg.eigh(self._kernel(self._read(C, F, rest)), check_finite=False)
        grown = 1.0 + self.v * k
        with np.errstate(all="ignore"):
            Q *= grown / np.sqrt(SURE * (k + 1e-3 * k[-1]))  # what is allowed has size 1
        if (products(Q, inner(missing, Q)) <= 1.0).all():
            return Q[:, :0]
        return combined(Q, mixtures(inner(Q, inner(known + guess, Q)), LITTLE))

    def solve(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """(γ I + λMK)⁻¹R and K times it, for an R that is zero but at the rows."""
        assert self.kernel is not None
        right = np.zeros(R.shape)
        right[self.rows] = R[self.rows] + self.v * (self.kernel @ R[self.rows])
        s = self.system.frame.right(right)
        assert s is not None
        found = self.system.dual(s, start=combined(self._Z, right[self.rows]))
        return None if found is None else found[:2]


def unshifted(S: np.ndarray, v: float, least: float) -> np.ndarray:
    """(S⁻¹ − v)⁻¹, a matrix function of S; rounding may hide that 1 − v s ≥ ``least``."""
    s, Q = scipy.linalg.eigh(0.5 * (S + S.T), check_finite=False)
    s = np.maximum(s, 0.0)
    return (Q * (s / np.maximum(1.0 - v * s, least))) @ Q.T


def downdated(system: ShiftedSystem, U: np.ndarray | None, R: np.ndarray):
    """(A − U UᵀK)⁻¹R and K times it, U on the same rows as R; None where float32 is not enough."""
    if not system.sound:
        return None
    t = R.shape[1]
    found = system.solve(R if U is None else np.hstack([R, U]))
    if found is None or U is None:
        return found
    C, F = found
    small = np.eye(U.shape[1]) - U.T @ F[:, t:]
    b = np.linalg.solve(small, U.T @ F[:, :t])
    return C[:, :t] + C[:, t:] @ b, F[:, :t] + F[:, t:] @ b


def _scales(B: np.ndarray) -> np.ndarray:
    found = norms(B)
    return np.where(found > 0, found, 1.0)


def _worst(rest: np.ndarray, scale: np.ndarray) -> float:
    """The largest relative column norm; not-a-number counts as infinite."""
    worst = float(np.max(norms(rest) / scale, initial=0.0))
    return worst if np.isfinite(worst) else np.inf
