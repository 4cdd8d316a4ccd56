"""The laboratory of lapwing: the five papers' tables and figures, ours beside the printed numbers.

``lapwing reproduce`` runs it from the command line. An :class:`Experiment` is one small file in the
folder of its paper; ``runner`` runs it, ``store`` keeps what is done, ``table`` and ``report`` show
it.

=======================  ==================================================================
``mr/ vv/ so/ mv/ mt/``  one folder for each paper
``baselines/``           the papers' comparators, as scikit-learn estimators
``datasets/``            the papers' data sets, read from a directory or downloaded
``statistics/``          ranks and tests that compare many methods
``model_selection/``     the searches of the papers' protocols
``inspection/``          pictures of these comparisons
``fuzz/``                random problems that try to break the library
=======================  ==================================================================
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .experiment import Experiment
    from .registry import EXPERIMENTS, find

__all__ = ["EXPERIMENTS", "Experiment", "find"]

_HOME = {"EXPERIMENTS": "registry", "Experiment": "experiment", "find": "registry"}


def __getattr__(name: str):
    """Import an experiment's name when it is first asked for."""
    if name in _HOME:
        return getattr(_import_module(f".{_HOME[name]}", __name__), name)
    raise AttributeError(f"module 'lapwing_papers' has no attribute {name!r}")
