"""Random problems thrown at every estimator, and a judge for what comes back.

``python -m lapwing_papers.fuzz --cases 1000`` draws estimator × kernel × regularizer × graph ×
loss × space × solver × shape × dtype × values × labels × γ, gives each case a time limit, and
counts the outcomes (:class:`Outcome`). ``--kind uses`` draws what people do with an estimator, on
data whose answer is known (:mod:`.uses`). Size limits are lowered to a few hundred rows
(:func:`lowered`), unless ``--real`` is given.
"""

from .cases import Case, draw
from .judge import Outcome, Verdict, judge
from .limits import lowered
from .uses import Use, draw_use, judge_use

__all__ = ["Case", "Outcome", "Use", "Verdict", "draw", "draw_use", "judge", "judge_use", "lowered"]
