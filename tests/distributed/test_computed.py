"""A cluster that does not move is an error, not a wait without end."""

import dask
import pytest

from distributed import Client, LocalCluster
from lapwing.distributed.computed import computed

SQUARES = [dask.delayed(lambda a: a * a)(a) for a in range(3)]


def test_without_a_cluster():
    assert computed(*SQUARES) == (0, 1, 4)


@pytest.mark.parametrize("workers", [0, 1])
def test_on_a_cluster(workers, tmp_path):
    with (
        LocalCluster(
            n_workers=workers,
            processes=False,
            dashboard_address=None,
            local_directory=str(tmp_path),
        ) as cluster,
        Client(cluster),
        dask.config.set({"lapwing.patience": 0.5 if workers == 0 else 60}),
    ):
        if workers:
            assert computed(*SQUARES) == (0, 1, 4)
            with pytest.raises(ZeroDivisionError):  # a task's own error is its own
                computed(dask.delayed(lambda: 1 / 0)())
        else:
            with pytest.raises(TimeoutError, match="0 workers"):
                computed(*SQUARES)
