"""The reason for a choice in words."""

from __future__ import annotations

from typing import Any

SURE, LIKELY = 0.95, 0.8
"""A choice is called sure, or likely, from these posterior weights on."""

NONE = "no graph (gamma_I=0)"
WAYS = {"gamma_C": "the agreement of the views", "n_components": "eigenvectors of the kernel"}
"""Parameters of families whose unlabeled rows count without a graph too, and how they count."""


def sentences(found: Any) -> str:
    """Describe a :class:`~lapwing.selection.Selection` in words.

    The text says whether the unlabeled rows are used, how sure this is, and the loss of left-out
    labels. If the labels do not decide, it says how to proceed.
    """
    if not found.losses.size:
        return "No label can be left out, so the documented default is taken."
    return " ".join(filter(None, [_use(found), _price(found), _advice(found)]))


def _use(found: Any) -> str:
    number = f"{found.n_candidates} setting" + "s" * (found.n_candidates > 1)
    compared = f"{number} compared by leave-one-out over {found.losses.shape[1]} labels"
    ways = [text for name, text in WAYS.items() if name in found.best.settings]
    if "gamma_I" in found.choice:
        ways.append("a graph of neighbors" if found.best.gamma_I > 0 else NONE)
    alone = ways[:1] == [NONE]
    if not ways or (alone and "regularizer" not in found.best.settings):
        return f"{compared}."  # another weight may be given that uses them
    part = "play no part (gamma_I=0)" if alone else "are used, through " + " and ".join(ways)
    sure, share = _sure(found)
    weight = f": {sure}, with {100 * share:.0f} % of the weight of " if sure else "; "
    return f"Your unlabeled rows {part}{weight}{compared}."


def _sure(found: Any) -> tuple[str, float]:
    """How sure the use of the graph is, and its weight; empty if there was no choice."""
    alike = (found.gamma_I > 0) == (found.best.gamma_I > 0)
    share = float(found.weights[alike].sum())
    if alike.all() or "gamma_I" not in found.choice:
        return "", share
    return "sure" if share >= SURE else "likely" if share >= LIKELY else "in doubt", share


def _price(found: Any) -> str:
    default = found.best_at == found.default_at
    what = "The default is kept" if default else "Another setting than the default is taken"
    before = "" if default else f", {found.default.score:.3g} with the default"
    guess = f", {found.guess:.3g} by guessing" if found.guess == found.guess else ""
    unit = f" ({found.unit})" if found.unit else ""
    return f"{what}: a left-out label costs {found.best.score:.3g}{unit}{before}{guess}."


def _advice(found: Any) -> str:
    if found.guesses:
        return "That is no better than a guess: check the labels and the columns of X."
    if _sure(found)[0] == "in doubt":
        return "More labels would decide; next_to_label names the rows that tell most."
    none = _sure(found)[0] and not found.best.gamma_I
    return 'gamma_I="rule" would use a graph all the same.' if none else ""
