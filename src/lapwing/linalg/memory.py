"""Checks that a fit has enough memory, before anything is allocated."""

import math
import os
from contextlib import suppress
from pathlib import Path

CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)
UNTOLD = (OSError, ValueError, AttributeError, IndexError)  # no such file, or the limit "max"


def available_bytes() -> float:
    """Bytes that can be allocated now: the smaller rest of the machine and of the container.

    Infinite where the platform does not tell.
    """
    found = [_machine_bytes()]
    for limit, used in CGROUPS:
        with suppress(*UNTOLD):
            found.append(max(0, int(Path(limit).read_text()) - int(Path(used).read_text())))
    return min(found)


def _machine_bytes() -> float:
    with suppress(*UNTOLD):
        _, rest = Path("/proc/meminfo").read_text().split("MemAvailable:")
        return int(rest.split()[0]) * 1024
    with suppress(*UNTOLD):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return math.inf


def require_bytes(needed: float, purpose: str, advice: str) -> None:
    """Raise MemoryError, with figures and advice, if ``needed`` bytes are not available."""
    available = available_bytes()
    if needed > available:
        raise MemoryError(
            f"{purpose} needs about {readable(needed)} of memory, but only "
            f"{readable(available)} is available. {advice}"
        )


def readable(n_bytes: float) -> str:
    """``3221225472`` → ``'3.0 GiB'``."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if n_bytes < 1024:
            return f"{n_bytes:.1f} {unit}"
        n_bytes /= 1024
    return f"{n_bytes:.1f} TiB"
