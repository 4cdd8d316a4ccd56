"""Test the core with the lowest supported versions, and with each Python that is claimed.

Run: python tools/check_versions.py [lowest] [3.12] [3.13]     (no argument: all that can be found,
but for the Python that runs this file, with which CI runs the whole suite)

Each gets an empty environment with numpy, scipy, scikit-learn and pytest, and runs a quick
selection of the tests. ``lowest`` pins the three to the lower bounds of pyproject.toml. Other
Pythons are looked for on the path (python3.12) and among pyenv's versions; one that is not there
is said and left out.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = (
    "kernels", "graphs", "losses", "regularizers", "outputs", "metrics", "targets", "spaces",
    "confidence", "estimators/test_degenerate.py", "estimators/test_equivalences.py",
    "estimators/test_limits.py",
)  # fmt: skip
"""Of the tests: the parts, and fits of every estimator, without extras."""


def project() -> dict:
    """The metadata."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def lowest_pins() -> list[str]:
    """The core's dependencies at their lower bounds."""
    return [re.sub(r">=(\d+\.\d+)$", r"==\1.0", item) for item in project()["dependencies"]]


def claimed() -> list[str]:
    """The Python versions of the classifiers, such as 3.11."""
    found = [re.search(r":: (3\.\d+)$", line) for line in project()["classifiers"]]
    return [match[1] for match in found if match]


def interpreter(version: str) -> str | None:
    """A Python of that version; None where there is none."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for path in sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True):
        return str(path)
    return shutil.which(f"python{version}")


def check(python: str, packages: list[str]) -> None:
    """Make an environment, and run the quick tests in it."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", folder], check=True)
        inside = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        install = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, *packages, "pytest"], check=True)
        subprocess.run([*install, "--no-deps", ROOT], check=True, cwd=folder)
        command = [inside, "-m", "pytest", "-q", "-o", "addopts=", "--import-mode=importlib"]
        command += ["-p", "no:cacheprovider", "-W", "ignore", "-m", "not slow"]
        command += [ROOT / "tests" / room for room in ROOMS]
        subprocess.run(command, check=True, cwd=ROOT)


def main(wanted: list[str]) -> int:
    """Check what is asked for; 1 where something fails."""
    here = f"{sys.version_info.major}.{sys.version_info.minor}"  # the whole suite runs with it
    for name in wanted or ["lowest", *(v for v in claimed() if v != here)]:
        version = claimed()[0] if name == "lowest" else name
        python = interpreter(version)
        packages = lowest_pins() if name == "lowest" else list(project()["dependencies"])
        if python is None:
            print(f"== {name}: no Python {version} here, not tested", flush=True)
            continue
        print(f"== {name}: Python {version}, {', '.join(packages)}", flush=True)
        try:
            check(python, packages)
        except subprocess.CalledProcessError as error:
            print(f"{name} failed: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
