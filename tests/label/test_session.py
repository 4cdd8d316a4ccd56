"""The session: labels, undo, classes, duplicates, suggestions, renewal, audits; without HTTP."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import make_blobs

from lapwing import LapRLSClassifier
from lapwing.exceptions import unsaid
from lapwing.label import Rows, Session, Store
from lapwing.label.history import Change
from lapwing.label.intervals import exact_interval
from lapwing.label.learner import MOST_LABELS, Learner, _targets
from lapwing.label.suggest import doubtful_points, typical_points
from lapwing.label.worker import Worker


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(120, 3, centers=3, cluster_std=0.8, random_state=0)


@pytest.fixture
def session(blobs):
    return Session(blobs[0], classes=["a", "b", "c"], annotator="me")


def teach(session, truth, n=9, names="abc"):
    for _ in range(n):
        point = session.suggestions()[0]
        session.label(point, names[truth[point]])
    session.renew()


def test_labels_lead_to_answers_for_all_rows(session, blobs):
    teach(session, blobs[1])
    assert (
        np.mean([p == "abc"[t] for p, t in zip(session.predictions, blobs[1], strict=True)]) > 0.95
    )
    assert session.model.confidence().shape == (120,)


def test_without_two_classes_there_is_no_model(session):
    assert session.renew() is None
    session.label(0, "a")
    assert session.renew() is None
    assert set(session.predictions) == {None}
    with pytest.raises(ValueError, match="no answer for this row yet"):
        session.accept(3)


def test_a_label_moves_the_map_at_once(session, blobs):
    teach(session, blobs[1], 6, "aab")
    before = session.predictions
    moved = session.label(np.flatnonzero(blobs[1] == 1)[:10], "b")
    assert moved == sum(a != b for a, b in zip(before, session.predictions, strict=True)) > 0


def test_undo_to_empty_and_redo_to_the_end(session, blobs):
    teach(session, blobs[1], 5)
    session.label([50, 51, 52], "b", via="lasso")
    session.unsure(60)
    end, unsure = session.labels, set(session.state.unsure)
    steps = 0
    while session.undo():
        steps += 1
    assert steps == 7
    assert set(session.labels) == {None} and not session.state.unsure
    while session.redo():
        pass
    assert session.labels == end and session.state.unsure == unsure == {60}


def test_accept_takes_the_models_answer(session, blobs):
    teach(session, blobs[1])
    point = next(i for i in range(120) if session.labels[i] is None)
    said = session.predictions[point]
    session.accept(point)
    assert session.labels[point] == said


def test_classes_are_made_renamed_and_merged_and_all_is_undone(session, blobs):
    teach(session, blobs[1])
    before = session.labels
    number = session.add_class("d")
    session.label(100, number)
    session.rename_class(number, "dee")
    assert session.labels[100] == "dee"
    session.rename_class(number, "a")
    assert session.labels[100] == "a" and "dee" not in session.state.classes.values()
    session.merge_classes(0, 1)
    assert "a" not in session.labels and len(session.state.classes) == 2
    for _ in range(5):
        session.undo()
    assert session.labels == before and list(session.state.classes.values()) == ["a", "b", "c"]


@pytest.mark.parametrize("name, message", [("", "needs a name"), ("x" * 99, "at most 80"),
                                           ("a", "already")])  # fmt: skip
def test_wrong_class_names_are_said(session, name, message):
    with pytest.raises(ValueError, match=message):
        session.add_class(name)


@pytest.mark.parametrize("points", [[-1], [120], [], [0.5]])
def test_wrong_points_are_said_and_nothing_is_kept(session, points):
    with pytest.raises(ValueError, match="Points"):
        session.label(points, "a")
    assert session.n_labels == 0


def test_duplicates_are_one_point_and_share_the_label():
    rows = Rows("pets", np.eye(4)[[0, 1, 0, 2]], {"name": ["x", "y", "x", "z"]})
    session = Session(rows, classes=["p", "q"])
    session.label(0, "p")
    assert session.labels == ["p", None, "p", None]
    assert session.rows.counts.tolist() == [2, 1, 1]


def test_suggestions_are_no_twins(blobs):
    X = np.vstack([np.repeat(blobs[0][:1], 60, axis=0) + 1e-6 * np.arange(60)[:, None], blobs[0]])
    found = typical_points(X, 10)
    assert (found < 60).sum() <= 1
    doubtful = doubtful_points(X, np.r_[np.zeros(60), np.ones(120)], np.zeros(180, bool), 5)
    assert len(set(doubtful)) == 5
    session = Session(X, classes=["a", "b"])
    asked = session.suggestions()
    assert len(set(asked)) == len(asked) and sum(p < 61 for p in asked) <= 1


def test_unsure_rows_are_not_suggested_again(session):
    first = session.suggestions()[0]
    session.unsure(first)
    assert first not in session.suggestions()


def test_a_wrong_label_is_suspicious(session, blobs):
    points = [np.flatnonzero(blobs[1] == c)[:6] for c in range(3)]
    for c in range(3):
        session.label(points[c], "abc"[c])
    session.label(points[0][0], "b")
    session.renew()
    assert session.suspicious()[0] == points[0][0]
    session.label(points[0][0], "a")
    assert points[0][0] not in session.suspicious()


@pytest.mark.parametrize("names", ["abc", "aab"])
def test_the_error_is_that_of_leaving_each_label_out(session, blobs, names):
    """By refitting without each label, with the same settings."""
    X, truth = blobs
    teach(session, truth, n=12, names=names)
    labeled = np.flatnonzero(session.state.codes >= 0)
    wrong_point = int(labeled[3])
    session.label(wrong_point, "b" if session.labels[wrong_point] == "a" else "a")
    found = session.renew()
    said = []
    for point in labeled:
        left = session.state.codes.copy()
        left[point] = -1
        said.append(session.model.learner._back.fit(X, _targets(left)).transduction_[point])
    assert found.others[labeled].tolist() == [int(c) for c in said]
    assert (found.others[session.state.codes < 0] == -1).all()
    assert found.wrong == sum(
        int(c) != k for c, k in zip(said, session.state.codes[labeled], strict=True)
    )
    assert found.others[wrong_point] != session.state.codes[wrong_point]


def test_a_worker_renews_and_tells(session, blobs):
    worker, told = Worker(session), []
    session.on_change.append(lambda: told.append(session.version))
    for i in range(0, 30, 3):
        session.label(i, "abc"[blobs[1][i]])
    for _ in range(600):
        renewed = session.model.renewed
        if renewed is not None and renewed.n_labels == 10 and not worker.busy:
            break
        worker._thread.join(0.1)
    worker.stop()
    assert worker.trouble is None
    assert session.model.renewed.n_labels == 10 and told


def test_sparse_rows(blobs):
    X = csr_matrix(np.where(np.abs(blobs[0]) > 1, blobs[0], 0))
    session = Session(X, classes=["a", "b", "c"])
    teach(session, blobs[1], 8)
    assert session.coordinates("axes").shape == (len(session.rows.first), 2)
    assert len(session.nearest_labeled(5)) == 4


def test_a_lasso_over_thousands_of_rows_does_not_stop_the_model():
    X, truth = make_blobs(4000, 3, centers=2, random_state=0)
    learner = Learner(X)
    used = learner.learned(truth)
    assert (used >= 0).sum() == MOST_LABELS and np.bincount(used[used >= 0]).tolist() == [
        1500,
        1500,
    ]
    assert learner.renew(truth).n_used == MOST_LABELS
    fewer = truth.copy()
    fewer[np.flatnonzero(used >= 0)[0]] = -1
    assert ((learner.learned(fewer) >= 0) != (used >= 0)).sum() == 2
    assert learner.learned(np.where(np.arange(4000) < 9, truth, -1)).max() >= 0


@pytest.mark.parametrize("kind", ["neighbors", "eigenmaps", "axes"])
def test_layouts_lie_within_the_map(session, kind):
    Z = session.coordinates(kind)
    assert Z.shape == (120, 2) and np.isfinite(Z).all() and np.abs(Z).max() <= 1


def test_the_neighbor_map_keeps_neighbors_together(session, blobs):
    Z, truth = session.coordinates("neighbors"), blobs[1]
    nearest = [np.argsort(((Z - z) ** 2).sum(axis=1))[1] for z in Z]
    assert np.mean(truth[nearest] == truth) > 0.95


def test_an_audit_is_blind_and_exact(session, blobs):
    teach(session, blobs[1])
    audit = session.start_audit(20, seed=0)
    assert session.suggestions() == list(dict.fromkeys(audit.points))
    said = [session.model.codes[p] for p in audit.points]
    for k, point in enumerate(list(session.suggestions())):
        session.label(point, (blobs[1][point] + (k < 3)) % 3)
    assert session.audit is None
    result = session.audit_results()[-1]
    wrong = sum(session.state.codes[p] != a for p, a in zip(audit.points, said, strict=True))
    assert (result["wrong"], result["labeled"]) == (wrong, 20)
    assert (result["low"], result["high"]) == exact_interval(wrong, 20)


def test_an_audit_can_be_stopped(session, blobs):
    teach(session, blobs[1])
    session.start_audit(10, seed=0)
    session.label(session.suggestions()[0], "a")
    session.stop_audit()
    assert session.audit is None
    assert session.audit_results()[-1]["labeled"] == 1


def test_an_audit_needs_a_model(session):
    with pytest.raises(ValueError, match="label rows of two classes first"):
        session.start_audit(5)


def test_the_exact_interval_covers():
    rng, n, p = np.random.default_rng(0), 30, 0.1
    pairs = [exact_interval(int(k), n) for k in rng.binomial(n, p, 2000)]
    assert np.mean([low <= p <= high for low, high in pairs]) >= 0.95
    assert exact_interval(0, 0) == (0.0, 1.0)


def test_the_curve_is_kept_with_the_session(blobs, tmp_path):
    path = tmp_path / "s.lapwing"
    session = Session(blobs[0], Store(path), classes=["a", "b", "c"])
    teach(session, blobs[1], 12)
    curve = session.curve()
    assert curve[-1]["labels"] == 12 and 0 <= curve[-1]["low"] <= curve[-1]["high"] <= 1
    session.close()
    assert Session(blobs[0], Store(path)).curve() == curve


def test_a_write_takes_in_what_another_process_wrote(blobs, tmp_path):
    """Two servers on one file: the second writes before it has looked again."""
    X, _ = blobs
    one, two = (Session(X, Store(tmp_path / "s.lapwing"), classes=["a", "b", "c"]) for _ in "12")
    one.label(0, "a")
    two.label(1, "b")
    assert two.state.codes[:2].tolist() == [0, 1]
    one.sync()
    assert np.array_equal(one.state.codes, two.state.codes)
    assert one.undo() == 1
    assert two.undo() == 1
    assert two.n_labels == 0
    for session in (one, two):
        session.close()


def test_the_interval_allows_for_the_choice_of_settings(blobs):
    """After a choice it is the model's own; with kept settings the choice's optimism stays."""
    rng = np.random.default_rng(1)
    codes = np.full(120, -1)
    codes[:40] = rng.integers(0, 3, 40)  # labels that mean nothing: a search flatters itself
    learner = Learner(blobs[0])
    found = learner.renew(codes)
    with unsaid():
        model = LapRLSClassifier().fit(blobs[0], _targets(codes))
    assert found.error == pytest.approx(model.leave_one_out_error_)
    assert found.interval == pytest.approx(model.leave_one_out_interval_)
    assert np.nanmean(model.selection_.optimism) > 0
    codes[40] = 0
    kept = learner.renew(codes)
    with unsaid():
        plain = LapRLSClassifier(**learner.settings).fit(blobs[0], _targets(codes))
    assert kept.interval[1] > plain.leave_one_out_interval_[1]
    assert kept.error > plain.leave_one_out_error_


def test_curves_of_earlier_sessions_are_shown(blobs):
    session = Session(blobs[0], classes=["a", "b"])
    session._note(Change("measured", "8", {"wrong": 1, "of": 4}), by="model")
    low, high = exact_interval(1, 4)
    assert session.curve() == [
        {"labels": 8, "wrong": 1, "of": 4, "error": 0.25, "low": low, "high": high}
    ]


def test_a_group_counts_once_in_the_interval():
    """Ten equal rows of each patient tell no more than one of them does."""
    X, truth = make_blobs(24, 3, centers=2, cluster_std=3.0, random_state=0)
    X, truth, patient = np.repeat(X, 10, axis=0), np.repeat(truth, 10), np.repeat(np.arange(24), 10)
    X = X + 1e-6 * np.random.default_rng(0).normal(size=X.shape)
    many, alone = Learner(X, patient).renew(truth), Learner(X).renew(truth)
    assert many.judged == 240
    assert np.ptp(many.interval) > 2.5 * np.ptp(exact_interval(many.wrong, many.judged))
    assert alone.interval[1] < 0.5 * many.interval[1]  # a twin tells the left-out label
