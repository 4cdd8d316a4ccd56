"""What CoRLS and CoMR share: views in place of one kernel, their coupling in place of one M."""

import numbers
from abc import abstractmethod
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from ..kernels import get_kernel
from ..linalg.memory import require_bytes
from ..objective import Objective
from ..operators import DisagreementOperator, PSDOperator, ScaledOperator
from ..parameters.arguments import first, is_auto, parameters
from ..parameters.checks import is_number
from ..selection import AMBIENT_RULE, INTRINSIC_RULE, Axis, in_numbers, multiple_of_rule
from ..selection.judges import class_judge
from ..spaces import GraphValues, Space, Views, WithFreeFunctions, choose_space
from ..views import SplitRows, ViewParams, as_views, build_views, refuse_added_points
from ..views.spec import per_view
from .base import ManifoldModel, graph_points
from .choice import by_values, choose_axes, common_scale, holds_rows
from .documentation import FITTED, FOUND_CLASSES, SOLVING
from .parameters import SolverParams
from .parts_to_try import COUPLING, INTRINSIC, ambient_axis
from .validation import validate_points

COUPLING_RULE = 10.0

VIEW_PARAMETERS = (
    """\
views : list of tuples (name, kernel, columns[, regularizer[, scaler]]), optional
    As in ``ColumnTransformer``: which columns a view has, with a kernel (a name, a Kernel, a
    callable, "precomputed"), a regularizer and a transformer of its own. None is one RBF view
    of all columns. A row that is NaN in all columns of a view lacks it. Grid search reaches
    ``<view>__kernel__sigma``, ``<view>__regularizer__graph__n_neighbors``, ….
view_weights : float or array of shape (m,), optional
    a_j of the readout Σ a_j f^j; None is 1/m. Where a row lacks views, the others share their
    weight.
gammas : float or array of shape (m,), optional
    γ_j = gamma_A · gammas[j]. None is 1; with gamma_A by rule or "auto" it is the scale of each
    kernel, so that γ_j = 1e-6 · mean k^j(x, x).
gamma_A : float or str, default="auto"
    Weight of Σ_j gammas[j] ‖f^j‖²; "rule" is 1e-6 · the mean of k^j(x, x) over rows and views.
gamma_C : float or str, default="auto"
    Weight of the disagreement, divided by n²; "rule" is {coupling}.
gamma_I : float or str, default="auto"
    Weight of the views' own penalties, divided by n²; "rule" is 1e-3 · n².

    Each of these, and ``fit_intercept``, may be a number, "rule", a multiple of it such as
    "0.1*rule", or "auto": the rule, unless leave-one-out over the labeled rows tells otherwise
    (what, and why, is in ``selection_``).
fit_intercept : bool or "auto", default="auto"
    An unpenalized constant b that only the loss sees.
space : {"auto", "exact", "blockwise", "landmarks", "linear"}, default="auto"
    Where each f^j is searched (:func:`lapwing.spaces.choose_space`)."""
    + SOLVING
)

VIEW_ATTRIBUTES = (
    """\
views_ : BuiltViews
    Names, columns, fitted scalers and kernels with their widths as numbers.
coef_ : array of shape (Σ_j n_j, t)
    Coefficients of f^1 … f^m, stacked.
regularizer_ : PSDOperator
    The coupling of the views' stacked values.
gamma_A_, gamma_C_, gamma_I_ : float
gammas_ : array of shape (m,)
disagreement_ : float
    Σ_{j<k} ‖f^j − f^k‖² over the training rows and outputs, divided by their number."""
    + FITTED
    + FOUND_CLASSES
)


