"""The page in a real browser: Chromium without a screen, driven by Playwright."""

import http.client
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lapwing.label.images import bitmap
from lapwing.label.store import Store

N = 60
SCRIPT = "<script>document.title = 'stolen'</script><img src=x onerror=alert(1)>"


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(0)
    kind = np.arange(N) % 2
    words = [f"{('apple pear plum', 'hammer saw drill')[k]} number {i}" for i, k in enumerate(kind)]
    words[0] = SCRIPT
    frame = pd.DataFrame({"words": words, "size": np.round(rng.normal(4 * kind, 1), 3)})
    path = tmp_path / "things.csv"
    pd.concat([frame, frame[5:6], frame[5:6]]).to_csv(path, index=False)
    return path


@pytest.fixture
def server(serve, data):
    return serve(data, "--classes", "food,tool", "--text", "words")


@pytest.fixture
def desk(open_desk, server):
    return open_desk(server)


def names_of(desk):
    return desk.ask("lapwing.head.classes.map((c) => [c.name, c.labeled])")


def test_label_by_key_and_go_on(desk):
    first = desk.row()
    desk.key("1")
    desk.labels(1)
    assert desk.row() != first
    assert names_of(desk) == [["food", 1], ["tool", 0]]
    assert desk.page.locator("#saved").inner_text().startswith("Saved")
    desk.key("2")
    desk.labels(2)
    assert desk.ask(f"lapwing.classes[{first}]") == 0


def test_keys_in_a_hurry_count_for_the_row_that_is_shown(desk):
    seen = []
    for _ in range(6):
        seen.append(desk.row())
        desk.key("1")
    desk.labels(6)
    assert len(set(seen)) == 6
    assert all(desk.ask(f"lapwing.classes[{p}]") == 0 for p in seen)


def test_label_by_click(desk):
    desk.row()
    for point, name in ((7, "tool"), (12, "food")):
        desk.page.mouse.click(*desk.place(point))
        desk.wait(f"document.body.dataset.shown === '{desk.ask('document.body.dataset.current')}'")
        chosen = desk.row()
        desk.page.get_by_role("group", name="Label this row").get_by_role(
            "button", name=name
        ).click()
        desk.wait("lapwing.waiting === 0")
        assert desk.ask(f"lapwing.confidence[{chosen}] & 128") == 128


def test_label_by_lasso_is_one_batch(desk):
    desk.row()
    desk.key("l")
    desk.lasso()
    n = desk.wait("lapwing.selected.length")
    assert n > N / 2
    desk.key("2")
    desk.labels(n)
    desk.key("u")
    desk.labels(0)
    desk.key("Control+Shift+z")
    desk.labels(n)


def test_a_lasso_leaves_labels_as_they_are_unless_told(desk):
    first = desk.row()
    desk.key("1")
    desk.labels(1)
    second = desk.row()
    desk.key("s")
    desk.wait("lapwing.head.unsure === 1")
    desk.key("l")
    desk.lasso()
    n = desk.wait("lapwing.selected.length")
    assert "2 labeled too" in desk.page.locator("#take-labeled").inner_text()
    desk.key("2")
    desk.labels(n + 1)
    assert desk.ask(f"lapwing.classes[{first}]") == 0
    assert desk.ask("lapwing.head.unsure") == 1
    desk.key("l")
    desk.lasso()
    desk.wait("lapwing.lassoed.length")
    assert desk.ask("lapwing.selected.length") == 0
    desk.key("2")
    assert "have a label" in desk.page.locator("#saved").inner_text()
    desk.labels(n + 1)
    desk.key("a")
    assert desk.ask("lapwing.selected.length") == n + 2
    assert desk.page.locator("#take-labeled").get_attribute("aria-pressed") == "true"
    desk.key("2")
    desk.labels(n + 2)
    assert desk.ask(f"lapwing.classes[{first}] === 1 && lapwing.classes[{second}] === 1")
    desk.key("u")
    desk.labels(n + 1)
    desk.wait(f"lapwing.classes[{first}] === 0 && lapwing.head.unsure === 1")
    desk.key("l")
    desk.lasso()
    desk.wait("lapwing.lassoed.length")
    desk.key("a", "Delete")
    desk.labels(0)
    desk.key("u")
    desk.labels(n + 1)


