"""The shared core: same records for any number of jobs, nothing lost, tables that add up."""

import json
import re

import numpy as np
import pytest
from joblib import parallel_config
from scipy.stats import ttest_rel

from lapwing.inspection.canvas import load
from lapwing_papers import EXPERIMENTS, find
from lapwing_papers.claims import Claim, everywhere, higher, lower, mostly_lower, slower, tally
from lapwing_papers.draws import hidden_but, labeled_rows, labels_with_every_class, seed_of
from lapwing_papers.expected import Printed
from lapwing_papers.figures import Figure, curves
from lapwing_papers.mr.isolet import _for_every_speaker
from lapwing_papers.mr.webkb import _similar
from lapwing_papers.mt.tables import _of_the_maps
from lapwing_papers.records import Records
from lapwing_papers.report import about_code, as_data, section, write_report
from lapwing_papers.runner import open_store, run
from lapwing_papers.table import Cell, cell_texts


def test_the_number_of_jobs_does_not_matter(coins, tmp_path):
    one = run(coins, tmp_path / "one", jobs=1).records()
    with parallel_config("threading"):  # other processes could not import this experiment
        two = run(coins, tmp_path / "two", jobs=2).records()
    assert len(one) == 5 * 2 * 2
    assert list(one) == list(two)


def test_every_record_names_the_code_that_made_it(coins, tmp_path):
    store = run(coins, tmp_path)
    now = store.present
    assert store.code() == {now: 10} and store.is_present
    path = tmp_path / "mr-coins.jsonl"
    path.write_text(path.read_text().replace(now, "0123456789", 3))
    store = open_store(coins, tmp_path)
    assert store.code() == {"0123456789": 3, now: 7} and not store.is_present
    size = section(coins, store, whole="fedcba9876", pictures=False).size
    assert "code 0123456789 (3 of 10 parts)" in size and f"{now} (7 of 10" in size
    assert "OLDER CODE" in size and "fedcba9876" not in size


def test_another_seed_is_another_run(coins, tmp_path):
    a = run(coins, tmp_path / "a", repetitions=1).records().values()
    b = run(coins, tmp_path / "b", repetitions=1, seed=1).records().values()
    assert not np.isclose(a, b).any()


def test_a_killed_run_goes_on_where_it_stopped(coins, tmp_path, monkeypatch):
    whole = run(coins, tmp_path / "whole").records()
    finished = []
    original = type(coins).run_one

    def dies(self, repetition, part, seed):
        if len(finished) == 3:
            raise KeyboardInterrupt
        finished.append((repetition, part))
        return original(self, repetition, part, seed)

    monkeypatch.setattr(type(coins), "run_one", dies)
    with pytest.raises(KeyboardInterrupt):
        run(coins, tmp_path / "cut")
    assert open_store(coins, tmp_path / "cut").done == set(finished)

    again = []

    def counts(self, repetition, part, seed):
        again.append((repetition, part))
        return original(self, repetition, part, seed)

    monkeypatch.setattr(type(coins), "run_one", counts)
    records = run(coins, tmp_path / "cut").records()
    assert not set(again) & set(finished) and len(again) == 7
    assert list(records) == list(whole)


def test_a_line_cut_in_the_middle_is_done_again(coins, tmp_path):
    whole = run(coins, tmp_path).records()
    path = tmp_path / "mr-coins.jsonl"
    text = path.read_bytes()
    path.write_bytes(text[:-25])
    store = open_store(coins, tmp_path)
    assert len(store.done) == 9
    assert list(run(coins, tmp_path).records()) == list(whole)
    for line in path.read_text(encoding="utf-8").splitlines():
        json.loads(line)


def test_a_run_of_another_seed_is_not_continued(coins, tmp_path):
    run(coins, tmp_path, repetitions=1)
    with pytest.raises(ValueError, match="cannot continue"):
        run(coins, tmp_path, repetitions=1, seed=7)


def test_more_repetitions_keep_the_first(coins, tmp_path):
    few = run(coins, tmp_path, repetitions=2).records()
    many = run(coins, tmp_path, repetitions=4)
    assert list(many.records(2)) == list(few)
    assert many.records().n_repetitions == 4


