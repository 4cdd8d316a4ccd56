"""The comparison as text, with what was measured."""

import numpy as np

from .comparison import NEIGHBORS, Outcome, Split

HEAD = ("method", "unlabeled rows", "unseen rows", "seconds", "unreached")


def render(
    name: str, outcomes: dict[str, list[Outcome]], split: Split, labels_per_class: int
) -> str:
    """Title, table and paired differences.

    Parameters
    ----------
    name : str
        Of the data.
    outcomes : dict of str to list of Outcome
        Per method, one outcome per draw.
    split : Split
        Any of the draws: their sizes are equal.
    labels_per_class : int
    """
    rows = [HEAD] + [_row(name, runs) for name, runs in outcomes.items()]
    return "\n".join(
        [*_title(name, split, labels_per_class, outcomes), "", *aligned(rows), *_pairs(outcomes)]
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


def _title(name: str, split: Split, labels_per_class: int, outcomes) -> list[str]:
    n, l, m = len(split.y), int(split.labeled.sum()), len(split.X_unseen)
    draws = len(next(iter(outcomes.values())))
    how = "one draw" if draws == 1 else f"mean ± standard deviation over {draws} draws"
    return [
        f"{name}, {labels_per_class} labels per class: {n} rows to learn from "
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


def _pairs(outcomes: dict[str, list[Outcome]]) -> list[str]:
    """Draw by draw, how many points fewer the last method has than each other one."""
    *others, ours = outcomes
    lines = []
    for other in others:
        pairs = zip(outcomes[other], outcomes[ours], strict=True)
        gains = [100 * (theirs.unlabeled - own.unlabeled) for theirs, own in pairs]
        better = sum(gain > 0 for gain in gains)
        error = f" ± {np.std(gains, ddof=1) / len(gains) ** 0.5:.1f}" if len(gains) > 1 else ""
        draws = "the draw" if len(gains) == 1 else f"{better} of {len(gains)} draws"
        lines.append(
            f"{ours} makes {np.mean(gains):.1f}{error} points fewer errors than {other}; "
            f"fewer in {draws if len(gains) > 1 or better else 'no draw'}."
        )
    return ["", *lines] if lines else []


def notes(outcomes: dict[str, dict[str, list[Outcome]]]) -> list[str]:
    """What the columns mean and what was run."""
    return [
        "error        of predict, as is, on the unlabeled training rows and on the unseen rows",
        "points       of per cent, draw by draw on the same rows: mean ± standard error",
        "seconds      wall clock of fit and both predictions on one thread, mean of the draws",
        "unreached    unlabeled rows that no label reaches through the graph, mean of the draws:",
        "             LabelSpreading calls them class 0, Lapwing marks them in unreached_",
        "settings     SVC(C=10) on the labeled rows alone; LabelSpreading(kernel='knn', "
        f"n_neighbors={NEIGHBORS});",
        "             (better on the digits of seed 0, 5 labels, than their defaults C=1 and 7);",
        "             LapRLSClassifier() with no parameter given: it chooses its settings",
        f"certificate  at most {_worst(outcomes):.0e} in every fit of Lapwing: how far the answer",
        "             is from the exact minimum (0 is exact)",
    ]


def _worst(outcomes) -> float:
    runs = (run for found in outcomes.values() for draws in found.values() for run in draws)
    return max((run.certificate for run in runs if run.certificate is not None), default=0.0)
