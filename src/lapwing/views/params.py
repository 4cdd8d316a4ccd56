"""``set_params(page__kernel__sigma=…)``: the parts of the views as parameters."""

from typing import Any

PARTS = ("kernel", "columns", "regularizer", "scaler")  # a view's tuple after its name


class ViewParams:
    """Nested parameters for objects with a parameter ``views``, as ``ColumnTransformer`` has.

    A view ("page", RBF(2.0), columns) offers ``page__kernel``, ``page__kernel__sigma`` and
    ``page__columns``; with a fourth and fifth entry also ``page__regularizer`` and
    ``page__scaler`` and theirs.
    """

    views: Any

    def get_params(self, deep=True):
        params = super().get_params(deep=deep)  # type: ignore[misc]
        if deep:
            for name, parts in _parts(params["views"]):
                for part, value in parts.items():
                    params[f"{name}__{part}"] = value
                    if hasattr(value, "get_params") and not isinstance(value, type):
                        for key, nested in value.get_params().items():
                            params[f"{name}__{part}__{key}"] = nested
        return params

    def set_params(self, **params):
        if "views" in params:
            super().set_params(views=params.pop("views"))  # type: ignore[misc]
        names = dict(_parts(self.views))
        own = {
            key: params.pop(key)
            for key in list(params)
            if "__" in key and key.split("__")[0] in names
        }
        super().set_params(**params)  # type: ignore[misc]
        for key in sorted(own, key=len):  # a part before the parts of that part
            self._set_view(key, own[key])
        return self

    def _set_view(self, key: str, value) -> None:
        name, _, rest = key.partition("__")
        part, _, nested = rest.partition("__")
        parts = dict(_parts(self.views))[name]
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
        self.views = [(name, *values) if view[0] == name else view for view in self.views]


def _parts(views) -> list[tuple[str, dict]]:
    """(name, {part: value}) of each well-formed view; what is malformed is fit's to report."""
    if not isinstance(views, list | tuple):
        return []
    return [
        (view[0], dict(zip(PARTS, view[1:], strict=False)))
        for view in views
        if isinstance(view, tuple | list) and len(view) > 2 and isinstance(view[0], str)
    ]
