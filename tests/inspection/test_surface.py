"""A path as a map: the right cells, the best one, and a picture."""

import numpy as np
import pytest

import lapwing
from lapwing import VectorValuedRegressor
from lapwing.inspection import SurfaceDisplay

pytest.importorskip("matplotlib").use("agg")

rng = np.random.default_rng(0)
X = rng.standard_normal((20, 2))
Y = np.where(np.arange(20)[:, None] < 9, X @ rng.standard_normal((2, 3)), np.nan)


def path():
    grids = {"gamma_I": [1.0, 0.0], "gamma_O": [0.0, 0.5, 1.0], "gamma_A": [1e-3, 1e-2]}
    return lapwing.path(VectorValuedRegressor(), X, Y, **grids)


def test_from_path_keeps_the_best_of_the_third_parameter():
    display = SurfaceDisplay.from_path(path(), lambda p: p.gamma_I + 10 * p.gamma_O - p.gamma_A)
    np.testing.assert_allclose(display.x, [0.0, 1.0])
    np.testing.assert_allclose(display.y, [0.0, 0.5, 1.0])
    np.testing.assert_allclose(display.score, [[0, 1], [5, 6], [10, 11]] - np.float64(1e-3))
    np.testing.assert_allclose(display.best, (1.0, 1.0, 10.999))


def test_plot_draws_a_cell_for_each_pair():
    display = SurfaceDisplay.from_path(path(), lambda p: p.gamma_O, x="gamma_A").plot()
    assert display.ax_.get_xlabel() == "γ_A" and len(display.ax_.texts) == 6
    import matplotlib.pyplot as plt

    _, ax = plt.subplots()
    assert display.plot(ax, fmt=None).ax_ is ax and not ax.texts
    plt.close("all")


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="one row per y"):
        SurfaceDisplay([0, 1], [0], np.zeros((2, 2)), "a", "b")
    with pytest.raises(ValueError, match="no parameter"):
        SurfaceDisplay.from_path([], lambda p: 0.0, x="sigma")
