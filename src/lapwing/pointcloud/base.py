"""A kernel fitted on a point cloud, as scikit-learn's own kernel objects are used."""

import numbers
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process.kernels import Kernel as GPKernel
from sklearn.utils import check_array

from .._scikit_learn import check_feature_names, feature_names
from ..spaces import Deformation
from ..types import MatrixLike, TargetLike


@dataclass(frozen=True)
class CloudKernel:
    """What a point-cloud kernel holds once its cloud is known: the deformed kernel of a space.

    Attributes
    ----------
    deformation : Deformation
        K̃ at γ_A = 1.
    points : callable
        X as the space reads it.
    """

    deformation: Deformation
    points: Callable[[Any], Any]


class PointCloudKernel(GPKernel, ABC):
    """A scikit-learn kernel object with a point cloud; abstract.

    ``fit(X)`` stores the cloud and factors what must be factored; the object is then a callable
    k̃(X, Z) on any points, for ``SVC(kernel=…)``, ``KernelRidge``, ``KernelPCA``, Gaussian
    processes and everything else that takes a callable or a Gaussian process kernel.
    ``clone`` keeps the cloud and the factor. Where a parameter has changed since, or the kernel
    was saved and read again, the factor is made anew when the kernel is next used.
    """

    _cloud: Any = None
    _state: Any = None  # a CloudKernel
    _built_with: Any = ()  # the parameters of that

    @abstractmethod
    def _build(self, X: MatrixLike, names: Any) -> CloudKernel:
        """Check the parameters and factor the penalty over the cloud X."""

    takes_missing = False
    """Whether a row may be NaN in columns that the kernel can do without."""

    @property
    def has_cloud(self) -> bool:
        """Whether ``fit`` was called."""
        return self._cloud is not None

    def fit(self, X: MatrixLike, y: TargetLike = None) -> Self:
        """Set the point cloud.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
            Labeled and unlabeled rows alike; labels are not read.

        Returns
        -------
        self
        """
        names = feature_names(X)
        cloud = self._checked(X)
        state = self._build(cloud, names)  # nothing is kept if this fails
        check_feature_names(self, X, reset=True)
        self._cloud, self._state, self._built_with = cloud, state, self._parameters()
        return self

    @property
    def cloud_(self):
        """The rows the kernel was fitted on."""
        self._check_fitted()
        return self._cloud

    @property
    def state_(self) -> CloudKernel:
        """The factored kernel; made anew if a parameter was set since."""
        self._check_fitted()
        if not self._current():
            names = vars(self).get("feature_names_in_")
            self._state = self._build(self._cloud, names)
            self._built_with = self._parameters()
        return self._state

    def _parameters(self) -> dict[str, Any]:
        """All parameters, those of the parts too."""
        return self.get_params(deep=True)

    def _current(self) -> bool:
        """Whether the factor belongs to the parameters as they are now."""
        before, now = self._built_with, self._parameters()
        return set(before) == set(now) and all(_unchanged(before[k], now[k]) for k in now)

    def __call__(self, X: MatrixLike, Y: MatrixLike = None, eval_gradient: bool = False) -> Any:
        """k̃(X, Y), (n, m); k̃(X, X), exactly symmetric, where Y is not given."""
        state = self.state_
        same = Y is None or Y is X
        points = state.points(self._validated(X))
        other = None if same else state.points(self._validated(Y))
        K = state.deformation.cross(points, other)
        # no hyper-parameters are optimized, so the gradient has no entries
        return (K, np.empty((*K.shape, 0))) if eval_gradient else K

    def diag(self, X: MatrixLike) -> np.ndarray:
        """k̃(x, x) for the rows of X, (n,)."""
        state = self.state_
        return state.deformation.diagonal(state.points(self._validated(X)))

    def fall(self, X: MatrixLike) -> np.ndarray:
        """What the point cloud takes off the diagonal at each row of X, (n,)."""
        state = self.state_
        return state.deformation.taken_diagonal(state.points(self._validated(X)))

    def is_stationary(self) -> bool:
        """False: the kernel depends on where the cloud is."""
        return False

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        params = super().get_params(deep=False)
        if deep:
            for name, value in list(params.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    nested = value.get_params().items()
                    params.update((f"{name}__{key}", entry) for key, entry in nested)
        return params

    def __sklearn_clone__(self) -> Self:
        params = self.get_params(deep=False)
        twin = type(self)(**{name: clone(value, safe=False) for name, value in params.items()})
        twin._cloud = self._cloud
        if "feature_names_in_" in vars(self):
            twin.feature_names_in_ = self.feature_names_in_
        if self._current():
            twin._state, twin._built_with = self._state, twin._parameters()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Without the factor, which is of order n² and can be made again."""
        made = ("_state", "_built_with")
        return {name: part for name, part in vars(self).items() if name not in made}

    def __sklearn_is_fitted__(self) -> bool:
        return self.has_cloud

    # Parameters may be matrices, which scikit-learn's comparison of parameters cannot compare.
    def __eq__(self, other: Any) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={value!r}" for name, value in self.get_params(False).items())
        return f"{type(self).__name__}({parts})"

    def _validated(self, X: MatrixLike):
        check_feature_names(self, X, reset=False)
        return self._checked(X)

    def _checked(self, X: MatrixLike):
        return check_array(
            X,
            accept_sparse="csr",
            dtype=np.float64,
            ensure_all_finite="allow-nan" if self.takes_missing else True,
        )

    def _check_fitted(self) -> None:
        if not self.has_cloud:
            name = type(self).__name__
            raise NotFittedError(
                f"This {name} has no point cloud yet: call fit(X) with all points, labeled and "
                f"unlabeled, before it is used, for example SVC(kernel={name}(…).fit(X_all))."
            )


def _unchanged(before, now) -> bool:
    """The same object, an equal number or text, or a part: its own parameters are compared too."""
    if before is now:
        return True
    if isinstance(now, str | numbers.Number):
        return type(before) is type(now) and before == now
    return hasattr(now, "get_params") and type(before) is type(now)
