"""The parts of the site that are made from the package: the API lists."""

import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from types import FunctionType

import lapwing

ROOMS = {
    "comparison": "Did the unlabeled rows help?",
    "datasets": "Small data to try things on",
    "distributed": "Dask arrays",
    "exceptions": "Warnings, so that you can filter them by name",
    "graphs": "Graphs over the rows",
    "inspection": "Pictures (needs matplotlib)",
    "kernels": "Kernels",
    "losses": "Losses",
    "metrics": "Scores",
    "model_selection": "Splits and searches over labeled rows",
    "outputs": "Related and structured outputs",
    "paths": "Whole grids of γ",
    "pointcloud": "Kernels for other libraries",
    "regularizers": "Penalties over the rows",
    "solvers": "Solvers, the solution and its certificate",
    "spaces": "Where f is searched",
    "testing": "Contracts for parts of your own",
    "tables": "Raw tables",
    "io": "Save and load models",
    "label": "The labeling page",
    "integrations.anndata": "AnnData objects of scanpy",
}  # fmt: skip

MORE = ("choosing", "command-line", "labeling", "labeling-page", "label", "tables")


def public_names() -> dict[str, list[str]]:
    """Per public module its ``__all__``: the names that the API pages list.

    Examples
    --------
    >>> "LapSVC" in public_names()["lapwing"]
    True
    """
    found = {"lapwing": list(lapwing.__all__)}
    for room in ROOMS:
        try:
            module = importlib.import_module(f"lapwing.{room}")
        except ModuleNotFoundError as error:
            if error.name != f"lapwing.{room}":
                raise
            continue
        names = getattr(module, "__all__", None) or _own(module, type) or _own(module, FunctionType)
        names = [name for name in names if name not in lapwing.__all__]
        if names:
            found[module.__name__] = sorted(names)
    return found


def _own(module, kind: type) -> list[str]:
    """What a module without ``__all__`` defines itself."""
    return [
        name
        for name, value in vars(module).items()
        if isinstance(value, kind) and value.__module__ == module.__name__ and name[0] != "_"
    ]


def write_all(docs: Path) -> None:
    """Write what changed, so that Sphinx reads only this anew."""
    found = public_names()
    for module, names in found.items():
        _write(docs / "api" / f"{module}.rst", api_page(module, names))
    _write(docs / "api" / "index.rst", api_index(found))
    _forget(docs / "api", found)
    _write(docs / "api" / "more.inc", more_pages(docs))


def more_pages(docs: Path) -> str:
    """A toctree of the pages that other parts of the project write, as far as they are there."""
    found = [f"../{path.stem}" for path in sorted(docs.glob("*.md")) if path.stem in MORE]
    return "\n".join(["```{toctree}", ":maxdepth: 1", "", *found, "```", ""]) if found else "\n"


def api_page(module: str, names: Iterable[str]) -> str:
    """A page that lists the names of one module."""
    room = module.removeprefix("lapwing.")
    title = module if module == "lapwing" else f"{module}: {ROOMS[room]}"
    lines = [title, "=" * len(title), "", f".. currentmodule:: {module}", ""]
    return "\n".join([*lines, *listed(module, names, "   :toctree: generated")])


def listed(module: str, names: Iterable[str], *options: str) -> list[str]:
    """A table of classes and functions, and below it the values with the words after them.

    Examples
    --------
    >>> listed("lapwing.io", ["load", "FORMAT"])[-5]
    '``FORMAT``'
    """
    values = {name: words_after(module, name) for name in names if is_value(module, name)}
    others = [name for name in names if name not in values]
    lines = [".. autosummary::", *options, "   :nosignatures:", ""]
    lines += [*(f"   {name}" for name in others), ""]
    for name, words in values.items():
        lines += [f"``{name}``", *(f"   {line}" for line in words), ""]
    return lines


def is_value(module: str, name: str) -> bool:
    """Whether a public name is an object that has no docstring of its own, such as a scorer."""
    found = getattr(importlib.import_module(module), name)
    return not hasattr(found, "__module__") or not hasattr(found, "__name__")


def words_after(module: str, name: str) -> list[str]:
    """The string that stands after the assignment of a public value, in the file that makes it."""
    from sphinx.pycode import ModuleAnalyzer  # lists of names, as the API snapshot's, do without

    for room in [m for m in sys.modules if m == module or m.startswith(f"{module}.")]:
        words = ModuleAnalyzer.for_module(room).find_attr_docs().get(("", name))
        if words:
            return [line for line in words if line]
    raise ValueError(f"{module}.{name} is public and has no words after its assignment")


def api_index(modules: dict[str, list[str]]) -> str:
    """The first page of the API: every public name in a table."""
    lines = ["API: every public name", "======================", ""]
    lines += [
        "Import estimators from ``lapwing`` itself. Import parts (kernels, graphs, penalties, …)",
        "from the module that is named above them.", "",
        ".. toctree::", "   :maxdepth: 1", "   :hidden:", "",
        *(f"   {module}" for module in modules), "",
    ]  # fmt: skip
    for module, names in modules.items():
        room = module.removeprefix("lapwing.")
        title = "Estimators and first functions" if module == "lapwing" else ROOMS[room]
        link = f":doc:`{module} <{module}>`"
        lines += [title, "-" * len(title), "", f"{link}", ""]
        lines += [f".. currentmodule:: {module}", "", *listed(module, names)]
    return "\n".join(lines)


def _forget(api: Path, modules: dict[str, list[str]]) -> None:
    """Remove the pages of modules and names that are gone, which an earlier build has left."""
    pairs = ((module, name) for module, names in modules.items() for name in names)
    kept = {"index", *modules, *(f"{m}.{name}" for m, name in pairs if not is_value(m, name))}
    for page in (*api.glob("*.rst"), *api.glob("generated/*.rst")):
        if page.stem not in kept:
            page.unlink()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
