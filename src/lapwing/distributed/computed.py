"""Computing tasks with any scheduler, and an error instead of an endless wait."""

import sys
from contextlib import suppress

import dask

PATIENCE = 300.0
"""Seconds without any change on the scheduler; ``dask.config.set({"lapwing.patience": …})``."""


def computed(*tasks) -> tuple:
    """The results of the tasks. An error if a cluster does not move for longer than the patience.

    Normally a dead worker is replaced and its tasks run again elsewhere. If it is not replaced, or
    if the other workers are full, Dask waits without a message.
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
    """The client that dask.compute would use; None for threads and other schedulers."""
    distributed = sys.modules.get("distributed")
    if not distributed or dask.config.get("scheduler", None) not in (None, "dask.distributed"):
        return None
    try:
        return distributed.default_client()
    except ValueError:
        return None


def _done(client, futures, patience: float) -> bool:
    """Whether all tasks end, with or without success, before the patience is over."""
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
