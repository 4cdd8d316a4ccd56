"""The parts of views as parameters: ``set_params(page__kernel__sigma=…)``."""

from collections.abc import Callable
from typing import Any, Self

PARTS = ("kernel", "columns", "regularizer", "scaler")  # a view's tuple after its name


class ViewParams:
    """Nested parameters for objects with a parameter ``views``, as in ``ColumnTransformer``.

    A view ("page", RBF(2.0), columns) has the parameters ``page__kernel``, ``page__kernel__sigma``
    and ``page__columns``. A fourth and a fifth entry add ``page__regularizer`` and
    ``page__scaler``, with their own parameters.
    """

    views: Any

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        params = super().get_params(deep=deep)  # type: ignore[misc]
        return with_view_params(params) if deep else params

    def set_params(self, **params: Any) -> Self:
        return set_view_params(self, super().set_params, params)  # type: ignore[misc]


def with_view_params(params: dict) -> dict:
    """The parameters ``params``, with those of the views added."""
    out = dict(params)
    for name, parts in _parts(params["views"]):
        for part, value in parts.items():
            out[f"{name}__{part}"] = value
            if hasattr(value, "get_params") and not isinstance(value, type):
                for key, nested in value.get_params().items():
                    out[f"{name}__{part}__{key}"] = nested
    return out


def set_view_params(model: Any, set_others: Callable, params: dict) -> Any:
    """Set the parameters of a model and of its views; ``set_others`` sets those of the model."""
    if "views" in params:
        set_others(views=params.pop("views"))
    names = dict(_parts(model.views))
    own = {
        key: params.pop(key) for key in list(params) if "__" in key and key.split("__")[0] in names
    }
    set_others(**params)
    for key in sorted(own, key=len):  # a part before the parameters of that part
        _set_view(model, key, own[key])
    return model


def _set_view(model, key: str, value) -> None:
    name, _, rest = key.partition("__")
    part, _, nested = rest.partition("__")
    parts = dict(_parts(model.views))[name]
    if part not in PARTS or (nested and part not in parts):
        raise ValueError(
            f"Invalid parameter {key!r}: the view {name!r} has the parts {list(parts)}."
        )
    if nested:
        parts[part].set_params(**{nested: value})
        return
    parts[part] = value
    values = [parts.get(part) for part in PARTS]
    while len(values) > 2 and values[-1] is None:
        values.pop()
    model.views = [(name, *values) if view[0] == name else view for view in model.views]


def _parts(views) -> list[tuple[str, dict]]:
    """(name, {part: value}) of each well-formed view; ``fit`` reports the malformed ones."""
    if not isinstance(views, list | tuple):
        return []
    return [
        (view[0], dict(zip(PARTS, view[1:], strict=False)))
        for view in views
        if isinstance(view, tuple | list) and len(view) > 2 and isinstance(view[0], str)
    ]