def test_quick_runs_have_a_file_of_their_own(coins, tmp_path):
    quick = type(coins)(quick=True)
    assert run(quick, tmp_path).records().n_repetitions == 2
    assert [p.name for p in tmp_path.iterdir()] == ["mr-coins.quick.jsonl"]


def test_the_table_is_the_mean_the_spread_and_the_paired_test(coins, tmp_path):
    records = run(coins, tmp_path).records()
    (table,) = coins.tables(records)
    a, b = (records.values(method=m) for m in "AB")
    cell = table.cells["B", "error %"]
    assert cell.mean == pytest.approx(b.mean())
    assert cell.spread == pytest.approx(b.std(ddof=1))
    assert cell.pvalue == pytest.approx(ttest_rel(b, a).pvalue)
    assert table.cells["A", "error %"].pvalue is None


def test_texts_of_a_cell():
    printed = Printed(12.7, None, "12.7")
    assert cell_texts(Cell(np.array([12.0, 12.4]), printed, 0.02), 1) == (
        "12.2 ± 0.3", "12.7, −0.5", "p 0.02",
    )  # fmt: skip
    assert cell_texts(Cell(np.array([]), printed), 1) == ("not run", "12.7", "")
    assert cell_texts(Cell(np.array([]), printed, none="no RBF"), 1) == ("no RBF", "12.7", "")
    assert cell_texts(Cell(np.array([]), none="no RBF"), 1) == ("no RBF", "", "")
    assert cell_texts(Cell(np.array([])), 1) == ("–", "", "")


def test_claims_hold_or_do_not():
    a, b = np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.1, 3.9])
    assert lower("a below b", a, b).holds and not lower("b below a", b, a).holds
    assert higher("b above a", b, a).holds and not higher("a above b", a, b).holds
    assert "3–0 of 3" in lower("a below b", a, b).detail
    assert not lower("nothing", np.array([]), b).holds
    close = a + 1 + np.array([0, 1e-4, -1e-4])
    assert "e-09" in higher("the same p, sign and all", close, a).detail
    assert higher("", close, a).detail.split(", p")[1] == lower("", a, close).detail.split(", p")[1]


def test_a_claim_about_several_places_names_those_where_it_fails():
    a = np.array([1.0, 2.0, 3.0, 4.0])
    yes, no = (
        lower("", a, a + np.array(d)) for d in ([1.0, 1.1, 0.9, 1.0], [1.0, -1.1, 0.9, -1.0])
    )
    all_of_them = everywhere("everywhere", [yes, yes], ["1", "2"])
    assert all_of_them.holds and all_of_them.detail.startswith("at 2 of 2")
    assert all_of_them.p == yes.p < 0.05
    part = everywhere("everywhere", [yes, no], ["1", "2"])
    assert not part.holds and "not at 2" in part.detail and part.p == no.p
    assert not everywhere("nowhere", [], []).holds


def test_slower_looks_at_most_fits():
    fast = np.full(8, 0.1)
    assert slower("", 12 * fast, fast, times=10.0).holds
    assert not slower("", 9 * fast, fast, times=10.0).holds
    few = slower("", np.array([12, 12, 9, 12]) * fast[:4], fast[:4], times=10.0)
    assert not few.holds and "median ratio 12.0, from 9.0 to 12.0 over 4 fits" in few.detail
    assert slower("", fast[:0], fast[:0], times=10.0).detail == "not run"


def test_what_was_not_run_neither_holds_nor_fails():
    none = lower("", np.array([]), np.array([1.0]))
    yes, no = Claim("", True), Claim("", False, "1 against 0")
    assert [claim.verdict for claim in (yes, no, none)] == ["yes", "NO", "not run"]
    assert tally([yes, no]) == "1 of 2" and tally([yes, none]) == "1 of 1 (1 more not run)"
    assert everywhere("", [none, none], ["1", "2"]).verdict == "not run"
    assert everywhere("", [no, none], ["1", "2"]).verdict == "NO"


def test_similar_is_within_the_printed_deviation():
    theirs = np.array([5.0, 5.2, 4.8, 5.0])
    assert _similar("", theirs + 0.9, theirs, 1.0).holds
    above = _similar("", theirs + np.array([1.1, 1.2, 1.3, 1.2]), theirs, 1.0)
    assert not above.holds and above.p < 0.05
    assert _similar("", theirs, theirs - 3.0, 1.0).verdict == "NO"
    assert _similar("", theirs[:0], theirs, 1.0).verdict == "not run"