def test_undo_to_empty_and_redo(desk):
    for i in range(5):
        desk.row()
        desk.key("12"[i % 2])
        desk.labels(i + 1)
    for n in (4, 3, 2):
        desk.key("u")
        desk.labels(n)
    for n in (1, 0):
        desk.key("Control+z")
        desk.labels(n)
    assert desk.page.locator("#undo").is_disabled()
    desk.key("u")
    for n in range(1, 6):
        desk.key("Control+Shift+z")
        desk.labels(n)
    assert desk.page.locator("#redo").is_disabled()


def test_kill_and_resume(serve, server, open_desk, desk, data):
    for n in range(3):
        desk.row()
        desk.key("1")
        desk.labels(n + 1)
    server.kill()
    desk.wait("!document.getElementById('trouble').hidden")
    store = Store(data.with_name("things.csv.lapwing"))
    assert len(store.history.current("label")) == 3
    store.close()
    desk.page.close()
    desk.errors = []  # the dead server's connection
    again = open_desk(serve(data, "--text", "words"))
    again.labels(3)
    assert names_of(again) == [["food", 3], ["tool", 0]]


def test_reload_shows_the_same(desk):
    desk.row()
    desk.key("1")
    desk.labels(1)
    desk.page.reload()
    desk.page.wait_for_selector("body[data-ready]")
    desk.labels(1)
    assert "token" not in desk.page.url


def test_two_tabs_see_each_other(open_desk, server, desk):
    other = open_desk(server)
    desk.row()
    desk.key("1")
    desk.labels(1)
    other.labels(1)
    other.row()
    other.key("2")
    other.labels(2)
    desk.labels(2)
    desk.key("u")
    desk.labels(1)
    other.labels(1)


HOLD = """(() => { const real = fetch; globalThis.fetch = async (...given) => {
  const response = await real(...given);
  if (String(given[0]).startsWith('/api/do/'))
    await new Promise((go) => { globalThis.release = go; });
  return response; }; })()"""


def test_news_that_come_while_an_answer_is_on_its_way_are_not_lost(open_desk, server, desk):
    other = open_desk(server)
    desk.row()
    desk.ask(HOLD)
    desk.key("1")
    desk.wait("globalThis.release !== undefined")
    other.labels(1)
    other.row()
    other.key("1")
    other.labels(2)
    other.wait("!lapwing.head.busy")
    desk.wait(f"lapwing.newest >= {other.ask('lapwing.head.version')}")
    assert desk.ask("document.body.dataset.labels") == "0"
    desk.ask("release()")
    desk.labels(2)


def test_undo_shows_the_row_that_came_back(desk):
    desk.row()
    desk.page.mouse.click(*desk.place(23))
    desk.wait("document.body.dataset.shown === document.body.dataset.current")
    chosen = desk.row()
    desk.key("2")
    desk.labels(1)
    assert desk.row() != chosen
    desk.key("u")
    desk.labels(0)
    desk.wait(f"document.body.dataset.shown === '{chosen}'")


def test_a_cell_with_a_script_is_text(desk):
    desk.page.locator("#search").fill("#1")
    desk.page.locator("#search").press("Enter")
    desk.wait("document.body.dataset.shown === '0'")
    assert desk.page.locator("#content .words").inner_text() == SCRIPT
    assert desk.ask("document.querySelectorAll('#content script, #content img').length") == 0
    assert "stolen" not in desk.page.title()


def test_a_class_name_with_a_script_is_text(desk):
    desk.key("c")
    desk.page.locator("#class-name").fill("<b>x</b>")
    desk.page.locator("#class-name").press("Enter")
    desk.wait("lapwing.head.classes.length === 3")
    assert "<b>x</b>" in desk.page.locator("#classes").inner_text()


def test_the_model_comes_while_one_reads(desk):
    for i in range(6):
        point = desk.row()
        desk.key("12"[point % 2])
        desk.labels(i + 1)
    desk.wait("lapwing.head.model && lapwing.head.model.behind === 0 && !lapwing.head.busy")
    assert desk.ask("lapwing.classes.filter((c) => c < 2).length") > N / 2
    point = desk.row()
    said = desk.ask("lapwing.panel.shown.answer")
    desk.key("Enter")
    desk.labels(7)
    assert desk.ask(f"lapwing.classes[{point}]") == said
    assert "Leave-one-out" in desk.page.locator("#error").inner_text()


