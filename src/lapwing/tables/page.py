"""A report as one HTML file that needs nothing else."""

from html import escape
from typing import Any

import numpy as np

from .columns import PREFIX
from .svg import COLORS, STEPS, intervals, row_map
from .words import cell, number

CELLS = 8
"""Columns of a table of rows that a page has room for."""

ANSWERS = 12
"""Answers that are counted one by one, the commonest."""

LOSSES = {
    "class": "the share of wrong answers",
    "labels": "the share of wrong single labels",
    "real": "the squared error over the variance",
}

STYLE = """
:root { color-scheme: light dark; --ink: #1d2330; --paper: #fff; --line: #d9dde5; --soft: #f4f6f9;
  --quiet: #5b6472; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --paper: #15181e; --line: #343a45;
  --soft: #1d2129; --quiet: #9aa3b2; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui,
  -apple-system, "Segoe UI", sans-serif; }
main { max-width: 980px; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
h1 { font-size: 1.9rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.45rem; margin: 2.8rem 0 .6rem; overflow-wrap: anywhere; }
h3 { font-size: 1.12rem; margin: 2.2rem 0 .5rem; }
h2.target { border-top: 1px solid var(--line); padding-top: 1.6rem; }
p, li { overflow-wrap: anywhere; }
.quiet { color: var(--quiet); } .verdict { font-size: 1.1rem; }
.cards { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1.4rem 0; }
.card { flex: 1 1 150px; background: var(--soft); border: 1px solid var(--line);
  border-radius: 10px; padding: .8rem 1rem; } .card.wide { flex: 2 1 280px; }
.card b { display: block; font-size: 1.55rem; font-weight: 650; }
.card small { display: block; color: var(--quiet); font-size: .8rem; margin-top: .3rem; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .87rem; }
th, td { text-align: left; padding: .4rem .7rem; border-bottom: 1px solid var(--line);
  max-width: 13rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
th { background: var(--soft); font-weight: 600; } tr:last-child td { border-bottom: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; display: block; margin: .8rem 0; }
.bars { display: grid; grid-template-columns: minmax(5rem, max-content) 1fr max-content;
  gap: .3rem .8rem; align-items: center; max-width: 680px; font-size: .87rem; }
.bars span:first-child, .bars .number + span { text-align: right; overflow-wrap: anywhere; }
.bars b { height: 1.05rem; } .bars i { display: block; height: 100%; min-width: 1px;
  border-radius: 3px; background: #0072b2; }
.chart { overflow-x: auto; } .chart svg { min-width: 640px; }
.legend span { display: inline-block; margin-right: 1.1rem; }
.legend i { display: inline-block; width: .75rem; height: .75rem; border-radius: 50%;
  margin-right: .35rem; }
code { font-size: .85em; overflow-wrap: anywhere; }
.settings { font-size: .9rem; color: var(--quiet); padding-left: 1.2rem; }
nav a { color: inherit; margin-right: 1rem; }
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
    if len(facts["targets"]) > 1:
        links = (f'<a href="#target-{i}">{_t(n)}</a>' for i, n in enumerate(facts["targets"]))
        parts.append(f"<nav>{' '.join(links)}</nav>")
    for i, (name, target) in enumerate(facts["targets"].items()):
        parts += _target(i, name, target)
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


def _target(place: int, name: str, t: dict[str, Any]) -> list[str]:
    parts = [f'<h2 class="target" id="target-{place}">What was learned: {_t(name)}</h2>', _cards(t)]
    if t["compare"]:
        parts += [
            "<h3>Did the unlabeled rows help?</h3>",
            f'<p class="verdict">{_t(t["compare"]["verdict"])}</p>',
            '<div class="chart">'
            + intervals(t["compare"]["methods"], "more loss than Lapwing, 95 % interval")
            + "</div>",
            f'<p class="quiet">Loss: {LOSSES[t["task"]]}, at the labeled rows in '
            f"{t['compare']['folds']} folds, each method without their labels. Dots at the right "
            "of 0 are worse than Lapwing.</p>",
        ]
    parts += ["<h3>Map of the rows</h3>", *_map(t), *_answers(t)]
    parts += [
        "<h3>Rows to label next</h3>",
        "<p>Their labels would lower the expected error most.</p>"
        if t["next"]
        else "<p>None: every row has a label.</p>",
        _table(t["next"]),
        "<h3>Labels that look wrong</h3>",
        "<p>The other labels contradict these. Not each of them is wrong: look at the rows.</p>"
        if t["suspicious"]
        else "<p>None: no label is contradicted by the others.</p>",
        _table(t["suspicious"]),
        "<h3>What became of the columns</h3>",
        _table(t["columns"]),
        "<h3>What was chosen, and why</h3>",
        f"<p>{_t(t['why'])}</p>" if t["why"] else "",
        _list([f"{k} = {v}" for k, v in t["settings"].items()], "settings"),
        f'<p class="quiet">{_t(t["estimator"])}; the solution is {_t(t["status"])} with a '
        f"certificate of {t['certificate']:.1e} (0 is exact). {_joined_words(t['unreached'])}</p>",
    ]
    return parts


def _joined_words(unreached: int) -> str:
    if not unreached:
        return "Every row is joined with a labeled row."
    return f"{unreached:,} rows are joined with no labeled row: trust their answers less."


def _answers(t: dict[str, Any]) -> list[str]:
    """How sure the answers are, and what they are."""
    if t["values"]:
        v = t["values"]
        steps = [(f"{number(b['from'])} to {number(b['to'])}", b["rows"]) for b in v["bins"]]
        return [
            "<h3>The answers</h3>",
            f"<p>Half of the unlabeled rows are answered with less than {number(v['middle'])}. "
            f"Half of the answers have 95 % bounds narrower than "
            f"± {number(v['half_width'])}.</p>",
            _bars(steps),
        ]
    if not t["confidence"]:
        return []
    several = t["task"] == "labels"
    steps = [(f"{b['from']:g} to {b['to']:g}", b["rows"]) for b in t["confidence"]]
    answers = list(t["answers"].items())
    more = f" The {ANSWERS} commonest of {len(answers):,}." if len(answers) > ANSWERS else ""
    return [
        "<h3>How sure the answers are</h3>",
        f"<p>{'Single labels' if several else 'Unlabeled rows'} by confidence, the probability "
        "of being right.</p>",
        _bars(steps),
        "<h3>The answers</h3>",
        f"<p>Unlabeled rows with each {'label' if several else 'answer'}.{more}</p>",
        _bars(answers[:ANSWERS]),
    ]


def _bars(values: list[tuple[str, int]]) -> str:
    """Numbers as bars beside their names."""
    most = max([1, *(value for _, value in values)])
    rows = (
        f'<span>{_t(name)}</span><b><i style="width:{100 * value / most:.1f}%"></i></b>'
        f'<span class="number">{value:,}</span>'
        for name, value in values
    )
    return f'<div class="bars">{"".join(rows)}</div>'


def _cards(t: dict[str, Any]) -> str:
    e = t["errors"]
    if "wrong" in e:
        value, low, high = (f"{100 * e[k]:.1f}" for k in ("value", "low", "high"))
        what = "of single labels wrong" if t["task"] == "labels" else "wrong answers"
        head, text = f"{value} %", f"{what} expected; 95 % interval {low} to {high} %"
    else:
        head, low, high = (number(e[k]) for k in ("value", "low", "high"))
        text = f"error expected (root mean square); 95 % interval {low} to {high}; "
        text += f"R² {e['r2']:.2f}"
    unlabeled = sum(t["unlabeled"].values())
    cards = [
        (f"{t['labeled']:,}", "labeled rows"),
        (f"{unlabeled:,}", "rows answered"),
    ]
    total = sum(b["rows"] for b in t["confidence"])
    if total:
        share = 100 * sum(b["rows"] for b in t["confidence"] if b["from"] >= 0.9) / total
        cards.append((f"{share:.0f} %", "of the answers have a confidence of 0.9 or more"))
    first = (
        f'<div class="card wide"><b>{_t(head)}</b>{_t(text)}<small>by {_t(e["how"])}</small></div>'
    )
    rest = "".join(f'<div class="card"><b>{_t(b)}</b>{_t(text)}</div>' for b, text in cards)
    return f'<div class="cards">{first}{rest}</div>'


def _map(t: dict[str, Any]) -> list[str]:
    m = t["map"]
    xy = np.column_stack([m["x"], m["y"]])
    real = t["task"] == "real"
    colors = STEPS if real else COLORS
    picture = row_map(xy, np.array(m["code"]), np.array(m["sure"]), np.array(m["labeled"]), colors)
    legend = "".join(
        f'<span><i style="background:{colors[i]}"></i>{_t(name)}</span>'
        for i, name in enumerate(m["names"])
    )
    faint = "" if real else " faint dots are unsure,"
    drawn = len(m["x"])
    text = f"{drawn:,} of {m['of']:,} rows" if drawn < m["of"] else f"All {drawn:,} rows"
    return [
        f'<p class="legend">{legend}</p>',
        picture,
        f'<p class="quiet">{text}. The color is the answer,{faint} rings are labels that were '
        "given. Near dots are similar rows; the axes have no meaning.</p>",
    ]


def _table(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""
    names = list(rows[0])[:CELLS]
    head = "".join(_head(n.removeprefix(PREFIX), [row[n] for row in rows]) for n in names)
    body = "".join("<tr>" + "".join(_cell(row[n]) for n in names) + "</tr>" for row in rows)
    inner = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="scroll"><table>{inner}</table></div>'


def _head(name: str, cells: list[Any]) -> str:
    """The head of a column, above its numbers where it has some."""
    numbers = any(isinstance(v, int | float) and not isinstance(v, bool) for v in cells)
    return f'<th class="number">{_t(name)}</th>' if numbers else f"<th>{_t(name)}</th>"


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return "<td></td>"
    if isinstance(value, float):
        return f'<td class="number">{cell(value)}</td>'
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return f'<td class="number">{value:,}</td>'
    return f'<td title="{_t(str(value)[:400])}">{_t(str(value)[:120])}</td>'


def _small_print(facts: dict[str, Any]) -> list[str]:
    versions = ", ".join(f"{name} {v}" for name, v in facts["versions"].items())
    return [
        "<h2>How this can be made again</h2>",
        f'<p class="quiet">Seed {facts["seed"]}; fitted in {facts["seconds"]} s; {_t(versions)}.'
        f"<br>SHA-256 of the data: <code>{_t(facts['sha256'])}</code></p>",
    ]


def _list(lines: list[str], kind: str = "") -> str:
    items = "".join(f"<li>{_t(line)}</li>" for line in lines)
    return f'<ul class="{kind}">{items}</ul>'


def _t(text) -> str:
    return escape(str(text))
