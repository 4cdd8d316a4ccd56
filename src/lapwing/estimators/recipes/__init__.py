"""Recipes: each family of estimators turns its parameters and data into a problem.

A recipe defines the functions, the terms that penalize them, and the parameters that may be chosen.
The estimator (a classifier or a regressor) reads y and decodes predictions.
:mod:`lapwing.estimators.fitting` is the pipeline that uses both.
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
