"""Which code made a record: a hash of the sources that an experiment comes through."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from hashlib import sha256

from .sources import sources

LENGTH = 10

SHOWN = frozenset(
    [
        "title",
        "protocol",
        "minutes",
        "notes",
        "numbers",
        "drawn",
        "tables",
        "figures",
        "claims",
        "closeness",
    ]
)
"""What an experiment says about its records: no record comes from there."""


@cache
def code_hash(module: str) -> str:
    """Ten hexadecimal digits over the files that an experiment's numbers come through.

    These are the file of the experiment and all that it imports of both packages, by name and
    meaning. Comments, docstrings, layout, protocols, tables and claims are left out, and so are
    the rooms that the experiment does not use: a hash stays the same where nothing can change a
    number. It needs no version control, and is the same in every checkout under one version of
    Python.

    Parameters
    ----------
    module : str
        Where the experiment's class is written.

    Examples
    --------
    >>> len(code_hash("lapwing_papers.mr.table3"))
    10
    """
    digest = sha256()
    for source in sources(module):
        digest.update(source.module.encode())
        digest.update(meaning(source.text).encode())
    return digest.hexdigest()[:LENGTH]


def joint_hash(hashes: Iterable[str]) -> str:
    """One hash for several experiments: that of the code behind all of them."""
    return sha256("".join(sorted(set(hashes))).encode()).hexdigest()[:LENGTH]


@cache
def meaning(source: str) -> str:
    """A source file without what decides no number.

    That is comments, layout, docstrings, annotations, texts of errors, imports for type checkers,
    and what an experiment says about its records (SHOWN): with the imports and private functions
    that then nothing in its file uses.

    Examples
    --------
    >>> meaning("x = 1  # one") == meaning("x: int=1")
    True
    >>> meaning("x = 1") == meaning("x = 2")
    False
    """
    tree = ast.parse(source)
    kept = _Deciding().visit(tree)
    if any("run_one" in _names(statement) for node in kept.body for statement in _body(node)):
        kept = _without_unused(kept)
    return ast.dump(kept)


def _without_unused(tree: ast.Module) -> ast.Module:
    """The file of an experiment without imports and private functions that nothing left uses."""
    before, now = "", ast.dump(tree)
    while now != before:
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        used |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        tree = _Used(used).visit(tree)
        before, now = now, ast.dump(tree)
    return tree


class _Used(ast.NodeTransformer):
    """Imports and private functions whose names are in use."""

    def __init__(self, used: set[str]):
        self.used = used

    def visit_ImportFrom(self, node: ast.ImportFrom):
        node.names = [one for one in node.names if (one.asname or one.name) in self.used]
        return node if node.names else None

    def visit_FunctionDef(self, node: ast.FunctionDef):
        private = node.name.startswith("_") and not node.name.startswith("__")
        return None if private and node.name not in self.used else node


class _Deciding(ast.NodeTransformer):
    """What is left of a file."""

    def visit_Expr(self, node: ast.Expr):
        """No docstring."""
        text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if text else self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef):
        node.body = [statement for statement in node.body if not SHOWN & set(_names(statement))]
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef):
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg):
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign):
        """An assignment; without a value (a field of a dataclass) its name."""
        target, value = self.visit(node.target), node.value
        if value is None:
            return ast.Expr(target)
        return ast.Assign([target], self.visit(value), lineno=node.lineno)

    def visit_Raise(self, node: ast.Raise):
        """The kind of the error alone."""
        kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return ast.Raise(kind)

    def visit_If(self, node: ast.If):
        checked = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return node.orelse if checked else self.generic_visit(node)


def _body(node: ast.stmt) -> list[ast.stmt]:
    """The statements of a class."""
    return node.body if isinstance(node, ast.ClassDef) else []


def _names(statement: ast.stmt) -> list[str]:
    """The names that a statement of a class defines."""
    if isinstance(statement, ast.FunctionDef):
        return [statement.name]
    if isinstance(statement, ast.AnnAssign):
        targets: list[ast.expr] = [statement.target]
    else:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]
