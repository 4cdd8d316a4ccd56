"""One browser for all tests of the page; without Chromium they skip and say so."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from desk import CHROMIUM, FLAGS, Desk, serving


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium; install it, or name it in LAPWING_CHROMIUM")
    with playwright.sync_playwright() as api:
        made = api.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def context(browser):
    made = browser.new_context(viewport={"width": 1280, "height": 720})
    yield made
    made.close()


@pytest.fixture
def open_desk(context):
    """Open tabs on servers; at the end no tab may have seen an error or another origin."""
    desks = []

    def opened(server, path=None, within=context):
        desks.append(Desk(within, server, path))
        return desks[-1]

    yield opened
    for desk in desks:
        desk.finish()


@pytest.fixture
def serve():
    """Start servers that are stopped at the end."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield lambda *arguments: stack.enter_context(serving(*arguments))
