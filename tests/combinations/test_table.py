"""Every cell of the table of combinations: equal to another way of writing it, or refused.

``docs/combinations.md`` shows the same cells; a test holds the two together.
"""

from dataclasses import dataclass
from pathlib import Path

import dask.array as da
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import lapwing
from lapwing import (
    CoMRClassifier,
    CoMRKernel,
    CoMRRegressor,
    CoRLSClassifier,
    CoRLSRegressor,
    DeformedKernel,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    LSMRRegressor,
    ManifoldRegressor,
    MultiViewKernel,
    RegularizedLaplacianEigenmaps,
    RegularizedSpectralClustering,
    SSSLRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
    distributed,
)
from lapwing.graphs import KNN
from lapwing.kernels import RBF, OnColumns
from lapwing.outputs import JointKernel, LabelSets, OutputGraph, Ring, Tree
from lapwing.regularizers import (
    ClassWise,
    Heat,
    HessianEnergy,
    Invariance,
    KernelNorm,
    Laplacian,
    LaplacianPolynomial,
    Relaxed,
)
from lapwing.spaces import GraphValues, Landmarks

PAGE = Path(__file__).parents[2] / "docs" / "combinations.md"

rng = np.random.default_rng(7)
N = 40
X = rng.standard_normal((N, 4))
SEEN = np.arange(N) < 14
REAL = np.where(SEEN, X[:, 0] - X[:, 2], np.nan)
BOTH = np.column_stack([REAL, np.where(SEEN, X[:, 1], np.nan), np.where(SEEN, X[:, 3], np.nan)])
LABELS = np.where(np.isnan(BOTH), np.nan, BOTH > 0)
CODES = np.where(SEEN, np.arange(N) % 4, -1)
LEAVES, TREE = np.where(SEEN, CODES + 3, -1), Tree([-1, 0, 0, 1, 1, 2, 2])
GRAPH = Laplacian(KNN(5), normalized=False)
L = GRAPH.build(X).toarray()
VIEWS = [("a", RBF(1.0), [0, 1]), ("b", RBF(1.5), [2, 3])]
MULTI = MultiViewKernel(VIEWS, gammas=0.5, lam=0.4).fit(X)
SUM = OnColumns(RBF(1.0), [0, 1]) + OnColumns(RBF(1.5), [2, 3])
DEFORMED = DeformedKernel(RBF(1.2), GRAPH, 0.3).fit(X)
GIVEN = {"regularizer": L, "gamma_A": 1e-2, "gamma_I": 2.0}
COUPLED = {"gamma_A": 1e-2, "gamma_C": 30.0, "gamma_I": 2.0, "fit_intercept": False}
MOVED = Laplacian(KNN(5)) + 0.5 * Invariance(lambda A: A + 0.1)
A = rng.standard_normal((3, 3))
Q = A @ A.T / 3 + 0.3 * np.eye(3)
SPREAD = np.nanvar(BOTH, axis=0)


@dataclass(frozen=True)
class Cell:
    """What is combined, and the check: two ways to the same numbers, or the refusal's words."""

    first: str
    second: str
    ways: object  # () ↦ (ours, theirs), or (() ↦ anything that raises, words)
    atol: float = 1e-6

    @property
    def refused(self) -> bool:
        return isinstance(self.ways, tuple)


def readout(model):
    return model.objective_.space.element(model.solution_.coef).readout


def as_gram(model, y, kernel):
    """A kernel on rows, beside its Gram matrix."""
    ours = clone(model).set_params(kernel=kernel).fit(X, y)
    theirs = clone(model).set_params(kernel="precomputed").fit(kernel(X), y)
    return readout(ours), readout(theirs)


def lacking(model, y):
    """A kernel of views over rows that lack some, beside its Gram matrix."""
    Z = X.copy()
    Z[20:24, :2] = Z[30:33, 2:] = Z[3, 2:] = np.nan
    kernel = MultiViewKernel(VIEWS, gammas=0.5, lam=0.4)
    ours = clone(model).set_params(kernel=kernel).fit(Z, y)
    theirs = clone(model).set_params(kernel="precomputed").fit(clone(kernel).fit(Z)(Z), y)
    return readout(ours), readout(theirs)