@parameters
class MultiViewModel(SolverParams, ViewParams, ManifoldModel):
    """A Classifier or Regressor over several views; abstract, to stand before one of these."""

    views: Any = first(None)
    loss: Any = "squared"
    view_weights: Any = None
    gammas: Any = None
    gamma_A: Any = "auto"
    gamma_C: Any = "auto"
    gamma_I: Any = "auto"
    fit_intercept: Any = "auto"
    space: Any = "auto"

    _precomputed = False  # each view has a kernel of its own

    @abstractmethod
    def _coupling(self, points: SplitRows, codes: np.ndarray) -> PSDOperator:
        """The operator over the space's values, weighted by γ_C and γ_I."""

    @abstractmethod
    def _over(self, views: Views) -> Space:
        """The space whose values the coupling sees."""

    def _objective(self, X, targets, weights):
        loss = self._built_loss(targets)
        names = getattr(self, "feature_names_in_", None)
        self.views_, points = self._cached(
            lambda: build_views(as_views(self.views), X, names, self.random_state), "views"
        )
        self._set_gammas(points)
        self._say(f"{len(self.views_)} views of {points.n} rows")
        space = self._function_space(points)
        self._say("graphs and coupling")
        operator = self._coupling(points, targets.codes)
        # the operator carries its weights γ_C and γ_I
        return Objective(loss, targets.Y, weights, space, operator, self.gamma_A_, 1.0)

    def _select(self, X, targets, weights, n_rows=None):
        """The weights of coupling and penalties, and the intercept, by leave-one-out."""
        views = as_views(self.views)
        scaled = common_scale(self, ("gamma_A", "gamma_I"), ("gamma_C",))
        axes = [
            *([Axis("gamma_I", INTRINSIC)] if self._smooth(views) else []),
            *([Axis("gamma_C", COUPLING)] if self._coupled(views) else []),
            ambient_axis(scaled),
            Axis("fit_intercept", (True, False), weight=False),
        ]
        parts = (part for view in views for part in (view.kernel, view.regularizer))
        given = any(get_kernel(view.kernel).precomputed for view in views)
        return choose_axes(
            self,
            X,
            targets,
            weights,
            axes,
            scaled,
            by_classes if self._of_classes() else by_values,
            whole=given or holds_rows(*parts),
        )

    def _of_classes(self) -> bool:
        """Whether y are classes that exclude each other."""
        return is_classifier(self) and vars(self).get("_coding") is None

    def _beside(self) -> bool:
        """Whether the loss sees anything beside the views."""
        return False

    @abstractmethod
    def _smooth(self, views) -> bool:
        """Whether γ_I weighs anything."""

    @abstractmethod
    def _coupled(self, views) -> bool:
        """Whether γ_C weighs anything."""

    def _validate_points(self, X):
        return self._validated(X, reset=True, ensure_min_samples=2)

    def _validated(self, X, reset: bool, **checks):
        # only a view can be missing: with a single view of all columns a NaN is an error
        finite = True if self.views is None else "allow-nan"
        return validate_points(
            self,
            X,
            accept_sparse="csr",
            dtype=np.float64,
            ensure_all_finite=finite,
            reset=reset,
            **checks,
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if isinstance(self.space, GraphValues) or self.space == "graph":
            raise ValueError(
                f"space={self.space!r} is not for views, whose functions answer for new points: "
                "use 'auto', 'exact', 'blockwise', 'landmarks' or 'linear'."
            )
        refuse_added_points(as_views(self.views))
        value = self.gamma_C
        if is_auto(value) or multiple_of_rule(value) is not None:
            return
        if not isinstance(value, numbers.Real) or isinstance(value, bool):
            raise TypeError(
                f"gamma_C={value!r} must be a number, 'auto', 'rule', or a multiple such as "
                "'0.1*rule'."
            )
        if not is_number(value) or float(value) < 0:
            raise ValueError(f"gamma_C={value!r} must be finite and >= 0.")

    def _set_gammas(self, points: SplitRows) -> None:
        """All γ's as numbers; what "auto" and None mean is in the class's documentation."""
        n, m = points.n, len(self.views_)
        pairs = zip(self.views_.kernels, points.blocks, strict=True)
        scales = np.array(
            [float(np.mean(kernel.diagonal(block))) or 1.0 for kernel, block in pairs]
        )
        gamma_A = self._part("gamma_A")
        automatic = isinstance(gamma_A, str)
        self.gamma_A_ = in_numbers(gamma_A, AMBIENT_RULE * scales.mean())
        default = scales / scales.mean() if automatic else np.ones(m)
        self.gammas_ = per_view(self.gammas, m, "gammas", default, positive=True)
        self.gamma_I_ = in_numbers(self._part("gamma_I"), INTRINSIC_RULE * n**2)
        rule = self._coupling_rule(n, float(np.mean(self.gamma_A_ * self.gammas_ / scales)))
        self.gamma_C_ = in_numbers(self._part("gamma_C"), rule)

    @abstractmethod
    def _coupling_rule(self, n: int, ambient: float) -> float:
        """What gamma_C="rule" is; ``ambient`` is the mean of γ_j / mean k^j(x, x)."""

    def _function_space(self, points: SplitRows) -> Space:
        m = len(self.views_)
        a = per_view(self.view_weights, m, "view_weights", 1.0 / m)
        if not a.any() and not self._beside():
            raise ValueError(
                f"view_weights={self.view_weights!r}: the loss sees none of the views."
            )
        if self.space == "exact":
            require_bytes(
                # Gram matrices, their factors, and one more for what couples them
                8.0 * (2 * m + 1) * points.n**2,
                f"An exact fit of {m} views of {points.n} rows",
                "Use space='blockwise', linear kernels, or fewer rows.",
            )
        spaces = self._cached(lambda: self._spaces(points), "spaces")
        self._views = Views(spaces, points, a, self.gammas_)
        space = self._over(self._views)
        return WithFreeFunctions(space) if self._part("fit_intercept") else space

    def _spaces(self, points: SplitRows) -> list[Space]:
        return [
            choose_space(self.space, kernel, block, fit_intercept=False)
            for kernel, block in zip(self.views_.kernels, points.blocks, strict=True)
        ]

    def _disagreement(self, points: SplitRows) -> DisagreementOperator:
        return DisagreementOperator(points.rows, points.n, weight=self.gamma_C_)

    def _own_penalty(self, j: int, regularizer, points: SplitRows, codes) -> PSDOperator:
        """(γ_I times) the penalty of view j over the rows that have it."""
        block = graph_points(self.views_.kernels[j], points.blocks[j])
        part = self._in_codes("laplacian" if regularizer is None else regularizer)
        built = self._cached(lambda: part.build(block, codes[points.rows[j]]), "penalty", j)
        return ScaledOperator(built, self.gamma_I_)

    def _store(self, objective, targets, operator):
        gamma_I = self.gamma_I_
        super()._store(objective, targets, operator)
        self.gamma_I_ = gamma_I
        views = self._views
        values = views.evaluate(self._ambient_coef)
        pairwise = DisagreementOperator(views.rows, views.points.n)
        self.disagreement_ = float(
            pairwise.value(values).sum() / (views.points.n * values.shape[1])
        )

    @property
    def _ambient_coef(self) -> np.ndarray:
        return self.solution_.coef[: self._views.n_coef]

    def _checked(self, X):
        return self.views_.split(self._validated(X, reset=False))

    def view_values(self, X) -> dict[str, np.ndarray]:
        """What each view predicts alone: {name: (n, t)}, NaN at rows that lack the view.

        This is (Σ_k a_k) f^j + b, which is the readout where the views agree.
        """
        check_is_fitted(self)
        points = self.views_.split(self._validated(X, reset=False))
        views, out = self._views, {}
        parts = views.evaluate_views(points, self._ambient_coef)
        for name, rows, part in zip(self.views_.names, points.rows, parts, strict=True):
            out[name] = np.full((points.n, part.shape[1]), np.nan)
            out[name][rows] = views.a.sum() * part + self.intercept_
        return out

    def predict_views(self, X) -> dict[str, np.ndarray]:
        """The predictions of the single views: {name: (n,) or (n, t)}.

        Rows that lack a view are predicted NaN by it, or None by a classifier.
        """
        return {name: self._decode_view(values) for name, values in self.view_values(X).items()}

    def _decode_view(self, values: np.ndarray) -> np.ndarray:
        lacking = np.isnan(values).any(axis=1)
        decoded = self._decode(np.nan_to_num(values))
        if not lacking.any():
            return decoded
        if decoded.dtype.kind == "f":
            decoded[lacking] = np.nan
            return decoded
        decoded = decoded.astype(object)
        decoded[lacking] = None
        return decoded

    def disagreement(self, X) -> np.ndarray:
        """How far the views are apart at each row, (n,): the mean squared difference of pairs.

        Summed over outputs; NaN at rows with fewer than two views. Rows where it is large are
        rows where the model contradicts itself: worth a label.
        """
        stacked = np.stack(list(self.view_values(X).values()))
        here = ~np.isnan(stacked[:, :, 0])
        count = here.sum(axis=0)
        filled = np.where(here[:, :, None], stacked, 0.0)
        mean = filled.sum(axis=0) / np.maximum(count, 1)[:, None]
        spread = (np.where(here[:, :, None], stacked - mean, 0.0) ** 2).sum(axis=(0, 2))
        # Σ_{j<k} (f^j − f^k)² = m Σ_j (f^j − mean)², over m (m − 1)/2 pairs
        return np.where(count > 1, 2.0 * spread / np.maximum(count - 1, 1), np.nan)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.views is not None
        return tags


def by_classes(few, at):
    """The judge of classes at the rows given."""
    Y = np.where(few.observed[at], few.Y[at], np.nan)
    return class_judge(Y, few.codes[at], len(few.classes))
