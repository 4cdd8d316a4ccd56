"""Size limits lowered, so that small problems go the ways of large ones."""

from __future__ import annotations

import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

import lapwing

LOWERED = {
    "lapwing.comparison.kinds.FEW": 10,
    "lapwing.confidence.bounds.DIRECTIONS": 150,
    "lapwing.confidence.bounds.EVERY": 40,
    "lapwing.confidence.bounds.PROBES": 8,
    "lapwing.targets.coding.GAP_ROWS": 150,
    "lapwing.confidence.nearby.PAIRS": 64,
    "lapwing.confidence.nearby.SHARED": 50,
    "lapwing.confidence.novelty.MOST_ROWS": 200,
    "lapwing.confidence.queries.CANDIDATES": 30,
    "lapwing.confidence.queries.EVERY": 60,
    "lapwing.confidence.queries.FEWER": 8,
    "lapwing.confidence.queries.JUDGED": 40,
    "lapwing.confidence.queries.SECTION_ENTRIES": 3_000,
    "lapwing.confidence.queries.SHORTLIST": 15,
    "lapwing.confidence.queries.TOGETHER": 300,
    "lapwing.confidence.scores.ASKED": 50,
    "lapwing.confidence.scores.FEW": 60,
    "lapwing.confidence.scores.NEAR": 40,
    "lapwing.distributed.rows.FITTED": 100,
    "lapwing.estimators.recipes.choice.LARGEST": 100,
    "lapwing.estimators.spectral.EXACT_CLUSTERS_UP_TO": 100,
    "lapwing.estimators.spectral.N_LANDMARKS": 80,
    "lapwing.graphs.axes.AXES": 8,
    "lapwing.graphs.axes.MANY_COLUMNS": 16,
    "lapwing.graphs.hubs.say_stars.many": 20,
    "lapwing.graphs.search._APPROXIMATE_FROM": 250,
    "lapwing.graphs.search._TREE_FROM": 100,
    "lapwing.kernels.widths._MOST": 150,
    "lapwing.kernels.widths._ROWS": 50,
    "lapwing.linalg.blas.symm.few": 90,
    "lapwing.linalg.blocks.BUFFER_BYTES": 560_000,
    "lapwing.linalg.blocks.CACHED": 16_384,
    "lapwing.linalg.eigenpairs.LANCZOS_FROM": 60,
    "lapwing.linalg.exact.congruence.left_product.panel": 16,
    "lapwing.linalg.exact.congruence.right_product.panel": 16,
    "lapwing.linalg.exact.gram_system.MANY": 8,
    "lapwing.linalg.exact.gram_system.MIXED_FROM": 80,
    "lapwing.linalg.smooth_modes.MOST_COMPONENTS": 10,
    "lapwing.linalg.smooth_modes.N_MODES": 8,
    "lapwing.linalg.tiles.TILE": 32,
    "lapwing.linalg.two_level.cells.most": 3,
    "lapwing.operators.base.FEW_ENTRIES": 12,
    "lapwing.operators.base.MANY_POINTS": 200,
    "lapwing.operators.relaxed.DENSE_UP_TO": 150,
    "lapwing.selection.framed.WIDE": 12,
    "lapwing.selection.leave_one_out.REFITS": 25,
    "lapwing.selection.nested._leaving.most": 10,
    "lapwing.selection.sample.SEARCH_ROWS": 80,
    "lapwing.selection.sample.VOTERS": 60,
    "lapwing.selection.sample.sampled_rows.n_labels": 30,
    "lapwing.selection.search.LARGEST": 120,
    "lapwing.solvers.choose.PAIR_LIMIT": 30,
    "lapwing.solvers.cuts.Cuts.prune.many": 30,
    "lapwing.solvers.cutting_planes.CuttingPlanes._cuts.many": 100,
    "lapwing.spaces.choose.EXACT_UP_TO": 150,
    "lapwing.spaces.exact.DIRECT_LIMIT": 200,
    "lapwing.spaces.galerkin.SPANNING": 10,
    "lapwing.spaces.landmarks.Landmarks.__init__.n_components": 80,
    "lapwing.spaces.modal.FEW_POINTS": 100,
    "lapwing.spaces.modal.MANY_POINTS": 250,
    "lapwing.spaces.out_of_sample.HELD_ROWS": 50,
    "lapwing.spaces.out_of_sample.MOST_ROWS": 200,
    "lapwing.spaces.point_systems.CLOSED_ENTRIES": 4_000,
    "lapwing.spaces.point_systems.CLOSED_LABELS": 20,
    "lapwing.spaces.point_systems.FEW_LABELS": 12,
    "lapwing.spaces.sections.FEW_ROWS": 40,
    "lapwing.spaces.systems.BATCH": 100,
    "lapwing.spaces.systems.FEW_COEFFICIENTS": 120,
    "lapwing.spaces.systems.normal_matrix.most": 16,
    "lapwing.spaces.vectorized.FORM_LIMIT": 200,
}
"""What each limit is while it is lowered, constants and defaults of functions; the real ones are
hundreds to millions. A test finds every such number in the code here or in :data:`KEPT`."""