def gram_cell(first, second, model, y, kernel, atol=1e-5):
    return Cell(first, second, lambda: as_gram(model, y, kernel), atol)


def scores(model, y, Z=X):
    return readout(model.fit(Z, y))


def pairs_of(kernel_matrix, Q):
    """Least squares over all pairs (row, output) at once, row-major."""
    K = np.kron(kernel_matrix, Q) if Q is not None else kernel_matrix
    w = np.where(np.isnan(BOTH), 0.0, 1.0 / SEEN.sum()).ravel()
    M = np.kron(L, np.eye(3)) * 2.0 / N**2
    system = w[:, None] * K + 1e-2 * np.eye(3 * N) + M @ K
    return (K @ np.linalg.solve(system, w * np.nan_to_num(BOTH).ravel())).reshape(N, 3)


def sum_of_kernels():
    first, second = RBF(1.0)(X[:, :2]), RBF(1.5)(X[:, 2:])
    model = VectorValuedRegressor(
        kernel=[OnColumns(RBF(1.0), [0, 1]), OnColumns(RBF(1.5), [2, 3])],
        output_kernel=[Q, np.eye(3)], fit_intercept=False, **GIVEN,
    )  # fmt: skip
    return scores(model, BOTH), pairs_of(np.kron(first, Q) + np.kron(second, np.eye(3)), None)


def matrix_valued():
    """K(x, z)_ab = k(D_a x, D_b z) with a diagonal D for each output: no sum of products."""
    D = np.array([[1.0, 0.7, 1.3, 1.0], [0.6, 1.0, 1.0, 1.4], [1.2, 1.1, 0.8, 0.9]])

    def function(S, T):
        pairs = [[RBF(1.2)(S * a, T * b) for b in D] for a in D]
        return np.transpose(pairs, (2, 0, 3, 1))

    model = VectorValuedRegressor(kernel=JointKernel(function), fit_intercept=False, **GIVEN)
    return scores(model, BOTH), pairs_of(function(X, X).reshape(3 * N, 3 * N), None)


def each_target(Model):
    both = Model(VIEWS, **COUPLED).fit(X, BOTH)
    alone = [Model(VIEWS, **COUPLED).fit(X, y).transduction_ for y in BOTH.T]
    return both.transduction_, np.column_stack(alone)


def each_label(Model):
    both = Model(VIEWS, **COUPLED).fit(X, LABELS).decision_function(X)
    codes = [np.where(np.isnan(y), -1, y).astype(int) for y in LABELS.T]
    alone = [Model(VIEWS, **COUPLED).fit(X, y).decision_function(X) for y in codes]
    return both, np.column_stack(alone)


def related_views():
    """K̃ of the multi-view kernel for each eigenvalue of Q: least squares over the pairs."""
    model = CoRLSRegressor(VIEWS, output_kernel=Q, **COUPLED).fit(X, BOTH)
    sigma, V = np.linalg.eigh(Q)
    K = sum(
        np.kron(MultiViewKernel(VIEWS, gammas=1e-2, lam=30.0 * s / N**2).fit(X)(X),
                s * np.outer(v, v))
        for s, v in zip(sigma, V.T, strict=True)
    )  # fmt: skip
    at = np.flatnonzero(~np.isnan(BOTH).ravel())
    dual = np.linalg.solve(K[np.ix_(at, at)] + SEEN.sum() * np.eye(len(at)), BOTH.ravel()[at])
    return model.transduction_, (K[:, at] @ dual).reshape(N, 3)


def general_coupling():
    M = np.kron(np.array([[1.0, -0.5], [-0.5, 2.0]]), np.eye(N))
    model = CoRLSRegressor(VIEWS, coupling=M, **COUPLED).fit(X, REAL)
    K = MultiViewKernel(VIEWS, gammas=1e-2, lam=30.0 / N**2, regularizer=M).fit(X)
    dual = np.linalg.solve(K(X[SEEN]) + SEEN.sum() * np.eye(SEEN.sum()), REAL[SEEN])
    return model.transduction_, K(X, X[SEEN]) @ dual