def test_an_audit_is_blind_and_gives_an_interval(desk):
    for i in range(6):
        point = desk.row()
        desk.key("12"[point % 2])
        desk.labels(i + 1)
    desk.wait("lapwing.head.model !== null && !lapwing.head.busy")
    desk.page.locator("#audit-k").fill("4")
    desk.page.locator("#audit").click()
    desk.wait("lapwing.head.audit")
    assert (
        desk.ask("lapwing.classes.filter((c, i) => c < 2 && !(lapwing.confidence[i] & 128)).length")
        == 0
    )
    for i in range(4):
        point = desk.row()
        assert desk.page.locator("#answer").inner_text().startswith("The model’s answer is hidden")
        desk.key("12"[point % 2])
        desk.labels(7 + i)
    desk.wait("lapwing.head.audit === null")
    assert "95 % interval" in desk.page.locator("#audits").inner_text()


def test_classes_can_be_renamed_and_merged(desk):
    desk.row()
    desk.key("2")
    desk.labels(1)
    desk.page.get_by_label("Rename or merge tool").click()
    desk.page.locator("#class-name").fill("device")
    desk.page.locator("#class-ok").click()
    desk.wait("lapwing.head.classes.some((c) => c.name === 'device')")
    desk.page.get_by_label("Rename or merge device").click()
    desk.page.locator("#merge").click()
    desk.wait("lapwing.head.classes.length === 1")
    assert names_of(desk) == [["food", 1]]


def test_search_and_filters_dim_but_keep_all_rows(desk):
    desk.page.locator("#search").fill("hammer")
    desk.wait("lapwing.filter.found !== null")
    hidden = desk.ask("lapwing.map.dims.reduce((a, b) => a + b, 0)")
    assert 0 < hidden < N
    assert desk.ask("lapwing.map.n") == N
    desk.key("Escape")
    desk.wait("lapwing.map.dims.every((d) => d === 0)")
    desk.page.locator("#source").select_option("person")
    desk.wait("lapwing.map.dims.every((d) => d === 1)")
    desk.page.locator("#show-all").click()
    desk.wait("lapwing.map.dims.every((d) => d === 0)")


def test_unsure_guidelines_help_zoom_and_duplicates(desk):
    first = desk.row()
    desk.key("s")
    desk.wait("lapwing.head.unsure === 1")
    assert desk.row() != first
    desk.page.locator("#guidelines").fill("Fruit is food.")
    desk.page.locator("#guidelines").blur()
    desk.wait("lapwing.head.guidelines === 'Fruit is food.'")
    desk.key("?")
    assert desk.page.locator("#keys").is_visible()
    desk.key("Escape", "+")
    assert desk.ask("lapwing.map.view.zoom") > 1
    assert desk.ask("lapwing.about.duplicates") == [[5, 3]]
    for kind in ("axes", "eigenmaps", "neighbors"):
        desk.page.locator("#layout").select_option(kind)
        desk.wait("document.getElementById('saved').textContent === 'Saved'")


