"""What ``lapwing reproduce`` does: list the experiments, or run them and report."""

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lapwing.inspection.canvas import load
from lapwing.progress import duration

from .claims import tally
from .code import code_hash, joint_hash
from .datasets import CATALOG
from .experiment import Experiment
from .registry import EXPERIMENTS, find
from .report import about_code, as_data, section, write_report
from .runner import open_store, run


def command(arguments: argparse.Namespace) -> None:
    """List, or run and report; for programs as JSON."""
    if not arguments.names:
        print(_json(listed()) if arguments.json else listing())
        return
    chosen = find(arguments.names)
    experiments = [kind(arguments.data, arguments.quick) for kind in chosen]
    if not arguments.report_only:
        _check_data(experiments, arguments.data)
        for experiment in experiments:
            run(
                experiment, arguments.out, repetitions=arguments.repeats, jobs=arguments.jobs,
                seed=arguments.seed,
            )  # fmt: skip
    lines, data = _report(experiments, arguments.out, arguments.seed)
    print(_json(data) if arguments.json else "\n".join(lines))


def listed() -> dict[str, Any]:
    """Every experiment with its size, duration and data, for programs."""
    return {
        "experiments": [
            {
                "names": list(kind.names), "title": kind.title, "repetitions": kind.repetitions,
                "minutes": kind.minutes, "data": list(dict.fromkeys(_files(kind))),
            }
            for kind in EXPERIMENTS
        ]
    }  # fmt: skip


def whole_code() -> str:
    """The hash of the present code behind all experiments."""
    return joint_hash(code_hash(kind.__module__) for kind in EXPERIMENTS)


def listing() -> str:
    """Every experiment with its size, duration and data."""
    entries = [
        f"{_names(kind)}\n    {kind.title}\n    {kind.repetitions} repetitions, about "
        f"{duration(60 * kind.minutes)} on one core; "
        f"data: {', '.join(dict.fromkeys(_files(kind))) or 'made here'}"
        for kind in EXPERIMENTS
    ]
    usage = (
        "lapwing reproduce NAME --data DIR    runs one\n"
        "lapwing reproduce all --quick        runs a small version of each, in minutes"
    )
    return "\n\n".join([*entries, usage])


def _names(kind: type[Experiment]) -> str:
    """``so-table1, table2``: the paper once, then what the same fits give."""
    first, *others = kind.names
    return ", ".join([first, *(name.split("-", 1)[1] for name in others)])


def _files(kind: type[Experiment]) -> list[str]:
    return [
        file.split("/")[0] + "/" if "/" in file else file
        for name in kind.datasets
        for file in CATALOG[name].files
    ]


def _check_data(experiments: Sequence[Experiment], data: Path | None) -> None:
    """Missing files are an error before the first fit."""
    for experiment in experiments:
        for name in experiment.datasets:
            CATALOG[name].locate(data)


def _report(
    experiments: Sequence[Experiment], out: Path, seed: int
) -> tuple[list[str], dict[str, Any]]:
    """What is said of the report that was written, and the same for programs."""
    pictures, missing = True, []
    try:
        load("matplotlib.figure")
    except ImportError as error:
        pictures, missing = False, [f"No figures: {error}"]
    stores = [(e, open_store(e, out, seed)) for e in experiments]
    whole = whole_code()
    sections = [
        section(e, store, whole=whole, pictures=pictures) for e, store in stores if store.done
    ]
    if not sections:
        return ["Nothing has been run yet."], as_data([], whole, [])
    written = write_report(sections, out, whole)
    lines = [
        f"Claims that hold: {tally([c for s in sections for c in s.claims])}.",
        about_code(sections, whole),
        *(f"{path.resolve()}" for path in written),
        *missing,
    ]
    return lines, as_data(sections, whole, written)


def _json(data: dict[str, Any]) -> str:
    return json.dumps(_finite(data), indent=2, ensure_ascii=False)


def _finite(value: Any) -> Any:
    """The value as JSON holds it: null where there is no number."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
