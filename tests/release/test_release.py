"""What a release promises: one version, one list of public names, a wheel that works."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import lapwing

ROOT = Path(__file__).resolve().parents[2]


def load(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_version_changelog_and_citation_agree():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+)", changelog, re.M)[1]
    assert lapwing.__version__ == project["version"] == newest
    assert f"version: {project['version']}\n" in citation
    cite = (ROOT / "docs" / "cite.md").read_text(encoding="utf-8")
    assert f"version = {{{project['version']}}}" in cite


def test_no_signature_changes_by_accident():
    snapshot = load("api_snapshot")
    assert snapshot.FILE.read_text(encoding="utf-8") == snapshot.snapshot()


def test_the_snapshot_sees_a_changed_default():
    snapshot = load("api_snapshot")
    assert snapshot.signature(lambda a, b=1: 0) == "(a, b=1)"
    assert snapshot.signature(lambda a, b=2: 0) != "(a, b=1)"
    assert "lapwing.LapSVC(" in snapshot.snapshot()


def test_pre_commit_and_tasks_name_the_same_checks():
    tasks = subprocess.run(
        [sys.executable, "tasks.py", "--list"], cwd=ROOT, text=True, capture_output=True, check=True
    ).stdout
    config = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    for task in re.findall(r"python tasks.py (\S+)", config):
        assert f"  {task} " in tasks
    wrong = subprocess.run([sys.executable, "tasks.py", "nothing"], cwd=ROOT, capture_output=True)
    assert wrong.returncode == 2


def test_community_files_are_there():
    for name in ("LICENSE", "CITATION.cff", "CODE_OF_CONDUCT.md", "SECURITY.md", "RELEASING.md"):
        assert (ROOT / name).stat().st_size > 300, name


def test_the_lowest_versions_are_those_of_the_metadata():
    check = load("check_versions")
    assert all(re.fullmatch(r"[a-z-]+==\d+\.\d+\.\d+", pin) for pin in check.lowest_pins())
    assert check.claimed()[0] == "3.11" and check.interpreter("3.0") is None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == f">={check.claimed()[0]}"
    for room in check.ROOMS:
        assert (ROOT / "tests" / room).exists(), room


def test_the_constructors_for_type_checkers_are_those_of_the_classes():
    """Renew the file with tools/constructors.py --write when a parameter changes."""
    constructors = load("constructors")
    assert constructors.FILE.read_text(encoding="utf-8") == constructors.constructors()


KEYWORDS = """
from lapwing import LapRLSClassifier, LapSVC
from lapwing.graphs import KNN, Radius
from lapwing.kernels import RBF, Linear
from lapwing.losses import Hinge, Huber
from lapwing.outputs import Ring
from lapwing.regularizers import Heat, Laplacian
from lapwing.spaces import Landmarks

model = LapSVC(kernel=RBF(sigma=1.5), regularizer=Laplacian(KNN(n_neighbors=5)), gamma_A="rule")
print(model.fit([[0.0], [1.0]], [0, 1]).transduction_)
LapSVC(los=3)
LapRLSClassifier(gamma_a=1.0)
RBF(gamma=1.0)
Linear(scale=2.0)
0.5 * RBF(1.0) + Linear()
KNN(k=5)
Radius(r=0.5)
Laplacian(power=2)
Heat(time=1.0)
Hinge(margin=1.0)
Huber(delta=1.0, slope=2)
Ring(m=5)
Landmarks(m=300)
"""
WRONG = [str(i) for i in range(12, 25) if i != 16]  # the lines of these


@pytest.mark.slow
def test_type_checkers_know_the_parameters(tmp_path):
    """A wrong keyword is an error in its line, and in no other line is one."""
    (tmp_path / "own.py").write_text(KEYWORDS, encoding="utf-8")
    mypy = [sys.executable, "-m", "mypy", "--ignore-missing-imports", tmp_path / "own.py"]
    environment = os.environ | {"MYPYPATH": str(ROOT / "src")}
    ran = subprocess.run(mypy, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert re.findall(r"own.py:(\d+): error", ran.stdout) == WRONG, ran.stdout
    program = load("type_completeness").program_or_none()
    if program is None:
        pytest.skip("pyright is not installed")
    config = json.dumps({"extraPaths": [str(ROOT / "src")]})
    (tmp_path / "pyrightconfig.json").write_text(config, encoding="utf-8")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    ran = subprocess.run(
        [program, "own.py"],
        capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"PATH": path},
    )  # fmt: skip
    assert re.findall(r"own.py:(\d+):\d+ - error", ran.stdout) == WRONG, ran.stdout


@pytest.mark.slow
def test_type_completeness_only_rises():
    """Renew tests/release/types.json with tools/type_completeness.py --write when it has risen."""
    types = load("type_completeness")
    try:
        found = types.measure()
    except SystemExit as error:
        pytest.skip(str(error))
    recorded = json.loads((ROOT / "tests/release/types.json").read_text(encoding="utf-8"))
    assert found["completeness"] >= recorded["completeness"] - 0.002


@pytest.mark.slow
def test_the_calls_of_the_readme_pass_the_type_checkers(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", readme, re.S)
    (tmp_path / "readme.py").write_text(code, encoding="utf-8")
    mypy = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--check-untyped-defs"]
    ran = subprocess.run([*mypy, tmp_path / "readme.py"], capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 0, ran.stdout
    program = load("type_completeness").program_or_none()
    if program is None:
        pytest.skip("pyright is not installed")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    ran = subprocess.run(
        [program, tmp_path / "readme.py"],
        capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"PATH": path},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout
