"""The report: one self-contained HTML file, and the same as Markdown with pictures beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lapwing.progress import duration

from . import html, markdown
from .claims import Claim
from .experiment import Experiment
from .store import Store
from .table import Table

PAPERS = {
    "mr": "Belkin, Niyogi, Sindhwani 2006, Manifold Regularization",
    "vv": "Minh, Sindhwani 2011, Vector-valued Manifold Regularization",
    "so": "Hu, Kwok, Manifold Regularization for Structured Outputs via the Joint Kernel",
    "mv": "Rosenberg, Sindhwani, Bartlett, Niyogi 2009, A Kernel for Semi-Supervised Learning "
    "with Multi-View Point Cloud Regularization",
    "mt": "Kraus, Benabdeslem, Canitia, Laplacian-based Semi-supervised Multi-Label Regression",
}


@dataclass(frozen=True)
class Picture:
    """A drawn figure."""

    name: str
    caption: str
    file: str
    png: bytes


@dataclass(frozen=True)
class Section:
    """One experiment in the report.

    Attributes
    ----------
    code : str
        The code behind its records: the whole where the present one made them all.
    present : str
        The hash of the present files that it comes through.
    older : bool
        Whether other code made some of its records.
    hours : float
        Of one core, for the full experiment: from the seconds of what the present code has run,
        or as the experiment says.
    """

    name: str
    paper: str
    title: str
    protocol: str
    size: str
    code: str
    present: str
    older: bool
    hours: float
    tables: Sequence[Table]
    claims: Sequence[Claim]
    pictures: Sequence[Picture]


def section(experiment: Experiment, store: Store, *, whole: str, pictures: bool = True) -> Section:
    """What an experiment's records say; nothing is fitted here.

    Parameters
    ----------
    experiment : Experiment
    store : Store
    whole : str
        The hash of the present code of all experiments.
    pictures : bool, default=True
    """
    records = store.records()
    done = records.n_repetitions
    full = experiment.repetitions
    size = (
        f"{done} repetition{'' if done == 1 else 's'} here, {full} in the full experiment; "
        f"{duration(store.seconds())} of one core"
    )
    parts = full * len(experiment.parts)
    hours = store.seconds() / max(1, len(store.done)) * parts / 3600
    if not store.is_present:
        hours = experiment.minutes / 60
    code = whole if store.is_present else _older(store)
    size += f"; code {code}"
    size += f" (its files: {store.present})" if store.is_present else " (OLDER CODE)"
    if experiment.quick:
        size += "; quick version, smaller than the paper's"
    drawn = [
        Picture(f.name, f.caption, f"{experiment.name}-{i}.png", f.png())
        for i, f in enumerate(experiment.figures(records) if pictures else (), start=1)
    ]
    return Section(
        ", ".join(experiment.names), PAPERS[experiment.paper], experiment.title,
        experiment.protocol, size, code, store.present, not store.is_present, hours,
        experiment.tables(records), experiment.claims(records), drawn,
    )  # fmt: skip


def about_code(sections: Sequence[Section], whole: str) -> str:
    """Whether one code made all records, and how long it would take to run everything anew."""
    hours = sum(one.hours for one in sections)
    long = f"A full run takes about {hours:.1f} hours of one core."
    older = sum(one.older for one in sections)
    if not older:
        return f"One code made all records: {whole}. {long}"
    return (
        f"The present code is {whole}. It made all records of {len(sections) - older} of "
        f"{len(sections)} experiments; the others are marked OLDER CODE and are to be run again. "
        f"{long}"
    )


def _older(store: Store) -> str:
    """Which other code the records are from, by the hash of its files."""
    named = {code or "before hashes were kept": units for code, units in store.code().items()}
    if len(named) == 1:
        return next(iter(named))
    total = sum(named.values())
    return ", ".join(f"{name} ({units} of {total} parts)" for name, units in named.items())


def as_data(sections: Sequence[Section], whole: str, written: Sequence[Path]) -> dict[str, Any]:
    """The report for programs: experiments, claims with p, and where the files are."""
    return {
        "code": whole,
        "one_code": not any(one.older for one in sections),
        "claims_that_hold": sum(c.holds for one in sections for c in one.claims),
        "claims": sum(len(one.claims) for one in sections),
        "experiments": [
            {
                "names": one.name.split(", "), "paper": one.paper, "title": one.title,
                "code": one.code, "older": one.older, "hours": one.hours,
                "claims": [{**asdict(c), "verdict": c.verdict} for c in one.claims],
                "tables": [table.name for table in one.tables],
                "figures": [picture.file for picture in one.pictures],
            }
            for one in sections
        ],
        "files": [str(path.resolve()) for path in written],
    }  # fmt: skip


def write_report(sections: Sequence[Section], folder: Path, whole: str) -> list[Path]:
    """``report.html``, ``report.md`` and the pictures, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    images = folder / "figures"
    images.mkdir(exist_ok=True)
    for one in sections:
        for picture in one.pictures:
            (images / picture.file).write_bytes(picture.png)
    written = {
        folder / "report.html": html.render(sections, about_code(sections, whole)),
        folder / "report.md": markdown.render(sections, about_code(sections, whole)),
    }
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    return list(written)
