"""The example runs and says what it promises."""

import re
import runpy
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "plot_32_any_kernel_method.py"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_method_of_the_example_finds_the_classes(capsys):
    runpy.run_path(str(EXAMPLE))
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == 11
    for percent in re.findall(r"([\d.]+) %", printed):
        assert float(percent) > 97
    for number in re.findall(r"(?:AUC|correlation\|) ([\d.]+)", printed):
        assert float(number) > 0.9
