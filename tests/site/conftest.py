"""The built site: ``LAPWING_SITE`` names its folder, as ``python tasks.py docs`` does."""

import os
from pathlib import Path

import pytest

from site_html import Page


@pytest.fixture(scope="session")
def built() -> Path:
    pytest.importorskip("sphinx", reason='the site needs pip install -e ".[docs]"')
    given = os.environ.get("LAPWING_SITE")
    if not given:
        pytest.skip("LAPWING_SITE names no built site: run python tasks.py docs")
    return Path(given)


@pytest.fixture(scope="session")
def pages(built) -> dict[str, Page]:
    found = (Page(path, built) for path in sorted(built.rglob("*.html")))
    return {page.where: page for page in found}
