"""Running what is not yet done, over several processes, each result kept as soon as it is there."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

from joblib import Parallel, delayed
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from lapwing.exceptions import GraphWarning, UnreachedWarning
from lapwing.progress import Bar

from .code import code_hash
from .draws import seed_of
from .experiment import Experiment
from .records import Record
from .store import Store


def run(
    experiment: Experiment,
    folder: Path,
    *,
    repetitions: int | None = None,
    jobs: int = 1,
    seed: int = 0,
) -> Store:
    """Finish an experiment, from wherever it stopped.

    Parameters
    ----------
    experiment : Experiment
    folder : path
        Where the records are kept.
    repetitions : int, optional
        None is the experiment's own number.
    jobs : int, default=1
        Processes. Each unit of work has a seed of its own and one BLAS thread: the records do not
        depend on their number.
    seed : int, default=0

    Returns
    -------
    Store
    """
    count = wanted(experiment, repetitions)
    store = open_store(experiment, folder, seed)
    tasks = [
        (repetition, part)
        for repetition in range(count)
        for part in experiment.todo()
        if (repetition, part) not in store.done
    ]
    bar = Bar(experiment.name, len(tasks))
    if tasks:
        outcomes = Parallel(n_jobs=min(jobs, len(tasks)), return_as="generator_unordered")(
            delayed(_work)(experiment, repetition, part, seed) for repetition, part in tasks
        )
        for repetition, part, seconds, records in outcomes:
            store.append(repetition, part, seconds, records)
            bar.step()
        bar.close()
    return store


def wanted(experiment: Experiment, repetitions: int | None = None) -> int:
    """How often to repeat."""
    if repetitions is not None:
        return repetitions
    return experiment.quick_repetitions if experiment.quick else experiment.repetitions


def open_store(experiment: Experiment, folder: Path, seed: int = 0) -> Store:
    """The store of an experiment in a folder; quick runs have files of their own."""
    head = {
        "experiment": experiment.name,
        "quick": experiment.quick,
        "seed": seed,
        "revision": experiment.revision,
    }
    suffix = ".quick.jsonl" if experiment.quick else ".jsonl"
    path = Path(folder) / f"{experiment.name}{suffix}"
    return Store(path, head, code_hash(type(experiment).__module__))


def _work(
    experiment: Experiment, repetition: int, part: str, seed: int
) -> tuple[int, str, float, list[Record]]:
    start = time.perf_counter()
    with threadpool_limits(1), warnings.catch_warnings():
        # Rows that no label reaches, hubs and stops at max_iter occur in some draws.
        for kind in (UnreachedWarning, GraphWarning, ConvergenceWarning):
            warnings.simplefilter("ignore", kind)
        records = experiment.run_one(repetition, part, seed_of(experiment.name, repetition, seed))
    return repetition, part, time.perf_counter() - start, records
