"""From raw columns to a matrix of numbers, learned on all rows, labeled or not."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.validation import check_is_fitted

from ..types import Frame, MatrixLike, RandomState, TargetLike
from .blocks import CHANGE, Block
from .checks import check_columns, check_names, warn_of_leaks
from .columns import FEW_CATEGORIES, Column, described, plan
from .dates import Dates
from .extras import TableError, need
from .frames import as_frame, prepared, stacked
from .numbers import Numbers

TEXT_COMPONENTS = 30
"""skrub's default; with 10, 30 and 60, 25.9, 28.8 and 25.0 % errors at the one table with texts, 4
draws, each text of variance 1: no trend."""

TEXT_VARIANCE = 2.0
"""A text counts as two columns.

Measured at 40 labels on 10 draws of the one table with texts in benchmarks/tables.py: 21.2 %,
24.5 % with variance 1, 25.1 % with variance 4. A text of random words added to five other tables
costs little: 9.3 % errors, 9.0 % with variance 1, 4 draws.
"""

WORDS = {
    "numeric": "number",
    "datetime": "date",
    "low_cardinality": "category",
    "high_cardinality": "text",
}
"""Kinds of columns as skrub calls them, and as we do."""


class Encoder(TransformerMixin, BaseEstimator):
    """Numbers, categories, dates, texts and vectors as one float matrix.

    Numbers are standardized (by their ranks where a few values dwarf all others) and their gaps
    become the median. Categories are one-hot, and a gap is a category of its own. Two rows that
    differ in one category alone are at distance √2, as two rows are on average in a standardized
    column. A date is the time that has passed, standardized, beside its place in the year, the
    week and the day where the dates cover these at least twice. A vector is a block whose total
    variance is 1, a text one of 2. Medians, categories and the vocabulary of texts come from all
    rows. Columns without information for other rows are left out: empty and constant ones, row
    numbers, and keys (single words that nearly never repeat).

    Parameters
    ----------
    text : list of str, default=()
        Columns to be read as texts, whatever they look like.
    drop : list of str, default=()
        Columns to leave out.
    keep : list of str, default=()
        Columns to use even if they look like a key or a row number.
    text_components : int, default=30
        Columns of the matrix for each text, by a truncated SVD of its character n-grams.
    random_state : int or None, default=0
        Of that SVD.

    Attributes
    ----------
    columns_ : list of Column
        What became of each column.
    steps_ : dict of str to list
        The fitted transformers of each column but vectors, in order, from ``skrub``.
    feature_names_in_ : array of str
    n_features_in_ : int

    Examples
    --------
    >>> import pandas as pd
    >>> from lapwing.tables import Encoder
    >>> frame = pd.DataFrame({"age": [20, 31, None], "town": ["Lyon", "Bonn", "Lyon"]})
    >>> encoder = Encoder().fit(frame)
    >>> encoder.transform(frame).shape
    (3, 3)
    >>> encoder.get_feature_names_out()
    array(['age', 'town_Bonn', 'town_Lyon'], dtype=object)
    """

    def __init__(
        self,
        *,
        text: Sequence[str] = (),
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        text_components: int = TEXT_COMPONENTS,
        random_state: RandomState = 0,
    ) -> None:
        self.text = text
        self.drop = drop
        self.keep = keep
        self.text_components = text_components
        self.random_state = random_state

    def fit(self, X: MatrixLike, y: TargetLike = None) -> Self:
        """Learn medians, scales, categories and texts from all rows of a table."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: MatrixLike, y: TargetLike = None) -> np.ndarray:
        """Learn from all rows of a table and encode them, (n, d).

        Parameters
        ----------
        X : pandas or polars data frame, or array, of shape (n, columns)
        y : array of shape (n,), optional
            A column that equals it on every labeled row is warned of.
        """
        frame = as_frame(X)
        planned = self._plan(frame)
        if not any(column.used for column in planned):
            raise TableError(
                "No column is left to learn from: "
                + ", ".join(f"{c.name} ({c.kind})" for c in planned)
                + "."
            )
        if y is not None:
            warn_of_leaks(frame[[c.name for c in planned if c.used]], y)
        self.feature_names_in_ = np.array(frame.columns, dtype=object)
        self.n_features_in_ = frame.shape[1]
        self._vectors = {
            c.name: Block().fit(stacked(frame[c.name])) for c in planned if c.kind == "vector"
        }
        scalars = {c.name: c.kind for c in planned if c.used and c.kind != "vector"}
        kinds = self._learn(prepared(frame, scalars), scalars)
        self.columns_ = [self._found(column, kinds) for column in planned]
        return self._encoded(frame)

    def transform(self, X: MatrixLike) -> np.ndarray:
        """Encode the rows of a table with the same columns, (n, d)."""
        check_is_fitted(self)
        frame = as_frame(X)
        check_columns(frame, self.columns_)
        return self._encoded(frame)

    def get_feature_names_out(self, input_features: TargetLike = None) -> np.ndarray:
        """The names of the matrix's columns, (d,)."""
        check_is_fitted(self)
        names = [output for outputs in self._outputs.values() for output in outputs]
        for name, block in self._vectors.items():
            names += [f"{name}_{i}" for i in range(block.n_features_in_)]
        return np.array(names, dtype=object)

    def describe(self) -> Frame:
        """What became of each column, as a pandas data frame."""
        check_is_fitted(self)
        return described(self.columns_)

    def _plan(self, frame: Frame) -> list[Column]:
        for role in ("text", "drop", "keep"):
            check_names(role, getattr(self, role), frame)
        return [
            plan(frame[name], text=self.text, drop=self.drop, keep=self.keep)
            for name in frame.columns
        ]

    def _learn(self, words, kinds: dict[str, str]) -> dict[str, str]:
        """Fit skrub's transformers; the kinds as skrub finds them.

        Of the fitted vectorizer only what encodes is kept: the rest makes saved models large.
        """
        self._kinds, self.steps_, self._outputs = kinds, {}, {}
        if not kinds:
            return {}
        with warnings.catch_warnings():  # a text of few different letters has fewer columns
            warnings.filterwarnings("ignore", message="The matrix shape is")
            vectorizer = self._vectorizer(kinds).fit(words)
        for name in kinds:
            self.steps_[name] = steps_of(vectorizer, name)
            self._outputs[name] = list(vectorizer.input_to_outputs_[name])
        found = vectorizer.column_to_kind_
        return {name: WORDS.get(found[name], kind) for name, kind in kinds.items()}

    def _vectorizer(self, kinds: dict[str, str]):
        skrub = need("skrub", "Encoding a table")
        words = skrub.StringEncoder(self.text_components, random_state=self.random_state)
        text = make_pipeline(words, Block(TEXT_VARIANCE**-0.5))  # of variance 1 before it
        date = make_pipeline(skrub.DatetimeEncoder(resolution=None), Dates())
        specific = [
            (Block(1.0 / CHANGE), [name for name, kind in kinds.items() if kind == "yes/no"]),
            (text, [name for name in kinds if name in self.text]),
        ]
        return skrub.TableVectorizer(
            cardinality_threshold=FEW_CATEGORIES,
            low_cardinality=OneHotEncoder(handle_unknown="ignore", sparse_output=False),
            high_cardinality=text,
            numeric=make_pipeline(SimpleImputer(strategy="median"), Numbers()),
            datetime=date,
            specific_transformers=[(kind, names) for kind, names in specific if names],
        )

    def _found(self, column: Column, kinds: dict[str, str]) -> Column:
        """The column with what the encoding has made of it."""
        if column.kind == "vector":
            return replace(column, n_features=self._vectors[column.name].n_features_in_)
        if not column.used:
            return column
        return replace(column, kind=kinds[column.name], n_features=len(self._outputs[column.name]))

    def _encoded(self, frame: Frame) -> np.ndarray:
        words = prepared(frame, self._kinds)
        parts = [encoded_once(self.steps_[name], words[name]) for name in words]
        parts += [block.transform(stacked(frame[name])) for name, block in self._vectors.items()]
        return np.nan_to_num(np.hstack(parts))


def steps_of(vectorizer: Any, name: str) -> list[Any]:
    """The fitted transformers of one column, in order, without the last casts to float32."""
    return [step for step in vectorizer.all_processing_steps_[name] if hasattr(step, "transform")]


def encoded_once(steps: list[Any], column: Frame) -> np.ndarray:
    """One column through its transformers, each distinct value once, (n, features).

    The n-grams of texts are most of the time of an encoding, and titles and towns repeat.
    """
    codes, _ = need("pandas", "A table").factorize(column, use_na_sentinel=False)
    _, first = np.unique(codes, return_index=True)
    return applied(steps, column.iloc[first])[codes]


def applied(steps: list[Any], column: Frame) -> np.ndarray:
    """One column through its transformers, (n, features): those of skrub take a column, others a \
table."""
    skrub = need("skrub", "Encoding a table")
    single = skrub.core.SingleColumnTransformer
    for step in steps:
        table = column if hasattr(column, "columns") else column.to_frame()
        column = step.transform(column if isinstance(step, single) else table)
    found = np.asarray(column, dtype=np.float64)
    return found.reshape(len(found), -1)
