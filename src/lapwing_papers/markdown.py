"""A report as Markdown."""

from __future__ import annotations

from .claims import tally
from .table import Table, cell_texts

HEAD = """# The papers' tables and figures, ours beside theirs

Made by `lapwing reproduce`. A cell reads **ours** ± standard deviation over the repetitions
[the paper's, ours minus the paper's] and p of a paired t-test against the row named at its left.
`not run`: no honest implementation, or not yet.
"""


def render(sections, about: str) -> str:
    """All sections, papers as headings; what is said about the code first."""
    lines = [HEAD, f"{about}\n", *_summary(sections)]
    paper = None
    for one in sections:
        if one.paper != paper:
            paper = one.paper
            lines += [f"\n## {paper}\n"]
        lines += _section(one)
    return "\n".join(lines).rstrip() + "\n"


def _summary(sections) -> list[str]:
    """Which claims hold, in one table."""
    lines = ["| experiment | claims that hold | hours of a full run | size |", "|---|---|---|---|"]
    return lines + [
        f"| {one.name} | {tally(one.claims)} | {one.hours:.2f} | {one.size} |" for one in sections
    ]


def _section(one) -> list[str]:
    lines = [f"### {one.title} ({one.name})\n", f"*{one.size}.*\n", one.protocol.strip() + "\n"]
    for table in one.tables:
        lines += [f"**{table.name}.** {table.caption}\n", *table_lines(table), ""]
        lines += [f"{note}\n" for note in table.notes]
    if one.claims:
        lines += ["| claim | holds | |", "|---|---|---|"]
        lines += [f"| {c.text} | {c.verdict} | {c.detail} |" for c in one.claims]
        lines.append("")
    for picture in one.pictures:
        lines += [
            f"![{picture.name}](figures/{picture.file})\n",
            f"*{picture.name}. {picture.caption}*\n",
        ]
    return lines


def table_lines(table: Table) -> list[str]:
    """The lines of one table."""
    lines = ["| | " + " | ".join(table.columns) + " |", "|---" * (len(table.columns) + 1) + "|"]
    for row in table.rows:
        reference = table.against.get(row)
        head = f"{row} (against {reference})" if reference else row
        texts = [_cell(*cell_texts(table.cells[row, c], table.digits)) for c in table.columns]
        lines.append(f"| {head} | " + " | ".join(texts) + " |")
    return lines


def _cell(ours: str, paper: str, p: str) -> str:
    mean, plus, spread = ours.partition(" ± ")
    number = any(sign.isdigit() for sign in mean)
    bold = f"**{mean}**{plus}{spread}" if number else ours
    return " ".join(filter(None, [bold, f"[{paper}]" if paper else "", p]))