def any_tie():
    """The tie and disagreement of CoMR written out as a matrix over (f, g)."""
    eye, apart = np.eye(2 * N), np.kron(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.eye(N))
    M = np.block([[apart + eye, -eye], [-eye, eye]])
    views = [(*view, GRAPH) for view in VIEWS]
    model = CoMRRegressor(views, a_I=0.5, **COUPLED)
    return scores(clone(model).set_params(coupling=M), REAL), scores(model, REAL)


def between_outputs(Model):
    """M_out along its own directions: one γ_I for each."""
    mu, U = np.linalg.eigh(Q)
    views = [(*view, GRAPH) for view in VIEWS]
    ours = scores(Model(views, output_regularizer=Q, **COUPLED), BOTH)
    each = [
        scores(Model(views, **{**COUPLED, "gamma_I": 2.0 * m}), BOTH @ u)
        for m, u in zip(mu, U.T, strict=True)
    ]
    return ours, np.hstack(each) @ U.T


def same_graph():
    """The graph of an OutputGraph as LSMR's."""
    ours = clone(TARGETS).set_params(label_graph=OutputGraph(n_neighbors=1))
    return scores(ours, BOTH), scores(clone(TARGETS).set_params(label_graph=KNN(1)), BOTH)


def given_view():
    columns = np.hstack([X, RBF(1.5)(X[:, 2:])])
    views = [VIEWS[0], ("gram", "precomputed", slice(4, None))]
    model = CoRLSRegressor(views, **COUPLED).fit(columns, REAL)
    return model.transduction_, CoRLSRegressor(VIEWS, **COUPLED).fit(X, REAL).transduction_


def structure_kernels(loss):
    ring = VectorValuedClassifier(output_kernel=Ring(3), loss=loss, kernel=RBF(1.2), **GIVEN)
    matrix = clone(ring).set_params(output_kernel=Ring(3).build().kernel)
    return scores(ring, LABELS), scores(matrix, LABELS)


def embedded(Model, kernel):
    ours = Model(kernel=kernel, regularizer=L).fit(X)
    theirs = Model(kernel="precomputed", regularizer=L).fit(kernel(X))
    return np.abs(ours.embedding_), np.abs(theirs.embedding_)


def landmarks(model, y):
    return scores(model.set_params(space=Landmarks(N)), y), scores(clone(model).set_params(
        space="exact"), y)  # fmt: skip


def without_graph():
    settings = {"kernel": RBF(1.2), "output": Ring(4), "gamma_A": 1e-2, "gamma_I": 0.0}
    on_graph = StructuredLapSVC(space="graph", **settings).fit(X, CODES)
    exact = StructuredLapSVC(space="exact", **settings).fit(X, CODES)
    return on_graph.decision_function(X), exact.decision_function(X)


def on_dask(model, y):
    """Blocks of rows beside values on the graph in memory."""
    model = model.set_params(space=GraphValues(), kernel=RBF(1.2), gamma_A=1e-2, gamma_I=20.0,
                             regularizer=Laplacian(KNN(5)))  # fmt: skip
    far = distributed.fit(clone(model), da.from_array(X, chunks=(11, -1)), y)
    return readout(far), scores(model, y)


def on_dask_with(regularizer, kernel=None):
    settings = {"space": GraphValues(), "kernel": kernel or RBF(1.2), "gamma_A": 1e-2,
                "gamma_I": 20.0, "regularizer": regularizer, "fit_intercept": True,
                "tol": 1e-9}  # fmt: skip
    far = distributed.fit(LapRLSRegressor(**settings), da.from_array(X, chunks=(11, -1)), REAL)
    return readout(far), scores(LapRLSRegressor(**settings), REAL)


def all_auto_on_dask():
    model = LapRLSClassifier(kernel=MultiViewKernel(VIEWS), space="graph")
    codes = np.where(SEEN, X[:, 0] > 0, -1)
    far = distributed.fit(clone(model), da.from_array(X, chunks=(11, -1)), codes)
    return readout(far), scores(model, codes)


