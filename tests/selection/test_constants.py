"""docs/choosing.md names every constant that decides what is chosen, with its value."""

import ast
import importlib
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import lapwing.selection

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "choosing.md"
ROOM = Path(lapwing.selection.__file__).parent
GUARDS = {
    "HEARD",
    "SMALLEST",
    "REFITS",
    "FEW_PAIRS",
    "AMBIENT_RULE",
    "INTRINSIC_RULE",
    "SURE",
    "LIKELY",
    "SEARCH_ROWS",
    "VOTERS",
    "LARGEST",
    "WIDE",
}
"""What bounds time, guards arithmetic, chooses a word, or is a unit of γ (decision 0003)."""


def documented() -> dict[str, list[float]]:
    table = PAGE.read_text().split("| constant | value | where |")[1].split("\n\n")[0]
    rows = [line.split("|")[1:-1] for line in table.splitlines()[2:]]
    return {
        where.strip(" `"): [
            float(Fraction(v)) for v in re.findall(r"[\d.]+(?:e-?\d+|/\d+)?", value)
        ]
        for _, value, where in rows
    }


@pytest.mark.parametrize("name", documented())
def test_the_page_has_the_value_in_the_code(name):
    module, constant = name.split(".")
    found = getattr(importlib.import_module(f"lapwing.selection.{module}"), constant)
    assert np.ravel(found).tolist() == pytest.approx(documented()[name])


def numbers(path: Path) -> set[str]:
    """Module constants that hold a number."""
    assigned = [n for n in ast.parse(path.read_text()).body if isinstance(n, ast.Assign)]
    return {
        target.id
        for node in assigned
        if not any(isinstance(part, ast.Call | ast.Dict) for part in ast.walk(node.value))
        and any(type(getattr(part, "value", 0)) in (int, float) for part in ast.walk(node.value)
                if isinstance(part, ast.Constant))
        for target in ast.walk(ast.Tuple(node.targets)) if isinstance(target, ast.Name)
    }  # fmt: skip


def test_at_most_fourteen_decide_and_all_are_on_the_page():
    names = documented()
    assert len(names) <= 14
    found = set().union(*(numbers(path) for path in ROOM.glob("*.py")))
    assert found - GUARDS == {name.split(".")[1] for name in names}
