"""What a fit needs is said before it is allocated, within a factor of 1.5 of its peak."""

import sys
import tracemalloc

import numpy as np
import pytest

from lapwing import (
    CoMRClassifier,
    CoRLSClassifier,
    DeformedKernel,
    KernelFeatures,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapSVC,
    MultiViewKernel,
    StructuredLapSVC,
)
from lapwing.graphs import Complete, Radius
from lapwing.linalg import memory
from lapwing.outputs import Ring
from lapwing.regularizers import Heat, KernelNorm, Laplacian
from problems import BY_RULE, VIEWS_BY_RULE

N = 1100
X = np.random.default_rng(0).standard_normal((N, 6))
FULL = (X[:, 0] > 0).astype(int)
FEW = np.where(np.arange(N) < 50, FULL, -1)
RULE = dict(BY_RULE)
TWO = [("a", "rbf", [0, 1, 2]), ("b", "rbf", [3, 4, 5])]
THREE = [(name, "rbf", [2 * j, 2 * j + 1], Laplacian()) for j, name in enumerate("abc")]

FITS = {
    "LapRLS": lambda: LapRLSClassifier(**RULE).fit(X, FEW),
    "LapSVC, all rows labeled": lambda: LapSVC(**RULE).fit(X, FULL),
    "logistic, all rows labeled": lambda: LapLogisticClassifier(**RULE).fit(X, FULL),
    "CoMR": lambda: CoMRClassifier().fit(X, FEW),
    "CoMR, two views": lambda: CoMRClassifier(TWO, **VIEWS_BY_RULE).fit(X, FEW),
    "CoRLS, three views with graphs": lambda: CoRLSClassifier(THREE, **VIEWS_BY_RULE).fit(X, FEW),
    "Heat": lambda: LapRLSClassifier(**RULE | {"regularizer": Heat()}).fit(X, FEW),
    "KernelNorm": lambda: LapRLSClassifier(**RULE | {"regularizer": KernelNorm("rbf")}).fit(X, FEW),
    "Complete": lambda: LapRLSClassifier(
        **RULE | {"regularizer": Laplacian(Complete())}
    ).fit(X, FEW),
    "Radius": lambda: LapRLSClassifier(
        **RULE | {"regularizer": Laplacian(Radius(100.0))}
    ).fit(X, FEW),
    "structured": lambda: StructuredLapSVC(output=Ring(4)).fit(X, np.where(FEW < 0, -1, 2 * FEW)),
    "DeformedKernel": lambda: DeformedKernel().fit(X)(X),
    "MultiViewKernel": lambda: MultiViewKernel(TWO).fit(X)(X),
    "KernelFeatures": lambda: KernelFeatures().fit(X),
}  # fmt: skip


@pytest.mark.parametrize("name", FITS)
def test_the_guards_are_honest(name, monkeypatch):
    """The peak is that of the guard which asks for most, beside what is held by then."""
    asked = []

    def required(needed, *_):
        asked.append(tracemalloc.get_traced_memory()[0] + needed)

    real = memory.require_bytes
    for module in [m for key, m in sys.modules.items() if key.startswith("lapwing.")]:
        if vars(module).get("require_bytes") is real:
            monkeypatch.setattr(module, "require_bytes", required)
    tracemalloc.start()
    try:
        kept = FITS[name]()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    del kept
    assert 1 / 1.6 < peak / max(asked) < 1.5


@pytest.mark.parametrize("name", ["CoMR, two views", "KernelNorm", "KernelFeatures"])
def test_what_does_not_fit_is_refused(name, monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 4 * N * N)
    with pytest.raises(MemoryError, match="needs about"):
        FITS[name]()
