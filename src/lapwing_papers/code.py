"""Which code made a record: a hash of the sources."""

from __future__ import annotations

import ast
from functools import cache
from hashlib import sha256
from pathlib import Path

import lapwing

FOLDERS = (Path(lapwing.__file__).parent, Path(__file__).parent)
NO_PART = frozenset(
    ("cli", "distributed", "fuzz", "inspection", "integrations", "io", "label", "tables", "testing")
)
"""Rooms that no experiment's numbers come through."""

LENGTH = 10


@cache
def code_hash() -> str:
    """Ten hexadecimal digits over the Python files of both packages, by path and meaning.

    Comments, docstrings, layout and the rooms that experiments do not use are left out: a hash
    stays the same where nothing can change a number. It needs no version control, and is the same
    in every checkout under one version of Python.

    Examples
    --------
    >>> len(code_hash()), code_hash() == code_hash()
    (10, True)
    """
    digest = sha256()
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.py")):
            inside = path.relative_to(folder)
            if inside.parts[0] not in NO_PART:
                digest.update(f"{folder.name}/{inside.as_posix()}".encode())
                digest.update(meaning(path.read_text(encoding="utf-8")).encode())
    return digest.hexdigest()[:LENGTH]


def meaning(source: str) -> str:
    """A source file without comments, docstrings and layout.

    Examples
    --------
    >>> meaning("x = 1  # one") == meaning("x=1")
    True
    >>> meaning("x = 1") == meaning("x = 2")
    False
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [s for s in body if not _is_text(s)]  # type: ignore[attr-defined]
    return ast.dump(tree)


def _is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a string alone: a docstring."""
    value = getattr(statement, "value", None)
    return isinstance(statement, ast.Expr) and isinstance(getattr(value, "value", None), str)
