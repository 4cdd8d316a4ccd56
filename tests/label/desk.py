"""A real server and a real browser for the tests of the page."""

import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

CHROMIUM = os.environ.get("LAPWING_CHROMIUM") or shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 90.0


class Server:
    """``lapwing label`` in a process of its own."""

    def __init__(self, *arguments):
        command = [
            sys.executable,
            "-m",
            "lapwing.label",
            "label",
            "--no-open",
            *map(str, arguments),
        ]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://127.0.0.1:"), self.process.stderr.read()
        self.port = urlsplit(self.url).port
        self.origin = f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """kill −9."""
        self.process.kill()
        self._end()

    def stop(self) -> None:
        self.process.terminate()
        self._end()

    def _end(self) -> None:
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


@contextmanager
def serving(*arguments):
    server = Server(*arguments)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


class Desk:
    """One tab with the page, and what went wrong in it."""

    def __init__(self, context, server: Server, path: str | None = None):
        self.server, self.page = server, context.new_page()
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.expected: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda dialog: self.errors.append(f"dialog: {dialog.message}"))
        self.page.goto(server.url)
        if path is not None:
            self.page.wait_for_url(f"{server.origin}/")
            self.page.goto(server.origin + path)
        self.page.wait_for_selector("body[data-ready]", timeout=1000 * PATIENCE)

    def _console(self, message) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def ask(self, expression: str):
        return self.page.evaluate(expression)

    def wait(self, expression: str, patience: float = PATIENCE):
        """Until the expression is true; the page's policy forbids Playwright's own waiting."""
        end = time.monotonic() + patience
        while not (found := self.ask(expression)):
            assert time.monotonic() < end, f"never true: {expression}"
            self.page.wait_for_timeout(30)
        return found

    def row(self) -> int:
        """The point at hand, once its card is shown and keys count for it."""
        self.wait("document.body.dataset.current !== '' && "
                  "document.body.dataset.shown === document.body.dataset.current")  # fmt: skip
        return int(self.ask("document.body.dataset.current"))

    def key(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def labels(self, n: int) -> None:
        """Wait until the server has saved that there are n labels."""
        self.wait(f"document.body.dataset.labels === '{n}' && lapwing.waiting === 0")

    def place(self, point: int) -> tuple[float, float]:
        """Where a point is on the screen."""
        x, y = self.ask(f"lapwing.map.screen({point})")
        box = self.page.locator("#marks").bounding_box()
        return box["x"] + x, box["y"] + y

    def lasso(self) -> None:
        """Draw around the whole map."""
        box = self.page.locator("#marks").bounding_box()
        left, top = box["x"] + 4, box["y"] + 110
        right, bottom = box["x"] + box["width"] - 4, box["y"] + box["height"] - 62
        mouse = self.page.mouse
        mouse.move(left, top)
        mouse.down()
        for corner in ((right, top), (right, bottom), (left, bottom)):
            mouse.move(*corner, steps=4)
        mouse.up()

    def finish(self) -> None:
        """No error in the console, and no request left the origin."""
        assert self.errors == self.expected
        assert all(url.startswith(self.server.origin) for url in self.requests), self.requests
