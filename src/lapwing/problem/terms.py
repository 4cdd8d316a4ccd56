"""The penalties of a problem: tuples (weight, operator), each with the name of its γ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..operators import Operator, ZeroOperator, combined


class Norm:
    """‖f‖² of the space as the operator of a term. The space computes it."""

    def __repr__(self) -> str:
        return "NORM"


NORM = Norm()
"""The only instance of :class:`Norm`."""


class Term(NamedTuple):
    """weight · ⟨f, M f⟩, or weight · ‖f‖² if the operator is :data:`NORM`.

    Attributes
    ----------
    weight : float
        γ for the norm, γ/n² for an operator over the n rows.
    operator : Operator or Norm
        The operator M, without a weight of its own.
    name : str
        The parameter of the weight: "gamma_A", "gamma_I", ….
    """

    weight: float
    operator: Operator | Norm
    name: str

    @property
    def is_norm(self) -> bool:
        return isinstance(self.operator, Norm)

    def gamma(self, n: int) -> float:
        """The γ that the user gives: the weight, or n² times the weight of an operator."""
        return self.weight if self.is_norm else self.weight * n**2


def manifold_terms(gamma_A: float, gamma_I: float, operator: Operator, n: int) -> tuple[Term, ...]:
    """γ_A ‖f‖² + (γ_I/n²) ⟨f, M f⟩: the terms of MR eq. 4."""
    return Term(gamma_A, NORM, "gamma_A"), Term(gamma_I / n**2, operator, "gamma_I")


def ambient_weight(terms: Sequence[Term]) -> float:
    """The weight of ‖f‖²; 0 if no term has it."""
    return sum(term.weight for term in terms if term.is_norm)


def on_values(terms: Sequence[Term], n_points: int) -> tuple[float, Operator]:
    """λ and M, such that λ⟨f, M f⟩ is the sum of all terms on the values at the rows."""
    pairs = [
        (weight, operator)
        for weight, operator, _ in terms
        if not isinstance(operator, Norm) and operator.coupling
    ]
    return combined(pairs) if pairs else (0.0, ZeroOperator(n_points))
