"""How good a prediction is: measures and scorers that scikit-learn does not have."""

from .armse import armse, armse_scorer, relative_armse, relative_armse_scorer

__all__ = ["armse", "armse_scorer", "relative_armse", "relative_armse_scorer"]
