"""Bad files, full disks, Ctrl-C: one clear sentence, and nothing is lost."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
pytest.importorskip("skrub")
pytest.importorskip("skops")

from lapwing.cli import main  # noqa: E402
from lapwing.tables.reading import read_file  # noqa: E402

HEAD = "a,b,y\n"


def rows(labels):
    return HEAD + "".join(f"{i * 0.5},{'x' if i % 2 else 'z'},{y}\n" for i, y in enumerate(labels))


@pytest.mark.parametrize("marker", ["unknown", "-9999"])
def test_a_note_names_options_and_not_python(tmp_path, capsys, marker):
    known = ["yes", "no"] * 3 if marker == "unknown" else ["1.5", "2.25"] * 3
    path = tmp_path / "data.csv"
    path.write_text(rows(known + [marker] * 30))
    assert main(["fill", str(path), "--target", "y", "-o", str(tmp_path / "out.csv")]) == 0
    err = capsys.readouterr().err
    assert f"say --unlabeled {marker}." in err and "unlabeled=" not in err
    assert "Leave the cells of unlabeled rows empty" in err


@pytest.mark.parametrize(
    "text, arguments, match",
    [
        ("", [], "is empty"),
        (HEAD, [], "a header and no rows"),
        (rows([""] * 9), [], "No row of column 'y' is labeled"),
        (rows(["u"] * 9), ["--unlabeled", "u"], "No row of column 'y' is labeled"),
        (rows(["q"]), [], "Only one class"),
        (rows(["q"] * 5 + [""] * 5), [], "Only one class is labeled in column 'y': 'q'"),
        (rows(["q", "r"] * 3), ["--target", "z"], "no column 'z' for target; the columns are"),
        (rows(["q", "r"] * 3), ["--drop", "nope"], "no column 'nope' for drop"),
        (rows(["q", "r"] * 3), ["--drop", "a,b"], "No column is left"),
        (rows(["q", "r"] * 3), ["--task", "real"], "real targets are numbers"),
        (rows(["q", "r"] * 3), ["--vector", "none.npy"], "There is no file none.npy"),
        (rows(["q", "r"] * 3), ["--encoding", "klingon"], "no encoding"),
    ],
)
def test_one_clear_sentence(tmp_path, capsys, text, arguments, match):
    path, out = tmp_path / "data.csv", tmp_path / "out.csv"
    path.write_text(text)
    target = [] if "--target" in arguments else ["--target", "y"]
    assert main(["fill", str(path), *target, *arguments, "-o", str(out)]) == 1
    printed, err = capsys.readouterr()
    last = err.strip().splitlines()[-1]
    assert last.startswith("lapwing: ") and match in last and printed == ""
    assert "Traceback" not in err and not out.exists()


@pytest.mark.parametrize("verb", ["look", "fill", "compare", "next", "suspect", "simulate"])
def test_a_directory_and_a_missing_file(tmp_path, capsys, verb):
    for path, words in ((tmp_path, "is a directory"), (tmp_path / "no.csv", "There is no file")):
        assert main([verb, str(path), "--target", "y"]) == 1
        assert words in capsys.readouterr().err


def test_a_byte_order_mark_semicolons_latin_1_and_quoted_newlines(folder, tmp_path, capsys):
    frame = pd.read_csv(folder / "data.csv", dtype=str).drop(columns="price")
    frame["subject"] = frame["subject"] + "\nüber"
    frame["nothing"] = None
    text = frame.to_csv(index=False, sep=";")
    text = text.replace("person", "channel", 1)  # the same name twice
    for encoding, word in (("latin-1", "Latin-1"), ("utf-8-sig", "byte-order mark")):
        path = tmp_path / f"{encoding}.csv"
        path.write_bytes(text.encode(encoding))
        assert main(["fill", str(path), "-t", "topic", "-o", str(tmp_path / encoding)]) == 0
        err = capsys.readouterr().err
        assert word in err and "';'" in err and "'channel' occurs 2 times" in err
        assert "nothing (empty)" in err
        found = pd.read_csv(tmp_path / encoding, dtype=str, sep=";")  # as the file was written
        assert found["subject"].tolist() == frame["subject"].tolist()


def test_decimal_commas_come_back_as_they_went(tmp_path, capsys):
    """What fill writes can be read again: delimiter and decimal sign are those of the file."""
    x = np.linspace(0.25, 5.25, 40)
    y = np.where(np.arange(40) % 4 == 0, np.where(x < 2.5, "low", "high"), "")
    frame = pd.DataFrame({"größe": x, "y": y})
    data, out = tmp_path / "data.csv", tmp_path / "out.csv"
    data.write_bytes(frame.to_csv(index=False, sep=";", decimal=",").encode("latin-1"))
    assert main(["fill", str(data), "-t", "y", "-o", str(out)]) == 0
    capsys.readouterr()
    found = read_file(out)
    assert found.dialect.delimiter == ";" and found.dialect.decimal == ","
    np.testing.assert_allclose(found.frame["größe"], x)
    assert found.frame["lapwing_confidence"].dropna().between(0, 1).all()


def test_nothing_is_replaced_without_force(folder, tmp_path, capsys):
    out = tmp_path / "out.csv"
    out.write_text("precious")
    data = str(folder / "data.csv")
    for verb in (["fill"], ["fit"], ["report"], ["next"], ["compare"]):
        assert main([*verb, data, "-t", "topic", "-o", str(out)]) == 1
        assert "exists; give --force" in capsys.readouterr().err
    assert out.read_text() == "precious"
    assert main(["next", data, "-t", "topic", "-n", "1", "-o", str(out), "--force"]) == 0
    assert out.read_text().startswith("row,")
    assert main(["fill", data, "-t", "topic", "-o", str(tmp_path / "no" / "a.csv")]) == 1
    assert "There is no directory" in capsys.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk_is_said(folder, capsys):
    data = str(folder / "data.csv")
    assert main(["next", data, "-t", "topic", "-n", "1", "-o", "/dev/full"]) == 1
    assert "No space left" in capsys.readouterr().err
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "lapwing", "look", data]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert ran.returncode == 1 and "No space left" in ran.stderr and "Traceback" not in ran.stderr


def test_a_reader_that_has_enough_is_no_error(folder):
    command = f"{sys.executable} -m lapwing fill {folder / 'data.csv'} -t topic | head -1"
    ran = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True
    )
    assert "Traceback" not in ran.stderr and "Broken" not in ran.stderr
    assert ran.stdout.startswith("ticket,") and ran.returncode == 0


def test_ctrl_c_leaves_the_old_file_and_ends_with_130(folder, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("precious")
    data = pd.concat([pd.read_csv(folder / "data.csv", dtype=str)] * 40)
    rng = np.random.default_rng(0)
    data["minutes"] = rng.normal(size=len(data))
    data.to_csv(tmp_path / "large.csv", index=False)
    command = [sys.executable, "-m", "lapwing", "compare", str(tmp_path / "large.csv"),
               "-t", "topic", "-o", str(out), "--force"]  # fmt: skip
    victim = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    time.sleep(0.1)
    assert "rows" in victim.stderr.readline()  # it is at work
    time.sleep(1.0)
    victim.send_signal(signal.SIGINT)
    victim.send_signal(signal.SIGINT)  # of an impatient person
    _, err = victim.communicate(timeout=60)
    assert victim.returncode == 130 and "interrupted" in err and "Traceback" not in err
    assert out.read_text() == "precious"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["large.csv", "out.csv"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["fill"],
        ["fill", "a.csv"],
        ["fit", "a.csv", "-t", "y"],
        ["fill", "a.csv", "-t", "y", "--abstain", "2"],
        ["next", "a.csv", "-t", "y", "-n", "0"],
        ["fill", "a.csv", "-t", "y", "--task", "regression"],
    ],
)
def test_wrong_arguments_end_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2 and "usage: lapwing" in capsys.readouterr().err


def test_a_file_that_is_no_model(tmp_path, capsys):
    (tmp_path / "m").write_text("no model")
    (tmp_path / "a.csv").write_text(rows(["q", "r"]))
    for verb in (
        ["predict", str(tmp_path / "m"), str(tmp_path / "a.csv")],
        ["show", str(tmp_path / "m")],
    ):
        assert main(verb) == 1
        assert "is no model of Lapwing" in capsys.readouterr().err


def test_the_same_seed_gives_the_same_bytes(folder, tmp_path):
    for name in ("a.csv", "b.csv"):
        arguments = ["fill", str(folder / "data.csv"), "-t", "topic", "--seed", "3"]
        assert main([*arguments, "-q", "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
