"""Small data sets with few labels, made or bundled: no network is ever needed."""

from .digits import load_digits
from .labels import keep_labels
from .shapes import make_two_moons, make_two_spirals

__all__ = ["keep_labels", "load_digits", "make_two_moons", "make_two_spirals"]
