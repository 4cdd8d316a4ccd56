"""The reproduction of VV runs from data to tables and pictures, on a tiny problem of its own."""

import csv

import numpy as np
import pytest

from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian
from lapwing.reproduce.vv.data import Split
from lapwing.reproduce.vv.experiment import Setting, rcv1_setting, run, scene_setting
from lapwing.reproduce.vv.report import macro, read_expected, surface, write

pytest.importorskip("matplotlib").use("agg")

rng = np.random.default_rng(0)
X = rng.standard_normal((80, 3))
Y = (X @ rng.standard_normal((3, 4)) > 0).astype(float)
SETTING = Setting(
    "scene", RBF(2.0), Laplacian(KNN(5)), 2, (1e-3,), (0.0, 0.1), (0.0, 1.0), (1e-3, 0.1, 1.0)
)


def test_tables_and_figures_are_written(tmp_path):
    split = Split(X, Y, 50, 15)
    found = [run(SETTING, split.draw(seed)) for seed in range(3)]
    text = write(found, SETTING, tmp_path)
    assert "84.9 (2.3)" in text and "VV-RLS" in text
    with (tmp_path / "table1_scene.csv").open() as file:
        rows = {r["method"]: r for r in csv.DictReader(file)}
    expected = macro(found, (1e-3, 0.1, 1.0)).mean()
    assert float(rows["VVMR"]["auc_unlabelled"]) == pytest.approx(expected, rel=1e-4)
    assert len((tmp_path / "fig1_scene.csv").read_text().splitlines()) == 1 + 4
    assert len((tmp_path / "fig2_scene.csv").read_text().splitlines()) == 1 + 3 * 4
    assert surface(found, SETTING, 1e-3).score.shape == (2, 2)
    for name in ("fig1_scene.png", "fig2_scene.png"):
        assert (tmp_path / name).stat().st_size > 0


def test_draws_share_the_split_and_differ_in_their_labels():
    split = Split(X, Y, 50, 15)
    a, b = split.draw(0), split.draw(1)
    np.testing.assert_array_equal(a.X_test, b.X_test)
    assert a.labelled.sum() == b.labelled.sum() == 15 and (a.labelled != b.labelled).any()
    assert np.isnan(a.Y[~a.labelled]).all()


@pytest.mark.parametrize("make", [scene_setting, rcv1_setting])
def test_the_chosen_setting_is_on_the_grid(make):
    setting = make()
    for gamma_A, gamma_I, gamma_O in setting.methods.values():
        assert gamma_A in setting.gamma_A
        assert gamma_I in setting.gamma_I and gamma_O in setting.gamma_O
    assert read_expected(setting.name)["VVMR"][0] > 84