def test_every_labeled_speaker_means_every_one():
    errors = {"LapSVM": [9.0, 8.0, 7.0], "SVM": [10.0, 9.0, 8.0], "TSVM": [10.0, 7.0, 8.0]}
    errors |= {"LapRLS": errors["LapSVM"], "RLS": errors["SVM"]}
    records = Records(
        {"repetition": r, "part": "halves", "task": "halves", "method": m, "measure": w, "value": v}
        for m, values in errors.items()
        for r, v in enumerate(values)
        for w in ("unlabeled", "test")
    )
    found = {claim.text: claim for claim in _for_every_speaker(records)}
    over_svm = found["Fig. 6: LapSVM errs less than SVM for every labeled speaker, test"]
    over_tsvm = found["Fig. 6: LapSVM errs less than TSVM for every labeled speaker, test"]
    assert over_svm.holds and "3–0 of 3" in over_svm.detail
    assert not over_tsvm.holds and "2–1 of 3" in over_tsvm.detail


def test_what_the_maps_of_local_draws_say():
    """The error grows with λ_m alone, in every repetition."""
    rng = np.random.default_rng(0)
    records = Records(
        {"repetition": r, "part": d, "dataset": d, "method": "local draw",
         "lambda_s": 1e-3, "lambda_m": m, "value": 1.0 + m + 0.01 * rng.random()}
        for r in range(4) for d in ("scpf", "osales", "oes97", "sf2") for m in (0.1, 0.5, 0.9)
    )  # fmt: skip
    holds = {claim.text.split(":")[0]: claim.holds for claim in _of_the_maps(records)}
    assert holds == {
        "Fig. 1, scpf": True, "Fig. 3, osales": False, "Fig. 4, oes97": True, "Fig. 2, sf2": False,
    }  # fmt: skip


def test_a_difference_that_chance_could_make_does_not_count():
    a, b = np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.5, 3.5])
    found = lower("a below b", a, b)
    assert not found.holds and "p = 0.074: so on average, but not significant" in found.detail


def test_what_varies_less_varies_less_in_most_pairs():
    """One large difference decides the mean, and not the claim."""
    ours, theirs = np.full(20, 1.0), np.full(20, 0.9)
    theirs[0] = 50.0
    assert ours.mean() < theirs.mean() and not mostly_lower("", ours, theirs).holds
    theirs = np.where(np.arange(20) < 17, 1.1, 0.9)
    found = mostly_lower("", ours, theirs)
    assert found.holds and "17–3 of 20" in found.detail
    assert not mostly_lower("", ours, np.where(np.arange(20) < 12, 1.1, 0.9)).holds


def test_records_are_pairs_in_the_order_of_repetitions():
    rows = [
        {"repetition": r, "part": "all", "method": m, "value": 10 * r + (m == "b")}
        for r, m in ((2, "b"), (0, "a"), (1, "b"), (2, "a"), (0, "b"), (1, "a"))
    ]
    records = Records(rows)
    np.testing.assert_array_equal(records.values(method="b") - records.values(method="a"), 1)
    assert records.values(method=("a", "b")).shape == (6,)
    assert records.by("method") == {"a": 10.0, "b": 11.0}
    assert np.isnan(records.mean(method="c"))


def test_draws():
    truth = np.repeat([0, 1, 2], [50, 30, 20])
    rows = labeled_rows(truth, {0: 3, 2: 9}, 5)
    assert np.bincount(truth[rows]).tolist() == [3, 0, 9]
    assert len(np.unique(rows)) == 12
    np.testing.assert_array_equal(rows, labeled_rows(truth, {0: 3, 2: 9}, 5))
    assert np.bincount(truth[labeled_rows(truth, 2, 0)]).tolist() == [2, 2, 2]
    y = hidden_but(truth, rows)
    assert (y[rows] == truth[rows]).all() and (np.delete(y, rows) == -1).all()
    assert set(truth[labels_with_every_class(truth, 3, 1)]) == {0, 1, 2}
    with pytest.raises(ValueError, match="cannot hold"):
        labels_with_every_class(truth, 2, 0)
    assert len({seed_of(n, r, s) for n in "ab" for r in range(5) for s in range(3)}) == 30


