"""``lapwing simulate``: errors against the number of labels, suggested and at random."""

import argparse

from ..tables.encoder import Encoder
from ..tables.extras import need
from ..tables.simulating import averaged, simulate_labels
from ..tables.svg import curves
from .given import described_roles, quoted_file, table_given
from .output import Result, Voice, check_free, emit, write_bytes


def run(arguments: argparse.Namespace) -> None:
    """Hide labels, add them again in two ways, and list the errors."""
    voice = Voice(arguments.quiet)
    check_free(arguments.output, arguments.force)
    check_free(arguments.picture, arguments.force)
    problem = table_given(arguments, voice)
    roles = problem.given.roles
    pandas, tables, data, words = need("pandas", "A table"), [], {}, []
    for name, labels in problem.targets.items():
        encoder = Encoder(text=roles.text, keep=roles.keep, random_state=arguments.seed)
        rows = simulate_labels(
            problem.X, labels, groups=problem.groups, encoder=encoder, start=arguments.start,
            step=arguments.step, stop=arguments.stop, draws=arguments.draws, seed=arguments.seed,
            say=voice.doing,
        )  # fmt: skip
        mean = averaged(rows)
        data[name] = {"mean": mean, "draws": rows}
        last = mean[-1]
        words.append(
            f"{name}: at {last['labels']} labels the error is {last['suggested']:.3g} with "
            f"suggested rows and {last['random']:.3g} with rows at random"
        )
        tables.append(pandas.DataFrame(mean).assign(target=name))
    if arguments.picture:
        write_bytes(curves(tables[0].to_dict("records")).encode(), arguments.picture)
        words.append(f"wrote {arguments.picture}")
    table = pandas.concat(tables, ignore_index=True).round(4)
    table = table.drop(columns="target") if len(tables) == 1 else table
    follow = f"lapwing fit {quoted_file(arguments)} {described_roles(arguments)} -o FILE.model"
    result = Result({"file": problem.reading.name, "targets": data}, table, words, follow)
    emit(result, arguments, voice)
