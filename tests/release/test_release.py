"""What a release promises: one version, one list of public names, a wheel that works."""

import importlib.util
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


def test_no_signature_changes_by_accident():
    snapshot = load("api_snapshot")
    if not snapshot.FILE.exists():
        pytest.skip("no snapshot yet: python tools/api_snapshot.py --write")
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
