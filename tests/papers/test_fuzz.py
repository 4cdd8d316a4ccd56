"""A few hundred random problems: none ends in a raw error, a wrong answer or a hang."""

from types import SimpleNamespace

import numpy as np
import pytest

from lapwing import LapRLSRegressor
from lapwing_papers.fuzz import Case, Outcome, draw, judge
from lapwing_papers.fuzz.__main__ import main

SEEDS = range(300)

FOUND = [
    1001184,  # an α at its bound, to rounding
    1004532,  # a linear kernel that underflows, under selection
    1004936,  # a certificate of 1e-3 allows more than one of 1e-8
    1006647,  # a row alone rounds otherwise than among others
    1007053,  # a linear kernel that overflows, under selection
    2000903,  # answers of a graph that are no numbers
    2000565,  # nothing of the default to compare with
    2000985,
    2005019,  # sections of a graph that are no numbers
    4004893,  # a gap of the graph's own tolerance, judged by another
    4005474,  # e^{tL} by its expansion in every step of many
    4008855,  # a small gradient where the last digits of the coefficients decide J
    6008761,  # hundreds of refits, each hopeless for libsvm
    40002485,  # ‖f‖² above all floats, γ_A‖f‖² not
    40005155,  # ‖f‖² below all floats, γ_A‖f‖² not
    7008153,  # the square of a size that overflows
    8001564,  # cells whose energy rounding has made indefinite
    7008648,  # eigenvalues that are all equal, of which a part was asked for
]
"""Cases that once ended badly."""


@pytest.mark.parametrize("first", range(0, len(SEEDS), 25))
def test_seeded_cases(first):
    bad = []
    for seed in SEEDS[first : first + 25]:
        case = draw(seed)
        verdict = judge(case)
        if not verdict.passes:
            bad.append(f"{verdict.outcome} {case}: {verdict.reason}")
    assert bad == []


@pytest.mark.parametrize("seed", FOUND)
def test_cases_that_once_ended_badly(seed):
    verdict = judge(draw(seed))
    assert verdict.passes, verdict.reason


def test_a_case_repeats_from_its_seed():
    first, second = draw(7), draw(7)
    assert str(first) == str(second)
    assert judge(first) == judge(second)


class Faulty(LapRLSRegressor):
    """Fits, and then goes wrong in the way it is told."""

    def __init__(self, fault=None):
        super().__init__(gamma_A=1e-3, gamma_I=0.1)
        self.fault = fault

    def fit(self, X, y, sample_weight=None):
        if self.fault == "raw":
            raise ZeroDivisionError
        if self.fault == "leaked":
            np.zeros(2) + np.zeros(3)
        super().fit(X, y)
        if self.fault == "worse":
            self.solution_ = SimpleNamespace(
                **vars(self.solution_) | {"coef": 3.0 * self.solution_.coef}
            )
        while self.fault == "hang":
            pass
        return self


@pytest.mark.parametrize(
    "fault, outcome",
    [
        (None, Outcome.FINE),
        ("raw", Outcome.RAW),
        ("leaked", Outcome.RAW),
        ("worse", Outcome.WRONG),
        ("hang", Outcome.HANG),
    ],
)
def test_the_judge_sees_what_is_wrong(fault, outcome):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, 2))
    y = np.where(np.arange(20) < 10, X[:, 0], np.nan)
    assert judge(Case(0, Faulty(fault), X, y, None, "points"), time_limit=2.0).outcome is outcome


def test_the_command_counts(capsys):
    assert main(["--cases", "5", "--seed", "3"]) == 0
    assert capsys.readouterr().out.startswith("5 cases: ")