KEPT = {
    "lapwing.comparison.questions.INFLUENTIAL": "labels that are named",
    "lapwing.confidence.suspicion.ROUNDS": "iterations",
    "lapwing.distributed.rows.BASE_BYTES": "memory of a worker",
    "lapwing.graphs.approximate._MOST_LEFT_OUT": "columns of an index that exists",
    "lapwing.linalg.conjugate_gradients.solve_columns.max_iter": "iterations",
    "lapwing.linalg.eigenpairs.LANCZOS_SHARE": "a share",
    "lapwing.linalg.interior_point.iterate.max_iter": "iterations",
    "lapwing.solvers.cutting_planes.PATIENCE": "rounds",
    "lapwing.linalg.smooth_modes.MOST_TERMS": "a degree",
    "lapwing.linalg.smooth_modes._polished.products": "a degree",
    "lapwing.linalg.threads.SMALL": "threads",
    "lapwing.linalg.threads.WORTH": "threads",
    "lapwing.regularizers.invariance.Invariance.__init__.max_points": "a parameter",
    "lapwing.selection.posterior.DOUBTED": "decides answers, and is no limit",
    "lapwing.selection.rules.FEW_PAIRS": "cases have 20 and 40 rows",
    "lapwing.spaces.krylov.conjugate_gradient.max_iter": "iterations",
    "lapwing.spaces.krylov.conjugate_gradient.refresh": "iterations",
    "lapwing.spaces.landmarks.CANDIDATES": "per landmark",
}
"""Numbers that are not lowered, and why."""

SIZES = (60, 80, 100, 120, 150, 200, 250)
"""Numbers of rows on both sides of which cases are drawn."""


@contextmanager
def lowered() -> Iterator[None]:
    """The limits of :data:`LOWERED` in every module that knows them.

    Examples
    --------
    >>> from lapwing.spaces import Landmarks, choose
    >>> with lowered():
    ...     choose.EXACT_UP_TO, Landmarks().n_components
    (150, 80)
    >>> choose.EXACT_UP_TO, Landmarks().n_components
    (8000, 1000)
    """
    undo: list[Callable[[], None]] = []
    _import_all()
    try:
        for path, value in LOWERED.items():
            home, name = _home(path)
            if isinstance(home, ModuleType):
                before = getattr(home, name)
                for module in _that_know(name, before):
                    undo.append(partial(setattr, module, name, before))
                    setattr(module, name, value)
            else:
                undo += _with_default(home, name, value)
        yield
    finally:
        for back in reversed(undo):  # two limits of one name may share a module
            back()


def _import_all() -> None:
    """Import every module of the package: one that is first imported later would keep a copy."""
    for info in pkgutil.walk_packages(lapwing.__path__, "lapwing.", onerror=lambda name: None):
        if not info.name.endswith("__main__"):
            with suppress(ImportError):  # an extra that is not installed
                import_module(info.name)


def _home(path: str) -> tuple[Any, str]:
    """The module, or the function, that has the last name of a path."""
    *parts, name = path.split(".")
    found: Any = import_module(parts[0])
    for part in parts[1:]:
        if isinstance(found, ModuleType) and f"{found.__name__}.{part}" not in sys.modules:
            found = getattr(found, part, None) or import_module(f"{found.__name__}.{part}")
        elif isinstance(found, ModuleType):  # a package may hold a function of the same name
            found = sys.modules[f"{found.__name__}.{part}"]
        else:
            found = getattr(found, part)
    return found, name


def _with_default(function: Any, name: str, value: int) -> list[Callable[[], None]]:
    """Give a function another default, and return what takes it back."""
    parameters = inspect.signature(function).parameters
    if parameters[name].kind is inspect.Parameter.KEYWORD_ONLY:
        before = dict(function.__kwdefaults__)
        function.__kwdefaults__ = before | {name: value}
        return [partial(setattr, function, "__kwdefaults__", before)]
    given = [p.name for p in parameters.values() if p.default is not inspect.Parameter.empty]
    kept = function.__defaults__
    changed = list(kept)
    changed[given.index(name)] = value
    function.__defaults__ = tuple(changed)
    return [partial(setattr, function, "__defaults__", kept)]


def _that_know(name: str, value: int) -> list:
    """The modules of this package that hold a constant, their own or an imported one."""
    ours = [module for key, module in list(sys.modules.items()) if key.split(".")[0] == "lapwing"]
    return [module for module in ours if vars(module).get(name) == value]
