"""What the README and CONTRIBUTING show must run."""

import re
from pathlib import Path

import numpy as np
import pytest

from lapwing import ManifoldRegressor
from lapwing.regularizers import Laplacian
from lapwing.testing import check_deformation, check_loss, check_space
from problems import BY_RULE

ROOT = Path(__file__).resolve().parents[1]


def blocks(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.S)


@pytest.mark.parametrize("code", blocks("README.md"), ids=lambda code: code[:30].strip())
def test_the_readme_runs(code, capsys):
    exec(compile(code, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    if "print" in code:
        assert float(printed.split()[0]) < 0.1  # the error on the unlabeled digits
        assert "converged" in printed


def test_the_two_commands_are_there():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for extra, command in (("plot", "lapwing demo"), ("dev", "pytest")):
        line = (
            f'python3 -m venv .venv && .venv/bin/pip install -e ".[{extra}]" && .venv/bin/{command}'
        )
        assert line in text.splitlines()


def test_a_loss_is_one_file():
    """The example of CONTRIBUTING keeps the contract and fits at once."""
    code = blocks("CONTRIBUTING.md")[0].replace("from .base", "from lapwing.losses")
    found: dict = {}
    exec(compile(code, "CONTRIBUTING.md", "exec"), found)
    loss = found["SmoothPinball"](0.9)
    check_loss(loss)
    X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    model = ManifoldRegressor(**BY_RULE | {"loss": loss, "gamma_A": 1e-3}).fit(
        X, [0.0, 1.0, 2.0, float("nan"), 4.0]
    )
    assert model.solution_.status.name == "CONVERGED"


def test_a_space_is_one_file():
    """The other example of CONTRIBUTING keeps the contract too."""
    found: dict = {}
    exec(compile(blocks("CONTRIBUTING.md")[1], "CONTRIBUTING.md", "exec"), found)
    X = np.random.default_rng(0).normal(size=(20, 3))
    space = found["Given"](X, lambda X: X)
    check_space(space, X)
    check_deformation(space, Laplacian().build(X))
