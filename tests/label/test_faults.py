"""Nothing is lost: kill −9, full disk, read-only folder, locked and damaged files."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from chaos import expected, plan

from lapwing.label import schema
from lapwing.label.errors import SessionFileError
from lapwing.label.history import Change
from lapwing.label.store import Store

ACTIONS, KILLS, SEED = 1000, 50, 7
CHAOS = Path(__file__).with_name("chaos.py")


def label(store, row="a", value=1):
    return store.append([Change("label", row, value)], annotator="me")


def act_until(path: Path, stop: int, draw: random.Random) -> tuple[int, int]:
    """Actions until ``stop``, then kill −9: after the answer, or while the next one is made.

    Returns how many actions the process found when it began and the last number it said.
    """
    command = [sys.executable, str(CHAOS), str(path), str(SEED), str(ACTIONS)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, bufsize=1, **pipes) as process:
        found = said = int(process.stdout.readline())
        while said < stop:
            process.stdin.write("go\n")
            said = int(process.stdout.readline())
        if stop < ACTIONS and draw.random() < 0.5:
            process.stdin.write("go\n")
            time.sleep(draw.random() * 0.004)
        process.kill()
        process.wait()
    return found, said


def test_a_thousand_actions_with_fifty_kills_lose_and_double_nothing(tmp_path):
    path, draw, said = tmp_path / "s.lapwing", random.Random(SEED), 0
    for stop in [*sorted(draw.sample(range(1, ACTIONS), KILLS)), ACTIONS]:
        found, now = act_until(path, stop, draw)
        # What was said is there; at most the one action on its way may be there too.
        assert said <= found <= said + 1
        said = now
    store = Store(path)
    events = list(store.events())
    assert len(store.history.batches) == ACTIONS
    assert len({event.uid for event in events}) == len(events)
    assert [event.id for event in events] == list(range(1, len(events) + 1))
    found = {row: event.new for row, event in store.history.current("label").items()}
    assert found == expected(plan(SEED, ACTIONS))


def test_a_full_disk_is_said_and_nothing_changes(tmp_path):
    store = Store(tmp_path / "s.lapwing")
    label(store)
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    with pytest.raises(SessionFileError, match=r"The disk is full: nothing was saved"):
        store.append([Change("label", f"row{i}", "x" * 500) for i in range(500)], annotator="me")
    assert store.history.value("label", "row0") is None
    store._connection.execute("PRAGMA max_page_count = 1000000")
    label(store, "b", 2)
    store.close()
    assert Store(tmp_path / "s.lapwing").history.value("label", "b") == 2


def test_a_damaged_file_is_said_and_left_as_it_is(tmp_path):
    path = tmp_path / "s.lapwing"
    store = Store(path)
    for i in range(200):
        label(store, f"row{i}")
    store.close()
    content = bytearray(path.read_bytes())
    content[4096:12288] = b"\x5a" * 8192
    path.write_bytes(content)
    with pytest.raises(SessionFileError, match="is damaged or is not a session"):
        Store(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"a,b\n1,2\n" * 100, b"\x00" * 2000])
def test_a_file_of_another_kind_is_said_and_left_as_it_is(tmp_path, content):
    path = tmp_path / "s.lapwing"
    path.write_bytes(content)
    with pytest.raises(SessionFileError, match="is damaged or is not a session"):
        Store(path)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_left_alone(tmp_path):
    path = tmp_path / "s.lapwing"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE event (id)")
    with pytest.raises(SessionFileError, match="is not a session of lapwing"):
        Store(path)


def test_a_locked_file_is_said_and_nothing_is_saved(tmp_path):
    path = tmp_path / "s.lapwing"
    store = Store(path, wait=0.1)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(SessionFileError, match="is locked by another program: nothing was saved"):
        label(store)
    other.execute("ROLLBACK")
    label(store)
    assert store.history.value("label", "a") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_said(tmp_path):
    tmp_path.chmod(0o555)
    with pytest.raises(SessionFileError, match=r"cannot be written.*--session FILE"):
        Store(tmp_path / "s.lapwing")
    tmp_path.chmod(0o755)


def test_a_folder_where_nothing_can_be_made_is_said():
    with pytest.raises(SessionFileError, match=r"cannot be written.*--session FILE"):
        Store(Path("/proc/s.lapwing"))  # also root cannot make a file there


def test_a_file_that_became_read_only_is_said(tmp_path):
    store = Store(tmp_path / "s.lapwing")
    label(store)
    store._connection.execute("PRAGMA query_only = 1")
    with pytest.raises(SessionFileError, match="cannot be written, so no label could be saved"):
        label(store, "b")
    assert store.history.value("label", "b") is None


def test_a_newer_format_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "s.lapwing"
    Store(path).close()
    with sqlite3.connect(path) as file:
        file.execute(f"PRAGMA user_version = {schema.FORMAT + 1}")
    before = path.read_bytes()
    with pytest.raises(SessionFileError, match="was written by a newer lapwing"):
        Store(path)
    assert path.read_bytes() == before


def test_an_older_format_is_led_on_and_kept_beside(tmp_path, monkeypatch):
    path = tmp_path / "s.lapwing"
    store = Store(path)
    label(store)
    store.close()
    monkeypatch.setattr(schema, "FORMAT", schema.FORMAT + 1)
    add = "ALTER TABLE event ADD COLUMN place TEXT"
    monkeypatch.setitem(schema.MIGRATIONS, schema.FORMAT - 1, lambda c: c.execute(add))
    store = Store(path)
    assert store.history.value("label", "a") == 1
    assert store._connection.execute("PRAGMA user_version").fetchone()[0] == schema.FORMAT
    assert (tmp_path / f"s.lapwing.format{schema.FORMAT - 1}").exists()


def test_a_failed_migration_leaves_the_old_format(tmp_path, monkeypatch):
    path = tmp_path / "s.lapwing"
    Store(path).close()
    monkeypatch.setattr(schema, "FORMAT", schema.FORMAT + 1)
    wrong = "ALTER TABLE nothing ADD COLUMN place TEXT"
    monkeypatch.setitem(schema.MIGRATIONS, schema.FORMAT - 1, lambda c: c.execute(wrong))
    with pytest.raises(SessionFileError):
        Store(path)
    monkeypatch.undo()
    Store(path).close()
