"""The fixed list names every type that a saved model holds, and each of them exists."""

import importlib

import pytest

from lapwing.io.trusted import TRUSTED

skops = pytest.importorskip("skops.io")


@pytest.mark.parametrize("name", sorted(n for n in TRUSTED if n.startswith("lapwing.")))
def test_the_type_exists(name):
    owner, last = name.rsplit(".", 1)
    if last == "features":  # the method of a kernel
        module, kind = owner.rsplit(".", 1)
        assert hasattr(getattr(importlib.import_module(module), kind), last)
    else:
        assert isinstance(getattr(importlib.import_module(owner), last), type)
