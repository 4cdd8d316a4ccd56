"""Who gets in, and what the routes answer; in process, without a browser."""

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from starlette.testclient import TestClient

from lapwing.label import Rows, Session, Store
from lapwing.label.errors import SessionFileError
from lapwing.label.web.app import build_app
from lapwing.label.web.packets import NONE, class_keys, packet

PORT, TOKEN = 8765, "t" * 43
BASE = f"http://127.0.0.1:{PORT}"


@pytest.fixture
def session(tmp_path):
    X, truth = make_blobs(60, 3, centers=2, random_state=0)
    rows = Rows("b.csv", X, {"words": [f"<script>alert({i})</script>" for i in range(60)]})
    made = Session(rows, Store(tmp_path / "s.lapwing"), classes=["a", "b"], annotator="me")
    made.truth = truth
    return made


@pytest.fixture
def stranger(session):
    return TestClient(build_app(session, None, port=PORT, token=TOKEN), base_url=BASE)


@pytest.fixture
def client(stranger):
    assert stranger.get(f"/?token={TOKEN}").status_code == 200
    return stranger


def test_the_token_is_answered_with_a_strict_cookie(stranger):
    answer = stranger.get(f"/?token={TOKEN}")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"lapwing-{PORT}=")
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and TOKEN not in cookie
    assert stranger.get("/").status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/session", "/api/answers", "/static/main.js",
                                  "/api/row/0", "/?token=wrong", "/?token="])  # fmt: skip
def test_without_the_token_everything_is_refused(stranger, path):
    answer = stranger.get(path)
    assert answer.status_code == 403 and "lapwing printed" in answer.text


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1:1",
                                  "127.0.0.1", f"127.0.0.1.evil.example:{PORT}", "", "[::1",
                                  f"localhost@evil.example:{PORT}", f"0.0.0.0:{PORT}",
                                  f"2130706433:{PORT}", f"127.0.0.2:{PORT}"])  # fmt: skip
