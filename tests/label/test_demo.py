"""A new user with ``lapwing label --demo``: 95 % of the digits right in under 40 keystrokes."""

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

IMAGES = Path(__file__).parents[2] / "docs" / "images"
KEYSTROKES = 40
TYPICAL = 10
"""The first rows are typical ones; from then on the model suggests."""

SEEN = 14
"""Labels after which the pictures for the documentation are taken."""


def right(desk) -> float:
    """The share of digits whose class on the map is the true one."""
    truth = load_digits().target
    classes = np.array(desk.ask("[...lapwing.classes]"))
    return float(np.mean(classes == truth))


def picture(browser, open_desk, server, theme: str, folder: Path) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme=theme)
    desk = open_desk(server, within=context)
    desk.row()
    desk.page.wait_for_timeout(800)
    path = folder / f"label-{theme}.png"
    desk.page.screenshot(path=path)
    ground = desk.ask("getComputedStyle(document.body).backgroundColor")
    assert path.stat().st_size > 20_000
    assert ground == {"light": "rgb(247, 247, 244)", "dark": "rgb(20, 24, 27)"}[theme]


def test_digits_in_under_forty_keystrokes(browser, serve, open_desk, tmp_path):
    truth, curve = load_digits().target, []
    server = serve("--demo")
    desk = open_desk(server)
    for n in range(1, KEYSTROKES):
        point = desk.row()
        desk.key(str(truth[point]))
        desk.labels(n)
        if n >= TYPICAL:
            # a person looks at the next row for a moment; the model is renewed meanwhile
            desk.wait("!lapwing.head.busy && lapwing.head.model && !lapwing.head.model.behind")
        curve.append(right(desk))
        if n == SEEN:
            # set LAPWING_SCREENSHOTS to renew the pictures of the documentation
            folder = IMAGES if os.environ.get("LAPWING_SCREENSHOTS") else tmp_path
            for theme in ("light", "dark"):
                picture(browser, open_desk, server, theme, folder)
        if n > SEEN and curve[-1] >= 0.95:
            break
    assert curve[-1] == pytest.approx(max(curve), abs=0.03) and max(curve) >= 0.95
