"""Names that types and attributes had when older model files were written.

Whoever renames a type or an attribute of a fitted model adds one line here; files that hold the
former name are then read as before. Where more than a name changes, the type's own
``__setstate__`` translates what it is given.
"""

import io
import json
import zipfile
from typing import Any

TYPES: dict[str, str] = {}
"""Former to present name of a type, with its module: ``"lapwing.a.Old": "lapwing.b.New"``."""

ATTRIBUTES: dict[str, dict[str, str]] = {}
"""By the present name of a type: former to present names of its attributes."""

SCHEMA = "schema.json"


def renewed(data: bytes) -> bytes:
    """A model file with present names in place of former ones; one without such names as it is."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = archive.read(SCHEMA)
        schema = json.loads(text)
        _rename(schema)
        fresh = json.dumps(schema).encode()
        if json.loads(text) == schema:
            return data
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
            for name in archive.namelist():
                target.writestr(name, fresh if name == SCHEMA else archive.read(name))
    return out.getvalue()


def _rename(node) -> None:
    """Rename the type of a node of skops' schema, its attributes, and all below it."""
    if isinstance(node, list):
        for item in node:
            _rename(item)
    if not isinstance(node, dict):
        return
    if isinstance(node.get("__class__"), str):
        _rename_type(node)
    for item in node.values():
        _rename(item)


def _rename_type(node: dict[str, Any]) -> None:
    present = TYPES.get(f"{node.get('__module__')}.{node['__class__']}")
    if present:
        node["__module__"], node["__class__"] = present.rsplit(".", 1)
    names = ATTRIBUTES.get(f"{node.get('__module__')}.{node['__class__']}")
    state = node.get("content")
    if names and isinstance(state, dict) and isinstance(state.get("content"), dict):
        # in order: skops keeps the types of the keys in a list beside them
        state["content"] = {names.get(k, k): v for k, v in state["content"].items()}
