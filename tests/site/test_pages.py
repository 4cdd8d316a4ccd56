"""The Python code on the pages runs, page by page, from top to bottom."""

import re
from pathlib import Path

import pytest

import lapwing

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(
    path
    for path in [*DOCS.glob("*.md"), *DOCS.glob("guide/*.md")]
    if "```python" in path.read_text(encoding="utf-8")
)
OTHERS = {"command-line.md", "choosing.md", "labeling.md"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")
def test_the_code_of_a_page_runs(path, capsys):
    if path.name in OTHERS:
        pytest.skip("tested by the part that writes it")
    pytest.importorskip("pandas")
    found: dict = {}
    for block in re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.S):
        exec(compile(block, path.name, "exec"), found)


def test_every_estimator_has_an_example_in_its_docstring():
    public = {name: getattr(lapwing, name) for name in lapwing.__all__}
    for name, value in public.items():
        assert not isinstance(value, type) or ">>>" in value.__doc__, name