def test_columns_as_axes_hover_wheel_and_who_labels(serve, open_desk, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"price": 1000 * rng.random(60), "age": rng.random(60), "name": "cup"})
    frame.loc[7, "age"] = np.nan
    frame.to_csv(tmp_path / "cups.csv", index=False)
    desk = open_desk(serve(tmp_path / "cups.csv", "--classes", "a,b", "--annotator", "Ada"))
    desk.page.locator("#layout").select_option("columns")
    desk.wait("!document.getElementById('axis-up').hidden")
    assert "price" in desk.page.locator("#axis-across").inner_text()
    desk.wait(f"lapwing.map.places[15] === -1 && lapwing.map.n === {len(frame)}")  # the gap
    places = np.reshape(desk.ask("[...lapwing.map.places]"), (-1, 2))
    known = frame["age"].notna()
    for j, name in enumerate(["price", "age"]):
        assert (np.argsort(places[known, j]) == np.argsort(frame.loc[known, name])).all()
        assert np.ptp(places[known, j]) > 1.8  # each on a scale of its own
    box = desk.page.locator("#marks").bounding_box()
    x, y = desk.ask("lapwing.map.screen(3)")
    desk.page.mouse.move(box["x"] + x, box["y"] + y)
    desk.wait("document.getElementById('tip').textContent.includes('cup')")
    desk.page.mouse.wheel(0, -400)
    desk.wait("lapwing.map.view.zoom > 1.5")
    assert np.hypot(*np.subtract(desk.ask("lapwing.map.screen(3)"), [x, y])) < 3  # stays in place
    desk.key("1")
    desk.wait("lapwing.head.labels === 1")
    assert desk.ask("fetch('/api/history').then((r) => r.json()).then((h) => h[0].by)") == "Ada"


def test_the_error_is_that_of_the_present_labels(desk):
    """Undo takes the error of the labels back, too."""
    for _ in range(6):
        point = desk.row()
        desk.key("12"[point % 2])
        desk.wait(f"lapwing.current !== {point}")
    desk.wait("lapwing.head.model?.labels === 6 && lapwing.head.curve.length")
    for _ in range(2):
        desk.key("u")
    desk.wait("lapwing.head.labels === 4 && lapwing.head.model?.labels === 4 && !lapwing.head.busy")
    assert desk.ask("lapwing.head.curve.at(-1).labels") == 6  # kept, and not shown
    shown = desk.page.locator("#error").inner_text()
    assert "of 6 labels" not in shown
    assert "of 4 labels" in shown or "of 3 labels" in shown or "once a class" in shown


def test_nothing_is_cut_off(serve, open_desk, tmp_path):
    """A long text, three probabilities and four long neighbors at 1280 × 720."""
    rng = np.random.default_rng(0)
    kind = np.arange(90) % 3
    words = [" ".join(rng.choice(["red", "green", "blue"], 90)) for _ in kind]
    frame = pd.DataFrame({"words": words, "size": rng.normal(9 * kind, 1), "kind": kind})
    frame["kind"] = np.where(np.arange(90) < 12, np.array(["a", "b", "c"])[kind], None)
    frame.to_csv(tmp_path / "long.csv", index=False)
    desk = open_desk(serve(tmp_path / "long.csv", "--text", "words", "--target", "kind"))
    desk.wait("lapwing.head.model && document.querySelectorAll('.bars li').length === 3")
    desk.wait("document.querySelectorAll('#near li').length === 4")
    over = desk.ask(
        "[...document.querySelectorAll('#right > :not(#content)')].filter((e) => "
        "e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map((e) => e.id)"
    )
    assert over == []
    edge = desk.page.locator("#right").bounding_box()
    for last in (".bars li:last-child", "#near li:last-child button"):
        here = desk.page.locator(last).bounding_box()
        assert here["x"] + here["width"] <= edge["x"] + edge["width"]
        assert here["y"] + here["height"] <= 720
    bars = desk.page.locator(".bars").bounding_box()
    assert bars["y"] + bars["height"] <= desk.page.locator("#buttons").bounding_box()["y"]


def test_every_control_has_a_name(desk):
    nameless = desk.ask(
        "[...document.querySelectorAll('button, input, select, textarea, canvas[role]')].filter("
        "(e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length"
        " || e.getAttribute('aria-labelledby'))).map((e) => e.outerHTML)"
    )
    assert nameless == []


def test_without_webgl_a_canvas_draws(open_desk, server):
    desk = open_desk(server, "/?canvas=1")
    assert desk.ask("lapwing.map.painter.kind") == "canvas"
    desk.row()
    desk.key("1")
    desk.labels(1)
    colors = desk.ask(
        "[...new Set(new Uint32Array(lapwing.map.canvas.getContext('2d').getImageData("
        "0, 0, lapwing.map.canvas.width, lapwing.map.canvas.height).data.buffer))].length"
    )
    assert colors > 3


