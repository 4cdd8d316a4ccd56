"""``lapwing suspect``: labels that the other labels contradict."""

import argparse

import numpy as np

from ..tables.errors import unseen_scores_of
from ..tables.extras import need
from .given import fitted_given, problem_given
from .output import Result, Voice, check_free, emit


def run(arguments: argparse.Namespace) -> None:
    """Fit, and list the labels that look wrong, the worst first."""
    voice = Voice(arguments.quiet)
    check_free(arguments.output, arguments.force)
    problem = problem_given(arguments, voice)
    model = fitted_given(problem, arguments, voice)
    pandas = need("pandas", "A table")
    parts = [suspects(problem, pipeline, name) for name, pipeline in model.pipelines.items()]
    table = pandas.concat(parts, ignore_index=True)
    if len(parts) == 1:
        table = table.drop(columns="target")
    labeled = sum(labels.n_labeled for labels in problem.targets.values())
    words = [
        f"{len(table)} of {labeled} labels are contradicted by the others; a contradicted label "
        "is not always wrong: look at the row"
    ]
    data = {"file": problem.reading.name, "rows": table.to_dict("records")}
    follow = f"lapwing next {arguments.file} --target {arguments.target[0]} -n 20"
    emit(Result(data, table, words, follow), arguments, voice)


def suspects(problem, pipeline, name: str):
    """The contradicted labels with what the others say instead, the worst first."""
    pandas, model = need("pandas", "A table"), pipeline[-1]
    rows = np.asarray(model.suspicious_labels_, dtype=int)
    labels, roles = problem.targets[name], problem.given.roles
    table = pandas.DataFrame({"row": rows + 1, "target": name})
    for column in roles.id:
        table[column] = problem.reading.frame[column].iloc[rows].to_numpy()
    table["label"] = [";".join(v) if isinstance(v, tuple) else v for v in labels.y[rows]]
    table["others_say"], table["margin"] = others_say(model, labels, rows)
    for column in problem.X.columns:
        if column not in roles.vector and column != "vector":
            table[column] = problem.X[column].iloc[rows].to_numpy()
    return table


def others_say(model, labels, rows: np.ndarray) -> tuple[list, list[float]]:
    """The leave-one-out answer at each row, and by how much it wins over the label."""
    scores, labeled = unseen_scores_of(model)
    here = scores[np.searchsorted(labeled, rows)]
    if labels.task == "real":
        return here[:, 0].tolist(), np.abs(here[:, 0] - labels.y[rows].astype(float)).tolist()
    classes = list(np.asarray(model.classes_).tolist())
    if labels.task == "labels":
        answers = [";".join(c for c, s in zip(classes, r, strict=True) if s > 0) for r in here]
        return answers, np.abs(here).max(axis=1).tolist()
    if here.shape[1] == 1:
        here = np.hstack([-here, here])
    own = np.array([classes.index(v) for v in labels.y[rows].tolist()], dtype=int)
    margin = here.max(axis=1, initial=-np.inf) - here[np.arange(len(here)), own]
    return [classes[i] for i in here.argmax(axis=1)], margin.tolist()
