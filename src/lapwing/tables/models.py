"""A fitted model of a table: one pipeline for each target, and where it came from."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ..estimators import LapRLSClassifier, LapRLSRegressor, VectorValuedClassifier
from ..io import ModelFileError, load, read_header, save
from ..problem import Status
from ..types import Estimator, PathLike
from ..version import __version__
from .encoder import Encoder
from .labeled_table import LabeledTable
from .pipeline import TablePipeline

PACKAGES = ("numpy", "scipy", "scikit-learn", "skrub", "pandas")


@dataclass(frozen=True)
class TableModel:
    """Pipelines by target, and notes on their data.

    Attributes
    ----------
    pipelines : dict of str to TablePipeline
    about : dict
        File, hash, rows, targets, labels, seed, time and versions.
    encoded : array of shape (n, d), or None
        The training rows as the estimators see them; None in a model from a file.
    """

    pipelines: dict[str, TablePipeline] = field(repr=False)
    about: dict[str, Any]
    encoded: Any = field(default=None, repr=False)


def estimator_for(task: str, seed: int = 0) -> Estimator:
    """The estimator of a task: "class", "real", or "labels"."""
    if task == "labels":
        return VectorValuedClassifier(probability=True, random_state=seed)
    return (LapRLSClassifier if task == "class" else LapRLSRegressor)(random_state=seed)


def fit_problem(
    problem: LabeledTable, seed: int = 0, say: Callable[[str], None] = lambda text: None
) -> TableModel:
    """Fit a pipeline to each target of a problem; ``say`` is told what is being done.

    The table is encoded once, whatever the number of targets.
    """
    start, fitted, roles = time.monotonic(), {}, problem.given.roles
    say(f"encoding {len(problem.X):,} rows")
    encoder = Encoder(text=roles.text, keep=roles.keep, random_state=seed)
    encoded = encoder.fit_transform(problem.X)
    for name, labels in problem.targets.items():
        say(f"learning {name} from {labels.n_labeled} labels among {len(problem.X):,} rows")
        y = labels.y if labels.task != "labels" else list(labels.y)
        model = estimator_for(labels.task, seed).fit(encoded, y, groups=problem.groups)
        fitted[name] = TablePipeline([("encoder", encoder), ("model", model)])
    return TableModel(fitted, _about(problem, seed, time.monotonic() - start), encoded)


def _about(problem: LabeledTable, seed: int, seconds: float) -> dict[str, Any]:
    given = problem.given
    return {
        "file": problem.reading.name,
        "sha256": problem.reading.sha256,
        "rows": len(problem.X),
        "targets": {
            name: {
                "task": labels.task,
                "labeled": labels.n_labeled,
                "classes": {str(k): v for k, v in labels.counts.items()},
            }
            for name, labels in problem.targets.items()
        },
        "roles": {
            key: value for key, value in vars(given.roles).items() if value and key != "target"
        },
        "unlabeled": list(given.unlabeled),
        "separator": given.separator,
        "seed": seed,
        "seconds": round(seconds, 2),
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
    }


def summary(model: TableModel) -> dict[str, Any]:
    """All that a fitted model tells of itself and its data."""
    return {**model.about, "models": {k: settings_of(p) for k, p in model.pipelines.items()}}


def settings_of(pipeline: TablePipeline) -> dict[str, Any]:
    """What was chosen and why, how exact the solution is, and what became of the columns."""
    model = pipeline[-1]
    selection = getattr(model, "selection_", None)
    chosen = {} if selection is None else selection.choice
    return {
        "estimator": type(model).__name__,
        "settings": {name: _short(value) for name, value in chosen.items()},
        "why": "" if selection is None else selection.reason,
        "gamma_A": float(model.gamma_A_),
        "gamma_I": float(model.gamma_I_),
        "status": Status(model.solution_.status).name.lower(),
        "certificate": float(model.solution_.optimality),
        "unreached": int(model.unreached_.sum()),
        "columns": pipeline.describe().to_dict("records"),
    }


def _short(value: Any) -> str:
    return value if isinstance(value, str) else " ".join(repr(value).split())


def versions() -> dict[str, str]:
    """Of Lapwing, Python and the packages that an answer depends on."""
    found = {"lapwing": __version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def save_model(model: TableModel, path: PathLike) -> None:
    """Write a fitted model of a table to a file."""
    save(model.pipelines, path, about=model.about)


def load_model(path: PathLike) -> TableModel:
    """The fitted model of a table in a file.

    Raises
    ------
    ModelFileError
        If the file holds something else.
    """
    pipelines, header = load(path), read_header(path)
    if not isinstance(pipelines, dict) or not all(
        isinstance(p, TablePipeline) for p in pipelines.values()
    ):
        raise ModelFileError(
            f"{path} holds a {type(pipelines).__name__}, which was not fitted by 'lapwing fit'."
        )
    return TableModel(pipelines, header.about)
