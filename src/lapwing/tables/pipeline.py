"""An estimator that takes raw tables."""

from collections.abc import Sequence
from typing import Any

from sklearn.pipeline import Pipeline

from ..types import Estimator, Frame, RandomState
from .encoder import Encoder

FORWARDED = (
    "leave_one_out_", "suspicious_labels_", "transduction_", "unreached_", "selection_",
    "next_to_label", "error_bound",
)  # fmt: skip
"""What a fitted pipeline hands on to its estimator."""


class TablePipeline(Pipeline):
    """A scikit-learn pipeline of :class:`Encoder` and an estimator; see :func:`pipeline`.

    What an estimator tells of its training rows (``leave_one_out_``, ``suspicious_labels_``,
    ``transduction_``, ``unreached_``, ``selection_``, ``next_to_label``, ``error_bound``) is asked
    of the pipeline too.
    """

    def describe(self) -> Frame:
        """What became of each column, as a pandas data frame."""
        return self[0].describe()

    def __getattr__(self, name: str) -> Any:
        if name in FORWARDED:
            return getattr(self.steps[-1][1], name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def pipeline(
    estimator: Estimator,
    *,
    text: Sequence[str] = (),
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    random_state: RandomState = 0,
) -> TablePipeline:
    """An estimator that takes raw tables: numbers, categories, dates, texts, gaps.

    Parameters
    ----------
    estimator : estimator of Lapwing or scikit-learn
    text, drop, keep : list of str, default=()
        Columns to be read as texts, to leave out, and to use although they look like a key; see
        :class:`Encoder`.
    random_state : int or None, default=0

    Returns
    -------
    TablePipeline
        A scikit-learn pipeline of the steps "encoder" and "model", with ``describe()``.

    Examples
    --------
    >>> import pandas as pd
    >>> from lapwing import LapRLSClassifier
    >>> from lapwing.tables import pipeline
    >>> frame = pd.DataFrame({"weight": [1.0, 1.2, 5.0, 5.1, None, 4.9], "color": list("rrbbbb")})
    >>> y = ["apple", None, "plum", None, None, "plum"]
    >>> model = pipeline(LapRLSClassifier()).fit(frame, y)
    >>> model.predict(frame).tolist()
    ['apple', 'apple', 'plum', 'plum', 'plum', 'plum']
    >>> model.describe()["kind"].tolist()
    ['number', 'category']
    """
    encoder = Encoder(text=text, drop=drop, keep=keep, random_state=random_state)
    return TablePipeline([("encoder", encoder), ("model", estimator)])
