"""A transductive support vector machine."""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from lapwing.kernels import get_kernel
from lapwing.linalg.eigenpairs import last_eigenpairs
from lapwing.parameters.arguments import parameters
from lapwing.parameters.checks import check_count, check_option, check_weight

from .annealing import TransductiveProblem, anneal
from .semi_supervised import TransductiveClassifier
from .switching import SwitchingProblem, switch

COLDEST, HOTTEST, STEPS = 1e-3, 10.0, 13


@parameters
class TSVC(TransductiveClassifier):
    """min γ_A‖f‖² + (1/l) Σ_l h(y_i f(x_i)) + (c/u) Σ_u h(|f(x_i)|), h(m) = max(0, 1 − m)².

    Labels of the unlabeled rows are sought that can be separated with a wide margin, in the
    proportions of the labeled ones. The problem is not convex. It is solved by deterministic
    annealing, from several starts, of which the one with the lowest objective is kept: **a local
    optimum**, in which no balanced relabeling lowers the objective for this f. ``objectives_``
    holds what each start reached; where they differ much, distrust the answer.

    With ``method="switching"`` h(m) = max(0, 1 − m) and the problem is Joachims', solved as
    SVM-light does: labels of unlabeled rows are switched pair by pair while their weight doubles
    (:mod:`lapwing_papers.baselines.switching`).

    Parameters
    ----------
    kernel : as in :class:`lapwing.LapSVC`, default="rbf"
    method : {"annealing", "switching"}, default="annealing"
    gamma_A : float, default=0.1
    unlabeled_weight : float, default=1
        c. 0 is the supervised model; u/l makes each unlabeled row count like a labeled one.
    positive_share : float, optional
        Share of ``classes_[1]`` among the unlabeled rows, for two classes; None takes the labeled
        rows' share, for each class.
    n_restarts : int, default=3
        Starts; the first begins at the supervised model, the others at random labels.
    n_components : int, optional
        Leading eigenvectors of K to work with; None keeps all. For annealing.
    n_switches : int, optional
        Pairs that are switched between two fits: 1 is Joachims'; None is all that qualify.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    classes_ : array of shape (q,)
    scores_, transduction_ : arrays over the training rows
    objectives_ : list of arrays of shape (n_restarts,)
        J of every start, one array per model (one per class, a single one for two classes).

    References
    ----------
    Joachims 1999, *Transductive Inference for Text Classification using Support Vector Machines*;
    Sindhwani, Keerthi, Chapelle 2006, *Deterministic Annealing for Semi-supervised Kernel
    Machines* (the solver).

    Examples
    --------
    >>> from lapwing_papers.baselines import TSVC
    >>> from lapwing.datasets import make_gaussian_clusters
    >>> X, y, truth = make_gaussian_clusters(100, n_features=5, labels_per_class=2, random_state=0)
    >>> model = TSVC(kernel="linear", n_restarts=1).fit(X, y)
    >>> float((model.transduction_ == truth).mean()) > 0.9
    True
    """

    kernel: Any = "rbf"
    method: Any = "annealing"
    gamma_A: Any = 0.1
    unlabeled_weight: Any = 1.0
    positive_share: Any = None
    n_restarts: Any = 3
    n_components: Any = None
    n_switches: Any = None
    random_state: Any = None

    def _fit_columns(self, X, targets):
        self._check()
        draw = check_random_state(self.random_state)
        self._kernel = get_kernel(self.kernel).build(X, draw)
        self._X = X
        if self.method == "switching":
            return self._switched(targets)
        Z, self._lift = gram_features(self._kernel(X), self.n_components)
        self.objectives_, found = [], []
        for target in targets.T:
            problem = TransductiveProblem(
                Z, target, self.gamma_A, self.unlabeled_weight, self._share(target)
            )
            ends = [self._descend(problem, draw, start) for start in range(self.n_restarts)]
            values = [problem.value(w, p) for w, p in ends]
            self.objectives_.append(np.array(values))
            found.append(ends[int(np.argmin(values))][0])
        self._w = np.column_stack(found)
        return Z @ self._w[:-1] + self._w[-1]

    def _switched(self, targets):
        K = self._kernel(self._X)
        self.objectives_, found = [], []
        for target in targets.T:
            problem = SwitchingProblem(
                K, target, self.gamma_A, self.unlabeled_weight, self._share(target)
            )
            a, b, z = switch(problem, self.n_switches)
            self.objectives_.append(np.array([problem.value(a, b, z)]))
            found.append(np.append(a, b))
        self._w, self._lift = np.column_stack(found), np.eye(len(K))
        return K @ self._w[:-1] + self._w[-1]

    def _descend(self, problem: TransductiveProblem, draw, start: int):
        w = np.zeros(problem.Z.shape[1] + 1)
        count = int(problem.free.sum())
        if count == 0 or self.unlabeled_weight == 0:
            p = np.full(count, problem.share)
            return problem.minimize_w(w, p), p
        if start == 0:
            # flat probabilities would pull the first f to a constant: begin with the labels alone
            alone = TransductiveProblem(problem.Z, problem.target, self.gamma_A, 0.0, problem.share)
            w = alone.minimize_w(w, np.full(count, problem.share))
            hottest = HOTTEST
            p = problem.minimize_p(problem.Z @ w[:-1] + w[-1], hottest)
        else:
            hottest = 1.0  # cooler, or all starts melt into one
            p = draw.permutation(np.arange(count) < problem.share * count).astype(float)
        return anneal(problem, w, p, np.geomspace(hottest, COLDEST, STEPS))

    def decision_function(self, X):
        """f at new rows, (m,) for two classes, else (m, q)."""
        f = self._kernel(X, self._X) @ self._lift @ self._w[:-1] + self._w[-1]
        return f[:, 0] if len(self.classes_) == 2 else f

    def predict(self, X):
        """The class of new rows."""
        return self._decide(self.decision_function(X))

    def _share(self, target: np.ndarray) -> float:
        known = target[target != 0]
        given = self.positive_share
        return float((known > 0).mean()) if given is None else float(given)

    def _check(self) -> None:
        check_weight("gamma_A", self.gamma_A, positive=True)
        check_weight("unlabeled_weight", self.unlabeled_weight)
        check_count("n_restarts", self.n_restarts)
        check_option("method", self.method, ("annealing", "switching"))
        if self.n_switches is not None:
            check_count("n_switches", self.n_switches)
        if self.n_components is not None:
            check_count("n_components", self.n_components)
        share = self.positive_share
        if share is not None and (not 0 < share < 1 or len(self.classes_) != 2):
            raise ValueError(
                f"positive_share={share!r} must lie between 0 and 1 and is for two classes; "
                f"there are {len(self.classes_)}."
            )


def gram_features(K: np.ndarray, n_components: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Z with ZZᵀ = K (its leading part), and B with Z = K B, so that new rows are k_xᵀB.

    Eigenvalues below 1e-10 of the largest are left out.
    """
    n = len(K)
    values, vectors = last_eigenpairs(K, n if n_components is None else min(n, n_components))
    keep = values > 1e-10 * values[-1]
    values, vectors = values[keep], vectors[:, keep]
    return vectors * np.sqrt(values), vectors / np.sqrt(values)
