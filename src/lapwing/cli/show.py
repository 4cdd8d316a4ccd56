"""``lapwing show``: what is in a model file."""

import argparse
import json
from typing import Any

from ..tables.models import load_model, summary
from .output import Result, Voice, emit, plain


def run(arguments: argparse.Namespace) -> None:
    """Settings and why, certificate, columns, versions, hash of the data."""
    model = load_model(arguments.model)
    first = next(iter(model.pipelines.values()))
    data = plain(summary(model))
    words = [] if arguments.json else lines(data)
    follow = f"lapwing predict {arguments.model} NEW.csv -o answers.csv"
    result = Result(data, first.describe(), words, follow)
    emit(result, arguments, Voice(arguments.quiet))


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
