"""A report as one HTML file that needs nothing else."""

from html import escape
from typing import Any

import numpy as np

from .svg import COLORS, bars, intervals, row_map

CELLS = 8
"""Columns of a table of rows that a page has room for."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d2330; --paper: #fff; --line: #d9dde5; --soft: #f4f6f9;
  --quiet: #5b6472; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --paper: #15181e; --line: #343a45;
  --soft: #1d2129; --quiet: #9aa3b2; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui,
  -apple-system, "Segoe UI", sans-serif; }
main { max-width: 980px; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
h1 { font-size: 1.9rem; margin: 0 0 .2rem; } h2 { font-size: 1.25rem; margin: 2.6rem 0 .6rem; }
.quiet { color: var(--quiet); } .verdict { font-size: 1.1rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); gap: .8rem;
  margin: 1.4rem 0; }
.card { background: var(--soft); border: 1px solid var(--line); border-radius: 10px;
  padding: .8rem 1rem; }
.card b { display: block; font-size: 1.55rem; font-weight: 650; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .87rem; }
th, td { text-align: left; padding: .4rem .7rem; border-bottom: 1px solid var(--line);
  max-width: 22rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
th { background: var(--soft); font-weight: 600; } tr:last-child td { border-bottom: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; display: block; margin: .8rem 0; }
.legend span { display: inline-block; margin-right: 1.1rem; }
.legend i { display: inline-block; width: .75rem; height: .75rem; border-radius: 50%;
  margin-right: .35rem; }
code { font-size: .85em; overflow-wrap: anywhere; }
@media print { main { max-width: none; padding: 0; } }
"""


def page_of(facts: dict[str, Any]) -> str:
    """The report as HTML."""
    said = f"; {', '.join(facts['said'])}" if facts["said"] else ""
    parts = [
        f"<h1>{_t(facts['file'])}</h1>",
        f'<p class="quiet">{facts["rows"]:,} rows{_t(said)}. Written by Lapwing '
        f"{_t(facts['versions']['lapwing'])} on {_t(str(facts['written'])[:10])}.</p>",
    ]
    for name, target in facts["targets"].items():
        parts += _target(name, target)
    if facts["warnings"]:
        parts += ["<h2>To be looked at</h2>", _list(facts["warnings"])]
    parts += _small_print(facts)
    title = f"{_t(facts['file'])} · Lapwing"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body><main>\n"
        + "\n".join(parts)
        + "\n</main></body></html>\n"
    )


def _target(name: str, t: dict[str, Any]) -> list[str]:
    parts = [f"<h2>What was learned: {_t(name)}</h2>", _cards(t)]
    if t["compare"]:
        parts += [
            "<h2>Did the unlabeled rows help?</h2>",
            f'<p class="verdict">{_t(t["compare"]["verdict"])}</p>',
            intervals(t["compare"]["methods"], "loss beyond that of Lapwing, 95 % interval"),
            f'<p class="quiet">Numbers at the right: the loss at labeled rows in '
            f"{t['compare']['folds']} folds, each method without their labels.</p>",
        ]
    parts += ["<h2>Map of the rows</h2>", *_map(t)]
    if t["confidence"]:
        steps = [(f"{b['from']:g} to {b['to']:g}", float(b["rows"])) for b in t["confidence"]]
        parts += ["<h2>How sure the answers are</h2>", bars(steps, "rows by confidence")]
        answers = [(k, float(v)) for k, v in list(t["answers"].items())[:12]]
        parts += ["<h2>The answers</h2>", bars(answers, "rows by answer")]
    parts += [
        "<h2>Rows to label next</h2>",
        "<p>Their labels would lower the expected error most.</p>",
        _table(t["next"]),
        "<h2>Labels that look wrong</h2>",
        "<p>The other labels contradict these. Not each of them is wrong: look at the rows.</p>"
        if t["suspicious"]
        else "<p>None: no label is contradicted by the others.</p>",
        _table(t["suspicious"]),
        "<h2>What became of the columns</h2>",
        _table(t["columns"]),
        "<h2>What was chosen, and why</h2>",
        _list([f"{k} = {v}" for k, v in t["settings"].items()] + ([t["why"]] if t["why"] else [])),
        f'<p class="quiet">{_t(t["estimator"])}; the solution is {_t(t["status"])} with a '
        f"certificate of {t['certificate']:.1e}. {t['unreached']:,} rows are joined with no "
        "labeled row.</p>",
    ]
    return parts


