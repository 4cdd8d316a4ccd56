"""What all estimators over a point cloud share: parameters that are parts, state, the look at X."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from ..kernels import get_kernel
from ..parameters.arguments import is_auto
from ..parameters.checks import is_positive
from ..parameters.spelling import ConstructorSignature, check_keywords
from ..regularizers import get_regularizer
from .settings import Settings, check_gamma
from .state import opened, sealed
from .validation import takes_missing, validate_points

SPELLED = {"kernel": "kernel=RBF()", "regularizer": "regularizer=Laplacian(KNN())"}


class PointCloudModel(BaseEstimator):
    """A kernel, a regularizer and γ's over the rows of X; abstract."""

    __signature__: Any = ConstructorSignature()
    tol: Any

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        check_keywords(cls, kwargs)
        return super().__new__(cls)

    def _meant(self, name: str):
        """The part that ``kernel`` or ``regularizer`` stands for."""
        resolve = get_kernel if name == "kernel" else get_regularizer
        return resolve(getattr(Settings(self), name))

    def set_params(self, **params):
        """Set parameters as in scikit-learn.

        ``kernel__sigma`` and ``regularizer__graph__n_neighbors`` work also where the parameter is
        still a name or None: the part it stands for then takes its place.
        """
        try:
            check_keywords(type(self), [key for key in params if "__" not in key])
        except TypeError as error:  # scikit-learn raises the other kind here
            raise ValueError(str(error)) from error
        for key in params:
            name, nested, inner = key.partition("__")
            if not nested or name not in SPELLED or name in params:
                continue
            part = getattr(self, name, None)
            if is_auto(part):
                raise ValueError(
                    f"{key} cannot be set: {name}='auto' is chosen by fit and has no parameter "
                    f"{inner!r}. Spell the part out first, such as {SPELLED[name]}."
                )
            if part is None or isinstance(part, str):
                setattr(self, name, self._meant(name))
        return super().set_params(**params)

    def _check_parameters(self) -> None:
        for name, value in self.get_params(deep=False).items():
            if name.startswith("gamma_"):
                check_gamma(name, value)
        if self.tol is not None and not is_positive(self.tol):
            raise ValueError(f"tol={self.tol!r} must be a positive number, or None.")

    def _validate(self, X):
        """The rows of X to fit to."""
        gram = Settings(self).precomputed
        # a Gram matrix keeps its precision until it is checked
        dtype = [np.float64, np.float32] if gram else np.float64
        X = self._validated(X, dtype=dtype, ensure_min_samples=2)
        if gram and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"kernel='precomputed' needs the square Gram matrix of the training rows, got "
                f"shape {X.shape}."
            )
        return X

    @property
    def _finite(self) -> bool | str:
        """Whether X may hold NaN, as scikit-learn spells it."""
        return "allow-nan" if takes_missing(getattr(self, "kernel", None)) else True

    def _validated(self, X, dtype: Any = np.float64, **options):
        return validate_points(
            self, X, accept_sparse="csr", dtype=dtype, ensure_all_finite=self._finite, **options
        )

    def __getstate__(self):
        return sealed(dict(super().__getstate__()))

    def __setstate__(self, state):
        super().__setstate__(opened(type(self).__name__, dict(state)))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = Settings(self).precomputed
        tags.input_tags.allow_nan = self._finite is not True
        return tags
