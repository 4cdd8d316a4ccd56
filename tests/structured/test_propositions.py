"""SO's propositions, checked on dense matrices over the pairs."""

import numpy as np
import pytest

from lapwing.kernels import Precomputed
from lapwing.outputs import Flat, Ring
from lapwing.regularizers.joint import tensor_columns
from lapwing.regularizers.operators import MatrixOperator
from lapwing.solvers.joint_geometry import JointGeometry
from lapwing.spaces import Deformed, Exact


def features(problem, outputs):
    """K̃ over (row, feature) by the library, and over (row, output) by the dense formula."""
    q = len(outputs.classes)
    operator = tensor_columns(
        [MatrixOperator(problem.L_x)] * q, np.zeros((q, 1)), outputs.eigenvalues
    )
    space = Exact(problem.K_x, Precomputed(), None)
    return JointGeometry(space, operator, problem.lam / problem.gamma_A, q)


def over_outputs(gram, outputs, l):
    """(Λ⊗) K̃_features (Λ⊗)ᵀ as a matrix over pairs (row, output), row-major."""
    q = len(outputs.classes)
    K = np.empty((l * q, l * q))
    for column in range(l * q):
        G = np.zeros((l, q))
        i, y = divmod(column, q)
        G[i] = outputs.feature_map[y]
        K[:, column] = (gram.apply(G) @ outputs.feature_map.T).ravel()
    return K


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
def test_proposition_4_labelled_rows_suffice(outputs, make_problem):
    """The library's K̃ on labelled rows is the labelled sub-matrix of the deformed kernel."""
    p = make_problem(outputs)
    gram = features(p, outputs).on(p.rows)
    q = len(outputs.classes)
    at = (p.rows[:, None] * q + np.arange(q)).ravel()
    mine = over_outputs(gram, outputs, len(p.rows))
    np.testing.assert_allclose(mine, p.deformed[np.ix_(at, at)], atol=1e-9)
    assert np.linalg.eigvalsh(0.5 * (mine + mine.T)).min() > -1e-9  # Lemma 3


def test_proposition_6_without_structure_it_is_the_unstructured_kernel(make_problem):
    outputs = Flat(3).build()
    p = make_problem(outputs)
    space = Exact(p.K_x, Precomputed(), None)
    deformed = Deformed(space, MatrixOperator(p.L_x), p.lam / p.gamma_A)
    k = space.evaluate(deformed.sections(np.arange(len(p.K_x))))
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
