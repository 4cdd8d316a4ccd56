"""Names that model files of format 2 hold: the problem and its solution, as they were called."""

from __future__ import annotations

from .problem import Problem, Solution, Status, manifold_terms

__all__ = ["Objective", "Solution", "Status"]


class Objective(Problem):
    """A problem as files wrote it before it had terms: γ_A, λ and one operator."""

    def __setstate__(self, state: dict) -> None:
        state = dict(state)
        n = state["n_rows"]
        gamma_I = state.pop("lam") * n**2
        terms = manifold_terms(state.pop("gamma_A"), gamma_I, state.pop("operator"), n)
        state.pop("n_columns")
        self.__dict__.update(state, terms=terms)
