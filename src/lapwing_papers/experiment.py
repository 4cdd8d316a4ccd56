"""What an experiment is: data, repetitions, one repetition, and what its records say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from .claims import Claim
from .expected import Printed, read_expected
from .figures import Figure
from .records import Record, Records
from .table import Table


class Experiment(ABC):
    """One or several tables and figures of a paper that come from the same fits.

    An experiment is a small file: attributes that say what it is, :meth:`run_one`, and what is
    made of the records. It keeps no state beyond the two parameters, so that a repetition gives the
    same records in whichever process it runs.

    Parameters
    ----------
    data : path or None
        The directory with the data files; None downloads them.
    quick : bool, default=False
        A small version: same code, fewer or smaller problems.

    Attributes
    ----------
    names : tuple of str
        ``<paper>-<table or figure>``; the first names the file of the records.
    title : str
    datasets : tuple of str
        Names in :data:`lapwing.datasets.FILES`, read from ``data`` or downloaded.
    repetitions, quick_repetitions : int
        How often the paper, and the quick version, repeat.
    parts : tuple of str
        Each repetition is this many units of work, each written when it is done.
    minutes : float
        What the whole takes on one quiet core, measured on a few repetitions.
    protocol : str
        Markdown: the settings, which of them the paper prints, and how the others were chosen.
    revision : int
        To be raised when settings change, so that old records are not continued.
    """

    names: ClassVar[tuple[str, ...]]
    title: ClassVar[str]
    datasets: ClassVar[tuple[str, ...]] = ()
    repetitions: ClassVar[int]
    quick_repetitions: ClassVar[int] = 1
    parts: ClassVar[tuple[str, ...]] = ("all",)
    quick_parts: ClassVar[tuple[str, ...] | None] = None
    minutes: ClassVar[float]
    protocol: ClassVar[str]
    revision: ClassVar[int] = 1

    def __init__(self, data: Path | None = None, quick: bool = False):
        self.data = data
        self.quick = quick

    @property
    def name(self) -> str:
        """The first of the names."""
        return self.names[0]

    @property
    def paper(self) -> str:
        """The paper's id: mr, vv, so, mv or mt."""
        return self.name.split("-")[0]

    def todo(self) -> tuple[str, ...]:
        """The parts of one repetition."""
        return self.quick_parts if self.quick and self.quick_parts else self.parts

    def printed(self, table: str) -> dict[tuple[str, str], Printed]:
        """The paper's numbers of one table."""
        return read_expected(Path(__file__).parent / self.paper / "expected.csv", table)

    @abstractmethod
    def run_one(self, repetition: int, part: str, seed: int) -> list[Record]:
        """One unit of work: fit, score, and say what was found.

        Parameters
        ----------
        repetition : int
        part : str
            One of ``parts``.
        seed : int
            For the draws; it depends on the run's seed, the experiment and the repetition, so that
            all parts of a repetition can share their draw.
        """

    @abstractmethod
    def tables(self, records: Records) -> Sequence[Table]:
        """Ours beside the paper's."""

    def figures(self, records: Records) -> Sequence[Figure]:
        """The paper's figures redrawn."""
        return ()

    def claims(self, records: Records) -> Sequence[Claim]:
        """What the paper says in words, and whether it holds here."""
        return ()
