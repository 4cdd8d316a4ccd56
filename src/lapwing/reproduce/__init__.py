"""The five papers' tables and figures, ours beside the printed numbers.

``lapwing reproduce`` on the command line. An :class:`Experiment` is one small file in the folder of
its paper; ``runner`` runs it, ``store`` keeps what is done, ``table`` and ``report`` show it.
"""

from .experiment import Experiment
from .registry import EXPERIMENTS, find

__all__ = ["EXPERIMENTS", "Experiment", "find"]
