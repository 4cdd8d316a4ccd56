"""The checks of this project, each under a name. CI, pre-commit and people call the same ones.

Run: python tasks.py lint types imports tests-fast tests-slow docs wheel versions    (or: all)
     python tasks.py --list

Every task runs with the Python that runs this file, which needs ``pip install -e ".[dev]"``.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent
# Workers share the cores: one BLAS thread each.
ENVIRONMENT = os.environ | {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
}


def run(*command: str | Path, **environment: str) -> None:
    """Run a command in the repository; a failure ends everything with its exit code."""
    print("$", *command, flush=True)
    done = subprocess.run([str(c) for c in command], cwd=ROOT, env=ENVIRONMENT | environment)
    if done.returncode:
        raise SystemExit(done.returncode)


def python(*arguments: str | Path, **environment: str) -> None:
    run(sys.executable, *arguments, **environment)


def tool(name: str, *arguments: str) -> None:
    """A program of the same environment."""
    beside = Path(sys.executable).parent / name
    run(beside if beside.exists() else name, *arguments)


def lint() -> None:
    """ruff: rules and format; the index of decisions."""
    python("-m", "ruff", "check", ".")
    python("-m", "ruff", "format", "--check", ".")
    python("tools/decisions.py", "--check")


def types() -> None:
    """mypy."""
    python("-m", "mypy")


def imports() -> None:
    """Imports point one way."""
    tool("lint-imports")


def tests_fast() -> None:
    """What a newcomer's pytest runs: everything that is not marked slow."""
    python("-m", "pytest", "-m", "not slow")


def tests_slow() -> None:
    """The rest of the tests, but for those that need the built site."""
    python("-m", "pytest", "-m", "slow and not site")


def docs() -> None:
    """Build the site with warnings as errors, then follow its links and questions."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.environ.get("LAPWING_SITE") or folder
        python("-m", "sphinx", "-W", "--keep-going", "-q", "-j", "2", "docs", out)
        python("-m", "pytest", "-n", "0", "-m", "site", "tests/site", LAPWING_SITE=out)


def wheel() -> None:
    """Build wheel and sdist, check them, run the demo from the wheel in an empty environment."""
    python("tools/check_wheel.py")


def versions() -> None:
    """Quick tests with the lowest supported versions, and with each Python that is claimed."""
    python("tools/check_versions.py")


TASKS: dict[str, Callable[[], None]] = {
    "lint": lint,
    "types": types,
    "imports": imports,
    "tests-fast": tests_fast,
    "tests-slow": tests_slow,
    "docs": docs,
    "wheel": wheel,
    "versions": versions,
}


def main(names: list[str]) -> int:
    """Run the named tasks in turn."""
    if not names or "--list" in names or set(names) & {"-h", "--help"}:
        print(__doc__)
        for name, task in TASKS.items():
            print(f"  {name:11} {(task.__doc__ or '').splitlines()[0]}")
        return 0
    wanted = list(TASKS) if names == ["all"] else names
    unknown = [name for name in wanted if name not in TASKS]
    if unknown:
        print(f"No task {', '.join(unknown)}; there are {', '.join(TASKS)}, all.", file=sys.stderr)
        return 2
    for name in wanted:
        began = time.perf_counter()
        TASKS[name]()
        print(f"== {name}: ok, {time.perf_counter() - began:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
