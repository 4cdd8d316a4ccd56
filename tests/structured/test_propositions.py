"""SO's propositions, checked on dense matrices over the pairs."""

import numpy as np
import pytest

from lapwing.kernels import Precomputed
from lapwing.operators import MatrixOperator
from lapwing.outputs import Flat, Ring
from lapwing.spaces import CoregionalizedOutputs, Exact


def deformation(problem, outputs):
    """K̃ over (row, output) by the library."""
    space = CoregionalizedOutputs(Exact(problem.K_x, Precomputed(), None), *outputs.directions)
    return space.deformed(MatrixOperator(problem.L_x), problem.gamma_A, problem.lam)


def over_outputs(kernel, l, q):
    """K̃ as a matrix over pairs (row, output), row-major, from its products."""
    units = np.eye(l * q).reshape(-1, l, q)
    return np.stack([kernel.apply(G).ravel() for G in units], axis=1)


def test_proposition_3_and_5_the_deformed_kernel_has_three_forms(make_problem):
    """(16) evaluated at the data = (18) with its inverses = K(I + ratio L K)⁻¹."""
    outputs = Ring(5).build()  # odd: K^Y is invertible, so (18) can be written down
    p = make_problem(outputs, n=9)
    K, ratio = p.K, p.lam / p.gamma_A
    sixteen = K - K @ np.linalg.solve(np.eye(len(K)) / ratio + p.L @ K, p.L @ K)
    eighteen = np.linalg.inv(np.linalg.inv(K) + ratio * p.L)
    np.testing.assert_allclose(sixteen, p.deformed, atol=1e-9)
    np.testing.assert_allclose(eighteen, p.deformed, atol=1e-7)


@pytest.mark.parametrize("outputs", [Ring(4).build(), Ring(5).build(), Flat(3).build()])
def test_proposition_4_labeled_rows_suffice(outputs, make_problem):
    """The library's K̃ on labeled rows is the labeled sub-matrix of the deformed kernel."""
    p = make_problem(outputs)
    kernel = deformation(p, outputs).gram(p.rows)
    q = len(outputs.classes)
    at = (p.rows[:, None] * q + np.arange(q)).ravel()
    mine = p.gamma_A * over_outputs(kernel, len(p.rows), q)
    np.testing.assert_allclose(mine, p.deformed[np.ix_(at, at)], atol=1e-9)
    assert np.linalg.eigvalsh(0.5 * (mine + mine.T)).min() > -1e-9  # Lemma 3


def test_proposition_6_without_structure_it_is_the_unstructured_kernel(make_problem):
    outputs = Flat(3).build()
    p = make_problem(outputs)
    space = Exact(p.K_x, Precomputed(), None)
    deformed = space.deformed(MatrixOperator(p.L_x), p.gamma_A, p.lam)
    k = p.gamma_A * space.evaluate(deformed.lift(np.eye(len(p.K_x))))
    np.testing.assert_allclose(p.deformed, np.kron(k, np.eye(3)), atol=1e-9)


def test_proposition_7_the_norm_is_a_sum_over_outputs(make_problem):
    outputs = Flat(3).build()
    p = make_problem(outputs)
    n, ratio = len(p.K_x), p.lam / p.gamma_A
    a = np.random.default_rng(0).normal(size=(n, 3))
    joint = a.ravel() @ (p.K + ratio * p.K @ p.L @ p.K) @ a.ravel()
    single = [v @ (p.K_x + ratio * p.K_x @ p.L_x @ p.K_x) @ v for v in a.T]
    assert joint == pytest.approx(sum(single), rel=1e-12)


def test_reproducing_property_of_the_deformed_space(make_problem):
    """⟨k̃(·, (x_i, y)), f⟩ in the deformed inner product (15) is f(x_i, y)."""
    outputs = Ring(4).build()
    p = make_problem(outputs, n=8, l=4)
    ratio = p.lam / p.gamma_A
    rng = np.random.default_rng(2)
    c = rng.normal(size=len(p.K))
    section = np.linalg.solve(np.eye(len(p.K)) + ratio * p.L @ p.K, np.eye(len(p.K)))
    inner = section.T @ (p.K + ratio * p.K @ p.L @ p.K) @ c
    np.testing.assert_allclose(inner, p.K @ c, atol=1e-8)
