"""``lapwing reproduce`` from the command line."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lapwing.cli import main
from lapwing.progress import Bar, duration
from lapwing_papers import EXPERIMENTS


def test_without_a_name_it_lists_everything(capsys):
    assert main(["reproduce"]) == 0
    out = capsys.readouterr().out
    for kind in EXPERIMENTS:
        assert kind.title in out and kind.names[0] in out
        assert all(name.split("-")[1] in out for name in kind.names)
    assert "uspst_cz.npz" in out and "mtr/" in out


def test_a_small_run_writes_records_and_report(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    out = tmp_path / "out"
    arguments = ["reproduce", "mr-figure9", "--quick", "--repeats", "1", "--out", str(out)]
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert "report.html" in captured.out and "mr-figure2" in captured.err
    lines = (out / "mr-figure2.quick.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["experiment"] == "mr-figure2" and len(lines) == 2
    before = (out / "mr-figure2.quick.jsonl").read_bytes()
    assert main(arguments) == 0  # nothing is left to do
    assert (out / "mr-figure2.quick.jsonl").read_bytes() == before
    assert "Two moons" in (out / "report.html").read_text(encoding="utf-8")
    assert main([*arguments, "--report-only"]) == 0


def test_programs_read_the_list_and_the_result(tmp_path, capsys):
    assert main(["reproduce", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["experiments"]
    assert [one["names"] for one in listed] == [list(kind.names) for kind in EXPERIMENTS]
    assert all(one["minutes"] > 0 and one["repetitions"] >= 1 for one in listed)
    arguments = ["reproduce", "mr-figure9", "--quick", "--out", str(tmp_path), "--json"]
    assert main(arguments) == 0
    data = json.loads(capsys.readouterr().out)
    (one,) = data["experiments"]
    assert data["one_code"] and one["code"] == data["code"] and not one["older"]
    assert one["names"][:2] == ["mr-figure2", "mr-figure3"]
    assert data["claims"] == len(one["claims"])
    assert data["claims_that_hold"] == sum(claim["holds"] for claim in one["claims"])
    ps = {claim["text"]: claim["p"] for claim in one["claims"]}
    assert None in ps.values()  # "without error" needs no test
    assert all(0 <= p <= 1 for p in ps.values() if p is not None)
    assert any(p is not None for p in ps.values())
    assert {Path(name).name for name in data["files"]} == {"report.html", "report.md"}
    assert all(Path(name).is_file() for name in data["files"])


def test_programs_are_told_of_a_report_of_nothing(tmp_path, capsys):
    assert main(["reproduce", "mr", "--report-only", "--json", "--out", str(tmp_path)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["experiments"] == data["files"] == []


def test_a_run_that_is_killed_loses_nothing(tmp_path):
    """kill -9 in the middle, then the same command again."""
    command = [sys.executable, "-m", "lapwing", "reproduce", "mr-figure2", "--quick"]
    path = tmp_path / "mr-figure2.quick.jsonl"
    victim = subprocess.Popen(
        [*command, "--repeats", "500", "--out", str(tmp_path)], stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 120
    while time.monotonic() < until and not (path.exists() and path.read_bytes().count(b"\n") > 1):
        time.sleep(0.05)
    victim.kill()
    victim.wait()
    before = path.read_bytes()
    whole = before[: before.rfind(b"\n") + 1]
    done = whole.count(b"\n") - 1
    assert done >= 1
    assert main([*command[3:], "--repeats", str(done + 1), "--out", str(tmp_path)]) == 0
    after = path.read_bytes()
    assert after.startswith(whole) and after.count(b"\n") == done + 2


def test_a_wrong_name_ends_with_1_and_a_hint(capsys):
    assert main(["reproduce", "mr-tabel3"]) == 1
    assert "mr-table3" in capsys.readouterr().err


def test_missing_data_ends_with_1_before_anything_is_fitted(tmp_path, capsys):
    assert main(["reproduce", "mr-table3", "--data", str(tmp_path), "--out", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert "uspst_cz.npz" in error and not list(tmp_path.iterdir())


def test_a_report_of_nothing_says_so(tmp_path, capsys):
    assert main(["reproduce", "all", "--report-only", "--out", str(tmp_path)]) == 0
    assert "Nothing has been run" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--jobs", "0"], ["--repeats", "-1"]])
def test_wrong_numbers_end_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        main(["reproduce", "mr-table3", *arguments])
    assert end.value.code == 2
    assert "positive" in capsys.readouterr().err


def test_the_bar_counts_and_estimates(monkeypatch, capsys):
    times = iter([0.0, 10.0, 20.0, 30.0, 40.0])
    monkeypatch.setattr("lapwing.progress.time.monotonic", lambda: next(times))
    bar = Bar("work", 4)
    for _ in range(4):
        bar.step()
    lines = capsys.readouterr().err.splitlines()
    assert "1/4" in lines[0] and "about 30 s left" in lines[0]
    assert "4/4" in lines[3] and "done in 40 s" in lines[3]
    assert duration(3.2) == "3 s"
