"""How many public symbols have a known type, by ``pyright --verifytypes``.

Run: python tools/type_completeness.py [--write FILE | --list]
It needs ``pip install pyright``, or npm's pyright.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def measure(package: str = "lapwing") -> dict:
    """The share of exported symbols whose type is known, and their numbers."""
    found = verified(package)
    counts = found["exportedSymbolCounts"]
    if not counts["withKnownType"]:
        raise SystemExit(f"pyright found no symbol of {package}.")
    return {
        "completeness": round(found["completenessScore"], 4),
        "known": counts["withKnownType"],
        "ambiguous": counts["withAmbiguousType"],
        "unknown": counts["withUnknownType"],
    }


def verified(package: str) -> dict:
    """What ``pyright --verifytypes`` says of the package, copied into an environment of its own.

    The copy is needed since pyright does not follow every kind of editable install.
    """
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=False)
        (site,) = Path(folder).glob("[Ll]ib/**/site-packages")
        shutil.copytree(ROOT / "src" / package, site / package)
        others = [p for p in sys.path if p.endswith("site-packages")]
        (site / "others.pth").write_text("\n".join(others) + "\n", encoding="utf-8")
        path = os.pathsep.join([str(site.parents[2] / "bin"), os.environ.get("PATH", "")])
        command = [program(), "--verifytypes", package, "--ignoreexternal", "--outputjson"]
        done = subprocess.run(  # pyright asks the first Python on the path where packages are
            command, text=True, capture_output=True, cwd=folder, env=os.environ | {"PATH": path}
        )
    try:
        return json.loads(done.stdout)["typeCompleteness"]
    except (ValueError, KeyError) as error:
        raise SystemExit(f"pyright answered {done.stdout[:300]}{done.stderr[:300]}") from error


def program_or_none() -> str | None:
    """pyright, beside this Python or on the path."""
    beside = Path(sys.executable).parent / "pyright"
    return str(beside) if beside.exists() else shutil.which("pyright")


def program() -> str:
    """pyright; an error where it is not installed."""
    found = program_or_none()
    if found is None:
        raise SystemExit(
            "pyright is not installed: pip install pyright, or npm install -g pyright."
        )
    return found


def unknown_by_room(package: str = "lapwing") -> dict[str, list[str]]:
    """The exported names without a known type, by the room they are in."""
    rooms: dict[str, list[str]] = {}
    for symbol in verified(package)["symbols"]:
        if symbol.get("isExported") and not symbol["isTypeKnown"]:
            rooms.setdefault(".".join(symbol["name"].split(".")[:2]), []).append(symbol["name"])
    return dict(sorted(rooms.items(), key=lambda item: -len(item[1])))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write the figures as JSON")
    parser.add_argument("--list", action="store_true", help="show the names without a type")
    arguments = parser.parse_args()
    if arguments.list:
        for room, names in unknown_by_room().items():
            print(room, len(names), *names, sep="\n    ")
        return 0
    text = json.dumps(measure(), indent=2)
    print(text)
    if arguments.write:
        arguments.write.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
