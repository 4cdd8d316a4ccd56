"""``lapwing show``: what is in a model file."""

import argparse
import json
from typing import Any

from ..tables.models import TableModel, load_model
from .output import Result, Voice, emit, plain


def run(arguments: argparse.Namespace) -> None:
    """Settings and why, certificate, columns, versions, hash of the data."""
    model = load_model(arguments.model)
    first = next(iter(model.pipelines.values()))
    data = summary(model)
    words = [] if arguments.json else lines(data)
    follow = f"lapwing predict {arguments.model} NEW.csv -o answers.csv"
    result = Result(data, first.describe(), words, follow)
    emit(result, arguments, Voice(arguments.quiet))


def summary(model: TableModel) -> dict[str, Any]:
    """All that a model tells of itself."""
    return plain({**model.about, "models": {k: _told(p) for k, p in model.pipelines.items()}})


def _told(pipeline) -> dict[str, Any]:
    model = pipeline[-1]
    selection = getattr(model, "selection_", None)
    settings = {} if selection is None else selection.choice
    return {
        "estimator": type(model).__name__,
        "settings": {name: _short(value) for name, value in settings.items()},
        "why": "" if selection is None else selection.reason,
        "gamma_A": float(model.gamma_A_),
        "gamma_I": float(model.gamma_I_),
        "status": model.solution_.status.name.lower(),
        "certificate": float(model.solution_.optimality),
        "unreached": int(model.unreached_.sum()),
        "columns": pipeline.describe().to_dict("records"),
    }


def _short(value) -> str:
    return value if isinstance(value, str) else " ".join(repr(value).split())


def lines(data: dict[str, Any]) -> list[str]:
    """The same for a person."""
    out = [
        f"fitted on {data['file']} ({data['rows']:,} rows, sha256 {data['sha256'][:16]}…) at "
        f"{data['written']} in {data['seconds']} s, seed {data['seed']}",
        "versions: " + ", ".join(f"{name} {v}" for name, v in data["versions"].items()),
    ]
    for name, told in data["models"].items():
        target = data["targets"][name]
        out += [
            f"{name}: {told['estimator']}, {target['labeled']} labels "
            f"{json.dumps(target['classes'], ensure_ascii=False) if target['classes'] else ''}",
            *(f"  {key} = {value}" for key, value in told["settings"].items()),
            f"  {told['why']}",
            f"  γ_A {told['gamma_A']:.3g}, γ_I {told['gamma_I']:.3g}, {told['status']} at "
            f"{told['certificate']:.1e}, {told['unreached']} rows joined with no label",
        ]
    return out
