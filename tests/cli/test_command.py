"""The command line: its exit codes, and the demo from end to end."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

import lapwing
from lapwing.cli import main
from lapwing.cli.comparison import METHODS, Outcome, draw, run_label_spreading, run_laprls
from lapwing.cli.steps import Steps
from lapwing.cli.table import aligned, notes, render

PICTURES = ["digit_map.png", "errors.png", "graph.png", "two_moons.png"]


@pytest.fixture
def one_method(monkeypatch):
    """A table of one quick line, where the methods are not the point."""
    quick = {
        "LapRLSClassifier": lambda split: replace(
            METHODS["SVC"](split), unreached=0, certificate=1e-9
        )
    }
    monkeypatch.setattr("lapwing.cli.demo.METHODS", quick)


def test_version_and_help(capsys):
    for arguments, text in (["--version"], lapwing.__version__), (["demo", "--help"], "--out"):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        assert end.value.code == 0
        assert text in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["demo", "--labels-per-class", "0"],
        ["demo", "--labels-per-class", "1000"],
        ["demo", "--seed", "-1"],
        ["demo", "--draws", "0"],
        ["demo", "--draws", "many"],
    ],
)
def test_wrong_arguments_end_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "lapwing" in capsys.readouterr().err


def test_the_demo_writes_its_pictures_and_names_the_folder(tmp_path, capsys):
    image = pytest.importorskip("matplotlib.image")
    folder = tmp_path / "a" / "b"
    assert main(["demo", "--out", str(folder), "--draws", "1"]) == 0
    out, err = capsys.readouterr()
    assert str(folder) in out
    assert sorted(p.name for p in folder.iterdir()) == PICTURES
    for name in PICTURES:
        pixels = image.imread(folder / name)
        assert min(pixels.shape[:2]) > 200 and pixels.std() > 0.01
        assert name in out
    assert err == ""  # no warning, and no progress where nobody looks
    assert "Two spirals" in out and "points fewer errors than SVC" in out
    for method in METHODS:
        assert method in out


def test_no_plots_writes_nothing(tmp_path, capsys, monkeypatch, one_method):
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--no-plots", "--draws", "1", "--labels-per-class", "2"]) == 0
    out = capsys.readouterr().out
    assert "2 labels per class" in out and "20 labeled" in out
    assert "ictures" not in out and not list(tmp_path.iterdir())


def test_without_matplotlib_the_table_comes_with_a_hint(tmp_path, capsys, monkeypatch, one_method):
    for name in [m for m in sys.modules if m.split(".")[0] == "matplotlib"] + ["matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["demo", "--out", str(tmp_path / "out"), "--draws", "1"]) == 0
    out = capsys.readouterr().out
    assert "LapRLSClassifier" in out and 'pip install "lapwing-learn[plot]"' in out
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_ends_with_1_at_once(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    (tmp_path / "file").write_text("")
    assert main(["demo", "--out", str(tmp_path / "file")]) == 1
    out, err = capsys.readouterr()
    assert not out and "file" in err and "draw 1" not in err


def test_a_draw_splits_all_rows_and_labels_each_class():
    split = draw(3, seed=1)
    assert len(split.y) + len(split.X_unseen) == 1797
    assert np.bincount(split.y[split.labeled]).tolist() == [3] * 10
    assert (split.y[split.labeled] == split.truth[split.labeled]).all()
    again, other = draw(3, seed=1), draw(3, seed=2)
    assert (again.X == split.X).all() and (again.y == split.y).all()
    assert (other.y != split.y).any()


def test_unlabeled_rows_help():
    split = draw(5, seed=0)
    errors = {name: run(split).unlabeled for name, run in METHODS.items()}
    assert errors["LapRLSClassifier"] < 0.5 * errors["SVC"]
    assert run_laprls(split).certificate < 1e-8


def test_rows_that_label_spreading_does_not_reach_are_counted():
    split = draw(1, seed=0)
    far = split.X.copy()
    hidden = np.flatnonzero(~split.labeled)[:100]
    far[hidden] += 1e4  # a hundred images, more than 5 %, that are each other's neighbors
    away = type(split)(far, split.y, split.truth, split.X_unseen, split.truth_unseen)
    assert run_label_spreading(away).unreached >= run_label_spreading(split).unreached + 25
    assert run_laprls(away).unreached == 100


def test_the_table_states_means_and_deviations():
    runs = [Outcome(0.10, 0.2, 1.0, 3, 1e-9), Outcome(0.14, 0.2, 2.0, 4, 1e-8)]
    found = {"A": runs, "Bee": [Outcome(0.05, 0.5, 0.1)] * 2}
    text = "\n".join([render("Digits", found, draw(5, 0), 5), *notes({"Digits": found})])
    row = next(line for line in text.splitlines() if line.startswith("A "))
    assert row.split() == ["A", "12.0", "±", "2.8", "20.0", "±", "0.0", "1.50", "3.5"]
    assert "over 2 draws" in text and "at most 1e-08" in text
    assert "50 labeled, 1297 unlabeled" in text
    assert "Bee makes 7.0 ± 2.0 points fewer errors than A; fewer in 2 of 2 draws." in text


def test_columns_are_aligned():
    lines = aligned([("name", "value"), ("a", "1.5"), ("longer", "10")])
    assert len({len(line) for line in lines}) == 1
    assert lines[2].endswith("  1.5") and lines[3].startswith("longer")


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_rewrites_a_terminal_and_is_silent_elsewhere(terminal, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    steps = Steps(2)
    steps("one")
    steps("two")
    steps.close()
    err = capsys.readouterr().err
    if not terminal:
        assert err == ""
        return
    assert "[1/2] one" in err and "[2/2] two" in err and "2 steps done" in err
    assert (err.count("\r"), err.count("\n")) == (3, 1)


def test_ctrl_c_ends_with_130(monkeypatch, capsys):
    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("lapwing.cli.demo.compare", lambda *_: interrupt(_))
    assert main(["demo", "--no-plots"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_demo_as_json(capsys):
    assert main(["demo", "--no-plots", "--draws", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["draws"] == 1 and found["pictures"] == []
    for methods in found["sets"].values():
        assert all(0 <= outcome["unlabeled"] <= 1 for (outcome,) in methods.values())
