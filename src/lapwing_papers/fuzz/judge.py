"""What became of a case, judged by relations that hold whatever was drawn."""

from __future__ import annotations

import signal
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from lapwing.estimators.base import ManifoldModel
from lapwing.estimators.fitting import readout_at
from lapwing.spaces import Element

from .cases import Case

TIME_LIMIT = 20.0
CLEAR = (ValueError, TypeError, MemoryError)


class Outcome(StrEnum):
    """The first three are as they should be."""

    FINE = "fine"
    FLAGGED = "flagged"  # not converged, and said so
    CLEAR = "clear error"
    RAW = "raw error"
    WRONG = "wrong"
    HANG = "hang"


@dataclass(frozen=True)
class Verdict:
    outcome: Outcome
    reason: str = ""

    @property
    def passes(self) -> bool:
        return self.outcome in (Outcome.FINE, Outcome.FLAGGED, Outcome.CLEAR)


class TimeIsUp(BaseException):
    """Not an Exception: nothing on the way may catch it."""


def judge(case: Case, time_limit: float = TIME_LIMIT) -> Verdict:
    """Fit the case within its time and look at the result."""
    try:
        with limited(time_limit), warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            model = clone(case.model)
            fitted = _fitted(model, case)
            wrong = _look(fitted, case)
        if wrong:
            return Verdict(Outcome.WRONG, wrong)
        said = any(issubclass(w.category, ConvergenceWarning) for w in heard)
        return Verdict(Outcome.FLAGGED if said else Outcome.FINE)
    except TimeIsUp:
        return Verdict(Outcome.HANG, f"more than {time_limit:g} s of CPU")
    except Exception as error:
        return judged_error(error)


def _fitted(model, case: Case):
    if case.y is None:
        return model.fit(case.X)
    if case.weight is None:
        return model.fit(case.X, case.y)
    return model.fit(case.X, case.y, sample_weight=case.weight)


