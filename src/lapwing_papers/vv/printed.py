"""VV on Scene without an intercept, as eqs. 11–17 have it."""

from __future__ import annotations

from .table1 import Table1


class SceneAsPrinted(Table1):
    """The grid of Table 1 and Fig. 1 over functions without constants."""

    names = ("vv-table1-printed", "vv-figure1-printed")
    title = "Scene without intercepts, as printed"
    datasets = ("scene",)
    revision = 1
    parts = ("Scene",)
    minutes = 0.5
    fit_intercept = False
    protocol = """
As above on Scene, with the functions of VV eqs. 11–17, which have no constants. An intercept for
each label takes away what the output graph takes away; without one it is γ_O that keeps the
functions from following the degrees of the graph. RCV1 is not run without intercepts: its area
falls to 57.
"""
