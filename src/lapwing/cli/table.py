"""The comparison as text, with what was measured."""

import numpy as np

from .comparison import NEIGHBORS, Outcome, Split

HEAD = ("method", "unlabeled rows", "unseen rows", "seconds", "unreached")


def render(outcomes: dict[str, list[Outcome]], split: Split, labels_per_class: int) -> str:
    """Title, table and notes.

    Parameters
    ----------
    outcomes : dict of str to list of Outcome
        Per method, one outcome per draw.
    split : Split
        Any of the draws: their sizes are equal.
    labels_per_class : int
    """
    rows = [HEAD] + [_row(name, runs) for name, runs in outcomes.items()]
    return "\n".join(
        [*_title(split, labels_per_class, outcomes), "", *aligned(rows), "", *_notes(outcomes)]
    )


def aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Lines: the first column to the left, the others to the right, a rule below the head."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            [first.ljust(widths[0])] + [c.rjust(w) for c, w in zip(rest, widths[1:], strict=True)]
        )
        for first, *rest in rows
    ]
    return [lines[0], "-" * len(lines[0]), *lines[1:]]


def _title(split: Split, labels_per_class: int, outcomes) -> list[str]:
    n, l, m = len(split.y), int(split.labeled.sum()), len(split.X_unseen)
    draws = len(next(iter(outcomes.values())))
    how = "one draw" if draws == 1 else f"mean ± standard deviation over {draws} draws"
    return [
        f"Handwritten digits, {labels_per_class} labels per class: {n} rows to learn from "
        f"({l} labeled, {n - l} unlabeled)",
        f"and {m} unseen rows. Error in %, {how} of rows and labels.",
    ]


def _row(name: str, runs: list[Outcome]) -> tuple[str, ...]:
    reach = [r.unreached for r in runs if r.unreached is not None]
    return (
        name,
        _spread([100 * r.unlabeled for r in runs]),
        _spread([100 * r.unseen for r in runs]),
        f"{np.mean([r.seconds for r in runs]):.2f}",
        f"{np.mean(reach):.1f}" if reach else "-",
    )


def _spread(values: list[float]) -> str:
    if len(values) == 1:
        return f"{values[0]:.1f}"
    return f"{np.mean(values):.1f} ± {np.std(values, ddof=1):.1f}"


def _notes(outcomes: dict[str, list[Outcome]]) -> list[str]:
    certificates = [
        r.certificate for runs in outcomes.values() for r in runs if r.certificate is not None
    ]
    return [
        "error        of predict, as is, on the unlabeled training rows and on the unseen rows",
        "seconds      wall clock of fit and both predictions on one thread, mean of the draws",
        "unreached    unlabeled rows that no label reaches through the graph, mean of the draws:",
        "             LabelSpreading calls them class 0, Lapwing marks them in unreached_",
        "settings     SVC(C=10) on the labeled rows alone; LabelSpreading(kernel='knn', "
        f"n_neighbors={NEIGHBORS});",
        "             (better on the draws of seed 0, 5 labels, than their defaults C=1 and 7);",
        "             LapRLSClassifier() and LapSVC() with no parameter given",
        f"certificate  at most {max(certificates):.0e} in every fit of Lapwing (relative gradient "
        "norm or duality gap)",
    ]
