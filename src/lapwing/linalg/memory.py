"""How much memory a fit needs, and whether it is there, before anything is allocated."""

import os
from pathlib import Path

_CGROUP = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


def available_bytes() -> int | None:
    """Bytes that can be allocated now: the smaller of the machine's and the container's rest.

    None where the platform does not tell.
    """
    found = [b for b in (_machine_bytes(), _container_bytes()) if b is not None]
    return min(found) if found else None


def _machine_bytes() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _container_bytes() -> int | None:
    for limit, used in _CGROUP:
        try:
            return max(0, int(Path(limit).read_text()) - int(Path(used).read_text()))
        except (OSError, ValueError):  # no cgroup here, or its limit is the word "max"
            continue
    return None


def require_bytes(needed: float, purpose: str, advice: str) -> None:
    """Raise MemoryError, with the figures and what to do, if ``needed`` bytes are not there."""
    available = available_bytes()
    if available is not None and needed > available:
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