def test_the_report_is_one_file_that_needs_nothing_else(coins, tmp_path):
    load("matplotlib").use("Agg")

    def draw(axes):
        curves(axes[0, 0], [1, 2], {"a": [1, 2], "b": [2, 1]}, xlabel="x")

    figure = Figure("Fig. 0", "Two lines.", draw)
    type(coins).figures = lambda self, records: [figure]
    type(coins).claims = lambda self, records: [Claim("A & B <differ>", False, "so it is")]
    one = section(coins, run(coins, tmp_path), whole="fedcba9876")
    html, markdown = write_report([one], tmp_path / "report", "fedcba9876")
    text = html.read_text(encoding="utf-8")
    assert "data:image/png;base64," in text and "A &amp; B &lt;differ&gt;" in text
    assert not re.search(r"(src|href)=\"(?!data:|#)", text)
    assert "<script" not in text
    lines = markdown.read_text(encoding="utf-8")
    assert "figures/mr-coins-1.png" in lines and "| NO |" in lines
    assert (tmp_path / "report" / "figures" / "mr-coins-1.png").read_bytes() == figure.png()
    assert "5 repetitions here, 5 in the full experiment" in lines
    del type(coins).figures, type(coins).claims


def test_lines_can_be_told_apart_without_color():
    axes = load("matplotlib.figure").Figure().subplots(1, 1)
    curves(axes, [1, 2], {name: [1, 2] for name in "abcdef"})
    looks = {(line.get_marker(), line.get_linestyle()) for line in axes.get_lines()}
    assert len(looks) == 6


def test_every_experiment_is_named_and_described():
    names = [name for kind in EXPERIMENTS for name in kind.names]
    assert len(names) == len(set(names))
    counted = {  # every figure and every table with results
        "mr-figure": range(1, 11), "mr-table": range(3, 6), "vv-figure": range(1, 3),
        "vv-table": range(1, 2), "so-figure": range(1, 2), "so-table": range(1, 5),
        "mv-figure": range(1, 2), "mt-figure": range(1, 7), "mt-table": range(1, 5),
    }  # fmt: skip
    wanted = {f"{kind}{number}" for kind, numbers in counted.items() for number in numbers}
    assert wanted <= set(names)
    for kind in EXPERIMENTS:
        assert all(
            re.fullmatch(r"(mr|vv|so|mv|mt)-\w+(-(printed|switching|uniform|inductive))?", name)
            for name in kind.names
        )
        assert kind.title and kind.protocol.strip() and kind.minutes > 0 and kind.repetitions >= 1
        assert set(kind(None, True).todo()) <= set(kind.parts)


def test_names_are_found_and_near_misses_are_named():
    assert find(["all"]) == list(EXPERIMENTS)
    assert {kind.names[0].split("-")[0] for kind in find(["so"])} == {"so"}
    assert find(["mr-figure7", "mr-table4"]) == find(["mr-figure6"])
    with pytest.raises(ValueError, match="mr-table5"):
        find(["mr-tabel5"])


def test_the_report_says_whether_one_code_made_it(coins, tmp_path):
    store = run(coins, tmp_path)
    whole = "fedcba9876"
    now = section(coins, store, whole=whole, pictures=False)
    assert about_code([now], whole).startswith(f"One code made all records: {whole}.")
    assert now.hours > 0 and "OLDER CODE" not in now.size
    assert now.code == whole and f"code {whole} (its files: {store.present})" in now.size
    path = tmp_path / f"{coins.name}.jsonl"
    path.write_text(path.read_text().replace(now.present, "0123456789", 1))
    old = section(coins, open_store(coins, tmp_path), whole=whole, pictures=False)
    assert "OLDER CODE" in old.size
    assert "all records of 1 of 2 experiments" in about_code([now, old], whole)
    data = as_data([now, old], whole, [tmp_path / "report.md"])
    assert data["code"] == whole and not data["one_code"]
    assert [one["code"] == whole for one in data["experiments"]] == [True, False]
    assert data["experiments"][0]["names"] == ["mr-coins", "mr-dice"]