def judged_error(error: Exception) -> Verdict:
    """An error is clear where our checks, or scikit-learn's, raise it; else it has leaked."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    ours = "/lapwing/" in last.filename or "/sklearn/" in last.filename
    raw = isinstance(error, np.linalg.LinAlgError) or not isinstance(error, CLEAR)
    text = f"{type(error).__name__}: {str(error)[:200]} ({last.filename}:{last.lineno})"
    return Verdict(Outcome.CLEAR if ours and not raw else Outcome.RAW, text)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """So many seconds of the processor's time: a busy machine is no hang."""

    def up(*_):
        raise TimeIsUp

    before = signal.signal(signal.SIGPROF, up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def _look(model, case: Case) -> str:
    """What is wrong with a fitted model; nothing where nothing is."""
    if not isinstance(model, ManifoldModel):
        return "" if np.isfinite(model.embedding_).all() else "an embedding that is not finite"
    solution = model.solution_
    converged = solution.status.name == "CONVERGED"
    if converged and not (np.isfinite(solution.optimality) and solution.optimality >= -1e-9):
        return f"converged at the certificate {solution.optimality}"
    found = Element(model.objective_.space, solution.coef).readout
    if not np.isfinite(found).all():
        return "converged, but not finite" if converged else ""
    if not converged:
        return ""
    return _same_at_the_points(model, case, found) or _least(model)


def _same_at_the_points(model, case: Case, found: np.ndarray) -> str:
    """predict(X) is the transduction, whole or row by row.

    Where another function answers for new points (``space="graph"``), it must be finite, and the
    same for a row alone as among others.
    """
    if model.extension_ is not None:
        return _same_alone(model, case)
    size = 1e-5 * (float(np.abs(found).max()) or 1.0) + _lost_to_rounding(model, case, found)
    for X, rows in ((case.X, slice(None)), (case.X[:1], slice(0, 1))):
        apart = float(np.abs(readout_at(model, X) - found[rows]).max())
        if not apart <= size:
            return f"predict differs from the transduction by {apart:.1e}, not {size:.1e}"
    return ""


def _same_alone(model, case: Case) -> str:
    whole, alone = readout_at(model, case.X), readout_at(model, case.X[:1])
    if not np.isfinite(whole).all():
        return "predict is not finite"
    apart = float(np.abs(whole[:1] - alone).max())
    size = 1e-6 * float(np.abs(whole).max()) + 10.0 * _moved_by_x(model, case, whole)
    return "" if apart <= size else f"a row alone differs by {apart:.1e} from itself among others"


def _lost_to_rounding(model, case: Case, found: np.ndarray) -> float:
    """How far the last digits of the coefficients and of X move f: Kc cancels where c is large."""
    rng, coef = np.random.default_rng(0), model.solution_.coef
    noise = 1.0 + 1e-13 * rng.standard_normal(coef.shape)
    moved = Element(model.objective_.space, coef * noise).readout
    return 10.0 * max(float(np.abs(moved - found).max()), _moved_by_x(model, case, found))


def _moved_by_x(model, case: Case, found: np.ndarray) -> float:
    """How far the last digits of X move the answers."""
    X = case.X.toarray() if sp.issparse(case.X) else np.asarray(case.X, dtype=np.float64)
    nearby = X * (1.0 + 1e-14 * np.random.default_rng(1).standard_normal(X.shape))
    return float(np.abs(readout_at(model, nearby) - found).max())


def _least(model) -> str:
    """No function is better than the one called the minimizer: not 0, not 0.9 or 1.1 times it,

    and for squares not the solution of the dense normal equations.
    """
    objective, coef = model.objective_, model.solution_.coef
    reached = float(objective.value(objective.space.element(coef)).sum())
    origin = float(objective.value(objective.start).sum())
    room = 1e-5 * max(abs(origin), abs(reached)) + 1e-300
    slope, size = _certified_slope(model), _size(objective, coef)
    if not slope:  # a gap is in units of J
        room += max(0.0, model.solution_.optimality) * max(abs(origin), abs(reached))
    for factor in (0.0, 0.9, 1.1):
        other = float(objective.value(objective.space.element(factor * coef)).sum())
        # J(c) − J(sc) ≤ (1 − s)⟨∇J(c), c⟩, since J is convex: what the certificate allows
        if other < reached - room - abs(1.0 - factor) * slope * size:
            return f"{factor:g} f has J = {other:.6e} < {reached:.6e}"
    dense = _dense_optimum(objective)
    if objective.gamma_A:  # J − min J ≤ ‖∇‖²/(4 γ_A): what the certificate allows
        room += slope**2 / (4.0 * objective.gamma_A)
    if dense is not None and not reached <= dense + room + 1e-3 * abs(dense):
        return f"J = {reached:.6e}, but the dense minimum is {dense:.6e}"
    return ""


def _certified_slope(model) -> float:
    """What the solution says of ‖∇‖ in the space; 0 for a gap."""
    if not model.objective_.loss.smooth:
        return 0.0
    scale = model.objective_.scale
    return model.solution_.optimality * float(np.sqrt(len(scale)) * scale.max())


def _size(objective, coef: np.ndarray) -> float:
    return float(np.sqrt((objective.space.element(coef).norm ** 2).sum()))


def _dense_optimum(objective) -> float | None:
    """min J for squares over one Gram matrix, by an eigenbasis and least squares; else None."""
    space, K = objective.space, objective.space.gram
    if not len(K) or not objective.loss.quadratic or objective.w.shape[1] > 1:
        return None
    if len(objective.value(objective.start)) != objective.n_columns or space.n_rows != len(K):
        return None
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    kept = values > 1e-14 * max(values[-1], 0.0)
    phi = vectors[:, kept] * np.sqrt(values[kept])  # f = φu, ‖f‖² = ‖u‖²
    free = space.free
    root = np.sqrt(objective.w)
    smooth = _root(objective.operator.toarray()) @ phi if objective.lam else phi[:0]
    A = np.vstack(
        [
            root * np.hstack([phi, free])[objective.rows],
            np.sqrt(objective.lam) * np.hstack([smooth, np.zeros((len(smooth), free.shape[1]))]),
            np.sqrt(objective.gamma_A) * np.eye(phi.shape[1], phi.shape[1] + free.shape[1]),
        ]
    )
    b = np.zeros((len(A), objective.n_columns))
    b[: len(objective.rows)] = root * objective.y
    x = np.linalg.lstsq(A, b, rcond=None)[0]
    return float(((A @ x - b) ** 2).sum())


def _root(M: np.ndarray) -> np.ndarray:
    """S with M = SᵀS."""
    values, vectors = np.linalg.eigh(0.5 * (M + M.T))
    return np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
