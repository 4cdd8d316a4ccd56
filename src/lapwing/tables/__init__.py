"""Tables as people have them: files, raw columns, and labels in one of them.

``reading`` opens files (``sniffing`` finds their encoding and delimiter, ``delimited`` and
``formats`` parse them), ``labels`` turns a column into y, ``columns`` says what each column is,
``encoder`` makes a matrix of them on all rows, and ``pipeline`` puts an estimator behind it.
Needs the extra ``tables``: skrub and pandas.
"""

from .checks import ColumnWarning, leaks
from .columns import Column
from .encoder import Encoder
from .extras import TableError
from .labels import Labels, read_labels
from .pipeline import TablePipeline, pipeline
from .reading import Reading, read, read_file

__all__ = [
    "Column",
    "ColumnWarning",
    "Encoder",
    "Labels",
    "Reading",
    "TableError",
    "TablePipeline",
    "leaks",
    "pipeline",
    "read",
    "read_file",
    "read_labels",
]