def each_refused_by_dask(*regularizers):
    """The last refusal, after the others have said the same."""
    for one in regularizers[:-1]:
        with pytest.raises(ValueError, match="have a graph of its own"):
            refused_by_dask(LapRLSClassifier(regularizer=one), CODES)()
    return refused_by_dask(LapRLSClassifier(regularizer=regularizers[-1]), CODES)


def each_refuses(*runs, words):
    """The last refusal, after the others have said the same."""
    for run in runs[:-1]:
        with pytest.raises((TypeError, ValueError), match=words):
            run()
    runs[-1]()


def refused_by_dask(model, y):
    return lambda: distributed.fit(model, da.from_array(X, chunks=(11, -1)), y)


def along_the_path(model, y):
    points = list(lapwing.path(model, X, y, gamma_I=[0.5, 5.0]))
    alone = [readout(clone(model).set_params(gamma_I=g).fit(X, y)) for g in (0.5, 5.0)]
    return np.stack([p.readout for p in points]), np.stack(alone)


def without_each(model, y, loss):
    """The loss that compare reports at each label, and that of a fit without the label."""
    ours = lapwing.compare(clone(model), X, y).losses["semi-supervised"]
    theirs = []
    for i in np.flatnonzero(SEEN):
        hidden = y.copy()
        hidden[i] = -1 if y.dtype.kind == "i" else np.nan
        theirs.append(loss(clone(model).fit(X, hidden).transduction_[i], y[i]))
    return ours, np.array(theirs)


def square(found, truth):
    return np.mean((found - truth) ** 2 / SPREAD)


def searched(model, y):
    found = GridSearchCV(model, {"gamma_I": [0.5, 5.0]}, cv=[(np.arange(N), np.arange(14))])
    found.fit(X, y)
    again = clone(model).set_params(**found.best_params_).fit(X, y)
    return readout(found.best_estimator_), readout(again)


STRUCTURED = StructuredLapSVC(output=Ring(4), tol=1e-9, **GIVEN)
HIERARCHY = StructuredLapSVC(output=TREE, tol=1e-9, **GIVEN)
VECTOR = VectorValuedRegressor(output_kernel=Q, fit_intercept=False, **GIVEN)
TARGETS = LSMRRegressor(n_components=6, regularizer=L, gamma_I=1.0, gamma_M=0.1)
JOINT = JointKernel(lambda S, T: np.einsum("ij,ab->iajb", RBF(1.2)(S, T), np.eye(4)))

