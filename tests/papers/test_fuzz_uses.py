"""Cases of use with the size limits lowered: a few hundred, and what the judge sees."""

import numpy as np
import pytest

from lapwing import LapRLSClassifier
from lapwing.exceptions import ChanceWarning, warn
from lapwing.spaces import choose
from lapwing.spaces.blockwise import Blockwise
from lapwing_papers.fuzz import Outcome, Use, draw, draw_use, judge, judge_use, lowered
from lapwing_papers.fuzz.__main__ import AROUND, main
from lapwing_papers.fuzz.limits import LOWERED
from lapwing_papers.fuzz.uses import FEW_VALUES, RELATIONS
from lapwing_papers.fuzz.worlds import CLASSES, RULE, draw_world

FOUND_USES: list[int] = [
    47100038,  # a small λ on a graph, and unlabeled rows that stayed at zero
    51001180,  # a median distance within two clusters, and with more rows between them
    51002741,  # fifteen real labels: a setting that is chosen, or not, and an interval with both
    51003391,  # three labels a class, "in doubt, more labels would decide"
    51003016,  # fifteen labels, right in 0.82 when left out, and 32 new rows, right in 0.53
    51001379,  # ten labels, of which nine are answered when left out, and 0.6 of the other rows
    5011438,  # an error of three targets that one of them decides
]
"""Uses that once ended badly."""

FOUND_FITS = [
    47500201,  # clusters on a graph by the Hessian energy: conjugate gradients in each product
    47500959,  # by a kernel's norm
    47504203,  # eigenvectors of 0
    47502529,  # a penalty beside which all else vanishes: Lanczos had nothing to begin with
    51600297,  # rows so large that k(x, x) is infinite: no ratio of weights to compare
    51500030,  # steps to a share of the gradient that rounding does not allow: 29 s, now 2
    51503444,  # blockwise over few rows: the kernel was computed again in every product
]
"""Fits that once ended badly with lowered limits."""


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_seeded_uses(first):
    bad = []
    for seed in range(first, first + 20):
        use = draw_use(seed)
        verdict = judge_use(use)
        if not verdict.passes:
            bad.append(f"{verdict.outcome} {use}: {verdict.reason}")
    assert bad == []


@pytest.mark.parametrize("seed", FOUND_USES)
def test_uses_that_once_ended_badly(seed):
    verdict = judge_use(draw_use(seed))
    assert verdict.passes, verdict.reason


@pytest.mark.parametrize("seed", FOUND_FITS)
def test_fits_that_once_ended_badly(seed):
    with lowered():
        verdict = judge(draw(seed, AROUND))
    assert verdict.passes, verdict.reason


@pytest.mark.slow
def test_a_minimum_that_rounding_hides_is_given_up_early(monkeypatch):
    """Each product computes the kernel anew: 14,000 of them in 20 s, and no end."""
    products, evaluate = [], Blockwise.evaluate

    def counted(self, coef):
        products.append(len(coef))
        return evaluate(self, coef)

    monkeypatch.setattr(Blockwise, "evaluate", counted)
    with lowered():
        verdict = judge(draw(51500301, AROUND), time_limit=120.0)
    assert verdict.outcome is Outcome.FLAGGED, verdict.reason
    assert 0 < len(products) < 8_000


def test_limits_are_lowered_everywhere_and_come_back():
    before = choose.EXACT_UP_TO
    with lowered():
        low = choose.EXACT_UP_TO
    assert LOWERED["lapwing.spaces.choose.EXACT_UP_TO"] == low < before
    assert before == choose.EXACT_UP_TO


def test_a_use_repeats_from_its_seed():
    assert str(draw_use(5)) == str(draw_use(5))
    assert {draw_use(seed).name for seed in range(60)} == set(RELATIONS)


class Faulty(LapRLSClassifier):
    """Fits by rule, and then goes wrong in the way it is told."""

    def __init__(self, fault=None, warm_start=False):
        super().__init__(**RULE, warm_start=warm_start)
        self.fault = fault

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y)
        if self.fault == "size" and X.shape[0] > 155:
            self.transduction_ = 1 - self.transduction_
        if self.fault == "warm" and self.warm_start:
            object.__setattr__(self.solution_, "coef", 1.1 * self.solution_.coef)
            object.__setattr__(self.solution_, "base", None)
        return self

    def predict(self, X, *, abstain=None):
        found = super().predict(X, abstain=abstain)
        return found[::-1] if self.fault == "rows" else found

    def predict_proba(self, X):
        found = super().predict_proba(X)
        return found[:, ::-1] if self.fault == "sides" else found

    @property
    def leave_one_out_interval_(self):
        return (0.0, 0.0) if self.fault == "flatters" else super().leave_one_out_interval_


class Sure(LapRLSClassifier):
    """Whatever its left-out labels say, it is sure."""

    def predict_proba(self, X):
        found = super().predict_proba(X)
        return (found == found.max(axis=1, keepdims=True)).astype(float)


@pytest.mark.parametrize(
    "relation, fault",
    [
        ("sides", "size"),
        ("chance", "flatters"),
        ("calibrated", "sides"),
        ("one by one", "warm"),
        ("answers", "rows"),
    ],
)
def test_the_judge_sees_what_is_wrong(relation, fault):
    rng = np.random.default_rng(3)
    world = draw_world(rng, 160, CLASSES, chance=relation == "chance")
    world.labeled[:40] = True
    for model, outcome in ((Faulty(), Outcome.FINE), (Faulty(fault), Outcome.WRONG)):
        verdict = judge_use(Use(0, relation, world, model))
        assert verdict.outcome is outcome, verdict.reason


def test_confidence_that_left_out_labels_do_not_share_is_seen():
    rng = np.random.default_rng(3)
    world = draw_world(rng, 160, CLASSES, chance=True)
    world.labeled[:] = np.arange(160) < 40
    for kind, outcome in ((LapRLSClassifier, Outcome.FINE), (Sure, Outcome.WRONG)):
        verdict = judge_use(Use(0, "calibrated", world, kind(**RULE)))
        assert verdict.outcome is outcome, verdict.reason


def test_few_labels_excuse_only_what_the_fits_have_told():
    world = draw_world(np.random.default_rng(3), 160, CLASSES)
    world.labeled[:] = False
    for c in np.unique(world.truth):
        world.labeled[np.flatnonzero(world.truth == c)[:2]] = True
    assert world.labeled.sum() < FEW_VALUES
    verdict = judge_use(Use(0, "sides", world, Faulty("size")))
    assert verdict.outcome is Outcome.WRONG


def test_a_guess_that_is_not_said_is_seen(monkeypatch):
    world = draw_world(np.random.default_rng(3), 160, CLASSES, chance=True)
    world.labeled[:40] = True
    use = Use(0, "chance", world, LapRLSClassifier(gamma_I=0.0))
    assert judge_use(use).passes

    def silent(message, category):
        if category is not ChanceWarning:
            warn(message, category)

    monkeypatch.setattr("lapwing.estimators.fitting.warn", silent)
    assert "no warning" in judge_use(use).reason


def test_the_command_counts(capsys):
    assert main(["--cases", "3", "--seed", "3", "--kind", "uses"]) == 0
    assert main(["--cases", "3", "--seed", "3"]) == 0
    assert main(["--cases", "3", "--seed", "3", "--real"]) == 0
    assert capsys.readouterr().out.count("3 cases: ") == 3
