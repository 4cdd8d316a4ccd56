"""Tests that take long run in CI (``tasks.py tests-slow``), not in the newcomer's ``pytest``."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
SLOW = (
    "cli/test_reproduce_command.py",
    "label/test_browser.py",
    "label/test_demo.py",
    "papers/",
)
CHECKED_AT_ONCE = ("LapRLSClassifier()", "LapRLSRegressor()")
"""Estimators whose scikit-learn checks a newcomer runs; those of the others are slow."""


def pytest_collection_modifyitems(items):
    for item in items:
        try:
            path = item.path.relative_to(HERE).as_posix()
        except ValueError:  # a doctest of the package
            continue
        checks = path == "estimators/test_sklearn_checks.py"
        if path.startswith(SLOW) or (checks and not any(n in item.name for n in CHECKED_AT_ONCE)):
            item.add_marker(pytest.mark.slow)