CELLS = [
    gram_cell("StructuredLapSVC, ring", "MultiViewKernel", STRUCTURED, CODES, MULTI),
    gram_cell("StructuredLapSVC, tree", "MultiViewKernel", HIERARCHY, LEAVES, MULTI),
    gram_cell("StructuredLapSVC", "a sum of kernels on columns", STRUCTURED, CODES, SUM),
    gram_cell("VectorValued, output_kernel", "MultiViewKernel", VECTOR, BOTH, MULTI),
    Cell("StructuredLapSVC", "MultiViewKernel, rows that lack a view",
         lambda: lacking(STRUCTURED, CODES), 1e-5),
    Cell("VectorValued, output_kernel", "MultiViewKernel, rows that lack a view",
         lambda: lacking(VECTOR, BOTH), 1e-5),
    Cell("VectorValued", "several kernels, an output kernel each", sum_of_kernels, 1e-5),
    Cell("VectorValued", "any matrix-valued kernel (JointKernel)", matrix_valued),
    Cell("VectorValued, hinge", "Ring as output kernel", lambda: structure_kernels("hinge"), 1e-4),
    Cell("VectorValued, logistic", "Ring as output kernel",
         lambda: structure_kernels("logistic"), 1e-4),
    Cell("CoRLS", "several real targets", lambda: each_target(CoRLSRegressor)),
    Cell("CoMR", "several real targets", lambda: each_target(CoMRRegressor)),
    Cell("CoRLS", "several labels in a row", lambda: each_label(CoRLSClassifier)),
    Cell("CoMR", "several labels in a row", lambda: each_label(CoMRClassifier)),
    Cell("CoRLS", "output_kernel", related_views),
    Cell("CoRLS", "any M over all views", general_coupling),
    Cell("CoMR", "any M over ambient and intrinsic functions", any_tie),
    Cell("CoRLS", "output_regularizer", lambda: between_outputs(CoRLSRegressor)),
    Cell("CoMR", "output_regularizer", lambda: between_outputs(CoMRRegressor)),
    Cell("CoRLS, views without penalties", "output_regularizer",
         (lambda: CoRLSRegressor(VIEWS, output_regularizer=Q).fit(X, BOTH), "no view has one")),
    Cell("CoRLS", "a view that is a Gram matrix", given_view),
    Cell("LSMR", "OutputGraph", same_graph),
    gram_cell("LSMR", "MultiViewKernel", TARGETS, BOTH, MULTI),
    gram_cell("LSMR", "DeformedKernel", TARGETS, BOTH, DEFORMED),
    gram_cell("SSSL", "MultiViewKernel", SSSLRegressor(n_components=6), BOTH, MULTI),
    Cell("RegularizedSpectralClustering", "MultiViewKernel",
         lambda: embedded(RegularizedSpectralClustering, MULTI)),
    Cell("RegularizedLaplacianEigenmaps", "MultiViewKernel",
         lambda: embedded(RegularizedLaplacianEigenmaps, MULTI)),
    Cell("VectorValued", "landmarks",
         lambda: landmarks(clone(VECTOR).set_params(kernel=RBF(1.2)), BOTH)),
    Cell("StructuredLapSVC", "landmarks",
         lambda: landmarks(clone(STRUCTURED).set_params(kernel=RBF(1.2)), CODES), 1e-4),
    Cell("CoRLS", "landmarks", lambda: landmarks(CoRLSRegressor(VIEWS, **COUPLED), REAL)),
    Cell("CoMR", "landmarks", lambda: landmarks(CoMRRegressor(VIEWS, **COUPLED), REAL)),
    Cell("StructuredLapSVC", "space='graph', γ_I = 0", without_graph, 1e-4),
    Cell("CoRLS", "space='graph'",
         (lambda: CoRLSRegressor(VIEWS, space="graph").fit(X, REAL), "on the given rows only")),
    Cell("CoMR", "GraphValues()", (lambda: CoMRRegressor(VIEWS, space=GraphValues()).fit(X, REAL),
         "on the given rows only")),
    Cell("MultiViewKernel", "space='graph'",
         (lambda: MultiViewKernel(VIEWS, space="graph").fit(X), "on the given rows only")),
    Cell("StructuredLapSVC, JointKernel", "space=",
         (lambda: StructuredLapSVC(kernel=JOINT, space="landmarks", output=Ring(4)).fit(X, CODES),
          "does not go with a JointKernel")),
    Cell("StructuredLapSVC, LabelSets", "JointKernel",
         (lambda: StructuredLapSVC(kernel=JOINT, output=LabelSets(3)).fit(X, LABELS), "LabelSets")),
    Cell("StructuredLapSVC, LabelSets", "partly missing sets",
         (lambda: StructuredLapSVC(output=LabelSets(3)).fit(
             X, np.where(np.eye(N, 3) > 0, np.nan, LABELS)), "partly")),
    Cell("DeformedKernel", "a Gram matrix",
         (lambda: DeformedKernel("precomputed").fit(X), "a precomputed Gram matrix")),
    Cell("Invariance", "CoRLS, CoMR",
         (lambda: CoRLSRegressor([(*VIEWS[0], MOVED)]).fit(X, REAL), "adds points to the rows")),
    Cell("Invariance", "MultiViewKernel",
         (lambda: MultiViewKernel([(*VIEWS[0], MOVED)]).fit(X), "adds points to the rows")),
    Cell("Invariance", "CoMRKernel",
         (lambda: CoMRKernel([(*VIEWS[0], MOVED)]).fit(X), "adds points to the rows")),
    Cell("MultiViewKernel", "a Gram matrix",
         (lambda: MultiViewKernel([("a", "precomputed", [0, 1]), VIEWS[1]]).fit(X),
          "a precomputed Gram matrix")),
    Cell("VectorValued, JointKernel", "space=",
         (lambda: VectorValuedRegressor(kernel=JOINT, space="landmarks").fit(X, BOTH),
          "does not go with a JointKernel")),
    Cell("LapRLS, LSMR, CoRLS, DeformedKernel", "JointKernel",
         (lambda: each_refuses(
             lambda: LapRLSClassifier(kernel=JOINT).fit(X, CODES),
             lambda: LSMRRegressor(kernel=JOINT).fit(X, BOTH),
             lambda: CoRLSRegressor([("a", JOINT, slice(None))]).fit(X, REAL),
             lambda: DeformedKernel(JOINT).fit(X),
             words=r"JointKernel\) is for"), r"JointKernel\) is for")),
    Cell("CoRLS, CoMR, MultiViewKernel, CoMRKernel", "all view_weights 0",
         (lambda: each_refuses(
             lambda: CoRLSRegressor(VIEWS, view_weights=0).fit(X, REAL),
             lambda: CoMRRegressor(VIEWS, view_weights=0, a_I=1.0).fit(X, REAL),
             lambda: MultiViewKernel(VIEWS, view_weights=[0, 0]).fit(X),
             lambda: CoMRKernel(VIEWS, view_weights=0, a_I=0.5).fit(X),
             words="sees none of the views"), "sees none of the views")),
    Cell("ClassWise", "clustering, eigenmaps",
         (lambda: each_refuses(
             lambda: RegularizedLaplacianEigenmaps(regularizer=ClassWise()).fit(X),
             lambda: RegularizedSpectralClustering(regularizer=ClassWise()).fit(X),
             words="built from classes"), "built from classes")),
    Cell("LapRLS, LapSVC, LapLogistic", "several labels in a row",
         (lambda: LapSVC().fit(X, LABELS), "use VectorValuedClassifier")),
    Cell("Invariance", "LSMR", (lambda: LSMRRegressor(regularizer=MOVED).fit(X, BOTH),
         "adds points to the rows")),
    Cell("Invariance", "JointKernel",
         (lambda: StructuredLapSVC(kernel=JOINT, output=Ring(4), regularizer=MOVED).fit(X, CODES),
          "adds points to the rows")),
    Cell("Dask", "LapRLSRegressor",
         lambda: on_dask(LapRLSRegressor(fit_intercept=True, tol=1e-9), REAL), 1e-4),
    Cell("Dask", "LapRLSClassifier",
         lambda: on_dask(LapRLSClassifier(fit_intercept=True, tol=1e-9), CODES), 1e-4),
    Cell("Dask", "LapSVC", lambda: on_dask(LapSVC(fit_intercept=True, tol=1e-8), CODES), 1e-3),
    Cell("Dask", "LapLogisticClassifier",
         lambda: on_dask(LapLogisticClassifier(fit_intercept=True, tol=1e-9), CODES), 1e-3),
    Cell("Dask", "ManifoldRegressor",
         lambda: on_dask(ManifoldRegressor(loss="huber", fit_intercept=True, tol=1e-9), REAL),
         1e-3),
    Cell("Dask", "VectorValued, output_kernel",
         lambda: on_dask(VectorValuedRegressor(output_kernel=Q, fit_intercept=True, tol=1e-9),
                         BOTH), 1e-4),
    Cell("Dask", "VectorValued, output_regularizer",
         lambda: on_dask(VectorValuedRegressor(output_regularizer=Q, fit_intercept=True, tol=1e-9),
                         BOTH), 1e-4),
    Cell("Dask", "VectorValued, several kernels",
         (refused_by_dask(VectorValuedRegressor(kernel=[RBF(1.0), RBF(2.0)],
                                                output_kernel=[Q, Q]), BOTH),
          "a list of 2 kernels, and over a Dask array there is one")),
    Cell("Dask", "StructuredLapSVC",
         lambda: on_dask(StructuredLapSVC(output=Ring(4), tol=1e-8), CODES), 1e-3),
    Cell("Dask", "StructuredLapSVC, tree",
         lambda: on_dask(StructuredLapSVC(output=TREE, tol=1e-8), LEAVES), 1e-3),
    Cell("Dask", "StructuredLapSVC, LabelSets",
         lambda: on_dask(StructuredLapSVC(output=LabelSets(3), tol=1e-8), LABELS), 1e-3),
    Cell("Dask", "StructuredLapSVC, output affinity",
         lambda: on_dask(StructuredLapSVC(output=Ring(4, affinity=Ring(4).build().kernel),
                                          tol=1e-8), CODES), 1e-3),
    Cell("Dask", "MultiViewKernel",
         lambda: on_dask_with(Laplacian(KNN(5)), MultiViewKernel(VIEWS, gammas=0.5)), 1e-4),
    Cell("Dask", "MultiViewKernel, the rest \"auto\"", all_auto_on_dask, 1e-4),
    Cell("Dask", "DeformedKernel",
         lambda: on_dask_with(Laplacian(KNN(5)), DeformedKernel(RBF(1.2), GRAPH, 0.3)), 1e-4),
    Cell("Dask", "CoRLS", (refused_by_dask(CoRLSRegressor(VIEWS), REAL),
         "cannot be fitted on Dask")),
    Cell("Dask", "CoMR", (refused_by_dask(CoMRRegressor(VIEWS), REAL),
         "cannot be fitted on Dask")),
    Cell("Dask", "SSSL, LapS3L, LSMR",
         (refused_by_dask(LSMRRegressor(), BOTH), "cannot be fitted on Dask")),
    Cell("Dask", "JointKernel", (refused_by_dask(VectorValuedRegressor(kernel=JOINT), BOTH),
         "A JointKernel is held over all pairs")),
    Cell("Dask", "cosine-distance weights",
         (refused_by_dask(LapRLSRegressor(regularizer=Laplacian(
             KNN(5, weight="cosine-distance"))), REAL), "cosine")),
    Cell("Dask", "sums of regularizers",
         (refused_by_dask(LapRLSRegressor(regularizer=Laplacian(KNN(5)) + Laplacian(KNN(3))),
                          REAL), "Dask")),
    Cell("Dask", "Heat", lambda: on_dask_with(Heat(KNN(5))), 1e-4),
    Cell("Dask", "LaplacianPolynomial",
         lambda: on_dask_with(LaplacianPolynomial(KNN(5), (0.0, 1.0, 0.5))), 1e-4),
    Cell("Dask", "ClassWise, Invariance, HessianEnergy, KernelNorm, a matrix",
         (each_refused_by_dask(ClassWise(), MOVED, HessianEnergy(), KernelNorm(RBF(1.0)), L),
          "have a graph of its own")),
    Cell("Dask", "clustering, eigenmaps",
         (refused_by_dask(RegularizedSpectralClustering(), None), "cannot be fitted on Dask")),
    Cell("path", "StructuredLapSVC",
         lambda: along_the_path(clone(STRUCTURED).set_params(kernel=RBF(1.2)), CODES), 1e-3),
    Cell("path", "CoMR", lambda: along_the_path(CoMRRegressor(VIEWS, **COUPLED), REAL), 1e-5),
    Cell("path", "LSMR",
         lambda: along_the_path(clone(TARGETS).set_params(kernel=RBF(1.2)), BOTH), 1e-5),
    Cell("compare", "StructuredLapSVC",
         lambda: without_each(clone(STRUCTURED).set_params(kernel=RBF(1.2)), CODES,
                              lambda f, t: Ring(4).build().loss_matrix[f, t])),
    Cell("compare", "CoMR",
         lambda: without_each(CoMRRegressor(VIEWS, **COUPLED), REAL,
                              lambda f, t: (f - t) ** 2 / REAL[SEEN].var())),
    Cell("compare", "LSMR",
         lambda: without_each(clone(TARGETS).set_params(kernel=RBF(1.2), label_graph=np.abs(Q)),
                              BOTH, square), 1e-5),
    Cell("GridSearchCV", "StructuredLapSVC",
         lambda: searched(clone(STRUCTURED).set_params(kernel=RBF(1.2)), CODES)),
    Cell("GridSearchCV", "CoMR, output_kernel",
         lambda: searched(CoMRRegressor(VIEWS, output_kernel=Q, **COUPLED), BOTH)),
]  # fmt: skip

