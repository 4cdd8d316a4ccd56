"""Vector-valued manifold regularization (VV): many outputs that share strength."""

from typing import Any

from ..parameters.arguments import with_parameters
from .classifier import Classifier
from .parameters import ClassParameters, EquationParameters, SolverParameters
from .recipes import VectorRecipe
from .regressor import Regressor


class VectorParameters:
    """Outputs that share strength.

    Parameters
    ----------
    output_kernel : None, array of shape (q, q), OutputGraph, Structure or "auto", default="auto"
        Q of the matrix-valued kernel k·Q: None is the identity (independent outputs), a symmetric
        PSD matrix, :class:`lapwing.outputs.OutputGraph` for γ_O L_out^† + (1 − γ_O) I, or an output
        structure such as ``Tree(parents)`` for its kernel, one output per column; "auto" is None,
        or an OutputGraph where leave-one-out tells so. With a list of kernels, a list of as many
        output kernels: K = Σ_r k_r Q_r. ``kernel=JointKernel(f)`` is any matrix-valued kernel
        K(x, z), and leaves this at None.
    output_regularizer : None or array of shape (q, q), default=None
        M_out of the intrinsic penalty ⟨f, (M ⊗ M_out) f⟩, symmetric PSD; None is the identity. A
        ``regularizer`` of order n·q is M over the pairs (row, output) itself, row-major.
    fit_intercept : bool or "auto", default="auto"
        An unpenalized constant for each output that only the loss sees.

        What is "auto" is chosen as in :class:`lapwing.LapRLSClassifier` for classes. For several
        outputs it begins at the rule (kernel="rbf", regularizer="laplacian", an intercept,
        output_kernel None), and leaves it where leave-one-out of whole rows tells so clearly.
    space : {"auto", "exact", "blockwise", "linear", "landmarks"}, Landmarks or rule, default="auto"
        Where the scalar functions are searched (:func:`lapwing.spaces.choose_space`); "exact" or
        "blockwise" for a list of kernels. For classes "auto" is chosen as in
        :class:`lapwing.LapRLSClassifier`, with values on the graph above 500 rows.

    Attributes
    ----------
    output_kernel_ : array of shape (q, q)
        Q, built.
    """

    loss: Any = "squared"
    output_kernel: Any = "auto"
    output_regularizer: Any = None


@with_parameters(EquationParameters, SolverParameters, VectorParameters)
class VectorValuedRegressor(Regressor):
    """Several real targets that depend on each other, from few rows with targets and many without.

    Minimizes over f: X → R^q in the space of the matrix-valued kernel k(x, z)·Q

        (1/l) Σ_observed V(y_ij, f_j(x_i) + b_j) + γ_A ‖f‖² + (γ_I/n²) ⟨f, (M ⊗ I) f⟩,

    where l counts the rows with at least one observed target: each target of each row may be NaN
    on its own. Squares in closed form (a Sylvester equation); at Q = I this is LapRLS.

    Parameters
    ----------
    loss : str or Loss, default="squared"
        ``"squared"``, ``"huber"``, ``"epsilon_insensitive"``, or any
        :class:`lapwing.losses.Loss`.
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Minh, Sindhwani 2011, *Vector-valued Manifold Regularization*, ICML, eqs. 11–17.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import VectorValuedRegressor
    >>> from lapwing.outputs import OutputGraph
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> truth = np.column_stack([np.sin(X[:, 0]), np.sin(X[:, 0]) + 0.1, np.cos(X[:, 0])])
    >>> Y = np.full((60, 3), np.nan)
    >>> Y[::6] = truth[::6]
    >>> Y[0, 1] = np.nan                     # a single missing entry
    >>> outputs = OutputGraph(gamma_O=0.5, n_neighbors=1)
    >>> model = VectorValuedRegressor(output_kernel=outputs, gamma_I=0.1)
    >>> bool(np.abs(model.fit(X, Y).transduction_ - truth).max() < 0.1)
    True
    """

    recipe = VectorRecipe()


@with_parameters(EquationParameters, SolverParameters, VectorParameters, ClassParameters)
class VectorValuedClassifier(Classifier):
    """Many labels at once, from few labeled rows and many unlabeled ones.

    Minimizes over f: X → R^q in the space of the matrix-valued kernel k(x, z)·Q

        (1/l) Σ_observed V(y_ij, f_j(x_i) + b_j) + γ_A ‖f‖² + (γ_I/n²) ⟨f, (M ⊗ I) f⟩

    with y_ij = ±1 for label j of row i, and l the rows with at least one observed entry. Labels
    that are neighbors in the output graph share strength. A one-dimensional y is classes, one
    against the rest.

    Parameters
    ----------
    loss : str or Loss, default="squared"
        ``"squared"``, ``"hinge"``, ``"squared_hinge"``, ``"logistic"``, or any
        :class:`lapwing.losses.Loss`.
    probability : bool, "sigmoid" or "isotonic", default=True
        How ``predict_proba`` calibrates leave-one-out scores, label by label; True is "sigmoid",
        and with False there is none. Classes share one temperature instead.
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Minh, Sindhwani 2011, *Vector-valued Manifold Regularization*, ICML, eqs. 11–17.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from lapwing import VectorValuedClassifier
    >>> from lapwing.metrics import macro_auc
    >>> from lapwing.outputs import OutputGraph
    >>> X, truth = make_multilabel_classification(300, random_state=0)
    >>> Y = truth.astype(float)
    >>> Y[60:] = np.nan                      # 60 labeled rows
    >>> outputs = OutputGraph(gamma_O=0.9, n_neighbors=2)
    >>> model = VectorValuedClassifier(output_kernel=outputs).fit(X, Y)
    >>> bool(macro_auc(truth[60:], model.decision_function(X)[60:]) > 0.75)
    True
    """

    recipe = VectorRecipe()
    several_labels = True
    probability: Any = True
