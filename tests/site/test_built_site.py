"""The built site answers questions, links what is there, and fetches nothing from elsewhere."""

import re
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from desk import CHROMIUM, FLAGS

import lapwing

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = yaml.safe_load((ROOT / "docs" / "questions.yml").read_text(encoding="utf-8"))
pytestmark = [pytest.mark.slow, pytest.mark.site]


@pytest.fixture(scope="module")
def near(pages) -> set[str]:
    """Pages at most two links from home."""
    first = pages["index.html"].inside()
    return first | {there for page in first if page in pages for there in pages[page].inside()}


@pytest.mark.parametrize("entry", QUESTIONS, ids=lambda entry: entry["question"])
def test_the_question_is_answered_two_links_from_home(entry, pages, near):
    assert entry["page"] in near
    page = pages[entry["page"]]
    assert entry["anchor"] in page.ids, sorted(page.ids)
    assert entry["says"] in page.text[page.ids[entry["anchor"]] :]


def test_internal_links_and_anchors_exist(built, pages):
    missing = []
    for page in pages.values():
        for link in page.links:
            target = urlsplit(urljoin(page.where, link))
            if target.scheme or link.startswith("javascript"):
                continue
            there = unquote(target.path) or page.where
            if not (built / there).exists():
                missing.append(f"{page.where} links {link}")
            anchors = pages[there].ids if there in pages else {}
            if target.fragment and anchors and unquote(target.fragment) not in anchors:
                missing.append(f"{page.where} links {link}: no such anchor")
    assert not missing, "\n".join(missing[:30])


def test_nothing_is_fetched_from_elsewhere(built, pages):
    for page in pages.values():
        outside = [what for what in page.fetched if urlsplit(what).netloc]
        assert not outside, (page.where, outside)
    for style in built.rglob("*.css"):
        found = re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", style.read_text("utf-8"))
        assert not found, style


def test_every_public_name_has_a_page(pages):
    listed = pages["api/index.html"].text
    for name in lapwing.__all__:
        assert f"api/generated/lapwing.{name}.html" in pages, name
        assert name in listed


def test_the_gallery_is_large_and_has_pictures(pages):
    shown = [name for name in pages if name.startswith("auto_examples/plot_")]
    assert len(shown) >= 20
    for name in shown:
        assert any("images/sphx_glr" in what for what in pages[name].fetched), name


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("own graph", "Your own parts"),
        ("save model", "Saving"),
        ("probability", "Confidence and abstaining"),
        ("dask", "Much data"),
        ("scale columns", "Common pitfalls"),
    ],
)
def test_the_search_finds_the_guide_first(words, page, built):
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if not CHROMIUM:
        pytest.skip("there is no chromium; install it, or name it in LAPWING_CHROMIUM")
    with playwright.sync_playwright() as api:
        browser = api.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        tab = browser.new_page()
        tab.goto(f"{(built / 'search.html').resolve().as_uri()}?q={words}")
        tab.wait_for_selector("#search-results li > a")
        tab.wait_for_timeout(500)
        found = tab.locator("#search-results li > a").all_text_contents()
        browser.close()
    assert page in [title.strip() for title in found[:3]]
