"""Build wheel and sdist, check them, install the wheel into an empty environment, run the demo.

Run: python tools/check_wheel.py [--keep DIR]
"""

import argparse
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LARGEST_SDIST = 3_000_000
UNWANTED = ("docs/reproduction/", "docs/images/", "docs/benchmarks/results.csv", "benchmarks/")


def run(*command) -> str:
    """Run a command away from the repository, so that nothing is imported from its folders."""
    done = subprocess.run(
        [str(c) for c in command], cwd=tempfile.gettempdir(), text=True, capture_output=True
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(out: Path) -> tuple[Path, Path]:
    """The wheel and the source archive."""
    run(sys.executable, "-m", "build", "--outdir", out, ROOT)
    run(sys.executable, "-m", "twine", "check", "--strict", *out.iterdir())
    return next(out.glob("*.whl")), next(out.glob("*.tar.gz"))


def check_contents(wheel: Path, sdist: Path) -> None:
    """Packages, ``py.typed`` and license in the wheel; no results or pictures in the sdist."""
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in ("lapwing/__init__.py", "lapwing_papers/__init__.py", "lapwing/py.typed"):
        if wanted not in names:
            raise SystemExit(f"{wanted} is not in {wheel.name}")
    if not any(name.endswith("LICENSE") for name in names):
        raise SystemExit(f"No LICENSE in {wheel.name}")
    with tarfile.open(sdist) as archive:
        files = [member.name.split("/", 1)[-1] for member in archive.getmembers()]
    found = [f for f in files if f.startswith(UNWANTED)]
    if found:
        raise SystemExit(f"{sdist.name} holds {found[:5]}")
    if sdist.stat().st_size > LARGEST_SDIST:
        raise SystemExit(f"{sdist.name} has {sdist.stat().st_size:,} bytes")


def try_out(wheel: Path, folder: Path) -> str:
    """Install the wheel alone, and run what a new user runs."""
    venv.create(folder / "venv", with_pip=True)
    bin_folder = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    run(bin_folder / "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    version = run(bin_folder / "lapwing", "--version").strip()
    if wheel.name.split("-")[1] not in version:
        raise SystemExit(f"lapwing --version says {version!r}, the wheel is {wheel.name}")
    return run(bin_folder / "lapwing", "demo", "--draws", "1", "--no-plots")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="put wheel and sdist here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        out = arguments.keep or Path(name) / "dist"
        wheel, sdist = build(out.resolve())
        check_contents(wheel, sdist)
        printed = try_out(wheel, Path(name))
        for path in (wheel, sdist):
            print(f"{path.name}: {path.stat().st_size:,} bytes")
    print(printed)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
