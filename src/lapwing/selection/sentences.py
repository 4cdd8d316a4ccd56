"""The reason for a choice in words."""

from __future__ import annotations

from typing import Any

SURE, LIKELY = 0.95, 0.8
"""A choice is called sure, or likely, from these posterior weights on."""


def sentences(found: Any) -> str:
    """Describe a :class:`~lapwing.selection.Selection` in words.

    The text says whether the unlabeled rows are used, how sure this is, and the loss of left-out
    labels. If the labels do not decide, it says how to proceed.
    """
    if not found.losses.size:
        return "No label can be left out, so the documented default is taken."
    told = [_use(found), _price(found), _advice(found)]
    return " ".join(text for text in told if text)


def _use(found: Any) -> str:
    compared = (
        f"{found.n_candidates} settings compared by leave-one-out over {found.losses.shape[1]} "
        "labels"
    )
    if "gamma_I" not in found.choice:
        return f"{compared[0].upper()}{compared[1:]}."
    used = found.best.gamma_I > 0
    text = "are used, through a graph of neighbors" if used else "play no part (gamma_I=0)"
    share = found.graph_weight if used else 1.0 - found.graph_weight
    if not _both(found):
        return f"Your unlabeled rows {text}; {compared}."
    return (
        f"Your unlabeled rows {text}: {_how_sure(share)}, with {100 * share:.0f} % of the weight "
        f"of {compared}."
    )


def _both(found: Any) -> bool:
    """Whether fits with a graph and without one were compared."""
    return bool((found.gamma_I > 0).any() and (found.gamma_I == 0).any())


def _how_sure(share: float) -> str:
    return "sure" if share >= SURE else "likely" if share >= LIKELY else "in doubt"


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
    if "gamma_I" not in found.choice or not _both(found):
        return ""
    used = found.best.gamma_I > 0
    share = found.graph_weight if used else 1.0 - found.graph_weight
    if share < LIKELY:
        return "More labels would decide; next_to_label names the rows that tell most."
    return "" if used else 'gamma_I="rule" would use them all the same.'
