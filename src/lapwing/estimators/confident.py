"""What a fitted model tells of itself: leave-one-out, suspicious labels, novelty."""

from collections.abc import Callable

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..confidence import ActiveLearning, Diagnostics, keep_factor
from ..objective import Objective
from ..parameters.checks import check_count, check_option, is_number


class DiagnosticsMixin:
    """Questions to a fitted model about its labels and its points; a mixin."""

    objective_: Objective
    labeled_: np.ndarray
    _confidence: Diagnostics
    _checked: Callable

    @property
    def leave_one_out_(self) -> np.ndarray:
        """What the fit says of each labeled row without its label: scores or values, (n, t).

        NaN at unlabeled rows and entries. The row stays as an unlabeled one.
        """
        check_is_fitted(self)
        out = np.full((self.objective_.n_rows, self.objective_.n_columns), np.nan)
        out[self.objective_.rows] = self._confidence.unseen
        return out

    @property
    def suspicious_labels_(self) -> np.ndarray:
        """Training rows whose label the other labels contradict, the worst first.

        Classes: another class has the larger leave-one-out score. Real targets: the leave-one-out
        residual is beyond three robust standard deviations.
        """
        check_is_fitted(self)
        return self._confidence.suspicious

    def novelty(self, X) -> np.ndarray:
        """How far each row of X is from all that is known, (n,): 0 is known, 1 is far.

        The share of the prior variance k(x, x)/γ_A that the deformed kernel's Gaussian process
        keeps after all points and labels were seen. With a kernel that does not fall with the
        distance (linear, polynomial) no point is far.
        """
        check_is_fitted(self)
        return self._confidence.novelty(self._checked(X))

    def _unsure(self, X, abstain: float) -> np.ndarray:
        if not is_number(abstain) or not 0 < abstain < 1:
            raise ValueError(f"abstain={abstain!r} must be None or a number between 0 and 1.")
        return self.novelty(X) > abstain

    def _queries(
        self, n, criterion: str, criteria: tuple[str, ...], doubt: Callable | None = None
    ) -> ActiveLearning:
        check_is_fitted(self)
        check_count("n", n)
        check_option("criterion", criterion, criteria)
        if self.labeled_.all():
            raise ValueError("Every row is labeled: there is none left to ask for.")
        keep_factor(self.objective_)
        return ActiveLearning(self.objective_, None if doubt is None else doubt(), n)
