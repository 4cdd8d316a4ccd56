"""The public names and their signatures as text, so that none changes by accident.

Run: python tools/api_snapshot.py --check | --write | --print
The file is ``tests/release/api.txt``; ``--check`` shows the difference and fails.
"""

import difflib
import importlib
import inspect
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "tests" / "release" / "api.txt"
sys.path.insert(0, str(ROOT / "docs"))

from generated import public_names  # noqa: E402


def snapshot() -> str:
    """One line per name: module, name, signature; below a class its public methods."""
    lines = []
    for module, names in public_names().items():
        room = importlib.import_module(module)
        for name in sorted(names):
            value = getattr(room, name)
            lines.append(f"{module}.{name}{signature(value)}")
            if inspect.isclass(value):
                lines += [f"    .{m}" for m in methods(value)]
    return "\n".join(lines) + "\n"


def methods(kind: type) -> list[str]:
    """Public methods and properties that a class of ours defines, with signatures."""
    found = []
    for name, value in inspect.getmembers(kind):
        ours = any(name in vars(c) and c.__module__.startswith("lapwing") for c in kind.__mro__)
        if ours and not name.startswith("_") and not name.endswith("_request"):
            if callable(value):
                found.append(f"{name}{signature(value)}")
            elif isinstance(inspect.getattr_static(kind, name), property):
                found.append(f"{name} (property)")
    return found


def signature(value) -> str:
    """Names and defaults of the parameters, without types."""
    if not callable(value):
        return f" = {type(value).__name__}"
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "(…)"
    parameters = [
        p.replace(annotation=inspect.Parameter.empty, default=_plain(p.default))
        for p in found.parameters.values()
    ]
    return str(found.replace(parameters=parameters, return_annotation=inspect.Signature.empty))


def _plain(default):
    if default is inspect.Parameter.empty or isinstance(default, str | int | float | bool | None):
        return default
    return _Named(type(default).__name__)


class _Named:
    """Shows a default by its type: a repr could hold an address."""

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"


def main(arguments: list[str]) -> int:
    text = snapshot()
    if "--write" in arguments:
        FILE.parent.mkdir(parents=True, exist_ok=True)
        FILE.write_text(text, encoding="utf-8")
    elif "--check" in arguments:
        before = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
        change = list(difflib.unified_diff(before.splitlines(), text.splitlines(), lineterm=""))
        print("\n".join(change) or "the public API is as in the snapshot")
        return int(bool(change))
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
