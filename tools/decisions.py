"""Write ``docs/decisions/index.md``: every decision record, grouped by room.

Run: python tools/decisions.py [--check]
"""

import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "decisions"
HEAD = re.compile(r"\A# (\d{4}) (.+)\n\nStatus: (.+)\\\nRoom: `(\w+)`\n")
INTRO = """# Decisions

Why things are as they are: one page for each decision, grouped by the folder ("room") of
`src/lapwing/` that it is about. This index is written by `python tools/decisions.py`.
"""


@dataclass(frozen=True)
class Record:
    """One decision: its four-digit number, title, status and room."""

    number: str
    title: str
    status: str
    room: str
    file: str


def read(path: Path) -> Record:
    """The head of a record, or an error that shows the right form."""
    found = HEAD.match(path.read_text(encoding="utf-8"))
    if not found or found[1] != path.name[:4]:
        raise ValueError(
            f"{path.name} must begin with '# {path.name[:4]} Title', an empty line, "
            "'Status: accepted\\' (or 'superseded by NNNN\\') and 'Room: `name`'."
        )
    return Record(*found.groups(), path.name)


def records() -> list[Record]:
    """All records by number."""
    return [read(path) for path in sorted(FOLDER.glob("[0-9]*.md"))]


def render() -> str:
    """The index as Markdown."""
    rooms: dict[str, list[Record]] = defaultdict(list)
    for record in records():
        rooms[record.room].append(record)
    parts = [INTRO]
    for room in sorted(rooms):
        parts.append(f"\n## {room}\n\n| number | decision | status |\n|---|---|---|\n")
        parts += [
            f"| {r.number} | [{r.title.replace('|', chr(92) + '|')}]({r.file}) | {r.status} |\n"
            for r in rooms[room]
        ]
    listed = "\n".join(r.file.removesuffix(".md") for r in records())
    parts.append(f"\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n\n{listed}\n```\n")
    return "".join(parts)


def main(arguments: list[str]) -> int:
    index = FOLDER / "index.md"
    text = render()
    if "--check" in arguments:
        same = index.exists() and index.read_text(encoding="utf-8") == text
        print("the index is current" if same else "run python tools/decisions.py")
        return 0 if same else 1
    index.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
