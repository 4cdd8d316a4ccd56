"""A public source on this machine: good files, cut-off ones, and refusals."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"


@pytest.fixture
def data():
    if not DATA.is_dir():
        pytest.skip("the papers' data are not in ../shared/data")
    return DATA


class Place:
    """What the server serves, and how often it was asked."""

    def __init__(self):
        self.files: dict[str, bytes] = {}
        self.cut: set[str] = set()
        self.asked: list[str] = []

    def checksum(self, name: str) -> str:
        return "sha256:" + hashlib.sha256(self.files[name]).hexdigest()


@pytest.fixture
def place():
    """The address is ``place.url``."""
    served = Place()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.lstrip("/")
            served.asked.append(name)
            if name not in served.files:
                self.send_error(404)
                return
            body = served.files[name]
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if name in served.cut else body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_port}"
    yield served
    server.shutdown()
    server.server_close()
