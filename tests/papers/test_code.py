"""The hash of the code behind a record: it covers what decides numbers, and nothing else."""

import sys
import threading
from pathlib import Path

import pytest

from lapwing_papers import EXPERIMENTS
from lapwing_papers import sources as sources_module
from lapwing_papers.code import code_hash, joint_hash, meaning
from lapwing_papers.draws import seed_of
from lapwing_papers.mr.shapes import Shapes
from lapwing_papers.mt.uniform import UniformComponents
from lapwing_papers.so.tables import Teapots
from lapwing_papers.sources import NO_PART, ROOTS, sources

SOURCE = '''"""Doc."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import ndarray

from .claims import lower

X = 1  # one


class Table(Experiment):
    protocol = "As printed."

    def claims(self, records):
        return [_of_the_text(records, lower)]

    def run_one(self, a: int) -> "ndarray":
        """Say."""
        if a < 0:
            raise ValueError(f"a is {a}.")
        return _added(a, X)


def _added(a, b):
    return a + b


def _of_the_text(records, test):
    return _halves(records)


def _halves(records):
    return 0.5
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""Say."""', '"""Say it otherwise."""'),
        ("  # one", "  # the first number"),
        ("return _added(a, X)", "return (\n            _added(a, X)\n        )"),
        ("a: int", "a: float"),
        (' -> "ndarray"', ""),
        ("X = 1", "X: int = 1"),
        ("import ndarray", "import generic, ndarray"),
        ("a is {a}.", "a is {a}, and must not be negative."),
        ("As printed.", "As printed, but for one."),
        ("return [_of_the_text(records, lower)]", "return [1]"),
        ("import lower", "import higher, lower"),
        ("return 0.5", "return 2"),
        ("def _halves(records):", "def _thirds():\n    return 3\n\n\ndef _halves(records):"),
    ],
)
def test_what_decides_no_number_does_not_count(old, new):
    assert SOURCE.count(old) == 1
    assert meaning(SOURCE) == meaning(SOURCE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a + b", "a - b"),
        ("_added(a, X)", "_added(X, a)"),
        ("X = 1", "X = 2"),
        ("a < 0", "a <= 0"),
        ("ValueError", "TypeError"),
    ],
)
def test_what_decides_a_number_counts(old, new):
    assert meaning(SOURCE) != meaning(SOURCE.replace(old, new))


FILES = {
    "lapwing/__init__.py": "if TYPE_CHECKING:\n    from .rooms import Fit, Other\n",
    "lapwing/rooms/__init__.py": "from .fit import Fit\nfrom .other import Other\n",
    "lapwing/rooms/fit.py": "from ..numerics import solve\n\n\nclass Fit:\n    pass\n",
    "lapwing/rooms/other.py": "class Other:\n    pass\n",
    "lapwing/numerics.py": "from . import deep\n\n\ndef solve():\n    from .late import step\n",
    "lapwing/deep.py": "D = 1\n",
    "lapwing/late.py": "def step():\n    return 1\n",
    "lapwing/cli.py": "from .rooms import Fit\n",
    "lapwing_papers/__init__.py": "",
    "lapwing_papers/mr.py": "from lapwing import Fit\nfrom .claims import lower\n",
    "lapwing_papers/so.py": "from lapwing.rooms import Other\n",
    "lapwing_papers/claims.py": "def lower():\n    return 1\n",
    "lapwing_papers/draws.py": "S = 1\n",
}


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Two small packages in place of ours; a call writes a file anew and gives both hashes."""
    roots = {name: tmp_path / name for name in ROOTS}
    monkeypatch.setattr(sources_module, "ROOTS", roots)

    def hashes(changed: str = "", text: str = "") -> tuple[str, str]:
        for name, own in FILES.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(own + (text if name == changed else ""), encoding="utf-8")
        for cached in (sources_module._find, code_hash):
            cached.cache_clear()
        return code_hash("lapwing_papers.mr"), code_hash("lapwing_papers.so")

    yield hashes
    monkeypatch.undo()
    for cached in (sources_module._find, code_hash):
        cached.cache_clear()


@pytest.mark.parametrize("name", FILES)
def test_an_edit_counts_for_the_experiments_that_come_through_the_file(packages, name):
    before = packages()
    after = packages(name, "NEW = 1\n")
    first = ("rooms/fit", "numerics", "deep", "late", "papers/mr", "draws")
    second = ("rooms/other", "papers/so", "draws")
    assert (after[0] != before[0]) == any(part in name for part in first)
    assert (after[1] != before[1]) == any(part in name for part in second)
    assert packages(name, "# a comment\n") == before


def test_rooms_on_top_have_no_part():
    rooms = {"cli", "label", "tables", "integrations", "io", "inspection", "testing", "distributed"}
    for kind in EXPERIMENTS:
        found = {source.module for source in sources(kind.__module__)}
        assert not found & NO_PART
        assert not {name.split(".")[1] for name in found if "." in name} & rooms
        assert kind.__module__ in found and "lapwing.problem.equation" in found


def test_what_other_files_import_from_an_experiment_is_kept():
    files = {s.module: s for kind in EXPERIMENTS for s in sources(kind.__module__)}
    homes = {kind.__module__ for kind in EXPERIMENTS}
    asked = {
        (one.module, one.name) for s in files.values() for one in s.imports if one.module in homes
    }
    assert ("lapwing_papers.vv.table1", "_split") in asked
    for module, name in asked:
        kept = meaning(files[module].text)
        assert f"name='{name}'" in kept or f"id='{name}'" in kept, (module, name)


def test_papers_do_not_count_for_each_other():
    structured = {source.module for source in sources(Teapots.__module__)}
    assert "lapwing.solvers.cutting_planes" in structured
    assert not any(name.startswith("lapwing_papers.m") for name in structured)
    assert "lapwing.outputs.ring" not in {s.module for s in sources(UniformComponents.__module__)}


@pytest.mark.parametrize("kind", [Shapes, Teapots, UniformComponents], ids=lambda k: k.names[0])
def test_a_run_comes_through_no_other_file(kind, request):
    """Every function that a run calls is written in a file that the hash covers."""
    data = request.getfixturevalue("data") if kind.datasets else None
    covered = {source.path for source in sources(kind.__module__)}
    experiment, seen = kind(data, True), set()
    part, seed = experiment.todo()[0], seed_of(experiment.name, 0)

    def note(frame, event, argument):
        if event == "call":
            seen.add(frame.f_code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        experiment.run_one(0, part, seed)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    ours = {Path(name) for name in seen if any(str(root) in name for root in ROOTS.values())}
    assert len(ours) > 50
    left = {path for path in ours - covered if not _without_numbers(path)}
    assert not left, sorted(str(path) for path in left)


def _without_numbers(path: Path) -> bool:
    """A module without part, or the door of a lazy package."""
    parts = {str(path).replace("/", ".").replace("\\", ".").find(name) for name in NO_PART}
    return parts != {-1} or path.name == "__init__.py"


def test_one_hash_for_several_experiments():
    assert joint_hash(["a", "b", "a"]) == joint_hash(["b", "a"]) != joint_hash(["a", "c"])