POINTS = [
    Cell("Invariance", "StructuredLapSVC", None),
    Cell("Invariance", "DeformedKernel", None),
    Cell("Invariance", "RegularizedSpectralClustering", None),
    Cell("Invariance", "ClassWise", None),
    Cell("Invariance", "Relaxed", None),
]


@pytest.mark.parametrize("cell", CELLS, ids=lambda c: f"{c.first} × {c.second}")
def test_cell(cell):
    if cell.refused:
        run, words = cell.ways
        with pytest.raises((TypeError, ValueError), match=words):
            run()
        return
    ours, theirs = cell.ways()
    assert_allclose(ours, theirs, atol=cell.atol * max(1.0, np.abs(theirs).max()))


def test_points_that_invariance_adds():
    """One more row for each image, tied to its row by ½: the same function without Invariance."""
    Z = np.vstack([X, X + 0.1])
    rows, eye = np.zeros((2 * N, 2 * N)), np.eye(N)
    rows[:N, :N] = Laplacian(KNN(5)).build(X).toarray()
    rows += 0.5 * np.block([[eye, -eye], [-eye, eye]])
    ours = DeformedKernel(RBF(1.2), MOVED, 0.7).fit(X)
    theirs = DeformedKernel(RBF(1.2), rows, 0.7).fit(Z)
    assert_allclose(ours(X), theirs(X), atol=1e-9)
    labels = np.concatenate([CODES, np.full(N, -1)])
    settings = {"kernel": RBF(1.2), "output": Ring(4), "gamma_A": 1e-2, "tol": 1e-9}
    ours = StructuredLapSVC(regularizer=MOVED, gamma_I=2.0, **settings).fit(X, CODES)
    theirs = StructuredLapSVC(regularizer=rows, gamma_I=8.0, **settings).fit(Z, labels)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    clusters = RegularizedSpectralClustering(kernel=RBF(1.2), regularizer=MOVED).fit(X)
    assert clusters.solution_.optimality < 1e-6


