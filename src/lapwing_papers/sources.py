"""Which source files an experiment's numbers come from: what it imports, directly or not."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import lapwing

ROOTS = {"lapwing": Path(lapwing.__file__).parent, "lapwing_papers": Path(__file__).parent}

NO_PART = frozenset(
    (
        "lapwing.inspection",
        "lapwing.progress",
        "lapwing.version",
        "lapwing_papers.claims",
        "lapwing_papers.expected",
        "lapwing_papers.figures",
        "lapwing_papers.illustrations",
        "lapwing_papers.inspection",
        "lapwing_papers.statistics",
        "lapwing_papers.table",
    )
)
"""What shows records, judges them or tells of a run: no number comes from there."""


@dataclass(frozen=True)
class Source:
    """One file of the two packages, or the file of an experiment elsewhere."""

    module: str
    path: Path = field(compare=False)

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    def home(self, level: int) -> str:
        """The package that a relative import of so many dots starts from; "" for an absolute."""
        if not level:
            return ""
        parts = self.module.split(".")
        return ".".join(parts[: len(parts) - level + self.is_package])

    @cached_property
    def imports(self) -> list[Import]:
        """Every import, wherever in the file it stands."""
        return list(self._imports(ast.parse(self.text), False))

    def _imports(self, node: ast.AST, typing: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            yield from (Import(one.name, "", one.asname or one.name, typing) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = (self.home(node.level), node.module or "")
            module = ".".join(part for part in parts if part)
            yield from (
                Import(module, one.name, one.asname or one.name, typing) for one in node.names
            )
        test = getattr(node, "test", None)
        typing = typing or (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING")
        for child in ast.iter_child_nodes(node):
            yield from self._imports(child, typing)


class Import(NamedTuple):
    """A name of a module, what it is called here, and whether type checkers alone see it."""

    module: str
    name: str
    here: str
    typing: bool


def sources(module: str) -> list[Source]:
    """The files that a module's functions can come through, by their names; and the seeds' file.

    A name that a package only passes on is followed to the file that defines it, so that the other
    files of the package do not count.

    Examples
    --------
    >>> "lapwing.solvers.cutting_planes" in [s.module for s in sources("lapwing_papers.so.tables")]
    True
    >>> any(s.module.startswith("lapwing.label") for s in sources("lapwing_papers.so.tables"))
    False
    """
    found, waiting = {}, [_start(module), _start("lapwing_papers.draws")]
    while waiting:
        source = waiting.pop()
        if source.module in found or _no_part(source.module):
            continue
        found[source.module] = source
        for one in source.imports:
            waiting += [] if one.typing else _defining(one.module, one.name)
    return [found[name] for name in sorted(found)]


def _start(module: str) -> Source:
    known = _find(module)
    return known or Source(module, Path(str(sys.modules[module].__file__)))


@cache
def _find(module: str) -> Source | None:
    """The file of a module of the two packages."""
    root, *parts = module.split(".")
    if root not in ROOTS:
        return None
    path = ROOTS[root].joinpath(*parts)
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file() and candidate != ROOTS[root].with_suffix(".py"):
            return Source(module, candidate)
    return None


def _defining(module: str, name: str) -> list[Source]:
    """Where a name of a module is written; nothing for modules of others."""
    inside, source = _find(f"{module}.{name}") if name else None, _find(module)
    if inside or source is None:
        return [inside] if inside else []
    if not source.is_package or not name:
        return [source]
    for one in source.imports:
        if one.here == name and one.module != module:
            return _defining(one.module, one.name)
    return [source]


def _no_part(module: str) -> bool:
    return any(module == one or module.startswith(one + ".") for one in NO_PART)
