"""Old names of types and attributes in older model files.

Add one line here when you rename a type or an attribute of a fitted model. Files with the old name
can then still be read. If more than a name changes, ``__setstate__`` of the type must translate the
old state.
"""

import io
import json
import zipfile
from typing import Any

TYPES: dict[str, str] = {}
"""The new name of each old type, with its module: ``"lapwing.a.Old": "lapwing.b.New"``."""

ATTRIBUTES: dict[str, dict[str, str]] = {}
"""The new name of each old attribute, by the new name of its type."""

SCHEMA = "schema.json"


def renewed(data: bytes) -> bytes:
    """Replace old names in a model file by new names. A file without old names is not changed."""
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
    """Rename types and attributes in a node of the skops schema and in all nodes below it."""
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
        # keep the order: skops stores the types of the keys in a separate list
        state["content"] = {names.get(k, k): v for k, v in state["content"].items()}
