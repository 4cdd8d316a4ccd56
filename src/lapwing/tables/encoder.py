"""From raw columns to a matrix of numbers, learned on all rows, labeled or not."""

from dataclasses import replace

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.validation import check_is_fitted

from .blocks import CHANGE, Block
from .checks import check_columns, check_names, warn_of_leaks
from .columns import FEW_CATEGORIES, Column, described, plan
from .extras import TableError, need
from .frames import as_frame, prepared, stacked

TEXT_COMPONENTS = 30


WORDS = {
    "numeric": "number",
    "datetime": "date",
    "low_cardinality": "category",
    "high_cardinality": "text",
}
"""Kinds of columns as skrub calls them, and as we do."""


class Encoder(TransformerMixin, BaseEstimator):
    """Numbers, categories, dates, texts and vectors as one float matrix.

    Numbers are standardized and their gaps become the median. A change of category counts like
    one standard deviation: two rows that differ in it alone are at distance 1. A text, a date and
    a vector are blocks whose total variance is 1. Medians, categories and the vocabulary of texts
    come from all rows. Columns without information for other rows are left out: empty and
    constant ones, row numbers, and keys (single words that nearly never repeat).

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
    vectorizer_ : skrub.TableVectorizer or None
        Has encoded all but vectors.
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
        self, *, text=(), drop=(), keep=(), text_components=TEXT_COMPONENTS, random_state=0
    ):
        self.text = text
        self.drop = drop
        self.keep = keep
        self.text_components = text_components
        self.random_state = random_state

    def fit(self, X, y=None):
        """Learn medians, scales, categories and texts from all rows of a table."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X, y=None):
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
        scalars = [c for c in planned if c.used and c.kind != "vector"]
        self.vectorizer_ = self._vectorizer(scalars) if scalars else None
        self._kinds = {c.name: c.kind for c in scalars}
        parts = []
        if self.vectorizer_ is not None:
            parts.append(self.vectorizer_.fit_transform(prepared(frame, self._kinds)))
        self.columns_ = [self._found(column) for column in planned]
        return self._joined(frame, parts)

    def transform(self, X):
        """Encode the rows of a table with the same columns, (n, d)."""
        check_is_fitted(self)
        frame = as_frame(X)
        check_columns(frame, self.columns_)
        parts = []
        if self.vectorizer_ is not None:
            parts.append(self.vectorizer_.transform(prepared(frame, self._kinds)))
        return self._joined(frame, parts)

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """The names of the matrix's columns, (d,)."""
        check_is_fitted(self)
        names = [] if self.vectorizer_ is None else list(self.vectorizer_.all_outputs_)
        for name, block in self._vectors.items():
            names += [f"{name}_{i}" for i in range(block.n_features_in_)]
        return np.array(names, dtype=object)

    def describe(self):
        """What became of each column, as a pandas data frame."""
        check_is_fitted(self)
        return described(self.columns_)

    def _plan(self, frame) -> list[Column]:
        for role in ("text", "drop", "keep"):
            check_names(role, getattr(self, role), frame)
        return [
            plan(frame[name], text=self.text, drop=self.drop, keep=self.keep)
            for name in frame.columns
        ]

    def _vectorizer(self, columns: list[Column]):
        skrub = need("skrub", "Encoding a table")
        text = skrub.StringEncoder(self.text_components, random_state=self.random_state)
        date = make_pipeline(skrub.DatetimeEncoder(periodic_encoding="spline"), Block())
        specific = [
            (Block(1.0), [c.name for c in columns if c.kind == "yes/no"]),
            (text, [c.name for c in columns if c.name in self.text]),
        ]
        return skrub.TableVectorizer(
            cardinality_threshold=FEW_CATEGORIES,
            low_cardinality=make_pipeline(
                OneHotEncoder(handle_unknown="ignore", sparse_output=False), Block(CHANGE)
            ),
            high_cardinality=text,
            numeric=make_pipeline(SimpleImputer(strategy="median"), StandardScaler()),
            datetime=date,
            specific_transformers=[(kind, names) for kind, names in specific if names],
        )

    def _found(self, column: Column) -> Column:
        """The column with what the encoding has made of it."""
        if column.kind == "vector":
            return replace(column, n_features=self._vectors[column.name].n_features_in_)
        if not column.used:
            return column
        assert self.vectorizer_ is not None
        kind = WORDS.get(self.vectorizer_.column_to_kind_[column.name], column.kind)
        made = len(self.vectorizer_.input_to_outputs_[column.name])
        return replace(column, kind=kind, n_features=made)

    def _joined(self, frame, parts) -> np.ndarray:
        parts += [block.transform(stacked(frame[name])) for name, block in self._vectors.items()]
        return np.nan_to_num(np.hstack([np.asarray(p, dtype=np.float64) for p in parts]))
