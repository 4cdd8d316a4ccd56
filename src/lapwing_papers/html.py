"""A report as one self-contained HTML file."""

from __future__ import annotations

import base64
import re
from html import escape

from .claims import tally
from .table import Table, cell_texts

STYLE = """
body{font:16px/1.5 Georgia,serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#111}
h1,h2,h3,table,nav,.size{font-family:system-ui,sans-serif}
h2{border-bottom:2px solid #111;margin-top:3rem}
table{border-collapse:collapse;font-size:13px;margin:1rem 0;display:block;overflow-x:auto}
th,td{border-bottom:1px solid #ccc;padding:.3rem .7rem;text-align:left;vertical-align:top}
th{border-bottom:2px solid #111}
td small{display:block;color:#444}
td.no{font-weight:bold;background:#eee}
figure{margin:1.5rem 0}figcaption{font-size:14px;color:#333}
img{max-width:100%;height:auto}
.size{color:#444;font-size:14px}
nav li{display:inline-block;margin-right:1rem}
"""

LEGEND = (
    "Each cell: <b>ours</b> ± standard deviation over the repetitions; below it the paper's "
    "number with ours minus the paper's, and p of a paired t-test against the row named at the "
    "left. <i>not run</i>: no honest implementation, or not yet."
)


def render(sections, about: str) -> str:
    """The whole page; pictures are inside."""
    body = [f"<p>{LEGEND}</p>", _summary(sections)]
    paper = None
    for one in sections:
        if one.paper != paper:
            paper = one.paper
            body.append(f"<h2>{escape(paper)}</h2>")
        body.append(_section(one))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        "<title>Lapwing: the papers' tables and figures</title>"
        f"<style>{STYLE}</style></head><body>"
        "<h1>The papers' tables and figures, ours beside theirs</h1>"
        f"<p>{escape(about)}</p>" + "\n".join(body) + "</body></html>\n"
    )


def _summary(sections) -> str:
    rows = [
        f'<tr><td><a href="#{_anchor(one.name)}">{escape(one.name)}</a></td>'
        f"<td>{tally(one.claims)}</td><td>{one.hours:.2f}</td>"
        f"<td>{escape(one.size)}</td></tr>"
        for one in sections
    ]
    head = "<tr><th>experiment</th><th>claims that hold</th><th>hours</th><th>size</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _section(one) -> str:
    parts = [
        f'<h3 id="{_anchor(one.name)}">{escape(one.title)} ({escape(one.name)})</h3>',
        f'<p class="size">{escape(one.size)}.</p>',
        *(f"<p>{_inline(p)}</p>" for p in one.protocol.strip().split("\n\n")),
    ]
    for table in one.tables:
        parts.append(f"<p><b>{escape(table.name)}.</b> {_inline(table.caption)}</p>")
        parts.append(_table(table))
        parts += [f"<p>{_inline(note)}</p>" for note in table.notes]
    if one.claims:
        rows = "".join(
            f'<tr><td>{escape(c.text)}</td><td class="{"yes" if c.holds else "no"}">'
            f"{c.verdict}</td><td>{escape(c.detail)}</td></tr>"
            for c in one.claims
        )
        parts.append(f"<table><tr><th>claim</th><th>holds</th><th></th></tr>{rows}</table>")
    parts += [_figure(picture) for picture in one.pictures]
    return "\n".join(parts)


def _table(table: Table) -> str:
    head = "<tr><th></th>" + "".join(f"<th>{escape(c)}</th>" for c in table.columns) + "</tr>"
    rows = []
    for row in table.rows:
        reference = table.against.get(row)
        first = escape(row) + (f"<small>against {escape(reference)}</small>" if reference else "")
        cells = "".join(
            _cell(*cell_texts(table.cells[row, c], table.digits)) for c in table.columns
        )
        rows.append(f"<tr><td>{first}</td>{cells}</tr>")
    return f"<table>{head}{''.join(rows)}</table>"


def _cell(ours: str, paper: str, p: str) -> str:
    mean, plus, spread = ours.partition(" ± ")
    number = any(sign.isdigit() for sign in mean)
    bold = f"<b>{mean}</b>{plus}{spread}" if number else ours
    small = "; ".join(filter(None, [f"paper {paper}" if paper else "", p]))
    return f"<td>{bold}{f'<small>{small}</small>' if small else ''}</td>"


def _figure(picture) -> str:
    data = base64.b64encode(picture.png).decode("ascii")
    return (
        f'<figure><img alt="{escape(picture.name)}: {escape(picture.caption)}" '
        f'src="data:image/png;base64,{data}"><figcaption><b>{escape(picture.name)}.</b> '
        f"{_inline(picture.caption)}</figcaption></figure>"
    )


def _inline(text: str) -> str:
    """Bold, emphasis and code of Markdown."""
    text = escape(text, quote=False)
    for pattern, tag in ((r"\*\*(.+?)\*\*", "b"), (r"\*(.+?)\*", "i"), (r"`(.+?)`", "code")):
        text = re.sub(pattern, rf"<{tag}>\1</{tag}>", text)
    return text


def _anchor(name: str) -> str:
    return name.split(",")[0]
