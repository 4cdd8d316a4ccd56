"""Write the constructors of the estimators as type checkers read them.

Run: python tools/constructors.py --check | --write
The file is ``src/lapwing/estimators/__init__.pyi``. Parameters come from groups, through a
decorator that type checkers do not follow; without the file they accept any keyword.
"""

import inspect
import sys
from pathlib import Path

import lapwing.estimators

FILE = Path(__file__).resolve().parents[1] / "src" / "lapwing" / "estimators" / "__init__.pyi"
HEAD = '"""Written by tools/constructors.py. It is for type checkers and editors."""'
FITTED = "    def __getattr__(self, name: str) -> Any: ...  # what fit stores"


def constructors() -> str:
    """The text of the file: one subclass with a written constructor for each estimator."""
    kinds = [getattr(lapwing.estimators, name) for name in lapwing.estimators.__all__]
    rooms = ",\n    ".join(sorted({_room(kind) for kind in kinds}))
    imports = f"from typing import Any\n\nfrom . import (\n    {rooms},\n)"
    return "\n".join([HEAD, "", imports, *map(written, kinds), ""])


def written(kind: type) -> str:
    """A class statement with the parameters of the constructor."""
    known = inspect.signature(kind).parameters.values()
    first = [p for p in known if p.kind is p.POSITIONAL_OR_KEYWORD]
    named = [p for p in known if p.kind is p.KEYWORD_ONLY]
    words = [*map(_typed, first), "*", *map(_typed, named)]
    lines = "".join(f"        {word},\n" for word in ["self", *words])
    name = kind.__name__
    head = f"\nclass {name}({_room(kind)}.{name}):\n    def __init__(\n"
    return f"{head}{lines}    ) -> None: ...\n{FITTED}"


def _room(kind: type) -> str:
    return kind.__module__.rpartition(".")[2]


def _typed(parameter: inspect.Parameter) -> str:
    text = repr(parameter.default).replace("'", '"')
    return f"{parameter.name}: Any = {text}"


def main(arguments: list[str]) -> int:
    if "--write" in arguments:
        FILE.write_text(constructors(), encoding="utf-8")
    right = FILE.exists() and FILE.read_text(encoding="utf-8") == constructors()
    print("the constructors are as written" if right else "run tools/constructors.py --write")
    return int(not right)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
