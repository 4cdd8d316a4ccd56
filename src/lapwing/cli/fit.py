"""``lapwing fit``: learn from a table and keep the model."""

import argparse

from ..tables.errors import unseen_errors
from ..tables.models import save_model, summary
from .given import fitted_given, table_given
from .output import Result, Voice, check_free, emit
from .report import write_report


def run(arguments: argparse.Namespace) -> None:
    """Fit, say how well, and write the model."""
    voice = Voice(arguments.quiet)
    check_free(arguments.output, arguments.force)
    check_free(arguments.report, arguments.force)
    problem = table_given(arguments, voice)
    model = fitted_given(problem, arguments, voice)
    words, errors = [], {}
    for name, pipeline in model.pipelines.items():
        errors[name] = unseen_errors(pipeline[-1], problem.targets[name])
        words.append(f"{name}: {errors[name]}, by {errors[name].how}")
    voice.doing(f"writing {arguments.output}")
    save_model(model, arguments.output)
    words.append(f"wrote {arguments.output}")
    if arguments.report:
        write_report(problem, model, arguments.report, arguments.seed, voice, compare=False)
        words.append(f"wrote {arguments.report}")
    data = {**summary(model), "errors": {name: found.as_dict() for name, found in errors.items()}}
    follow = f"lapwing predict {arguments.output} NEW.csv -o answers.csv"
    emit(Result(data, None, words, follow), arguments, voice)
