"""Size limits lowered, so that small problems go the ways of large ones."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

LOWERED = {
    "lapwing.confidence.calibration.GAP_ROWS": 150,
    "lapwing.confidence.novelty.MOST_ROWS": 200,
    "lapwing.confidence.queries.EVERY": 60,
    "lapwing.estimators.recipes.choice.LARGEST": 100,
    "lapwing.estimators.spectral.EXACT_CLUSTERS_UP_TO": 100,
    "lapwing.graphs.axes.MANY_ROWS": 150,
    "lapwing.graphs.search._APPROXIMATE_FROM": 250,
    "lapwing.graphs.search._TREE_FROM": 100,
    "lapwing.kernels.widths._MOST": 150,
    "lapwing.kernels.widths._ROWS": 50,
    "lapwing.linalg.eigenpairs.LANCZOS_FROM": 60,
    "lapwing.linalg.exact.gram_system.MIXED_FROM": 80,
    "lapwing.operators.base.MANY_POINTS": 200,
    "lapwing.operators.relaxed.DENSE_UP_TO": 150,
    "lapwing.selection.sample.SEARCH_ROWS": 80,
    "lapwing.selection.search.LARGEST": 120,
    "lapwing.solvers.choose.PAIR_LIMIT": 30,
    "lapwing.spaces.choose.EXACT_UP_TO": 150,
    "lapwing.spaces.modal.FEW_POINTS": 100,
    "lapwing.spaces.out_of_sample.HELD_ROWS": 50,
    "lapwing.spaces.out_of_sample.MOST_ROWS": 200,
    "lapwing.spaces.sections.FEW_ROWS": 40,
    "lapwing.spaces.vectorized.FORM_LIMIT": 200,
}
"""What each limit is while it is lowered; the real ones are hundreds to tens of thousands."""

SIZES = (60, 80, 100, 120, 150, 200, 250)
"""Numbers of rows on both sides of which cases are drawn."""


@contextmanager
def lowered() -> Iterator[None]:
    """The limits of :data:`LOWERED` in every module that knows them.

    Examples
    --------
    >>> from lapwing.spaces import choose
    >>> with lowered():
    ...     choose.EXACT_UP_TO
    150
    >>> choose.EXACT_UP_TO
    8000
    """
    changed = []
    try:
        for path, value in LOWERED.items():
            home, _, name = path.rpartition(".")
            before = getattr(import_module(home), name)
            for module in _that_know(name, before):
                changed.append((module, name, before))
                setattr(module, name, value)
        yield
    finally:
        for module, name, before in changed:
            setattr(module, name, before)


def _that_know(name: str, value: int) -> list:
    """The modules of this package that hold a constant, their own or an imported one."""
    ours = [module for key, module in list(sys.modules.items()) if key.split(".")[0] == "lapwing"]
    return [module for module in ours if vars(module).get(name) == value]
