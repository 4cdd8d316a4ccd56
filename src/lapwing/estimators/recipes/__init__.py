"""Recipes: how each family of estimators turns parameters and data into a problem.

A recipe says which functions are searched, which terms penalize them and what may be chosen; how y
is read and how answers are read is the estimator's (a classifier's, a regressor's), and
:mod:`lapwing.estimators.fitting` is the one pipeline that uses both.
"""

from .base import Compiled, Data, Functions, Recipe
from .eigen import EigenRecipe
from .structured import StructuredRecipe
from .vector import VectorRecipe
from .views import CoMRRecipe, CoRLSRecipe

__all__ = [
    "CoMRRecipe",
    "CoRLSRecipe",
    "Compiled",
    "Data",
    "EigenRecipe",
    "Functions",
    "Recipe",
    "StructuredRecipe",
    "VectorRecipe",
]
