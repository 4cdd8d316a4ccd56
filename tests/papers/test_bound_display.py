"""The bound against λ: computed as the theory says, drawn with its labels."""

import numpy as np
import pytest

from lapwing.kernels import RBF
from lapwing.pointcloud import MultiViewKernel, complexity_reduction, generalization_bound
from lapwing_papers.inspection import BoundDisplay

rng = np.random.default_rng(0)
y = np.repeat([0, 1], 60)
X = rng.standard_normal((120, 4)) + 1.5 * y[:, None]
ROWS = np.r_[0:8, 60:68]
REST = np.setdiff1d(np.arange(120), ROWS)
VIEWS = [("a", RBF(1.5), [0, 1]), ("b", RBF(1.5), [2, 3])]


def test_bound_falls_with_lambda_and_matches_its_formula():
    kernel = MultiViewKernel(VIEWS, gammas=0.1).fit(X[REST])
    lams = np.array([0.01, 1.0, 100.0])
    display = BoundDisplay.from_kernel(kernel, X[ROWS], y[ROWS], X[REST], y[REST], lams=lams)
    assert (np.diff(display.bound) < 0).all()
    np.testing.assert_allclose(
        display.bound[1],
        generalization_bound(MultiViewKernel(VIEWS, gammas=0.1).fit(X[REST]), X[ROWS]),
    )
    trace = MultiViewKernel(VIEWS, gammas=0.1, lam=0.0).fit(X[REST]).diag(X[ROWS]).sum()
    fall = complexity_reduction(kernel, X[ROWS], lams)
    np.testing.assert_allclose(display.complexity, np.sqrt(trace - fall) / len(ROWS))
    assert ((display.held_out_error >= 0) & (display.held_out_error <= 1)).all()


def test_plot_labels_every_curve():
    pytest.importorskip("matplotlib").use("Agg")
    curve = np.linspace(1.0, 0.5, 3)
    display = BoundDisplay(
        lams=[0.1, 1, 10], bound=curve, complexity=curve, training_error=curve, held_out_error=curve
    ).plot(title="t")
    assert [line.get_label() for line in display.lines_] == [
        "bound on |R̂ − R|", "Rademacher complexity", "held-out error", "training error",
    ]  # fmt: skip
    assert display.ax_.get_title() == "t"


def test_a_cloud_with_labeled_points_is_refused():
    kernel = MultiViewKernel(VIEWS).fit(X)
    with pytest.raises(ValueError, match="independent of the labeled points"):
        BoundDisplay.from_kernel(kernel, X[ROWS], y[ROWS], X[REST], y[REST], lams=[1.0])
    with pytest.raises(TypeError, match="point cloud"):
        BoundDisplay.from_kernel(RBF(1.0), X[ROWS], y[ROWS], X[REST], y[REST])
