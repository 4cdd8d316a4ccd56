"""``lapwing compare``: do the unlabeled rows help?"""

import argparse

from ..tables.comparing import compare_table
from ..tables.encoder import Encoder
from ..tables.extras import need
from ..tables.svg import intervals
from .given import described_roles, quoted_file, table_given
from .output import Result, Voice, check_free, emit, write_bytes


def run(arguments: argparse.Namespace) -> None:
    """Compare methods on the same folds, and say whether the unlabeled rows helped."""
    voice = Voice(arguments.quiet)
    check_free(arguments.output, arguments.force)
    check_free(arguments.picture, arguments.force)
    problem = table_given(arguments, voice)
    roles, rows, words = problem.given.roles, [], []
    for name, labels in problem.targets.items():
        encoder = Encoder(text=roles.text, keep=roles.keep, random_state=arguments.seed)
        found = compare_table(
            problem.X, labels, groups=problem.groups, encoder=encoder, n_folds=arguments.folds,
            seed=arguments.seed, say=voice.doing,
        )  # fmt: skip
        rows += [{"target": name, **row} for row in found.rows()]
        words.append(f"{name}: {found.verdict}")
    words.append(
        "loss: the share of wrong answers (several labels: of wrong labels; real targets: squared "
        f"error over variance) at labeled rows, in {found.n_folds} folds without their labels; low "
        "and high: a 95 % interval of the difference from Lapwing"
    )
    if arguments.picture:
        write_bytes(
            intervals(rows, "more loss than Lapwing, 95 % interval").encode(), arguments.picture
        )
        words.append(f"wrote {arguments.picture}")
    table = need("pandas", "A table").DataFrame(rows).round(4)
    if len(problem.targets) == 1:
        table = table.drop(columns="target")
    data = {"file": problem.reading.name, "methods": rows, "verdict": words[: len(problem.targets)]}
    follow = f"lapwing next {quoted_file(arguments)} {described_roles(arguments)} -n 20"
    emit(Result(data, table, words, follow), arguments, voice)