def test_points_that_invariance_adds_within_other_penalties():
    """A row is tied to its own image alone, so the images of each class are those of all rows."""
    whole, moved = np.arange(N) % 2, Invariance(lambda A: A + 0.1)
    settings = {"kernel": RBF(1.2), "gamma_A": 1e-2, "gamma_I": 20.0}
    ours = scores(LapRLSClassifier(regularizer=ClassWise(moved), **settings), whole)
    theirs = scores(LapRLSClassifier(regularizer=moved, **settings), whole)
    assert_allclose(ours, theirs, atol=1e-9)
    by_code, by_name = {0: 0.5, 1: 2.0}, {"a": 0.5, "b": 2.0}
    ours = scores(LapRLSClassifier(regularizer=ClassWise(moved, by_code), **settings), whole)
    names = np.array(["a", "b"])[whole]
    named = scores(LapRLSClassifier(regularizer=ClassWise(moved, by_name), **settings), names)
    assert_allclose(ours, named, atol=1e-9)
    weighted = ClassWise(moved, weights={0: 0.0, 1: 2.0}).build(X, whole).toarray()
    images = ClassWise(moved, weights={0: 0.0, 1: 2.0}).extra_points(X, whole)
    assert_allclose(images, X[whole == 1] + 0.1)
    assert_allclose(np.diag(weighted), np.r_[2.0 * whole, np.full(N // 2, 2.0)])
    M = MOVED.build(X).toarray()
    relaxed = DeformedKernel(RBF(1.2), Relaxed(MOVED, 0.4), 0.7).fit(X)
    Z = np.vstack([X, X + 0.1])
    dense = DeformedKernel(RBF(1.2), M @ np.linalg.inv(np.eye(2 * N) + 0.4 * M), 0.7).fit(Z)
    assert_allclose(relaxed(X), dense(X), atol=1e-9)


def test_the_page_shows_the_same_cells():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    parts = [tuple(part.strip() for part in row.split("|")[1:4]) for row in rows]
    shown = {row for row in parts if row[2] in ("equal", "refused")}
    cells = {(c.first, c.second, "refused" if c.refused else "equal") for c in (*CELLS, *POINTS)}
    assert shown == cells, sorted(cells ^ shown)
