"""The constants of the choice, each alone, on development problems.

Every problem is searched once; all settings are kept with their leave-one-out losses, their answers
at up to 300 unlabeled rows, and the truth there. The rules of ``docs/choosing.md`` are then applied
with other constants. Sets: scikit-learn's own but for the digits, simulated ones, and files of the
data directory, without digits, USPS, course pages, clean moons and spirals, which are goals. Other
draws of "uniform" and "gaussians", and samples of MNIST, are among them. Tables are multi-target
sets whose first target is cut into thirds.

    python benchmarks/selection_development.py DIR FILE [--draws 3]     # search, write FILE
    python benchmarks/selection_development.py DIR FILE --table         # apply the rules to FILE
"""

from __future__ import annotations

import argparse
import pickle
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import numpy as np
from selection_sets import SETS, Set, rows_of

from lapwing import LapRLSClassifier
from lapwing.selection import posterior, search

GOALS = ("digits", "usps", "webkb", "3 against 8")
TABLES = ("enb", "jura", "edm", "wq", "atp1d", "atp7d", "oes97", "oes10", "sarcos_test")
ROWS, LABELS = 800, 45
LISTS = ("frames", "alone", "parts", "degrees", "ratios")


@dataclass(frozen=True)
class Compared:
    """All settings of one problem."""

    kind: str
    frames: list
    alone: list
    parts: list
    degrees: list
    ratios: list
    totals: np.ndarray
    answers: np.ndarray
    truth: np.ndarray
    default: int
    n_classes: int
    n_labels: int

    def without(self, what: str) -> Compared:
        """Without L² ("2") where it is not the default, or with one ratio γ_I/γ_A only."""
        if what == "ratios":
            first = self.ratios[self.default]
            gone = [r not in (0.0, first) for r in self.ratios]
        else:
            gone = [d == what != self.degrees[self.default] for d in self.degrees]
        kept = np.flatnonzero(~np.array(gone))
        arrays = (self.frames, self.alone, self.parts, self.degrees, self.ratios)
        return replace(
            self,
            **{name: [values[i] for i in kept] for name, values in zip(LISTS, arrays, strict=True)},
            totals=self.totals[kept],
            answers=self.answers[kept],
            default=int(np.flatnonzero(kept == self.default)[0]),
        )

    def error(self, rule: dict) -> float:
        """In %, of what a rule chooses."""
        with mock.patch.multiple(posterior, **{"DOUBTED": posterior.DOUBTED, **rule}):
            own = self.frames, self.alone, self.parts, self.default
            prior = posterior.prior_masses(*own, self.n_labels)
            weights = posterior.posterior_weights(prior, self.totals, self.n_labels)
        return self._error(posterior.medoid(weights, self.answers, self.n_classes))

    def _error(self, at: int) -> float:
        return 100.0 * float(np.mean(self.answers[at] != self.truth))

    @property
    def errors(self) -> np.ndarray:
        return 100.0 * np.mean(self.answers != self.truth, axis=1)


def thirds(name: str):
    """A multi-target set, its first target cut into thirds."""

    def make(data, draw):
        file = np.load(data / "mtr" / f"{name}.npz")
        X, y = file["X"].astype(float), file["Y"][:, 0].astype(float)
        known = np.isfinite(X).all(axis=1) & np.isfinite(y)
        X, y = X[known], y[known]
        cuts = np.quantile(y, [1 / 3, 2 / 3])
        return rows_of(X, np.searchsorted(cuts, y), draw, ROWS)

    return make


def problems(data: Path) -> dict[str, Set]:
    """The development sets, tables last."""
    found = {
        name: one
        for name, one in SETS.items()
        if one.group != "goals" and not name.startswith(GOALS)
    }
    tables = [name for name in TABLES if (data / "mtr" / f"{name}.npz").exists()]
    return found | {name: Set(thirds(name), labels=LABELS, group="tables") for name in tables}


def compared(kind: str, X, y, truth) -> Compared | None:
    """All settings of the default call; None where no label can be left out."""
    made = []

    class Noted(search.Comparison):
        def selection(self, *args, **options):
            made.append(self)
            return super().selection(*args, **options)

    with mock.patch.object(search, "Comparison", Noted):
        LapRLSClassifier().fit(X, y)
    if not made:
        return None
    found = made[-1]
    sample, parts = found.sample, [found.parts[i] for i in found.part]
    alone = [not I for _, I in found.gammas]
    graphs = [None if a else p.settings["regularizer"] for p, a in zip(parts, alone, strict=True)]
    return Compared(
        kind,
        [p.frame for p in parts],
        alone,
        [(str(p.settings["kernel"]), str(g or "")) for p, g in zip(parts, graphs, strict=True)],
        [_degree(g) if g else "" for g in graphs],
        [round(I / A, 6) for A, I in found.gammas],
        sample.judge.total(found.losses, found.unreached),
        np.array(found.answers),
        truth[sample.kept[sample.voters]],
        found.default,
        sample.n_classes,
        int(sample.judge.telling.sum()),
    )


def _degree(regularizer) -> str:
    return str(getattr(regularizer, "degree", "mixed"))


def rules() -> list[tuple[str, dict, str]]:
    """What is printed: a name, the constants that differ, and a degree that is left out."""
    found: list[tuple[str, dict, str]] = [("as it is", {}, "")]
    for name, values in (
        ("DOUBTED", (10, 20, 50, 100, 200)),
        ("DEFAULT", (1, 3, 5, 7, 10, 20)),
        ("HOME", (0.3, 0.5, 0.7)),
    ):
        found += [(f"{name} = {value:.2g}", {name: value}, "") for value in values]
    both = [{"DEFAULT": 3, "DOUBTED": 100}, {"DEFAULT": 3, "HOME": 0.3}]
    found += [(", ".join(f"{k} {v:.2g}" for k, v in rule.items()), rule, "") for rule in both]
    return [*found, ("without L²", {}, "2"), ("one ratio", {}, "ratios")]


def table(found: list[Compared], kinds: list[str]) -> None:
    """Mean errors by kind, and the standard error of the difference to the first rule."""
    print(
        f"{len(found)} problems: "
        + ", ".join(f"{k} {sum(c.kind == k for c in found)}" for k in kinds)
    )
    rows = [(name, [(c.without(d) if d else c).error(r) for c in found]) for name, r, d in rules()]
    rows.append(("the default, always", [c.errors[c.default] for c in found]))
    rows.append(("least true error", [c.errors.min() for c in found]))
    first = np.array(rows[0][1])
    for name, errors in rows:
        apart = np.array(errors) - first
        means = [
            np.mean([e for e, c in zip(errors, found, strict=True) if c.kind == k]) for k in kinds
        ]
        text = "".join(f"{m:8.2f}" for m in means)
        print(f"{name:24s}{text}   {apart.mean():+.2f} ± {apart.std() / len(apart) ** 0.5:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if not options.table:
        found = []
        for name, one in problems(options.data).items():
            kind = "tables" if one.group == "tables" else "first"
            for seed in range(options.draws):
                held = compared(kind, *one.draw(options.data, 100 + seed))
                if held is not None:
                    found.append(held)
            print(name, flush=True)
        options.file.write_bytes(pickle.dumps(found))
    table(pickle.loads(options.file.read_bytes()), ["first", "tables"])


if __name__ == "__main__":
    main()
