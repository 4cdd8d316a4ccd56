"""All experiments, and how they are named."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from .experiment import Experiment
from .mr.isolet import Isolet
from .mr.shapes import Shapes
from .mr.switching import IsoletSwitching
from .mr.table3 import Table3
from .mr.usps_pairs import USPSPairs
from .mr.webkb import Table5
from .mr.webkb_curves import Figure8
from .mt.tables import MultiTarget
from .mt.uniform import UniformComponents
from .mv.mfeat import MultipleFeatures
from .mv.webkb import WebKB
from .so.printed import NewsgroupsAsPrinted, TeapotsAsPrinted
from .so.scene import SceneSets
from .so.tables import Newsgroups, Teapots
from .vv.out_of_sample import Inductive
from .vv.printed import AsPrinted
from .vv.table1 import Table1

EXPERIMENTS: tuple[type[Experiment], ...] = (
    Shapes,
    USPSPairs,
    Table3,
    Isolet,
    IsoletSwitching,
    Table5,
    Figure8,
    Table1,
    Inductive,
    AsPrinted,
    Teapots,
    TeapotsAsPrinted,
    Newsgroups,
    NewsgroupsAsPrinted,
    SceneSets,
    WebKB,
    MultipleFeatures,
    MultiTarget,
    UniformComponents,
)
"""In the order of the report."""

ALL = "all"


def find(names: Sequence[str]) -> list[type[Experiment]]:
    """The experiments that carry these names, each once, in the order of the report.

    Parameters
    ----------
    names : sequence of str
        ``all``, a paper (``mr``), or names of tables and figures.

    Examples
    --------
    >>> [kind.__name__ for kind in find(["mr-table3"])]
    ['Table3']
    """
    known = {name: kind for kind in EXPERIMENTS for name in kind.names}
    papers = {name.split("-")[0] for name in known}
    for name in names:
        if name not in known and name != ALL and name not in papers:
            near = get_close_matches(name, known, n=3, cutoff=0.3)
            hint = f" Did you mean {', '.join(near)}?" if near else ""
            raise ValueError(
                f"There is no experiment {name!r}.{hint} `lapwing reproduce` lists all."
            )
    wanted = set(names)
    return [
        kind
        for kind in EXPERIMENTS
        if ALL in wanted or wanted & set(kind.names) or kind.names[0].split("-")[0] in wanted
    ]
