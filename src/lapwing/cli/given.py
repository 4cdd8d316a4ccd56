"""From parsed arguments to a problem: the file, the roles of its columns, its labels."""

import argparse
from shlex import quote

import numpy as np

from ..exceptions import UnreachedWarning, muted
from ..tables.labeled_table import LabeledTable, labeled_table
from ..tables.models import TableModel, fit_problem
from ..tables.reading import Reading, read_file
from ..tables.roles import Given, Roles, as_vectors, is_file, read_vectors
from ..types import Frame
from .output import Voice

ROLES = ("drop", "only", "text", "keep", "vector", "id")


def read_given(arguments: argparse.Namespace, voice: Voice) -> Reading:
    """The file of the arguments, and a word on how it was read."""
    voice.doing(f"reading {arguments.file}")
    reading = read_file(
        arguments.file, delimiter=_sign(arguments.delimiter), encoding=arguments.encoding
    )
    voice.say(str(reading))
    return reading


def _sign(delimiter: str | None) -> str | None:
    return {"\\t": "\t", "tab": "\t"}.get(delimiter or "", delimiter)


def names(items: list[str] | None, frame: Frame) -> tuple[str, ...]:
    """Columns as they were given: a name, or several with commas."""
    out: list[str] = []
    for item in items or []:
        out += [item] if item in frame.columns else [part.strip() for part in item.split(",")]
    return tuple(out)


def roles_of(arguments: argparse.Namespace, frame: Frame) -> Roles:
    """What the columns are for."""
    found = {role: names(getattr(arguments, role), frame) for role in ROLES}
    return Roles(target=names(arguments.target, frame), group=arguments.group, **found)


def table_given(arguments: argparse.Namespace, voice: Voice) -> LabeledTable:
    """The problem that the arguments pose; its labels and doubts are said."""
    reading = read_given(arguments, voice)
    given = Given(
        roles_of(arguments, reading.frame),
        tuple(arguments.unlabeled),
        arguments.task,
        arguments.separator,
    )
    problem = labeled_table(reading, given)
    for name, labels in problem.targets.items():
        voice.say(f"{name}: {labels}")
    for line in problem.warnings:
        voice.say(line)
    return problem


def fitted_given(problem: LabeledTable, arguments: argparse.Namespace, voice: Voice) -> TableModel:
    """The problem fitted, with a word on what is being done, and on rows that no label reaches."""
    with muted(UnreachedWarning):  # said below, in words of tables
        model = fit_problem(problem, arguments.seed, voice.doing)
    for name, pipeline in model.pipelines.items():
        unreached = int(np.sum(pipeline[-1].unreached_))
        if unreached:
            voice.say(f"{name}: {unreached:,} rows are joined with no labeled row; trust them less")
    return model


def table_for(model: TableModel, reading: Reading, vectors: list[str]) -> Frame:
    """The columns of a table that a model was fitted on, vectors included."""
    frame = reading.frame.copy()
    for path in vectors:
        if is_file(path):
            frame["vector"] = read_vectors(path, len(frame))
    for pipeline in model.pipelines.values():
        for column in pipeline[0].columns_:
            if column.kind == "vector" and column.name in frame.columns:
                frame[column.name] = as_vectors(frame[column.name])
    return frame


def described_roles(arguments: argparse.Namespace) -> str:
    """The arguments that name columns and say how they are read, as one would type them again."""
    words = [f"--target {quote(item)}" for item in arguments.target or []]
    words += [f"--unlabeled {quote(item)}" for item in arguments.unlabeled]
    words += [f"--task {arguments.task}"] if arguments.task != "auto" else []
    words += [f"--separator {quote(arguments.separator)}"] if arguments.separator else []
    for role in ROLES:
        words += [f"--{role} {quote(item)}" for item in getattr(arguments, role)]
    words += [f"--group {quote(arguments.group)}"] if arguments.group else []
    return " ".join(words)


def quoted_file(arguments: argparse.Namespace) -> str:
    """The file of the arguments, as one would type it again."""
    return "FILE" if arguments.file == "-" else quote(arguments.file)
