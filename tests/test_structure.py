"""What the house promises of itself: capabilities, not classes; maps that name the rooms."""

import ast
import importlib
import inspect
import pkgutil
import sys
from pathlib import Path

import pytest

import lapwing
from lapwing.datasets import make_two_moons
from lapwing.kernels import Kernel
from lapwing.losses import Loss
from lapwing.operators import Operator
from lapwing.outputs import JointKernel
from lapwing.pointcloud.base import PointCloudKernel
from lapwing.spaces import Space

PACKAGE = Path(lapwing.__file__).parent
ROOMS = {
    info.name
    for info in pkgutil.iter_modules([str(PACKAGE)])
    if not info.name.startswith("_") and info.ispkg
}
ALLOWED = 20


def classes_of(*bases) -> set[str]:
    """The names of the bases and of everything derived from them, imported from every module."""
    for info in pkgutil.walk_packages([str(PACKAGE)], "lapwing."):
        if ".reproduce" not in info.name and not info.name.endswith("__main__"):
            importlib.import_module(info.name)
    found, todo = set(), list(bases)
    while todo:
        kind = todo.pop()
        found.add(kind.__name__)
        todo += kind.__subclasses__()
    return found


def names_in(node: ast.expr) -> set[str]:
    return {
        part.id if isinstance(part, ast.Name) else part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Name | ast.Attribute)
    }


def dispatches(path: Path, kinds: set[str]) -> list[str]:
    """``isinstance`` on one of the kinds, but for checks of arguments, which raise."""
    tree = ast.parse(path.read_text())
    checks = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise)
        for part in ast.walk(node.test)
    }
    return [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "isinstance"
        and id(node) not in checks
        and names_in(node.args[1]) & kinds
    ]


def test_few_places_ask_what_class_a_part_is():
    kinds = classes_of(Space, Loss, Operator, Kernel, JointKernel, PointCloudKernel)
    files = [p for p in PACKAGE.rglob("*.py") if "reproduce" not in p.parts]
    found = [place for path in files for place in dispatches(path, kinds)]
    assert len(found) <= ALLOWED, "\n".join(found)


def test_no_missing_attribute_is_overlooked():
    for path in PACKAGE.rglob("*.py"):
        assert "ignore[attr-defined]" not in path.read_text(), path


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_the_maps_name_every_room(room):
    guide = (PACKAGE.parents[1] / "docs" / "how-it-works.md").read_text()
    assert f"{room}/" in inspect.getdoc(lapwing), "the package's map"
    assert f"`{room}/`" in guide, "the map of the site"


def test_the_counter_counts(tmp_path):
    source = (
        "if isinstance(s, Exact):\n    pass\nif not isinstance(s, Exact):\n    raise TypeError\n"
    )
    path = PACKAGE / "spaces" / "exact.py"
    assert not dispatches(path, {"Nobody"})
    (tmp_path / "x.py").write_text(source)
    tree_path = tmp_path / "x.py"
    found = [
        node
        for node in ast.walk(ast.parse(tree_path.read_text()))
        if isinstance(node, ast.Call) and names_in(node.args[1]) & {"Exact"}
    ]
    assert len(found) == 2


BENEATH = ("graphs", "kernels", "linalg", "parameters")
FILES_OF_A_FIT = 14


def files_run(work) -> set[str]:
    """The package's files whose functions run while ``work()`` does, but for the rooms beneath."""
    seen: set[str] = set()

    def note(frame, event, argument):
        if event == "call":
            seen.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    own = {Path(name).relative_to(PACKAGE) for name in seen if name.startswith(str(PACKAGE))}
    return {path.as_posix() for path in own if path.parts[0] not in BENEATH}


def test_a_fit_can_be_read_in_fourteen_files():
    X, y, _ = make_two_moons(60, labels_per_class=5, random_state=0)
    given = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": 0.01, "gamma_I": 0.1}
    model = lapwing.LapSVC(fit_intercept=False, **given)
    found = files_run(lambda: model.fit(X, y))
    assert len(found) <= FILES_OF_A_FIT, "\n".join(sorted(found))
    assert {"estimators/base.py", "objective.py", "solvers/dual.py"} <= found
    # what is left to be chosen, and the intercept, bring the files of their own
    assert files_run(lambda: lapwing.LapSVC(**given).fit(X, y)) > found
