"""The parts of the site that are made from the package: the API lists."""

import importlib
from collections.abc import Iterable
from pathlib import Path

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
    "integrations": "Other libraries",
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
        names = getattr(module, "__all__", None) or _own_classes(module)
        names = [name for name in names if name not in lapwing.__all__]
        if names:
            found[module.__name__] = sorted(names)
    return found


def _own_classes(module) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__
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
    lines += [".. autosummary::", "   :toctree: generated", "   :nosignatures:", ""]
    return "\n".join([*lines, *(f"   {name}" for name in names), ""])


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
        lines += [f".. currentmodule:: {module}", "", ".. autosummary::", "   :nosignatures:", ""]
        lines += [*(f"   {name}" for name in names), ""]
    return "\n".join(lines)


def _forget(api: Path, modules: dict[str, list[str]]) -> None:
    """Remove the pages of modules and names that are gone, which an earlier build has left."""
    kept = {"index", *modules, *(f"{m}.{name}" for m, names in modules.items() for name in names)}
    for page in (*api.glob("*.rst"), *api.glob("generated/*.rst")):
        if page.stem not in kept:
            page.unlink()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