def request(server, method="GET", path="/", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    return connection.getresponse().status


def test_wrong_host_and_missing_token_are_refused(server):
    token = server.url.partition("?")[2]
    assert request(server) == 403
    assert request(server, path=f"/?{token}", Host=f"evil.example:{server.port}") == 403
    assert request(server, path=f"/?{token}") == 200
    assert request(server, path="/api/answers") == 403
    assert request(server, method="POST", path="/api/do/undo") == 403


def test_a_page_of_another_port_can_neither_read_nor_act(context, desk, server):
    """The cookie goes along, since ports are one site: the origin check must refuse."""
    attack = f"""<script>
      const go = (path, more) =>
        fetch("{server.origin}" + path, {{credentials: "include", ...more}});
      go("/api/do/label", {{method: "POST", mode: "no-cors", body: '{{"points": [0], "class": 0}}',
        headers: {{"Content-Type": "text/plain"}}}}).catch(() => 0)
      .then(() => go("/api/answers").then((r) => r.text()).then(() => "read", () => "refused"))
      .then((found) => {{ document.title = found; }});
    </script>"""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(attack.encode())

        def log_message(self, *_):
            pass

    evil = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=evil.serve_forever, daemon=True).start()
    try:
        tab = context.new_page()
        failed = []
        tab.on("requestfailed", lambda r: failed.append(r.url))
        tab.goto(f"http://127.0.0.1:{evil.server_port}/")
        for _ in range(100):
            if tab.title():
                break
            tab.wait_for_timeout(50)
        assert tab.title() == "refused"
        assert failed == [f"{server.origin}/api/do/label", f"{server.origin}/api/answers"]
    finally:
        evil.shutdown()
    desk.page.reload()
    desk.page.wait_for_selector("body[data-ready]")
    desk.labels(0)


def test_an_image_path_that_leaves_the_folder_is_refused(serve, open_desk, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    rng = np.random.default_rng(0)
    (tmp_path / "secret.png").write_bytes(bitmap(np.zeros((8, 8), "uint8")))
    names = [f"{i}.png" for i in range(12)]
    for name in names:
        (folder / name).write_bytes(bitmap(rng.integers(0, 255, (16, 16)).astype("uint8")))
    pd.DataFrame({"file": [*names, "../secret.png"]}).to_csv(folder / "p.csv", index=False)
    desk = open_desk(serve(folder / "p.csv", "--image", "file", "--classes", "a,b"))
    assert desk.ask("fetch('/api/image/3').then((r) => r.status)") == 200
    assert desk.ask("fetch('/api/image/12').then((r) => r.status)") == 404
    desk.expected = [e for e in desk.errors if "404" in e]


def test_a_hundred_thousand_rows(serve, open_desk, tmp_path):
    rng = np.random.default_rng(0)
    centers = rng.normal(scale=6, size=(8, 6))
    X = centers[rng.integers(8, size=100_000)] + rng.normal(size=(100_000, 6))
    np.save(tmp_path / "many.npy", X)
    desk = open_desk(serve(tmp_path / "many.npy", "--classes", "a,b"))
    assert desk.ask("lapwing.map.n") == 100_000
    first = desk.row()
    desk.key("1")
    desk.labels(1)
    assert desk.row() != first
    desk.key("l")
    desk.lasso()
    n = desk.wait("lapwing.selected.length")
    assert n > 50_000
    desk.key("2")
    desk.wait("lapwing.head.labels > 50000 && lapwing.waiting === 0")
    desk.key("u")
    desk.labels(1)


def test_an_empty_session_asks_for_classes(serve, open_desk, data):
    desk = open_desk(serve(data))
    desk.page.locator("#first-name").fill("food, tool")
    desk.page.locator("#first-name").press("Enter")
    desk.wait("lapwing.head.classes.length === 2 && lapwing.waiting === 0")
    desk.row()
    desk.key("2")
    desk.labels(1)
    assert names_of(desk) == [["food", 0], ["tool", 1]]


def test_export_from_the_page(desk):
    desk.row()
    desk.key("1")
    desk.labels(1)
    desk.page.locator("#export summary").click()
    with desk.page.expect_download() as download:
        desk.page.get_by_role("link", name="JSON lines").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert sum(json.loads(line)["lapwing_label"] == "food" for line in lines) >= 1