def test_another_host_is_refused(client, host):
    assert client.get("/", headers={"host": host}).status_code == 403
    assert client.get(f"/?token={TOKEN}", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("host", [f"localhost:{PORT}", f"[::1]:{PORT}", f"127.0.0.1:{PORT}"])
def test_loopback_names_are_served(client, host):
    cookie = {"cookie": f"lapwing-{PORT}={client.cookies[f'lapwing-{PORT}']}"}
    assert client.get("/", headers={"host": host, **cookie}).status_code == 200


@pytest.mark.parametrize("headers", [
    {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
    {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": f"http://localhost:{PORT}"},
])  # fmt: skip
def test_other_pages_may_not_act(client, session, headers):
    answer = client.post("/api/do/label", json={"points": [0], "class": 0}, headers=headers)
    assert answer.status_code == 403 and session.n_labels == 0


@pytest.mark.parametrize("headers", [{}, {"sec-fetch-site": "same-origin"}, {"origin": BASE}])
def test_the_page_itself_may_act(client, session, headers):
    answer = client.post("/api/do/label", json={"points": [0], "class": 0}, headers=headers)
    assert answer.status_code == 200 and session.n_labels == 1


def test_forms_are_refused(client, session):
    answer = client.post("/api/do/undo", content="x=1",
                         headers={"content-type": "application/x-www-form-urlencoded"})  # fmt: skip
    assert answer.status_code == 415


def test_large_requests_are_refused(client):
    long = {"points": [0], "class": "x" * 200_000}
    assert client.post("/api/do/label", json=long).status_code == 413

    def drip():
        for _ in range(300):
            yield b" " * 1000

    headers = {"content-type": "application/json"}
    assert client.post("/api/do/label", content=drip(), headers=headers).status_code == 413
    assert client.get("/api/search?q=" + "x" * 5000).status_code == 414


@pytest.mark.parametrize("path", ["/", "/api/session", "/api/map?layout=axes", "/nothing"])
def test_every_answer_has_the_strict_headers(client, path):
    headers = client.get(path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/static/../security.py", "/static/..%2Fapp.py", "/static/",
                                  "/api/image/0", "/api/image/../../etc/passwd", "/api/row/999",
                                  "/api/row/-1", "/api/export/exe"])  # fmt: skip
def test_there_is_no_way_to_other_files(client, path):
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("action, given", [
    ("label", {}), ("label", {"points": "all", "class": 0}),
    ("label", {"points": [0.5], "class": 0}),
    ("label", {"points": [10**30], "class": 0}), ("label", {"points": [-1], "class": 0}),
    ("label", {"points": [0], "class": 77}), ("label", {"points": [0], "class": True}),
    ("label", {"points": [0], "class": [1]}), ("label", {"points": [True], "class": 0}),
    ("label", {"points": [0], "class": ""}), ("accept", {"points": [0]}),
    ("rename-class", {"class": "x", "name": "y"}), ("start-audit", {"k": 10**9}),
    ("guidelines", {"text": 5}), ("label", []),
])  # fmt: skip
def test_nonsense_is_said_and_changes_nothing(client, session, action, given):
    last = session.store.history.last
    answer = client.post(f"/api/do/{action}", json=given)
    assert answer.status_code in (400, 413) and answer.text
    assert session.store.history.last == last


def test_a_label_is_in_the_file_before_it_is_answered(client, session):
    client.post("/api/do/label", json={"points": [4, 5], "class": "a"})
    other = Store(session.store.path, read_only=True)
    assert len(other.history.current("label")) == 2


def test_a_failed_save_is_said_and_nothing_moves(client, session, monkeypatch):
    def full(*_, **__):
        raise SessionFileError("The disk is full: nothing was saved to s.lapwing.")

    monkeypatch.setattr(session.store, "append", full)
    answer = client.post("/api/do/label", json={"points": [4], "class": 0})
    assert answer.status_code == 507 and "disk is full" in answer.text
    assert session.n_labels == 0


def test_two_bytes_per_row(client, session):
    answer = client.get("/api/answers").content
    head = int.from_bytes(answer[:4], "little")
    assert len(answer) == 4 + head + 2 * 60
    assert len(client.get("/api/map?layout=axes").content) == 8 * 60


def test_an_audit_hides_the_models_answers(client, session):
    for c in range(2):
        session.label(np.flatnonzero(session.truth == c)[:4], "ab"[c])
    session.renew()
    point = int(np.flatnonzero(session.state.codes < 0)[0])
    assert client.get(f"/api/row/{point}").json()["answer"] is not None
    client.post("/api/do/start-audit", json={"k": 5})
    row = client.get(f"/api/row/{point}").json()
    assert row["blind"] and "answer" not in row and "why" not in row
    classes = np.frombuffer(packet(session, None)[-120:-60], np.uint8)
    assert (classes[session.state.codes < 0] == NONE).all()
    assert client.post("/api/do/accept", json={"points": [point]}).status_code == 400


def test_cells_are_data_not_html(client):
    row = client.get("/api/row/3")
    assert row.headers["content-type"] == "application/json"
    assert row.json()["cells"] == [["words", "<script>alert(3)</script>"]]


def test_keys_of_classes():
    assert class_keys([str(i) for i in range(10)]) == [str(i) for i in range(10)]
    many = class_keys([f"c{i}" for i in range(12)])
    assert many[:10] == list("1234567890") and many[10:] == ["", ""]


def test_the_command_says_where_it_is_and_how_to_go_on(tmp_path):
    """One line of JSON; Ctrl-C ends with 130 and names the session's file."""
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3,4\n5,6\n", encoding="utf-8")
    command = [sys.executable, "-m", "lapwing", "label", "--json", "--no-open", "t.csv"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    told = json.loads(process.stdout.readline())
    assert set(told) == {"url", "token", "port", "session"}
    assert told["url"] == f"http://127.0.0.1:{told['port']}/?token={told['token']}"
    assert Path(told["session"]) == (tmp_path / "t.csv.lapwing").resolve()
    with urllib.request.urlopen(told["url"]) as page:
        assert page.status == 200
    process.send_signal(signal.SIGINT)
    rest, words = process.communicate(timeout=60)
    assert process.returncode == 130 and rest == ""
    assert f"0 labels saved; to go on: lapwing label {told['session']}" in words
