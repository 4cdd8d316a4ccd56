"""MV's claim in small: a few draws of one view."""

from pathlib import Path

import pytest

from lapwing.reproduce.mv import comr

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.mark.skipif(
    not (DATA / "webkb_course.npz").exists(), reason="needs ../shared/data/webkb_course.npz"
)
def test_comr_beats_mr_on_the_link_view(tmp_path, capsys):
    comr.main(["--data", str(DATA), "--draws", "3", "--output", str(tmp_path)])
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("method")]
    errors = [float(line.split("error % ")[1].split()[0]) for line in lines]
    page, link = errors[:3], errors[3:]
    assert link[1] < link[0] and link[2] < link[1]
    assert page[2] <= page[0] + 1.0
    assert (tmp_path / "results_comr_link.csv").exists()
