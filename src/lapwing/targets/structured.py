"""Turn y into indicator rows over an output structure."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import MultiLabelBinarizer

from ..outputs import Enumerated, Outputs, Structure
from ..types import TargetLike
from .classes import Targets, as_labels, encode_classes, unlabeled_mask
from .coding import expected_targets
from .markers import is_missing
from .multilabel import are_sets, from_sets, stands_for_no
from .real import encode_real


@dataclass(frozen=True)
class Listed:
    """Outputs with names. An indicator row stands for one of ``classes``."""

    classes: np.ndarray

    def write(self, Y: np.ndarray) -> np.ndarray:
        return self.classes[Y.argmax(axis=1)]

    def write_ranking(self, ranked: np.ndarray) -> np.ndarray:
        return ranked


@dataclass(frozen=True)
class Sets:
    """Sets of labels, written as rows of ``low`` and 1. ``low`` is 0 or −1."""

    low: int
    dtype: str

    def write(self, Y: np.ndarray) -> np.ndarray:
        return np.where(Y > 0, 1, self.low).astype(self.dtype)

    write_ranking = write


@dataclass(frozen=True)
class OutputCoding:
    """Turn readouts F(x) into outputs of a structure, in the coding of y."""

    outputs: Outputs
    written: Listed | Sets

    @property
    def classes(self) -> np.ndarray:
        """The outputs of the structure in order. For label sets, the labels."""
        return self.outputs.classes

    @property
    def exclusive(self) -> bool:
        """Whether the outputs can be listed. A row then has one output."""
        return self.outputs.kernel is not None

    def decode(self, readout: np.ndarray) -> np.ndarray:
        """The predicted outputs, in the coding of y."""
        return self.written.write(self.outputs.decode(readout))

    def scores(self, readout: np.ndarray) -> np.ndarray:
        """f(x, y) of all outputs, (n, |Y|). The difference for two outputs, (n,). F(x) for sets."""
        if self.exclusive and readout.shape[1] == 2:
            return readout[:, 1] - readout[:, 0]
        return readout

    def class_targets(self) -> np.ndarray:
        """λ(y) of each output, (q, t)."""
        return self.outputs.features(np.eye(len(self.classes)))

    def signs(self, y: np.ndarray) -> np.ndarray:
        """The indicators as ±1."""
        return 2.0 * y - 1.0

    def answers(self, readout: np.ndarray) -> np.ndarray:
        """The targets that an ambient function learns: as for classes, or F(x) for sets."""
        if not self.exclusive:
            return readout
        return expected_targets(readout) * np.mean(np.abs(readout))


def encode_outputs(
    structure: Structure, y: TargetLike, sample_weight: Any = 1.0, joint: bool = False
) -> Targets:
    """Turn y into indicator rows over the outputs of a structure, and the coding of predictions.

    With ``joint``, a kernel on pairs (x, y) replaces the kernel of the structure.
    """
    outputs, targets, written = _encoded(structure, y, sample_weight)
    outputs = outputs.without_kernel() if joint else outputs
    return replace(targets, code=OutputCoding(outputs, written))


def _encoded(structure: Structure, y, sample_weight) -> tuple[Outputs, Targets, Listed | Sets]:
    if structure.reads_labels:
        found = encode_classes(y, sample_weight)
        flat: Any = structure.build(found.classes)
        return flat, _one_hot(flat, found), Listed(flat.classes)
    outputs: Any = structure.build()
    if not outputs.listed:
        return outputs, *_encode_sets(outputs, y, sample_weight)
    # the structure knows all outputs, so labels of a single output are enough
    found = encode_classes(_mark_unlabeled(y, outputs.classes), sample_weight, fewest=1)
    return outputs, _one_hot(outputs, found), Listed(outputs.classes)


def indicator_rows(
    outputs: Any, coding: Listed | Sets, y: TargetLike
) -> tuple[np.ndarray, np.ndarray]:
    """The indicator rows of the outputs in y, and whether each row is labeled. Scores use it."""
    if isinstance(coding, Sets):
        targets, _ = _encode_sets(outputs, y, 1.0)
        return targets.Y, targets.labeled
    assert outputs.listed
    labels = as_labels(y)
    seen = ~_unlabeled(labels, outputs.classes)
    Y = np.zeros((len(labels), outputs.n_features))
    Y[np.flatnonzero(seen), outputs.positions(labels[seen])] = 1.0
    return Y, seen


def _one_hot(outputs: Enumerated, found: Targets) -> Targets:
    """Extend targets over the labels that occur to all outputs of the structure."""
    place = outputs.positions(found.classes)
    seen = found.labeled
    codes = np.where(seen, place[np.where(seen, found.codes, 0)], -1)
    Y = np.zeros((len(codes), outputs.n_features))
    Y[np.flatnonzero(seen), codes[seen]] = 1.0
    return Targets(Y, found.observed, outputs.classes, codes)


def _unlabeled(labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Whether a row is unlabeled. The integer −1 is unlabeled unless −1 is an output."""
    if labels.dtype.kind == "i" and -1 not in classes.tolist():
        return labels == -1
    return unlabeled_mask(labels, classes)


def _mark_unlabeled(y, classes: np.ndarray):
    """y with None on unlabeled rows. The structure determines whether −1 is an output."""
    labels = as_labels(y)
    if labels.dtype.kind != "i":
        return labels
    marked = labels.astype(object)
    marked[_unlabeled(labels, classes)] = None
    return marked


def _as_rows(y, k: int):
    """Turn sets of labels 0 … k−1 and sparse rows into dense indicator rows. Others stay."""
    if sp.issparse(y):
        return y.toarray()
    if not are_sets(y):
        return y
    known = set(range(k))
    for i, labels in enumerate(y):
        if not is_missing(labels) and not set(labels) <= known:
            raise ValueError(f"Row {i} of y is {labels!r}; LabelSets({k}) has labels 0 … {k - 1}.")
    return from_sets(y, MultiLabelBinarizer(classes=range(k)).fit([]))


def _encode_sets(outputs: Outputs, y, sample_weight) -> tuple[Targets, Sets]:
    k = outputs.n_features
    y = _as_rows(y, k)
    raw = np.asarray(y)
    found = encode_real(y, sample_weight)
    if found.Y.shape[1] != k:
        raise ValueError(
            f"y has {found.Y.shape[1]} column(s), but LabelSets(n_labels={k}) needs one per label."
        )
    if found.observed.shape[1] > 1:
        partly = np.flatnonzero(found.observed.any(axis=1) & ~found.observed.all(axis=1))
        raise ValueError(
            f"{len(partly)} row(s) of y are partly NaN, the first is {partly[0]}: a set of labels "
            "is given whole, or as a row of NaN."
        )
    low = stands_for_no(found.Y[found.labeled])
    if not low:
        raise ValueError(
            f"y must hold sets of labels coded 0/1 or -1/1, with NaN rows unlabeled; it holds "
            f"{np.unique(found.Y[found.labeled])[:5].tolist()}."
        )
    Y = np.where(found.labeled[:, None], (found.Y > 0).astype(float), 0.0)
    codes = np.where(found.labeled, 0, -1)
    dtype = raw.dtype if raw.dtype.kind in "iuf" else np.dtype(int)
    return Targets(Y, found.observed, np.empty(0), codes), Sets(low[0], dtype.str)
