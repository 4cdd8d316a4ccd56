"""Random problems thrown at every estimator, and a judge for what comes back.

``python -m lapwing_papers.fuzz --cases 1000`` draws estimator × kernel × regularizer × graph ×
loss × space × solver × shape × dtype × values × labels × γ, gives each case a time limit, and
counts the outcomes (:class:`Outcome`).
"""

from .cases import Case, draw
from .judge import Outcome, Verdict, judge

__all__ = ["Case", "Outcome", "Verdict", "draw", "judge"]