def _cards(t: dict[str, Any]) -> str:
    e = t["errors"]
    if "wrong" in e:
        value, interval = f"{100 * e['value']:.1f} %", (100 * e["low"], 100 * e["high"])
        error = f"errors, by {e['how']}; {'exact ' if e['exact'] else ''}95 % interval "
        error += f"{interval[0]:.1f} to {interval[1]:.1f} %"
    else:
        value = f"{e['value']:.4g}"
        error = f"root mean square error, {e['how']}; 95 % interval {e['low']:.4g} to "
        error += f"{e['high']:.4g}; R² {e['r2']:.2f}"
    unlabeled = sum(t["unlabeled"].values())
    cards = [
        (value, error),
        (f"{t['labeled']:,}", "labeled rows"),
        (f"{unlabeled:,}", "rows answered"),
    ]
    if t["confidence"]:
        sure = sum(b["rows"] for b in t["confidence"] if b["from"] >= 0.9)
        share = 100 * sure / max(1, unlabeled)
        cards.append((f"{share:.0f} %", "of the answers have a confidence of 0.9 or more"))
    inner = "".join(f'<div class="card"><b>{_t(b)}</b>{_t(text)}</div>' for b, text in cards)
    return f'<div class="cards">{inner}</div>'


def _map(t: dict[str, Any]) -> list[str]:
    m = t["map"]
    xy = np.column_stack([m["x"], m["y"]])
    picture = row_map(xy, np.array(m["code"]), np.array(m["sure"]), np.array(m["labeled"]))
    legend = "".join(
        f'<span><i style="background:{COLORS[i % len(COLORS)]}"></i>{_t(name)}</span>'
        for i, name in enumerate(m["names"])
        if name
    )
    drawn = len(m["x"])
    text = f"{drawn:,} of {m['of']:,} rows" if drawn < m["of"] else f"All {drawn:,} rows"
    return [
        f'<p class="legend">{legend}</p>',
        picture,
        f'<p class="quiet">{text}. The color is the answer, faint dots are unsure, rings are '
        "labels that were given. Near dots are similar rows; the axes have no meaning.</p>",
    ]


def _table(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""
    names = list(rows[0])[:CELLS]
    head = "".join(_head(n, [row[n] for row in rows]) for n in names)
    body = "".join("<tr>" + "".join(_cell(row[n]) for n in names) + "</tr>" for row in rows)
    inner = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="scroll"><table>{inner}</table></div>'


def _head(name: str, cells: list[Any]) -> str:
    """The head of a column, above its numbers where it has some."""
    number = any(isinstance(v, int | float) and not isinstance(v, bool) for v in cells)
    return f'<th class="number">{_t(name)}</th>' if number else f"<th>{_t(name)}</th>"


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return "<td></td>"
    if isinstance(value, float):
        return f'<td class="number">{value:.4g}</td>'
    number = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return f'<td class="number">{value:,}</td>' if number else f"<td>{_t(str(value)[:120])}</td>"


def _small_print(facts: dict[str, Any]) -> list[str]:
    versions = ", ".join(f"{name} {v}" for name, v in facts["versions"].items())
    return [
        "<h2>How this can be made again</h2>",
        f'<p class="quiet">Seed {facts["seed"]}; fitted in {facts["seconds"]} s; {_t(versions)}.'
        f"<br>SHA-256 of the data: <code>{_t(facts['sha256'])}</code></p>",
    ]


def _list(lines: list[str]) -> str:
    return "<ul>" + "".join(f"<li>{_t(line)}</li>" for line in lines) + "</ul>"


def _t(text) -> str:
    return escape(str(text))
