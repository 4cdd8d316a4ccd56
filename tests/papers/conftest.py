"""Where the real data are, and a tiny experiment of which everything is known."""

import time
from pathlib import Path

import numpy as np
import pytest

from lapwing_papers import Experiment
from lapwing_papers.table import build_table

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture
def data():
    if not DATA.is_dir():
        pytest.skip("the papers' data are not in ../shared/data")
    return DATA


class Coins(Experiment):
    """Two methods whose values follow from the seed alone."""

    names = ("mr-coins", "mr-dice")
    title = "Coins"
    repetitions = 5
    quick_repetitions = 2
    parts = ("left", "right")
    minutes = 0.01
    protocol = "Values drawn from the seed, *nothing* learned."

    def run_one(self, repetition, part, seed):
        rng = np.random.default_rng([seed, len(part)])
        time.sleep(0.01 * rng.uniform())  # units of work finish in another order than they start
        base = rng.uniform()
        return [
            {"method": "A", "measure": "error %", "value": base},
            {"method": "B", "measure": "error %", "value": base + 0.1 + 0.01 * rng.uniform()},
        ]

    def tables(self, records):
        table = build_table(
            records, self.printed("3"), name="Table 0", caption="Nothing.", rows=["A", "B"],
            columns=["error %"], against={"B": "A"}, digits=3,
        )  # fmt: skip
        return [table]


@pytest.fixture
def coins():
    return Coins()
