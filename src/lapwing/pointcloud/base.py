"""A kernel fitted on a point cloud, as scikit-learn's own kernel objects are used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process.kernels import Kernel as GPKernel
from sklearn.utils import check_array
from sklearn.utils.validation import _get_feature_names

from ..spaces import Deformation


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
    ``clone`` keeps the cloud and the factor; ``set_params`` keeps the cloud, and the factor is
    made anew when the kernel is next used.
    """

    _cloud: Any = None
    _names: np.ndarray | None = None
    _state: CloudKernel | None = None

    @abstractmethod
    def _build(self, X, names) -> CloudKernel:
        """Check the parameters and factor the penalty over the cloud X."""

    _accept_nan = False

    def fit(self, X, y=None):
        """Set the point cloud.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
            Labelled and unlabelled rows alike; labels are not read.

        Returns
        -------
        self
        """
        names = _get_feature_names(X)
        cloud = self._validated(X)
        state = self._build(cloud, names)  # nothing is kept if this fails
        self._cloud, self._names, self._state = cloud, names, state
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
        if self._state is None:
            self._state = self._build(self._cloud, self._names)
        return self._state

    def __call__(self, X, Y=None, eval_gradient=False):
        """k̃(X, Y), (n, m); k̃(X, X), exactly symmetric, where Y is not given."""
        state = self.state_
        same = Y is None or Y is X
        points = state.points(self._validated(X))
        other = None if same else state.points(self._validated(Y))
        K = state.deformation.cross(points, other)
        # no hyper-parameters are optimised, so the gradient has no entries
        return (K, np.empty((*K.shape, 0))) if eval_gradient else K

    def diag(self, X):
        """k̃(x, x) for the rows of X, (n,)."""
        state = self.state_
        return state.deformation.diagonal(state.points(self._validated(X)))

    def fall(self, X):
        """What the point cloud takes off the diagonal at each row of X, (n,)."""
        state = self.state_
        return state.deformation.taken_diagonal(state.points(self._validated(X)))

    def is_stationary(self):
        """False: the kernel depends on where the cloud is."""
        return False

    def get_params(self, deep=True):
        params = super().get_params(deep=False)
        if deep:
            for name, value in list(params.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    nested = value.get_params().items()
                    params.update((f"{name}__{key}", entry) for key, entry in nested)
        return params

    def set_params(self, **params):
        self._state = None
        return super().set_params(**params)

    def __sklearn_clone__(self):
        params = self.get_params(deep=False)
        twin = type(self)(**{name: clone(value, safe=False) for name, value in params.items()})
        twin._cloud, twin._names, twin._state = self._cloud, self._names, self._state
        return twin

    def __sklearn_is_fitted__(self):
        return self._cloud is not None

    # Parameters may be matrices, which scikit-learn's comparison of parameters cannot compare.
    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__

    def __repr__(self):
        parts = ", ".join(f"{name}={value!r}" for name, value in self.get_params(False).items())
        return f"{type(self).__name__}({parts})"

    def _validated(self, X):
        return check_array(
            X,
            accept_sparse="csr",
            dtype=np.float64,
            ensure_all_finite="allow-nan" if self._accept_nan else True,
        )

    def _check_fitted(self) -> None:
        if self._cloud is None:
            name = type(self).__name__
            raise NotFittedError(
                f"This {name} has no point cloud yet: call fit(X) with all points, labelled and "
                f"unlabelled, before it is used, for example SVC(kernel={name}(…).fit(X_all))."
            )
