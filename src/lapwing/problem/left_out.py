"""Fits of any loss without the labels of some rows, as columns of one problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .equation import Problem
from .reduced import Reduced
from .solution import Solution

SILENT = 1e-12
"""The share of the largest coefficient below which a label had no part in a fit."""


def left_out(
    reduced: Reduced, whole: Problem, sets: Sequence[np.ndarray], solver: Any, found: Solution
) -> np.ndarray:
    """The scores at the labels of fits without them, (l, t); NaN at rows of no set.

    Parameters
    ----------
    reduced : Reduced
        ``whole`` on its labeled rows.
    whole : Problem
    sets : sequence of integer arrays
        The labeled rows that lose their labels together. No row is in two of them.
    solver : Solver
        The solver of the reduced problem.
    found : Solution
        Its solution with all labels, from which the fits start.
    """
    if whole.loss.couples:
        return _in_turn(reduced, whole, sets, solver, found)
    small, of_row = reduced.problem, np.full(len(whole.rows), -1)
    for s, gone in enumerate(sets):
        of_row[gone] = s
    own, t = of_row[reduced.source], range(small.n_columns)
    columns = [_column(reduced, whole, sets, own, j, solver, found) for j in t]
    return reduced.placed(whole, np.column_stack(columns))


def _column(reduced: Reduced, whole: Problem, sets, own, j: int, solver, found) -> np.ndarray:
    """Column j of the small problem: the score of each row without the set it is in, (P,).

    If all sets have the same weight, the weights of the others grow by the same factor, whichever
    set is left out. A first fit has these weights and all labels. Labels without a part in it (far
    from the margin of an SVM) may be left out: the minimizer stays the same.
    """
    weight = whole.w.max(axis=1)
    shares = np.array([1.0 - weight[gone].sum() for gone in sets])
    start, out = found.coef[:, [j]], np.full(len(own), np.nan)
    asked = np.flatnonzero(shares > 1e-12)  # without any label there is no fit
    if len(asked) and np.ptp(shares) <= 1e-12:
        first = _solved(reduced, j, np.ones((len(own), 1), bool), shares[:1], solver, start, found)
        start = first.coef
        beta = np.abs(start[: len(own), 0])
        silent = beta <= SILENT * beta.max(initial=0.0)
        out = np.where(own >= 0, reduced.problem.space.element(start).readout[:, 0], np.nan)
        asked = np.unique(own[~silent & (own >= 0)])
    if len(asked):
        stays = own[:, None] != asked
        few = _solved(reduced, j, stays, shares[asked], solver, start, found)
        readout = reduced.problem.space.element(few.coef).readout
        at, column = np.nonzero(~stays)
        out[at] = readout[at, column]
    return out


def _solved(reduced: Reduced, j: int, stays, shares, solver, start, found: Solution) -> Solution:
    """Column j once for each column of the mask ``stays``, with the weights divided by ``shares``.

    Where libsvm missed the tolerance with all labels, it is not tried again.
    """
    small, k = reduced.problem, stays.shape[1]
    w = small.w[:, [min(j, small.w.shape[1] - 1)]]
    alone = small.loss if small.n_columns == 1 else small.loss.at(j)
    y = np.repeat(small.y[:, [j]], k, axis=1)
    many = replace(small, loss=alone, y=y, w=np.where(stays, w / shares, 0.0))
    many = many.with_deformation(small.deformation)
    before = replace(found, slow=tuple(range(k)) if j in found.slow else ())
    at = many.space.element(np.repeat(start, k, axis=1))
    return solver.without(np.empty(0, dtype=int), before).solve(many, at)


def _in_turn(reduced: Reduced, whole: Problem, sets, solver, found: Solution) -> np.ndarray:
    """One fit after the other, for a loss that reads all outputs of a row together."""
    out, start = np.full(whole.y.shape, np.nan), reduced.problem.space.element(found.coef)
    for gone in sets:
        without = reduced.without(whole, gone)
        fit = solver.without(gone, found).solve(without, start)
        out[gone] = reduced.at_labels(whole, fit.coef)[gone]
    return out
