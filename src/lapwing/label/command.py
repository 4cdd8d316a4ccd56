"""``lapwing label`` and ``lapwing export``: declared here, imported when they run."""

import argparse
import json
import sys
import warnings
from pathlib import Path
from shlex import quote
from typing import Any

INTERRUPTED = 130


def add_arguments(commands: Any) -> None:
    """Declare the two verbs."""
    _declare_label(commands)
    _declare_export(commands)


def _declare_label(commands) -> None:
    parser = commands.add_parser(
        "label",
        help="label rows on a page where every label moves the whole map",
        description="Opens a page in the browser to label the rows of a file. Labels are kept in "
        "FILE.lapwing beside the file; the file itself is never written. The URL is the one line "
        "on the standard output. Ctrl-C ends it; the next call goes on where it ended.",
    )
    parser.add_argument(
        "data", nargs="?", metavar="FILE",
        help="a table (CSV, TSV, Parquet, JSON lines, Excel), a .npy matrix, a folder of images, "
        "or a .lapwing session",
    )  # fmt: skip
    parser.add_argument("--demo", action="store_true", help="label digits; no file is needed")
    parser.add_argument("--target", metavar="COLUMN", help="the column that holds labels already")
    parser.add_argument("--text", metavar="COLUMN", help="the column that is read as a text")
    parser.add_argument("--image", metavar="COLUMN", help="the column with paths of images")
    parser.add_argument("--vector", metavar="NPY", help="numbers for each row, all the model sees")
    parser.add_argument("--drop", metavar="A,B", default="", help="columns the model does not see")
    parser.add_argument("--group", metavar="COLUMN",
                        help="rows with the same value stay together in leave-one-out and in "
                        "audits; the model does not see it")  # fmt: skip
    parser.add_argument("--classes", metavar="A,B,C", default="", help="classes to begin with")
    parser.add_argument("--session", type=Path, metavar="FILE", help="keep the labels there")
    parser.add_argument("--replay", type=Path, metavar="LOG", help="begin with an exported log")
    parser.add_argument("--annotator", metavar="NAME", help="who labels (your login name)")
    parser.add_argument("--port", type=_port, default=0, help="0 is any free port (0)")
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    parser.add_argument("--json", action="store_true",
                        help="instead of the bare URL print one line of JSON: url, token, port, "
                        "session (the file of the labels)")  # fmt: skip
    parser.set_defaults(run=run_label)


def _declare_export(commands) -> None:
    parser = commands.add_parser(
        "export",
        help="write the labels and answers of a session as CSV, Parquet or JSON lines",
        description="Writes the file's columns with the label, prediction, confidence, source, "
        "time and annotator of each row; beside it the model (OUT.model) and the log of all events "
        "(OUT.log.jsonl), which lapwing label --replay takes.",
    )
    parser.add_argument("session", type=Path, metavar="SESSION", help="a .lapwing file")
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="OUT",
                        help="by its ending: .csv, .parquet or .jsonl")  # fmt: skip
    parser.add_argument("--data", metavar="FILE", help="the data file, where it was moved")
    parser.add_argument("--no-model", action="store_true", help="neither predictions nor a model")
    parser.add_argument("--guard-formulas", action="store_true",
                        help="make CSV cells that begin like a formula harmless")  # fmt: skip
    parser.add_argument("--force", action="store_true", help="write over existing files")
    parser.add_argument("--json", action="store_true", help="print the names of the files as JSON")
    parser.set_defaults(run=run_export)


def run_label(arguments: argparse.Namespace) -> None:
    """Serve the page until Ctrl-C."""
    from .opening import open_session

    try:
        from .web.server import bind, serve
    except ImportError as error:
        raise ValueError(
            f'The page needs {error.name}. Install it with: pip install "lapwing-learn[label]"'
        ) from error
    bound = bind(arguments.port)  # a port in use leaves no session behind
    session, said = open_session(
        arguments.data, demo=arguments.demo, target=arguments.target, text=arguments.text,
        image=arguments.image, vector=arguments.vector, drop=_names(arguments.drop),
        group=arguments.group, classes=_names(arguments.classes), session=arguments.session,
        log=arguments.replay, annotator=arguments.annotator,
    )  # fmt: skip
    for sentence in said:
        sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()

    def told(address) -> None:
        path = session.store.path
        where = {"url": address.url, "token": address.token, "port": address.port,
                 "session": None if path is None else str(path.resolve())}  # fmt: skip
        sys.stdout.write((json.dumps(where) if arguments.json else address.url) + "\n")
        sys.stdout.flush()

    warnings.simplefilter("ignore")  # the page shows gray points instead of a warning per label
    try:
        serve(session, bound, say=told, open_browser=not arguments.no_open)
    except KeyboardInterrupt:  # the way to end it
        _say_goodbye(session, demo=arguments.demo)
        raise SystemExit(INTERRUPTED) from None
    finally:
        session.close()


def _say_goodbye(session, demo: bool) -> None:
    """Where the labels are, and how to go on."""
    path, n = session.store.path, session.n_labels
    words = "1 label" if n == 1 else f"{n:,} labels"
    if path is None:
        sys.stderr.write(f"\n{words}, kept in memory only, are gone\n" if n else "\n")
    else:
        again = f"{'--demo --session ' if demo else ''}{quote(str(path))}"
        sys.stderr.write(f"\n{words} saved; to go on: lapwing label {again}\n")


def run_export(arguments: argparse.Namespace) -> None:
    """Write the table, the model and the log."""
    from .opening import export_session

    written = export_session(
        arguments.session, arguments.out, data=arguments.data, model=not arguments.no_model,
        guard_formulas=arguments.guard_formulas, force=arguments.force,
    )  # fmt: skip
    for path in written:
        sys.stderr.write(f"wrote {path}\n")
    if arguments.json:
        sys.stdout.write(json.dumps({"written": [str(path) for path in written]}, indent=2) + "\n")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: 0 to 65535")
    return int(text)
