"""Rows for a person to look at: those to label next, and labels that look wrong."""

import numpy as np

from ..targets import both_columns
from ..types import Estimator, Frame
from .answers import answers_at
from .errors import unseen_scores_of
from .extras import need
from .labeled_table import LabeledTable
from .labels import Labels
from .pipeline import TablePipeline


def rows_to_label(problem: LabeledTable, pipeline: TablePipeline, name: str, n: int) -> Frame:
    """The n unlabeled rows whose labels would help most, with their present answers.

    Returns
    -------
    pandas.DataFrame
        ``row`` counts from 1 after the header.
    """
    most = int((~problem.targets[name].labeled).sum())
    rows = np.asarray(pipeline.next_to_label(min(n, most)), dtype=int) if most else np.arange(0)
    table = _numbered(problem, name, rows)
    for column, values in answers_at(pipeline, problem.X.iloc[rows]).columns().items():
        table[column] = values
    return _with_cells(table, problem, rows)


def suspect_rows(problem: LabeledTable, pipeline: TablePipeline, name: str) -> Frame:
    """The labels that the others contradict, with what these say instead, the worst first.

    Returns
    -------
    pandas.DataFrame
        ``margin``: by how much the other answer wins over the label, in scores (real targets:
        the difference from the label).
    """
    model = pipeline[-1]
    rows = np.asarray(model.suspicious_labels_, dtype=int)
    labels = problem.targets[name]
    table = _numbered(problem, name, rows)
    table["label"] = [";".join(v) if isinstance(v, tuple) else v for v in labels.y[rows]]
    table["others_say"], margin = _others_say(model, labels, rows)
    table["margin"] = np.round(margin, 4)
    return _with_cells(table, problem, rows)


def _numbered(problem: LabeledTable, name: str, rows: np.ndarray):
    table = need("pandas", "A table").DataFrame({"row": rows + 1, "target": name})
    for column in problem.given.roles.id:
        table[column] = problem.reading.frame[column].iloc[rows].to_numpy()
    return table


def _with_cells(table: Frame, problem: LabeledTable, rows: np.ndarray):
    """The table with the cells of the columns that were learned from, vectors left out."""
    for column in problem.columns:
        if column.kind != "vector":
            table[column.name] = problem.X[column.name].iloc[rows].to_numpy()
    return table


def _others_say(model: Estimator, labels: Labels, rows: np.ndarray) -> tuple[list, list[float]]:
    """The leave-one-out answer at each row, and by how much it wins over the label."""
    scores, labeled = unseen_scores_of(model)
    here = scores[np.searchsorted(labeled, rows)]
    if labels.task == "real":
        return here[:, 0].tolist(), np.abs(here[:, 0] - labels.y[rows].astype(float)).tolist()
    classes = list(np.asarray(model.classes_).tolist())
    if labels.task == "labels":
        answers = [";".join(c for c, s in zip(classes, r, strict=True) if s > 0) for r in here]
        return answers, np.abs(here).max(axis=1, initial=0.0).tolist()
    here = both_columns(here)
    own = np.array([classes.index(v) for v in labels.y[rows].tolist()], dtype=int)
    margin = here.max(axis=1, initial=-np.inf) - here[np.arange(len(here)), own]
    return [classes[i] for i in here.argmax(axis=1)], margin.tolist()
