"""How long a frame and a recoloring take in Chromium without a GPU, at 1280 × 720.

A frame is drawn while panning; a recoloring uploads two bytes for each row and draws. Both wait
until the pixels are there.

    PYTHONPATH=tests/label python benchmarks/label_frames.py --rows 100000
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from desk import CHROMIUM, FLAGS, Desk, serving
from playwright.sync_api import sync_playwright

FRAME = """async (n) => { const map = lapwing.map, times = [];
  for (let k = 0; k < n; k++) { const start = performance.now();
    map.view.x += 0.003; map.drawNow(); map.painter.finish();
    times.push(performance.now() - start); await new Promise(requestAnimationFrame); }
  return times; }"""
RECOLOR = """async (n) => { const map = lapwing.map, times = [];
  for (let k = 0; k < n; k++) {
    const classes = Uint8Array.from(map.classes, (_, i) => (i + k) % 10);
    const sure = Uint8Array.from(map.confidence, (_, i) => (i * 7 + k) % 128);
    const start = performance.now();
    map.setAnswers(classes, sure); map.drawNow(); map.painter.finish();
    times.push(performance.now() - start); await new Promise(requestAnimationFrame); }
  return times; }"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=25)
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    X = rng.normal(scale=6, size=(8, 6))[rng.integers(8, size=arguments.rows)]
    X = X + rng.normal(size=X.shape)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as api:
        np.save(Path(folder) / "many.npy", X)
        browser = api.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        with serving(Path(folder) / "many.npy", "--classes", "a,b") as server:
            for path in (None, "/?canvas=1"):
                desk = Desk(context, server, path)
                for name, code in (("frame", FRAME), ("recoloring", RECOLOR)):
                    times = desk.page.evaluate(code, arguments.repeats)
                    kind = desk.ask("lapwing.map.painter.kind")
                    print(
                        f"{kind}, {arguments.rows} rows, {name}: median {np.median(times):.0f} ms"
                    )
                desk.page.close()
        browser.close()


if __name__ == "__main__":
    main()
