"""The verbs: what each is for and which arguments it takes. The work is imported when it is run."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from textwrap import fill
from typing import Any

from .options import add_file, add_manners, add_output, add_roles, add_target, share, whole

PICTURES = "lapwing-demo"
WIDTH = 79


@dataclass(frozen=True)
class Verb:
    """One command.

    Attributes
    ----------
    name : str
    module : str
        Where its ``run(arguments)`` is, imported after parsing.
    summary, description : str
    example : str
        A command that works.
    declare : callable
        Adds the arguments to a parser.
    """

    name: str
    module: str
    summary: str
    description: str
    example: str
    declare: Callable[[argparse.ArgumentParser], None]

    def add_to(self, commands: Any) -> None:
        """Declare the verb."""
        parser = commands.add_parser(
            self.name,
            help=self.summary,
            description=fill(self.description, WIDTH),
            epilog=f"example:\n  {self.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.declare(parser)
        parser.set_defaults(run=self.run)

    def run(self, arguments: argparse.Namespace) -> None:
        """Import the work, and do it."""
        import_module(self.module).run(arguments)


def _look(parser):
    add_file(parser)
    add_target(parser, required=False)
    add_roles(parser)
    add_manners(parser, seed=False)


def _fit(parser):
    add_file(parser)
    add_target(parser)
    add_roles(parser)
    add_output(parser, "the model file", required=True)
    parser.add_argument("--report", metavar="FILE", help="write a report too (.html or .json)")
    add_manners(parser)


def _add_answers(parser):
    parser.add_argument("--proba", action="store_true", help="a column for each class too")
    parser.add_argument(
        "--abstain", type=share, metavar="P", help="leave answers of less confidence empty"
    )


def _predict(parser):
    parser.add_argument("model", metavar="MODEL", help="a file that 'lapwing fit' wrote")
    add_file(parser, "the rows to answer")
    parser.add_argument(
        "--vector", action="append", default=[], metavar="FILE",
        help="the .npy file of these rows, where the model was fitted with one",
    )  # fmt: skip
    add_output(parser, "the table with columns added (standard output)")
    _add_answers(parser)
    add_manners(parser, seed=False)


def _fill(parser):
    add_file(parser)
    add_target(parser)
    add_roles(parser)
    add_output(parser, "the table with columns added (standard output)")
    _add_answers(parser)
    parser.add_argument("--model", metavar="FILE", help="keep the fitted model too")
    add_manners(parser)


def _compare(parser):
    add_file(parser)
    add_target(parser)
    add_roles(parser)
    parser.add_argument(
        "--folds", type=whole(2, 1000), default=5, metavar="N", help="of the labeled rows (5)"
    )
    parser.add_argument("--picture", metavar="FILE", help="draw the comparison (.svg)")
    add_output(parser, "the losses as a table (standard output)")
    add_manners(parser)


def _next(parser):
    add_file(parser)
    add_target(parser)
    add_roles(parser)
    parser.add_argument("-n", type=whole(1, 100_000), default=10, metavar="N", help="rows (10)")
    add_output(parser, "the rows as a table (standard output)")
    add_manners(parser)


def _suspect(parser):
    add_file(parser)
    add_target(parser)
    add_roles(parser)
    add_output(parser, "the rows as a table (standard output)")
    add_manners(parser)


def _report(parser):
    add_file(parser)
    add_target(parser)
    add_roles(parser)
    add_output(parser, "the report: .html, or .json for the same in numbers", required=True)
    parser.add_argument(
        "--no-compare", action="store_true", help="do not ask whether the unlabeled rows helped"
    )
    add_manners(parser)


def _evaluate(parser):
    parser.add_argument("model", metavar="MODEL", help="a file that 'lapwing fit' wrote")
    add_file(parser, "rows whose answers are known")
    parser.add_argument("--target", "-t", action="append", metavar="COLUMN", help="the answers")
    parser.add_argument(
        "--vector", action="append", default=[], metavar="FILE",
        help="the .npy file of these rows, where the model was fitted with one",
    )  # fmt: skip
    add_output(parser, "the numbers as a table (standard output)")
    add_manners(parser, seed=False)


def _simulate(parser):
    add_file(parser)
    add_target(parser)
    add_roles(parser)
    numbers = (
        ("--start", whole(2), None, "labels to begin with (two of each class)"),
        ("--step", whole(1), 10, "labels added each time (10)"),
        ("--stop", whole(2), 100, "labels to end with (100)"),
        ("--draws", whole(1, 1000), 3, "repetitions (3)"),
    )
    for name, kind, default, text in numbers:
        parser.add_argument(name, type=kind, default=default, metavar="N", help=text)
    parser.add_argument("--picture", metavar="FILE", help="draw the curves (.svg)")
    add_output(parser, "the errors as a table (standard output)")
    add_manners(parser)


def _show(parser):
    parser.add_argument("model", metavar="MODEL", help="a file that 'lapwing fit' wrote")
    add_manners(parser, seed=False)


def _demo(parser):
    parser.add_argument(
        "--out", type=Path, default=Path(PICTURES), metavar="DIR",
        help=f"pictures go here ({PICTURES})",
    )  # fmt: skip
    numbers = (
        ("--seed", whole(0), 0, "draws rows and labels (0)"),
        ("--labels-per-class", whole(1, 100), 5, "labeled rows of each class (5)"),
        ("--draws", whole(1, 1000), 5, "repetitions with other rows and labels (5)"),
    )
    for name, kind, default, text in numbers:
        parser.add_argument(name, type=kind, default=default, metavar="N", help=text)
    parser.add_argument("--no-plots", action="store_true", help="the table only")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


VERBS = (
    Verb(
        "look", "lapwing.cli.look", "what is in a table, and what would be done with it",
        "Lists the columns of a table: what each is, its gaps, what an encoding makes of it, and "
        "how many labels there are.",
        "lapwing look tickets.csv --target topic", _look,
    ),
    Verb(
        "fill", "lapwing.cli.fill", "answer the unlabeled rows of a table",
        "Learns from the labeled and the unlabeled rows of a table and answers the unlabeled ones. "
        "The table gets the columns lapwing_prediction and lapwing_confidence (lapwing_low and "
        "lapwing_high for real targets) and lapwing_source.",
        "lapwing fill tickets.csv --target topic -o filled.csv", _fill,
    ),
    Verb(
        "compare", "lapwing.cli.compare", "do the unlabeled rows help?",
        "Fits Lapwing, the same without its graph, a support vector machine, a random forest, "
        "gradient boosting and label spreading on the same folds of the labeled rows, and says in "
        "one sentence whether the unlabeled rows helped.",
        "lapwing compare tickets.csv --target topic", _compare,
    ),
    Verb(
        "next", "lapwing.cli.next_rows", "which rows to label next",
        "Lists the unlabeled rows whose labels would lower the expected error most.",
        "lapwing next tickets.csv --target topic -n 20", _next,
    ),
    Verb(
        "suspect", "lapwing.cli.suspect", "labels that look wrong",
        "Lists labels that the other labels contradict, the worst first.",
        "lapwing suspect tickets.csv --target topic", _suspect,
    ),
    Verb(
        "report", "lapwing.cli.report", "one page on a table, to hand on",
        "Fits the table and writes one HTML file without any link to outside: what is in the "
        "table, what was chosen and why, the error with its interval, a map of all rows, rows to "
        "label next, labels that look wrong, and whether the unlabeled rows helped.",
        "lapwing report tickets.csv --target topic -o report.html", _report,
    ),
    Verb(
        "fit", "lapwing.cli.fit", "learn from a table and keep the model",
        "Learns from the labeled and the unlabeled rows of a table and writes the fitted model to "
        "a file.",
        "lapwing fit tickets.csv --target topic -o topics.model", _fit,
    ),
    Verb(
        "predict", "lapwing.cli.predict", "answer new rows with a kept model",
        "Answers the rows of a table with the same columns. The table gets the columns "
        "lapwing_prediction and lapwing_confidence (lapwing_low and lapwing_high for real "
        "targets).",
        "lapwing predict topics.model new.csv -o answers.csv", _predict,
    ),
    Verb(
        "evaluate", "lapwing.cli.evaluate", "errors of a kept model on labeled rows",
        "Compares the answers of a model with those of a labeled table: errors with an exact "
        "interval, which classes are confused, and whether the confidence can be trusted.",
        "lapwing evaluate topics.model test.csv", _evaluate,
    ),
    Verb(
        "simulate", "lapwing.cli.simulate", "errors against the number of labels",
        "Hides the labels of a labeled table and adds them again, as the model suggests and at "
        "random: what the next labels are worth.",
        "lapwing simulate labeled.csv --target topic --stop 60", _simulate,
    ),
    Verb(
        "show", "lapwing.cli.show", "what is in a model file",
        "Settings and why they were chosen, the certificate of the solution, the columns, the "
        "versions and the hash of the data.",
        "lapwing show topics.model", _show,
    ),
    Verb(
        "demo", "lapwing.cli.demo", "compare three methods with few labels, and draw pictures",
        "Compares SVC, LabelSpreading and LapRLSClassifier on handwritten digits and two spirals "
        "with few labels, and draws the errors, two moons, a graph and a map of the digits. No "
        "network is needed.",
        "lapwing demo --draws 3", _demo,
    ),
)  # fmt: skip
