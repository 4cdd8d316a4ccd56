"""Every example of the gallery runs in time and ends with the number that the table expects."""

import csv
import io
import re
import runpy
import time
from contextlib import redirect_stdout
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TABLE = {
    row["example"]: row
    for row in csv.DictReader((EXAMPLES / "expected.csv").open(encoding="utf-8"))
}
SECONDS = 20  # of CPU: other work on the machine does not count


def test_the_table_lists_every_example():
    assert set(TABLE) == {path.stem for path in EXAMPLES.glob("plot_*.py")}
    assert len(TABLE) >= 20


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(TABLE))
def test_the_example_ends_with_its_number(name, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.setattr(pyplot, "show", lambda: None)
    row, printed, began = TABLE[name], io.StringIO(), time.process_time()
    with redirect_stdout(printed):
        found = runpy.run_path(str(EXAMPLES / f"{name}.py"))
    seconds = time.process_time() - began
    pyplot.close("all")
    value = float(found[row["variable"]])
    assert float(row["lowest"]) <= value <= float(row["highest"])
    last = printed.getvalue().strip().splitlines()[-1]
    assert re.search(r"\d", last), "the last line shows the number"
    assert seconds < SECONDS
