"""One clear error for each bad kernel, before any work."""

import numpy as np
import pytest
import scipy.sparse as sp

from lapwing import LapLogisticClassifier, LapRLSClassifier, LapSVC
from lapwing.kernels import (
    RBF,
    Cosine,
    FunctionKernel,
    LaplacianKernel,
    Linear,
    Matern,
    OnColumns,
    Polynomial,
    Precomputed,
    Product,
    Scaled,
    Sum,
    check_magnitude,
    get_kernel,
)
from naming import stable

X = np.random.default_rng(0).normal(size=(6, 2))


@pytest.mark.parametrize("kernel", [RBF(), LaplacianKernel(), Matern()])
def test_an_unresolved_width_asks_for_build(kernel):
    with pytest.raises(ValueError, match=r"build\(X\)"):
        kernel(X)
    with pytest.raises(ValueError, match=r"build\(X\)"):
        kernel.diagonal(X)


BAD = [
    (RBF(0.0), "sigma"),
    (RBF(-1.0), "sigma"),
    (RBF("mean"), "sigma"),
    (RBF(np.nan), "sigma"),
    (RBF(True), "sigma"),
    (LaplacianKernel(0.0), "sigma"),
    (Matern(nu=1.0, sigma=1.0), "nu"),
    (Matern(sigma=-2.0), "sigma"),
    (Polynomial(degree=0), "degree"),
    (Polynomial(degree=1.5), "degree"),
    (Polynomial(coef0=-0.1), "coef0"),
    (Polynomial(scale=0.0), "scale"),
    (-1.0 * Linear(), "factor"),
    (np.inf * Linear(), "factor"),
]


@pytest.mark.parametrize(("kernel", "word"), BAD, ids=stable)
def test_bad_parameters(kernel, word):
    for use in (kernel.build, kernel, kernel.diagonal):
        with pytest.raises(ValueError, match=word):
            use(X)


@pytest.mark.parametrize("kernel", [RBF(1.0), LaplacianKernel(1.0), Linear(), Cosine()], ids=stable)
def test_columns_must_agree(kernel):
    with pytest.raises(ValueError, match="2 columns and Z has 1"):
        kernel(X, X[:, :1])
    with pytest.raises(ValueError, match="dimension"):
        kernel(X[0])


def test_precomputed_sizes_and_symmetry():
    with pytest.raises(ValueError, match="square"):
        Precomputed()(X)
    with pytest.raises(ValueError, match="square"):
        Precomputed().diagonal(X)
    with pytest.raises(ValueError, match="2 columns for 6 training"):
        Precomputed()(X, np.eye(6))
    with pytest.raises(ValueError, match="symmetric"):
        Precomputed().build(np.array([[1.0, 0.5], [0.0, 1.0]]))


def test_function_kernels_are_checked():
    with pytest.raises(ValueError, match=r"expected \(6, 6\)"):
        FunctionKernel(lambda A, B: np.ones((2, 2)))(X)
    with pytest.raises(ValueError, match="NaN"):
        FunctionKernel(lambda A, B: np.full((len(A), len(B)), np.nan))(X)
    with pytest.raises(ValueError, match="must be symmetric"):
        FunctionKernel(lambda A, B: A[:, :1] + 2 * B[:, 0])(X)
    with pytest.raises(TypeError, match="callable"):
        FunctionKernel("rbf").build(X)


def test_names():
    assert isinstance(get_kernel("rbf"), RBF)
    assert isinstance(get_kernel("laplacian"), LaplacianKernel)
    assert isinstance(get_kernel("matern"), Matern)
    assert isinstance(get_kernel("poly"), Polynomial)
    assert isinstance(get_kernel("polynomial"), Polynomial)
    assert isinstance(get_kernel("linear"), Linear)
    assert isinstance(get_kernel("cosine"), Cosine)
    assert isinstance(get_kernel("precomputed"), Precomputed)
    kernel = RBF(2.0)
    assert get_kernel(kernel) is kernel
    assert isinstance(get_kernel(lambda A, B: A @ B.T), FunctionKernel)


def test_unknown_kernels_list_the_names():
    with pytest.raises(ValueError, match=r"'rbf'.*'precomputed'"):
        get_kernel("gauss")
    for wrong in (3, None, RBF):
        with pytest.raises(TypeError, match="'rbf'"):
            get_kernel(wrong)


def test_kernels_add_only_to_kernels():
    with pytest.raises(TypeError):
        RBF() + 1.0
    with pytest.raises(TypeError):
        RBF() * "rbf"


def test_nested_parameters():
    kernel = (0.5 * RBF(1.0) + Linear()).set_params(left__kernel__sigma=3.0)
    np.testing.assert_allclose(kernel(X), 0.5 * RBF(3.0)(X) + Linear()(X))


PARTS = [
    (Sum(RBF(1.0), "rbf"), "right must be a Kernel instance, got 'rbf'"),
    (Product(RBF, RBF(1.0)), r"left must be .*write RBF\(\)"),
    (Scaled("rbf", 2.0), "kernel must be a Kernel instance"),
    (OnColumns("rbf", [0]), "kernel must be a Kernel instance"),
]


@pytest.mark.parametrize(("kernel", "says"), PARTS, ids=stable)
def test_parts_of_kernels_are_kernels(kernel, says):
    for use in (kernel.build, kernel, kernel.diagonal):
        with pytest.raises(TypeError, match=says):
            use(X)


@pytest.mark.parametrize("columns", [[99], slice(7, None), [], [True] * 3, ["a"], 5], ids=repr)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_columns_that_are_not_there(form, columns):
    kernel = OnColumns(RBF(1.0), columns)
    for use in (kernel.build, kernel, kernel.diagonal):
        with pytest.raises(ValueError, match=r"OnColumns\(.* 2 columns"):
            use(form(X))


@pytest.mark.parametrize("columns", [1, [1], [-1], slice(1, 2), [False, True], np.array([1])])
def test_columns_in_every_spelling(columns):
    for rows in (X, X.tolist(), sp.csr_array(X)):
        np.testing.assert_array_equal(OnColumns(Linear(), columns)(rows), Linear()(X[:, 1:]))


@pytest.mark.parametrize("combine", [Sum, Product])
def test_a_gram_matrix_and_points_do_not_combine(combine):
    for kernel in (combine(Precomputed(), RBF(1.0)), combine(RBF(1.0), 0.5 * Precomputed())):
        for use in (kernel.build, kernel, kernel.diagonal):
            with pytest.raises(ValueError, match="cannot be combined"):
                use(np.eye(3))


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2, 0.0), 0.5 * Linear()], ids=stable)
def test_values_that_vanish_or_overflow(kernel):
    check_magnitude(kernel, X)
    check_magnitude(kernel, 0.0 * X)  # a kernel may be zero
    check_magnitude(OnColumns(Linear(), [0]), np.eye(2)[1:])
    for scale, says in ((1e-160, "underflows"), (1e-250, "underflows"), (1e200, "overflows")):
        with pytest.raises(ValueError, match=says):
            check_magnitude(kernel, scale * X)


@pytest.mark.parametrize("model", [LapRLSClassifier, LapSVC, LapLogisticClassifier])
@pytest.mark.parametrize("scale", [1e-155, 1e-160, 1e-200])
def test_estimators_refuse_a_kernel_that_vanishes(model, scale):
    with pytest.raises(ValueError, match="kernel underflows"):
        model(kernel="linear").fit(scale * X, [0, 1, 0, 1, -1, -1])
