"""How many public symbols have a known type, by ``pyright --verifytypes``.

Run: python tools/type_completeness.py [--write FILE]
It needs ``pip install pyright``, or npm's pyright.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def measure(package: str = "lapwing") -> dict:
    """The share of exported symbols whose type is known, and their numbers."""
    beside = Path(sys.executable).parent / "pyright"
    program = str(beside) if beside.exists() else shutil.which("pyright")
    if program is None:
        raise SystemExit(
            "pyright is not installed: pip install pyright, or npm install -g pyright."
        )
    command = [program, "--verifytypes", package, "--ignoreexternal", "--outputjson"]
    command += ["--pythonpath", sys.executable]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = os.environ | {"PATH": path}  # pyright asks that Python where packages are
    done = subprocess.run(
        command, text=True, capture_output=True, cwd=tempfile.gettempdir(), env=environment
    )
    try:
        found = json.loads(done.stdout)["typeCompleteness"]
    except (ValueError, KeyError) as error:
        raise SystemExit(f"pyright answered {done.stdout[:300]}{done.stderr[:300]}") from error
    counts = found["exportedSymbolCounts"]
    if not counts["withKnownType"]:
        raise SystemExit(f"pyright found no symbol of {package}: {done.stdout[:500]}")
    return {
        "completeness": round(found["completenessScore"], 4),
        "known": counts["withKnownType"],
        "ambiguous": counts["withAmbiguousType"],
        "unknown": counts["withUnknownType"],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write the figures as JSON")
    arguments = parser.parse_args()
    text = json.dumps(measure(), indent=2)
    print(text)
    if arguments.write:
        arguments.write.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
