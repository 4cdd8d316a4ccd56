"""Files, folders and arrays become rows; a changed file is matched again; exports come back."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lapwing.io import load
from lapwing.label.images import bitmap, inside
from lapwing.label.opening import export_session, open_session
from lapwing.label.sources import Source, demo_rows, read_rows
from lapwing.tables import TableError


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    kind = rng.integers(2, size=80)
    return pd.DataFrame({
        "height": np.round(rng.normal(5 * kind, 1.0), 4),
        "color": np.where(rng.random(80) < 0.9, np.array(["red", "blue"])[kind], "green"),
        "kind": np.where(np.arange(80) < 8, np.array(["oak", "elm"])[kind], None),
    })  # fmt: skip


@pytest.fixture
def file(frame, tmp_path):
    path = tmp_path / "trees.csv"
    frame.to_csv(path, index=False)
    return path


def test_a_csv_with_some_labels(file, frame):
    before = file.read_bytes()
    session, _ = open_session(str(file), target="kind", annotator="me")
    assert session.n_labels == 8 and sorted(session.state.classes.values()) == ["elm", "oak"]
    assert "kind" not in session.rows.columns
    assert (file.parent / "trees.csv.lapwing").exists()
    session.label(20, "oak")
    session.close()
    assert file.read_bytes() == before
    again, _ = open_session(str(file), target="kind")
    assert again.n_labels == 9 and again.undo() == 1 and again.undo() == 0


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_other_formats(frame, tmp_path, ending):
    path = tmp_path / f"trees.{ending}"
    if ending == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_json(path, orient="records", lines=True)
    session, _ = open_session(str(path), target="kind")
    assert session.n_labels == 8


def test_a_changed_file_keeps_the_labels_of_its_rows(file, frame):
    session, _ = open_session(str(file), target="kind")
    session.label([10, 20, 30], "oak")
    session.close()
    changed = frame.drop(index=20).iloc[::-1].assign(new_column=1.5)
    changed.loc[70, "height"] = 99.0
    changed.to_csv(file, index=False)
    again, said = open_session(str(file), target="kind")
    assert any("has changed" in s for s in said)
    assert any("labels of rows that are not in the file now: 1;" in s for s in said)
    assert again.n_labels == 10
    place = {h: i for i, h in enumerate(again.rows.columns["height"])}
    assert again.labels[place[frame["height"][10]]] == "oak"
    again.close()
    frame.to_csv(file, index=False)
    assert open_session(str(file), target="kind")[0].n_labels == 11


def test_vectors_replace_the_columns(file, tmp_path):
    np.save(tmp_path / "emb.npy", np.random.default_rng(0).normal(size=(80, 5)))
    session, _ = open_session(str(file), vector=str(tmp_path / "emb.npy"))
    assert session.rows.X.shape == (80, 5)
    np.save(tmp_path / "emb.npy", np.zeros((3, 5)))
    with pytest.raises(TableError, match=r"has 3 rows and trees\.csv has 80"):
        read_rows(Source(str(file), vector=str(tmp_path / "emb.npy")))


def test_a_folder_of_images(tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    rng = np.random.default_rng(0)
    for i in range(12):
        (folder / f"{i:02}.png").write_bytes(bitmap(rng.integers(0, 255, (20, 20)).astype("uint8")))
    (folder / "copy.png").write_bytes((folder / "00.png").read_bytes())
    (folder / "notes.txt").write_text("no image")
    session, _ = open_session(str(folder), classes=("cat", "dog"))
    assert session.rows.n == 13 and session.rows.n_points == 12
    assert session.rows.picture(0)[0].startswith(b"\x89PNG")
    assert (tmp_path / "pictures.lapwing").exists()


def test_images_outside_the_folder_are_refused(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(bitmap(np.zeros((8, 8), "uint8")))
    os.symlink(tmp_path / "secret.png", folder / "link.png")
    for name in ("../secret.png", str(tmp_path / "secret.png"), "link.png"):
        with pytest.raises(ValueError, match="outside the data folder"):
            inside(folder, name)
    with pytest.raises(ValueError, match="not an image"):
        inside(folder, "table.csv")


@pytest.mark.parametrize("arguments, message", [
    (["missing.csv"], "There is no file missing.csv"),
    ([], "Which file"),
    (["trees.csv", "--target", "nothing"], "There is no column 'nothing' for --target"),
    (["trees.csv", "--vector", "none.npy"], "There is no file none.npy"),
    (["trees.csv", "--replay", "none.jsonl"], "There is no log none.jsonl"),
    (["trees.csv", "--replay", "trees.csv"], "trees.csv is no log of events: line 1 is not one"),
    (["trees.csv", "--demo"], "Either trees.csv or --demo"),
    (["trees.csv", "--image", "kind"], "images of column 'kind' of trees.csv could be read"),
])  # fmt: skip
def test_what_is_wrong_is_one_sentence_and_leaves_no_session(file, arguments, message):
    command = [sys.executable, "-m", "lapwing.label", "label", "--no-open", *arguments]
    found = subprocess.run(command, cwd=file.parent, capture_output=True, text=True, check=False)
    assert found.returncode == 1 and found.stdout == ""
    assert message in found.stderr and "Traceback" not in found.stderr
    assert not list(file.parent.glob("*.lapwing"))


def test_the_demo_needs_no_file():
    rows, names = demo_rows()
    assert rows.n == 1797 and names == [str(i) for i in range(10)]
    assert rows.picture(0)[1] == "image/png"


@pytest.fixture
def labeled(file):
    session, _ = open_session(str(file), target="kind", annotator="me")
    session.label([10, 20], "oak")
    session.unsure(30)
    session.close()
    return file.parent / "trees.csv.lapwing"


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_export_has_the_columns_and_what_was_said(labeled, frame, tmp_path, ending):
    out = tmp_path / f"out.{ending}"
    written = export_session(labeled, out)
    readers = {"csv": pd.read_csv, "parquet": pd.read_parquet,
               "jsonl": lambda p: pd.read_json(p, lines=True)}  # fmt: skip
    table = readers[ending](out)
    assert table["height"].tolist() == pytest.approx(frame["height"].tolist())
    assert table["lapwing_label"][10] == "oak" and table["lapwing_annotator"][10] == "me"
    assert table["lapwing_source"][[0, 10, 30, 50]].tolist() == [
        "file",
        "person",
        "unsure",
        "model",
    ]
    assert table["kind"][:8].tolist() == frame["kind"][:8].tolist()  # the file's own column
    assert table["kind"][8:].isna().all()
    assert table["lapwing_prediction"].notna().all()
    assert table["lapwing_confidence"].between(0, 1).all()
    assert [p.exists() for p in written] == [True, True, True]
    with pytest.raises(FileExistsError, match="--force"):
        export_session(labeled, out)


def test_the_exported_model_takes_raw_rows(labeled, frame, tmp_path):
    *_, model = export_session(labeled, tmp_path / "out.csv")
    found = load(model).predict(frame[["height", "color"]])
    assert set(found) <= {"oak", "elm"} and len(found) == 80


def test_the_exported_log_makes_the_same_session(labeled, file, tmp_path):
    _, log, _ = export_session(labeled, tmp_path / "out.csv")
    assert json.loads(log.read_text().splitlines()[0])["kind"] == "file"
    place = tmp_path / "again.lapwing"
    again, _ = open_session(str(file), target="kind", session=place, log=log)
    original, _ = open_session(str(file), target="kind")
    assert again.labels == original.labels and again.state.unsure == original.state.unsure


def test_formulas_can_be_guarded(tmp_path):
    path = tmp_path / "sums.csv"
    pd.DataFrame({"a": ["=1+1", "b", "c"], "n": [1.5, 2.5, 0.5]}).to_csv(path, index=False)
    session, _ = open_session(str(path), classes=("x", "y"))
    session.close()
    plain, guarded = tmp_path / "plain.csv", tmp_path / "guarded.csv"
    export_session(Path(f"{path}.lapwing"), plain, model=False)
    export_session(Path(f"{path}.lapwing"), guarded, model=False, guard_formulas=True)
    assert "\n=1+1," in plain.read_text() and "\n'=1+1," in guarded.read_text()


def test_search(file):
    session, _ = open_session(str(file), target="kind")
    rows = session.rows
    assert all("green" in dict(rows.cells(i))["color"] for i in rows.find("green"))
    assert rows.find("color:red").tolist() == rows.find("red").tolist()
    assert rows.find("#5").tolist() == [4] and not len(rows.find("#500"))


def test_a_session_goes_on_with_its_roles(file, tmp_path):
    """Without them the target would be a column to learn from."""
    (tmp_path / "kept").mkdir()
    place = tmp_path / "kept" / "trees.lapwing"
    open_session(str(file), target="kind", text="color", session=place)[0].close()
    for again in ({"data": str(file), "session": place}, {"data": str(place)}):
        session, _ = open_session(**again)
        assert "kind" not in session.rows.columns and session.rows.text == "color"
        session.close()
    changed, _ = open_session(str(file), session=place, text="height")
    assert changed.rows.text == "height" and "kind" not in changed.rows.columns


def test_rows_of_one_group_stay_together(tmp_path):
    """Twins of one person tell each other's label, and nothing tells it of other persons."""
    rng = np.random.default_rng(0)
    person = np.repeat(np.arange(40), 3)
    kind = rng.integers(2, size=40)[person]
    place = rng.normal(size=(40, 4))[person] + rng.normal(scale=0.01, size=(120, 4))
    frame = pd.DataFrame(place, columns=list("abcd")).assign(
        person=[f"p{i}" for i in person],
        kind=np.where(person < 20, np.array(["oak", "elm"])[kind], None),
    )
    path = tmp_path / "twins.csv"
    frame.to_csv(path, index=False)
    shares = {}
    for group in (None, "person"):
        place = tmp_path / f"{group}.lapwing"
        session, said = open_session(str(path), target="kind", group=group, session=place)
        renewed = session.renew(choose=True)
        shares[group] = renewed.wrong / renewed.judged
        assert group is None or "the model does not see person" in said
        session.label(61, "oak")
        drawn = session.start_audit(20, seed=0).points
        near = set(range(60, 63))  # one of these has a label
        assert group is None or not near & set(drawn)
        session.close()
    assert shares["person"] > 0.25 > 0.1 > shares[None]


def test_a_port_in_use_leaves_no_session(file):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "lapwing.label", "label", str(file), "--port", port]
        done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and f"Port {port} cannot be used" in done.stderr
    assert not list(file.parent.glob("*.lapwing*"))
