"""Constructors that suggest the right name for an unknown keyword."""

import inspect
from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:

    class BaseEstimator:
        """What type checkers know of scikit-learn's class. It has no types, and a class with an
        unknown base takes any keyword.
        """

        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def __sklearn_tags__(self) -> Any: ...

else:
    from sklearn.base import BaseEstimator

RENAMED = {
    "unlabelled": ("unlabeled",),
    "k": ("n_neighbors", "n_labels"),
    "m": ("n_components",),
    "dim": ("n_components", "n_features"),
}
"""Names of earlier versions, and their current names."""

MEANT = {
    "C": "SVC(C=C) is gamma_A = 1/(2 C l), with l labeled rows",
    "alpha": "KernelRidge(alpha=alpha) is gamma_A = alpha/l, with l labeled rows",
    "n_neighbors": "the graph is part of regularizer=Laplacian(KNN(n_neighbors=10))",
    "graph": "the graph is part of regularizer=Laplacian(graph)",
    "metric": "the metric is part of regularizer=Laplacian(KNN(metric='cosine'))",
    "gamma": "the width is part of kernel=RBF(sigma=1/sqrt(2*gamma))",
    "sigma": "the width is part of kernel=RBF(sigma=1.0)",
    "degree": "give kernel=Polynomial(degree=3) or regularizer=Laplacian(KNN(), degree=2)",
    "epsilon": "give loss=EpsilonInsensitive(epsilon) to ManifoldRegressor",
    "n_jobs": "threads are those of the linear algebra: see threadpoolctl.threadpool_limits",
}
"""Names of other libraries, and the corresponding parameters of Lapwing's estimators."""


class ConstructorSignature:
    """Show the parameters of ``__init__`` in help and editors if a class has a ``__new__``."""

    def __get__(self, instance: Any, owner: type) -> inspect.Signature:
        if instance is not None:
            raise AttributeError("__signature__")  # a callable instance has its own signature
        if owner.__init__ is object.__init__:  # type: ignore[misc]
            return inspect.Signature()
        found = inspect.signature(owner.__init__)  # type: ignore[misc]
        return found.replace(parameters=list(found.parameters.values())[1:])


class NamedParameters(BaseEstimator):
    """A scikit-learn object with a constructor that explains an unknown keyword.

    Examples
    --------
    >>> class Graph(NamedParameters):
    ...     def __init__(self, n_neighbors=10):
    ...         self.n_neighbors = n_neighbors
    >>> Graph(k=5)
    Traceback (most recent call last):
    ...
    TypeError: Graph has no parameter 'k': it is n_neighbors now.
    """

    __signature__: Any = ConstructorSignature()

    if not TYPE_CHECKING:  # type checkers would believe that it takes any keyword

        def __new__(cls, *args: Any, **kwargs: Any) -> Self:
            check_keywords(cls, kwargs)
            return super().__new__(cls)


def check_keywords(cls: type, given: Iterable[str]) -> None:
    """Raise an error for the first keyword that the constructor of ``cls`` does not have."""
    if not given:
        return
    signature = inspect.signature(cls.__init__).parameters  # type: ignore[misc]
    if any(p.kind is p.VAR_KEYWORD for p in signature.values()):
        return
    for name in given:
        if name not in signature:
            raise TypeError(f"{cls.__name__} has no parameter {name!r}: {_hint(name, signature)}.")


def _hint(name: str, known) -> str:
    for new in RENAMED.get(name, ()):
        if new in known:
            return f"it is {new} now"
    if name in MEANT and "gamma_A" in known:
        return MEANT[name]
    if name == "gamma" and "sigma" in known:
        return "sigma=1/sqrt(2*gamma) is the same width"
    near = [n for n in known if n.lower() == name.lower()] or get_close_matches(name, known, n=1)
    if near:
        return f"perhaps {near[0]} is meant"
    return "it has " + (", ".join(n for n in known if n != "self") or "none")
