"""Groups of parameters: what they give a class, and that every parameter is described."""

import inspect
from typing import Any

import pytest

import lapwing.estimators
from lapwing.parameters.arguments import section, with_parameters


class Widths:
    """Two numbers.

    Parameters
    ----------
    sigma : float
        A width.

        And more of it.
    tau : float

    Attributes
    ----------
    found_ : float
    """

    sigma: Any = 1.0
    tau: Any = 2.0


class Narrow:
    """Parameters
    ----------
    sigma : float
        A small one.
    """

    sigma: Any = 0.1


@with_parameters(Widths, Narrow)
class Model:
    """{parameters}|{attributes}"""


def test_a_later_group_counts_and_the_first_keeps_its_place():
    assert list(inspect.signature(Model).parameters) == ["sigma", "tau"]
    assert (Model().sigma, Model(tau=3.0).tau) == (0.1, 3.0)
    lines = [line.strip() for line in Model.__doc__.splitlines()]
    assert lines == ["sigma : float", "A small one.", "tau : float|found_ : float"]


def test_a_section_has_an_entry_for_each_name():
    found = section(Widths, "Parameters")
    assert list(found) == ["sigma", "tau"]
    assert found["sigma"].endswith("And more of it.")
    assert section(Widths, "Examples") == {}


@pytest.mark.parametrize("name", lapwing.estimators.__all__)
def test_every_parameter_is_described_and_nothing_else(name):
    estimator = getattr(lapwing.estimators, name)
    described = [n for key in section(estimator, "Parameters") for n in key.split(", ")]
    assert sorted(described) == sorted(inspect.signature(estimator).parameters)
    assert "{" + "parameters}" not in estimator.__doc__
    assert section(estimator, "Attributes")
