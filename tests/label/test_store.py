"""Events are appended, never changed; their sum is the state; undo has no end."""

import sqlite3

import pytest

from lapwing.label.errors import SessionFileError
from lapwing.label.export import log, replay
from lapwing.label.history import Change
from lapwing.label.store import Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data.csv.lapwing"


def put(store, row, value, **more):
    return store.append([Change("label", row, value)], annotator="me", **more)


def labels(store) -> dict:
    return {row: event.new for row, event in store.history.current("label").items()}


def test_what_was_appended_is_there_after_reopening(path):
    store = Store(path)
    put(store, "a", 1)
    put(store, "a", 2)
    put(store, "b", "unsure")
    again = Store(path)
    assert labels(again) == {"a": 2, "b": "unsure"}
    assert [(e.old, e.new) for e in again.events()] == [(None, 1), (1, 2), (None, "unsure")]


@pytest.mark.parametrize("statement", ["UPDATE event SET new = '5'", "DELETE FROM event"])
def test_events_can_be_neither_changed_nor_deleted(path, statement):
    put(Store(path), "a", 1)
    with sqlite3.connect(path) as other, pytest.raises(sqlite3.IntegrityError, match="never"):
        other.execute(statement)
    assert labels(Store(path)) == {"a": 1}


def test_undo_to_the_beginning_and_redo_to_the_end(path):
    store = Store(path)
    steps = [{}]
    for i in range(5):
        store.append([Change("label", r, i) for r in ("a", f"row{i}")], annotator="me")
        steps.append(labels(store))
    for state in reversed(steps[:-1]):
        assert len(store.undo(annotator="me")) == 2
        assert labels(store) == state
    assert store.undo(annotator="me") == []
    store = Store(path)
    for state in steps[1:]:
        store.redo(annotator="me")
        assert labels(store) == state
    assert store.redo(annotator="me") == []


def test_a_new_label_ends_redo(path):
    store = Store(path)
    put(store, "a", 1)
    store.undo(annotator="me")
    put(store, "b", 1)
    assert store.redo(annotator="me") == []
    assert labels(store) == {"b": 1}


def test_a_row_twice_in_one_batch_is_undone_to_what_it_was(path):
    store = Store(path)
    put(store, "a", 0)
    store.append([Change("label", "a", 1), Change("label", "a", 2)], annotator="me")
    store.undo(annotator="me")
    assert labels(store) == {"a": 0}


def test_notes_are_not_undone(path):
    store = Store(path)
    put(store, "a", 1)
    store.append([Change("file", "", {"sha256": "x"})], annotator="file", action="note")
    store.undo(annotator="me")
    assert store.history.value("file", "") == {"sha256": "x"}
    assert labels(store) == {}


def test_a_change_to_the_same_value_is_no_event(path):
    store = Store(path)
    put(store, "a", 1)
    assert put(store, "a", 1) == []
    assert len(store.history.undoable) == 1


def test_two_processes_see_each_other(path):
    one, two = Store(path), Store(path)
    put(one, "a", 1)
    put(two, "b", 2)
    assert labels(two) == {"a": 1, "b": 2}
    one.refresh()
    assert labels(one) == labels(two)
    two.undo(annotator="me")
    one.undo(annotator="me")
    assert labels(one) == {}


def test_the_views_read_the_events(path):
    store = Store(path)
    store.append([Change("class", "3", {"name": "cat"})], annotator="me")
    put(store, "a", 3)
    put(store, "b", 3)
    put(store, "b", None)
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT row, class FROM label").fetchall() == [("a", "cat")]


def test_a_log_can_be_replayed_once_into_a_new_session(path, tmp_path):
    store = Store(path)
    for i in range(4):
        put(store, f"row{i}", i)
    store.undo(annotator="me")
    again = Store(tmp_path / "again.lapwing")
    lines = log(store).decode().splitlines()
    assert replay(lines, again) == 5
    assert list(again.events()) == list(store.events())
    assert again.history.redoable == store.history.redoable
    with pytest.raises(SessionFileError, match="holds events already"):
        replay(lines, again)


def test_reading_writes_nothing(path):
    put(Store(path), "a", 1)
    store = Store(path, read_only=True)
    with pytest.raises(SessionFileError, match="cannot be written"):
        put(store, "a", 2)
