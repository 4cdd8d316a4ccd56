"""Computing tasks on whatever runs them, and not waiting for ever."""

import sys
from contextlib import suppress

import dask

PATIENCE = 300.0
"""Seconds without any change on the scheduler; ``dask.config.set({"lapwing.patience": …})``."""


def computed(*tasks) -> tuple:
    """What the tasks return; an error where nothing moves on a cluster for longer than patience.

    A worker that dies is normally replaced and its tasks run again elsewhere. Where it is not, or
    where those that are left are full, Dask waits without a word.
    """
    client = current_client()
    if not client:
        return dask.compute(*tasks)
    patience = float(dask.config.get("lapwing.patience", PATIENCE))
    futures = client.compute(list(tasks))
    if _done(client, futures, patience):
        return tuple(client.gather(futures))
    client.cancel(futures)
    workers = client.scheduler_info()["workers"]
    raise TimeoutError(
        f"The cluster has not moved for {patience:g} s; it has {len(workers)} workers. "
        "Workers that were lost and not replaced, or are full, do this: look at the cluster, give "
        "it workers or memory, make X's chunks smaller, or raise the patience with "
        "dask.config.set({'lapwing.patience': seconds})."
    )


def current_client():
    """The client that dask.compute would ask; None for threads and the rest."""
    distributed = sys.modules.get("distributed")
    if not distributed or dask.config.get("scheduler", None) not in (None, "dask.distributed"):
        return None
    try:
        return distributed.default_client()
    except ValueError:
        return None


def _done(client, futures, patience: float) -> bool:
    """Whether all are finished, successfully or not, before nothing has moved for so long."""
    seen = idle = 0
    while idle < 5:
        with suppress(TimeoutError):
            sys.modules["distributed"].wait(futures, patience / 5)
            return True
        before, seen = seen, client.run_on_scheduler(_transitions)
        idle = idle + 1 if seen == before else 0
    return False


def _transitions(dask_scheduler) -> int:
    """How often any task has changed its state."""
    return dask_scheduler.transition_counter
